#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/solids/walls.h"
#include "math/space.h"

namespace treacle {

/// How strongly fluid and wall press on each other, for friction. Not in the paper.
///
/// Single particles at a wall are pushed and pulled at random all the time, and its layers in turn; friction with each
/// push would be far too strong. What counts is the net load of all layers above a patch of wall, and its mean over a
/// short time. Every particle's load is shared equally among the first-layer particles below it, so that the sum over
/// the wall stays what it is.
///
/// Reads position and what walls did to each particle in this step; writes `pressed` (m/s²), the acceleration by the
/// wall that each particle of the first layer stands for.
template <class S>
class WallLoad {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    struct Settings {
        Real support_radius = 0;
        Real first_layer = 0;  ///< m; particles closer to the wall than this are its first layer
        Real time = 0;         ///< s, of the mean

        /// The mean is one over half the time in which a particle falls through the support radius.
        static Settings of(double support_radius, double spacing, double gravity) {
            return {static_cast<Real>(support_radius), static_cast<Real>(spacing),
                    static_cast<Real>(0.5 * std::sqrt(support_radius / gravity))};
        }
    };
    Settings settings{};

    /// `wall_displacement` is what the walls' pressure and contact moved each particle within the step.
    void update(const FluidView<S>& fluid, const BlockContext<S>& context, const WallRows<S>& walls,
                std::span<const Row> wall_displacement, std::span<Real> pressed);

private:
    bool in_first_layer(const Wall* wall) const {
        return wall && wall->distance < static_cast<double>(settings.first_layer);
    }

    /// Of each particle's nearest wall, in one number for passes over neighbors: twice the body, and one more in the
    /// first layer.
    std::vector<Real> place_;
    std::vector<Real> share_;  ///< m/s², of each particle's load, for one of the first layer below it
};

}  // namespace treacle
