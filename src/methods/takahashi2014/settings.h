#pragma once

#include <optional>
#include <vector>

#include "laws/schemes.h"
#include "methods/method_input.h"
#include "methods/time_step_limit.h"

namespace treacle::takahashi2014 {

/// Scene object "takahashi2014": how the method solves.
struct Settings {
    enum class Correction { position, spring, shape_matching };

    Coefficients coefficients = Coefficients::physical;
    double support_radius = 2.01;  ///< in units of particle_spacing
    IisphKernel kernel = IisphKernel::cubic_spline;
    Correction correction_scheme = Correction::position;
    IisphSolver pressure_solver = IisphSolver::accelerated;
    double tolerance = 1e-4;              ///< mean compression
    std::optional<double> max_tolerance;  ///< greatest compression of any particle
    int iterations = 500;                 ///< at most
    double relaxation = 0.5;              ///< ω
    double warm_start = 0.5;              ///< share of the last pressure to start with
    ElasticSteps elasticity = ElasticSteps::automatic;
    ViscosityScheme viscosity_scheme = ViscosityScheme::implicit_steps;
    double viscosity_tolerance = 1e-4;  ///< error of the change by viscosity in a step, as a share of it
    double cfl = 0.2;                   ///< support radii that a particle may move within a step
};

/// Material object "takahashi2014". With physical coefficients only the first block may be given.
struct MaterialSettings {
    enum class SelfConnect { automatic, always, never };

    std::optional<double> first_connect_distance;  ///< in units of the support radius
    double connect_distance = 1.0;                 ///< α
    double break_distance = 2.0;                   ///< β
    std::optional<double> break_stretch;           ///< |x|/r
    SelfConnect self_connect = SelfConnect::automatic;
    std::optional<double> healing_time;  ///< s

    std::optional<double> correction;         ///< c
    std::optional<double> lowest_correction;  ///< l
    std::optional<double> correction_decay;   ///< w, 1/s
    std::optional<double> yield_distance;     ///< γ
    std::optional<double> spring_stiffness;   ///< N/m
    std::optional<double> spring_damping;     ///< N s/m
};

const ParameterTable& settings_table();
const ParameterTable& material_settings_table();

/// Everything wrong or doubtful about a scene for this method.
std::vector<Remark> check(const MethodInput& input);

/// Including the pressure of the fluid's own weight.
std::vector<TimeStepLimit> time_step_limits(const MethodInput& input);

/// Without pressure.
std::vector<TimeStepLimit> limits_without_pressure(const MethodInput& input);

/// The longest step in which fluid can be under p/ρ (m²/s²).
TimeStepLimit pressure_limit(double spacing, double pressure_over_density);

/// The greatest p/ρ that the fluid of the scene has by its own weight, m²/s².
double pressure_at_rest(const MethodInput& input);
std::vector<DerivedValue> derived_values(const MethodInput& input);

/// Memory per particle besides columns.
double working_bytes(const MethodInput& input);

/// The longest step for which corrections from the present positions are stable, s; infinite without elasticity.
double explicit_step(const MethodInput& input);

/// Strain of a connection at which a material with this yield stress and modulus (Pa) begins to flow.
double yield_strain(double yield_stress, double shear_modulus);

/// Support radius in meters.
double support_radius(const MethodInput& input);

/// S of a particle within the material, Σ r² over its connections, m².
double full_square(const MethodInput& input, const Material& material);

}  // namespace treacle::takahashi2014
