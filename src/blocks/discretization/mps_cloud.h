#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/solids/boundary_particles.h"
#include "kernels/mps_weight.h"
#include "math/space.h"
#include "neighbors/neighbors.h"

namespace treacle {

/// A neighbor as a particle of the cloud sees it.
template <class S>
struct MpsPair {
    std::uint32_t j;
    typename S::Real weight;          ///< w(r)
    typename S::Real inverse_square;  ///< 1/r²; zero for two particles at one place, which have no direction
    typename S::Vec r;                ///< x_j - x_i
};

/// Fluid and walls as one set of particles, which is how MPS sees them (Koshizuka, Oka 1996): the fluid's first, then
/// those of the walls as BoundaryParticles has them. Of these the layer next to the fluid carries a pressure as fluid
/// does, and the layers behind only complete number densities and velocities.
///
/// Built anew every step, for one weight. Rows are in the order of Neighbors, with those that carry a pressure first.
template <class S>
class MpsCloud {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    void update(const FluidView<S>& fluid, const BlockContext<S>& context, const MpsWeight<S>& weight);

    const MpsWeight<S>& weight() const { return weight_; }
    std::size_t size() const { return position_.size(); }
    std::size_t fluid_count() const { return fluid_count_; }
    bool is_fluid(std::size_t i) const { return i < fluid_count_; }
    bool carries_pressure(std::size_t i) const { return carrier_[i] != 0; }
    std::span<const Row> position() const { return position_; }

    /// All neighbors of a particle that carries a pressure; the others have no row.
    std::span<const MpsPair<S>> row(std::size_t i) const {
        return {pairs_.data() + row_begin_[i], row_begin_[i + 1] - row_begin_[i]};
    }
    /// Those among them that carry a pressure.
    std::span<const MpsPair<S>> carriers(std::size_t i) const { return row(i).first(carriers_in_row_[i]); }

    /// Velocities of the cloud: the fluid's and the walls'.
    void gather_velocities(const FluidView<S>& fluid, const BlockContext<S>& context, std::vector<Row>& velocity) const;

private:
    MpsWeight<S> weight_;
    std::size_t fluid_count_ = 0;
    std::vector<Row> position_;
    std::vector<std::uint8_t> carrier_;
    Neighbors<S> neighbors_;
    std::vector<std::size_t> row_begin_;  ///< one more at the end
    std::vector<std::uint32_t> carriers_in_row_;
    std::vector<MpsPair<S>> pairs_;
};

}  // namespace treacle
