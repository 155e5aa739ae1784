#include <cmath>
#include <numbers>

#include "support/run_scene.h"

/// Shear between two plates decays at the rate of the viscosity, with every scheme.

namespace treacle {
namespace {

constexpr double spacing = 0.01, density = 1000, viscosity = 1;
constexpr int layers = 12;

std::string scene(const std::string& scheme, double dt) {
    const std::string friction = scheme == "xsph" ? "0.3" : "\"no_slip\"";
    return R"({ "treacle": 1, "method": "takahashi2014", "dimension": 2, "particle_spacing": 0.01, "gravity": [0, 0],
      "time": { "duration": 10, "fps": )" +
           std::to_string(1 / (8 * dt)) + R"(, "fixed_dt": )" + std::to_string(dt) + R"( },
      "takahashi2014": { "viscosity_scheme": ")" +
           scheme + R"(" },
      "materials": { "syrup": { "density": 1000, "viscosity": 1 } },
      "fluids": [ { "material": "syrup", "packing": "relaxed",
        "shape": { "box": { "center": [0, 0.06], "size": [0.6, 0.12] } } } ],
      "solids": [ { "name": "below", "shape": { "plane": { "normal": [0, 1], "offset": 0 } }, "friction": )" +
           friction + R"( },
                  { "name": "above", "shape": { "plane": { "normal": [0, -1], "offset": -0.12 } }, "friction": )" +
           friction + " } ] }";
}

/// Share of the viscosity in the decay of v = sin(π y/H), from the middle of a strip. The nodes are at the surfaces of
/// the plates. Without load only xsph is dragged by walls with friction: its nodes are about at their samples, half a
/// spacing below the surface.
double share_shown(const std::string& scheme, double dt, int frames) {
    const double below = scheme == "xsph" ? 0.5 * spacing : 0, height = layers * spacing + 2 * below;
    const double k = std::numbers::pi / height;
    const auto mode = [&](double y) { return std::sin(k * (y + below)); };
    const Scene read = test::scene_from(scene(scheme, dt));
    const test::RunningScene at_rest(read);
    State state = at_rest.state();
    const auto position = state.particles.get<Row4<float>>("position");
    const auto velocity = state.particles.get<Row4<float>>("velocity");
    for (std::size_t i = 0; i < position.size(); ++i) {
        velocity[i] = Vec3<float>{static_cast<float>(0.01 * mode(static_cast<double>(position[i].y))), 0, 0};
    }
    auto resumed = Simulation::resume(read, std::move(state), 2, Log{});
    Simulation& simulation = **resumed;
    const auto amplitude = [&] {
        const auto x = simulation.state().particles.get<Row4<float>>("position");
        const auto v = simulation.state().particles.get<Row4<float>>("velocity");
        double sum = 0, weight = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (std::abs(x[i].x) > 0.15f) continue;
            const double m = mode(static_cast<double>(x[i].y));
            sum += m * static_cast<double>(v[i].x);
            weight += m * m;
        }
        return sum / weight;
    };
    const double before = amplitude();
    for (int n = 0; n < frames; ++n) {
        if (!simulation.advance_frame([](const StepInfo&) { return true; })) throw std::runtime_error("diverged");
    }
    return -std::log(amplitude() / before) / (viscosity / density * k * k * frames * 8 * dt);
}

TEST(Takahashi2014Viscosity, IsTheSameByAllSchemes) {
    for (const double dt : {1e-3, 2.5e-4}) {
        const int frames = static_cast<int>(std::lround(0.8 / (8 * dt)));
        const double implicitly = share_shown("implicit", dt, frames), explicitly = share_shown("explicit", dt, frames);
        // Theory is 1. The operator is known to lose viscosity, 3 to 8 % in disordered fluid and more on a lattice, and
        // the strip slips at its plates: a loss of 15 % is allowed, an excess of 5 %.
        EXPECT_GT(implicitly, 0.85) << dt;
        EXPECT_LT(implicitly, 1.05) << dt;
        EXPECT_NEAR(explicitly / implicitly, 1, 0.01) << dt;
        // The share that one step of it leaves out: rate·dt is 0.063 and 0.016.
        EXPECT_NEAR(share_shown("xsph", dt, frames), dt > 5e-4 ? 0.969 : 0.992, 0.04) << dt;
    }
}

}  // namespace
}  // namespace treacle
