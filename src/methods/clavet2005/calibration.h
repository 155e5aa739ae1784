#pragma once

#include <vector>

#include "methods/clavet2005/settings.h"

namespace treacle::clavet2005 {

/// Sums over the neighbors of a particle at rest, w = 1 - q. Settled fluid is amorphous; the mean over two lattices
/// of the same number density (square and hexagonal; face- and body-centered cubic) comes closer to it than either.
struct PackingSums {
    struct Shell {
        double count, w, square;  ///< neighbors at this distance, their w and r² (m²)
    };
    std::vector<Shell> shells;
    double count = 0;
    double density = 0;          ///< Σ w²
    double near_density = 0;     ///< Σ w³
    double s1 = 0;               ///< Σ q w
    double s2 = 0;               ///< Σ q w²
    double t1 = 0;               ///< Σ q (1 - 2q): dS1 by a stretch of all distances
    double t2 = 0;               ///< Σ q w (1 - 3q): dS2
    double sg = 0;               ///< Σ q² w
    double tg = 0;               ///< Σ q (2q - 3q²): dSg
    double weight = 0;           ///< Σ w
    double weighted_square = 0;  ///< Σ w r², m²
};
PackingSums packing_sums(int dimension, double spacing, double support_radius);

/// The method's own coefficients, whether computed from SI quantities or taken from the paper's set.
struct OwnCoefficients {
    struct OfMaterial {
        double stiffness = 0;            ///< k, m/s²
        double near_stiffness = 0;       ///< k_near, m/s²
        double rest_density = 0;         ///< ρ0, no unit
        double lowest_pressure = 0;      ///< m/s²
        double kinematic_viscosity = 0;  ///< ν, m²/s; gives σ for every time step (with physical coefficients)
        double linear_viscosity = 0;     ///< σ, 1/s (with the paper's coefficients)
        double quadratic_viscosity = 0;  ///< β, 1/m
        double spring_stiffness = 0;     ///< k_spring, 1/s²
        double creep_rate = 0;           ///< α, 1/s
        double yield_stretch = 0;        ///< γ
        double yield_compress = 0;       ///< γ
        bool renews_springs = true;
        double cohesion = 0;         ///< strength of the extra attraction, m/s²
        double surface_tension = 0;  ///< that follows, N/m
    };

    double support_radius = 0;  ///< h, m
    double sound_speed = 0;     ///< m/s
    int dimension = 3;
    PackingSums packing;            ///< at rest; its density stands for the material's density
    double contact_distance = 0;    ///< m, how far centers stay from walls
    double load_time = 1;           ///< s, over which the load on walls is averaged for friction
    bool sweeps_viscosity = false;  ///< viscosity is not solved for the end of the step, and so limits it
    double stick_strength = 0;      ///< k_stick for adhesion 1, 1/s² (with the paper's coefficients)
    double stick_distance = 0;      ///< m
    std::vector<OfMaterial> materials;
};

/// Viscosity by radial impulses: which σ gives a kinematic viscosity ν for a given time step, and how long a sweep
/// may be before the impulses of all pairs together overshoot.
class ViscosityCalibration {
public:
    ViscosityCalibration(int dimension, std::vector<PackingSums::Shell> shells)
        : dimension_(dimension), shells_(std::move(shells)) {}

    double linear_viscosity(double kinematic, double dt) const;  ///< σ, 1/s
    double longest_sweep(double kinematic) const;                ///< s

private:
    double strength(double sigma_dt) const;  ///< ν dt for σ dt
    int dimension_;
    std::vector<PackingSums::Shell> shells_;
};

/// The most sweeps of viscosity that one step makes. Thicker fluids shorten the step instead.
inline constexpr double most_viscosity_sweeps = 32;

OwnCoefficients coefficients(const MethodInput& input);

/// The largest stable steps, with the reason for each, when the densest particle is compressed by this fraction.
std::vector<TimeStepLimit> stability_limits(const OwnCoefficients& coefficients, double compression);

/// Surface tensions (N/m) that the method can represent at this resolution and sound speed, and the one it has by
/// itself.
struct TensionRange {
    double least, intrinsic, most;
};
TensionRange tension_range(const MethodInput& input, const Material& material);

/// The same times the safety factor of the scene, at rest; for `treacle check`.
std::vector<TimeStepLimit> time_step_limits(const MethodInput& input);

std::vector<DerivedValue> derived_values(const MethodInput& input);

/// Support radius in meters.
double support_radius(const MethodInput& input);

}  // namespace treacle::clavet2005
