#include "blocks/viscous/viscous_strength.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "blocks/pair_pack.h"
#include "blocks/viscous/viscous_pair.h"
#include "core/promises.h"
#include "math/mat3.h"
#include "math/sym_mat.h"

namespace treacle {

namespace {

/// Σ w x xᵀ and Σ w v xᵀ over neighbors: the normal equations of the linear flow that fits them best.
template <class P>
struct FlowFit {
    SymMat<P> square{};
    Mat3<P> flow{};
};

template <class P>
auto sum_of_lanes_of(const SymMat<P>& m) {
    using Real = typename P::Real;
    return SymMat<Real>{sum_of_lanes(m.xx), sum_of_lanes(m.xy), sum_of_lanes(m.xz),
                        sum_of_lanes(m.yy), sum_of_lanes(m.yz), sum_of_lanes(m.zz)};
}

}  // namespace

template <class S>
void ViscousStrength<S>::measure(const FluidView<S>& fluid, const BlockContext<S>& context, double support_radius,
                                 std::span<const Real> viscosity, const WallDrag<S>& walls,
                                 std::span<const double> motions) {
    assert(promises::sized(context.neighbors.size(), fluid.position, fluid.velocity, fluid.volume, viscosity));
    assert(promises::finite(fluid.position) && promises::positive(fluid.volume) && context.dt > 0);
    by_particle_.resize(fluid.size());
    const ViscousPair<S> viscous{CubicSpline<S>(support_radius)};
    const Real h = viscous.kernel.support_radius(), seconds = static_cast<Real>(context.dt);
    const MaybeUniform<Real> volumes(fluid.volume);
    constexpr Real most = 2, round_off = std::numeric_limits<Real>::epsilon();
    simd::for_each<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            using Vec = Vec3<Real>;
            const auto row = context.neighbors.row(i);
            const Vec x_i = fluid.position[i].xyz(), v_i = fluid.velocity[i].xyz();
            const auto for_each_weight = [&](const auto& visit) TREACLE_SIMD_INLINE_LAMBDA {
                for_each_pair_pack<S, P>(i, row, fluid.position, {}, h,
                                         [&](const PairPack<S, P>& pair) TREACLE_SIMD_INLINE_LAMBDA {
                                             const P both = P(fluid.volume[i]) * volumes.template of<P>(pair.j);
                                             visit(pair, viscous.weight(pair.distance, pair.q, P(1), both));
                                         });
            };
            FlowFit<P> sums;
            for_each_weight([&](const PairPack<S, P>& pair, const P& weight) TREACLE_SIMD_INLINE_LAMBDA {
                const Vec3<P> v_j = simd::load_rows<P>(fluid.velocity.data(), pair.j).xyz();
                const Vec3<P> r = pair.r, wr = weight * r, v{v_j.x - v_i.x, v_j.y - v_i.y, v_j.z - v_i.z};
                SymMat<P>& m = sums.square;
                Mat3<P>& g = sums.flow;
                m.xx += wr.x * r.x, m.xy += wr.x * r.y, m.yy += wr.y * r.y;
                g.x.x += v.x * wr.x, g.x.y += v.x * wr.y, g.y.x += v.y * wr.x, g.y.y += v.y * wr.y;
                if constexpr (S::dim == 3) {
                    m.xz += wr.x * r.z, m.yz += wr.y * r.z, m.zz += wr.z * r.z;
                    g.x.z += v.x * wr.z, g.y.z += v.y * wr.z;
                    g.z.x += v.z * wr.x, g.z.y += v.z * wr.y, g.z.z += v.z * wr.z;
                }
            });
            SymMat<Real> square = sum_of_lanes_of(sums.square);
            Mat3<Real> flow{sum_of_lanes(sums.flow.x), sum_of_lanes(sums.flow.y), sum_of_lanes(sums.flow.z)};
            const Real of_one = seconds * viscosity[i];
            const auto contacts = [&](const auto& visit) {
                if (of_one > 0) walls.for_each_contact(i, x_i, v_i, motions, visit);
            };
            contacts([&](Vec from_surface, Vec relative, Vec, const SymMat<Real>& drag) {
                const Real weight = drag.trace() / (of_one * dot(from_surface, from_surface));
                square.add_square(weight, from_surface);
                flow = flow + Mat3<Real>::outer(weight * relative, from_surface);
            });
            // Neighbors on a line, or none, say nothing of the flow across it; there it is taken to be none.
            const Real trace = square.trace(), ridge = Real(1e-3) * trace;
            by_particle_[i] = 1;
            if (!(trace > 0)) return;
            square = square + ridge * SymMat<Real>::identity();
            const SymMat<Real> inverted = inverse((1 / trace) * square);
            flow = (1 / trace) * (flow * Mat3<Real>::from(inverted));
            SymMat<Real> strain = symmetric_part(flow);
            const Real largest = std::max({std::abs(strain.xx), std::abs(strain.yy), std::abs(strain.zz),
                                           std::abs(strain.xy), std::abs(strain.xz), std::abs(strain.yz)});
            // What is left of a rigid motion by rounding is no strain; it would overflow when it is scaled.
            const Real flowing = std::max({length(flow.x), length(flow.y), length(flow.z)});
            if (!(largest > std::max(std::numeric_limits<Real>::min(), round_off * flowing))) return;
            strain = (1 / largest) * strain;

            P pairs(0);
            const SymMat<P> d{P(strain.xx), P(strain.xy), P(strain.xz), P(strain.yy), P(strain.yz), P(strain.zz)};
            for_each_weight([&](const PairPack<S, P>& pair, const P& weight) TREACLE_SIMD_INLINE_LAMBDA {
                const P along = dot(d * pair.r, pair.r);
                pairs += weight * (along * along);
            });
            Real loss = Real(0.5) * sum_of_lanes(pairs), at_walls = 0;
            contacts([&](Vec from_surface, Vec, Vec turn, const SymMat<Real>& drag) {
                const Vec relative = (1 / largest) * (flow * from_surface - cross(turn, from_surface));
                at_walls += dot(relative, drag * relative) / of_one;
            });
            const Real rate = strain.trace();
            const Real wanted = fluid.volume[i] * (2 * double_dot(strain, strain) + rate * rate) - at_walls;
            by_particle_[i] = wanted >= most * loss ? most : std::max(wanted / loss, 1 / most);
        });
}

template class ViscousStrength<Space2f>;
template class ViscousStrength<Space3f>;
template class ViscousStrength<Space2d>;
template class ViscousStrength<Space3d>;

}  // namespace treacle
