#include "blocks/solids/body_contacts.h"

#include <algorithm>
#include <cassert>

#include "core/promises.h"
#include "kernels/mueller2003.h"

namespace treacle {

template <class S>
template <class Kernel>
void BodyContacts<S>::update(const BoundaryParticles<S>& boundary, const Kernel& kernel, Real volume_scale,
                             const Bodies& bodies, std::span<const Row> position, const Parallel& parallel) {
    assert(boundary.size() == 0 || boundary.fluid_size() == position.size());
    assert(promises::within(bodies.size(), boundary.body()));
    bodies_ = bodies.size();
    any_dynamic_ = std::any_of(bodies.begin(), bodies.end(), [](const Body& body) { return body.dynamic(); });
    if (boundary.size() == 0) return blocks_.clear();
    std::vector<Vec> centers;
    for (const Body& body : bodies) centers.push_back(cast<Real>(body.center_of_mass_in_space()));
    blocks_.resize(Parallel::block_count(position.size()));
    parallel.for_blocks(position.size(), [&](std::size_t first, std::size_t last, std::size_t block) {
        auto& contacts = blocks_[block];
        contacts.clear();
        for (std::size_t i = first; i < last; ++i) {
            if (boundary.row(i).empty()) continue;
            const std::size_t begin = contacts.size();
            boundary.for_each_pair(i, position[i].xyz(), [&](const BoundaryPair<S>& pair) {
                const std::uint32_t body = boundary.body()[pair.k];
                // A row lists its samples body by body.
                if (contacts.size() == begin || contacts.back().body != body) {
                    contacts.push_back({static_cast<std::uint32_t>(i), body, {}, {}});
                }
                const Real slope = pair.distance > 0 ? kernel.slope(pair.q) / pair.distance : Real(0);
                const Vec gradient = (volume_scale * boundary.volume()[pair.k]) * (slope * pair.offset);
                contacts.back().push += gradient;
                contacts.back().turn += cross(boundary.position()[pair.k].xyz() - centers[body], gradient);
            });
        }
    });
}

template <class S>
auto BodyContacts<S>::impulses(std::span<const Real> p, std::span<const Real> volume, const Parallel& parallel) const
    -> std::vector<Motion> {
    assert(p.size() == volume.size() && of_particles(p.size()));
    return sums<Motion>(parallel, [&](const Contact& c) -> Motion {
        const double weight = static_cast<double>(volume[c.particle]) * static_cast<double>(p[c.particle]);
        return {weight * cast<double>(c.push), weight * cast<double>(c.turn)};
    });
}

template <class S>
void BodyContacts<S>::press(std::span<const Real> p, std::span<const Real> volume, double dt, const Parallel& parallel,
                            Bodies& bodies) const {
    assert(p.size() == volume.size() && bodies.size() == bodies_ && dt > 0);
    const auto given = impulses(p, volume, parallel);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const Vec3d force = given[b].linear / (dt * dt);
        const Vec3d lever = bodies[b].center_of_mass_in_space() - bodies[b].pose.position;
        bodies[b].force += force;
        bodies[b].torque += given[b].angular / (dt * dt) + cross(lever, force);
    }
}

template <class S>
auto BodyContacts<S>::motions_to_come(const Bodies& bodies, Vec3d gravity, double dt) -> std::vector<Motion> {
    assert(dt > 0);
    std::vector<Motion> motions;
    for (const Body& body : bodies) {
        motions.push_back({body.velocity_of_center(), body.angular_velocity});
        if (!body.dynamic()) continue;
        const Vec3d lever = body.center_of_mass_in_space() - body.pose.position;
        motions.back().linear += dt * gravity + body.speed_up(dt * body.force);
        motions.back().angular += body.spin_up(dt * (body.torque - cross(lever, body.force)));
    }
    return motions;
}

template <class S>
void BodyContacts<S>::add_yielding(std::span<const Motion> motions, const Parallel& parallel,
                                   std::span<Real> yielding) const {
    assert(motions.size() == bodies_ && of_particles(yielding.size()));
    for_each(parallel, [&](const Contact& c) {
        const Motion& motion = motions[c.body];
        yielding[c.particle] +=
            static_cast<Real>(dot(motion.linear, cast<double>(c.push)) + dot(motion.angular, cast<double>(c.turn)));
    });
}

template class BodyContacts<Space2f>;
template class BodyContacts<Space3f>;
template class BodyContacts<Space2d>;
template class BodyContacts<Space3d>;

template void BodyContacts<Space2f>::update(const BoundaryParticles<Space2f>&, const CubicSpline<Space2f>&,
                                            Space2f::Real, const Bodies&, std::span<const Space2f::Row>,
                                            const Parallel&);
template void BodyContacts<Space2f>::update(const BoundaryParticles<Space2f>&, const Mueller2003<Space2f>&,
                                            Space2f::Real, const Bodies&, std::span<const Space2f::Row>,
                                            const Parallel&);
template void BodyContacts<Space3f>::update(const BoundaryParticles<Space3f>&, const CubicSpline<Space3f>&,
                                            Space3f::Real, const Bodies&, std::span<const Space3f::Row>,
                                            const Parallel&);
template void BodyContacts<Space3f>::update(const BoundaryParticles<Space3f>&, const Mueller2003<Space3f>&,
                                            Space3f::Real, const Bodies&, std::span<const Space3f::Row>,
                                            const Parallel&);
template void BodyContacts<Space2d>::update(const BoundaryParticles<Space2d>&, const CubicSpline<Space2d>&,
                                            Space2d::Real, const Bodies&, std::span<const Space2d::Row>,
                                            const Parallel&);
template void BodyContacts<Space2d>::update(const BoundaryParticles<Space2d>&, const Mueller2003<Space2d>&,
                                            Space2d::Real, const Bodies&, std::span<const Space2d::Row>,
                                            const Parallel&);
template void BodyContacts<Space3d>::update(const BoundaryParticles<Space3d>&, const CubicSpline<Space3d>&,
                                            Space3d::Real, const Bodies&, std::span<const Space3d::Row>,
                                            const Parallel&);
template void BodyContacts<Space3d>::update(const BoundaryParticles<Space3d>&, const Mueller2003<Space3d>&,
                                            Space3d::Real, const Bodies&, std::span<const Space3d::Row>,
                                            const Parallel&);

}  // namespace treacle
