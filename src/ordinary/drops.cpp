#include <algorithm>
#include <cmath>

#include "ordinary/battery.h"

/// Blobs that are dropped on a floor with a step in it, and columns that break like a dam.
///
/// Energy: kinetic and potential (from the floor up) together never exceed what there was at the start by more than 2
/// %; what springs hold in between only lowers the sum. Nothing is lost: the number of particles stays, and none is
/// below the floor by more than half a spacing.
///
/// The dam's fluid ends up level: its center at half the depth of the spread fluid or above, less 5 % and the half
/// spacing by which a wall may hold its first layer (the theory's own error). No jet is faster than twice the front of
/// Ritter's dam, 2 √(g H).

namespace treacle::ordinary {

namespace {

constexpr double g = 9.81;

/// Watches the energy of all steps and the lowest particle.
struct Watch {
    double start = 0, greatest = 0, fastest = 0, lowest = 0;

    explicit Watch(const FluidSums& sums) : start(sums.kinetic + sums.potential(g)) {}
    void look(const FluidSums& sums) {
        greatest = std::max(greatest, sums.kinetic + sums.potential(g));
        fastest = std::max(fastest, sums.fastest);
        lowest = std::min(lowest, sums.low.y);
    }
    void judge(Trial& trial, std::size_t particles, double spacing) const {
        trial.expect_at_most("greatest energy / energy at the start", 1.02, greatest / start);
        const double lost = static_cast<double>(particles) - static_cast<double>(trial.sums().particles);
        trial.expect("particles lost", 0, lost, 0.5);
        trial.expect_at_least("lowest particle / spacing", -0.5, lowest / spacing);
    }
};

void measure_drop(Trial& trial, const char* material, const Json& friction) {
    const double unit = trial.unit(0.01);
    const double radius = (trial.flat() ? trial.draw.between(7, 9) : trial.draw.between(4, 6)) * unit;
    const double high = trial.draw.between(8, 12) * unit;
    SceneSketch sketch = trial.sketch(unit);
    sketch.material(material);
    sketch.fluid(sketch.ball({0, high + radius, 0}, radius));
    sketch.solid("floor", sketch.plane({0, 1, 0}, 0)).set("friction", friction);
    const Vec3d step{8 * unit, 4 * unit, 40 * unit};
    sketch.solid("step", sketch.box({radius, step.y / 2 - unit, 0}, step)).set("friction", friction);
    if (!trial.open(sketch)) return;

    const FluidSums before = trial.sums();
    Watch watch(before);
    if (!trial.run(trial.full() ? 1.5 : 0.5, [&](const StepInfo&) { watch.look(trial.sums()); })) return;
    watch.judge(trial, before.particles, sketch.spacing());
}

void measure_dam(Trial& trial, const char* material) {
    const double unit = trial.unit(0.01);
    const int side = trial.flat() ? trial.draw.whole(14, 18) : trial.draw.whole(8, 10);
    const double high = side * unit, width = 3 * high, thick = 6 * unit;
    SceneSketch sketch = trial.sketch(unit);
    sketch.material(material);
    sketch.fluid(sketch.box({-high, high / 2, 0}, {high, high, thick}));
    sketch.tank(width, thick);
    if (!trial.open(sketch)) return;

    const FluidSums before = trial.sums();
    Watch watch(before);
    if (!trial.run(trial.full() ? 3 : 0.8, [&](const StepInfo&) { watch.look(trial.sums()); })) return;
    watch.judge(trial, before.particles, sketch.spacing());
    const double own = sketch.spacing() / (high / 3);
    trial.expect_at_least("center / half the depth of the spread fluid", 0.95 - own,
                          trial.sums().center.y / (high / 6));
    trial.expect_at_most("greatest speed / Ritter's front", 2, watch.fastest / (2 * std::sqrt(g * high)));
}

void drop_of_jelly(Trial& trial) { measure_drop(trial, R"("viscosity": 1, "shear_modulus": 5000)", 0.3); }
void drop_of_slime(Trial& trial) {
    measure_drop(trial, R"("viscosity": 4, "shear_modulus": 600, "relaxation_time": 0.5)", "no_slip");
}
void drop_of_honey(Trial& trial) { measure_drop(trial, R"("viscosity": 10)", 0.3); }
void dam_of_water(Trial& trial) { measure_dam(trial, R"("viscosity": 0.001)"); }
void dam_of_syrup(Trial& trial) { measure_dam(trial, R"("viscosity": 1)"); }

}  // namespace

std::vector<Case> drops() {
    return {
        {"drop_jelly", "a blob of jelly falls on a floor and a step", Case::in_2d, drop_of_jelly},
        {"drop_slime", "a blob of slime falls on a rough floor and a step", Case::always, drop_of_slime},
        {"drop_honey", "a blob of honey falls on a floor and a step", Case::in_2d, drop_of_honey},
        {"dam_water", "a column of water breaks", Case::always, dam_of_water},
        {"dam_syrup", "a column of 1 Pa s breaks", Case::in_2d, dam_of_syrup},
    };
}

}  // namespace treacle::ordinary
