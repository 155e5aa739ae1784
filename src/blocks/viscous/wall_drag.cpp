#include "blocks/viscous/wall_drag.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/promises.h"
#include "math/reproducible.h"

namespace treacle {

namespace {

Vec3d three(std::span<const double> numbers, std::size_t first) {
    return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

void put(Vec3d v, std::span<double> numbers, std::size_t first) {
    numbers[first] = v.x, numbers[first + 1] = v.y, numbers[first + 2] = v.z;
}

/// Sums that are made side by side.
struct Numbers {
    std::vector<double> values;

    Numbers& operator+=(const Numbers& other) {
        for (std::size_t n = 0; n < values.size(); ++n) values[n] += other.values[n];
        return *this;
    }
};

}  // namespace

template <class S>
auto WallDrag<S>::inertia_of(const Body& body) -> Inertia {
    Inertia inertia;
    inertia.moves = body.dynamic();
    inertia.center = body.dynamic() ? body.center_of_mass_in_space() : body.pose.position;
    inertia.mass = body.mass;
    const Quaternion turn = body.pose.rotation * body.principal_axes;
    for (int axis = 0; axis < 3; ++axis) {
        Vec3d e{};
        e[axis] = 1;
        inertia.axes[static_cast<std::size_t>(axis)] = rotate(turn, e);
        // In 2D nothing turns out of the plane; any inertia will do there.
        inertia.moments[axis] = S::dim == 2 ? body.inertia.z : body.inertia[axis];
    }
    return inertia;
}

/// Of particles with this volume.
template <class S>
double WallDrag<S>::spacing_of(Real volume) {
    const double cell = static_cast<double>(volume);
    return S::dim == 2 ? std::sqrt(cell) : reproducible::exp(reproducible::log(cell) / 3);
}

template <class S>
auto WallDrag<S>::drag_of(Real volume, Real strength, const Contact& contact) -> SymMat<Real> {
    const Real spacing = static_cast<Real>(spacing_of(volume)), away = length(contact.from_surface);
    const Real first = std::clamp(5 - 4 * away / spacing, Real(0), Real(1));
    const Real along = strength * first * volume / (spacing * away);
    SymMat<Real> drag = along * SymMat<Real>::identity();
    drag.add_square(2 * along / (away * away), contact.from_surface);
    return drag;
}

template <class S>
void WallDrag<S>::begin(const FluidView<S>& fluid, const Bodies& bodies) {
    inertia_.clear();
    for (const Body& body : bodies) inertia_.push_back(inertia_of(body));
    any_moves_ = std::any_of(inertia_.begin(), inertia_.end(), [](const Inertia& inertia) { return inertia.moves; });
    row_end_.resize(fluid.size());
    block_entries_.resize((fluid.size() + block_size - 1) / block_size);
}

template <class S>
void WallDrag<S>::update(const FluidView<S>& fluid, const BlockContext<S>& context, const WallRows<S>& walls,
                         const HalfSpaceDrag& drag, std::span<const Real> viscosity, std::span<const Real> grip) {
    assert(promises::sized(fluid.size(), walls, fluid.volume, viscosity));
    assert(promises::sized_or_empty(fluid.size(), grip) && walls.of_bodies(context.bodies.size()));
    assert(promises::positive(fluid.volume) && context.dt > 0);
    begin(fluid, context.bodies);
    const Real seconds = static_cast<Real>(context.dt);
    // What the particles hold of linear shear: C of half_space_drag.h.
    const auto held = [&](std::size_t i, const Wall& wall) {
        const auto share = [&](std::size_t j, double distance) {
            return static_cast<double>(fluid.volume[j]) * drag(distance) * std::max(distance, 0.0);
        };
        double area = drag.patch_area();
        for (const Wall& other : walls.row(i))
            if (dot(other.normal, wall.normal) < 0.5) area *= drag.free_share(other.distance);
        double sum = share(i, wall.distance);
        for (const std::uint32_t j : context.neighbors.row(i)) {
            const Vec3d r = cast<double>(fluid.position[j].xyz() - fluid.position[i].xyz());
            for (const Wall& other : walls.row(j)) {
                if (other.body != wall.body || dot(other.normal, wall.normal) < 0.5) continue;
                const Vec3d along = r - other.distance * other.normal + wall.distance * wall.normal;
                sum += drag.weight(dot(along, along)) * share(j, other.distance);
            }
        }
        return sum / area;
    };
    context.parallel.for_blocks(fluid.size(), block_size, [&](std::size_t first, std::size_t last, std::size_t block) {
        auto& contacts = block_entries_[block];
        contacts.clear();
        for (std::size_t i = first; i < last; ++i) {
            for (const Wall& wall : walls.row(i)) {
                const Body& body = context.bodies[wall.body];
                if (body.friction == 0) continue;
                Real strength = seconds * viscosity[i] * fluid.volume[i] * static_cast<Real>(drag(wall.distance));
                // At the edge of a drop half of the patch is bare; single particles are not to be held any stronger.
                strength /= static_cast<Real>(std::max(0.5, held(i, wall)));
                if (!std::isinf(body.friction) && !grip.empty()) strength *= grip[i];
                SymMat<Real> along = strength * SymMat<Real>::identity();
                along.add_square(-strength, cast<Real>(wall.normal));
                contacts.push_back({wall.body, cast<Real>(wall.distance * wall.normal), along});
            }
            row_end_[i] = static_cast<std::uint32_t>(contacts.size());
        }
    });
}

template <class S>
void WallDrag<S>::update(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> viscosity,
                         std::span<const Real> grip) {
    assert(context.boundary && context.boundary->fluid_size() == fluid.size());
    assert(promises::sized(fluid.size(), fluid.volume, viscosity) && promises::sized_or_empty(fluid.size(), grip));
    assert(promises::within(context.bodies.size(), context.boundary->body()));
    assert(promises::finite(fluid.position) && promises::positive(fluid.volume) && context.dt > 0);
    const BoundaryParticles<S>& boundary = *context.boundary;
    const Bodies& bodies = context.bodies;
    begin(fluid, bodies);
    const Real seconds = static_cast<Real>(context.dt);
    context.parallel.for_blocks(fluid.size(), block_size, [&](std::size_t first, std::size_t last, std::size_t block) {
        auto& contacts = block_entries_[block];
        contacts.clear();
        for (std::size_t i = first; i < last; ++i) {
            const std::size_t begin = contacts.size();
            for (const std::uint32_t k : boundary.row(i)) {
                const std::uint32_t b = boundary.body()[k];
                // Samples come body by body.
                if (bodies[b].friction == 0 || (contacts.size() > begin && contacts.back().body == b)) continue;
                const SurfacePoint surface = bodies[b].surface_at(cast<double>(fluid.position[i].xyz()));
                const double away = std::max(surface.distance, 0.25 * spacing_of(fluid.volume[i]));
                contacts.push_back({b, cast<Real>(away * surface.normal), {}});
            }
            for (std::size_t n = begin; n < contacts.size(); ++n) {
                Contact& contact = contacts[n];
                const bool limited = !grip.empty() && !std::isinf(bodies[contact.body].friction);
                const Real strength = seconds * viscosity[i] * (limited ? grip[i] : Real(1));
                contact.drag = drag_of(fluid.volume[i], strength, contact);
            }
            row_end_[i] = static_cast<std::uint32_t>(contacts.size());
        }
    });
}

template <class S>
void WallDrag<S>::limit(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const double> motions,
                        const WallGrip<S>& walls) const {
    assert(promises::sized(row_end_.size(), fluid.position, fluid.velocity, fluid.mass, walls.pressed, walls.share));
    assert(promises::within(walls.flows.size(), fluid.material) && context.dt > 0);
    constexpr Real least = Real(1e-6);  // so that what was held can be told from what is held
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        Real& share = walls.share[i];
        Real held = 0, allowed = 0;  // momenta
        for (const Contact& contact : row(i)) {
            const Body& body = context.bodies[contact.body];
            if (std::isinf(body.friction)) continue;
            held += length(loss(contact, fluid.position[i].xyz(), fluid.velocity[i].xyz(), motions));
            const Real load = fluid.mass[i] * std::max(walls.pressed[i], Real(0)) * static_cast<Real>(context.dt);
            allowed = std::max(allowed, static_cast<Real>(body.friction) * load);
        }
        if (walls.flows[fluid.material[i]] == 0) share = 0;
        else if (held > 0) share = std::clamp(allowed * (std::max(share, least) / held), least, Real(1));
        else share = 1;
    });
}

