#include "sim/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "state/particle_bounds.h"

namespace treacle {

std::vector<std::string> metrics_names(const Particles& particles) {
    std::vector<std::string> names = {"frame",
                                      "time",
                                      "steps",
                                      "dt_min",
                                      "dt_mean",
                                      "particles",
                                      "mass",
                                      "volume_sum",
                                      "volume_clamped",
                                      "density_error_mean",
                                      "density_error_max",
                                      "iterations_mean",
                                      "iterations_max",
                                      "kinetic_energy",
                                      "momentum_x",
                                      "momentum_y",
                                      "momentum_z",
                                      "angular_momentum_x",
                                      "angular_momentum_y",
                                      "angular_momentum_z",
                                      "com_x",
                                      "com_y",
                                      "com_z",
                                      "min_x",
                                      "min_y",
                                      "min_z",
                                      "max_x",
                                      "max_y",
                                      "max_z",
                                      "speed_max",
                                      "connections",
                                      "components",
                                      "wall_seconds",
                                      "neighbors_mean",
                                      "connections_between",
                                      "connections_to_solids"};
    if (particles.has("temperature"))
        names.insert(names.end(), {"temperature_mean", "temperature_min", "temperature_max"});
    return names;
}

namespace {

struct Sums {
    double mass = 0, volume = 0, volume_clamped = 0, energy = 0;
    Vec3d momentum{}, angular{}, moment{};

    Sums& operator+=(const Sums& b) {
        mass += b.mass;
        volume += b.volume;
        volume_clamped += b.volume_clamped;
        energy += b.energy;
        momentum += b.momentum;
        angular += b.angular;
        moment += b.moment;
        return *this;
    }
};

template <class Real>
Sums sum_over(const Particles& particles, std::span<const double> material_density, const Parallel& parallel) {
    const auto x = particles.get<Row4<Real>>("position");
    const auto v = particles.get<Row4<Real>>("velocity");
    const auto mass = particles.get<Real>("mass");
    const auto density = particles.get<Real>("density");
    const auto material = particles.get<std::uint8_t>("material");
    return parallel.sum<Sums>(Rows::of(particles.size()), [&](std::size_t i) {
        const double m = mass[i];
        const double rho = density[i];
        const Vec3d position = cast<double>(x[i].xyz());
        const Vec3d velocity = cast<double>(v[i].xyz());
        Sums s;
        s.mass = m;
        s.volume = rho > 0 ? m / rho : 0;
        s.volume_clamped = m / std::max(rho, material_density[material[i]]);
        s.energy = 0.5 * m * dot(velocity, velocity);
        s.momentum = m * velocity;
        s.angular = cross(position, m * velocity);
        s.moment = m * position;
        return s;
    });
}

template <class Real>
double highest_speed(const Particles& particles) {
    double square = 0;
    for (const Row4<Real>& row : particles.get<Row4<Real>>("velocity")) {
        const Vec3d velocity = cast<double>(row.xyz());
        square = std::max(square, dot(velocity, velocity));
    }
    return std::sqrt(square);
}

/// Mean over the mass, least and greatest.
template <class Real>
std::array<double, 3> temperatures_of(const Particles& particles, const Parallel& parallel) {
    const auto temperature = particles.get<Real>("temperature");
    const auto mass = particles.get<Real>("mass");
    if (particles.size() == 0) return {};
    const auto sum = [&](const auto& value) { return parallel.sum<double>(Rows::of(particles.size()), value); };
    const double heat =
        sum([&](std::size_t i) { return static_cast<double>(mass[i]) * static_cast<double>(temperature[i]); });
    const double all = sum([&](std::size_t i) { return static_cast<double>(mass[i]); });
    const auto [low, high] = std::minmax_element(temperature.begin(), temperature.end());
    return {heat / all, static_cast<double>(*low), static_cast<double>(*high)};
}

/// Connections between particles of different fluids.
std::size_t connections_between(const State& state) {
    const auto fluid = state.particles.get<std::uint32_t>("fluid");
    const ConnectionGraph& graph = state.connections;
    const auto others = graph.others();
    std::size_t ends = 0;
    for (std::size_t i = 0; i < graph.particle_count(); ++i) {
        for (std::size_t slot = graph.begin(i); slot < graph.begin(i) + graph.count(i); ++slot) {
            if (fluid[others[slot]] != fluid[i]) ++ends;
        }
    }
    return ends / 2;
}

}  // namespace

std::vector<double> metrics_row(const MetricsInput& input, const Parallel& parallel) {
    const State& state = input.state;
    const FrameStatistics& frame = input.statistics;
    const bool single = state.particles.real() == ScalarType::f32;
    const Sums sums = single ? sum_over<float>(state.particles, input.material_density, parallel)
                             : sum_over<double>(state.particles, input.material_density, parallel);
    const Bounds bounds = bounds_of(state.particles);
    const double speed = single ? highest_speed<float>(state.particles) : highest_speed<double>(state.particles);
    const Vec3d com = sums.mass > 0 ? sums.moment / sums.mass : Vec3d{};
    const auto steps = static_cast<double>(frame.steps);
    const double per_step = frame.steps > 0 ? 1 / steps : 0;
    std::vector<double> row = {static_cast<double>(state.frame),
                               state.time,
                               steps,
                               frame.dt_min,
                               frame.dt_sum * per_step,
                               static_cast<double>(state.particles.size()),
                               sums.mass,
                               sums.volume,
                               sums.volume_clamped,
                               frame.density_error_mean,
                               frame.density_error_max,
                               static_cast<double>(frame.iterations_sum) * per_step,
                               static_cast<double>(frame.iterations_max),
                               sums.energy,
                               sums.momentum.x,
                               sums.momentum.y,
                               sums.momentum.z,
                               sums.angular.x,
                               sums.angular.y,
                               sums.angular.z,
                               com.x,
                               com.y,
                               com.z,
                               bounds.low.x,
                               bounds.low.y,
                               bounds.low.z,
                               bounds.high.x,
                               bounds.high.y,
                               bounds.high.z,
                               speed,
                               static_cast<double>(state.connections.connection_count()),
                               static_cast<double>(input.components),
                               input.wall_seconds,
                               input.neighbors_mean,
                               static_cast<double>(connections_between(state)),
                               static_cast<double>(state.anchors.connection_count())};
    if (state.particles.has("temperature")) {
        const auto temperatures = single ? temperatures_of<float>(state.particles, parallel)
                                         : temperatures_of<double>(state.particles, parallel);
        row.insert(row.end(), temperatures.begin(), temperatures.end());
    }
    return row;
}

}  // namespace treacle
