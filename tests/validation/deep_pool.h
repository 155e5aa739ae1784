#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "support/run_scene.h"

/// Deep pools that should stay at rest.

namespace treacle::test {

inline std::string text(double number) { return std::to_string(number); }

/// A tank full of fluid, in spacings.
struct Pool {
    int dimension;
    double spacing;  ///< m
    int layers;
    int width;
    std::string material = R"("viscosity": 1)";
    std::string time = R"("duration": 10, "fps": 100)";
    std::string solids = "";
    std::string settings = "{}";
    std::string precision = "float";
    double friction = 0.3;
};

inline std::string scene_of(const Pool& pool) {
    const double s = pool.spacing, wide = s * pool.width, deep = s * pool.layers;
    const auto box = [&](double high) {
        return R"({ "box": { "center": [0, )" + text(high / 2) + (pool.dimension == 2 ? "" : ", 0") +
               R"(], "size": [)" + text(wide) + ", " + text(high) + (pool.dimension == 2 ? "" : ", " + text(wide)) +
               "] } }";
    };
    return R"({ "treacle": 1, "method": "takahashi2014", "dimension": )" + std::to_string(pool.dimension) +
           R"(, "precision": ")" + pool.precision + R"(", "particle_spacing": )" + text(s) + R"(, "gravity": )" +
           (pool.dimension == 2 ? "[0, -9.81]" : "[0, -9.81, 0]") + R"(, "time": { )" + pool.time +
           R"( }, "takahashi2014": )" + pool.settings + R"(, "materials": { "fluid": { )" + pool.material +
           R"( } }, "fluids": [ { "material": "fluid", "shape": )" + box(deep) + R"( } ],
      "solids": [ { "name": "tank", "invert": true, "friction": )" +
           text(pool.friction) + R"(, "shape": )" + box(2 * deep) + " }" + pool.solids + " ] }";
}

/// Runs for half a second. At the start the whole pool may settle by half a spacing, so fast that no energy is lost:
/// d/2 of H/2 of its weight's energy, and the speed of that fall. After that, no single particle has reason to be
/// faster than after a fall by a whole spacing.
inline void expect_rest(const Pool& pool) {
    const std::string what = std::to_string(pool.dimension) + "D, " + std::to_string(pool.layers) + " layers of " +
                             text(pool.spacing) + " m";
    RunningScene run(scene_of(pool));
    const double half = 0.5 * pool.spacing * pool.layers;
    double most = 0, fastest = 0;
    for (int frame = 0; frame < 50; ++frame) {
        ASSERT_TRUE(run.advance(1)) << what << ": " << run.error();
        double energy = 0, all = 0;
        const auto velocity = run.vectors("velocity");
        const auto weight = run.scalars("mass");
        for (std::size_t i = 0; i < velocity.size(); ++i) {
            energy += 0.5 * weight[i] * dot(velocity[i], velocity[i]);
            all += weight[i];
            if (frame >= 25) fastest = std::max(fastest, length(velocity[i]));
        }
        most = std::max(most, energy / (all * 9.81 * half));
    }
    EXPECT_LT(most, 1.0 / pool.layers) << what;
    EXPECT_LT(fastest, std::sqrt(2 * 9.81 * pool.spacing)) << what;
    EXPECT_NEAR(run.metric("com_y"), half, 0.5 * pool.spacing + 0.02 * half) << what;
}

}  // namespace treacle::test
