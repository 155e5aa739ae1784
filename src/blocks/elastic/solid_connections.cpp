#include "blocks/elastic/solid_connections.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "blocks/solids/body_loads.h"
#include "core/promises.h"
#include "math/reproducible.h"

namespace treacle {

namespace {

/// The solids' ends of connections; looked up once for many of them.
template <class S>
class Places {
public:
    using Real = typename S::Real;
    using Vec = typename S::Vec;

    Places(const ConnectionGraph& anchors, const Bodies& bodies)
        : bodies_(bodies), body_(anchors.others()), local_(anchors.values<typename S::Row>("anchor")) {}
    std::size_t body(std::size_t slot) const { return body_[slot]; }
    Vec at(std::size_t slot) const {
        return cast<Real>(bodies_[body_[slot]].pose.to_world(cast<double>(local_[slot].xyz())));
    }
    bool is(std::size_t slot, std::size_t body, Vec local) const {
        const Vec here = local_[slot].xyz();
        return body_[slot] == body && here.x == local.x && here.y == local.y && here.z == local.z;
    }

private:
    const Bodies& bodies_;
    std::span<const std::uint32_t> body_;
    std::span<const typename S::Row> local_;
};

}  // namespace

/// What is looked up once for many connections.
template <class S>
class SolidConnections<S>::Inputs {
public:
    Inputs(const FluidView<S>& view, const BlockContext<S>& context, const ElasticLinks<S>& links,
           std::span<const Real> of_particles)
        : fluid(view), bodies(context.bodies), anchors(links.anchors), places(anchors, bodies),
          rest(anchors.values<Real>("rest_length")), coefficient(links.coefficient), stiffness(of_particles),
          dt(static_cast<Real>(context.dt)) {}

    const FluidView<S>& fluid;
    const Bodies& bodies;
    const ConnectionGraph& anchors;
    const Places<S> places;
    const std::span<const Real> rest, coefficient, stiffness;
    const Real dt;
};

template <class S>
void SolidConnections<S>::update(const FluidView<S>& fluid, const BlockContext<S>& context,
                                 const ElasticLinks<S>& links) const {
    assert(context.boundary && context.boundary->fluid_size() == fluid.size() && links.complete(fluid.size()));
    assert(promises::sized(fluid.size(), fluid.material) && promises::within(materials.size(), fluid.material));
    assert(promises::rows_within(fluid.size(), links.anchors.rows(), context.bodies.size()));
    assert(promises::within(context.bodies.size(), context.boundary->body()) && promises::finite(fluid.position));
    const auto stage = context.timer.stage("connections");
    const BoundaryParticles<S>& boundary = *context.boundary;
    const Bodies& bodies = context.bodies;
    ConnectionGraph& anchors = links.anchors;
    const bool sticky = std::any_of(bodies.begin(), bodies.end(), [](const Body& body) { return body.adhesion > 0; });
    std::vector<std::uint8_t> rows(fluid.size());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        rows[i] = anchors.count(i) > 0 || (sticky && !boundary.row(i).empty());
    });
    anchors.rewrite(context.parallel, ids_of(bodies), rows, [&](std::size_t i, ConnectionGraph::RowDraft& row) {
        const Material& material = materials[fluid.material[i]];
        const Real connect_distance = links.varying ? links.varying->connect_distance[i] : material.connect_distance;
        const Vec x = fluid.position[i].xyz();
        const std::size_t begin = anchors.begin(i), end = begin + anchors.count(i);
        const Places<S> places(anchors, bodies);  // made here, not outside: rows that outgrow their room move
        for (std::size_t slot = begin; slot < end; ++slot) {
            if (length(x - places.at(slot)) <= material.break_distance) row.keep(slot);
        }
        boundary.for_each_pair(i, x, [&](const BoundaryPair<S>& pair) {
            const std::uint32_t body = boundary.body()[pair.k];
            if (!(pair.distance < connect_distance) || bodies[body].adhesion <= 0) return;
            const Vec3d local = boundary.local(pair.k);
            const Vec rounded = cast<Real>(local);
            for (std::size_t slot = begin; slot < end; ++slot) {
                if (places.is(slot, body, rounded)) return;
            }
            row.add(body, static_cast<double>(pair.distance), local);
        });
    });
}

