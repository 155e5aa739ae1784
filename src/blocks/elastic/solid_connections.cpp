#include "blocks/elastic/solid_connections.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "blocks/solids/body_loads.h"
#include "core/promises.h"
#include "math/reproducible.h"

namespace treacle {

namespace {

/// One value for each particle; stiffness is asked for only where it counts.
template <class Fluid>
bool whole(const Fluid& fluid, std::size_t count) {
    return promises::sized(count, fluid.position, fluid.mass, fluid.material) &&
           (!fluid.varying || fluid.varying->size() == count);
}

}  // namespace

/// The solids' ends of connections; looked up once for many of them.
template <class S>
class SolidConnections<S>::Places {
public:
    Places(const ConnectionGraph& anchors, const Bodies& bodies)
        : bodies_(bodies), body_(anchors.others()), local_(anchors.values<Row>("anchor")) {}
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
    std::span<const Row> local_;
};

template <class S>
void SolidConnections<S>::update(ConnectionGraph& anchors, const BoundaryParticles<S>& boundary, const Bodies& bodies,
                                 const Fluid& fluid, const Parallel& parallel) const {
    assert(whole(fluid, boundary.fluid_size()) && promises::within(materials.size(), fluid.material));
    assert(promises::rows_within(boundary.fluid_size(), anchors.rows(), bodies.size()));
    assert(promises::within(bodies.size(), boundary.body()) && promises::finite(fluid.position));
    const bool sticky = std::any_of(bodies.begin(), bodies.end(), [](const Body& body) { return body.adhesion > 0; });
    std::vector<std::uint8_t> rows(fluid.position.size());
    parallel.for_each(rows.size(),
                      [&](std::size_t i) { rows[i] = anchors.count(i) > 0 || (sticky && !boundary.row(i).empty()); });
    anchors.rewrite(parallel, rows, [&](std::size_t i, ConnectionGraph::RowDraft& row) {
        const Material& material = materials[fluid.material[i]];
        const Real connect_distance = fluid.varying ? fluid.varying->connect_distance[i] : material.connect_distance;
        const Vec x = fluid.position[i].xyz();
        const std::size_t begin = anchors.begin(i), end = begin + anchors.count(i);
        const Places places(anchors, bodies);  // made here, not outside: rows that outgrow their room move
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
void SolidConnections<S>::for_each_pull(const ConnectionGraph& anchors, const Places& places,
                                        std::span<const Real> rest, std::size_t i, const Fluid& fluid,
                                        std::span<const Real> coefficient, Real dt, const Bodies& bodies,
                                        const Visit& visit) const {
    for (std::size_t slot = anchors.begin(i); slot < anchors.begin(i) + anchors.count(i); ++slot) {
        const std::size_t b = places.body(slot);
        const Vec place = places.at(slot);
        const Vec offset = fluid.position[i].xyz() - place;
        const Real distance = length(offset);
        const Real stretch = distance - rest[slot];
        if (!(stretch > 0) || !(distance > 0)) continue;
        const Vec direction = offset / distance;
        const Real adhesion = static_cast<Real>(bodies[b].adhesion);
        Real stiffness =
            as_in_paper
                ? Real(0.5) * (coefficient[i] + adhesion * materials[fluid.material[i]].coefficient) * fluid.mass[i]
                : 2 * adhesion * fluid.stiffness[i] * dt * dt;
        if (bodies[b].dynamic()) {
            const Vec3d n = cast<double>(direction);
            const Vec3d arm = cross(cast<double>(place) - bodies[b].center_of_mass_in_space(), n);
            const double lightness = 1 / bodies[b].mass + dot(arm, bodies[b].spin_up(arm));
            stiffness *= static_cast<Real>(1 / (1 + static_cast<double>(fluid.mass[i]) * lightness));
        }
        visit(Pull{b, place, direction, stretch, stiffness});
    }
}

template <class S>
void SolidConnections<S>::correct(const ConnectionGraph& anchors, const Fluid& fluid, std::span<const Real> coefficient,
                                  Real dt, const Parallel& parallel, Bodies& bodies, std::span<Row> velocity) const {
    assert(whole(fluid, velocity.size()) && promises::rows_within(velocity.size(), anchors.rows(), bodies.size()));
    assert(as_in_paper ? coefficient.size() == velocity.size() : fluid.stiffness.size() == velocity.size());
    assert(promises::within(materials.size(), fluid.material) && promises::positive(fluid.mass) && dt > 0);
    const Places places(anchors, bodies);
    const auto rest = anchors.values<Real>("rest_length");
    push_bodies(Rows::of(velocity.size()), static_cast<double>(dt), parallel, bodies,
                [&](std::size_t i, BodyLoads& loads) {
                    Vec sum{};
                    for_each_pull(anchors, places, rest, i, fluid, coefficient, dt, bodies, [&](const Pull& pull) {
                        const Vec impulse = (-pull.stiffness * pull.stretch / dt) * pull.direction;
                        sum += impulse;
                        loads.add(pull.body, bodies[pull.body], cast<double>(pull.place), -cast<double>(impulse));
                    });
                    velocity[i] = velocity[i].xyz() + sum / fluid.mass[i];
                });
}

template <class S>
void SolidConnections<S>::hold(const ConnectionGraph& anchors, const Fluid& fluid, std::span<const Real> coefficient,
                               Real dt, const Parallel& parallel, const Bodies& bodies, std::span<const Row> velocity,
                               HeldRows<Real>& held) const {
    assert(whole(fluid, velocity.size()) && promises::rows_within(velocity.size(), anchors.rows(), bodies.size()));
    assert(as_in_paper ? coefficient.size() == velocity.size() : fluid.stiffness.size() == velocity.size());
    assert(promises::within(materials.size(), fluid.material) && promises::positive(fluid.mass) && dt > 0);
    const Places places(anchors, bodies);
    const auto rest = anchors.values<Real>("rest_length");
    held.impulse.assign(velocity.size(), Row{});
    held.matrix.assign(velocity.size(), SymMat<Real>{});
    parallel.for_each(velocity.size(), [&](std::size_t i) {
        Vec impulse{};
        for_each_pull(anchors, places, rest, i, fluid, coefficient, dt, bodies, [&](const Pull& pull) {
            const Vec along = velocity[i].xyz() - cast<Real>(bodies[pull.body].velocity_at(cast<double>(pull.place)));
            impulse -= (pull.stiffness * (pull.stretch / dt + dot(along, pull.direction))) * pull.direction;
            held.matrix[i].add_square(pull.stiffness, pull.direction);
        });
        held.impulse[i] = impulse;
    });
}

template <class S>
void SolidConnections<S>::react(const ConnectionGraph& anchors, const Fluid& fluid, std::span<const Real> coefficient,
                                Real dt, const Parallel& parallel, std::span<const Row> velocity,
                                Bodies& bodies) const {
    assert(whole(fluid, velocity.size()) && anchors.particle_count() == velocity.size());
    assert(as_in_paper ? coefficient.size() == velocity.size() : fluid.stiffness.size() == velocity.size());
    assert(dt > 0);
    const Places places(anchors, bodies);
    const auto rest = anchors.values<Real>("rest_length");
    push_bodies(Rows::of(velocity.size()), static_cast<double>(dt), parallel, bodies,
                [&](std::size_t i, BodyLoads& loads) {
                    for_each_pull(anchors, places, rest, i, fluid, coefficient, dt, bodies, [&](const Pull& pull) {
                        const Vec along =
                            velocity[i].xyz() - cast<Real>(bodies[pull.body].velocity_at(cast<double>(pull.place)));
                        const Vec impulse =
                            (pull.stiffness * (pull.stretch / dt + dot(along, pull.direction))) * pull.direction;
                        loads.add(pull.body, bodies[pull.body], cast<double>(pull.place), cast<double>(impulse));
                    });
                });
}

template <class S>
void SolidConnections<S>::cure(ConnectionGraph& anchors, const Bodies& bodies, const Fluid& fluid,
                               const Parallel& parallel) const {
    assert(fluid.varying && whole(fluid, anchors.particle_count()));
    assert(promises::rows_within(anchors.particle_count(), anchors.rows(), bodies.size()));
    const Places places(anchors, bodies);
    const auto rest = anchors.values<Real>("rest_length");
    parallel.for_each(fluid.position.size(), [&](std::size_t i) {
        const Real before = fluid.varying->modulus_before[i], now = fluid.varying->shear_modulus[i];
        if (!(now > before)) return;
        for (std::size_t slot = anchors.begin(i); slot < anchors.begin(i) + anchors.count(i); ++slot) {
            rest[slot] += (1 - before / now) * (length(fluid.position[i].xyz() - places.at(slot)) - rest[slot]);
        }
    });
}

template <class S>
void SolidConnections<S>::relax(ConnectionGraph& anchors, const Bodies& bodies, const Fluid& fluid, Real dt,
                                const Parallel& parallel, std::span<Real> coefficient) const {
    assert(whole(fluid, anchors.particle_count()) && coefficient.size() == anchors.particle_count());
    assert(promises::rows_within(anchors.particle_count(), anchors.rows(), bodies.size()));
    assert(promises::within(materials.size(), fluid.material) && dt > 0);
    const Places places(anchors, bodies);
    const auto rest = anchors.values<Real>("rest_length");
    parallel.for_each(fluid.position.size(), [&](std::size_t i) {
        if (anchors.count(i) == 0) return;
        const Material& material = materials[fluid.material[i]];
        const Real rate = fluid.varying ? fluid.varying->relaxation_rate[i] : material.relaxation_rate;
        const Real share = reproducible::quick_one_minus_exp_minus(rate * dt);
        Real loss = 0;
        for (std::size_t slot = anchors.begin(i); slot < anchors.begin(i) + anchors.count(i); ++slot) {
            const Real stretch = length(fluid.position[i].xyz() - places.at(slot)) - rest[slot];
            if (as_in_paper) loss += stretch > material.yield_distance ? material.decay : Real(0);
            else rest[slot] += share * stretch;
        }
        if (coefficient[i] > material.lowest_coefficient) {
            coefficient[i] = std::max(coefficient[i] - dt * loss, material.lowest_coefficient);
        }
    });
}

template class SolidConnections<Space2f>;
template class SolidConnections<Space3f>;
template class SolidConnections<Space2d>;
template class SolidConnections<Space3d>;

}  // namespace treacle
