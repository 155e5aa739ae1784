#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "pool.h"

/// Buoyancy: the force of resting fluid on bodies in it, alone, close to a floor and close to each other.

namespace treacle::test {

/// Fluid at rest, and round bodies in it that cannot move. Lengths in spacings.
struct Bath {
    std::string method;
    int dimension;
    double radius;
    double above_floor;     ///< of the lowest point of the bodies
    double apart = 0;       ///< of two bodies; 0: there is only one
    double spacing = 0.01;  ///< m
    double density = 0;     ///< of a body that can move; 0: it cannot
    double duration = 1.2;  ///< s
};

inline std::string text(double number) { return std::to_string(number); }

/// A tank that leaves two radii of fluid around and above the bodies.
inline std::string scene_of(const Bath& bath) {
    const bool flat = bath.dimension == 2;
    const double s = bath.spacing, r = s * bath.radius;
    const double across = bath.apart > 0 ? 4 * r + s * bath.apart : 2 * r;
    const double width = s * std::ceil((across + 3 * r) / s), depth = s * std::ceil((s * bath.above_floor + 4 * r) / s);
    const auto point = [&](double x, double y) { return "[" + text(x) + ", " + text(y) + (flat ? "]" : ", 0]"); };
    const auto box = [&](double high) {
        return R"({ "box": { "center": )" + point(0, high / 2) + R"(, "size": [)" + text(width) + ", " + text(high) +
               (flat ? "" : ", " + text(s * std::ceil(5 * bath.radius))) + "] } }";
    };
    const auto body = [&](const char* name, double x) {
        const std::string motion =
            bath.density > 0 ? R"(, "motion": { "dynamic": { "density": )" + text(bath.density) + " } }" : "";
        return R"(, { "name": ")" + std::string(name) + R"(", "friction": 0, "shape": { "sphere": { "center": )" +
               point(x, s * bath.above_floor + r) + R"(, "radius": )" + text(r) + " } }" + motion + " }";
    };
    const double x = bath.apart > 0 ? r + 0.5 * s * bath.apart : 0;
    return R"({ "treacle": 1, "method": ")" + bath.method + R"(", "dimension": )" + std::to_string(bath.dimension) +
           (bath.method == "mukai2021" ? R"(, "precision": "double")" : "") + R"(, "particle_spacing": )" + text(s) +
           R"(, "gravity": )" + (flat ? "[0, -9.81]" : "[0, -9.81, 0]") + R"(, "time": { "duration": 10, "fps": 50 },
      "materials": { "oil": { "viscosity": 0.5 } }, "fluids": [ { "material": "oil", "shape": )" +
           box(depth) + R"( } ],
      "solids": [ { "name": "tank", "invert": true, "friction": 0, "shape": )" +
           box(3 * depth) + " }" + body("body", -x) + (bath.apart > 0 ? body("other", x) : "") + " ] }";
}

/// Forces on the bodies, averaged over the second half of the run, as shares of the weight of the fluid that they
/// displace.
inline std::vector<Vec3d> forces_in(const Bath& bath) {
    RunningScene run(scene_of(bath));
    const int frames = static_cast<int>(50 * bath.duration);
    if (!run.advance(frames / 2)) throw std::runtime_error(run.error());
    std::vector<Vec3d> sum(run.state().bodies.size());
    double time = 0;
    for (int frame = frames / 2; frame < frames; ++frame) {
        const auto outcome = run.simulation().advance_frame([&](const StepInfo& step) {
            for (std::size_t b = 0; b < sum.size(); ++b) sum[b] += step.dt * run.state().bodies[b].force;
            time += step.dt;
            return true;
        });
        if (!outcome) throw std::runtime_error(to_string(outcome.error()));
    }
    const double r = bath.radius * bath.spacing;
    const double weight = 9810 * (bath.dimension == 2 ? M_PI * r * r : 4.0 / 3 * M_PI * r * r * r);
    sum.erase(sum.begin());  // the tank
    for (Vec3d& force : sum) force = force / (time * weight);
    return sum;
}

/// Fluid ends within half a spacing of a body's drawn surface.
inline void expect_buoyancy(const Bath& bath) {
    const double most = std::pow(1 + 0.5 / bath.radius, bath.dimension);
    const double least = std::pow(1 - 0.5 / bath.radius, bath.dimension);
    for (const Vec3d& force : forces_in(bath)) {
        EXPECT_GT(force.y, least) << bath.method << " " << bath.dimension << "D, radius " << bath.radius << ", "
                                  << bath.above_floor << " above the floor, " << bath.apart << " apart";
        EXPECT_LT(force.y, most) << bath.method << " " << bath.dimension << "D, radius " << bath.radius << ", "
                                 << bath.above_floor << " above the floor, " << bath.apart << " apart";
        EXPECT_LT(std::abs(force.x), most - 1) << bath.method << " " << bath.apart << " apart";
    }
}

}  // namespace treacle::test
