#include "methods/barreiro2017/varying_properties.h"

#include <algorithm>
#include <limits>

namespace treacle::barreiro2017 {

template <class S>
void VaryingProperties<S>::parameters_changed(const MethodInput& input) {
    materials_.clear();
    viscosity_.clear();
    elasticity_ = {};
    if (std::ranges::all_of(input.materials, [](const Material& m) { return m.functions.empty(); })) return;
    for (const Material& material : input.materials) {
        constexpr double never = std::numeric_limits<double>::infinity();
        materials_.push_back(
            {.viscosity = material.property("viscosity", material.viscosity.value_or(0)),
             .shear_modulus = material.property("shear_modulus", material.shear_modulus.value_or(0)),
             .relaxation_time = material.property("relaxation_time", material.relaxation_time.value_or(never)),
             .yield_stress = material.property("yield_stress", material.yield_stress.value_or(0))});
    }
}

template <class S>
void VaryingProperties<S>::evaluate(const FluidView<S>& fluid, StepContext<S>& context,
                                    const ParticleConditions<S>& conditions) {
    if (materials_.empty()) return;
    const auto of_particles = conditions.view(context.particles);
    viscosity_.resize(fluid.size());
    elasticity_.resize(fluid.size());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const MaterialProperties& material = materials_[fluid.material[i]];
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
