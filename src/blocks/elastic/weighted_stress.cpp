#include "blocks/elastic/weighted_stress.h"

#include <algorithm>
#include <cassert>

#include "core/promises.h"

namespace treacle {

template <class S>
auto WeightedStress<S>::weights(const Material& material, const Waist& waist, const Rupture& rupture) -> Weights {
    const double elastic = std::max(0.0, 1 - waist.density) * material.elastic_coefficient;
    const bool ruptured = rupture.sides_met != Rupture::never || rupture.parted != Rupture::never;
    const double viscous = material.complementary ? 1 - elastic
                           : ruptured             ? material.viscous_weight_after_rupture
                                                  : material.viscous_weight;
    return {elastic, viscous};
}

template <class S>
void WeightedStress<S>::set_weights(const Waist& waist, const Rupture& rupture) {
    elastic_weight_.clear(), viscous_weight_.clear();
    for (const Material& material : materials) {
        const Weights both = weights(material, waist, rupture);
        elastic_weight_.push_back(static_cast<Real>(both.elastic));
        viscous_weight_.push_back(static_cast<Real>(both.viscous));
    }
}

template <class S>
StressTerms<S> WeightedStress<S>::stress(const FluidView<S>& fluid, const BlockContext<S>& context,
                                         std::span<const SymMat<Real>> distortion) {
    assert(promises::sized(fluid.size(), fluid.material, distortion));
    assert(promises::within(materials.size(), fluid.material) && elastic_weight_.size() == materials.size());
    assert(context.dt > 0);
    const Real dt = static_cast<Real>(context.dt);
    viscosity_.resize(fluid.size()), stress_.resize(fluid.size());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const std::size_t m = fluid.material[i];
        const Real elastic = elastic_weight_[m] * materials[m].modulus;
        viscosity_[i] = viscous_weight_[m] * materials[m].viscosity + elastic * dt;
        stress_[i] = (2 * elastic) * distortion[i];
    });
    return {
        .viscosity = viscosity_, .smooth = {}, .stress = stress_, .modulus = {}, .conformation = {}, .strain_time = {}};
}

template <class S>
void WeightedStress<S>::deform(const FluidView<S>& fluid, const BlockContext<S>& context,
                               std::span<const Mat3<Real>> gradient, std::span<SymMat<Real>> distortion) const {
    assert(promises::sized(fluid.size(), gradient, distortion) && context.dt > 0);
    const Real dt = static_cast<Real>(context.dt);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const Mat3<Real>& l = gradient[i];
        SymMat<Real> d = symmetric_part(l);
        const Real mean = l.trace() / S::dim;
        d.xx -= mean, d.yy -= mean;
        if (S::dim == 3) d.zz -= mean;
        const Mat3<Real> w = Real(0.5) * (l - l.transposed()), e = Mat3<Real>::from(distortion[i]);
        distortion[i] = distortion[i] + dt * (d + symmetric_part(w * e - e * w));
    });
}

template class WeightedStress<Space2d>;
template class WeightedStress<Space3d>;

}  // namespace treacle
