#include "blocks/solids/shared_velocity.h"

#include <cassert>
#include <cstddef>

namespace treacle {

SharedVelocity::SharedVelocity(const Body& body, int dimension, double dt) {
    assert(body.dynamic() && dt > 0);
    const Vec3d velocity = body.velocity_at(body.center_of_mass_in_space());
    const Quaternion axes = body.pose.rotation * body.principal_axes;
    for (std::size_t k = 0; k < 3; ++k) matrix_[k][k] = body.mass;
    for (int axis = 0; axis < 3; ++axis) {
        Vec3d e{};
        e[axis] = 1;
        e = rotate(axes, e);
        // In 2D nothing turns out of the plane; any inertia will do there.
        const double inertia = dimension == 2 && axis < 2 ? body.inertia.z : body.inertia[axis];
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) {
                matrix_[static_cast<std::size_t>(3 + r)][static_cast<std::size_t>(3 + c)] += inertia * e[r] * e[c];
            }
        }
    }
    for (std::size_t k = 0; k < 3; ++k) {
        right_[k] = body.mass * velocity[static_cast<int>(k)];
        for (std::size_t c = 0; c < 3; ++c) {
            right_[3 + k] += matrix_[3 + k][3 + c] * body.angular_velocity[static_cast<int>(c)];
        }
    }
    const Vec3d arm = body.pose.position - body.center_of_mass_in_space();
    const Vec3d torque = body.torque + cross(arm, body.force);
    for (int k = 0; k < 3; ++k) {
        right_[static_cast<std::size_t>(k)] += dt * body.force[k];
        right_[static_cast<std::size_t>(3 + k)] += dt * torque[k];
    }
}

SharedVelocity& SharedVelocity::operator+=(const SharedVelocity& other) {
    for (std::size_t r = 0; r < 6; ++r) {
        right_[r] += other.right_[r];
        for (std::size_t c = 0; c < 6; ++c) matrix_[r][c] += other.matrix_[r][c];
    }
    return *this;
}

void SharedVelocity::join(Vec3d r, Vec3d direction, double weight, Vec3d v) {
    const Vec3d turn = cross(r, direction);
    const Six row{direction.x, direction.y, direction.z, turn.x, turn.y, turn.z};
    const double along = dot(direction, v);
    for (std::size_t a = 0; a < 6; ++a) {
        right_[a] += weight * along * row[a];
        for (std::size_t b = 0; b < 6; ++b) matrix_[a][b] += weight * row[a] * row[b];
    }
}

/// Elimination without pivoting: the matrix is positive definite.
auto SharedVelocity::solved() const -> Six {
    auto matrix = matrix_;
    Six right = right_;
    for (std::size_t k = 0; k < 6; ++k) {
        for (std::size_t r = k + 1; r < 6; ++r) {
            const double factor = matrix[r][k] / matrix[k][k];
            for (std::size_t c = k; c < 6; ++c) matrix[r][c] -= factor * matrix[k][c];
            right[r] -= factor * right[k];
        }
    }
    Six x{};
    for (std::size_t k = 6; k-- > 0;) {
        x[k] = right[k];
        for (std::size_t c = k + 1; c < 6; ++c) x[k] -= matrix[k][c] * x[c];
        x[k] /= matrix[k][k];
    }
    return x;
}

void SharedVelocity::give_to(Body& body) const {
    assert(body.dynamic());
    const Six common = solved();
    const Vec3d arm = body.pose.position - body.center_of_mass_in_space();
    body.angular_velocity = {common[3], common[4], common[5]};
    body.velocity = Vec3d{common[0], common[1], common[2]} + cross(body.angular_velocity, arm);
}

}  // namespace treacle
