#include <algorithm>
#include <cmath>
#include <string>

#include "ordinary/battery.h"

/// A square bar that floats turns to where it is stable, from wherever it starts.
///
/// Archimedes' lift acts at the center of what is immersed, so for a square of density s an angle is stable where the
/// height of the bar's center above that center of buoyancy is least. A flat side is level for s (1 - s) < 1/6; a
/// corner points down for 9/32 < s < 23/32; s = 0.1 and 0.5 are far from both borders. It starts at three angles. After
/// it has had time to come to rest in a fluid that damps it, the mean angle over 0.8 s is right within 6 degrees: half
/// a spacing at the edge of a bar of 10 spacings (the theory's own error).

namespace treacle::ordinary {

namespace {

constexpr double degrees = 180 / 3.14159265358979323846, quarter_turn = 90;

/// About z, between 0 and 90 degrees: a square looks the same after a quarter of a turn.
double angle_of(const Body& body) {
    const Vec3d side = rotate(body.pose.rotation, {1, 0, 0});
    const double angle = std::atan2(side.y, side.x) * degrees;
    return angle - quarter_turn * std::floor(angle / quarter_turn);
}

/// How far apart two angles of a square are, from -45 to 45 degrees.
double apart(double angle, double other) {
    return angle - other - quarter_turn * std::round((angle - other) / quarter_turn);
}

void measure_tilt(Trial& trial, double density, double stable) {
    const double unit = trial.unit(0.01), side = 10 * unit, thick = 4 * unit;
    const double width = 30 * unit, depth = 16 * unit;
    for (const double start : {8.0, 20.0, 37.0}) {
        SceneSketch sketch = trial.sketch(unit);
        sketch.material(R"("viscosity": 0.5)");
        sketch.fluid(sketch.box({0, depth / 2, 0}, {width, depth, thick}));
        sketch.tank(width, thick, 0);
        Json& bar = sketch.solid("bar", sketch.box({}, {side, side, thick}));
        bar.set("motion", SceneSketch::dynamic(1000 * density));
        Json place = Json::object();
        place.set("rotate", trial.flat() ? Json(start) : sketch.vector({0, 0, start}));
        place.set("translate", sketch.vector({0, depth + (0.5 - density) * side, 0}));
        bar.find("shape")->set("transform", std::move(place));
        if (!trial.open(sketch) || !trial.run(trial.full() ? 4 : 2)) return;
        const double settled = trial.state().time;
        double sum = 0;
        const auto observe = [&](const StepInfo& step) {
            sum += step.dt * apart(start + angle_of(trial.body("bar")), stable);
        };
        if (!trial.run(settled + 0.8, observe)) return;
        const double own = std::atan(0.5 * sketch.spacing() / (side / 2)) * degrees;
        trial.expect("angle from " + std::to_string(static_cast<int>(start)) + " degrees", stable,
                     stable + sum / (trial.state().time - settled), 6, own);
    }
}

void corner_down(Trial& trial) { measure_tilt(trial, 0.5, 45); }
void flat_side(Trial& trial) { measure_tilt(trial, 0.1, 0); }

}  // namespace

std::vector<Case> tilting_bodies() {
    return {
        {"tilt_0.5", "a square bar of density 0.5 floats with a corner down", Case::never, corner_down},
        {"tilt_0.1", "a square bar of density 0.1 floats on a flat side", Case::never, flat_side},
    };
}

}  // namespace treacle::ordinary
