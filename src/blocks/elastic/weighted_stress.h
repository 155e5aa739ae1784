#pragma once

#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/elastic/stress_terms.h"
#include "blocks/fluid_view.h"
#include "blocks/threads/rupture.h"
#include "math/mat3.h"

namespace treacle {

/// The deviatoric stress of Mukai et al. 2021, section 3: viscous and elastic stress, weighted.
///
///   τ = α τ_v + β τ_e                              (3)
///   τ_v = 2 η0 D,   D = (L + Lᵀ)/2,   L = ∇v       (4) to (7)
///   τ_e = 2 μ ε,    μ = E/(2 (1 + ν))              (8)
///   β = (1 - n/n0) C                               (9), n the number density of the narrowest part
///
/// α is a number of the material, another one after rupture; or 1 - β (Mukai et al. 2019).
///
/// The paper does not define the distortion ε. Here it adds up the rate of strain without its isotropic part, and turns
/// with the fluid (Jaumann's rate):
///
///   dε/dt = dev D + W ε - ε W,   W = (L - Lᵀ)/2
///
/// The elastic stress is that of the end of the step: the change of ε within the step acts as a viscosity β μ dt.
///
/// Reads the material of each particle and the velocity gradient; writes viscosity and stress, changes ε.
///
/// Limits: a Kelvin-Voigt solid, which never relaxes. One β for all of the fluid.
///
/// Departure: β >= 0. On a disturbed lattice the waist may be denser than n0.
/// Departure: fluid that let go of a solid is ruptured too, though its sides never met.
template <class S>
class WeightedStress {
public:
    using Real = typename S::Real;

    struct Material {
        Real viscosity = 0;              ///< η0, Pa·s
        Real modulus = 0;                ///< μ, Pa
        double elastic_coefficient = 0;  ///< C
        bool complementary = false;      ///< α = 1 - β
        double viscous_weight = 1;       ///< α before rupture
        double viscous_weight_after_rupture = 1;
    };
    std::vector<Material> materials;

    /// β and α of (3).
    struct Weights {
        double elastic = 0, viscous = 1;
    };

    /// (9)
    static Weights weights(const Material& material, const Waist& waist, const Rupture& rupture);

    /// (9) for all materials, from the next call of stress() on.
    void set_weights(const Waist& waist, const Rupture& rupture);

    /// (3), (4) and (8). The terms stay until it is called again.
    StressTerms<S> stress(const FluidView<S>& fluid, const BlockContext<S>& context,
                          std::span<const SymMat<Real>> distortion);

    /// (5) to (7): the distortion follows a flow with these gradients.
    void deform(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Mat3<Real>> gradient,
                std::span<SymMat<Real>> distortion) const;

private:
    std::vector<Real> elastic_weight_, viscous_weight_;  ///< β and α, by material
    std::vector<Real> viscosity_;
    std::vector<SymMat<Real>> stress_;
};

}  // namespace treacle
