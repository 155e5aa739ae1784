#pragma once

#include <array>
#include <utility>
#include <vector>

#include "math/vec.h"
#include "state/bodies.h"

namespace treacle {

/// The velocity that a body which forces can move will have after this step's contacts, so that particles are brought
/// to a velocity that the body can have. Were it taken for immovable, a light one would get many times the momentum
/// that stops it and bounce to and fro. The common velocity V of the body and what touches it solves
///
///   (M + Σ m_i Gᵀ(n nᵀ + s (1 - n nᵀ))G) V = M V_old + Σ m_i Gᵀ(n nᵀ + s (1 - n nᵀ)) v_i + forces so far
///
/// over the particles that approach (n nᵀ) or rub (s is the share of slip they lose), G V being the velocity at i: a
/// symmetric system of six numbers, linear and angular velocity about the center of mass.
class SharedVelocity {
public:
    SharedVelocity() = default;

    /// The body by itself, with the force and torque that it has met so far.
    SharedVelocity(const Body& body, int dimension, double dt);

    /// Sums of two.
    SharedVelocity& operator+=(const SharedVelocity& other);

    /// A particle at r from the center of mass with velocity v takes on the body's along `direction`; the weight is the
    /// mass of which it does.
    void join(Vec3d r, Vec3d direction, double weight, Vec3d v);

    /// The body gets V.
    void give_to(Body& body) const;

private:
    using Six = std::array<double, 6>;

    Six solved() const;

    std::array<Six, 6> matrix_{};
    Six right_{};
};

/// Gives the bodies the velocities back that they had, when it ends: the forces of the step count from these.
class VelocitiesKept {
public:
    explicit VelocitiesKept(Bodies& bodies) : bodies_(bodies) {
        for (const Body& body : bodies) velocities_.emplace_back(body.velocity, body.angular_velocity);
    }
    ~VelocitiesKept() {
        for (std::size_t b = 0; b < bodies_.size(); ++b) {
            bodies_[b].velocity = velocities_[b].first;
            bodies_[b].angular_velocity = velocities_[b].second;
        }
    }
    VelocitiesKept(const VelocitiesKept&) = delete;
    VelocitiesKept& operator=(const VelocitiesKept&) = delete;

private:
    Bodies& bodies_;
    std::vector<std::pair<Vec3d, Vec3d>> velocities_;  ///< linear and angular
};

}  // namespace treacle
