#include "methods/takahashi2014/varying_properties.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/takahashi2014/settings.h"

namespace treacle::takahashi2014 {

template <class S>
void VaryingProperties<S>::parameters_changed(const MethodInput& input) {
    support_radius_ = takahashi2014::support_radius(input);
    materials_.clear();
    modulus_varies_ = false;
    elasticity_.melts = input.settings.as<Settings>().coefficients == Coefficients::physical;
    if (!properties_vary(input.materials)) return;
    for (const Material& material : input.materials) {
        const auto& own = material.by_method.at("takahashi2014").as<MaterialSettings>();
        modulus_varies_ |= material.function("shear_modulus") != nullptr;
        materials_.push_back(
            {.mechanical = MechanicalProperties::of(material),
             .connect_distance = material.property("takahashi2014/connect_distance", own.connect_distance),
             .first_connect_distance = own.first_connect_distance,
             .healing_time = own.healing_time,
             .elastic = !elasticity_.melts || material.shear_modulus.value_or(0) > 0});
    }
}

template <class S>
void VaryingProperties<S>::add_columns(Particles& particles) const {
    if (modulus_varies_) particles.add<Real>("shear_modulus", "Pa", true);
}

template <class S>
void VaryingProperties<S>::evaluate(const FluidView<S>& fluid, StepContext<S>& context,
                                    const ParticleConditions<S>& conditions, const Births& births) {
    if (materials_.empty()) return;
    const auto stage = context.timer.stage("properties");
    const auto of_particles = conditions.view(context.particles);
    const auto modulus = modulus_varies_ ? context.particles.template get<Real>("shear_modulus") : std::span<Real>{};
    elasticity_.resize(fluid.size());
    viscosity_.resize(fluid.size());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        evaluate(materials_[fluid.material[i]], of_particles, i);
        const Real now = elasticity_.shear_modulus[i];
        elasticity_.modulus_before[i] = modulus.empty() || births[i] ? now : modulus[i];
        if (!modulus.empty()) modulus[i] = now;
    });
}

template <class S>
void VaryingProperties<S>::evaluate(const MaterialProperties& material,
                                    const typename ParticleConditions<S>::View& conditions, std::size_t i) {
    const auto real = [](double value) { return static_cast<Real>(value); };
    const double modulus = conditions.at(material.mechanical.shear_modulus, i);
    const double relaxation_time = conditions.at(material.mechanical.relaxation_time, i);
    const double healing_time = material.healing_time.value_or(std::isfinite(relaxation_time) ? relaxation_time : 1);
    const double reach = material.elastic ? support_radius_ * conditions.at(material.connect_distance, i) : 0;
    viscosity_[i] = real(conditions.at(material.mechanical.viscosity, i));
    elasticity_.shear_modulus[i] = real(modulus);
    elasticity_.relaxation_rate[i] = real(1 / relaxation_time);
    elasticity_.healing_rate[i] = real(healing_time > 0 ? 1 / healing_time : std::numeric_limits<double>::infinity());
    elasticity_.yield_strain[i] =
        real(takahashi2014::yield_strain(conditions.at(material.mechanical.yield_stress, i), modulus));
    elasticity_.connect_distance[i] = real(reach);
    elasticity_.first_connect_distance[i] = material.first_connect_distance && material.elastic
                                                ? real(*material.first_connect_distance * support_radius_)
                                                : elasticity_.connect_distance[i];
}

template class VaryingProperties<Space2f>;
template class VaryingProperties<Space3f>;
template class VaryingProperties<Space2d>;
template class VaryingProperties<Space3d>;

}  // namespace treacle::takahashi2014
