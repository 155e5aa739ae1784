#pragma once

#include <optional>
#include <vector>

#include "methods/method_input.h"
#include "methods/time_step_limit.h"

namespace treacle::clavet2005 {

/// Scene object "clavet2005": how the method solves.
struct Settings {
    enum class Sweep { jacobi, sequential };
    enum class SpringStart { current_distance, support_radius };
    enum class WallModel { half_space, clamp };

    Coefficients coefficients = Coefficients::physical;
    Equations equations = Equations::corrected;
    Sweep sweep = Sweep::jacobi;
    std::optional<double> support_radius;  ///< in units of particle_spacing; absent: 3.5 in 2D, 2.55 in 3D
    std::optional<double> sound_speed;     ///< m/s; absent: from the speeds the scene can reach
    double near_ratio = 0.2;               ///< k_near / k
    double cohesion_limit = 0.25;          ///< P is at least minus this times k·ρ0
    double time_step_safety = 0.5;         ///< share of the largest stable step
    WallModel walls = WallModel::half_space;
    SpringStart spring_start = SpringStart::current_distance;
    bool settled_start = true;     ///< with physical coefficients only
    double smallest_spring = 0.1;  ///< in units of the support radius
    double break_stretch = 1.5;    ///< a spring longer than this times the support radius breaks
};

/// Material object "clavet2005". With physical coefficients only the first block may be given, with the paper's
/// coefficients (no units; lengths in scene units, times in time units) all of them.
struct MaterialSettings {
    std::optional<double> quadratic_viscosity;  ///< β
    std::optional<double> yield_compress;       ///< γ of compressed springs, if it differs

    std::optional<double> stiffness;         ///< k
    std::optional<double> near_stiffness;    ///< k_near
    std::optional<double> rest_density;      ///< ρ0
    std::optional<double> linear_viscosity;  ///< σ
    std::optional<double> spring_stiffness;  ///< k_spring
    std::optional<double> plasticity;        ///< α
    std::optional<double> yield_ratio;       ///< γ
    std::optional<double> stickiness;        ///< k_stick
    std::optional<double> stick_distance;    ///< d_stick
};

const ParameterTable& settings_table();
const ParameterTable& material_settings_table();

/// Everything wrong or doubtful about a scene for this method.
std::vector<Remark> check(const MethodInput& input);

/// Memory per particle besides columns.
double working_bytes(const MethodInput& input);

}  // namespace treacle::clavet2005
