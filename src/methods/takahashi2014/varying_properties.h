#pragma once

#include <optional>
#include <span>
#include <vector>

#include "blocks/elastic/varying_elasticity.h"
#include "blocks/fluid_view.h"
#include "methods/method.h"
#include "methods/particle_conditions.h"

namespace treacle::takahashi2014 {

/// Properties of single particles, where any property of any material depends on temperature or age. Not in the paper.
///
/// The modulus of the step before is a column: elasticity depends on its rise.
template <class S>
class VaryingProperties {
public:
    using Real = typename S::Real;

    void parameters_changed(const MethodInput& input);
    void add_columns(Particles& particles) const;

    /// Properties at the present temperature and age. Those in `births` had no modulus before.
    void evaluate(const FluidView<S>& fluid, StepContext<S>& context, const ParticleConditions<S>& conditions,
                  const Births& births);

    bool modulus_varies() const { return modulus_varies_; }
    const VaryingElasticity<Real>* elasticity() const { return materials_.empty() ? nullptr : &elasticity_; }
    /// Pa·s; empty: as the materials say.
    std::span<const Real> viscosity() const {
        return materials_.empty() ? std::span<const Real>{} : std::span<const Real>(viscosity_);
    }

private:
    struct MaterialProperties {
        MechanicalProperties mechanical;
        PropertyValue connect_distance;
        std::optional<double> first_connect_distance, healing_time;
        bool elastic = false;
    };
    void evaluate(const MaterialProperties& material, const typename ParticleConditions<S>::View& conditions,
                  std::size_t i);

    double support_radius_ = 0;                  ///< m
    std::vector<MaterialProperties> materials_;  ///< empty: all properties are constants
    bool modulus_varies_ = false;
    VaryingElasticity<Real> elasticity_;
    std::vector<Real> viscosity_;
};

}  // namespace treacle::takahashi2014
