#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/solids/boundary_particles.h"
#include "blocks/solids/walls.h"
#include "core/parallel.h"
#include "kernels/half_space_drag.h"
#include "math/space.h"
#include "math/sym_mat.h"
#include "state/bodies.h"

namespace treacle {

/// What friction lets walls hold of a fluid, a row per particle. Empty: all that viscosity gives.
template <class S>
struct WallGrip {
    std::span<const typename S::Real> pressed{};  ///< m/s², the acceleration by which walls press
    std::span<typename S::Real> share{};          ///< that walls hold of what viscosity would give, at most 1
    std::span<const std::uint8_t> flows{};        ///< by material, 1: held by viscosity; 0: rubbed in contact
};

/// The viscous drag between fluid and solids within a step, in the form a solver needs: linear in the velocities of
/// both:
///
///   A_ib = dt η_i V_i c(y) / (s y) (1 + 2 n nᵀ),     y n from the surface of body b to particle i, V_i = sᵈ
///   c = 1 for y up to s, 0 from 5/4 s on, and linear in between
///   impulse on i = -A_ib (v_i - v_b(x_i)),   v_b(x) = U_b + Ω_b × (x - c_b);   the opposite, at x_i, on b
///
/// A body's motion is six numbers: U_b (of its center of mass; of a scripted one, of its position), then Ω_b. Conserves
/// linear and angular momentum of fluid and bodies. Gather only; reactions are summed by block.
///
/// A particle beside a wall stands for the area V/s of the fluid's first layer and feels the stress η v/y of fluid that
/// is at rest at the drawn surface; along n three times as much, as pairs do (viscous_pair.h). Walls keep particles s/4
/// away, so of layers a spacing apart c counts the first and no other, at whatever height they are, and the wall pulls
/// with η dv/dy (docs/decisions/wall-traction.md). This is what `"no_slip"` means. y is at least s/4. With a
/// coefficient of friction μ the wall holds no more than μ times the load it bears:
///
///   |A_ib (v_i - v_b)| <= μ m_i p_i dt,   p_i the acceleration by which walls press i (`pressed`, wall_load.h)
///
/// Where that binds, the factor g_i (`grip`, at most 1) multiplies A_ib. It is found from the last step: a wall that
/// slips does so for many of them. A liquid at rest is not held at all, however strongly it presses; μ = 0 lets slip.
template <class S>
class WallDrag {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    static constexpr std::size_t numbers = 6;  ///< of a body's motion

    /// `viscosity` is per particle, Pa·s, and so is `grip`; without any, walls hold all they can.
    void update(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> viscosity,
                std::span<const Real> grip);

    /// The same for walls without samples, as half spaces of fluid that moves with them. They drag along the wall only.
    void update(const FluidView<S>& fluid, const BlockContext<S>& context, const WallRows<S>& walls,
                const HalfSpaceDrag& drag, std::span<const Real> viscosity, std::span<const Real> grip);

    /// visit(place as seen from the surface, velocity relative to the body, its angular velocity, A_ib) for the bodies
    /// that drag particle i.
    template <class Visit>
    void for_each_contact(std::size_t i, Vec x, Vec v, std::span<const double> motions, const Visit& visit) const {
        for (const Contact& contact : row(i))
            visit(contact.from_surface, relative_velocity(contact, x, v, motions), turn_of(contact, motions),
                  contact.drag);
    }

    /// The grip of the next step, from what walls held at these velocities. Materials that do not flow have none: these
    /// are rubbed (wall_contact.h) and not held by viscosity, but for walls without slip.
    void limit(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const double> motions,
               const WallGrip<S>& walls) const;

    bool any_moves() const { return any_moves_; }

    /// Motions at the end of the step if the fluid's viscosity did nothing: force and torque so far have their
    /// effect, and so has gravity.
    std::vector<double> motions(const BlockContext<S>& context) const;

    /// Momentum that particle i at x loses to solids, when it has velocity v and they have these motions.
    Vec loss(std::size_t i, Vec x, Vec v, std::span<const double> motions) const {
        Vec sum{};
        for (const Contact& contact : row(i)) sum += loss(contact, x, v, motions);
        return sum;
    }

    /// Momentum and angular momentum that bodies get at these velocities, six numbers each; zero for scripted ones
    /// if only those that move are wanted.
    void gains(std::span<const Row> position, std::span<const Row> velocity, std::span<const double> motions,
               bool all_bodies, const Parallel& parallel, std::span<double> result) const;

    /// Momenta of motions, and the motions for momenta; scripted bodies get zero in both.
    void momenta(std::span<const double> motions, std::span<double> result) const;
    void motions_for(std::span<const double> momenta, std::span<double> result) const;

    /// Adds the force and torque that give these momenta within dt.
    void give_to(Bodies& bodies, std::span<const double> momenta, double dt) const;

private:
    struct Contact {
        std::uint32_t body;
        Vec from_surface;   ///< m, to the particle; at least s/4 long
        SymMat<Real> drag;  ///< A_ib, kg
    };
    struct Inertia {
        bool moves = false;
        Vec3d center{};
        double mass = 0;
        std::array<Vec3d, 3> axes{};
        Vec3d moments{};  ///< kg m², about these
    };
    static constexpr std::size_t block_size = Parallel::small_block;

    static Inertia inertia_of(const Body& body);
    void begin(const FluidView<S>& fluid, const Bodies& bodies);
    static double spacing_of(Real volume);
    static SymMat<Real> drag_of(Real volume, Real strength, const Contact& contact);
    static Vec turn_of(const Contact& contact, std::span<const double> motions) {
        const std::size_t at = numbers * contact.body + 3;
        return cast<Real>(Vec3d{motions[at], motions[at + 1], motions[at + 2]});
    }
    Vec relative_velocity(const Contact& contact, Vec x, Vec v, std::span<const double> motions) const;
    Vec loss(const Contact& contact, Vec x, Vec v, std::span<const double> motions) const;
    std::span<const Contact> row(std::size_t i) const {
        const std::size_t begin = i % block_size == 0 ? 0 : row_end_[i - 1];
        return {block_entries_[i / block_size].data() + begin, row_end_[i] - begin};
    }

    std::vector<Inertia> inertia_;
    bool any_moves_ = false;
    std::vector<std::uint32_t> row_end_;  ///< per fluid particle, in the entries of its block
    std::vector<std::vector<Contact>> block_entries_;
};

}  // namespace treacle
