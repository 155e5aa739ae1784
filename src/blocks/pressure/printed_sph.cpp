#include "blocks/pressure/printed_sph.h"

#include <cassert>

#include "core/promises.h"
#include "math/reproducible.h"

namespace treacle {

template <class S>
void PrintedSph<S>::apply(const FluidView<S>& fluid, const BlockContext<S>& context) {
    assert(promises::rows_within(fluid.size(), context.neighbors));
    assert(promises::reaching(support_radius, context.neighbors) && context.dt > 0);
    assert(promises::sized(fluid.size(), fluid.velocity, fluid.mass, fluid.material));
    assert(promises::within(materials.size(), fluid.material));
    assert(promises::finite(fluid.position, fluid.velocity) && promises::positive(fluid.mass));
    const auto stage = context.timer.stage("printed equations");
    using Vec = typename S::Vec;
    const Real dt = static_cast<Real>(context.dt);
    // Over σ⁶ times (1 - q²)³, so that nothing overflows.
    const double volume = cell_volume(S::dim, static_cast<double>(support_radius));
    const Real scale = static_cast<Real>((S::dim == 2 ? 4.0 : 315.0 / 64) / (reproducible::pi * volume));
    const Real square = support_radius * support_radius;
    const auto apart = [&](std::size_t i, std::size_t j) { return fluid.position[i].xyz() - fluid.position[j].xyz(); };
    density_.resize(fluid.size());
    before_.assign(fluid.velocity.begin(), fluid.velocity.end());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        Real sum = fluid.mass[i] * scale;
        for (const std::uint32_t j : context.neighbors.row(i)) {
            const Real near = 1 - dot(apart(i, j), apart(i, j)) / square;
            if (near > 0) sum += fluid.mass[j] * scale * near * near * near;
        }
        density_[i] = sum;
    });
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const Material& own = materials[fluid.material[i]];
        Vec force{};
        for (const std::uint32_t j : context.neighbors.row(i)) {
            const Vec r = apart(i, j);
            const Real near = 1 - dot(r, r) / square;
            if (near <= 0) continue;
            const Real volume_j = fluid.mass[j] / density_[j];
            const Real pressure = stiffness * (density_[j] - materials[fluid.material[j]].rest_density);
            const Vec gradient = (-6 * scale * near * near / square) * r;
            const Real laplacian = -6 * scale * near * (Real(S::dim) * near - 4 * (1 - near)) / square;
            force += -(volume_j * pressure) * gradient + (own.viscosity * volume_j * laplacian) * before_[j].xyz();
        }
        fluid.velocity[i] = before_[i].xyz() + (dt * own.fluidity / density_[i]) * force;
    });
}

template class PrintedSph<Space2f>;
template class PrintedSph<Space3f>;
template class PrintedSph<Space2d>;
template class PrintedSph<Space3d>;

}  // namespace treacle
