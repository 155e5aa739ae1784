#include <algorithm>
#include <cmath>
#include <string>

#include "ordinary/battery.h"

/// A ring of fluid between a cup that stands and a bob that turns, both "no_slip", closed and full; in 3D four layers
/// between frictionless planes.
///
/// Flow between them, when the slowest way to get there has died down to a four-hundredth, is u = A r + B / r. A and B
/// are fitted to the fluid farther than one and a half spacings from both; the profile, continued to the drawn surface,
/// has the speed of the wall. The slip length, by which the surface seems shifted, is (u wall - u fluid) over the shear
/// rate there: at most 0.2 spacings. No fluid is faster than the bob (maximum principle): half as fast again is left to
/// particles.

namespace treacle::ordinary {

namespace {

/// Least squares for u = A r + B / r.
struct Profile {
    double rr = 0, ss = 0, n = 0, ur = 0, us = 0;

    void add(double r, double u, double weight) {
        rr += weight * r * r;
        ss += weight / (r * r);
        n += weight;
        ur += weight * u * r;
        us += weight * u / r;
    }
    double a() const { return (ur * ss - us * n) / (rr * ss - n * n); }
    double b() const { return (us * rr - ur * n) / (rr * ss - n * n); }
    double at(double r) const { return a() * r + b() / r; }
    double shear(double r) const { return 2 * b() / (r * r); }  ///< - r d/dr (u / r)
};

void measure_ring(Trial& trial, double viscosity) {
    const double unit = trial.unit(0.005), inner = 5 * unit, outer = trial.draw.between(13, 15) * unit;
    const double wall = 0.1;  // m/s
    SceneSketch sketch = trial.sketch(unit);
    sketch.gravity({});
    sketch.material(R"("viscosity": )" + std::to_string(viscosity));
    sketch.fluid(sketch.bar(outer, 4 * unit));
    Json& cup = sketch.solid("cup", sketch.bar(outer, 40 * unit));
    cup.set("invert", true);
    cup.set("friction", "no_slip");
    Json& bob = sketch.solid("bob", sketch.bar(inner, 40 * unit));
    bob.set("friction", "no_slip");
    bob.set("motion", sketch.turning(wall / inner * 180 / 3.14159265358979323846));
    if (!trial.flat()) {
        sketch.solid("front", sketch.plane({0, 0, -1}, -2 * unit)).set("friction", 0);
        sketch.solid("back", sketch.plane({0, 0, 1}, -2 * unit)).set("friction", 0);
    }
    const double gap = outer - inner;
    const double steady = gap * gap * 1000 / viscosity / 9.87;  // the slowest mode has gone down to 1/e
    if (!trial.open(sketch)) return;
    double fastest = 0;
    const auto watch = [&](const StepInfo&) { fastest = std::max(fastest, trial.sums().fastest); };
    if (!trial.run(std::max(0.25, 6 * steady), watch)) return;

    Profile profile;
    const double margin = 1.5 * sketch.spacing();
    const auto observe = [&](const StepInfo& step) {
        const FluidRows rows = rows_of(trial.state());
        fastest = std::max(fastest, sums_of(rows).fastest);
        for (std::size_t i = 0; i < rows.mass.size(); ++i) {
            const Vec3d x = rows.position[i], v = rows.velocity[i];
            const double r = std::sqrt(x.x * x.x + x.y * x.y);
            if (r > inner + margin && r < outer - margin) profile.add(r, (x.x * v.y - x.y * v.x) / r, step.dt);
        }
    };
    if (!trial.run(trial.state().time + 0.4, observe)) return;
    const double spacing = sketch.spacing();
    trial.expect("slip length at the bob / spacing", 0, (wall - profile.at(inner)) / profile.shear(inner) / spacing,
                 0.2);
    trial.expect("slip length at the cup / spacing", 0, profile.at(outer) / profile.shear(outer) / spacing, 0.2);
    trial.expect_at_most("greatest speed / speed of the bob", 1.5, fastest / wall);
}

void thin(Trial& trial) { measure_ring(trial, 0.5); }
void thick(Trial& trial) { measure_ring(trial, 5); }
void thickest(Trial& trial) { measure_ring(trial, 50); }

}  // namespace

std::vector<Case> shear_cells() {
    return {
        {"shear_0.5", "slip of 0.5 Pa s between a cup and a turning bob", Case::in_2d, thin},
        {"shear_5", "the same, 5 Pa s", Case::always, thick},
        {"shear_50", "the same, 50 Pa s", Case::in_2d, thickest},
    };
}

}  // namespace treacle::ordinary
