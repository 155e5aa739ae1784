#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/adhesion.h"
#include "methods/takahashi2014/takahashi2014.h"

// Turns the scene into the numbers that the blocks work with, and into columns and limits of the step.
// step.cpp includes it.

namespace treacle::takahashi2014 {

template <class S>
typename Iisph<S>::Settings pressure_settings(const Settings& settings, double spacing) {
    return {.solver = settings.pressure_solver,
            .tolerance = settings.tolerance,
            .max_tolerance = settings.max_tolerance.value_or(std::numeric_limits<double>::infinity()),
            .max_iterations = settings.iterations,
            .relaxation = settings.relaxation,
            .warm_start = settings.warm_start,
            .kernel = settings.kernel,
            .spacing = spacing};
}

inline const MaterialSettings& own_settings(const Material& material) {
    return material.by_method.at("takahashi2014").as<MaterialSettings>();
}

/// Which particles of a material connect. Shapes of the start stay as they are.
template <class S>
typename ConnectionControl<S>::Material connecting(const MethodInput& input, const Material& material, double h) {
    using Real = typename S::Real;
    using Connect = MaterialSettings::SelfConnect;
    const auto real = [](double value) { return static_cast<Real>(value); };
    const auto& settings = input.settings.as<Settings>();
    const MaterialSettings& own = own_settings(material);
    const bool paper = settings.coefficients == Coefficients::paper;
    const bool elastic = paper || material.shear_modulus.value_or(0) > 0;
    const bool relaxes = paper || material.relaxation_time.has_value();
    const bool connects = elastic && settings.correction_scheme != Settings::Correction::shape_matching;
    return {.first_connect_distance =
                elastic ? real(own.first_connect_distance.value_or(own.connect_distance) * h) : Real(0),
            .connect_distance = elastic ? real(own.connect_distance * h) : Real(0),
            .break_distance = real(own.break_distance * h),
            .break_stretch = real(own.break_stretch.value_or(std::numeric_limits<double>::infinity())),
            .connects_within = connects && (own.self_connect == Connect::always ||
                                            (own.self_connect == Connect::automatic && relaxes)),
            .connects_between = connects};
}

template <class S>
typename VelocityCorrection<S>::Material correcting(const MethodInput& input, const Material& material, double h) {
    using Real = typename S::Real;
    const auto real = [](double value) { return static_cast<Real>(value); };
    const MaterialSettings& own = own_settings(material);
    const bool paper = input.settings.as<Settings>().coefficients == Coefficients::paper;
    const double modulus = material.shear_modulus.value_or(0);
    const double healing_time = own.healing_time.value_or(paper ? 0 : material.relaxation_time.value_or(1));
    return {.shear_modulus = real(modulus),
            .relaxation_rate = real(material.relaxation_time ? 1 / *material.relaxation_time : 0),
            .yield_strain = real(takahashi2014::yield_strain(material.yield_stress.value_or(0), modulus)),
            .healing_rate = healing_time > 0 ? real(1 / healing_time) : std::numeric_limits<Real>::infinity(),
            .full_square = real(takahashi2014::full_square(input, material)),
            .lowest_coefficient = real(own.lowest_correction.value_or(0)),
            .decay = real(own.correction_decay.value_or(0)),
            .yield_distance = real(own.yield_distance.value_or(0) * h),
            .spring_stiffness = real(own.spring_stiffness.value_or(0)),
            .spring_damping = real(own.spring_damping.value_or(0))};
}

template <class S>
Takahashi2014<S>::Takahashi2014(const MethodInput& input) {
    parameters_changed(input);
}

template <class S>
void Takahashi2014<S>::parameters_changed(const MethodInput& input) {
    const auto real = [](double value) { return static_cast<Real>(value); };
    settings_ = input.settings.as<Settings>();
    spacing_ = input.spacing;
    support_radius_ = takahashi2014::support_radius(input);
    limits_ = {takahashi2014::limits_without_pressure(input), settings_.cfl * support_radius_};
    pressure_at_rest_ = takahashi2014::pressure_at_rest(input);
    const double h = support_radius_;
    conditions_.parameters_changed(input);
    properties_.parameters_changed(input);
    pressure_.settings = pressure_settings<S>(settings_, spacing_);
    // Pressure keeps fluid half a spacing off the surface; a particle as near as this has slipped through the samples.
    solids_.contact = {
        .contact_distance = real(0.1 * spacing_), .grip_distance = real(spacing_), .friction_moves = false, .reach = h};
    solids_.load = WallLoad<S>::Settings::of(h, spacing_, std::max(1.0, input.strongest_gravity));
    wall_adhesion_.settings = adhesion_of<S>(input, [&](const Material& material) {
        return settings_.coefficients != Coefficients::paper && !(material.shear_modulus.value_or(0) > 0);
    });
    solids_.samples = {.spacing = spacing_, .support_radius = h};
    viscosity_.settings = {
        .scheme = settings_.viscosity_scheme, .support_radius = h, .rule = {settings_.viscosity_tolerance}};
    correction_.as_in_paper = adhesion_.as_in_paper = settings_.coefficients == Coefficients::paper;
    correction_.steps = settings_.elasticity;
    correction_.explicit_step = takahashi2014::explicit_step(input);
    correction_.springs = settings_.correction_scheme == Settings::Correction::spring;
    connections_.newcomers_among_themselves = settings_.correction_scheme == Settings::Correction::shape_matching;
    tension_.tension.clear(), rest_density_.clear(), first_coefficient_.clear();
    viscosity_.settings.flows.clear();
    connections_.materials.clear(), correction_.materials.clear(), adhesion_.materials.clear();
    for (const Material& material : input.materials) {
        rest_density_.push_back(real(material.density));
        viscosity_.settings.viscosity.push_back(real(material.viscosity.value_or(0)));
        viscosity_.settings.flows.push_back(material.newtonian() && settings_.coefficients != Coefficients::paper &&
                                            settings_.viscosity_scheme != ViscosityScheme::xsph);
        if (settings_.coefficients != Coefficients::paper)
            solids_.contact.steady_viscosity.push_back(real(material.steady_viscosity()));
        tension_.tension.push_back(real(material.surface_tension.value_or(0)));
        first_coefficient_.push_back(real(own_settings(material).correction.value_or(0)));
        connections_.materials.push_back(connecting<S>(input, material, h));
        correction_.materials.push_back(correcting<S>(input, material, h));
        const auto& connected = connections_.materials.back();
        const auto& corrected = correction_.materials.back();
        adhesion_.materials.push_back({.connect_distance = connected.connect_distance,
                                       .break_distance = connected.break_distance,
                                       .relaxation_rate = corrected.relaxation_rate,
                                       .coefficient = first_coefficient_.back(),
                                       .lowest_coefficient = corrected.lowest_coefficient,
                                       .decay = corrected.decay,
                                       .yield_distance = corrected.yield_distance});
    }
    solids_.contact.flows = viscosity_.settings.flows;
}

template <class S>
void Takahashi2014<S>::add_columns(Particles& particles, ConnectionGraph& connections) {
    Columns<S> columns;
    columns.as_in_paper = settings_.coefficients == Coefficients::paper;
    treacle::add_columns(columns, particles);
    conditions_.add_columns(particles);
    properties_.add_columns(particles);
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
    std::vector<TimeStepLimit> limits = limits_.with_speed_of(particles, parallel);
    const auto pressure = particles.get<Real>("mean_pressure");
    const auto material = particles.get<std::uint8_t>("material");
    const double pushed = parallel.max(Rows::of(particles.size()), 0.0, [&](std::size_t i) {
        return static_cast<double>(pressure[i]) / static_cast<double>(rest_density_[material[i]]);
    });
    if (pushed > 0) limits.push_back(takahashi2014::pressure_limit(spacing_, pushed));
    return limits;
}

}  // namespace treacle::takahashi2014
