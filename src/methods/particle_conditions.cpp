#include "methods/particle_conditions.h"

#include <algorithm>
#include <limits>

namespace treacle {

MechanicalProperties MechanicalProperties::of(const Material& material) {
    constexpr double never = std::numeric_limits<double>::infinity();
    return {.viscosity = material.property("viscosity", material.viscosity.value_or(0)),
            .shear_modulus = material.property("shear_modulus", material.shear_modulus.value_or(0)),
            .yield_stress = material.property("yield_stress", material.yield_stress.value_or(0)),
            .relaxation_time = material.property("relaxation_time", material.relaxation_time.value_or(never))};
}

bool properties_vary(const std::vector<Material>& materials) {
    return std::ranges::any_of(materials, [](const Material& material) { return !material.functions.empty(); });
}

template <class S>
void ParticleConditions<S>::parameters_changed(const MethodInput& input) {
    has_temperature_ = has_age_ = conducts_ = false;
    fluid_temperature_ = input.fluid_temperature;
    conductivity_.clear();
    heat_capacity_.clear();
    for (const Material& material : input.materials) {
        conductivity_.push_back(static_cast<Real>(material.thermal_conductivity.value_or(0)));
        // A material that does not conduct needs no capacity; any value but 0 will do.
        heat_capacity_.push_back(static_cast<Real>(material.heat_capacity.value_or(1)));
        conducts_ |= conductivity_.back() > 0;
        for (const PropertyFunction& function : material.functions) {
            (function.over == PropertyFunction::Over::age ? has_age_ : has_temperature_) = true;
        }
    }
    has_temperature_ |= conducts_;
}

template <class S>
void ParticleConditions<S>::add_columns(Particles& particles) const {
    if (has_temperature_) particles.add<Real>("temperature", "degC", true);
    if (!has_age_) return;
    particles.add<Real>("birth", "s");
    particles.add<Real>("age", "s", true);
}

template <class S>
void ParticleConditions<S>::begin(Particles& particles, double time, const Births& births) const {
    const auto fluid = particles.get<std::uint32_t>("fluid");
    for (std::size_t i = 0; i < particles.size(); ++i) {
        if (!births[i]) continue;
        if (has_temperature_) particles.get<Real>("temperature")[i] = static_cast<Real>(fluid_temperature_[fluid[i]]);
        if (has_age_) particles.get<Real>("birth")[i] = static_cast<Real>(time);
        if (has_age_) particles.get<Real>("age")[i] = 0;
    }
}

template <class S>
void ParticleConditions<S>::conduct_heat(const FluidView<S>& fluid, StepContext<S>& context) {
    if (!conducts_) return;
    particle_conductivity_.resize(fluid.size());
    particle_capacity_.resize(fluid.size());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        particle_conductivity_[i] = conductivity_[fluid.material[i]];
        particle_capacity_[i] = fluid.mass[i] * heat_capacity_[fluid.material[i]];
    });
    conduction_.body_temperature.clear();
    for (const Body& body : context.bodies) {
        conduction_.body_temperature.push_back(body.temperature.value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    conduction_.apply(fluid, context, particle_capacity_, particle_conductivity_,
                      context.particles.template get<Real>("temperature"));
}

template <class S>
void ParticleConditions<S>::advance_age(StepContext<S>& context) const {
    if (!has_age_) return;
    const auto birth = context.particles.template get<Real>("birth");
    const auto age = context.particles.template get<Real>("age");
    const double now = context.time + context.dt;
    context.parallel.for_each(Rows::of(age.size()),
                              [&](std::size_t i) { age[i] = static_cast<Real>(now - static_cast<double>(birth[i])); });
}

template <class S>
auto ParticleConditions<S>::view(const Particles& particles) const -> View {
    View view;
    if (has_temperature_) view.temperature = particles.get<Real>("temperature");
    if (has_age_) view.age = particles.get<Real>("age");
    return view;
}

template class ParticleConditions<Space2f>;
template class ParticleConditions<Space3f>;
template class ParticleConditions<Space2d>;
template class ParticleConditions<Space3d>;

}  // namespace treacle
