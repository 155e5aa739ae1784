#include "blocks/elastic/constitutive_law.h"

#include <algorithm>
#include <cassert>

#include "core/promises.h"
#include "math/reproducible.h"

namespace treacle {

template <class S>
auto ConstitutiveLaw<S>::memory_of(const Material& material, double dt) const -> Memory {
    Memory memory{.conformation = {}, .strain_time = static_cast<Real>(dt)};
    if (material.relaxation_time) {
        const double kept = reproducible::exp(-dt / *material.relaxation_time);
        memory.strain_time = static_cast<Real>(*material.relaxation_time * (1 - kept));
        memory.conformation.kept = static_cast<Real>(kept);
        memory.conformation.mean = memory.strain_time / static_cast<Real>(dt);
    }
    memory.conformation.yield_strain = material.yield_strain;
    if (material.law == RelaxationLaw::giesekus) memory.conformation.mobility = static_cast<Real>(material.mobility);
    const double remembered = std::min(material.relaxation_time.value_or(100 * dt), 100 * dt);
    const double elastic = static_cast<double>(material.modulus) * remembered,
                 solvent = static_cast<double>(material.viscosity);
    memory.smooth = static_cast<Real>(std::max(0.0, smooth_viscosity * (solvent + elastic) - solvent));
    return memory;
}

template <class S>
void ConstitutiveLaw<S>::relax_fene(const Material& material, Real dt, std::size_t i, SymMat<Real>& c) {
    const Fene<Real> fene = forget_fene<S::dim>(c, static_cast<Real>(material.extensibility),
                                                static_cast<Real>(*material.relaxation_time), dt);
    c = fene.conformation;
    modulus_[i] = fene.spring * material.modulus;
    strain_time_[i] = fene.strain_time;
    // G (f c - 1), of which the flow takes G f (c - 1).
    stress_[i] = (modulus_[i] - material.modulus) * SymMat<Real>::identity();
}

template <class S>
StressTerms<S> ConstitutiveLaw<S>::relax(const FluidView<S>& fluid, const BlockContext<S>& context,
                                         std::span<SymMat<Real>> conformation) {
    assert(promises::sized(fluid.size(), fluid.material, conformation) && context.dt > 0);
    assert(promises::within(materials.size(), fluid.material));
    for (auto* column : {&viscosity_, &smooth_, &modulus_, &strain_time_}) column->resize(fluid.size());
    stress_.resize(fluid.size());
    std::vector<Memory> memories;
    for (const Material& material : materials) memories.push_back(memory_of(material, context.dt));
    const Real dt = static_cast<Real>(context.dt);
    const auto one = SymMat<Real>::identity();
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const Material& material = materials[fluid.material[i]];
        const Memory& memory = memories[fluid.material[i]];
        smooth_[i] = memory.smooth;
        viscosity_[i] = material.viscosity + smooth_[i];
        modulus_[i] = material.modulus;
        strain_time_[i] = memory.strain_time;
        stress_[i] = {};
        if (material.modulus == 0) return;
        SymMat<Real>& c = conformation[i];
        if (material.law == RelaxationLaw::fene_p && material.relaxation_time) relax_fene(material, dt, i, c);
        else c = forget<S::dim>(c, memory.conformation).conformation;
        if (!explicit_stress) return;
        stress_[i] = modulus_[i] * (c - one);
        viscosity_[i] += modulus_[i] * strain_time_[i] - smooth_[i];
    });
    StressTerms<S> terms;
    terms.viscosity = viscosity_;
    const auto any = [&](const auto& is) { return std::any_of(materials.begin(), materials.end(), is); };
    const bool elastic = any([](const Material& material) { return material.modulus > 0; });
    if (explicit_stress || any([](const Material& material) { return material.law == RelaxationLaw::fene_p; }))
        terms.stress = stress_;
    if (elastic && !explicit_stress) {
        terms.modulus = modulus_, terms.conformation = conformation, terms.strain_time = strain_time_;
        if (smooth_viscosity > 0) terms.smooth = smooth_;
    }
    return terms;
}

template <class S>
void ConstitutiveLaw<S>::deform(const FluidView<S>& fluid, const BlockContext<S>& context,
                                std::span<const Mat3<Real>> gradient, std::span<SymMat<Real>> conformation) const {
    assert(promises::sized(fluid.size(), gradient, conformation, modulus_, strain_time_));
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        if (!(modulus_[i] > 0)) return;
        const Mat3<Real> f = Mat3<Real>::identity() + strain_time_[i] * gradient[i];
        conformation[i] = symmetric_part(f * Mat3<Real>::from(conformation[i]) * f.transposed());
    });
}

template class ConstitutiveLaw<Space2d>;
template class ConstitutiveLaw<Space3d>;

}  // namespace treacle