template <class S>
std::vector<double> WallDrag<S>::motions(const BlockContext<S>& context) const {
    assert(context.bodies.size() == inertia_.size());
    const Bodies& bodies = context.bodies;
    const double dt = context.dt;
    std::vector<double> given(numbers * bodies.size()), result(numbers * bodies.size());
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const Body& body = bodies[b];
        const Vec3d arm = body.pose.position - inertia_[b].center;
        put(dt * (body.force + body.mass * context.gravity), given, numbers * b);
        put(dt * (body.torque + cross(arm, body.force)), given, numbers * b + 3);
    }
    motions_for(given, result);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        put(three(result, numbers * b) + bodies[b].velocity_at(inertia_[b].center), result, numbers * b);
        put(three(result, numbers * b + 3) + bodies[b].angular_velocity, result, numbers * b + 3);
    }
    return result;
}

template <class S>
auto WallDrag<S>::relative_velocity(const Contact& contact, Vec x, Vec v, std::span<const double> motions) const
    -> Vec {
    const std::size_t first = numbers * contact.body;
    const Vec3d arm = cast<double>(x) - inertia_[contact.body].center;
    return v - cast<Real>(three(motions, first) + cross(three(motions, first + 3), arm));
}

template <class S>
auto WallDrag<S>::loss(const Contact& contact, Vec x, Vec v, std::span<const double> motions) const -> Vec {
    return contact.drag * relative_velocity(contact, x, v, motions);
}

