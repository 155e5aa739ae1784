#include "blocks/elastic/constitutive_response.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/promises.h"
#include "math/reproducible.h"

namespace treacle {

template <class Real>
ConformationMemory<Real> memory_in(const ElasticResponse& response, double dt) {
    const double forgotten = dt * response.relaxation_rate,
                 lost = std::isinf(forgotten) ? 1 : reproducible::one_minus_exp_minus(forgotten);
    return {.kept = static_cast<Real>(1 - lost),
            .mean = static_cast<Real>(forgotten > 0 ? lost / forgotten : 1),
            .yield_strain = static_cast<Real>(response.yield_strain),
            .mobility = static_cast<Real>(response.mobility),
            .most_strain = static_cast<Real>(response.most_strain)};
}

template ConformationMemory<float> memory_in(const ElasticResponse&, double);
template ConformationMemory<double> memory_in(const ElasticResponse&, double);

template <class S>
bool ConstitutiveResponse<S>::elastic() const {
    return std::any_of(materials.begin(), materials.end(), [](const ElasticResponse& m) { return m.elastic; });
}

template <class S>
void ConstitutiveResponse<S>::update(const FluidView<S>& fluid, const BlockContext<S>& context,
                                     const ParticleProperties& properties, std::span<const Real> stress_share,
                                     std::span<SymMat<Real>> conformation, std::span<Real> compliance_before) {
    assert(promises::sized(fluid.size(), fluid.material, stress_share, conformation, compliance_before));
    assert(promises::sized_or_empty(fluid.size(), properties.shear_modulus, properties.relaxation_time,
                                    properties.yield_stress));
    assert(promises::within(materials.size(), fluid.material));
    const auto stage = context.timer.stage("update");
    compliance_.resize(fluid.size()), memory_.resize(fluid.size());
    const bool varies = !properties.shear_modulus.empty();
    const auto one = SymMat<Real>::identity();
    std::vector<ConformationMemory<Real>> memory;
    for (const ElasticResponse& response : materials) memory.push_back(memory_in<Real>(response, context.dt));
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        ElasticResponse response = materials[fluid.material[i]];
        memory_[i] = memory[fluid.material[i]];
        if (varies && !response.as_in_paper) {
            const double most_strain = response.most_strain;
            response = ElasticResponse::of(properties.shear_modulus[i], properties.relaxation_time[i],
                                           properties.yield_stress[i], response.mobility);
            response.most_strain = most_strain;
            memory_[i] = memory_in<Real>(response, context.dt);
        }
        const Real before = compliance_before[i];
        const Real now =
            response.elastic ? static_cast<Real>(response.compliance) : std::numeric_limits<Real>::infinity();
        if (now < before) conformation[i] = one + (now / before) * (conformation[i] - one);
        compliance_before[i] = now;
        const bool by_strain = memory_[i].yield_strain > 0 || memory_[i].mobility > 0;
        const Real share = response.as_in_paper ? 1 : by_strain ? stress_share[i] : memory_[i].mean;
        compliance_[i] = response.elastic ? now / share : Real(-1);
    });
}

template class ConstitutiveResponse<Space2f>;
template class ConstitutiveResponse<Space3f>;
#if TREACLE_DOUBLE
template class ConstitutiveResponse<Space2d>;
template class ConstitutiveResponse<Space3d>;
#endif

}  // namespace treacle
