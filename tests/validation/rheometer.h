#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "math/sym_mat.h"
#include "support/oldroyd_b.h"
#include "support/run_scene.h"
#include "validation/pool.h"

/// Fluid between two endless plates in 2D, y from 0 to the gap, x periodic; and the readings of a rheometer.

namespace treacle::test {

/// The range of readings over exact values, for the report of the test (--gtest_output=json) and the table of
/// docs/measurements/mukai2021_rheometry.md.
class Reading {
public:
    explicit Reading(std::string name) : name_(std::move(name)) {}
    ~Reading() {
        char text[64];
        std::snprintf(text, sizeof text, "%.4f to %.4f", least_, most_);
        ::testing::Test::RecordProperty(name_, text);
    }
    void add(double measured, double exact = 1) {
        least_ = std::min(least_, measured / exact);
        most_ = std::max(most_, measured / exact);
    }

private:
    std::string name_;
    double least_ = std::numeric_limits<double>::infinity(), most_ = -std::numeric_limits<double>::infinity();
};

struct Slab {
    OldroydB fluid;
    double gap = 4e-4;  ///< m
    int across = 16;    ///< particles
    int along = 12;
    double dt = 2e-4;     ///< s, of a frame; a step is no longer
    double duration = 1;  ///< s
    std::string gravity = "[0, 0]";
    std::string top_motion = "";  ///< JSON, of the plate at y = gap; empty: it stands
    std::string settings = "{}";  ///< JSON, of the method
    std::string material = "";    ///< JSON members that replace the elastic ones, with a comma before

    double spacing() const { return gap / across; }
    double length() const { return along * spacing(); }

    std::string scene() const {
        const auto number = [](double x) {
            char text[32];
            std::snprintf(text, sizeof text, "%.17g", x);
            return std::string(text);
        };
        const std::string elastic = fluid.polymer_viscosity > 0
                                        ? ", \"shear_modulus\": " + number(fluid.modulus()) +
                                              ", \"relaxation_time\": " + number(fluid.relaxation_time)
                                        : "";
        return R"({ "treacle": 1, "method": "mukai2021", "dimension": 2, "particle_spacing": )" + number(spacing()) +
               R"(, "gravity": )" + gravity + R"(, "periodic": [)" + number(length()) + R"(, 0],
          "time": { "duration": )" +
               number(duration) + R"(, "fps": )" + number(1 / dt) + R"( }, "mukai2021": )" + settings + R"(,
          "materials": { "sample": { "density": )" +
               number(fluid.density) + R"(, "viscosity": )" + number(fluid.solvent_viscosity) +
               (material.empty() ? elastic : material) + R"( } },
          "fluids": [ { "material": "sample", "shape": { "box": { "center": [)" +
               number(length() / 2) + ", " + number(gap / 2) + R"(], "size": [)" + number(length()) + ", " +
               number(gap) + R"(] } } } ],
          "solids": [ { "name": "bottom", "friction": "no_slip", "shape": { "plane": { "normal": [0, 1] } } },
                      { "name": "top", "friction": "no_slip", "shape": { "plane": { "normal": [0, -1], "offset": )" +
               number(-gap) + " } }" + (top_motion.empty() ? "" : ", \"motion\": " + top_motion) + " } ] }";
    }
};

/// Motion of a plate at this speed until some time; then it stands still.
inline std::string sliding(double speed, double until = 1e3) {
    const std::string t = std::to_string(until), x = std::to_string(speed * until);
    return R"({ "keyframes": [ { "time": 0 }, { "time": )" + t + R"(, "position": [)" + x + R"(, 0] } ] })";
}

/// Shear stress of the plates on the fluid, from the force on them.
inline double wall_stress(const RunningScene& run, const Slab& slab) {
    return 0.5 * (body_named(run, "bottom").force.x - body_named(run, "top").force.x) / slab.length();
}

/// Mean of the springs' stress G (c - 1) over the fluid.
inline SymMat<double> elastic_stress(const RunningScene& run, const Slab& slab) {
    const auto conformation = run.state().particles.get<SymMat<double>>("conformation");
    SymMat<double> sum{};
    for (const auto& c : conformation) sum = sum + c;
    return slab.fluid.modulus() * ((1 / static_cast<double>(conformation.size())) * sum - SymMat<double>::identity());
}

/// Mean velocity along the plates of the particles between two heights.
inline double velocity_between(const RunningScene& run, double low, double high) {
    const auto x = run.vectors("position"), v = run.vectors("velocity");
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (x[i].y < low || x[i].y > high) continue;
        sum += v[i].x;
        ++count;
    }
    return sum / count;
}

}  // namespace treacle::test
