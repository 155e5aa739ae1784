#pragma once

// The second stage, on positions, and the end of a step.

#include <cassert>

#include "blocks/elastic/conformation_parts.h"
#include "core/promises.h"

namespace treacle {

/// The rotation in the plane that is closest to a, from what is left of it.
template <class P>
TREACLE_SIMD_INLINE Mat3<P> rotation_in_plane(const Mat3<P>& a) {
    const P c = a.x.x + a.y.y, s = a.y.x - a.x.y, size = sqrt(c * c + s * s);
    const P cosine = select(size > P(0), c / size, P(1)), sine = select(size > P(0), s / size, P(0));
    return {{cosine, -sine, P(0)}, {sine, cosine, P(0)}, {P(0), P(0), P(1)}};
}

template <class S>
template <class Visit>
void Conformation<S>::measure_positions(const FluidView<S>& fluid, const BlockContext<S>& context,
                                        const Constraints& constraints, const MovingPositions<S>& moving,
                                        const Visit& visit) {
    simd::many_registers::for_each_group<Real>(
        context.parallel, fluid.rows(),
        [&]<class P>(simd::Use<P> use, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
            const Frame<P> frame = frame_at_start<P>(g);
            const Mat3<P> shape = Mat3<P>::from(frame.shape);
            const Mat3<P> deformed =
                shape + differences_of<P>(constraints.rows, g, members, moving.start(), moving.displacement());
            Mat3<P> turn = Mat3<P>::identity();
            if (settings.corotational && S::dim == 2) turn = rotation_in_plane(deformed);
            if (settings.corotational && S::dim == 3) {
                Quaternions<Lanes>& kept = rotation_[g];
                const Mat3<P> columns = deformed.transposed();
                const Quaternions<P> q = extract_rotation(Matrices<P>{{columns.x, columns.y, columns.z}},
                                                          Quaternions<P>{simd::load<P>(kept.x), simd::load<P>(kept.y),
                                                                         simd::load<P>(kept.z), simd::load<P>(kept.w)},
                                                          2);
                simd::store(q.x, kept.x), simd::store(q.y, kept.y), simd::store(q.z, kept.z), simd::store(q.w, kept.w);
                turn = q.matrix();
            }
            visit(use, g, members, frame,
                  (turn.transposed() * deformed - shape) * Mat3<P>::from(frame.correction), turn);
        });
}

template <class S>
void Conformation<S>::project_positions(const FluidView<S>& fluid, const BlockContext<S>& context,
                                        const Constraints& constraints, MovingPositions<S>& moving) {
    assert(begun(fluid.size()) && whole(fluid, constraints) && moving.size() == fluid.size());
    const auto stage = context.timer.stage("position projection");
    const std::span<const Row> start = moving.start();
    measure_positions(fluid, context, constraints, moving,
                      [&]<class P>(simd::Use<P>, std::size_t g, int members, const Frame<P>& frame, const Mat3<P>& l,
                                   const Mat3<P>&) TREACLE_SIMD_INLINE_LAMBDA {
                          const SymMat<P> memory =
                              plus(simd::load_group<P>(constraints.conformation, g, members), P(-1));
                          const Mat3<P> push =
                              add_stress(g, frame, memory + P(2) * symmetric_part(l),
                                         simd::load_group<P>(constraints.compliance, g, members));
                          store_pushes(g, members, push, frame.gradient, start);
                      });
    push(fluid, context, constraints.rows, start, [&](std::size_t i, const Vec& by) { moving.move(i, dt_ * by); });
}

template <class S>
void Conformation<S>::update(const FluidView<S>& fluid, const BlockContext<S>& context, const Constraints& constraints,
                             const MovingPositions<S>& moving, std::span<const ConformationMemory<Real>> memory,
                             std::span<Real> stress_share) {
    assert(begun(fluid.size()) && whole(fluid, constraints));
    assert(promises::sized(fluid.size(), moving, memory, stress_share));
    const auto stage = context.timer.stage("update");
    measure_positions(
        fluid, context, constraints, moving,
        [&]<class P>(simd::Use<P>, std::size_t g, int members, const Frame<P>&, const Mat3<P>& l, const Mat3<P>& r)
            TREACLE_SIMD_INLINE_LAMBDA {
                const Mat3<P> f = r * (Mat3<P>::identity() + l);
                const Mat3<P> before = Mat3<P>::from(simd::load_group<P>(constraints.conformation, g, members));
                const SymMat<P> carried = symmetric_part(f * before * f.transposed());
                for (int m = 0; m < members; ++m) {
                    const std::size_t i = g * simd::lanes + static_cast<std::size_t>(m);
                    if (constraints.compliance[i] < 0) continue;
                    const Forgotten<Real> left = forget<S::dim>(simd::lane(carried, m), memory[i]);
                    constraints.conformation[i] = left.conformation;
                    stress_share[i] = left.share;
                }
            });
}

template <class S>
SymMat<typename S::Real> Conformation<S>::stress(std::size_t i) const {
    assert(i / simd::lanes < stress_.size());
    const SymMat<Lanes>& group = stress_[i / simd::lanes];
    const std::size_t l = i % simd::lanes;
    return {group.xx.lane[l], group.xy.lane[l], group.xz.lane[l], group.yy.lane[l], group.yz.lane[l], group.zz.lane[l]};
}

}  // namespace treacle
