#include "blocks/pressure/printed_sph.h"

#include <cassert>

#include "core/promises.h"
#include "math/reproducible.h"

namespace treacle {

template <class S>
void PrintedSph<S>::apply(const Neighbors<S>& neighbors, const Fluid& fluid, double dt, const Parallel& parallel,
                          std::span<Row> velocity) {
    assert(promises::rows_within(velocity.size(), neighbors) && promises::reaching(support_radius, neighbors));
    assert(promises::sized(velocity.size(), fluid.position, fluid.mass, fluid.rest_density, fluid.fluidity,
                           fluid.viscosity));
    assert(promises::finite(fluid.position, velocity) && promises::positive(fluid.mass) && dt > 0);
    using Vec = typename S::Vec;
    const std::size_t count = velocity.size();
    // Over σ⁶ times (1 - q²)³, so that nothing overflows.
    const double volume = cell_volume(S::dim, static_cast<double>(support_radius));
    const Real scale = static_cast<Real>((S::dim == 2 ? 4.0 : 315.0 / 64) / (reproducible::pi * volume));
    const Real square = support_radius * support_radius;
    const auto apart = [&](std::size_t i, std::size_t j) { return fluid.position[i].xyz() - fluid.position[j].xyz(); };
    density_.resize(count);
    before_.assign(velocity.begin(), velocity.end());
    parallel.for_each(count, [&](std::size_t i) {
        Real sum = fluid.mass[i] * scale;
        for (const std::uint32_t j : neighbors.row(i)) {
            const Real near = 1 - dot(apart(i, j), apart(i, j)) / square;
            if (near > 0) sum += fluid.mass[j] * scale * near * near * near;
        }
        density_[i] = sum;
    });
    parallel.for_each(count, [&](std::size_t i) {
        Vec force{};
        for (const std::uint32_t j : neighbors.row(i)) {
            const Vec r = apart(i, j);
            const Real near = 1 - dot(r, r) / square;
            if (near <= 0) continue;
            const Real volume_j = fluid.mass[j] / density_[j];
            const Real pressure = stiffness * (density_[j] - fluid.rest_density[j]);
            const Vec gradient = (-6 * scale * near * near / square) * r;
            const Real laplacian = -6 * scale * near * (Real(S::dim) * near - 4 * (1 - near)) / square;
            force += -(volume_j * pressure) * gradient + (fluid.viscosity[i] * volume_j * laplacian) * before_[j].xyz();
        }
        velocity[i] = before_[i].xyz() + (static_cast<Real>(dt) * fluid.fluidity[i] / density_[i]) * force;
    });
}

template class PrintedSph<Space2f>;
template class PrintedSph<Space3f>;
template class PrintedSph<Space2d>;
template class PrintedSph<Space3d>;

}  // namespace treacle
