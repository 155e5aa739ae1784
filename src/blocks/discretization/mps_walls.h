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
    double spacing = 0;   ///< m
    bool sticks = false;  ///< fluid is held by any friction but 0, as if it could not slip
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
/// Where fluid may slip (friction other than "no_slip") the part along the surface is that of the particle itself, and
/// what rubs it is up to the flow (flow_pairs.h).
///
/// The faces of a container are walls of their own: a particle of the solid belongs to the face that it lies deepest
/// behind.
///
/// Departure: the paper's wall particles have the velocity of the wall. Then fluid is at rest where the first layer is,
///   half a spacing below the surface, and a channel is a spacing wider than it was drawn.
template <class S>
class MpsWalls {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    /// A face of a body as particle i feels it.
    struct Contact {
        std::uint32_t body = 0;
        bool slips = false;     ///< fluid may slide along it
        Real friction = 0;      ///< Coulomb's coefficient where it slips
        Real distance = 0;      ///< of the surface, m
        Vec normal{};           ///< out of the solid
        Real close_sum = 0;     ///< Σ w, of the close weight
        Real dashpot_sum = 0;   ///< Σ w, of the weight of dashpots
        Real smooth_sum = 0;    ///< Σ W, m⁻³ (2D: m⁻²)
        Vec close_side{};       ///< Σ w x̂_ik, of the close weight
        Vec wide_side{};        ///< Σ w x̂_ik, of the wide weight
        SymMat<Real> spread{};  ///< Σ w/r² x_ik x_ikᵀ, of the close weight
        Vec pull{};             ///< Σ f w/r² x_ik, of the close weight
        /// Σ f w x̂_ik x̂_ikᵀ/s², of the weight of dashpots; s the size of the pair. Where it slips, its part across
        /// the surface, and that along it.
        SymMat<Real> drag{}, rub{};
    };

    void update(const FluidView<S>& fluid, const BlockContext<S>& context, const ParticleSizes<S>& sizes,
                const MpsWeights<S>& weights);

    std::size_t size() const { return row_end_.size(); }
    std::span<const Contact> row(std::size_t i) const {
        const std::size_t begin = i % block_size == 0 ? 0 : row_end_[i - 1];
        return {block_entries_[i / block_size].data() + begin, row_end_[i] - begin};
    }

    /// Something of every contact besides: a list per block, in the order of the rows.
    template <class T>
    struct PerContact {
        std::vector<std::vector<T>> lists;
    };
    /// f(i, contact) of all contacts.
    template <class T, class Make>
    void make(const Parallel& parallel, const Make& f, PerContact<T>& result) const {
        result.lists.resize(block_entries_.size());
        parallel.for_blocks(size(), block_size, [&](std::size_t first, std::size_t last, std::size_t block) {
            auto& list = result.lists[block];
            list.clear();
            for (std::size_t i = first; i < last; ++i) {
                for (const Contact& contact : row(i)) list.push_back(f(i, contact));
            }
        });
    }
    /// Of a contact in the row of i.
    template <class T>
    const T& of(const PerContact<T>& all, std::size_t i, const Contact& contact) const {
        const std::size_t block = i / block_size;
        return all.lists[block][static_cast<std::size_t>(&contact - block_entries_[block].data())];
    }

private:
    static constexpr std::size_t block_size = Parallel::small_block;

    std::vector<std::uint32_t> row_end_;  ///< per particle, in the entries of its block
    std::vector<std::vector<Contact>> block_entries_;
};

}  // namespace treacle
