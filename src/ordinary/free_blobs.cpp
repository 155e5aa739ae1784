#include <algorithm>
#include <cmath>

#include "ordinary/battery.h"

/// A disc or ball that touches nothing.
///
/// Falling: no force but gravity acts, so its center goes along the parabola. Steps of length dt may put the center off
/// by g t dt / 2 (an integrator of first order, the theory's own error), rounding by a thousandth of the way. Velocity
/// changes by g t exactly: a thousandth. In its own frame nothing acts: speeds there come from the packing alone, at
/// most a twentieth of the fall by one spacing on average, and a fifth of it for a single particle. Volume, as the
/// radius of gyration to the power of the dimension, stays within 5 %.
///
/// Turning freely: angular momentum is kept. What the papers' pair forces and matched shapes keep only on average may
/// go by 2 % a second; clavet2005 moves particles along pairs at two moments of a step and takamatsu2011 blends
/// positions, 10 %. Kinetic energy cannot rise: 2 %. Jelly keeps its shape but for the stretch by centrifugal force,
/// rho omega² R² / G (5 % for the fastest and largest drawn), and 5 %.

namespace treacle::ordinary {

namespace {

constexpr double g = 9.81;

void measure_fall(Trial& trial, const char* material) {
    const double unit = trial.unit(0.01);
    const double radius = (trial.flat() ? trial.draw.between(6, 9) : trial.draw.between(4, 6)) * unit;
    const Vec3d thrown{trial.draw.between(0, 2), trial.draw.between(0, 2), 0};
    SceneSketch sketch = trial.sketch(unit);
    sketch.material(material);
    sketch.fluid(sketch.ball({}, radius)).set("velocity", sketch.vector(thrown));
    if (!trial.open(sketch)) return;

    const FluidSums before = trial.sums();
    double fastest = 0, restless = 0;
    const auto observe = [&](const StepInfo&) {
        const FluidSums now = trial.sums();
        fastest = std::max(fastest, now.own_fastest);
        restless = std::max(restless, std::sqrt(2 * now.own_kinetic / now.mass));
    };
    if (!trial.run(trial.full() ? 1.5 : 0.5, observe)) return;

    const FluidSums now = trial.sums();
    const double t = trial.state().time, fall = std::sqrt(2 * g * sketch.spacing());
    const Vec3d gravity{0, -g, 0};
    const Vec3d way = t * before.velocity + 0.5 * t * t * gravity, gain = now.velocity - before.velocity - t * gravity;
    const double own = 0.5 * g * t * trial.longest_step() / length(way);
    trial.expect("off the parabola / way", 0, length(now.center - before.center - way) / length(way), 0.001 + own, own);
    trial.expect("velocity off / g t", 0, length(gain) / (g * t), 0.001);
    trial.expect_at_most("mean speed in its own frame / fall by a spacing", 0.05, restless / fall);
    trial.expect_at_most("greatest speed in its own frame / fall by a spacing", 0.2, fastest / fall);
    trial.expect("volume / volume at the start", 1, std::pow(now.gyration2 / before.gyration2, 0.5 * trial.dimension()),
                 0.05);
}

void measure_spin(Trial& trial, const char* material, bool solid) {
    const double unit = trial.unit(0.01);
    const double radius = (trial.flat() ? trial.draw.between(7, 9) : trial.draw.between(4, 6)) * unit;
    const double turn = trial.draw.between(270, 450);  // degrees/s
    SceneSketch sketch = trial.sketch(unit);
    sketch.gravity({});
    sketch.material(material);
    sketch.fluid(sketch.ball({}, radius)).set("angular_velocity", sketch.spin(turn));
    if (!trial.open(sketch)) return;

    const FluidSums before = trial.sums();
    double energy = 0;
    if (!trial.run(trial.full() ? 1 : 0.4,
                   [&](const StepInfo&) { energy = std::max(energy, trial.sums().own_kinetic); }))
        return;

    const FluidSums now = trial.sums();
    const bool loose = trial.method() == "clavet2005" || trial.method() == "takamatsu2011";
    const double per_second = loose ? 0.1 : 0.02;
    trial.expect("angular momentum / at the start", 1, now.spin.z / before.spin.z, per_second * trial.state().time);
    trial.expect_at_most("greatest kinetic energy / at the start", 1.02, energy / before.own_kinetic);
    if (solid) {
        trial.expect("volume / volume at the start", 1,
                     std::pow(now.gyration2 / before.gyration2, 0.5 * trial.dimension()), 0.1, 0.05);
    }
}

void spin_of_honey(Trial& trial) { measure_spin(trial, R"("viscosity": 10)", false); }
void spin_of_jelly(Trial& trial) { measure_spin(trial, R"("viscosity": 1, "shear_modulus": 5000)", true); }

void fall_of_water(Trial& trial) { measure_fall(trial, R"("viscosity": 0.001)"); }
void fall_of_honey(Trial& trial) { measure_fall(trial, R"("viscosity": 10)"); }
void fall_of_jelly(Trial& trial) { measure_fall(trial, R"("viscosity": 1, "shear_modulus": 5000)"); }

}  // namespace

std::vector<Case> free_blobs() {
    return {
        {"fall_water", "free fall of a blob of water", Case::always, fall_of_water},
        {"fall_honey", "free fall of a blob of honey", Case::never, fall_of_honey},
        {"fall_jelly", "free fall of a blob of jelly", Case::always, fall_of_jelly},
        {"spin_honey", "a free disc or ball of honey turns", Case::always, spin_of_honey},
        {"spin_jelly", "a free disc or ball of jelly turns", Case::always, spin_of_jelly},
    };
}

}  // namespace treacle::ordinary
