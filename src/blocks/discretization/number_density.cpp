#include "blocks/discretization/number_density.h"

#include <cassert>

namespace treacle {

template <class S>
void NumberDensity<S>::update(const MpsCloud<S>& cloud, SurfaceTest test, const Parallel& parallel) {
    assert(cloud.weight().lattice_sum() > 0);
    ratio_.assign(cloud.size(), 0);
    surface_.assign(cloud.size(), 0);
    const Real full = static_cast<Real>(cloud.weight().lattice_sum());
    parallel.for_each(Rows::of(cloud.size()), [&](std::size_t i) {
        if (!cloud.carries_pressure(i)) return;
        Real n = 0;
        typename S::Vec lean{};
        for (const MpsPair<S>& pair : cloud.row(i)) {
            n += pair.weight;
            lean += (pair.weight * std::sqrt(pair.inverse_square)) * pair.r;
        }
        ratio_[i] = n / full;
        const bool one_sided = length(lean) > Real(0.25) * n || ratio_[i] < Real(0.3);
        surface_[i] = ratio_[i] < Real(0.97) && (test == SurfaceTest::number_density || one_sided);
    });
}

template class NumberDensity<Space2d>;
template class NumberDensity<Space3d>;

}  // namespace treacle
