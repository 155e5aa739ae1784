#pragma once

#include <optional>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/elastic/conformation_laws.h"
#include "blocks/elastic/stress_terms.h"
#include "blocks/fluid_view.h"
#include "laws/schemes.h"
#include "math/mat3.h"

namespace treacle {

/// Stress of polymers in a solvent, from the conformation c of the polymers, with L = ∇v:
///
///   τ = 2 η D + G (c - 1),   dc/dt = L c + c Lᵀ - (c - 1)/λ       Oldroyd-B
///   τ = 2 η D + G (f c - 1), f = (L² - d)/(L² - tr c)             FENE-P
///
/// A step first relaxes c over its length, exactly, then a solver finds velocities, and then c follows the flow:
///
///   c <- F c Fᵀ,   F = 1 + t L,   t = λ (1 - e^(-dt/λ))
///
/// so c stays positive definite, and a steady flow has the viscosity G λ exactly, however long the step is. Without a
/// relaxation time the material is a solid: t = dt. With a yield stress (Saramito 2007) it relaxes only above that.
///
/// The solver takes the change of c over the step implicitly (coupled_flow.h). With `explicit_stress` it gets the
/// stress as it is, and the viscosity G t in place of the change.
///
/// Elastic stress is made of velocity gradients, which do not see motion that alternates from particle to particle.
/// Where the solvent is thin, dashpots get a smooth part that resists it (flow_pairs.h): so much that they have
/// `smooth_viscosity` times the viscosity of solvent and polymer together, where the polymer counts with a memory of a
/// hundred steps at most.
///
/// Reads the material of each particle and the velocity gradient; writes the terms of the stress, changes c.
template <class S>
class ConstitutiveLaw {
public:
    using Real = typename S::Real;

    struct Material {
        Real viscosity = 0;                       ///< η of the solvent, Pa·s
        Real modulus = 0;                         ///< G, Pa
        std::optional<double> relaxation_time{};  ///< λ, s
        Real yield_strain = 0;                    ///< yield stress over modulus; 0: always relaxes
        RelaxationLaw law = RelaxationLaw::oldroyd_b;
        double extensibility = 100;  ///< L² of FENE-P
        double mobility = 0;         ///< of Giesekus

        /// Never forgets its shape.
        bool solid() const { return modulus > 0 && !relaxation_time; }
    };
    std::vector<Material> materials;
    double smooth_viscosity = 1;
    bool explicit_stress = false;

    /// Conformations forget strain. The terms stay until it is called again.
    StressTerms<S> relax(const FluidView<S>& fluid, const BlockContext<S>& context,
                         std::span<SymMat<Real>> conformation);

    /// Conformations follow a flow with these gradients; after relax().
    void deform(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Mat3<Real>> gradient,
                std::span<SymMat<Real>> conformation) const;

private:
    /// A material for a step of a certain length.
    struct Memory {
        ConformationMemory<Real> conformation;
        Real strain_time = 0;  ///< t, s
        Real smooth = 0;       ///< viscosity, Pa·s
    };
    Memory memory_of(const Material& material, double dt) const;
    void relax_fene(const Material& material, Real dt, std::size_t i, SymMat<Real>& c);

    std::vector<Real> viscosity_, smooth_, modulus_, strain_time_;
    std::vector<SymMat<Real>> stress_;
};

}  // namespace treacle
