#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/takahashi2014/takahashi2014.h"

// From the scene to the numbers that the blocks work with, and what follows from them: columns and limits of the step.
// step.cpp includes it.

namespace treacle::takahashi2014 {

template <class S>
Takahashi2014<S>::Takahashi2014(const MethodInput& input) {
    parameters_changed(input);
}

template <class S>
void Takahashi2014<S>::parameters_changed(const MethodInput& input) {
    using Own = MaterialSettings;
    const auto real = [](double value) { return static_cast<Real>(value); };
    settings_ = input.settings.as<Settings>();
    spacing_ = input.spacing;
    support_radius_ = takahashi2014::support_radius(input);
    limits_at_rest_ = takahashi2014::limits_without_pressure(input);
    pressure_at_rest_ = takahashi2014::pressure_at_rest(input);
    explicit_step_ = takahashi2014::explicit_step(input);
    const bool paper = settings_.coefficients == Coefficients::paper;
    const double h = support_radius_;
    conditions_.parameters_changed(input);
    remember_varying(input);

    pressure_.settings = {.solver = settings_.pressure_solver == Settings::PressureSolver::jacobi
                                        ? Iisph<S>::Solver::jacobi
                                        : Iisph<S>::Solver::accelerated,
                          .tolerance = settings_.tolerance,
                          .max_tolerance = settings_.max_tolerance.value_or(std::numeric_limits<double>::infinity()),
                          .max_iterations = settings_.iterations,
                          .relaxation = settings_.relaxation,
                          .warm_start = settings_.warm_start,
                          .kernel = settings_.kernel == Settings::Kernel::mueller2003 ? Iisph<S>::Kernel::mueller2003
                                                                                      : Iisph<S>::Kernel::cubic_spline,
                          .spacing = spacing_};
    // Pressure keeps fluid half a spacing off the surface; what comes as near as this has slipped through it.
    collision_ = {.contact_distance = real(0.1 * spacing_),
                  .grip_distance = real(spacing_),
                  .rub_moves = false,
                  .reach = real(h)};
    wall_load_ = {.support_radius = real(h),
                  .first_layer = real(spacing_),
                  .time = real(0.5 * std::sqrt(h / std::max(1.0, input.strongest_gravity)))};
    viscous_ = false;
    viscosity_.emplace(h, StoppingRule{settings_.viscosity_tolerance});
    dynamic_viscosity_.clear();
    tension_.tension.clear();
    rest_density_.clear();
    first_coefficient_.clear();
    control_.materials.clear();
    correction_.materials.clear();
    adhesion_.materials.clear();
    correction_.as_in_paper = adhesion_.as_in_paper = paper;
    correction_.springs = settings_.correction_scheme == Settings::Correction::spring;
    control_.newcomers_among_themselves = settings_.correction_scheme == Settings::Correction::shape_matching;
    for (const Material& material : input.materials) {
        const auto& own = material.by_method.at("takahashi2014").as<Own>();
        const bool elastic = paper || material.shear_modulus.value_or(0) > 0;
        const bool relaxes = paper || material.relaxation_time.has_value();
        // Shapes are those of the start.
        const bool connects = elastic && settings_.correction_scheme != Settings::Correction::shape_matching;
        const double healing_time = own.healing_time.value_or(paper ? 0 : material.relaxation_time.value_or(1));
        rest_density_.push_back(real(material.density));
        dynamic_viscosity_.push_back(real(material.viscosity.value_or(0)));
        viscous_ |= dynamic_viscosity_.back() > 0;
        tension_.tension.push_back(real(material.surface_tension.value_or(0)));
        first_coefficient_.push_back(real(own.correction.value_or(0)));
        control_.materials.push_back(
            {.first_connect_distance =
                 elastic ? real(own.first_connect_distance.value_or(own.connect_distance) * h) : Real(0),
             .connect_distance = elastic ? real(own.connect_distance * h) : Real(0),
             .break_distance = real(own.break_distance * h),
             .break_stretch = real(own.break_stretch.value_or(std::numeric_limits<double>::infinity())),
             .connects_within = connects && (own.self_connect == Own::SelfConnect::always ||
                                             (own.self_connect == Own::SelfConnect::automatic && relaxes)),
             .connects_between = connects});
        const double modulus = material.shear_modulus.value_or(0);
        correction_.materials.push_back(
            {.shear_modulus = real(modulus),
             .relaxation_rate = real(material.relaxation_time ? 1 / *material.relaxation_time : 0),
             .yield_strain = real(takahashi2014::yield_strain(material.yield_stress.value_or(0), modulus)),
             .healing_rate = healing_time > 0 ? real(1 / healing_time) : std::numeric_limits<Real>::infinity(),
             .full_square = real(takahashi2014::full_square(input, material)),
             .lowest_coefficient = real(own.lowest_correction.value_or(0)),
             .decay = real(own.correction_decay.value_or(0)),
             .yield_distance = real(own.yield_distance.value_or(0) * h),
             .spring_stiffness = real(own.spring_stiffness.value_or(0)),
             .spring_damping = real(own.spring_damping.value_or(0))});
        const auto& of_fluid = correction_.materials.back();
        adhesion_.materials.push_back({.connect_distance = control_.materials.back().connect_distance,
                                       .break_distance = control_.materials.back().break_distance,
                                       .relaxation_rate = of_fluid.relaxation_rate,
                                       .coefficient = first_coefficient_.back(),
                                       .lowest_coefficient = of_fluid.lowest_coefficient,
                                       .decay = of_fluid.decay,
                                       .yield_distance = of_fluid.yield_distance});
    }
}

template <class S>
void Takahashi2014<S>::remember_varying(const MethodInput& input) {
    constexpr double never = std::numeric_limits<double>::infinity();
    varying_materials_.clear();
    varying_modulus_ = false;
    elasticity_.melts = settings_.coefficients == Coefficients::physical;
    if (std::all_of(input.materials.begin(), input.materials.end(),
                    [](const Material& m) { return m.functions.empty(); }))
        return;
    for (const Material& material : input.materials) {
        const auto& own = material.by_method.at("takahashi2014").as<MaterialSettings>();
        varying_modulus_ |= material.function("shear_modulus") != nullptr;
        varying_materials_.push_back(
            {.viscosity = material.property("viscosity", material.viscosity.value_or(0)),
             .shear_modulus = material.property("shear_modulus", material.shear_modulus.value_or(0)),
             .relaxation_time = material.property("relaxation_time", material.relaxation_time.value_or(never)),
             .yield_stress = material.property("yield_stress", material.yield_stress.value_or(0)),
             .connect_distance = material.property("takahashi2014/connect_distance", own.connect_distance),
             .first_connect_distance = own.first_connect_distance,
             .healing_time = own.healing_time,
             .elastic = !elasticity_.melts || material.shear_modulus.value_or(0) > 0});
    }
}

template <class S>
void Takahashi2014<S>::add_columns(Particles& particles, ConnectionGraph& connections) {
    Columns<S> columns;
    columns.as_in_paper = settings_.coefficients == Coefficients::paper;
    treacle::add_columns(columns, particles);
    conditions_.add_columns(particles);
    if (varying_modulus_)
        particles.add<Real>("shear_modulus", "Pa", true);  // persistent: the next step asks how it rose
    if (settings_.correction_scheme == Settings::Correction::shape_matching) {
        ShapeMatching<S>::prepare(connections);
        particles.add<Row>("rotation", "1");  // persistent: quaternions, where the next fit starts
    }
    connections.add_value<Real>("strength", "1");
    connections.resize(particles.size());
}

template <class S>
std::vector<TimeStepLimit> Takahashi2014<S>::time_step_limits(const Particles& particles,
                                                              const Parallel& parallel) const {
    const double speed = fastest<Real>(particles.get<Row>("velocity"), parallel);
    std::vector<TimeStepLimit> limits = limits_at_rest_;
    if (speed > 0) limits.push_back({settings_.cfl * support_radius_ / speed, StepBound::particle_speed});
    const auto pressure = particles.get<Real>("mean_pressure");
    const auto material = particles.get<std::uint8_t>("material");
    const double pushed = parallel.max(Rows::of(particles.size()), 0.0, [&](std::size_t i) {
        return static_cast<double>(pressure[i]) / static_cast<double>(rest_density_[material[i]]);
    });
    if (pushed > 0) limits.push_back(takahashi2014::pressure_limit(spacing_, pushed));
    return limits;
}

}  // namespace treacle::takahashi2014
