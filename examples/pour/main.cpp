// Pours syrup on a plate, makes it thicker while it flows, then goes back and lets it flow as it was.
#include <algorithm>
#include <cstdio>
#include <string>

#include <treacle/simulation.h>

using namespace treacle::v0;

const std::string scene = R"({
    "treacle": 1, "method": "takahashi2014", "dimension": 2, "particle_spacing": 0.004,
    "time": { "duration": 1, "fps": 50 },
    "materials": { "syrup": { "density": 1300, "viscosity": 2 } },
    "emitters": [ { "material": "syrup", "shape": { "disk": { "radius": 0.012 } }, "position": [0, 0.1],
                    "direction": [0, -1], "speed": 0.6, "end": 0.3 } ],
    "solids": [ { "name": "plate", "shape": { "plane": { "normal": [0, 1], "offset": 0 } }, "friction": "no_slip" } ]
})";

double height(const Frame& frame) {
    const Column& position = frame.column("position");
    double highest = 0;
    for (std::size_t i = 0; i < frame.particles; ++i) highest = std::max(highest, position.at(i, 1));
    return highest;
}

int main() try {
    Simulation syrup = Simulation::from_text(scene);
    while (syrup.time() < 0.4) syrup.step();
    const Snapshot poured = syrup.snapshot();
    std::printf("t %.2f s  %zu particles  height %.1f mm\n", syrup.time(), syrup.particles(),
                1e3 * height(poured.frame()));

    syrup.set("/materials/syrup/viscosity", 200);
    syrup.advance_to(0.8);
    std::printf("thick  t %.2f s  height %.1f mm\n", syrup.time(), 1e3 * height(syrup.frame()));

    syrup.restore(poured);
    syrup.advance_to(0.8);
    std::printf("thin   t %.2f s  height %.1f mm\n", syrup.time(), 1e3 * height(syrup.frame()));
} catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
