#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "support/run_scene.h"

/// A free ball of jelly swings at frequencies given by its shear modulus; with a relaxation time it is damped.

namespace treacle::test {

struct Ball {
    static constexpr double spacing = 0.05;
    static constexpr double density = 1000;

    std::string method = "takahashi2014";
    int dimension = 3;
    double radius = 8;      // in spacings
    double modulus = 2000;  // Pa
    double dt = 1e-3;
    double strain = 0.05;  // amplitude, as a share of the radius
    bool torsion = false;
    std::optional<double> relaxation_time{};
    std::string own{};  // of the material

    double wave_speed() const { return std::sqrt(modulus / density); }
    /// Times the radius: exact for an elastic ball (disc) with a free surface, incompressible unless it is twisted.
    double wave_number() const { return dimension == 2 ? (torsion ? 5.1356 : 2.3535) : torsion ? 2.501 : 2.66; }
    std::string scene() const {
        const std::string center = dimension == 2 ? "[0, 0]" : "[0, 0, 0]";
        const double fps = 1 / (5 * dt);
        return R"({ "treacle": 1, "method": ")" + method + R"(", "dimension": )" + std::to_string(dimension) +
               R"(, "particle_spacing": )" + std::to_string(spacing) + R"(, "gravity": )" + center +
               R"(, "time": { "duration": 10, "fps": )" + std::to_string(fps) + R"(, "fixed_dt": )" +
               std::to_string(dt) + R"( }, "materials": { "jelly": { "density": 1000, "shear_modulus": )" +
               std::to_string(modulus) +
               (relaxation_time ? R"(, "relaxation_time": )" + std::to_string(*relaxation_time) : "") + R"(, ")" +
               method + R"(": { )" + own + R"( } } },
                 "fluids": [ { "material": "jelly", "packing": "relaxed", "shape": { "sphere": { "center": )" +
               center + R"(, "radius": )" + std::to_string(radius * spacing) + R"( } } } ] })";
    }
};

struct Swing {
    double period;   // over that of theory
    double damping;  // ratio of the amplitude's decay rate to the undamped angular frequency
};

/// Velocity at a point for the mode, per radius and second.
inline Vec3d mode(const Ball& ball, Vec3d x, double radius) {
    if (ball.dimension == 2 && ball.torsion) {
        const double r = length(x), k = ball.wave_number() / radius;
        return (r > 0 ? std::cyl_bessel_j(1, k * r) / r : k / 2) * radius * Vec3d{-x.y, x.x, 0};
    }
    if (ball.dimension == 2) return {x.x, -x.y, 0};
    if (ball.torsion) return Vec3d{x.y * x.z, 0, -x.y * x.x} / radius;
    return {x.x, -0.5 * x.y, -0.5 * x.z};
}

/// Sets the ball swinging and takes the period from the zeros of its velocity in the mode.
inline Swing swing(const Ball& ball) {
    const Scene scene = scene_from(ball.scene());
    const RunningScene at_rest(scene);
    State state = at_rest.state();
    const auto position = state.particles.get<Row4<float>>("position");
    const auto velocity = state.particles.get<Row4<float>>("velocity");
    const double count = static_cast<double>(position.size());
    const double radius = ball.dimension == 2 ? std::sqrt(count / std::numbers::pi) * Ball::spacing
                                              : std::cbrt(3 * count / (4 * std::numbers::pi)) * Ball::spacing;
    const double frequency = ball.wave_number() * ball.wave_speed() / radius;
    for (std::size_t i = 0; i < position.size(); ++i) {
        velocity[i] = cast<float>(ball.strain * frequency * mode(ball, cast<double>(position[i].xyz()), radius));
    }
    auto resumed = Simulation::resume(scene, std::move(state), 2, Log{});
    Simulation& simulation = **resumed;

    const auto motion = [&] {
        const auto x = simulation.state().particles.get<Row4<float>>("position");
        const auto v = simulation.state().particles.get<Row4<float>>("velocity");
        double sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i)
            sum += dot(mode(ball, cast<double>(x[i].xyz()), radius), cast<double>(v[i].xyz()));
        return sum;
    };
    std::vector<double> zeros, peaks;
    double last = motion(), time = 0, peak = 0;
    const double step = 5 * ball.dt;
    while (zeros.size() < 5 && time < 5 * 2 * std::numbers::pi / frequency) {
        if (!simulation.advance_frame([](const StepInfo&) { return true; })) throw std::runtime_error("diverged");
        time += step;
        const double now = motion();
        if (now * last < 0) {
            zeros.push_back(time - step * now / (now - last));
            peaks.push_back(peak);
            peak = 0;
        }
        peak = std::max(peak, std::abs(now));
        last = now;
    }
    if (zeros.size() < 5) return {0, 1};
    const double period = (zeros[4] - zeros[0]) / 2;
    const double decrement = std::log(peaks[1] / peaks[4]) / 1.5;  // over a period; peaks are half a period apart
    return {period * frequency / (2 * std::numbers::pi), decrement / (2 * std::numbers::pi)};
}

}  // namespace treacle::test
