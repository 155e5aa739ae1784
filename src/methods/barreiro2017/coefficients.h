#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/adhesion.h"
#include "methods/barreiro2017/barreiro2017.h"

// Turns the scene into the numbers that the blocks work with, and into columns and limits of the step.
// step.cpp includes it.

namespace treacle::barreiro2017 {

template <class S>
Barreiro2017<S>::Barreiro2017(const MethodInput& input) {
    parameters_changed(input);
}

template <class S>
void Barreiro2017<S>::parameters_changed(const MethodInput& input) {
    const auto real = [](double value) { return static_cast<Real>(value); };
    settings_ = input.settings.as<Settings>();
    spacing_ = input.spacing;
    support_radius_ = barreiro2017::support_radius(input);
    limits_ = {barreiro2017::time_step_limits(input), settings_.cfl * support_radius_};
    const double h = support_radius_;
    const Lattice lattice = barreiro2017::lattice(S::dim, spacing_, h);
    density_.lattice_density = lattice.density;
    const bool paper = settings_.coefficients == Coefficients::paper;
    // Half again would diverge: where fluid is denser than a lattice, and at walls, eigenvalues are a little greater.
    density_.relaxation = settings_.density_relaxation.value_or(paper ? 0.5 : 4.0 / 3 / lattice.stiffest);
    density_.longest_start = 0.1 * spacing_;
    density_.artificial_pressure = settings_.artificial_pressure;
    const double gravity = std::max(1.0, input.strongest_gravity);
    density_.return_time = settings_.separates_errors() ? 2 * std::sqrt(h / gravity) : 0;
    density_.present_lines = settings_.takes_present_gradients();
    conformation_.settings = {.support_radius = h,
                              .gradient_scale = 1 / lattice.shape,
                              .corotational = settings_.corotational,
                              .hydrostatic = settings_.strain == Settings::Strain::full,
                              .hydrostatic_ratio = settings_.hydrostatic_ratio.value_or(paper ? 1 : 5),
                              .correction_floor = settings_.gradient_floor,
                              .present_gradients = settings_.takes_present_gradients()};
    // A lattice that is laid flush against a wall begins half a spacing off it.
    contacts_.contact_distance = real(0.5 * spacing_);
    contacts_.grip_distance = real(spacing_);
    contacts_.reach = h;
    solids_.samples = {.spacing = spacing_, .support_radius = h};
    solids_.load = WallLoad<S>::Settings::of(h, spacing_, gravity);
    adhesion_.settings = adhesion_of<S>(input, [](const Material&) { return true; });
    rest_state_.support_radius = h;
    rest_state_.lattice_weight = lattice.weight;
    rest_state_.break_stretch.clear();
    viscosity_.settings = {.support_radius = h, .rule = {settings_.viscosity_tolerance}};
    tension_.tension.clear();
    contacts_.flows.clear();
    contacts_.steady_viscosity.clear();
    density_.rest_density.clear();
    response_.materials.clear();
    for (const Material& material : input.materials) {
        density_.rest_density.push_back(real(material.density));
        response_.materials.push_back(response_of(input, material));
        rest_state_.break_stretch.push_back(real(break_stretch_of(input, material)));
        viscosity_.settings.viscosity.push_back(real(material.viscosity.value_or(0)));
        contacts_.flows.push_back(material.newtonian() && settings_.coefficients != Coefficients::paper);
        if (!paper) contacts_.steady_viscosity.push_back(real(material.steady_viscosity()));
        tension_.tension.push_back(real(material.surface_tension.value_or(0)));
    }
    viscosity_.settings.flows = contacts_.flows;
    // Pressure that is carried over in full rings. Elastic fluid damps that, and what pressure lacks when a step starts
    // friction would take for it.
    const bool elastic =
        std::ranges::any_of(response_.materials, [](const ElasticResponse& material) { return material.elastic; });
    density_.warm_start = settings_.warm_start.value_or(elastic || paper ? 1 : 0.9);
    conditions_.parameters_changed(input);
    properties_.parameters_changed(input);
}

template <class S>
void Barreiro2017<S>::add_columns(Particles& particles, ConnectionGraph& connections) {
    treacle::add_columns(Columns<S>{}, particles);
    conditions_.add_columns(particles);
    if (rest_state_.active()) RestState<S>::prepare(connections);
    connections.resize(particles.size());
}

}  // namespace treacle::barreiro2017
