#pragma once

#include <cassert>
#include <span>
#include <vector>

#include "blocks/pair_pack.h"
#include "core/parallel.h"
#include "math/space.h"

namespace treacle {

/// Particles on their way through a step, x = start + displacement. What is solved for is the displacement: far from
/// the origin positions are coarse (floats at 100 m know 8 µm), and a velocity that were the difference of two of them
/// over a step of a millisecond would be wrong by millimeters per second. Offsets between particles are
///
///   x_j - x_i = (start_j - start_i) + (displacement_j - displacement_i)
///
/// of which the first difference has no rounding error between close neighbors. Positions are rounded from the sum;
/// they are good for directions and weights, and are what is left at the end of the step.
template <class S>
class MovingPositions {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    MovingPositions() = default;
    explicit MovingPositions(std::span<Row> position) { begin(position); }

    /// All that is done to them is done to `position`.
    void begin(std::span<Row> position) {
        position_ = position;
        start_.assign(position.begin(), position.end());
        displacement_.assign(position.size(), Row{});
    }
    /// The same start and displacement, for other positions.
    MovingPositions on(std::span<Row> position) const {
        assert(position.size() == size());
        MovingPositions copy = *this;
        copy.position_ = position;
        return copy;
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

private:
    std::span<Row> position_;
    std::vector<Row> start_, displacement_;
};

}  // namespace treacle
