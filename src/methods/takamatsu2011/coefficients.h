#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/adhesion.h"
#include "methods/takamatsu2011/takamatsu2011.h"

// Turns the scene into the numbers that the blocks work with, and into columns and limits of the step.
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
    const bool paper = settings_.coefficients == Coefficients::paper;
    const bool printed = settings_.equations == Equations::printed;
    const bool solved = settings_.pressure == Settings::Pressure::iisph;
    const double spacing = input.spacing;
    const double sigma = support_radius_ = takamatsu2011::support_radius(input);
    sound_speed_ = solved ? 0 : takamatsu2011::sound_speed(input);
    const double weight = input.strongest_gravity > 0 ? input.strongest_gravity : 9.81;  // m/s², the unit of thresholds
    limits_ = {takamatsu2011::time_step_limits(input), settings_.cfl * sigma};

    solids_.samples = {.spacing = spacing, .support_radius = sigma};
    shapes_.settings = {
        .support_radius = sigma, .from_barycenter = !printed, .update_interval = settings_.update_interval};
    impacts_.averaging_time = 0.1 * std::sqrt(sigma / weight);
    viscosity_.settings = {.scheme = Viscosity<S>::Scheme::automatic, .support_radius = sigma};
    // Noise of particles lives for as long as sound takes to cross a support radius.
    noise_.support_radius = sigma;
    noise_.rate = paper ? 0 : sound_speed_ / sigma;
    pressure_.settings = {.solved = solved, .as_printed = printed, .sound_speed = sound_speed_};
    pressure_.solver.settings.tolerance = 1e-6;  // all that the 100 iterations of takahashi2014's Figs. 7 and 8 give
    pressure_.solver.settings.max_iterations = 100;
    pressure_.printed.support_radius = real(sigma);
    pressure_.printed.stiffness = real(sound_speed_ * sound_speed_);
    solids_.contact = {.contact_distance = real(0.5 * spacing), .grip_distance = real(spacing), .reach = sigma};
    solids_.load = WallLoad<S>::Settings::of(sigma, spacing, weight);
    adhesion_.settings = adhesion_of<S>(input, [](const Material&) { return true; });

    pressure_.printed.materials.clear();
    viscosity_.settings.flows.clear();
    tension_.tension.clear();
    for (const Material& material : input.materials) {
        const auto& own = material.by_method.at("takamatsu2011").as<MaterialSettings>();
        const Real density = real(material.density), fluidity = real(own.fluidity);
        const double viscosity = material.viscosity.value_or(0) * (paper && !printed ? own.fluidity : 1);
        const double pull = (1 - own.fluidity) * pull_of(input, material);
        const Real never = std::sqrt(std::numeric_limits<Real>::max());
        const Real stretch = own.break_stretch ? real(*own.break_stretch) : own.fluidity > 0 ? Real(2) : never;
        const double threshold = settings_.update_threshold * (1 - static_cast<double>(fluidity)) * weight;
        shapes_.settings.materials.push_back(
            {.pull = real(pull), .update_threshold = threshold, .break_stretch = stretch});
        pressure_.settings.materials.push_back({.rest_density = density, .fluidity = fluidity});
        pressure_.printed.materials.push_back(
            {.rest_density = density, .fluidity = fluidity, .viscosity = real(viscosity)});
        tension_.tension.push_back(real(material.surface_tension.value_or(0)));
        viscosity_.settings.flows.push_back(material.newtonian() && !(pull > 0));
        solids_.contact.steady_viscosity.push_back(
            real(pull > 0 ? std::numeric_limits<double>::infinity() : material.steady_viscosity()));
        viscosity_.settings.viscosity.push_back(printed ? Real(0) : real(viscosity));
        viscosity_.settings.greatest_kinematic =
            std::max(viscosity_.settings.greatest_kinematic, viscosity / material.density);
    }
    solids_.contact.flows = viscosity_.settings.flows;
}

template <class S>
void Takamatsu2011<S>::add_columns(Particles& particles, ConnectionGraph& connections) {
    treacle::add_columns(Columns<S>{}, particles);
    ShapeMatching<S>::prepare(connections);
    connections.resize(particles.size());
}

}  // namespace treacle::takamatsu2011
