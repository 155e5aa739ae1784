#include "blocks/discretization/mps_operators.h"

#include <cassert>

namespace treacle {

template <class S>
void MpsOperators<S>::update(const MpsCloud<S>& cloud, bool corrected, const Parallel& parallel) {
    assert(cloud.weight().lattice_sum() > 0);
    cloud_ = &cloud;
    inverse_full_ = static_cast<Real>(1 / cloud.weight().lattice_sum());
    const SymMat<Real> of_lattice = static_cast<Real>(S::dim) * SymMat<Real>::identity();
    correction_.assign(cloud.size(), of_lattice);
    fallbacks_ = 0;
    if (!corrected) return;
    const Real regular = Real(1) / (S::dim * S::dim * S::dim);
    fallbacks_ = parallel.template sum<std::size_t>(Rows::of(cloud.size()), [&](std::size_t i) -> std::size_t {
        if (!cloud.carries_pressure(i)) return 0;
        SymMat<Real> m{};
        for (const MpsPair<S>& pair : cloud.carriers(i)) m.add_square(slope(pair), pair.r);
        if (S::dim == 2) m.zz = Real(1) / S::dim;
        const Real determinant = m.xx * (m.yy * m.zz - m.yz * m.yz) - m.xy * (m.xy * m.zz - m.yz * m.xz) +
                                 m.xz * (m.xy * m.yz - m.yy * m.xz);
        const bool singular = !(determinant >= Real(0.108) * regular);
        if (!singular) correction_[i] = inverse(m);
        return singular && cloud.is_fluid(i) ? 1 : 0;
    });
}

template class MpsOperators<Space2d>;
template class MpsOperators<Space3d>;

}  // namespace treacle
