#include <algorithm>
#include <cmath>
#include <string>

#include "ordinary/battery.h"

/// A standing wave in a tank with slippery walls: calm must not be bought with waves.
///
/// Gravity leans more and more, up to 10 degrees, for exactly two periods, so that the level follows and no swing is
/// left; then it turns upright at once, and the water swings. The first mode, 98.6 % of the displacement of the center
/// of mass, has ω² = g k tanh(k H), k = π/W. Viscosity and walls without friction take 1 % of its amplitude in a
/// period, and waves as steep as this one change their period by less than 2 % (Tadjbakhsh and Keller 1960). Two
/// periods later the center of mass goes out by at least 80 % of the first time, and by no more than 5 % more. The
/// period is right within 10 %; the depth is known to half a spacing (the theory's own error).

namespace treacle::ordinary {

namespace {

constexpr double pi = 3.14159265358979323846, g = 9.81;

void measure_wave(Trial& trial) {
    const double unit = trial.unit(0.01), width = 24 * unit, depth = 10 * unit, thick = 4 * unit;
    const double lean = 10 * pi / 180;
    const auto period = [&](double height) {
        return 2 * pi / std::sqrt(g * pi / width * std::tanh(pi / width * height));
    };
    const double T = period(depth), settled = trial.full() ? 2 : 0.5, released = settled + 2 * T;
    SceneSketch sketch = trial.sketch(unit);
    Json gravity = Json::object();
    Json& keyframes = gravity.set("keyframes", Json::array());
    const auto set = [&](double time, double angle) {
        Json keyframe = Json::object();
        keyframe.set("time", time);
        keyframe.set("value", sketch.vector({g * std::sin(angle), -g * std::cos(angle), 0}));
        keyframes.push(std::move(keyframe));
    };
    set(settled, 0);
    set(released, lean);
    set(released + 0.001, 0);
    sketch.root().set("gravity", std::move(gravity));
    sketch.material(R"("viscosity": 0.001)");
    sketch.fluid(sketch.box({0, depth / 2, 0}, {width, depth, thick}));
    sketch.tank(width, thick, 0);
    if (!trial.open(sketch) || !trial.run(released)) return;

    const double start = trial.sums().center.x;
    double before = start, time_before = trial.state().time, crossed = 0, crossed_again = 0;
    double greatest = 0;  // within a quarter of a period around the end of the second one
    const auto observe = [&](const StepInfo& step) {
        const double x = trial.sums().center.x;
        // The center of mass passes the middle in the same direction a quarter and five quarters of a period later.
        if (before > 0 && x <= 0) {
            const double at = time_before + (step.time - time_before) * before / (before - x);
            if (crossed == 0) crossed = at;
            else if (crossed_again == 0) crossed_again = at;
        }
        before = x, time_before = step.time;
        if (std::abs(step.time - released - 2 * T) < T / 4) greatest = std::max(greatest, x);
    };
    if (!trial.run(released + 2.25 * T, observe)) return;
    trial.expect_at_least("amplitude after two periods / at the start", 0.8, greatest / start);
    trial.expect_at_most("the same", 1.05, greatest / start);
    trial.expect("period / theory", 1, (crossed_again - crossed) / T, 0.1,
                 std::abs(period(depth - 0.5 * unit) / T - 1));
}

}  // namespace

std::vector<Case> waves() { return {{"wave", "a standing wave in water keeps swinging", Case::in_2d, measure_wave}}; }

}  // namespace treacle::ordinary
