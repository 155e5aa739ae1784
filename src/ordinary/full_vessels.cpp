#include <algorithm>
#include <cmath>
#include <vector>

#include "ordinary/battery.h"

/// Closed boxes that are exactly full: at rest, and with a lid that slides (in 3D a slice between frictionless planes).
///
/// At rest as in pools: no more than a hundredth of the energy of a fall by one spacing on average, and a quarter for a
/// single particle; on floor and lid together the weight acts: 2 %.
///
/// Lid-driven cavity at Re = 100: the least velocity along the middle line is -0.211 of the lid's (Ghia, Ghia and Shin
/// 1982). Half a spacing of the box shifts and scales the profile by about as much of its width (the theory's own
/// error): 0.02 and that. Fluid is no faster than the lid: by a fifth for particles.

namespace treacle::ordinary {

namespace {

constexpr double g = 9.81;

void closed_box(SceneSketch& sketch, double side, double thick) {
    sketch.fluid(sketch.box({0, side / 2, 0}, {side, side, thick}));
    sketch.tank(side, thick, "no_slip");
    sketch.solid("lid", sketch.plane({0, -1, 0}, -side)).set("friction", "no_slip");
    if (sketch.dimension() == 2) return;
    for (Json& solid : sketch.root().find("solids")->elements) {
        const std::string& name = solid.find("name")->text;
        if (name == "front" || name == "back") solid.set("friction", 0);
    }
}

void rest(Trial& trial) {
    const double unit = trial.unit(0.01), side = trial.draw.whole(14, 18) * unit, thick = 4 * unit;
    SceneSketch sketch = trial.sketch(unit);
    sketch.material(R"("viscosity": 0.5)");
    closed_box(sketch, side, thick);
    const double settled = trial.full() ? 2 : 0.5;
    if (!trial.open(sketch) || !trial.run(settled)) return;
    const double start = trial.state().time;
    double force = 0, kinetic = 0, fastest = 0;
    const auto observe = [&](const StepInfo& step) {
        const FluidSums sums = trial.sums();
        kinetic += step.dt * sums.kinetic;
        fastest = std::max(fastest, sums.fastest);
        force -= step.dt * (trial.body("floor").force.y + trial.body("lid").force.y);
    };
    if (!trial.run(settled + 0.3, observe)) return;
    const double time = trial.state().time - start, mass = trial.sums().mass;
    const double fall = std::sqrt(2 * g * sketch.spacing());
    trial.expect("force on floor and lid / weight", 1, force / time / (mass * g), 0.02);
    trial.expect_at_most("mean speed / fall by a spacing", 0.1, std::sqrt(2 * kinetic / time / mass) / fall);
    trial.expect_at_most("greatest speed / fall by a spacing", 0.5, fastest / fall);
}

void cavity(Trial& trial) {
    constexpr int across = 24;
    const double unit = trial.unit(0.1 / across), side = across * unit, lid = 0.05 / side;  // with 0.5 Pa s, Re = 100
    SceneSketch sketch = trial.sketch(unit);
    sketch.gravity({});
    sketch.material(R"("viscosity": 0.5)");
    closed_box(sketch, side, 4 * unit);
    for (Json& solid : sketch.root().find("solids")->elements) {
        if (solid.find("name")->text == "lid") solid.set("motion", sketch.moving({lid, 0, 0}));
    }
    const double turn = side / lid;
    if (!trial.open(sketch) || !trial.run((trial.full() ? 12 : 8) * turn)) return;
    std::vector<double> sum(static_cast<std::size_t>(across)), count(sum.size());
    double fastest = 0;
    const auto observe = [&](const StepInfo&) {
        const FluidRows rows = rows_of(trial.state());
        fastest = std::max(fastest, sums_of(rows).fastest);
        for (std::size_t i = 0; i < rows.mass.size(); ++i) {
            if (std::abs(rows.position[i].x) > sketch.spacing()) continue;
            const double bin = std::clamp(rows.position[i].y / unit, 0.0, across - 1.0);
            sum[static_cast<std::size_t>(bin)] += rows.velocity[i].x;
            count[static_cast<std::size_t>(bin)] += 1;
        }
    };
    if (!trial.run(trial.state().time + 4 * turn, observe)) return;
    double least = 0;
    for (std::size_t n = 0; n < sum.size(); ++n) {
        if (count[n] > 0) least = std::min(least, sum[n] / count[n] / lid);
    }
    const double own = 0.211 * 0.5 / across;
    trial.expect("least velocity on the middle line / lid", -0.211, least, 0.02 + own, own);
    trial.expect_at_most("greatest speed / lid", 1.2, fastest / lid);
}

}  // namespace

std::vector<Case> full_vessels() {
    return {
        {"full_rest", "a closed, full box of 0.5 Pa s at rest", Case::always, rest},
        {"cavity", "lid-driven cavity at Re 100", Case::in_2d, cavity},
    };
}

}  // namespace treacle::ordinary
