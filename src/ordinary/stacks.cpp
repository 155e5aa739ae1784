#include <algorithm>
#include <cmath>
#include <string>

#include "ordinary/battery.h"

/// Blocks on top of each other under water.
///
/// Two lie on the floor and on each other, a third starts two spacings above them, with water between. It sinks, drives
/// the water out and comes to rest: at the end no block moves by more than a quarter of a spacing in half a second, and
/// none leans by more than 5 degrees, half a spacing over half its width. Solids do not enter each other by more than
/// a quarter of a spacing, and at most one layer of water is left between them: 1.25 spacings.

namespace treacle::ordinary {

namespace {

void measure_stack(Trial& trial) {
    const double unit = trial.unit(0.01), wide = 12 * unit, high = 4 * unit, thick = 8 * unit, gap = 2 * unit;
    const double width = 28 * unit, depth = 20 * unit, density = trial.draw.between(1500, 4000);
    SceneSketch sketch = trial.sketch(unit);
    sketch.material(R"("viscosity": 0.001)");
    sketch.fluid(sketch.box({0, depth / 2, 0}, {width, depth, width}));
    sketch.tank(width, width);
    const std::string names[] = {"lowest", "middle", "upper"};
    for (int n = 0; n < 3; ++n) {
        const double center = (n + 0.5) * high + (n == 2 ? gap : 0);
        sketch.solid(names[n], sketch.box({0, center, 0}, {wide, high, thick}))
            .set("motion", SceneSketch::dynamic(density));
    }
    if (!trial.open(sketch) || !trial.run(trial.full() ? 2.5 : 1)) return;

    const auto height = [&](const std::string& name) { return trial.body(name).center_of_mass_in_space().y; };
    const double before[] = {height(names[0]), height(names[1]), height(names[2])};
    if (!trial.run(trial.state().time + 0.5)) return;
    const double d = sketch.spacing();
    double moved = 0, lean = 0;
    for (int n = 0; n < 3; ++n) {
        const Vec3d up = rotate(trial.body(names[n]).pose.rotation, {0, 1, 0});
        moved = std::max(moved, std::abs(height(names[n]) - before[n]));
        lean = std::max(lean, std::acos(std::min(1.0, up.y)) * 180 / 3.14159265358979323846);
    }
    const double between[] = {height(names[0]) - high / 2, height(names[1]) - height(names[0]) - high,
                              height(names[2]) - height(names[1]) - high};
    trial.expect_at_most("moved at the end / spacing", 0.25, moved / d);
    trial.expect_at_most("lean, degrees", 5, lean);
    trial.expect_at_least("least distance of solids / spacing", -0.25, *std::min_element(between, between + 3) / d);
    trial.expect_at_most("greatest distance of solids / spacing", 1.25, *std::max_element(between, between + 3) / d);
}

}  // namespace

std::vector<Case> stacks() {
    return {{"stack", "three blocks on top of each other under water", Case::in_2d, measure_stack}};
}

}  // namespace treacle::ordinary
