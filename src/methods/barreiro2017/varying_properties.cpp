#include "methods/barreiro2017/varying_properties.h"

namespace treacle::barreiro2017 {

template <class S>
void VaryingProperties<S>::parameters_changed(const MethodInput& input) {
    materials_.clear();
    viscosity_.clear();
    elasticity_ = {};
    if (!properties_vary(input.materials)) return;
    for (const Material& material : input.materials) materials_.push_back(MechanicalProperties::of(material));
}

template <class S>
void VaryingProperties<S>::evaluate(const FluidView<S>& fluid, StepContext<S>& context,
                                    const ParticleConditions<S>& conditions) {
    if (materials_.empty()) return;
    const auto of_particles = conditions.view(context.particles);
    viscosity_.resize(fluid.size());
    elasticity_.resize(fluid.size());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const MechanicalProperties& material = materials_[fluid.material[i]];
        viscosity_[i] = static_cast<Real>(of_particles.at(material.viscosity, i));
        elasticity_.shear_modulus[i] = of_particles.at(material.shear_modulus, i);
        elasticity_.relaxation_time[i] = of_particles.at(material.relaxation_time, i);
        elasticity_.yield_stress[i] = of_particles.at(material.yield_stress, i);
    });
}

template class VaryingProperties<Space2f>;
template class VaryingProperties<Space3f>;
#if TREACLE_DOUBLE
template class VaryingProperties<Space2d>;
template class VaryingProperties<Space3d>;
#endif

}  // namespace treacle::barreiro2017
