#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "laws/halved_size.h"
#include "math/reproducible.h"
#include "methods/mukai2021/mukai2021.h"

// Turns the scene into the numbers that the blocks work with, and into columns and limits of the step.
// step.cpp includes it.

namespace treacle::mukai2021 {

inline constexpr double alone_far = 1.5;  // spacings that a particle may fly within a step where nothing is near it

inline const MaterialSettings& own_settings(const Material& material) {
    return material.by_method.at("mukai2021").as<MaterialSettings>();
}

/// value(material) of all materials, as Real.
template <class Real, class Value>
std::vector<Real> by_material(const MethodInput& input, const Value& value) {
    std::vector<Real> result;
    for (const Material& material : input.materials) result.push_back(static_cast<Real>(value(material)));
    return result;
}

template <class Real>
std::vector<Real> rest_densities(const MethodInput& input) {
    return by_material<Real>(input, [](const Material& material) { return material.density; });
}

/// Solids are filled with particles as deep as any weight reaches.
template <class S>
typename BoundaryParticles<S>::Settings boundary_settings(double radius, double spacing) {
    return {.spacing = spacing,
            .support_radius = radius,
            .layers = static_cast<int>(std::floor(radius / spacing)),
            .lattice = true};
}

/// The thread between two solids that gravity or the scene pulls apart. The outermost particles of a wall stand half a
/// spacing inside it.
template <class S>
PulledThread<S> pulled_thread(const Settings& settings, const MethodInput& input) {
    const double link = settings.support_radius * input.spacing;
    return {.axis = pull_axis(input.gravity),
            .spacing = input.spacing,
            .link = link,
            .touch = link - 0.5 * input.spacing,
            .rest_density = rest_densities<double>(input),
            .period = input.period};
}

template <class S>
WeightedStress<S> weighted_stress(const MethodInput& input) {
    using Real = typename S::Real;
    WeightedStress<S> result;
    for (const Material& material : input.materials) {
        const MaterialSettings& own = own_settings(material);
        result.materials.push_back({.viscosity = static_cast<Real>(material.viscosity.value_or(0)),
                                    .modulus = static_cast<Real>(shear_modulus(own)),
                                    .elastic_coefficient = own.elastic_coefficient,
                                    .complementary = own.weights == MaterialSettings::Weights::complementary,
                                    .viscous_weight = own.viscous_weight,
                                    .viscous_weight_after_rupture = own.viscous_weight_after_rupture});
    }
    return result;
}

template <class S>
ConstitutiveLaw<S> constitutive_law(const Settings& settings, const MethodInput& input) {
    using Real = typename S::Real;
    ConstitutiveLaw<S> result;
    for (const Material& material : input.materials) {
        const MaterialSettings& own = own_settings(material);
        const double modulus = material.shear_modulus.value_or(0);
        const double yield = modulus > 0 ? material.yield_stress.value_or(0) / modulus : 0;
        result.materials.push_back({.viscosity = static_cast<Real>(material.viscosity.value_or(0)),
                                    .modulus = static_cast<Real>(modulus),
                                    .relaxation_time = material.relaxation_time,
                                    .yield_strain = static_cast<Real>(yield),
                                    .law = own.law,
                                    .extensibility = own.extensibility,
                                    .mobility = own.mobility});
    }
    result.smooth_viscosity = settings.smooth_viscosity;
    result.explicit_stress = settings.projects();
    return result;
}

template <class S>
typename VolumeControl<S>::Settings volume_settings(const Settings& settings, const MethodInput& input) {
    const auto weights = by_material<double>(input, [&](const Material& material) {
        return material.density * input.strongest_gravity * input.fluid_height;
    });
    return {.spacing = input.spacing,
            .resistance = settings.resistance,
            .density_rate = settings.density_rate,
            .weight = weights.empty() ? 0 : std::max(0.0, std::ranges::max(weights)),
            .slowest_wave = reproducible::pi / (2 * std::max(input.fluid_height, input.spacing)),
            .rest_density = rest_densities<typename S::Real>(input)};
}

/// Printed, particles move with the flow; elastic solids keep theirs where they are.
template <class S>
ParticleShifting<S> particle_shifting(const Settings& settings, const ConstitutiveLaw<S>& law) {
    const bool paper = settings.coefficients == Coefficients::paper;
    ParticleShifting<S> result{.rate = settings.shift_rate, .per_strain = settings.shift_per_strain, .fixed = {}};
    for (const auto& material : law.materials)
        result.fixed.push_back(settings.printed() || (!paper && material.solid()) ? 1 : 0);
    return result;
}

/// The printed equations have no negative pressure, and no test for the surface but n < 0.97 n0.
template <class S>
typename MpsProjection<S>::Settings projection_settings(const Settings& settings, const MethodInput& input) {
    typename MpsProjection<S>::Settings result;
    result.spacing = input.spacing;
    result.support_radius = settings.support_radius * input.spacing;
    result.surface_test = settings.printed() ? SurfaceTest::number_density : SurfaceTest::one_sided;
    result.pressure.source = settings.pressure_source;
    result.pressure.rule = {.tolerance = settings.tolerance, .max_iterations = settings.max_iterations};
    result.corrected_gradient = settings.pressure_gradient == Settings::Gradient::corrected;
    result.reference = settings.reference();
    result.negative_pressure = !settings.printed();
    result.repulsion = settings.repulsion;
    result.rest_density = rest_densities<typename S::Real>(input);
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
    rest_density_ = rest_densities<Real>(input);
    refinement_ = ThreadRefinement<S>(settings_.halvings, spacing_);
    limits_at_rest_.clear();
    for (int n = 0; n <= settings_.halvings; ++n) {
        MethodInput halved = input;
        halved.spacing *= halved_size(S::dim, n);
        limits_at_rest_.push_back(mukai2021::time_step_limits(halved));
    }
    geometry_ = MpsGeometry<S>(settings_.support_radius * spacing_, settings_.viscous_radius * spacing_, wide_radius(),
                               spacing_, settings_.projects());
    thread_ = pulled_thread<S>(settings_, input);
    weighted_stress_ = weighted_stress<S>(input);
    law_ = constitutive_law<S>(settings_, input);
    tension_ = PotentialTension<S>(wide_radius(), spacing_, by_material<Real>(input, [](const Material& material) {
                                       return material.surface_tension.value_or(0);
                                   }));
    volume_control_ = VolumeControl<S>(volume_settings<S>(settings_, input));
    const StoppingRule rule{.tolerance = settings_.tolerance, .max_iterations = settings_.max_iterations};
    flow_.share_of_missing = settings_.thread_viscosity;
    flow_.rule = rule;
    laplacian_ =
        LaplacianViscosity<S>(spacing_, rule, settings_.viscous_operator() == Settings::Viscosity::explicit_laplacian);
    projection_.reset();
    if (settings_.projects()) projection_.emplace(projection_settings<S>(settings_, input));
    shifting_ = particle_shifting<S>(settings_, law_);
    // A particle that flies alone must be seen a step before it arrives. Fluid that is pressed to a wall comes closer
    // than a tenth of a spacing, and must not feel the contact.
    solids_.contact = {.contact_distance = static_cast<Real>(0.02 * halved_size(S::dim, settings_.halvings) * spacing_),
                       .reach = (std::max(settings_.cfl, alone_far) + 0.5) * spacing_};
    solids_.load = WallLoad<S>::Settings::of(wide_radius(), spacing_, std::max(1.0, input.strongest_gravity));
    solids_.samples = boundary_settings<S>(wide_radius(), spacing_);
}

template <class S>
void Mukai2021<S>::add_columns(Particles& particles, ConnectionGraph&) {
    const bool tagged = particles.has("side");
    Columns<S> columns;
    // The paper's is a distortion.
    columns.conformation_at_rest = paper() ? SymMat<Real>{} : SymMat<Real>::identity();
    treacle::add_columns(columns, particles);
    if (!tagged) thread_.tag_sides(FluidView<S>(particles), particles.get<std::uint8_t>("side"));
    if (refinement_.active()) ThreadRefinement<S>::add_columns(particles);
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
            !near[i] && (part[i] == hangs_on::none || density[i] < Real(0.2) * rest_density_[material[i]]);
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
