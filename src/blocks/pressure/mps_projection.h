#pragma once

#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/discretization/mps_cloud.h"
#include "blocks/discretization/mps_operators.h"
#include "blocks/discretization/number_density.h"
#include "blocks/fluid_view.h"
#include "blocks/pressure/mps_poisson.h"
#include "laws/schemes.h"

namespace treacle {

/// One step of semi-implicit MPS from velocities u to velocities of an incompressible fluid (Koshizuka & Oka 1996 with
/// the changes of Mukai et al. 2021, section 4):
///
///   ρ (u* - u)/dt = ρ a + <∇·τ>                (2) without pressure and viscosity
///   viscosity, from u* to u*                   laplacian_viscosity.h or the dashpots of coupled_flow.h
///   ∇²P = source                               (10) or (11), mps_poisson.h
///   u = u* - dt/ρ <∇P>                         (12) or (13), mps_operators.h
///
/// Reads position, mass (kg), material, acceleration a (m/s²) and stress (Pa) of the fluid, particles and velocities of
/// walls; writes velocity and pressure (Pa), adds to force and torque of bodies. Positions are moved by the caller.
///
/// Repulsion (Monaghan 2000): the pressure of a pair is raised by ε (|P_i| + |P_j|) (w/w(l0))⁴ of those that are
/// negative, or by 0.01 (P_i + P_j) (w/w(l0))⁴ if both are positive; ε = 0.2.
///
/// Conserves momentum with the symmetric reference only. Limits: viscosity and pressure follow one another (an error of
///   order dt ν/l0²); at a free surface both are wrong where a thread is thin. The reaction on bodies is that of the
///   symmetric form whatever the fluid got.
template <class S>
class MpsProjection {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    struct Settings {
        double spacing = 0;         ///< m
        double support_radius = 0;  ///< m
        SurfaceTest surface_test = SurfaceTest::number_density;
        typename MpsPoisson<S>::Settings pressure;
        bool corrected_gradient = true;  ///< (13), else (12)
        PressureReference reference = PressureReference::minimum;
        bool negative_pressure = false;  ///< else P >= 0
        bool repulsion = false;
        std::vector<Real> rest_density;  ///< ρ, kg/m³, by material
    };

    explicit MpsProjection(const Settings& settings)
        : settings_(settings), weight_(settings.support_radius, settings.spacing), poisson_(settings.pressure) {}

    /// From u to u*, before viscosity. `stress` τ is that of the start of the step; empty: none.
    void predict(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const SymMat<Real>> stress,
                 std::span<const Row> acceleration);

    /// From u* to u, after predict() and viscosity. `pressure` of the fluid holds that of the step before, where the
    /// search for the new one begins.
    SolverReport project(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<Real> pressure);

    const MpsCloud<S>& cloud() const { return cloud_; }
    const MpsOperators<S>& operators() const { return operators_; }
    const NumberDensity<S>& number_density() const { return number_density_; }
    /// ∇u of the fluid at the velocities found, by (13).
    std::span<const Mat3<Real>> velocity_gradient() const { return gradient_; }
    /// Of fluid and walls, as solved for.
    std::span<const Real> cloud_pressure() const { return pressure_; }

private:
    Vec symmetric_gradient(std::size_t i) const;
    Vec pressure_gradient(std::size_t i) const;
    Vec repulsion(std::size_t i) const;
    void press_bodies(const FluidView<S>& fluid, const BlockContext<S>& context) const;

    Settings settings_;
    MpsWeight<S> weight_;
    MpsCloud<S> cloud_;
    NumberDensity<S> number_density_;
    MpsOperators<S> operators_;
    MpsPoisson<S> poisson_;
    std::vector<Real> rest_density_;  ///< of the fluid
    std::vector<Row> velocity_;       ///< of the cloud
    std::vector<Real> pressure_;      ///< of the cloud
    std::vector<Mat3<Real>> gradient_;
};

}  // namespace treacle
