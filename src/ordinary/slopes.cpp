#include <algorithm>
#include <cmath>
#include <string>

#include "ordinary/battery.h"

/// An elastic block on a slope of 30 degrees: gravity is turned, not the floor.
///
/// It slides with g (sin - mu cos), or stays if that is negative, whatever its viscosity (0.05 and 5 Pa s): within 10 %
/// of that acceleration, or of g sin where it stays. Twice as long as high, it cannot tip over. The acceleration is
/// that between 0.1 and 0.3 s, when it has settled.

namespace treacle::ordinary {

namespace {

void measure_slope(Trial& trial, double friction) {
    const double unit = trial.unit(0.01), g = 9.81, sine = 0.5, cosine = std::sqrt(0.75);
    const double high = trial.draw.whole(5, 7) * unit, thick = 8 * unit;
    const double right = std::max(0.0, g * (sine - friction * cosine));
    for (const char* viscosity : {"0.05", "5"}) {
        SceneSketch sketch = trial.sketch(unit);
        sketch.gravity({g * sine, -g * cosine, 0});
        sketch.material(R"("shear_modulus": 20000, "viscosity": )" + std::string(viscosity));
        sketch.fluid(sketch.box({0, high / 2, 0}, {2 * high, high, thick}));
        sketch.solid("slope", sketch.plane({0, 1, 0}, 0)).set("friction", friction);
        if (!trial.open(sketch) || !trial.run(0.1)) return;
        const double start = trial.state().time, before = trial.sums().velocity.x;
        if (!trial.run(trial.full() ? 0.6 : 0.3)) return;
        const double got = (trial.sums().velocity.x - before) / (trial.state().time - start);
        trial.expect("acceleration with " + std::string(viscosity) + " Pa s, m/s²", right, got,
                     0.1 * (right > 0 ? right : g * sine));
    }
}

void slope_without(Trial& trial) { measure_slope(trial, 0); }
void slope_slippery(Trial& trial) { measure_slope(trial, 0.1); }
void slope_usual(Trial& trial) { measure_slope(trial, 0.3); }
void slope_rough(Trial& trial) { measure_slope(trial, 1); }

}  // namespace

std::vector<Case> slopes() {
    return {
        {"slope_0", "an elastic block on a slope of 30 degrees, friction 0", Case::in_2d, slope_without},
        {"slope_0.1", "the same, friction 0.1", Case::always, slope_slippery},
        {"slope_0.3", "the same, friction 0.3", Case::in_2d, slope_usual},
        {"slope_1", "the same, friction 1: it stays", Case::in_2d, slope_rough},
    };
}

}  // namespace treacle::ordinary
