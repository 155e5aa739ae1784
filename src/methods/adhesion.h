#pragma once

#include "blocks/solids/wall_adhesion.h"
#include "methods/method_input.h"

namespace treacle {

/// How solids hold the materials of a scene; held(material) says which: a method may have its own way for others.
template <class S, class Held>
typename WallAdhesion<S>::Settings adhesion_of(const MethodInput& input, const Held& held) {
    using Real = typename S::Real;
    typename WallAdhesion<S>::Settings settings{.spacing = input.spacing};
    for (const Material& material : input.materials) {
        const double tension = 2 * material.surface_tension.value_or(0) / input.spacing;
        const bool own = held(material);
        settings.materials.push_back(
            {.density = static_cast<Real>(material.density),
             .own_stress = static_cast<Real>(own ? tension + material.shear_modulus.value_or(0) : 0),
             .viscosity = static_cast<Real>(own ? material.viscosity.value_or(0) : 0)});
    }
    return settings;
}

}  // namespace treacle
