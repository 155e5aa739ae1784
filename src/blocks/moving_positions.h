#pragma once

#include <cassert>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/pair_pack.h"
#include "math/space.h"

namespace treacle {

/// Positions while a step changes them, x = start + displacement. Solvers work on the displacement: far from the origin
/// positions are coarse (floats at 100 m know 8 µm), and a velocity computed from the difference of two of them over a
/// step of a millisecond would be wrong by millimeters per second. Offsets between particles are
///
///   x_j - x_i = (start_j - start_i) + (displacement_j - displacement_i)
///
/// where the first difference has no rounding error between close neighbors. Positions are the rounded sum. They are
/// good enough for directions and weights, and they remain at the end of the step.
template <class S>
class MovingPositions {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    MovingPositions() = default;
    explicit MovingPositions(std::span<Row> position) { begin(position); }

    /// Starts at these positions, which are moved from now on.
    void begin(std::span<Row> position) {
        position_ = position;
        start_.assign(position.begin(), position.end());
        displacement_.assign(position.size(), Row{});
    }

    /// Whether these are the positions that are moved.
    bool moves(std::span<const Row> position) const {
        return position.data() == position_.data() && position.size() == size();
    }

    std::size_t size() const { return start_.size(); }
    std::span<const Row> position() const { return position_; }
    std::span<const Row> start() const { return start_; }
    std::span<const Row> displacement() const { return displacement_; }

    TREACLE_SIMD_INLINE void move(std::size_t i, Vec by) {
        const Vec all = displacement_[i].xyz() + by;
        displacement_[i] = all;
        position_[i] = start_[i].xyz() + all;
    }

    Vec offset(std::size_t i, std::size_t j) const {
        return (start_[j].xyz() - start_[i].xyz()) + (displacement_[j].xyz() - displacement_[i].xyz());
    }

    /// displacement += dt v
    void drift(const FluidView<S>& fluid, const BlockContext<S>& context) {
        assert(moves(fluid.position) && fluid.velocity.size() == size() && context.dt > 0);
        const Real dt = static_cast<Real>(context.dt);
        context.parallel.for_each(fluid.rows(), [&](std::size_t i) { move(i, dt * fluid.velocity[i].xyz()); });
    }

    /// v = displacement/dt
    void set_velocities(const FluidView<S>& fluid, const BlockContext<S>& context) const {
        assert(moves(fluid.position) && fluid.velocity.size() == size() && context.dt > 0);
        const Real rate = static_cast<Real>(1 / context.dt);
        context.parallel.for_each(fluid.rows(),
                                  [&](std::size_t i) { fluid.velocity[i] = rate * displacement_[i].xyz(); });
    }

    /// first(moving) and second(moving) both start from where particles are now; the moves of both are added.
    template <class First, class Second>
    void move_by_both(const BlockContext<S>& context, const First& first, const Second& second) {
        const std::vector<Row> before = displacement_;
        MovingPositions other = *this;
        std::vector<Row> other_position(position_.begin(), position_.end());
        other.position_ = other_position;
        first(*this);
        second(other);
        context.parallel.for_each(Rows::of(size()),
                                  [&](std::size_t i) { move(i, other.displacement_[i].xyz() - before[i].xyz()); });
    }

private:
    std::span<Row> position_;
    std::vector<Row> start_, displacement_;
};

}  // namespace treacle
