#include <algorithm>
#include <cmath>
#include <string>

#include "ordinary/battery.h"

/// Jelly and syrup that touch the underside of a plate.
///
/// Adhesion 0: they fall freely, within 10 %; nothing stays within two spacings of the plate. Adhesion 3: a block of
/// jelly hangs, its center lower by at most a quarter of its height (elastic sag alone is some per cent); of syrup,
/// which may drip, at least half of the layer that touches the plate stays within two spacings of it.

namespace treacle::ordinary {

namespace {

void measure_hanging(Trial& trial, const char* material, double adhesion, bool solid) {
    const double unit = trial.unit(0.01), high = 6 * unit;
    const double wide = trial.draw.whole(9, 11) * unit, thick = 8 * unit, g = 9.81;
    SceneSketch sketch = trial.sketch(unit);
    sketch.material(material);
    sketch.fluid(sketch.box({0, -high / 2, 0}, {wide, high, thick}));
    Json& plate = sketch.solid("plate", sketch.box({0, 2 * unit, 0}, {wide + 8 * unit, 4 * unit, thick + 8 * unit}));
    plate.set("adhesion", adhesion);
    if (!trial.open(sketch)) return;
    const FluidSums before = trial.sums();
    if (!trial.run(trial.full() ? 1 : 0.4)) return;

    const FluidRows rows = rows_of(trial.state());
    const double t = trial.state().time, way = before.center.y - trial.sums().center.y;
    double near = 0;
    for (const Vec3d x : rows.position) near += x.y > -2 * sketch.spacing() ? 1 : 0;
    const double layer = static_cast<double>(before.particles) * sketch.spacing() / high;
    if (adhesion == 0) {
        trial.expect("way / free fall", 1, way / (0.5 * g * t * t), 0.1);
        trial.expect("left at the plate / a layer", 0, near / layer, 0.02);
    } else if (solid) {
        trial.expect_at_most("way / height", 0.25, way / high);
    } else {
        trial.expect_at_least("left at the plate / a layer", 0.5, near / layer);
    }
}

constexpr const char* jelly = R"("viscosity": 1, "shear_modulus": 5000)";
constexpr const char* syrup = R"("viscosity": 5, "surface_tension": 0.06)";

void loose_jelly(Trial& trial) { measure_hanging(trial, jelly, 0, true); }
void held_jelly(Trial& trial) { measure_hanging(trial, jelly, 3, true); }
void loose_syrup(Trial& trial) { measure_hanging(trial, syrup, 0, false); }
void held_syrup(Trial& trial) { measure_hanging(trial, syrup, 3, false); }

}  // namespace

std::vector<Case> hanging() {
    return {
        {"hang_jelly_0", "jelly under a plate of adhesion 0 falls", Case::always, loose_jelly},
        {"hang_jelly_3", "jelly under a plate of adhesion 3 hangs", Case::always, held_jelly, {"adhesion"}},
        {"hang_syrup_0", "syrup under a plate of adhesion 0 falls", Case::in_2d, loose_syrup},
        {"hang_syrup_3", "syrup under a plate of adhesion 3 wets it", Case::in_2d, held_syrup, {"adhesion"}},
    };
}

}  // namespace treacle::ordinary
