#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/barreiro2017/barreiro2017.h"

// From the scene to the numbers that the blocks work with, and what follows from them: columns and limits of the step.
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
    limits_at_rest_ = barreiro2017::time_step_limits(input);
    const double h = support_radius_;
    const Lattice lattice = barreiro2017::lattice(S::dim, spacing_, h);
    density_.lattice_density = lattice.density;
    density_.relaxation = settings_.density_relaxation;
    density_.longest_start = 0.1 * spacing_;
    density_.artificial_pressure = settings_.artificial_pressure;
    conformation_.settings = {.support_radius = h,
                              .gradient_scale = 1 / lattice.shape,
                              .corotational = settings_.corotational,
                              .hydrostatic = settings_.strain == Settings::Strain::full,
                              .hydrostatic_ratio = settings_.hydrostatic_ratio.value_or(
                                  settings_.coefficients == Coefficients::paper ? 1 : 5),
                              .correction_floor = settings_.gradient_floor};
    // A lattice that is laid flush against a wall begins half a spacing off it.
    contacts_.contact_distance = real(0.5 * spacing_);
    contacts_.grip_distance = real(spacing_);
    wall_load_ = {.support_radius = real(h),
                  .first_layer = real(spacing_),
                  .time = real(0.5 * std::sqrt(h / std::max(1.0, input.strongest_gravity)))};
    viscosity_.reset();
    dynamic_viscosity_.clear();
    tension_.tension.clear();
    rest_density_.clear();
    responses_.clear();
    elastic_ = remembers_ = false;
    rest_state_.support_radius = h;
    rest_state_.lattice_weight = lattice.weight;
    rest_state_.break_stretch = std::numeric_limits<Real>::infinity();
    for (const Material& material : input.materials) {
        rest_density_.push_back(real(material.density));
        responses_.push_back(response_of(input, material));
        elastic_ |= responses_.back().elastic;
        if (const double stretch = responses_.back().break_stretch; stretch > 0) {
            remembers_ = true;
            rest_state_.break_stretch = std::min(rest_state_.break_stretch, real(stretch));
        }
        dynamic_viscosity_.push_back(real(material.viscosity.value_or(0)));
        if (dynamic_viscosity_.back() > 0 && !viscosity_)
            viscosity_.emplace(h, StoppingRule{settings_.viscosity_tolerance});
        tension_.tension.push_back(real(material.surface_tension.value_or(0)));
    }
    conditions_.parameters_changed(input);
    varying_materials_.clear();
    if (std::all_of(input.materials.begin(), input.materials.end(),
                    [](const Material& m) { return m.functions.empty(); }))
        return;
    for (const Material& material : input.materials) {
        constexpr double never = std::numeric_limits<double>::infinity();
        varying_materials_.push_back(
            {.viscosity = material.property("viscosity", material.viscosity.value_or(0)),
             .shear_modulus = material.property("shear_modulus", material.shear_modulus.value_or(0)),
             .relaxation_time = material.property("relaxation_time", material.relaxation_time.value_or(never)),
             .yield_stress = material.property("yield_stress", material.yield_stress.value_or(0))});
    }
}

template <class S>
void Barreiro2017<S>::add_columns(Particles& particles, ConnectionGraph& connections) {
    treacle::add_columns(Columns<S>{}, particles);
    conditions_.add_columns(particles);
    if (remembers_) RestState<S>::prepare(connections);
    connections.resize(particles.size());
}

template <class S>
std::vector<TimeStepLimit> Barreiro2017<S>::time_step_limits(const Particles& particles,
                                                             const Parallel& parallel) const {
    const double speed = fastest<Real>(particles.get<Row>("velocity"), parallel);
    std::vector<TimeStepLimit> limits = limits_at_rest_;
    if (speed > 0) limits.push_back({settings_.cfl * support_radius_ / speed, StepBound::particle_speed});
    return limits;
}

}  // namespace treacle::barreiro2017
