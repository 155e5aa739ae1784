#include <algorithm>
#include <cmath>

#include "ordinary/battery.h"

/// A block of jelly (5 kPa, no relaxation) on floors of three kinds.
///
/// It sags: on a frictionless floor the center goes down by rho g H² / 3E', with E' = 4G in 2D and 3G in 3D; by less
/// where the floor holds it. So the center ends between that and where it was, but for half a spacing at the floor (the
/// theory's own error) and 2 % of the height. Then it keeps its shape: from halfway to the end center and width change
/// by less than 1 % of the height and of the width. Speeds: a twentieth of a fall by one spacing on average (10 Pa s
/// have calmed the first sag by then), and energy does not rise: the last quarter of the time has no more than the one
/// before, but for a thousandth of a fall by a spacing.

namespace treacle::ordinary {

namespace {

void measure_rest(Trial& trial, const Json& friction) {
    const double unit = trial.unit(0.01), g = 9.81, modulus = 5000;
    const double high = (trial.flat() ? 10 : 8) * unit, wide = (trial.flat() ? 12 : 8) * unit;
    SceneSketch sketch = trial.sketch(unit);
    sketch.material(R"("viscosity": 10, "shear_modulus": 5000)");
    sketch.fluid(sketch.box({0, high / 2, 0}, {wide, high, wide}));
    sketch.solid("floor", sketch.plane({0, 1, 0}, 0)).set("friction", friction);
    const double end = trial.full() ? 10 : 1.2;
    if (!trial.open(sketch)) return;
    const FluidSums before = trial.sums();
    if (!trial.run(end / 2)) return;
    const FluidSums middle = trial.sums();
    double early = 0, late = 0;
    const auto mean_energy = [&](double until, double& sum) {
        const double from = trial.state().time;
        if (!trial.run(until, [&](const StepInfo& step) { sum += step.dt * trial.sums().kinetic; })) return false;
        sum /= trial.state().time - from;
        return true;
    };
    if (!mean_energy(0.75 * end, early) || !mean_energy(end, late)) return;

    const FluidSums now = trial.sums();
    const double spacing = sketch.spacing(), fall = now.mass * g * spacing;
    const double sag = 1000 * g * high / (3 * (trial.flat() ? 4 : 3) * modulus), own = 0.5 * spacing / high;
    const double got = (before.center.y - now.center.y) / high;
    trial.expect("sag of the center / height", sag / 2, got, sag / 2 + 0.02 + own, own);
    trial.expect("creep of the center / height", 0, (middle.center.y - now.center.y) / high, 0.01);
    trial.expect("creep of the width / width", 0, (now.high.x - now.low.x - middle.high.x + middle.low.x) / wide, 0.01);
    trial.expect_at_most("mean speed / fall by a spacing", 0.05, std::sqrt(late / fall));
    trial.expect_at_most("rise of the energy / fall by a spacing", 0.001, (late - early) / fall);
}

void on_ice(Trial& trial) { measure_rest(trial, 0); }
void on_floor(Trial& trial) { measure_rest(trial, 0.3); }
void stuck(Trial& trial) { measure_rest(trial, "no_slip"); }

}  // namespace

std::vector<Case> jelly_at_rest() {
    return {
        {"jelly_ice", "a block of jelly rests on a frictionless floor", Case::in_2d, on_ice},
        {"jelly_floor", "the same, friction 0.3", Case::in_2d, on_floor},
        {"jelly_no_slip", "the same, \"no_slip\"", Case::always, stuck},
    };
}

}  // namespace treacle::ordinary
