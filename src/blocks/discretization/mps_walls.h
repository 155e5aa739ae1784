#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/discretization/particle_sizes.h"
#include "blocks/fluid_view.h"
#include "core/parallel.h"
#include "kernels/cubic_spline.h"
#include "kernels/dashpot_weight.h"
#include "kernels/mps_weight.h"
#include "math/space.h"
#include "math/sym_mat.h"

namespace treacle {

/// The weights of sums over neighbors, named by their purpose (mps_geometry.h).
template <class S>
struct MpsWeights {
    MpsWeight<S> close, wide;
    DashpotWeight<S> dashpot;
    CubicSpline<S> smooth;
    double spacing = 0;  ///< m
};

/// The walls of the moving particle semi-implicit method: solids are filled with particles to the depth of the weights,
/// and those within reach of a fluid particle complete its sums. All that the sums need of them is gathered once per
/// step, by particle and body.
///
/// A wall particle k moves such that the velocity between it and the fluid particle i grows linearly from the surface,
/// where the fluid moves as the solid does: with the particle's distance d_i from the surface, and the depth d_k,
///
///   v_k - v_i = Ω_b × x_ik - f_ik (v_i - v_b(x_i)),    f_ik = 1 + d_k/d_i        (Morris, Fox, Zhu 1997)
///
/// Where it is slippery (friction 0) the part along the surface is that of the particle itself.
///
/// Departure: the paper's wall particles have the velocity of the wall. Then fluid is at rest where the first layer is,
///   half a spacing below the surface, and a channel is a spacing wider than it was drawn.
template <class S>
class MpsWalls {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    /// A body as particle i feels it.
    struct Contact {
        std::uint32_t body = 0;
        bool slips = false;     ///< fluid slides along it
        Real distance = 0;      ///< of the surface, m
        Vec normal{};           ///< out of the solid
        Real close_sum = 0;     ///< Σ w, of the close weight
        Real dashpot_sum = 0;   ///< Σ w, of the weight of dashpots
        Real smooth_sum = 0;    ///< Σ W, m⁻³ (2D: m⁻²)
        Vec close_side{};       ///< Σ w x̂_ik, of the close weight
        Vec wide_side{};        ///< Σ w x̂_ik, of the wide weight
        SymMat<Real> spread{};  ///< Σ w/r² x_ik x_ikᵀ, of the close weight
        Vec pull{};             ///< Σ f w/r² x_ik, of the close weight
        SymMat<Real> drag{};    ///< Σ f w x̂_ik x̂_ikᵀ/s², of the weight of dashpots; s the size of the pair
    };

    void update(const FluidView<S>& fluid, const BlockContext<S>& context, const ParticleSizes<S>& sizes,
                const MpsWeights<S>& weights);

    std::size_t size() const { return row_end_.size(); }
    std::span<const Contact> row(std::size_t i) const {
        const std::size_t begin = i % block_size == 0 ? 0 : row_end_[i - 1];
        return {block_entries_[i / block_size].data() + begin, row_end_[i] - begin};
    }

private:
    static constexpr std::size_t block_size = Parallel::small_block;

    std::vector<std::uint32_t> row_end_;  ///< per particle, in the entries of its block
    std::vector<std::vector<Contact>> block_entries_;
};

}  // namespace treacle
