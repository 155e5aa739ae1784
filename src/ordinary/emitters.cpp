#include <cstdint>
#include <numeric>
#include <vector>

#include "ordinary/battery.h"

/// A mouth pours into an empty scene, and a sink swallows everything.
///
/// Poured mass: density times mouth times speed times time. Fluid comes in layers: one of them (the theory's own error)
/// and 2 %. The layers that stand behind the mouth do not count. Afterwards nothing is left.

namespace treacle::ordinary {

namespace {

void pour(Trial& trial) {
    const double unit = trial.unit(0.01), radius = 5 * unit, speed = trial.draw.between(0.7, 1.3);
    const double start = 0.05, end = 0.35;
    SceneSketch sketch = trial.sketch(unit);
    sketch.material(R"("viscosity": 0.1)");
    Json mouth = Json::object(), emitter = Json::object();
    mouth.set("disk", Json::object()).set("radius", radius);
    emitter.set("material", "fluid");
    emitter.set("shape", std::move(mouth));
    emitter.set("position", sketch.vector({}));
    emitter.set("speed", speed);
    emitter.set("start", start);
    emitter.set("end", end);
    sketch.emitter(std::move(emitter));
    sketch.sink(sketch.plane({0, 1, 0}, -20 * unit));
    if (!trial.open(sketch)) return;

    std::vector<double> outside;  // by id: mass that has come out of the mouth
    const auto observe = [&](const StepInfo&) {
        const auto ids = trial.state().particles.get<std::uint32_t>("id");
        const FluidRows rows = rows_of(trial.state());
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (outside.size() <= ids[i]) outside.resize(ids[i] + 1);
            if (rows.position[i].y < 0) outside[ids[i]] = rows.mass[i];
        }
    };
    if (!trial.run(1.2, observe)) return;
    const double mouth_size = trial.flat() ? 2 * radius : 3.14159265358979323846 * radius * radius;
    const double poured = 1000 * mouth_size * speed * (end - start), own = sketch.spacing() / (speed * (end - start));
    const double mass = std::accumulate(outside.begin(), outside.end(), 0.0);
    trial.expect("mass poured / density mouth speed time", 1, mass / poured, 0.02 + own, own);
    trial.expect("particles left after the sink", 0, static_cast<double>(trial.sums().particles), 0.5);
}

}  // namespace

std::vector<Case> emitters() {
    return {{"emitter", "a mouth pours into an empty scene, a sink swallows all", Case::always, pour}};
}

}  // namespace treacle::ordinary