template <class S>
template <class Visit>
void SolidConnections<S>::for_each_pull(const Inputs& in, std::size_t i, const Visit& visit) const {
    const FluidView<S>& fluid = in.fluid;
    for (std::size_t slot = in.anchors.begin(i); slot < in.anchors.begin(i) + in.anchors.count(i); ++slot) {
        const std::size_t b = in.places.body(slot);
        const Vec place = in.places.at(slot);
        const Vec offset = fluid.position[i].xyz() - place;
        const Real distance = length(offset);
        const Real stretch = distance - in.rest[slot];
        if (!(stretch > 0) || !(distance > 0)) continue;
        const Vec direction = offset / distance;
        const Real adhesion = static_cast<Real>(in.bodies[b].adhesion);
        Real stiffness =
            as_in_paper
                ? Real(0.5) * (in.coefficient[i] + adhesion * materials[fluid.material[i]].coefficient) * fluid.mass[i]
                : 2 * adhesion * in.stiffness[i] * in.dt * in.dt;
        if (in.bodies[b].dynamic()) {
            const Vec3d n = cast<double>(direction);
            const Vec3d arm = cross(cast<double>(place) - in.bodies[b].center_of_mass_in_space(), n);
            const double lightness = 1 / in.bodies[b].mass + dot(arm, in.bodies[b].spin_up(arm));
            stiffness *= static_cast<Real>(1 / (1 + static_cast<double>(fluid.mass[i]) * lightness));
        }
        visit(Pull{b, place, direction, stretch, stiffness});
    }
}

template <class S>
bool SolidConnections<S>::ready(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links,
                                std::span<const Real> stiffness) const {
    return promises::sized(fluid.size(), fluid.velocity, fluid.mass, fluid.material) && links.complete(fluid.size()) &&
           promises::rows_within(fluid.size(), links.anchors.rows(), context.bodies.size()) &&
           (as_in_paper ? links.coefficient.size() : stiffness.size()) == fluid.size() &&
           promises::within(materials.size(), fluid.material) && promises::positive(fluid.mass) && context.dt > 0;
}

template <class S>
void SolidConnections<S>::correct(const FluidView<S>& fluid, const BlockContext<S>& context,
                                  const ElasticLinks<S>& links, std::span<const Real> stiffness) const {
    assert(ready(fluid, context, links, stiffness));
    const auto stage = context.timer.stage("velocity correction");
    const Inputs in(fluid, context, links, stiffness);
    push_bodies(fluid.rows(), static_cast<double>(in.dt), context.parallel, context.bodies,
                [&](std::size_t i, BodyLoads& loads) {
                    Vec sum{};
                    for_each_pull(in, i, [&](const Pull& pull) {
                        const Vec impulse = (-pull.stiffness * pull.stretch / in.dt) * pull.direction;
                        sum += impulse;
                        loads.add(pull.body, in.bodies[pull.body], cast<double>(pull.place), -cast<double>(impulse));
                    });
                    fluid.velocity[i] = fluid.velocity[i].xyz() + sum / fluid.mass[i];
                });
}

template <class S>
void SolidConnections<S>::measure_hold(const FluidView<S>& fluid, const BlockContext<S>& context,
                                       const ElasticLinks<S>& links, std::span<const Real> stiffness,
                                       HeldRows<Real>& held) const {
    assert(ready(fluid, context, links, stiffness));
    const auto stage = context.timer.stage("velocity correction");
    const Inputs in(fluid, context, links, stiffness);
    held.impulse.assign(fluid.size(), Row{});
    held.matrix.assign(fluid.size(), SymMat<Real>{});
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        Vec impulse{};
        for_each_pull(in, i, [&](const Pull& pull) {
            const Vec along =
                fluid.velocity[i].xyz() - cast<Real>(in.bodies[pull.body].velocity_at(cast<double>(pull.place)));
            impulse -= (pull.stiffness * (pull.stretch / in.dt + dot(along, pull.direction))) * pull.direction;
            held.matrix[i].add_square(pull.stiffness, pull.direction);
        });
        held.impulse[i] = impulse;
    });
}

