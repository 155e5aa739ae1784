#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "laws/schemes.h"
#include "methods/method_input.h"
#include "methods/time_step_limit.h"

namespace treacle::mukai2021 {

/// Scene object "mukai2021": how the method solves.
struct Settings {
    enum class Scheme { coupled, projection };
    enum class Viscosity { dashpot, laplacian, explicit_laplacian };
    enum class Gradient { corrected, original };

    Coefficients coefficients = Coefficients::physical;
    Equations equations = Equations::corrected;
    double support_radius = 2.1;   ///< r_e of gradients and number densities, in units of particle_spacing
    double viscous_radius = 2.1;   ///< of dashpots, in units of particle_spacing
    double resistance = 10;        ///< κ: to a change of volume, as a multiple of the viscosity
    double density_rate = 10;      ///< 1/s, at which errors of the number density are taken back
    double shift_rate = 50;        ///< 1/s, at which particles spread evenly, at least
    double shift_per_strain = 20;  ///< the same as a multiple of the rate of strain
    double smooth_viscosity = 1;   ///< of the steady viscosity: the least resistance to alternating motion
    bool thread_viscosity = true;  ///< dashpots make up for missing neighbors
    int halvings = 0;              ///< of the particles of thin threads, at most
    double tolerance = 1e-3;
    int max_iterations = 500;
    double cfl = 0.25;  ///< spacings that a particle may move within a step

    Scheme scheme = Scheme::coupled;
    std::optional<Viscosity> viscosity;  ///< of the projection; absent: as the equations have it
    PressureSource pressure_source = PressureSource::divergence;  ///< eq. 11 or 10
    Gradient pressure_gradient = Gradient::corrected;             ///< eq. 13 or 12
    std::optional<PressureReference> pressure_reference;          ///< absent: as the equations have it
    bool repulsion = false;                                       ///< Monaghan 2000

    /// The largest radius, in units of particle_spacing: of volumes, and of the direction and tension of the surface.
    double wide_radius() const { return std::max({3.1, viscous_radius, support_radius}); }
    bool printed() const { return equations == Equations::printed; }
    bool projects() const { return scheme == Scheme::projection || printed(); }
    Viscosity viscous_operator() const {
        return viscosity.value_or(printed() ? Viscosity::laplacian : Viscosity::dashpot);
    }
    PressureReference reference() const {
        return pressure_reference.value_or(printed() ? PressureReference::minimum : PressureReference::own);
    }
};

/// Material object "mukai2021".
struct MaterialSettings {
    enum class Weights { experimental, complementary };

    RelaxationLaw law = RelaxationLaw::oldroyd_b;
    double extensibility = 100;  ///< L²: trace of the conformation at most, of "fene_p"
    double mobility = 0.1;       ///< of "giesekus"

    std::optional<double> young_modulus;  ///< E, Pa; with the paper's coefficients
    double poisson_ratio = 0.5;           ///< ν
    double elastic_coefficient = 0.05;    ///< C
    Weights weights = Weights::experimental;
    double viscous_weight = 0.97;  ///< α before rupture
    double viscous_weight_after_rupture = 0.95;
};

const ParameterTable& settings_table();
const ParameterTable& material_settings_table();

/// Everything wrong or doubtful about a scene for this method.
std::vector<Remark> check(const MethodInput& input);

/// Whether fluid slides along solids with any friction: walls of a projection hold it unless their friction is 0.
bool coulomb(const MethodInput& input);

/// How far neighbor rows reach, m.
double search_radius(const MethodInput& input);

std::vector<TimeStepLimit> time_step_limits(const MethodInput& input);
std::vector<DerivedValue> derived_values(const MethodInput& input);
double working_bytes(const MethodInput& input);

/// μ of the paper's law, Pa (eq. 8).
double shear_modulus(const MaterialSettings& own);

}  // namespace treacle::mukai2021
