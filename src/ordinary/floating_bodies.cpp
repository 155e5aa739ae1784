#include <algorithm>
#include <cmath>
#include <string>

#include "ordinary/battery.h"

/// Bodies that float, sink and rise.
///
/// Draught: a flat box of density s floats with s of its height below the level (Archimedes; the level follows from the
/// volume of the fluid). It starts an eighth of its height too high and is averaged over 0.8 s, two times it bobs: 5 %
/// of the height; where the fluid ends is known to half a spacing (the theory's own error, in heights).
///
/// Direction: a disc or ball of another density than the fluid's starts at rest and has gone its way by a spacing after
/// half a second; free of drag it would go (s - 1) / (s + 1) g t²/2, dozens of spacings. It must not be thrown: never
/// faster than √(2 g D) with D the depth of the fluid.
///
/// Speed: a disc of 8 spacings of radius sinks in 10 Pa s between walls, a quarter as wide as their distance, with
/// F (ln(1/k) - 0.9157 + 1.7244 k² - 1.7302 k⁴) / (4 pi eta), k = 1/4 (Faxen): 15 %, and what half a spacing of
/// radius makes (the theory's own error).

namespace treacle::ordinary {

namespace {

constexpr double pi = 3.14159265358979323846, g = 9.81;

void measure_draught(Trial& trial, double density) {
    const double unit = trial.unit(0.01);
    const double high = 8 * unit, wide = (trial.flat() ? 16 : 12) * unit, tank = wide + 16 * unit;
    const double depth = 16 * unit, bottom = depth - density * high + high / 8;
    SceneSketch sketch = trial.sketch(unit);
    sketch.material(R"("viscosity": 0.1)");
    sketch.fluid(sketch.box({0, depth / 2, 0}, {tank, depth, tank}));
    sketch.tank(tank, tank);
    Json& body = sketch.solid("body", sketch.box({0, bottom + high / 2, 0}, {wide, high, wide}));
    body.set("motion", SceneSketch::dynamic(1000 * density));
    if (!trial.open(sketch) || !trial.run(trial.full() ? 2 : 0.7)) return;
    const double start = trial.state().time;
    double center = 0, fastest = 0;
    const auto observe = [&](const StepInfo& step) {
        center += step.dt * trial.body("body").center_of_mass_in_space().y;
        fastest = std::max(fastest, length(trial.body("body").velocity_of_center()));
    };
    if (!trial.run(start + 0.8, observe)) return;
    const double lowest = center / (trial.state().time - start) - high / 2;
    const double level = trial.sums().mass / 1000 / std::pow(tank, trial.dimension() - 1);
    const double share = std::pow(wide / tank, trial.dimension() - 1);
    const double below = (level - lowest) / (1 - share);
    trial.expect("draught / height", density, below / high, 0.05, 0.5 * sketch.spacing() / high);
    trial.expect_at_most("greatest speed / fall by its height", 1, fastest / std::sqrt(2 * g * high));
}

void measure_way(Trial& trial, double density, const char* viscosity) {
    const double unit = trial.unit(0.01);
    const double radius = (trial.flat() ? 8 : 4) * unit, depth = (trial.flat() ? 32 : 16) * unit;
    const double width = 4 * radius;
    const double start = density > 1 ? depth - 1.5 * radius : radius + 2 * unit;
    SceneSketch sketch = trial.sketch(unit);
    sketch.material(R"("viscosity": )" + std::string(viscosity));
    sketch.fluid(sketch.box({0, depth / 2, 0}, {width, depth, width}));
    sketch.tank(width, width);
    sketch.solid("body", sketch.ball({0, start, 0}, radius)).set("motion", SceneSketch::dynamic(1000 * density));
    if (!trial.open(sketch)) return;
    double fastest = 0;
    if (!trial.run(0.5, [&](const StepInfo&) {
            fastest = std::max(fastest, length(trial.body("body").velocity_of_center()));
        }))
        return;
    const double way = (trial.body("body").center_of_mass_in_space().y - start) / sketch.spacing();
    if (density > 1) trial.expect_at_most("way / spacing", -1, way);
    else trial.expect_at_least("way / spacing", 1, way);
    trial.expect_at_most("greatest speed / fall by the depth", 1, fastest / std::sqrt(2 * g * depth));
}

/// Faxen's factor for a cylinder between walls; k is its diameter over their distance.
double wall_factor(double k) { return std::log(1 / k) - 0.9157 + 1.7244 * k * k - 1.7302 * k * k * k * k; }

void sinking_speed(Trial& trial) {
    const double unit = trial.unit(0.0025), eta = 10;
    const double radius = 8 * unit, width = 64 * unit, depth = 72 * unit, density = trial.draw.between(1.6, 2.4);
    SceneSketch sketch = trial.sketch(unit);
    sketch.material(R"("viscosity": 10)");
    sketch.fluid(sketch.box({0, depth / 2, 0}, {width, depth, 4 * unit}));
    sketch.tank(width, 4 * unit, "no_slip");
    if (!trial.flat()) {
        for (Json& solid : sketch.root().find("solids")->elements) {
            const std::string& name = solid.find("name")->text;
            if (name == "front" || name == "back") solid.set("friction", 0);
        }
    }
    const Json motion = SceneSketch::dynamic(1000 * density);
    Json& body = sketch.solid("body", sketch.bar(radius, 4 * unit));
    body.set("motion", motion);
    body.set("friction", "no_slip");
    Json place = Json::object();
    place.set("translate", sketch.vector({0, 0.6 * depth, 0}));
    body.find("shape")->set("transform", std::move(place));
    if (!trial.open(sketch) || !trial.run(trial.full() ? 0.3 : 0.15)) return;
    const double start = trial.state().time, before = trial.body("body").center_of_mass_in_space().y;
    if (!trial.run(start + 0.15)) return;
    const double speed = (before - trial.body("body").center_of_mass_in_space().y) / (trial.state().time - start);
    const auto right = [&](double r) {
        return 1000 * (density - 1) * g * pi * radius * radius * wall_factor(2 * r / width) / (4 * pi * eta);
    };
    const double own = right(radius - 0.5 * sketch.spacing()) / right(radius) - 1;
    trial.expect("speed / Stokes' between walls", 1, speed / right(radius), 0.15 + own, own);
}

void float_light(Trial& trial) { measure_draught(trial, 0.05); }
void float_half(Trial& trial) { measure_draught(trial, 0.5); }
void rise_light(Trial& trial) { measure_way(trial, 0.05, "0.001"); }
void rise_from_floor(Trial& trial) { measure_way(trial, 0.4, "0.001"); }
void rise_in_honey(Trial& trial) { measure_way(trial, 0.05, "10"); }
void sink_double(Trial& trial) { measure_way(trial, 2, "0.001"); }
void sink_heavy(Trial& trial) { measure_way(trial, 8, "0.001"); }
void sink_in_honey(Trial& trial) { measure_way(trial, 8, "10"); }

}  // namespace

std::vector<Case> floating_bodies() {
    return {
        {"float_0.05", "draught of a box of density 0.05", Case::in_2d, float_light},
        {"float_0.5", "draught of a box of density 0.5", Case::in_2d, float_half},
        {"rise_0.05", "a disc or ball of density 0.05 rises in water from two spacings above the floor", Case::in_2d,
         rise_light},
        {"rise_0.4", "the same, density 0.4", Case::in_3d, rise_from_floor},
        {"rise_honey", "the same, density 0.05, in 10 Pa s", Case::in_2d, rise_in_honey},
        {"sink_2", "a disc or ball of density 2 sinks in water", Case::in_2d, sink_double},
        {"sink_8", "the same, density 8", Case::in_2d, sink_heavy},
        {"sink_honey", "the same, density 8, in 10 Pa s", Case::never, sink_in_honey},
        {"stokes", "speed of a disc that sinks between walls in 10 Pa s", Case::never, sinking_speed},
    };
}

}  // namespace treacle::ordinary
