#include "blocks/solids/wall_adhesion.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "blocks/solids/body_loads.h"
#include "blocks/solids/shared_velocity.h"
#include "core/promises.h"

namespace treacle {

namespace {

/// One for each body.
struct SharedByBody {
    std::vector<SharedVelocity> bodies;

    SharedByBody& operator+=(const SharedByBody& other) {
        for (std::size_t b = 0; b < bodies.size(); ++b) bodies[b] += other.bodies[b];
        return *this;
    }
};

bool sticky(const Body& body) { return body.adhesion > 0; }

}  // namespace

template <class S>
bool WallAdhesion<S>::ready(const FluidView<S>& fluid, const BlockContext<S>& context) const {
    return promises::sized(fluid.size(), fluid.position, fluid.velocity, fluid.mass, fluid.material) &&
           promises::within(settings.materials.size(), fluid.material) && settings.spacing > 0 && context.dt > 0;
}

template <class S>
template <class Velocity>
auto WallAdhesion<S>::share_lost(const FluidView<S>& fluid, const BlockContext<S>& context, std::size_t i,
                                 const Wall& wall, Real leaving, const Velocity& velocity) const -> Real {
    const Body& body = context.bodies[wall.body];
    if (!(leaving > 0) || !sticky(body)) return 0;
    const Material& material = settings.materials[fluid.material[i]];
    Real own = material.own_stress;
    if (material.viscosity > 0) {
        // The slope of v_n along n by least squares, over the particles that lie farther from the wall.
        const Vec normal = cast<Real>(wall.normal);
        Real rise = 0, run = 0;
        for (const std::uint32_t j : context.neighbors.row(i)) {
            const Vec offset = fluid.position[j].xyz() - fluid.position[i].xyz();
            const Real farther = dot(offset, normal), square = dot(offset, offset);
            if (!(farther > 0)) continue;
            rise += dot(velocity(j) - velocity(i), normal) * farther / square;
            run += farther * farther / square;
        }
        const Real within = rise > 0 ? rise / run : Real(0);
        const Real trouton = S::dim == 2 ? 4 : 3;
        own += trouton * material.viscosity * std::max(within, leaving / static_cast<Real>(settings.spacing));
    }
    const Real strength = static_cast<Real>(body.adhesion) * own;
    const Real spacing = static_cast<Real>(settings.spacing);
    const Real reach = std::clamp(Real(2.5) - 2 * static_cast<Real>(wall.distance) / spacing, Real(0), Real(1));
    // V/m is 1/ρ of the fluid at rest.
    const Real held = strength * reach * static_cast<Real>(context.dt) / (material.density * spacing);
    return std::min(Real(1), held / leaving);
}

template <class S>
template <class Velocity, class Change>
void WallAdhesion<S>::hold_with(const FluidView<S>& fluid, const BlockContext<S>& context, const Velocity& velocity,
                                const Change& change) {
    Bodies& bodies = context.bodies;
    const bool cohesive =
        std::any_of(settings.materials.begin(), settings.materials.end(),
                    [](const Material& material) { return material.own_stress > 0 || material.viscosity > 0; });
    if (!cohesive || std::none_of(bodies.begin(), bodies.end(), sticky)) return;
    const auto stage = context.timer.stage("adhesion");
    walls_.update(fluid.position, bodies, 1.25 * settings.spacing, context.parallel);
    const auto leaving = [&](std::size_t i, const Wall& wall) {
        const Vec of_wall = cast<Real>(bodies[wall.body].velocity_at(cast<double>(fluid.position[i].xyz())));
        return dot(velocity(i) - of_wall, cast<Real>(wall.normal));
    };
    std::vector<Row> changes(fluid.size());
    std::optional<VelocitiesKept> kept;
    const bool any_dynamic = std::any_of(bodies.begin(), bodies.end(), [](const Body& body) { return body.dynamic(); });
    if (any_dynamic) {
        kept.emplace(bodies);
        SharedByBody alone{std::vector<SharedVelocity>(bodies.size())}, nothing = alone;
        for (std::size_t b = 0; b < bodies.size(); ++b) {
            if (bodies[b].dynamic()) alone.bodies[b] = SharedVelocity(bodies[b], S::dim, context.dt);
        }
        const SharedByBody shared = context.parallel.fold_blocks(
            fluid.rows(), alone, [&](SharedByBody& local, std::size_t first, std::size_t last) {
                local = nothing;
                for (std::size_t i = first; i < last; ++i) {
                    for (const Wall& wall : walls_.row(i)) {
                        const Body& body = bodies[wall.body];
                        if (!body.dynamic()) continue;
                        const Real share = share_lost(fluid, context, i, wall, leaving(i, wall), velocity);
                        const Vec3d arm = cast<double>(fluid.position[i].xyz()) - body.center_of_mass_in_space();
                        if (share > 0)
                            local.bodies[wall.body].join(arm, wall.normal, static_cast<double>(share * fluid.mass[i]),
                                                         cast<double>(velocity(i)));
                    }
                }
            });
        for (std::size_t b = 0; b < bodies.size(); ++b) {
            if (bodies[b].dynamic()) shared.bodies[b].give_to(bodies[b]);
        }
    }
    push_bodies(fluid.rows(), context.dt, context.parallel, bodies, [&](std::size_t i, BodyLoads& loads) {
        for (const Wall& wall : walls_.row(i)) {
            const Real away = leaving(i, wall);
            const Real share = share_lost(fluid, context, i, wall, away, velocity);
            if (!(share > 0)) continue;
            const Vec lost = (share * away) * cast<Real>(wall.normal);
            changes[i] = changes[i].xyz() - lost;
            loads.add(wall.body, bodies[wall.body], cast<double>(fluid.position[i].xyz()),
                      static_cast<double>(fluid.mass[i]) * cast<double>(lost));
        }
    });
    // Only now: until here all particles have the velocities that they came with.
    walls_.for_each(context.parallel, [&](std::size_t i, std::span<const Wall>) { change(i, changes[i].xyz()); });
}

template <class S>
void WallAdhesion<S>::hold(const FluidView<S>& fluid, const BlockContext<S>& context) {
    assert(ready(fluid, context));
    hold_with(
        fluid, context, [&](std::size_t i) { return fluid.velocity[i].xyz(); },
        [&](std::size_t i, Vec change) { fluid.velocity[i] = fluid.velocity[i].xyz() + change; });
}

template <class S>
void WallAdhesion<S>::hold(const FluidView<S>& fluid, const BlockContext<S>& context, MovingPositions<S>& moving) {
    assert(ready(fluid, context) && moving.moves(fluid.position));
    const Real dt = static_cast<Real>(context.dt);
    hold_with(
        fluid, context, [&](std::size_t i) { return moving.displacement()[i].xyz() / dt; },
        [&](std::size_t i, Vec change) { moving.move(i, dt * change); });
}

template class WallAdhesion<Space2f>;
template class WallAdhesion<Space3f>;
template class WallAdhesion<Space2d>;
template class WallAdhesion<Space3d>;

}  // namespace treacle
