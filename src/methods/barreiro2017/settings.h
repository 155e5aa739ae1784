#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "blocks/elastic/conformation_laws.h"
#include "methods/method.h"

namespace treacle::barreiro2017 {

/// Scene object "barreiro2017": how the method solves.
struct Settings {
    enum class Projection { doubly, position_only };
    enum class Strain { full, shear };
    enum class Combine { staggered, simultaneous };
    enum class Incompressibility { positions, doubly };
    enum class VelocitySolver { automatic, jacobi, conjugate_gradients };

    Coefficients coefficients = Coefficients::physical;
    double support_radius = 2.5;  ///< in units of particle_spacing
    Projection projection = Projection::doubly;
    VelocitySolver velocity_solver = VelocitySolver::automatic;
    int velocity_iterations = 10;
    int position_iterations = 10;
    bool corotational = true;
    Strain strain = Strain::full;
    std::optional<double>
        hydrostatic_ratio;  ///< stiffness of the hydrostatic part of strain, in units of that of shear
    Combine combine = Combine::staggered;
    Incompressibility incompressibility = Incompressibility::positions;
    double density_relaxation = 0.5;  ///< ω of the density iteration
    double artificial_pressure = 0;   ///< k of the density constraint
    double warm_start = 1;            ///< share of the last pressure to start with
    double gradient_floor = 0.3;      ///< ε of the correction of gradients; 0 = none
    double viscosity_tolerance = 1e-4;
    double cfl = 0.4;  ///< support radii that a particle may move within a step
};

/// Material object "barreiro2017".
struct MaterialSettings {
    std::optional<double> compliance;  ///< α of the paper; absent: a liquid without conformation
    std::optional<double> relaxation;  ///< τ of the paper, s; absent: never relaxes
    std::optional<double> mobility;    ///< Giesekus' α; absent: no shear thinning
    double extensibility = 7;          ///< greatest stretch; strain beyond is forgotten
    std::optional<double>
        break_stretch;  ///< given: the shape at rest is stored until neighbors are so many times as far apart
};

const ParameterTable& settings_table();
const ParameterTable& material_settings_table();

/// Everything wrong or doubtful about a scene for this method.
std::vector<Remark> check(const MethodInput& input);

std::vector<TimeStepLimit> time_step_limits(const MethodInput& input);
std::vector<DerivedValue> derived_values(const MethodInput& input);

/// State, scratch and neighbor rows.
std::size_t bytes_per_particle(const MethodInput& input);

/// Support radius in meters.
double support_radius(const MethodInput& input);

/// How a material answers strain: stress = modulus · strain, which it forgets with a time of its own.
struct Response {
    bool elastic = false;        ///< has a conformation at all
    double compliance = 0;       ///< 1/modulus, 1/Pa
    double relaxation_rate = 0;  ///< 1/τ, 1/s; infinite: forgets at once
    double yield_strain = 0;     ///< below it nothing is forgotten
    double mobility = 0;
    double break_stretch = 0;                                      ///< 0: no shape at rest is stored
    double most_strain = std::numeric_limits<double>::infinity();  ///< what goes beyond is forgotten
    bool as_in_paper = false;                                      ///< relaxation is no part of the compliance

    /// How much of the strain is left after a step of this length.
    template <class Real>
    ConformationMemory<Real> memory_in(double dt) const;
};
Response response_of(const MethodInput& input, const Material& material);
/// The same of numbers in SI units, an infinite time for what never relaxes.
Response response_of(double shear_modulus, double relaxation_time, double yield_stress, double mobility);

/// Sums over a lattice at rest.
struct Lattice {
    double density = 1;  ///< Σ V W, the particle itself included
    double shape = 1;    ///< any diagonal element of Σ x_ji (V ∇_jW)ᵀ
    double weight = 0;   ///< Σ -W'/r
};
Lattice lattice(int dimension, double spacing, double support_radius);

}  // namespace treacle::barreiro2017
