#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/reproducible.h"
#include "methods/mukai2021/mukai2021.h"

// From the scene to the numbers that the blocks work with, and what follows from them: columns and limits of the step.
// step.cpp includes it.

namespace treacle::mukai2021 {

inline constexpr double alone_far = 1.5;  // spacings that a particle may fly within a step where nothing is near it

/// The settings of the projection. The printed equations have no negative pressure, and no test for the surface but
/// n < 0.97 n0.
template <class S>
typename MpsProjection<S>::Settings projection_settings(const Settings& settings, double spacing) {
    using T = Settings;
    typename MpsProjection<S>::Settings result;
    result.spacing = spacing;
    result.support_radius = settings.support_radius * spacing;
    result.surface_test = settings.printed() ? SurfaceTest::number_density : SurfaceTest::one_sided;
    result.pressure.source =
        settings.pressure_source == T::Source::divergence ? PressureSource::divergence : PressureSource::number_density;
    result.pressure.rule = {.tolerance = settings.tolerance, .max_iterations = settings.max_iterations};
    result.corrected_gradient = settings.pressure_gradient == T::Gradient::corrected;
    result.reference = settings.reference() == T::Reference::own       ? PressureReference::own
                       : settings.reference() == T::Reference::minimum ? PressureReference::minimum
                                                                       : PressureReference::symmetric;
    result.negative_pressure = !settings.printed();
    result.repulsion = settings.repulsion;
    result.explicit_viscosity = settings.viscous_operator() == T::Viscosity::explicit_laplacian;
    return result;
}

template <class S>
Mukai2021<S>::Mukai2021(const MethodInput& input) {
    parameters_changed(input);
}

template <class S>
void Mukai2021<S>::parameters_changed(const MethodInput& input) {
    settings_ = input.settings.as<Settings>();
    spacing_ = input.spacing;
    refinement_ = ThreadRefinement<S>(settings_.halvings, spacing_);
    limits_at_rest_.clear();
    for (int n = 0; n <= settings_.halvings; ++n) {
        MethodInput halved = input;
        halved.spacing *= ThreadRefinement<S>::size_after(n);
        limits_at_rest_.push_back(mukai2021::time_step_limits(halved));
    }
    slowest_ = reproducible::pi / (2 * std::max(input.fluid_height, spacing_));
    geometry_ = MpsGeometry<S>(settings_.support_radius * spacing_, settings_.viscous_radius * spacing_, wide_radius(),
                               spacing_);
    flow_.share_of_missing = settings_.thread_viscosity;
    flow_.rule = {.tolerance = settings_.tolerance, .max_iterations = settings_.max_iterations};
    projection_.reset();
    if (settings_.projects()) projection_.emplace(projection_settings<S>(settings_, spacing_));
    // A particle that flies alone must be seen a step before it arrives. Fluid that is pressed to a wall comes closer
    // than a tenth of a spacing, and must not feel the contact.
    collision_.contact_distance =
        static_cast<Real>(0.02 * ThreadRefinement<S>::size_after(settings_.halvings) * spacing_);
    collision_.reach = static_cast<Real>((std::max(settings_.cfl, alone_far) + 0.5) * spacing_);
    thread_ = {.axis = pull_axis(input.gravity),
               .spacing = spacing_,
               .link = support_radius(),
               .touch = support_radius() -
                        0.5 * spacing_,  // the outermost particles of a wall stand half a spacing inside it
               .rest_density = {},
               .period = input.period};
    materials_.clear();
    elastic_ = false;
    stressed_ = paper();
    tense_ = false;
    tension_ = PotentialTension<S>(wide_radius(), spacing_);
    weight_ = 0;
    for (const Material& material : input.materials) {
        const auto& own = material.by_method.at("mukai2021").as<MaterialSettings>();
        const double modulus = paper() ? mukai2021::shear_modulus(own) : material.shear_modulus.value_or(0);
        const double yield = modulus > 0 ? material.yield_stress.value_or(0) / modulus : 0;
        materials_.push_back({.rest_density = static_cast<Real>(material.density),
                              .viscosity = static_cast<Real>(material.viscosity.value_or(0)),
                              .modulus = static_cast<Real>(modulus),
                              .relaxation_time = material.relaxation_time,
                              .yield_strain = static_cast<Real>(yield),
                              .tension = static_cast<Real>(material.surface_tension.value_or(0)),
                              .own = own});
        tense_ |= material.surface_tension.value_or(0) > 0;
        thread_.rest_density.push_back(material.density);
        elastic_ |= modulus > 0;
        stressed_ |= own.law == MaterialSettings::Law::fene_p;
        weight_ = std::max(weight_, material.density * input.strongest_gravity * input.fluid_height);
    }
    elastic_weight_.assign(materials_.size(), 0);
    viscous_weight_.assign(materials_.size(), 1);
}

template <class S>
void Mukai2021<S>::add_columns(Particles& particles, ConnectionGraph&) {
    Columns<S> columns;
    columns.conformation_at_rest = conformation_at_rest();
    treacle::add_columns(columns, particles);
    if (!particles.has("side")) thread_.tag_sides(particles);
    if (refinement_.active()) ThreadRefinement<S>::prepare(particles);
}

template <class S>
std::vector<TimeStepLimit> Mukai2021<S>::time_step_limits(const Particles& particles, const Parallel& parallel) const {
    const std::vector<Real> sizes = refinement_.active() ? ThreadRefinement<S>::sizes(particles) : std::vector<Real>{};
    const ParticleSizes<S> size(sizes);
    std::size_t halvings = 0;
    if (!sizes.empty()) halvings = std::ranges::max(particles.get<std::uint8_t>("halvings"));
    // A particle that flies alone, or in a small group, may move as far in a step as other particles can see it coming.
    // Halves must not get into whole particles, so that the mean of both sizes counts.
    const auto velocity = particles.get<Row>("velocity");
    const auto density = particles.get<Real>("density");
    const auto material = particles.get<std::uint8_t>("material");
    const auto part = particles.get<std::uint8_t>("part");
    const auto near = particles.get<std::uint8_t>("near_solid");
    const double far = std::max(settings_.cfl, alone_far), share = settings_.cfl / far;
    const double speed = parallel.max(Rows::of(velocity.size()), 0.0, [&](std::size_t i) {
        const bool alone =
            !near[i] && (part[i] == hangs_on::none || density[i] < Real(0.2) * materials_[material[i]].rest_density);
        const Real width = Real(0.5) * (1 + size[i]);
        return static_cast<double>(length(velocity[i].xyz()) / width) * (alone ? share : 1.0);
    });
    std::vector<TimeStepLimit> limits = limits_at_rest_[std::min(halvings, limits_at_rest_.size() - 1)];
    if (speed > 0) limits.push_back({settings_.cfl * spacing_ / speed, StepBound::particle_speed});
    return limits;
}

template <class S>
double Mukai2021<S>::search_radius(const Particles&, const Parallel&, double) const {
    return wide_radius();
}

}  // namespace treacle::mukai2021
