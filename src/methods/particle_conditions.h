#pragma once

#include <span>
#include <vector>

#include "blocks/fluid_view.h"
#include "blocks/thermal/heat_conduction.h"
#include "methods/method.h"

namespace treacle {

/// Properties of a material that may depend on temperature or age.
struct MechanicalProperties {
    PropertyValue viscosity, shear_modulus, yield_stress;
    PropertyValue relaxation_time;  ///< infinite: it never relaxes

    static MechanicalProperties of(const Material& material);
};

/// Whether any property of any material is a function.
bool properties_vary(const std::vector<Material>& materials);

/// Temperature and age of particles, on which their properties may depend. Heat conduction changes the former. They are
/// columns that exist only if some material needs them:
///   temperature (°C)   if a material conducts heat or depends on it
///   birth, age (s)     if a material depends on the age; both, because a sum of many short steps would lose digits
template <class S>
class ParticleConditions {
public:
    using Real = typename S::Real;

    void parameters_changed(const MethodInput& input);
    void add_columns(Particles& particles) const;

    /// Particles have just come into being.
    void begin(Particles& particles, double time, const Births& births) const;

    bool conducts() const { return conducts_; }  ///< some material does

    /// Conducts heat among the particles and from solids that have a temperature.
    void conduct_heat(const FluidView<S>& fluid, StepContext<S>& context);
    void advance_age(StepContext<S>& context) const;

    struct View {
        std::span<const Real> temperature, age;  ///< empty if nothing depends on it

        double at(const PropertyValue& property, std::size_t i) const {
            if (!property.function) return property.constant;
            const bool by_age = property.function->over == PropertyFunction::Over::age;
            return property.function->at(static_cast<double>(by_age ? age[i] : temperature[i]));
        }
    };
    View view(const Particles& particles) const;

private:
    bool has_temperature_ = false, has_age_ = false, conducts_ = false;
    std::vector<double> fluid_temperature_;           ///< °C, by number of the fluid
    std::vector<Real> conductivity_, heat_capacity_;  ///< by material, W/(m K) and J/(kg K)
    std::vector<Real> particle_conductivity_, particle_capacity_;
    HeatConduction<S> conduction_;
};

}  // namespace treacle
