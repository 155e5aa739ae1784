#pragma once

#include <cmath>
#include <random>
#include <sstream>
#include <string>

#include "support/run_scene.h"

namespace treacle::test {

/// A random scene of at most 300 particles with parameters anywhere in their allowed ranges, as text.
inline std::string random_scene(const std::string& method, std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto uniform = [&](double low, double high) {
        return low + (high - low) * (random() / 4294967295.0);  // the standard's distributions differ between libraries
    };
    const auto spread = [&](double low, double high) { return low * std::pow(high / low, uniform(0, 1)); };
    const auto chance = [&](double p) { return uniform(0, 1) < p; };
    const int dim = chance(0.5) ? 2 : 3;
    const int along = dim == 2 ? 16 : 6;
    const double d = spread(1e-4, 1);
    const auto vec = [&](double x, double y, double z) {
        std::ostringstream text;
        text << "[" << x << ", " << y;
        if (dim == 3) text << ", " << z;
        text << "]";
        return text.str();
    };
    std::ostringstream s;
    s.precision(9);
    s << R"({ "treacle": 1, "method": ")" << method << R"(", "dimension": )" << dim << R"(, "precision": ")"
      << (chance(0.3) || method == "mukai2021" ? "double" : "float") << R"(", "particle_spacing": )" << d
      << R"(, "gravity": )" << vec(0, chance(0.2) ? 0 : -spread(0.1, 100), 0)
      << R"(, "time": { "duration": 1, "fps": 1000 },)";
    const bool clavet = method == "clavet2005", barreiro = method == "barreiro2017",
               takamatsu = method == "takamatsu2011", mukai = method == "mukai2021";
    if (clavet)
        s << R"("clavet2005": { "near_ratio": )" << spread(0.02, 2) << R"(, "cohesion_limit": )" << uniform(0, 1)
          << R"(, "time_step_safety": )" << uniform(0.1, 0.6) << R"(, "support_radius": )" << uniform(1.6, 4)
          << R"(, "walls": ")" << (chance(0.8) ? "half_space" : "clamp") << R"(", "sweep": ")"
          << (chance(0.85) ? "jacobi" : "sequential") << R"(", "spring_start": ")"
          << (chance(0.7) ? "current_distance" : "support_radius") << R"(", "break_stretch": )" << uniform(1, 3)
          << R"( },)";
    else if (barreiro)
        s << R"("barreiro2017": { "support_radius": )" << uniform(1.6, 3) << R"(, "velocity_iterations": )"
          << static_cast<int>(spread(1, 30)) << R"(, "position_iterations": )" << static_cast<int>(spread(1, 30))
          << R"(, "velocity_solver": ")" << (chance(0.5) ? "jacobi" : "conjugate_gradients") << R"(", "projection": ")"
          << (chance(0.8) ? "doubly" : "position_only") << R"(", "strain": ")" << (chance(0.8) ? "full" : "shear")
          << R"(", "incompressibility": ")" << (chance(0.3) ? "doubly" : "positions") << R"(", "combine": ")"
          << (chance(0.8) ? "staggered" : "simultaneous") << R"(", "density_relaxation": )" << uniform(0.1, 0.5)
          << R"(, "warm_start": )" << uniform(0, 1) << R"(, "gradient_floor": )" << uniform(0, 1) << R"(, "cfl": )"
          << uniform(0.1, 0.6) << R"( },)";
    else if (takamatsu)
        s << R"("takamatsu2011": { "support_radius": )" << uniform(1.6, 3) << R"(, "pressure": ")"
          << (chance(0.8) ? "equation_of_state" : "iisph") << R"(", "update_threshold": )" << spread(0.1, 100)
          << R"(, "update_interval": )" << spread(1e-4, 1) << R"(, "cfl": )" << uniform(0.1, 1) << R"( },)";
    else if (mukai)
        s << R"("mukai2021": { "support_radius": )" << uniform(1.9, 2.6) << R"(, "viscous_radius": )"
          << uniform(2.6, 3.5) << R"(, "resistance": )" << spread(2, 50) << R"(, "density_rate": )"
          << (chance(0.2) ? 0 : spread(1, 100)) << R"(, "shift_rate": )" << (chance(0.2) ? 0 : spread(1, 1000))
          << R"(, "thread_viscosity": )" << (chance(0.7) ? "true" : "false") << R"(, "tolerance": )"
          << spread(1e-6, 1e-2) << R"(, "cfl": )" << uniform(0.1, 0.4) << R"(, "halvings": )"
          << (chance(0.5) ? 0 : static_cast<int>(uniform(1, 7))) << R"( },)";
    else
        s << R"("takahashi2014": { "support_radius": )" << uniform(1.6, 3) << R"(, "tolerance": )" << spread(1e-5, 1e-2)
          << R"(, "pressure_solver": ")" << (chance(0.8) ? "accelerated" : "jacobi") << R"(", "iterations": )"
          << static_cast<int>(spread(3, 200)) << R"(, "relaxation": )" << uniform(0.1, 0.5) << R"(, "cfl": )"
          << uniform(0.1, 0.5) << R"( },)";
    s << R"("materials": { "stuff": { "density": )" << spread(1, 2e4);
    if (chance(0.8)) s << R"(, "viscosity": )" << spread(1e-4, 1e4);
    if (chance(0.6)) s << R"(, "shear_modulus": )" << spread(1, 1e6);
    if (chance(0.6)) s << R"(, "relaxation_time": )" << spread(1e-5, 100);
    if (chance(0.4)) s << R"(, "yield_stress": )" << spread(0.1, 1e5);
    if (chance(0.4)) s << R"(, "surface_tension": )" << spread(1e-3, 10);
    if (clavet) s << R"(, "clavet2005": { "quadratic_viscosity": )" << (chance(0.3) ? spread(1e-3, 1e3) : 0) << R"( })";
    else if (takamatsu)
        s << R"(, "takamatsu2011": { "fluidity": )"
          << (chance(0.1)   ? 0
              : chance(0.1) ? 1
                            : uniform(0, 1))
          << R"(, "break_stretch": )" << uniform(1, 4) << " }";
    else if (mukai)
        s << R"(, "mukai2021": { "law": ")"
          << (chance(0.4)   ? "oldroyd_b"
              : chance(0.5) ? "fene_p"
                            : "giesekus")
          << R"(", "extensibility": )" << spread(5, 1000) << R"(, "mobility": )" << uniform(0, 0.5) << " }";
    else if (!barreiro)
        s << R"(, "takahashi2014": { "connect_distance": )" << uniform(0, 1) << R"(, "break_distance": )"
          << uniform(1, 3) << R"(, "self_connect": ")" << (chance(0.5) ? "always" : "automatic")
          << R"(", "healing_time": )" << spread(1e-3, 10) << " }";
    else if (chance(0.4)) s << R"(, "barreiro2017": { "break_stretch": )" << uniform(1, 3) << " }";
    s << R"( } }, "fluids": [ { "material": "stuff",)"
      << R"("velocity": )" << vec(uniform(-1, 1), uniform(-3, 1), uniform(-1, 1))
      << R"(, "shape": { "box": { "center": )" << vec(0, along * d, 0) << R"(, "size": )"
      << vec(along * d, along * d, along * d) << R"( } } } ],)";
    s << R"("solids": [ { "name": "floor", "friction": )"
      << (chance(0.3) ? "\"no_slip\"" : std::to_string(uniform(0, 2))) << R"(, "adhesion": )"
      << (chance(0.5) ? uniform(0, 3) : 0) << R"(, "shape": { "plane": { "normal": )" << vec(0.1, 1, 0)
      << R"(, "offset": 0 } } }, { "name": "rock", "shape": { "sphere": { "center": )" << vec(0.5 * along * d, 0, 0)
      << R"(, "radius": )" << 3 * d << R"( } } } ] })";
    return s.str();
}

/// Runs one random scene for some steps: nothing may become infinite, and nothing may leave as if shot.
inline void run_random_scene(const std::string& method, std::uint32_t seed, int steps_wanted) {
    const std::string text = random_scene(method, seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text);
    RunningScene run(text, 1);
    const double energy_at_start = run.metric("kinetic_energy");
    int steps = 0;
    double dt = 0;
    while (steps < steps_wanted) {
        const auto outcome = run.simulation().advance_frame([&](const StepInfo& info) {
            dt = info.dt;
            return ++steps < steps_wanted;
        });
        ASSERT_TRUE(outcome) << to_string(outcome.error());
    }
    EXPECT_TRUE(std::isfinite(run.metric("kinetic_energy"))) << energy_at_start;
    EXPECT_GT(dt, 0);
    EXPECT_LT(run.metric("density_error_max"), 5.0);
}

}  // namespace treacle::test
