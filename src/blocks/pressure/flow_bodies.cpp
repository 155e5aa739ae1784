#include "blocks/pressure/flow_bodies.h"

#include <algorithm>
#include <cassert>

#include "core/promises.h"

namespace treacle {

namespace {

Vec3d three(std::span<const double> numbers, std::size_t first) {
    return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

void put(Vec3d v, std::span<double> numbers, std::size_t first) {
    numbers[first] = v.x, numbers[first + 1] = v.y, numbers[first + 2] = v.z;
}

}  // namespace

template <class S>
void FlowBodies<S>::predict(const BlockContext<S>& context) {
    assert(context.dt > 0);
    moving_.clear(), predicted_.clear();
    place_.assign(context.bodies.size(), still);
    for (std::uint32_t b = 0; b < context.bodies.size(); ++b) {
        Body& body = context.bodies[b];
        if (!body.dynamic()) continue;
        place_[b] = static_cast<std::uint32_t>(moving_.size());
        Moving moving{.body = b, .center = body.center_of_mass_in_space()};
        const Quaternion axes = body.pose.rotation * body.principal_axes;
        for (std::size_t k = 0; k < 3; ++k) moving.mass[k][k] = body.mass;
        for (int axis = 0; axis < 3; ++axis) {
            Vec3d e{};
            e[axis] = 1;
            e = rotate(axes, e);
            // In 2D nothing turns out of the plane; any inertia will do there.
            const double inertia = S::dim == 2 ? body.inertia.z : body.inertia[axis];
            for (int r = 0; r < 3; ++r) {
                for (int c = 0; c < 3; ++c) {
                    moving.mass[static_cast<std::size_t>(3 + r)][static_cast<std::size_t>(3 + c)] +=
                        inertia * e[r] * e[c];
                }
            }
        }
        const Vec3d arm = body.pose.position - moving.center;
        const Vec3d velocity =
            body.velocity_at(moving.center) + context.dt * context.gravity + body.speed_up(context.dt * body.force);
        const Vec3d spin = body.angular_velocity + body.spin_up(context.dt * (body.torque + cross(arm, body.force)));
        predicted_.resize(predicted_.size() + numbers);
        put(velocity, predicted_, predicted_.size() - numbers);
        put(spin, predicted_, predicted_.size() - 3);
        moving_.push_back(moving);
    }
    change_velocities(std::vector<double>(unknowns()), context.bodies);
}

template <class S>
void FlowBodies<S>::change_velocities(std::span<const double> change, Bodies& bodies) const {
    assert(change.size() == unknowns() && bodies.size() == place_.size());
    for (std::size_t n = 0; n < moving_.size(); ++n) {
        Body& body = bodies[moving_[n].body];
        const std::size_t at = numbers * n;
        body.angular_velocity = three(predicted_, at + 3) + three(change, at + 3);
        body.velocity = three(predicted_, at) + three(change, at) +
                        cross(body.angular_velocity, body.pose.position - moving_[n].center);
    }
}

template <class S>
void FlowBodies<S>::update(const FluidView<S>& fluid, const BlockContext<S>& context, const MpsGeometry<S>& geometry,
                           const FlowPairs<S>& pairs) {
    assert(promises::sized(geometry.size(), fluid.position) && context.bodies.size() == place_.size());
    position_ = fluid.position, walls_ = &geometry.walls(), pairs_ = &pairs;
    near_.assign(moving_.empty() ? 0 : fluid.size(), 0);
    if (moving_.empty()) return;
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        for (const Contact& wall : walls_->row(i))
            if (place_[wall.body] != still) near_[i] = 1;
    });
}

template <class S>
auto FlowBodies<S>::motion_at(std::size_t i, std::uint32_t place, std::span<const double> motions) const -> WallMotion {
    const std::size_t at = numbers * place;
    const Vec3d spin = three(motions, at + 3), arm = cast<double>(position_[i].xyz()) - moving_[place].center;
    return {cast<Real>(three(motions, at) + cross(spin, arm)), cast<Real>(spin)};
}

template <class S>
auto FlowBodies<S>::gradient(std::size_t i, std::span<const double> motions) const -> Mat3<Real> {
    assert(i < position_.size() && motions.size() == unknowns());
    Mat3<Real> sum{};
    for (const Contact& wall : walls_->row(i)) {
        const std::uint32_t place = place_[wall.body];
        if (place == still) continue;
        const WallMotion motion = motion_at(i, place, motions);
        sum = sum + pairs_->gradient_by(i, wall, motion.velocity, motion.spin);
    }
    return sum;
}

template <class S>
auto FlowBodies<S>::push(std::size_t i, std::span<const double> motions) const -> Vec {
    assert(i < position_.size() && motions.size() == unknowns());
    Vec sum{};
    for (const Contact& wall : walls_->row(i)) {
        const std::uint32_t place = place_[wall.body];
        if (place != still) sum += pairs_->drag_by(i, wall) * motion_at(i, place, motions).velocity;
    }
    return sum;
}

