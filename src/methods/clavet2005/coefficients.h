#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/clavet2005/clavet2005.h"

// Turns the scene into the numbers that the blocks work with, and into columns and limits of the step.
// step.cpp includes it.

namespace treacle::clavet2005 {

template <class S>
Clavet2005<S>::Clavet2005(const MethodInput& input) {
    parameters_changed(input);
}

template <class S>
void Clavet2005<S>::parameters_changed(const MethodInput& input) {
    settings_ = input.settings.as<Settings>();
    coefficients_ = clavet2005::coefficients(input);
    const bool printed = settings_.equations == Equations::printed;
    const bool paper = settings_.coefficients == Coefficients::paper;
    const bool sequential = settings_.sweep == Settings::Sweep::sequential;
    const Real h = static_cast<Real>(coefficients_.support_radius);
    const auto real = [](double value) { return static_cast<Real>(value); };

    viscosity_calibration_.emplace(S::dim, coefficients_.packing.shells);
    impulses_ = {.support_radius = h, .as_printed = printed, .sequential = sequential};
    dashpots_.support_radius = coefficients_.support_radius;
    dashpots_.dashpots.reset();
    if (!paper && !sequential) {
        dashpots_.dashpots.emplace(coefficients_.packing.weighted_square, input.spacing, coefficients_.support_radius);
    }
    dynamic_viscosity_.clear();
    springs_ = {.support_radius = h,
                .smallest_length = real(settings_.smallest_spring) * h,
                .break_length = real(settings_.break_stretch) * h,
                .start_at_support_radius = settings_.spring_start == Settings::SpringStart::support_radius,
                .as_printed = printed,
                .sequential = sequential};
    pressure_ = {};
    pressure_.support_radius = h;
    pressure_.packing_density = coefficients_.packing.density;
    pressure_.as_printed = printed;
    pressure_.sequential = sequential;
    solids_.load = {.support_radius = h, .first_layer = real(input.spacing), .time = real(coefficients_.load_time)};
    cohesion_ = {.support_radius = h};
    release_.support_radius = h;
    release_.first_layer = real(input.spacing);
    release_.time = real(coefficients_.load_time);
    release_.elastic.clear();
    if (settings_.walls == Settings::WallModel::half_space) {
        pressure_.half_space.emplace(S::dim, input.spacing, coefficients_.support_radius);
    }
    for (std::size_t m = 0; m < input.materials.size(); ++m) {
        const auto& c = coefficients_.materials[m];
        impulses_.materials.push_back({real(c.linear_viscosity), real(c.quadratic_viscosity)});
        release_.elastic.push_back(c.spring_stiffness > 0);
        dynamic_viscosity_.push_back(real(input.materials[m].viscosity.value_or(0)));
        springs_.materials.push_back({real(c.spring_stiffness), real(c.creep_rate), real(c.yield_stretch),
                                      real(c.yield_compress), c.renews_springs});
        pressure_.materials.push_back(
            {.stiffness = real(c.stiffness),
             .near_stiffness = real(c.near_stiffness),
             .rest_density = real(c.rest_density),
             .lowest_pressure = real(c.lowest_pressure),
             .pressure_at_rest = real(c.stiffness * (coefficients_.packing.density - c.rest_density)),
             .near_pressure_at_rest = real(c.near_stiffness * coefficients_.packing.near_density),
             .density = input.materials[m].density});
        cohesion_.strength.push_back(real(c.cohesion));
    }
    solids_.contact = {.contact_distance = real(coefficients_.contact_distance),
                       .grip_distance = real(input.spacing),
                       .stick_distance = real(coefficients_.stick_distance),
                       .stick_strength = real(coefficients_.stick_strength),
                       .friction = printed ? WallContact<S>::Friction::fraction_as_printed
                                   : paper ? WallContact<S>::Friction::fraction
                                           : WallContact<S>::Friction::coulomb,
                       .reach = static_cast<double>(h),
                       .stage = "collisions"};
    if (dashpots_.dashpots) {
        for (const Material& material : input.materials) {
            solids_.contact.flows.push_back(material.newtonian());
            solids_.contact.steady_viscosity.push_back(real(material.steady_viscosity()));
        }
    }
}

template <class S>
int Clavet2005<S>::calibrate_viscosity(double dt) {
    if (settings_.coefficients == Coefficients::paper || dashpots_.dashpots) return 1;
    double passes = 1;
    for (const auto& m : coefficients_.materials) {
        passes = std::max(passes, std::ceil(dt / viscosity_calibration_->longest_sweep(m.kinematic_viscosity)));
    }
    for (std::size_t m = 0; m < coefficients_.materials.size(); ++m) {
        impulses_.materials[m].linear = static_cast<Real>(
            viscosity_calibration_->linear_viscosity(coefficients_.materials[m].kinematic_viscosity, dt / passes));
    }
    return static_cast<int>(passes);
}

template <class S>
void Clavet2005<S>::add_columns(Particles& particles, ConnectionGraph& connections) {
    treacle::add_columns(Columns<S>{}, particles);
    connections.resize(particles.size());
}

template <class S>
std::vector<TimeStepLimit> Clavet2005<S>::time_step_limits(const Particles& particles, const Parallel& parallel) const {
    const auto density = particles.get<Real>("density");
    const auto material = particles.get<std::uint8_t>("material");
    const auto velocity = particles.get<Row>("velocity");
    const double compression = parallel.max(Rows::of(particles.size()), 0.0, [&](std::size_t i) {
        return static_cast<double>(density[i]) / pressure_.materials[material[i]].density - 1;
    });
    const double speed = std::sqrt(parallel.max(Rows::of(particles.size()), 0.0, [&](std::size_t i) {
        return static_cast<double>(dot(velocity[i].xyz(), velocity[i].xyz()));
    }));
    std::vector<TimeStepLimit> limits = clavet2005::stability_limits(coefficients_, compression);
    for (TimeStepLimit& limit : limits) limit.dt *= settings_.time_step_safety;
    // No particle may cross more than half a support radius, or walls and neighbors would be missed.
    if (speed > 0) limits.push_back({0.5 * coefficients_.support_radius / speed, StepBound::particle_speed});
    return limits;
}

template <class S>
double Clavet2005<S>::search_radius(const Particles& particles, const Parallel& parallel, double dt) const {
    // One search serves both the present positions (viscosity) and the predicted ones (springs, pressure): the rows
    // reach further by the distance that two particles can approach each other within the step.
    const auto velocity = particles.get<Row>("velocity");
    const std::size_t count = particles.size();
    if (count == 0) return coefficients_.support_radius;
    const Vec3d mean = parallel.sum<Vec3d>(Rows::of(count), [&](std::size_t i) {
        return cast<double>(velocity[i].xyz());
    }) / static_cast<double>(count);
    const double spread = std::sqrt(parallel.max(Rows::of(count), 0.0, [&](std::size_t i) {
        const Vec3d d = cast<double>(velocity[i].xyz()) - mean;
        return dot(d, d);
    }));
    return coefficients_.support_radius + 2 * dt * spread;
}

}  // namespace treacle::clavet2005
