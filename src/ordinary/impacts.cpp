#include <algorithm>
#include <cmath>

#include "ordinary/battery.h"

/// A block of water flies against a plate of two to three spacings, without gravity.
///
/// Nothing passes: no particle is below the middle of the plate at any step, as far as the plate reaches. It is so wide
/// that nothing can flow around it in the time, even at twice the speed of the impact. Kinetic energy does not rise:
/// 2 %.

namespace treacle::ordinary {

namespace {

void measure_impact(Trial& trial, double speed) {
    const double unit = trial.unit(0.01), thick = trial.draw.between(2, 3) * unit, half = 60 * unit;
    const Vec3d block{10 * unit, 10 * unit, (trial.flat() ? 10 : 6) * unit};
    const double aside = trial.draw.between(-0.4, 0.4);
    SceneSketch sketch = trial.sketch(unit);
    sketch.gravity({});
    sketch.material(R"("viscosity": 0.001)");
    Json& fluid = sketch.fluid(sketch.box({0, block.y / 2 + 2 * unit, 0}, block));
    const double down = speed / std::sqrt(1 + aside * aside);
    fluid.set("velocity", sketch.vector({aside * down, -down, 0}));
    sketch.solid("plate", sketch.box({0, -thick / 2, 0}, {2 * half, thick, 2 * half}));
    if (!trial.open(sketch)) return;

    const FluidSums before = trial.sums();
    double energy = 0;
    std::size_t through = 0;
    const auto observe = [&](const StepInfo&) {
        const FluidRows rows = rows_of(trial.state());
        energy = std::max(energy, sums_of(rows).kinetic);
        std::size_t below = 0;
        for (const Vec3d x : rows.position) {
            below += x.y < -thick / 2 && std::abs(x.x) < half && std::abs(x.z) < half ? 1 : 0;
        }
        through = std::max(through, below);
    };
    if (!trial.run(0.4 * half / speed, observe)) return;
    trial.expect("particles in and behind the plate", 0, static_cast<double>(through), 0.5);
    trial.expect_at_most("greatest kinetic energy / at the start", 1.02, energy / before.kinetic);
}

void slow(Trial& trial) { measure_impact(trial, 1); }
void fast(Trial& trial) { measure_impact(trial, 10); }
void fastest(Trial& trial) { measure_impact(trial, 20); }

}  // namespace

std::vector<Case> impacts() {
    return {
        {"impact_1", "water hits a thin plate at 1 m/s", Case::never, slow},
        {"impact_10", "the same, 10 m/s", Case::in_2d, fast},
        {"impact_20", "the same, 20 m/s", Case::always, fastest},
    };
}

}  // namespace treacle::ordinary
