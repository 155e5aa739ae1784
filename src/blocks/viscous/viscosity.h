#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/viscous/implicit_viscosity.h"
#include "blocks/viscous/viscous_strength.h"
#include "blocks/viscous/wall_drag.h"
#include "laws/schemes.h"
#include "math/space.h"

namespace treacle {

/// Viscosity within the fluid and its drag at solids, by the scheme that a method chooses:
///
///   implicit_steps   at the velocities of the end of the step, stable for any viscosity (implicit_viscosity.h)
///   explicit_steps   at those of its start (explicit_viscosity.h)
///   xsph             velocities drawn towards those around (xsph.h)
///   automatic        explicit in one or two parts where these are stable by a wide margin, because they cost less than
///                    a solve; else implicit. Implicit too where a body is free to move: explicit drag would throw a
///                    light one about.
///
/// Walls drag by wall_drag.h, but for xsph.
///
/// Reads position, mass, volume and material, writes velocity; adds to force and torque of bodies. Each scheme's own
/// header says what it conserves.
template <class S>
class Viscosity {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    using Scheme = ViscosityScheme;

    struct Settings {
        Scheme scheme = Scheme::implicit_steps;
        double support_radius = 0;          ///< m
        StoppingRule rule{};                ///< of the implicit scheme
        std::vector<Real> viscosity{};      ///< by material, Pa·s
        std::vector<std::uint8_t> flows{};  ///< by material, 1: walls hold it by viscosity; 0: by contact
        double greatest_kinematic = 0;      ///< m²/s, of all materials; for the automatic choice
    };
    Settings settings{};

    /// Some material is viscous.
    bool active() const;

    /// `varying` is the viscosity of each particle, Pa·s, where it depends on more than the material; else empty.
    /// `acceleration` holds the accelerations by viscosity of the step before, a good start for an implicit step, and
    /// gets those of this one. Schemes that never take one leave it as it is. `grip` holds what walls could hold in the
    /// step before, and gets it for the next.
    void apply(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> varying,
               std::span<Row> acceleration, const WallGrip<S>& grip);

private:
    void take_explicit_steps(const FluidView<S>& fluid, const BlockContext<S>& context, int parts,
                             std::span<const Real> viscosity, std::span<Row> acceleration, const WallGrip<S>& grip);
    void apply_xsph(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> viscosity);

    ImplicitViscosity<S> implicit_;
    WallDrag<S> walls_;  ///< of explicit steps
    ViscousStrength<S> strength_;
    std::vector<Real> by_particle_;
    std::vector<Row> rows_;  ///< accelerations or new velocities
};

}  // namespace treacle
