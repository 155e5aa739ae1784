#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/takamatsu2011/takamatsu2011.h"

// From the scene to the numbers that the blocks work with, and what follows from them: columns and limits of the step.
// step.cpp includes it.

namespace treacle::takamatsu2011 {

template <class S>
Takamatsu2011<S>::Takamatsu2011(const MethodInput& input) {
    parameters_changed(input);
}

template <class S>
void Takamatsu2011<S>::parameters_changed(const MethodInput& input) {
    const auto real = [](double value) { return static_cast<Real>(value); };
    settings_ = input.settings.as<Settings>();
    spacing_ = input.spacing;
    support_radius_ = takamatsu2011::support_radius(input);
    sound_speed_ = solves_pressure() ? 0 : takamatsu2011::sound_speed(input);
    weight_ = input.strongest_gravity > 0 ? input.strongest_gravity : 9.81;
    push_time_ = 0.1 * std::sqrt(support_radius_ / weight_);
    limits_at_rest_ = takamatsu2011::time_step_limits(input);
    const bool paper = settings_.coefficients == Coefficients::paper;
    const double sigma = support_radius_;

    update_.support_radius = real(sigma);
    solved_pressure_.settings.tolerance = 1e-6;  // all that the 100 iterations of takahashi2014's Figs. 7 and 8 give
    solved_pressure_.settings.max_iterations = 100;
    collision_ = {.contact_distance = real(0.5 * spacing_), .grip_distance = real(spacing_), .reach = real(sigma)};
    wall_load_ = {
        .support_radius = real(sigma), .first_layer = real(spacing_), .time = real(0.5 * std::sqrt(sigma / weight_))};
    viscosity_.emplace(sigma);
    const bool printed = settings_.equations == Equations::printed;
    matching_.from_barycenter = !printed;
    printed_.support_radius = real(sigma);
    printed_.stiffness = real(sound_speed_ * sound_speed_);
    tension_.tension.clear();
    materials_.clear();
    elastic_ = fluid_ = viscous_ = false;
    most_viscous_ = 0;
    matching_.break_stretch = std::sqrt(std::numeric_limits<Real>::max());
    for (const Material& material : input.materials) {
        const auto& own = material.by_method.at("takamatsu2011").as<MaterialSettings>();
        const double viscosity = material.viscosity.value_or(0) * (paper && !printed ? own.fluidity : 1);
        const double pull = (1 - own.fluidity) * pull_of(input, material);
        const Real never = std::sqrt(std::numeric_limits<Real>::max());
        const Real stretch = own.break_stretch ? real(*own.break_stretch) : own.fluidity > 0 ? Real(2) : never;
        materials_.push_back({.rest_density = real(material.density),
                              .fluidity = real(own.fluidity),
                              .pull = real(pull),
                              .viscosity = real(viscosity),
                              .break_stretch = stretch});
        tension_.tension.push_back(real(material.surface_tension.value_or(0)));
        matching_.break_stretch = std::min(matching_.break_stretch, stretch);
        most_viscous_ = std::max(most_viscous_, viscosity / material.density);
        elastic_ |= pull > 0;
        fluid_ |= own.fluidity > 0;
        viscous_ |= viscosity > 0 && !printed;
    }
}

template <class S>
void Takamatsu2011<S>::add_columns(Particles& particles, ConnectionGraph& connections) {
    treacle::add_columns(Columns<S>{}, particles);
    ShapeMatching<S>::prepare(connections);
    connections.resize(particles.size());
}

/// Eq. 12.
template <class S>
std::vector<TimeStepLimit> Takamatsu2011<S>::time_step_limits(const Particles& particles,
                                                              const Parallel& parallel) const {
    const double speed = fastest<Real>(particles.get<Row>("velocity"), parallel);
    std::vector<TimeStepLimit> limits = limits_at_rest_;
    if (speed > 0) limits.push_back({settings_.cfl * support_radius_ / speed, StepBound::particle_speed});
    return limits;
}

}  // namespace treacle::takamatsu2011
