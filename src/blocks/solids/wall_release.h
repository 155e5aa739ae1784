#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/solids/walls.h"

namespace treacle {

/// The load of walls over more than a patch, for fluid that pulls at walls with a tension of its own. Not in the paper.
///
/// Where an edge of the fluid meets a wall, that tension pulls, and fluid beside it presses the more. Neither is load
/// of the fluid. Means over the neighbors along the wall are.
///
/// Two things depend on them: friction (spread()), and whether a wall that can pull holds the fluid back (update()).
/// Single particles are pushed and pulled at random, and without the pulls resting fluid would boil; where a wall pulls
/// on the mean, over several steps and all layers above it, it has to let go. Of elastic fluid only: a liquid parts
/// from the wall by itself, and where its level meets the wall, where pulls come and go, it would boil after all
/// (water; what springs hold together does not).
template <class S>
class WallRelease {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    Real support_radius = 0;              ///< m
    Real first_layer = 0;                 ///< m; particles closer to the wall than this are its first layer
    Real time = 1;                        ///< s, of the mean
    std::vector<std::uint8_t> elastic{};  ///< by material, 1: walls let go of it

    /// Shares the load of each particle of the first layer (`pressed`, wall_load.h) among those around it, as well as
    /// its own. The sum stays what it is.
    void spread(const FluidView<S>& fluid, const BlockContext<S>& context, const WallRows<S>& walls,
                std::span<const Real> pressed, std::span<Real> spread);

    /// `wall_displacement` is what the walls' pressure and contact moved each particle within the step, `withheld` (m,
    /// along the normal, negative) what they would have pulled besides. Writes `support`, the mean load (m/s²), and
    /// whether it is that of a wall that lets go, 1 or 0.
    void update(const FluidView<S>& fluid, const BlockContext<S>& context, const WallRows<S>& walls,
                std::span<const Row> wall_displacement, std::span<const Real> withheld, std::span<Real> support,
                std::span<Real> lets_go);

private:
    void find_places(const FluidView<S>& fluid, const BlockContext<S>& context, const WallRows<S>& walls);
    /// visit(j) for the neighbors of i near the same body.
    template <class Visit>
    void for_each_beside(std::size_t i, const BlockContext<S>& context, const Visit& visit) const {
        for (const std::uint32_t j : context.neighbors.row(i)) {
            if (body_[j] == body_[i]) visit(j);
        }
    }

    std::vector<std::uint32_t> body_;  ///< of each particle's nearest wall
    std::vector<Real> share_;          ///< m/s²
};

}  // namespace treacle
