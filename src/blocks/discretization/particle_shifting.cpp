#include "blocks/discretization/particle_shifting.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/promises.h"

namespace treacle {

template <class S>
void ParticleShifting<S>::advance(const FluidView<S>& fluid, const BlockContext<S>& context,
                                  const MpsGeometry<S>& geometry, std::span<const Mat3<Real>> gradient) const {
    assert(promises::sized(fluid.size(), fluid.velocity, fluid.material, geometry, gradient) && context.dt > 0);
    assert(promises::within(fixed.size(), fluid.material));
    const Real dt = static_cast<Real>(context.dt), spacing = static_cast<Real>(geometry.spacing());
    const Real least = static_cast<Real>(rate), by_strain = static_cast<Real>(per_strain);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const SymMat<Real> d = symmetric_part(gradient[i]);
        const Real l0 = geometry.sizes()[i] * spacing;
        const Real share = fixed[fluid.material[i]]
                               ? 0
                               : std::min(dt * std::max(least, by_strain * std::sqrt(2 * double_dot(d, d))), Real(0.5));
        Vec shift = (-share * l0) * geometry.crowding()[i];
        if (geometry.surface()[i]) {
            const Vec n = geometry.normal()[i];
            shift -= dot(shift, n) * n;
        }
        const Real far = length(shift), most = Real(0.2) * l0;
        if (far > most) shift = (most / far) * shift;
        fluid.position[i] = fluid.position[i].xyz() + dt * fluid.velocity[i].xyz() + shift;
    });
}

template class ParticleShifting<Space2d>;
template class ParticleShifting<Space3d>;

}  // namespace treacle
