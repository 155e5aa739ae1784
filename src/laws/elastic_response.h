#pragma once

#include <limits>

namespace treacle {

/// How a material answers strain: stress = modulus · strain, and strain relaxes.
struct ElasticResponse {
    bool elastic = false;        ///< false: it has no conformation
    double compliance = 0;       ///< 1/modulus, 1/Pa
    double relaxation_rate = 0;  ///< 1/τ, 1/s; infinite: it relaxes at once
    double yield_strain = 0;     ///< below it nothing relaxes
    double mobility = 0;
    double most_strain = std::numeric_limits<double>::infinity();  ///< strain beyond it is forgotten
    bool as_in_paper = false;                                      ///< relaxation does not change the compliance

    /// The response of a material with these properties in SI units, and an infinite time if it never relaxes.
    static ElasticResponse of(double shear_modulus, double relaxation_time, double yield_stress, double mobility);
};

}  // namespace treacle
