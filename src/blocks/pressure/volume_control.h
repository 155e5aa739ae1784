#pragma once

#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/discretization/mps_geometry.h"
#include "blocks/elastic/stress_terms.h"
#include "blocks/fluid_view.h"
#include "math/mat3.h"

namespace treacle {

/// How the coupled flow (coupled_flow.h) keeps the volume of the fluid: by the resistance κ to a change of volume and
/// the divergence s that takes errors of the density back.
///
///   κ = max(k (η + G t + ρ0 l0²/dt), 100 ρ g H dt)
///   s = min(r, 0.2/dt, 0.3 κ/ρ0 (π/2H)²) e,   |s| <= 0.01/dt
///
/// k and r are settings, H is the depth of the fluid, and e the share by which there is too much fluid in a particle's
/// place.
///
/// Pressure is remembered, so κ/dt is a modulus of compression: the second bound on κ keeps fluid from sinking into
/// itself. Pressure remembers the correction s too. Were that faster than the damping of the fluid's slowest swing, it
/// would drive the swing: hence the last bound on the rate.
///
/// Near the surface the density is known to 3 % only. Smaller errors are taken from J, the change of volume by the
/// flow since the density was last known. In threads too thin to have a known density a lack of fluid counts
/// for 5 % at most. Where a particle has too few neighbors nothing is corrected: corrections pushed particles out of
/// edges.
///
/// Reads the geometry and the terms of the stress; writes κ and s, changes J.
template <class S>
class VolumeControl {
public:
    using Real = typename S::Real;

    struct Settings {
        double spacing = 0;              ///< l0, m
        double resistance = 10;          ///< k
        double density_rate = 10;        ///< r, 1/s
        double weight = 0;               ///< ρ g H, Pa, of the fluid on its floor at the start
        double slowest_wave = 0;         ///< π/2H, 1/m
        std::vector<Real> rest_density;  ///< ρ0, kg/m³, by material
    };

    VolumeControl() = default;
    explicit VolumeControl(Settings settings) : settings_(std::move(settings)) {}

    /// κ and s for a step.
    void update(const FluidView<S>& fluid, const BlockContext<S>& context, const MpsGeometry<S>& geometry,
                const StressTerms<S>& terms, std::span<Real> volume_ratio);

    /// J follows a flow with these gradients.
    static void deform(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Mat3<Real>> gradient,
                       std::span<Real> volume_ratio);

    std::span<const Real> resistance() const { return resistance_; }  ///< κ, Pa·s
    std::span<const Real> divergence() const { return divergence_; }  ///< s, 1/s

private:
    static Real compression(const MpsGeometry<S>& geometry, std::size_t i, Real& volume_ratio);

    Settings settings_;
    std::vector<Real> resistance_, divergence_;
};

}  // namespace treacle