template <class S>
void SolidConnections<S>::add_reaction(const FluidView<S>& fluid, const BlockContext<S>& context,
                                       const ElasticLinks<S>& links, std::span<const Real> stiffness) const {
    assert(ready(fluid, context, links, stiffness));
    const auto stage = context.timer.stage("velocity correction");
    const Inputs in(fluid, context, links, stiffness);
    push_bodies(fluid.rows(), static_cast<double>(in.dt), context.parallel, context.bodies,
                [&](std::size_t i, BodyLoads& loads) {
                    for_each_pull(in, i, [&](const Pull& pull) {
                        const Vec along = fluid.velocity[i].xyz() -
                                          cast<Real>(in.bodies[pull.body].velocity_at(cast<double>(pull.place)));
                        const Vec impulse =
                            (pull.stiffness * (pull.stretch / in.dt + dot(along, pull.direction))) * pull.direction;
                        loads.add(pull.body, in.bodies[pull.body], cast<double>(pull.place), cast<double>(impulse));
                    });
                });
}

template <class S>
void SolidConnections<S>::keep_stress(const FluidView<S>& fluid, const BlockContext<S>& context,
                                      const ElasticLinks<S>& links) const {
    assert(links.varying && links.complete(fluid.size()));
    assert(promises::rows_within(fluid.size(), links.anchors.rows(), context.bodies.size()));
    const auto stage = context.timer.stage("properties");
    ConnectionGraph& anchors = links.anchors;
    const Places<S> places(anchors, context.bodies);
    const auto rest = anchors.values<Real>("rest_length");
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const Real before = links.varying->modulus_before[i], now = links.varying->shear_modulus[i];
        if (!(now > before)) return;
        for (std::size_t slot = anchors.begin(i); slot < anchors.begin(i) + anchors.count(i); ++slot) {
            rest[slot] += (1 - before / now) * (length(fluid.position[i].xyz() - places.at(slot)) - rest[slot]);
        }
    });
}

template <class S>
void SolidConnections<S>::relax(const FluidView<S>& fluid, const BlockContext<S>& context,
                                const ElasticLinks<S>& links) const {
    assert(promises::sized(fluid.size(), fluid.material, links.coefficient) && links.complete(fluid.size()));
    assert(promises::rows_within(fluid.size(), links.anchors.rows(), context.bodies.size()));
    assert(promises::within(materials.size(), fluid.material) && context.dt > 0);
    const auto stage = context.timer.stage("velocity correction");
    ConnectionGraph& anchors = links.anchors;
    const Real dt = static_cast<Real>(context.dt);
    const Places<S> places(anchors, context.bodies);
    const auto rest = anchors.values<Real>("rest_length");
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        if (anchors.count(i) == 0) return;
        const Material& material = materials[fluid.material[i]];
        const Real rate = links.varying ? links.varying->relaxation_rate[i] : material.relaxation_rate;
        const Real share = reproducible::quick_one_minus_exp_minus(rate * dt);
        Real loss = 0;
        for (std::size_t slot = anchors.begin(i); slot < anchors.begin(i) + anchors.count(i); ++slot) {
            const Real stretch = length(fluid.position[i].xyz() - places.at(slot)) - rest[slot];
            if (as_in_paper) loss += stretch > material.yield_distance ? material.decay : Real(0);
            else rest[slot] += share * stretch;
        }
        if (links.coefficient[i] > material.lowest_coefficient) {
            links.coefficient[i] = std::max(links.coefficient[i] - dt * loss, material.lowest_coefficient);
        }
    });
}

template class SolidConnections<Space2f>;
template class SolidConnections<Space3f>;
template class SolidConnections<Space2d>;
template class SolidConnections<Space3d>;

}  // namespace treacle
