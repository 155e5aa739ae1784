#include <cmath>
#include <map>

#include "support/run_scene.h"

/// A solid that forgets its shape repeatedly flows. Under a constant load it makes the whole elastic deformation once
/// in every interval, so it creeps like a fluid of viscosity (1 - α) G · update_interval, as long as it comes to rest
/// in between.

namespace treacle {
namespace {

using test::RunningScene;

constexpr double spacing = 0.02, sideways = 5;
constexpr int rows = 8;

/// A layer on a floor to which it sticks, drawn sideways; 2D.
std::string layer(double fluidity, double modulus, double interval) {
    return R"({ "treacle": 1, "method": "takamatsu2011", "dimension": 2, "particle_spacing": 0.02,
      "gravity": [5, -9.81],
        "time": { "duration": 10, "fps": 8 },
        "takamatsu2011": { "support_radius": 2.5, "sound_speed": 10, "update_threshold": 0, "update_interval": )" +
           std::to_string(interval) + R"( },
        "materials": { "layer": { "density": 1000, "viscosity": 500, "shear_modulus": )" +
           std::to_string(modulus) + R"(, "takamatsu2011": { "fluidity": )" + std::to_string(fluidity) + R"( } } },
        "fluids": [ { "material": "layer", "shape": { "box": { "center": [0, 0.08], "size": [1.28, 0.16] } } } ],
        "solids": [ { "name": "floor", "friction": "no_slip", "shape": { "plane": { "normal": [0, 1] } } } ] })";
}

std::map<std::uint32_t, Vec3d> places(const RunningScene& run) {
    std::map<std::uint32_t, Vec3d> all;
    const auto position = run.vectors("position");
    const auto id = run.state().particles.get<std::uint32_t>("id");
    for (std::size_t i = 0; i < id.size(); ++i) all[id[i]] = position[i];
    return all;
}

/// Viscosity of a Newtonian layer whose uppermost row moves as fast over the lowest: u = ρ g/η (H y - y²/2).
double measured_viscosity(double fluidity, double modulus, double interval) {
    RunningScene run(layer(fluidity, modulus, interval));
    const auto start = places(run);
    if (!run.advance(4)) throw std::runtime_error(run.error());
    const auto before = places(run);
    if (!run.advance(4)) throw std::runtime_error(run.error());  // 0.5 s, whole intervals
    const auto after = places(run);
    const double low = 0.5 * spacing, high = (rows - 0.5) * spacing, depth = rows * spacing;
    double moved = 0, count = 0;
    for (const auto& [id, place] : start) {
        if (std::abs(place.x) > 0.2) continue;
        const double distance = after.at(id).x - before.at(id).x;
        if (std::abs(place.y - high) < 0.1 * spacing) moved += distance, count += 1;
        if (std::abs(place.y - low) < 0.1 * spacing) moved -= distance;
    }
    const auto shape = [&](double y) { return depth * y - 0.5 * y * y; };
    return 1000 * sideways * (shape(high) - shape(low)) / (moved / count / 0.5);
}

TEST(Takamatsu2011Flow, CreepsWithTheModulusInEffectTimesTheInterval) {
    EXPECT_NEAR(measured_viscosity(0.5, 200000, 0.25) / (100000 * 0.25), 1, 0.06);
    EXPECT_NEAR(measured_viscosity(0.8, 500000, 0.25) / (100000 * 0.25), 1, 0.06);
    EXPECT_NEAR(measured_viscosity(0.5, 400000, 0.25) / (200000 * 0.25), 1, 0.06);
    EXPECT_NEAR(measured_viscosity(0.5, 200000, 0.5) / (100000 * 0.5), 1, 0.06);
}

}  // namespace
}  // namespace treacle
