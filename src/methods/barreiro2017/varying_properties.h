#pragma once

#include <span>
#include <vector>

#include "blocks/elastic/constitutive_response.h"
#include "blocks/fluid_view.h"
#include "methods/method.h"
#include "methods/particle_conditions.h"

namespace treacle::barreiro2017 {

/// Properties of single particles, where any property of any material depends on temperature or age. Not in the paper.
template <class S>
class VaryingProperties {
public:
    using Real = typename S::Real;

    void parameters_changed(const MethodInput& input);

    /// Properties at the present temperature and age.
    void evaluate(const FluidView<S>& fluid, StepContext<S>& context, const ParticleConditions<S>& conditions);

    /// Empty: as the materials say.
    const typename ConstitutiveResponse<S>::ParticleProperties& elasticity() const { return elasticity_; }
    std::span<const Real> viscosity() const { return viscosity_; }  ///< Pa·s; likewise

private:
    std::vector<MechanicalProperties> materials_;  ///< empty: all properties are constants
    std::vector<Real> viscosity_;
    typename ConstitutiveResponse<S>::ParticleProperties elasticity_;
};

}  // namespace treacle::barreiro2017
