#pragma once

#include <optional>
#include <vector>

#include "laws/elastic_response.h"
#include "methods/method_input.h"
#include "methods/time_step_limit.h"

namespace treacle::barreiro2017 {

/// Scene object "barreiro2017": how the method solves.
struct Settings {
    enum class Projection { doubly, position_only };
    enum class Strain { full, shear };
    enum class Combine { staggered, simultaneous };
    enum class Incompressibility { positions, doubly };
    enum class VelocitySolver { automatic, jacobi, conjugate_gradients };
    enum class Gradients { automatic, start, present };

    Coefficients coefficients = Coefficients::physical;
    double support_radius = 2.5;  ///< in units of particle_spacing
    Projection projection = Projection::doubly;
    VelocitySolver velocity_solver = VelocitySolver::automatic;
    int velocity_iterations = 10;
    int position_iterations = 10;
    bool corotational = true;
    Gradients gradients = Gradients::automatic;  ///< of strain, while positions are projected
    Strain strain = Strain::full;
    std::optional<double>
        hydrostatic_ratio;  ///< stiffness of the hydrostatic part of strain, in units of that of shear
    Combine combine = Combine::staggered;
    Incompressibility incompressibility = Incompressibility::positions;
    std::optional<double> density_relaxation;  ///< ω of the density iteration
    double artificial_pressure = 0;            ///< k of the density constraint
    std::optional<double> warm_start;          ///< share of the last pressure to start with
    double gradient_floor = 0.3;               ///< ε of the correction of gradients; 0 = none
    double viscosity_tolerance = 1e-4;
    double cfl = 0.4;  ///< support radii that a particle may move within a step

    bool projects_velocities() const { return projection == Projection::doubly; }
    /// Density is constrained by velocities too.
    bool doubly_incompressible() const {
        return projects_velocities() && incompressibility == Incompressibility::doubly;
    }
    /// Errors of density do not become velocities.
    bool separates_errors() const { return coefficients == Coefficients::physical; }
    bool simultaneous() const { return combine == Combine::simultaneous; }
    bool takes_present_gradients() const {
        if (gradients != Gradients::automatic) return gradients == Gradients::present;
        return coefficients == Coefficients::paper;
    }
    bool by_conjugate_gradients() const {
        if (velocity_solver != VelocitySolver::automatic) return velocity_solver == VelocitySolver::conjugate_gradients;
        return coefficients == Coefficients::physical;
    }
};

/// Material object "barreiro2017".
struct MaterialSettings {
    std::optional<double> compliance;  ///< α of the paper; absent: a liquid without conformation
    std::optional<double> relaxation;  ///< τ of the paper, s; absent: never relaxes
    std::optional<double> mobility;    ///< Giesekus' α; absent: no shear thinning
    double extensibility = 7;          ///< greatest stretch; strain beyond is forgotten
    std::optional<double>
        break_stretch;  ///< given: the shape at rest is stored until neighbors are this many times as far apart
};

const ParameterTable& settings_table();
const ParameterTable& material_settings_table();

/// Everything wrong or doubtful about a scene for this method.
std::vector<Remark> check(const MethodInput& input);

std::vector<TimeStepLimit> time_step_limits(const MethodInput& input);
std::vector<DerivedValue> derived_values(const MethodInput& input);

/// Memory per particle besides columns.
double working_bytes(const MethodInput& input);

/// Support radius in meters.
double support_radius(const MethodInput& input);

/// How a material answers strain.
ElasticResponse response_of(const MethodInput& input, const Material& material);

/// The stretch at which connections of a material break; 0: it stores no shape at rest.
double break_stretch_of(const MethodInput& input, const Material& material);

/// Sums over a lattice at rest.
struct Lattice {
    double density = 1;   ///< Σ V W, the particle itself included
    double shape = 1;     ///< any diagonal element of Σ x_ji (V ∇_jW)ᵀ
    double weight = 0;    ///< Σ -W'/r
    double stiffest = 1;  ///< greatest eigenvalue of the density constraints, each divided by its own diagonal
};
Lattice lattice(int dimension, double spacing, double support_radius);

}  // namespace treacle::barreiro2017
