#pragma once

#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/elastic/conformation_laws.h"
#include "blocks/fluid_view.h"
#include "laws/elastic_response.h"
#include "math/space.h"
#include "math/sym_mat.h"

namespace treacle {

/// How the strain of a material relaxes in a step of this length.
template <class Real>
ConformationMemory<Real> memory_in(const ElasticResponse& response, double dt);

/// Compliance and memory of every particle in a step (Barreiro et al. 2017, section 3.2 and eq. 6). With s = dt/τ:
///
///   1/G' = 1/(G share),   share = (1 - e^(-s))/s
///
/// is the compliance of a particle: stress that relaxes within the step does not act, so the viscosity is G τ for any
/// step. With a yield strain or a mobility the share depends on the strain to come; then the last step's is taken.
///
/// A modulus that rises adds bonds without stress, so the stress stays: with G before and G' now, X = Q - 1 shrinks by
/// the factor G/G', and no energy is made. A liquid that sets begins without strain. A modulus that falls leaves Q
/// as it is.
///
/// Reads materials, or properties of single particles; writes the conformation where a material has become stiffer, and
/// its own compliance and memory.
///
/// Departure: G' in place of G. The paper's constraint does not know of relaxation, and its viscosity changes with the
///   step. `as_in_paper` has the paper's form.
template <class S>
class ConstitutiveResponse {
public:
    using Real = typename S::Real;

    /// Properties of single particles, where they depend on temperature or age. They stand in place of those of the
    /// materials, except of materials as in the paper. Empty: nothing depends on either.
    struct ParticleProperties {
        std::vector<double> shear_modulus;    ///< Pa
        std::vector<double> relaxation_time;  ///< s
        std::vector<double> yield_stress;     ///< Pa

        void resize(std::size_t count) {
            for (auto* values : {&shear_modulus, &relaxation_time, &yield_stress}) values->resize(count);
        }
    };

    std::vector<ElasticResponse> materials;

    /// Whether any material has a conformation.
    bool elastic() const;

    /// `stress_share` is that of the last step. `compliance_before` is 1/G (1/Pa) of the last step, and of this one
    /// afterwards.
    void update(const FluidView<S>& fluid, const BlockContext<S>& context, const ParticleProperties& properties,
                std::span<const Real> stress_share, std::span<SymMat<Real>> conformation,
                std::span<Real> compliance_before);

    std::span<const Real> compliance() const { return compliance_; }  ///< 1/G', 1/Pa; negative: no conformation
    std::span<const ConformationMemory<Real>> memory() const { return memory_; }

private:
    std::vector<Real> compliance_;
    std::vector<ConformationMemory<Real>> memory_;
};

}  // namespace treacle
