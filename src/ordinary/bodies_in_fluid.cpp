#include <algorithm>
#include <cmath>
#include <string>

#include "ordinary/battery.h"

/// Round bodies that cannot move, under oil at rest.
///
/// The fluid lifts each by the weight of what it displaces (Archimedes), wherever fluid is below it, and does not push
/// it sideways: 5 % of that weight for radii of 8 spacings, 15 % for 4 (the quick ball). Where the fluid ends is known
/// to half a spacing: the theory's own error is (1 + d/2R)^D - 1, and is printed beside it, not added. Noise from step
/// to step, as a standard deviation: 20 %.

namespace treacle::ordinary {

namespace {

constexpr double pi = 3.14159265358979323846;

/// Lengths in spacings.
struct Arrangement {
    double gap;    ///< below the bodies
    double apart;  ///< between two; 0: there is only one
};

void measure_lift(Trial& trial, const Arrangement& arrangement) {
    const double unit = trial.unit(0.01);
    const bool small = !trial.flat() && !trial.full();
    const double radius = (small ? 4 : trial.draw.between(8, 9)) * unit;
    const double gap = arrangement.gap > 3 ? 1.5 * radius : arrangement.gap * unit, apart = arrangement.apart * unit;
    const double across = apart > 0 ? 4 * radius + apart : 2 * radius;
    const double width = unit * std::ceil((across + 3 * radius) / unit), thick = unit * std::ceil(5 * radius / unit);
    const double depth = unit * std::ceil((gap + 3.5 * radius) / unit);
    SceneSketch sketch = trial.sketch(unit);
    sketch.material(R"("viscosity": 0.1)");
    sketch.fluid(sketch.box({0, depth / 2, 0}, {width, depth, thick}));
    sketch.tank(width, thick);
    const double x = apart > 0 ? radius + apart / 2 : 0;
    std::vector<std::string> names{"body"};
    sketch.solid("body", sketch.ball({-x, gap + radius, 0}, radius));
    if (apart > 0) sketch.solid("other", sketch.ball({x, gap + radius, 0}, radius)), names.push_back("other");
    if (!trial.open(sketch)) return;

    const double settled = trial.full() ? 1 : 0.5;
    if (!trial.run(settled)) return;
    const double start = trial.state().time;
    std::vector<Vec3d> sum(names.size());
    std::vector<double> squares(names.size());
    const auto observe = [&](const StepInfo& step) {
        for (std::size_t n = 0; n < names.size(); ++n) {
            const Vec3d force = trial.body(names[n]).force;
            sum[n] += step.dt * force;
            squares[n] += step.dt * force.y * force.y;
        }
    };
    if (!trial.run(settled + 0.3, observe)) return;

    const double time = trial.state().time - start;
    const double volume = trial.flat() ? pi * radius * radius : 4.0 / 3 * pi * radius * radius * radius;
    const double weight = 9810 * volume, tolerance = small ? 0.15 : 0.05;
    const double own = std::pow(1 + 0.5 * sketch.spacing() / radius, trial.dimension()) - 1;
    for (std::size_t n = 0; n < names.size(); ++n) {
        const Vec3d mean = sum[n] / time;
        const std::string of = names.size() > 1 ? " of " + names[n] : "";
        trial.expect("lift / displaced weight" + of, 1, mean.y / weight, tolerance, own);
        trial.expect("sideways force / displaced weight" + of, 0, mean.x / weight, tolerance, own);
        trial.expect_at_most("noise per step / displaced weight" + of, 0.2,
                             std::sqrt(std::max(0.0, squares[n] / time - mean.y * mean.y)) / weight);
    }
}

void mid_depth(Trial& trial) { measure_lift(trial, {100, 0}); }
void near_floor(Trial& trial) { measure_lift(trial, {trial.draw.between(2, 3), 0}); }
void close_together(Trial& trial) { measure_lift(trial, {100, trial.draw.between(2, 3)}); }

}  // namespace

std::vector<Case> bodies_in_fluid() {
    return {
        {"body_mid_depth", "force on a fixed disc or ball in the middle of oil", Case::in_2d, mid_depth},
        {"body_near_floor", "the same, two to three spacings above the floor", Case::in_2d, near_floor},
        {"bodies_close", "the same, two bodies two to three spacings apart", Case::in_2d, close_together},
    };
}

}  // namespace treacle::ordinary
