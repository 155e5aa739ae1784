#pragma once

#include <cstddef>
#include <vector>

namespace treacle {

/// Elasticity of single particles, where it depends on temperature or age. It replaces the numbers that
/// their materials give.
///
/// A modulus that rises is one of new bonds, which form without stress. Stress therefore stays, and the strain of a
/// connection falls by the factor G/G' (VelocityCorrection::keep_stress). A modulus that falls is one of bonds that
/// vanish, together with their stress. Neither makes energy. A particle without a modulus remembers no shape.
template <class Real>
struct VaryingElasticity {
    std::vector<Real> shear_modulus, modulus_before;  ///< Pa, now and in the step before
    std::vector<Real> relaxation_rate, healing_rate;  ///< 1/s
    std::vector<Real> yield_strain;
    std::vector<Real> connect_distance, first_connect_distance;  ///< m
    bool melts = false;  ///< without a modulus connections hold nothing; not so with the paper's coefficients

    bool melted(std::size_t i, std::size_t j) const { return melts && shear_modulus[i] == 0 && shear_modulus[j] == 0; }

    std::size_t size() const { return shear_modulus.size(); }
    void resize(std::size_t count) {
        for (auto* values : {&shear_modulus, &modulus_before, &relaxation_rate, &healing_rate, &yield_strain,
                             &connect_distance, &first_connect_distance}) {
            values->resize(count);
        }
    }
};

}  // namespace treacle
