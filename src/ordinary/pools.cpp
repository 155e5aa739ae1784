#include <algorithm>
#include <cmath>
#include <string>

#include "ordinary/battery.h"

/// Fluid at rest in a tank with the friction that solids have by default.
///
/// Force on the floor: the weight. A liquid at rest has no stress along a wall, at any coefficient of friction: 1 %.
/// The mean force over the time T differs from the weight by the momentum that sloshing has left, m v / T; with v = 5
/// cm/s and half a second, another 1 %.
///
/// Height of the center of mass: half the depth. A wall may hold the first layer up to half a spacing from where it
/// was laid (the theory's own error), and volume may be off by 2 %.
///
/// Speeds: those of a fall by one spacing, √(2 g d), are the scale of any unrest that comes from particles being
/// particles. At rest no more than a hundredth of that energy is left on average (a tenth of the speed), and no
/// particle has more than a quarter of it (half the speed).

namespace treacle::ordinary {

namespace {

constexpr double g = 9.81;

struct Fluid {
    const char* material;
    double settle_quick, settle_full;  ///< s
};

constexpr Fluid water{R"("viscosity": 0.001)", 0.7, 3.5};
constexpr Fluid oil{R"("viscosity": 0.1)", 0.7, 2};
constexpr Fluid slime{R"("viscosity": 4, "shear_modulus": 400, "relaxation_time": 0.5)", 0.7, 9.5};

void measure_pool(Trial& trial, const Fluid& fluid, int layers) {
    const double unit = trial.unit(0.01);
    const int wide = trial.flat() ? trial.draw.whole(8, 12) : trial.draw.whole(5, 7);
    const double depth = layers * unit, width = wide * unit;
    SceneSketch sketch = trial.sketch(unit);
    sketch.material(fluid.material);
    sketch.fluid(sketch.box({0, depth / 2, 0}, {width, depth, width}));
    sketch.tank(width, width);
    if (!trial.open(sketch)) return;

    const double settled = trial.full() ? fluid.settle_full : fluid.settle_quick;
    if (!trial.run(settled)) return;
    const double start = trial.state().time;
    double floor = 0, floor2 = 0, walls = 0, height = 0, kinetic = 0, fastest = 0;
    const auto observe = [&](const StepInfo& step) {
        const double force = -trial.body("floor").force.y;
        floor += step.dt * force;
        floor2 += step.dt * force * force;
        for (const Body& body : trial.state().bodies) walls -= body.name == "floor" ? 0 : step.dt * body.force.y;
        const FluidSums sums = trial.sums();
        height += step.dt * sums.center.y;
        kinetic += step.dt * sums.kinetic;
        fastest = std::max(fastest, sums.fastest);
    };
    if (!trial.run(settled + 0.5, observe)) return;

    const double time = trial.state().time - start;
    const double mass = trial.sums().mass, weight = mass * g;
    const double fall = std::sqrt(2 * g * sketch.spacing());
    const double mean = floor / time;
    trial.expect("floor force / weight", 1, mean / weight, 0.02);
    trial.expect("share of the walls", 0, walls / time / weight, 0.01);
    trial.expect_at_most("noise of the floor force per step / weight", 0.2,
                         std::sqrt(std::max(0.0, floor2 / time - mean * mean)) / weight);
    const double own = sketch.spacing() / depth;
    trial.expect("center of mass / half the depth", 1, height / time / (depth / 2), 0.02 + own, own);
    trial.expect_at_most("mean speed / fall by a spacing", 0.1, std::sqrt(2 * kinetic / time / mass) / fall);
    trial.expect_at_most("greatest speed / fall by a spacing", 0.5, fastest / fall);
}

template <const Fluid& fluid, int layers>
void pool(Trial& trial) {
    measure_pool(trial, fluid, layers);
}

}  // namespace

std::vector<Case> pools() {
    return {
        {"pool_water_10", "water, 10 layers, at rest", Case::in_3d, pool<water, 10>},
        {"pool_water_30", "water, 30 layers, at rest", Case::in_2d, pool<water, 30>},
        {"pool_water_60", "water, 60 layers, at rest", Case::never, pool<water, 60>},
        {"pool_oil_10", "oil of 0.1 Pa s, 10 layers, at rest", Case::in_2d, pool<oil, 10>},
        {"pool_oil_30", "oil of 0.1 Pa s, 30 layers, at rest", Case::in_3d, pool<oil, 30>},
        {"pool_oil_60", "oil of 0.1 Pa s, 60 layers, at rest", Case::never, pool<oil, 60>},
        {"pool_slime_10", "slime, 10 layers, at rest", Case::in_3d, pool<slime, 10>},
        {"pool_slime_30", "slime, 30 layers, at rest", Case::never, pool<slime, 30>},
        {"pool_slime_60", "slime, 60 layers, at rest", Case::in_2d, pool<slime, 60>},
    };
}

}  // namespace treacle::ordinary