template <class S>
void WallDrag<S>::gains(std::span<const Row> position, std::span<const Row> velocity, std::span<const double> motions,
                        bool all_bodies, const Parallel& parallel, std::span<double> result) const {
    assert(promises::sized(row_end_.size(), position, velocity));
    assert(promises::sized(numbers * inertia_.size(), motions, result));
    std::fill(result.begin(), result.end(), 0.0);
    if (!all_bodies && !any_moves_) return;
    const Numbers none{std::vector<double>(result.size())};
    const Numbers total = parallel.fold(Rows::of(position.size()), none, [&](Numbers& sums, std::size_t i) {
        for (const Contact& contact : row(i)) {
            if (!all_bodies && !inertia_[contact.body].moves) continue;
            const std::size_t at = numbers * contact.body;
            const Vec3d impulse = cast<double>(loss(contact, position[i].xyz(), velocity[i].xyz(), motions));
            const Vec3d arm = cast<double>(position[i].xyz()) - inertia_[contact.body].center;
            put(three(sums.values, at) + impulse, sums.values, at);
            put(three(sums.values, at + 3) + cross(arm, impulse), sums.values, at + 3);
        }
    });
    std::copy(total.values.begin(), total.values.end(), result.begin());
}

template <class S>
void WallDrag<S>::momenta(std::span<const double> motions, std::span<double> result) const {
    assert(promises::sized(numbers * inertia_.size(), motions, result));
    for (std::size_t b = 0; b < inertia_.size(); ++b) {
        const Inertia& body = inertia_[b];
        Vec3d linear{}, angular{};
        if (body.moves) {
            linear = body.mass * three(motions, numbers * b);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const Vec3d e = body.axes[axis];
                angular += (body.moments[static_cast<int>(axis)] * dot(e, three(motions, numbers * b + 3))) * e;
            }
        }
        put(linear, result, numbers * b);
        put(angular, result, numbers * b + 3);
    }
}

template <class S>
void WallDrag<S>::motions_for(std::span<const double> momenta, std::span<double> result) const {
    assert(promises::sized(numbers * inertia_.size(), momenta, result));
    for (std::size_t b = 0; b < inertia_.size(); ++b) {
        const Inertia& body = inertia_[b];
        Vec3d velocity{}, turn{};
        if (body.moves) {
            velocity = three(momenta, numbers * b) / body.mass;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const Vec3d e = body.axes[axis];
                turn += (dot(e, three(momenta, numbers * b + 3)) / body.moments[static_cast<int>(axis)]) * e;
            }
        }
        put(velocity, result, numbers * b);
        put(turn, result, numbers * b + 3);
    }
}

template <class S>
void WallDrag<S>::give_to(Bodies& bodies, std::span<const double> momenta, double dt) const {
    assert(bodies.size() == inertia_.size() && momenta.size() == numbers * bodies.size() && dt > 0);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const Vec3d force = three(momenta, numbers * b) / dt;
        bodies[b].force += force;
        const Vec3d arm = inertia_[b].center - bodies[b].pose.position;
        bodies[b].torque += three(momenta, numbers * b + 3) / dt + cross(arm, force);
    }
}

template class WallDrag<Space2f>;
template class WallDrag<Space3f>;
template class WallDrag<Space2d>;
template class WallDrag<Space3d>;

}  // namespace treacle
