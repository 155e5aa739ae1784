#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "support/run_scene.h"

/// A pool with a dynamic body in it, for every method.

namespace treacle::test {

inline const Body& body_named(const RunningScene& run, const std::string& name) {
    const Bodies& bodies = run.state().bodies;
    return *std::find_if(bodies.begin(), bodies.end(), [&](const Body& body) { return body.name == name; });
}

inline double height_of(const RunningScene& run, const std::string& name) {
    return body_named(run, name).center_of_mass_in_space().y;
}

/// A tank of 1 m × 0.5 m (2D) or 0.5 m × 0.3 m × 0.5 m (3D) of thick water with a body in it.
inline std::string pool(const std::string& method, int dimension, const std::string& shape, double density,
                        double spacing, double friction = 0.3) {
    const bool flat = dimension == 2;
    return R"({ "treacle": 1, "method": ")" + method + R"(", "dimension": )" + std::to_string(dimension) +
           R"(, "particle_spacing": )" + std::to_string(spacing) + R"(, "gravity": )" +
           (flat ? "[0, -9.81]" : "[0, -9.81, 0]") +
           R"(, "time": { "duration": 10, "fps": 30 }, "materials": { "water": { "viscosity": 5 } },
      "fluids": [ { "material": "water", "shape": { "box": )" +
           (flat ? R"({ "center": [0.5, 0.25], "size": [1, 0.5] })"
                 : R"({ "center": [0.25, 0.15, 0.25], "size": [0.5, 0.3, 0.5] })") +
           R"( } } ],
      "solids": [ { "name": "tank", "friction": )" +
           std::to_string(friction) + R"(, "invert": true, "shape": { "box": )" +
           (flat ? R"({ "center": [0.5, 1], "size": [1, 2] })"
                 : R"({ "center": [0.25, 1, 0.25], "size": [0.5, 2, 0.5] })") +
           R"( } },
                  { "name": "body", "friction": )" +
           std::to_string(friction) + R"(, "shape": )" + shape + R"(, "motion": { "dynamic": { "density": )" +
           std::to_string(density) + " } } } ] }";
}

/// Height, averaged over the last half second.
inline double resting_height(RunningScene& run, int frames) {
    if (!run.advance(frames - 15)) throw std::runtime_error(run.error());
    double sum = 0;
    for (int n = 0; n < 15; ++n) {
        if (!run.advance(1)) throw std::runtime_error(run.error());
        sum += height_of(run, "body") / 15;
    }
    return sum;
}

/// A box of a tenth of the density falls into the pool. It bobs without ever being thrown about.
inline void expect_light_box_does_not_explode(const std::string& method, int dimension, double spacing,
                                              double greatest_speed) {
    const bool flat = dimension == 2;
    const std::string box = flat ? R"({ "box": { "center": [0.5, 0.7], "size": [0.2, 0.2] } })"
                                 : R"({ "box": { "center": [0.25, 0.42, 0.25], "size": [0.16, 0.16, 0.16] } })";
    RunningScene run(pool(method, dimension, box, 100, spacing));
    double fastest = 0;
    for (int frame = 0; frame < 60; ++frame) {
        ASSERT_TRUE(run.advance(1)) << run.error();
        if (frame > 20) fastest = std::max(fastest, length(body_named(run, "body").velocity));
    }
    EXPECT_LT(fastest, greatest_speed) << dimension;
    EXPECT_GT(height_of(run, "body"), flat ? 0.5 : 0.3) << dimension;
}

/// The share of a disc or ball below a level.
inline double submerged(int dimension, double radius, double center, double level) {
    const double t = std::clamp((level - center) / radius, -1.0, 1.0);
    if (dimension == 3) return 0.25 * (2 + 3 * t - t * t * t);
    return 0.5 + (std::asin(t) + t * std::sqrt(1 - t * t)) / M_PI;
}

}  // namespace treacle::test
