#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/discretization/mps_geometry.h"
#include "blocks/fluid_view.h"
#include "blocks/pressure/flow_pairs.h"
#include "math/mat3.h"
#include "math/space.h"

namespace treacle {

/// Bodies that forces move, as unknowns of the coupled flow beside the velocities of the fluid: fluid and body find the
/// velocities at the end of the step together, however light the body is and however thick the fluid.
///
///   M_b (V_b - V_b*) = Σ over the particles at its walls of the momentum that the walls get     (flow_pairs.h)
///   V* = V + dt (g + F/m)    the velocity at the end of the step without the flow
///
/// A body has six unknowns: the velocity of its center of mass, then its spin. The wall of a body has the velocity
/// V + Ω × (x - c) at a particle, which stands in gradients and drags; what the body gets is the adjoint of that, so
/// that the system of fluid and bodies is symmetric positive definite.
///
/// Reads poses, velocities, masses and forces so far of the bodies, and gravity. Changes velocities of bodies: callers
/// give them back (VelocitiesKept), because the forces of the step count from these.
template <class S>
class FlowBodies {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    static constexpr std::size_t numbers = 6;  ///< of a body's motion

    /// Finds the bodies that move and gives them the velocities V*.
    void predict(const BlockContext<S>& context);
    /// For the functions below; both have to stay.
    void update(const FluidView<S>& fluid, const BlockContext<S>& context, const MpsGeometry<S>& geometry,
                const FlowPairs<S>& pairs);

    std::size_t unknowns() const { return numbers * moving_.size(); }
    /// V*, six numbers for each body that moves.
    std::span<const double> predicted() const { return predicted_; }
    /// Bodies get V* and this change of it.
    void change_velocities(std::span<const double> change, Bodies& bodies) const;

    /// Whether a body that moves is near particle i.
    bool near(std::size_t i) const { return near_[i] != 0; }
    /// Their motion's part of the gradient, and the momentum that it drags along in the step.
    Mat3<Real> gradient(std::size_t i, std::span<const double> motions) const;
    Vec push(std::size_t i, std::span<const double> motions) const;

    /// Momentum and angular momentum that bodies get from fluid with these velocities, where particle i has the stress
    /// stress(i), times volume and dt.
    template <class Stress>
    void gains(std::span<const Row> velocity, std::span<const double> motions, const Stress& stress,
               const Parallel& parallel, std::span<double> result) const {
        assert(moving_.empty() || (near_.size() == velocity.size() && result.size() == motions.size()));
        if (moving_.empty()) return;
        const Numbers none{std::vector<double>(result.size())};
        const Numbers total = parallel.fold(Rows::of(velocity.size()), none, [&](Numbers& sums, std::size_t i) {
            if (near(i)) add_gains(i, velocity[i].xyz(), motions, stress(i), sums.values);
        });
        std::copy(total.values.begin(), total.values.end(), result.begin());
    }

    /// Momenta of motions.
    void momenta(std::span<const double> motions, std::span<double> result) const;

    /// The blocks that bodies have on the diagonal of the system, for a fluid with these resistances to changes of
    /// volume and elastic stiffnesses (empty: none) of its particles, times volume and dt.
    void find_diagonal(std::span<const Real> resist, std::span<const Real> stiff, const Parallel& parallel);
    /// The motions that momenta give with these blocks alone.
    void precondition(std::span<const double> momenta, std::span<double> result) const;

private:
    using Six = std::array<double, numbers>;
    using Matrix = std::array<Six, numbers>;
    using Contact = typename MpsWalls<S>::Contact;

    struct Moving {
        std::uint32_t body = 0;
        Vec3d center{};
        Matrix mass{};
        Matrix diagonal{};  ///< of the system
    };
    /// Sums that are made side by side.
    struct Numbers {
        std::vector<double> values;
        Numbers& operator+=(const Numbers& other) {
            for (std::size_t n = 0; n < values.size(); ++n) values[n] += other.values[n];
            return *this;
        }
    };
    struct WallMotion {
        Vec velocity, spin;
    };

    static constexpr std::uint32_t still = 0xffffffff;

    WallMotion motion_at(std::size_t i, std::uint32_t place, std::span<const double> motions) const;
    void add_gains(std::size_t i, Vec velocity, std::span<const double> motions, const Mat3<Real>& stress,
                   std::span<double> sums) const;
    void add_to_diagonal(std::size_t i, Real resist, Real stiff, std::span<double> sums) const;

    std::vector<Moving> moving_;
    std::vector<std::uint32_t> place_;  ///< of a body among those that move
    std::vector<double> predicted_;
    std::vector<std::uint8_t> near_;
    std::span<const Row> position_;
    const MpsWalls<S>* walls_ = nullptr;
    const FlowPairs<S>* pairs_ = nullptr;
};

}  // namespace treacle
