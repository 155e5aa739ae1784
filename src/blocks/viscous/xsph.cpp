#include "blocks/viscous/xsph.h"

#include "blocks/pair_pack.h"
#include "kernels/cubic_spline.h"
#include "math/reproducible.h"

namespace treacle {

template <class S>
double Xsph<S>::blend_within(double dt) const {
    if (blend <= 0) return 0;
    if (blend >= 1) return 1;
    return reproducible::one_minus_exp_minus(-reproducible::log(1 - blend) * (dt / reference_step));
}

template <class S>
void Xsph<S>::gather(const Neighbors<S>& neighbors, std::span<const Row> position, std::span<const Row> velocity,
                     std::span<const Real> mass, std::span<const Real> volume, double dt, const Parallel& parallel,
                     std::span<Row> result) const {
    const CubicSpline<S> kernel(support_radius);
    const Real share = static_cast<Real>(blend_within(dt));
    const std::size_t count = position.size();
    simd::for_each<Real>(parallel, count, [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        const auto v_i = velocity[i].xyz();
        const P density_i(mass[i] / volume[i]);
        Vec3<P> change{};
        for_each_pair_pack<S, P>(i, neighbors.row(i), position, {}, kernel.support_radius(),
                                 [&](const PairPack<S, P>& pair) TREACLE_SIMD_INLINE_LAMBDA {
            const P mass_j = simd::load_lanes<P>(mass.data(), pair.j);
            const P density_j = mass_j / simd::load_lanes<P>(volume.data(), pair.j);
            const P weight = (P(2) * kernel.value(pair.q)) / (density_i + density_j);
            const Vec3<P> v_j = simd::load_rows<P>(velocity.data(), pair.j).xyz();
            change += (mass_j * weight) * Vec3<P>{v_j.x - v_i.x, v_j.y - v_i.y, v_j.z - v_i.z};
        });
        result[i] = v_i + share * sum_of_lanes(change);
    });
}

template struct Xsph<Space2f>;
template struct Xsph<Space3f>;
template struct Xsph<Space2d>;
template struct Xsph<Space3d>;

}  // namespace treacle
