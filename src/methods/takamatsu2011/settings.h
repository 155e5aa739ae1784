#pragma once

#include <optional>
#include <vector>

#include "methods/method_input.h"
#include "methods/time_step_limit.h"

namespace treacle::takamatsu2011 {

/// Scene object "takamatsu2011": how the method solves.
struct Settings {
    enum class Pressure { equation_of_state, iisph };

    Coefficients coefficients = Coefficients::physical;
    Equations equations = Equations::corrected;
    double support_radius = 2.2;  ///< σ, in units of particle_spacing
    Pressure pressure = Pressure::equation_of_state;
    std::optional<double> sound_speed;  ///< m/s
    double update_threshold = 12;       ///< γ_u, in weights of a particle
    double update_interval = 0.1;       ///< s
    double cfl = 0.4;                   ///< support radii that a particle may move within a step
};

/// Material object "takamatsu2011".
struct MaterialSettings {
    double fluidity = 0.7;                ///< α
    std::optional<double> break_stretch;  ///< |x|/|X|
    std::optional<double> response_time;  ///< Δt^SM, s; with the paper's coefficients
};

const ParameterTable& settings_table();
const ParameterTable& material_settings_table();

/// Everything wrong or doubtful about a scene for this method.
std::vector<Remark> check(const MethodInput& input);

std::vector<TimeStepLimit> time_step_limits(const MethodInput& input);
std::vector<DerivedValue> derived_values(const MethodInput& input);
double working_bytes(const MethodInput& input);

/// Support radius in meters.
double support_radius(const MethodInput& input);

/// Speed of sound of the equation of state, m/s.
double sound_speed(const MethodInput& input);

/// κ: acceleration towards the goal per distance from it, 1/s², of a material without fluidity.
double pull_of(const MethodInput& input, const Material& material);

}  // namespace treacle::takamatsu2011