template <class S>
void FlowBodies<S>::add_gains(std::size_t i, Vec velocity, std::span<const double> motions, const Mat3<Real>& stress,
                              std::span<double> sums) const {
    for (const Contact& wall : walls_->row(i)) {
        const std::uint32_t place = place_[wall.body];
        if (place == still) continue;
        const std::size_t at = numbers * place;
        const Vec3d given =
            cast<double>(pairs_->on_wall(i, wall, velocity - motion_at(i, place, motions).velocity, stress));
        const Vec3d arm = cast<double>(position_[i].xyz()) - moving_[place].center;
        const Vec3d moment = cross(arm, given) + cast<double>(pairs_->moment_on(i, wall, stress));
        put(three(sums, at) + given, sums, at);
        put(three(sums, at + 3) + moment, sums, at + 3);
    }
}

template <class S>
void FlowBodies<S>::momenta(std::span<const double> motions, std::span<double> result) const {
    assert(motions.size() == unknowns() && result.size() == unknowns());
    for (std::size_t n = 0; n < moving_.size(); ++n) {
        for (std::size_t r = 0; r < numbers; ++r) {
            double sum = 0;
            for (std::size_t c = 0; c < numbers; ++c) sum += moving_[n].mass[r][c] * motions[numbers * n + c];
            result[numbers * n + r] = sum;
        }
    }
}

/// What drags and stresses of particle i answer to each of the six motions of a body, alone.
template <class S>
void FlowBodies<S>::add_to_diagonal(std::size_t i, Real resist, Real stiff, std::span<double> sums) const {
    for (std::uint32_t place = 0; place < moving_.size(); ++place) {
        std::array<Mat3<Real>, numbers> slope{};
        std::array<Vec, numbers> velocity;
        for (std::size_t a = 0; a < numbers; ++a) {
            Vec3d e{};
            e[static_cast<int>(a % 3)] = 1;
            const Vec3d arm = cast<double>(position_[i].xyz()) - moving_[place].center;
            velocity[a] = cast<Real>(a < 3 ? e : cross(e, arm));
            for (const Contact& wall : walls_->row(i)) {
                if (place_[wall.body] != place) continue;
                slope[a] = slope[a] + pairs_->gradient_by(i, wall, velocity[a], a < 3 ? Vec{} : cast<Real>(e));
            }
        }
        SymMat<Real> drag{};
        for (const Contact& wall : walls_->row(i))
            if (place_[wall.body] == place) drag = drag + pairs_->drag_by(i, wall);
        for (std::size_t a = 0; a < numbers; ++a) {
            for (std::size_t b = 0; b < numbers; ++b) {
                const Real strain = double_dot(symmetric_part(slope[a]), symmetric_part(slope[b]));
                const Real all = dot(velocity[a], drag * velocity[b]) + resist * (slope[a].trace() * slope[b].trace()) +
                                 2 * stiff * strain;
                sums[numbers * (numbers * place + a) + b] += static_cast<double>(all);
            }
        }
    }
}

template <class S>
void FlowBodies<S>::find_diagonal(std::span<const Real> resist, std::span<const Real> stiff, const Parallel& parallel) {
    assert(promises::sized(near_.size(), resist) || moving_.empty());
    if (moving_.empty()) return;
    const Numbers none{std::vector<double>(numbers * unknowns())};
    const Numbers total = parallel.fold(Rows::of(near_.size()), none, [&](Numbers& sums, std::size_t i) {
        if (near(i)) add_to_diagonal(i, resist[i], stiff.empty() ? Real(0) : stiff[i], sums.values);
    });
    for (std::size_t n = 0; n < moving_.size(); ++n) {
        Matrix& diagonal = moving_[n].diagonal;
        diagonal = moving_[n].mass;
        for (std::size_t a = 0; a < numbers; ++a) {
            for (std::size_t b = 0; b < numbers; ++b) {
                // In 2D the others are no motions.
                const bool flat = S::dim == 2 && ((a >= 2 && a < 5) || (b >= 2 && b < 5));
                if (!flat) diagonal[a][b] += total.values[numbers * (numbers * n + a) + b];
            }
        }
    }
}

/// Elimination without pivoting: the blocks are positive definite.
template <class S>
void FlowBodies<S>::precondition(std::span<const double> momenta, std::span<double> result) const {
    assert(momenta.size() == unknowns() && result.size() == unknowns());
    for (std::size_t n = 0; n < moving_.size(); ++n) {
        Matrix matrix = moving_[n].diagonal;
        Six x{};
        std::copy_n(momenta.begin() + static_cast<std::ptrdiff_t>(numbers * n), numbers, x.begin());
        for (std::size_t k = 0; k < numbers; ++k) {
            for (std::size_t r = k + 1; r < numbers; ++r) {
                const double factor = matrix[r][k] / matrix[k][k];
                for (std::size_t c = k; c < numbers; ++c) matrix[r][c] -= factor * matrix[k][c];
                x[r] -= factor * x[k];
            }
        }
        for (std::size_t k = numbers; k-- > 0;) {
            for (std::size_t c = k + 1; c < numbers; ++c) x[k] -= matrix[k][c] * x[c];
            x[k] /= matrix[k][k];
        }
        std::copy(x.begin(), x.end(), result.begin() + static_cast<std::ptrdiff_t>(numbers * n));
    }
}

template class FlowBodies<Space2d>;
template class FlowBodies<Space3d>;

}  // namespace treacle
