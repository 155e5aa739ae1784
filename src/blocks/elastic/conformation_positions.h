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
template <class P>
TREACLE_SIMD_INLINE Mat3<P> Conformation<S>::rotation_of(std::size_t g, const Mat3<P>& deformed) {
    if (!settings.corotational) return Mat3<P>::identity();
    if constexpr (S::dim == 2) return rotation_in_plane(deformed);
    Quaternions<Lanes>& kept = rotation_[g];
    const Mat3<P> columns = deformed.transposed();
    const Quaternions<P> q = extract_rotation(
        Matrices<P>{{columns.x, columns.y, columns.z}},
        Quaternions<P>{simd::load<P>(kept.x), simd::load<P>(kept.y), simd::load<P>(kept.z), simd::load<P>(kept.w)}, 2);
    simd::store(q.x, kept.x), simd::store(q.y, kept.y), simd::store(q.z, kept.z), simd::store(q.w, kept.w);
    return q.matrix();
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
            const Mat3<P> turn = rotation_of(g, deformed);
            visit(use, g, members, frame, (turn.transposed() * deformed - shape) * Mat3<P>::from(frame.correction),
                  turn);
        });
}

template <class S>
void Conformation<S>::project_positions(const FluidView<S>& fluid, const BlockContext<S>& context,
                                        const Constraints& constraints, MovingPositions<S>& moving) {
    assert(begun(fluid.size()) && whole(fluid, constraints) && moving.size() == fluid.size());
    const auto stage = context.timer.stage("position projection");
    if (settings.present_gradients) return project_at_present(fluid, context, constraints, moving);
    const std::span<const Row> start = moving.start();
    measure_positions(fluid, context, constraints, moving,
                      [&]<class P>(simd::Use<P>, std::size_t g, int members, const Frame<P>& frame, const Mat3<P>& l,
                                   const Mat3<P>&) TREACLE_SIMD_INLINE_LAMBDA {
                          const SymMat<P> memory =
                              plus(simd::load_group<P>(constraints.conformation, g, members), P(-1));
                          const Mat3<P> push = add_stress(g, frame, memory + P(2) * symmetric_part(l),
                                                          simd::load_group<P>(constraints.compliance, g, members));
                          store_pushes(g, members, push, frame.gradient, start);
                      });
    push_particles(fluid, context, constraints.rows, start,
                   [&](std::size_t i, const Vec& by) TREACLE_SIMD_INLINE_LAMBDA { moving.move(i, dt_ * by); });
}

template <class S>
template <bool alike, class Visit>
void Conformation<S>::measure_at_present(const FluidView<S>& fluid, const BlockContext<S>& context,
                                         const Constraints& constraints, const MovingPositions<S>& moving,
                                         const Visit& visit) {
    const std::span<const Row> start = moving.start(), displacement = moving.displacement();
    simd::many_registers::for_each_group<Real>(
        context.parallel, fluid.rows(),
        [&]<class P>(simd::Use<P> use, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
            MotionSums<P> of_rows[simd::lanes];
            for (int l = 0; l < members; ++l) {
                const std::size_t i = g * simd::lanes + static_cast<std::size_t>(l);
                const PairKernel<P, alike> pairs(*this, fluid, constraints, i);
                const Vec x0 = start[i].xyz(), moved = displacement[i].xyz();
                MotionSums<P> sums;
                for_each_filled_eight(pairs.row_of(constraints.rows, i),
                                      [&](const std::uint32_t* j, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
                                          const Vec3<P> r0 = offsets<P>(start, x0, j);
                                          const Vec3<P> r = r0 + offsets<P>(displacement, moved, j);
                                          const Vec3<P> gradient = pairs.add(j, n, r, sums.shape) * r;
                                          sums.from.x += r0.x * gradient;
                                          sums.from.y += r0.y * gradient;
                                          sums.from.z += r0.z * gradient;
                                      });
                of_rows[l] = sums;
            }
            const ShapeSums<P> sums =
                totals<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const ShapeSums<P>& { return of_rows[l].shape; });
            const Frame<P> frame = frame_of(Members<P>(fluid, constraints, g, members), constraints.rows, sums);
            const Mat3<P> from =
                P(pair_scale_) *
                matrix_of_sums<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const Mat3<P>& { return of_rows[l].from; });
            const Mat3<P> turn = rotation_of(g, from.transposed());
            visit(use, g, members, frame, (Mat3<P>::from(frame.shape) - turn * from) * Mat3<P>::from(frame.correction),
                  turn);
        });
}

template <class S>
void Conformation<S>::project_at_present(const FluidView<S>& fluid, const BlockContext<S>& context,
                                         const Constraints& constraints, MovingPositions<S>& moving) {
    by_kind([&]<class Alike>(Alike) {
        measure_at_present<Alike::value>(
            fluid, context, constraints, moving,
            [&]<class P>(simd::Use<P>, std::size_t g, int members, const Frame<P>& frame, const Mat3<P>& l,
                         const Mat3<P>& r) TREACLE_SIMD_INLINE_LAMBDA {
                const Mat3<P> before = Mat3<P>::from(simd::load_group<P>(constraints.conformation, g, members));
                const SymMat<P> turned = symmetric_part(r * before * r.transposed());
                const Mat3<P> push = add_stress(g, frame, plus(turned, P(-1)) + P(2) * symmetric_part(l),
                                                simd::load_group<P>(constraints.compliance, g, members));
                store_pushes(g, members, push, frame.gradient, moving.position());
            });
        push_at_present<Alike::value>(fluid, context, constraints, moving);
    });
}

/// position_i += dt² V_i/m_i Σ (P_i + P_j) g_ij
template <class S>
template <bool alike>
void Conformation<S>::push_at_present(const FluidView<S>& fluid, const BlockContext<S>& context,
                                      const Constraints& constraints, MovingPositions<S>& moving) const {
    simd::many_registers::for_each<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            Vec3<P> sum{};
            const Vec x = moving.position()[i].xyz();  // neighbors' positions are stored with their P: this may change
            const PairKernel<P, alike> pairs(*this, fluid, constraints, i);
            for_each_filled_eight(pairs.row_of(constraints.rows, i),
                                  [&](const std::uint32_t* j, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
                                      const Pushes<P> pushes(push_.data(), j);
                                      const Vec3<P> r = pushes.from(x);
                                      sum += pushes.times(pairs.factor(j, n, r) * r);
                                  });
            const Vec of_others = pair_scale_ * simd::row_of_sums<P>({sum.x, sum.y, sum.z, P(0)}).xyz();
            moving.move(i, (dt_ * dt_ * fluid.volume[i] / fluid.mass[i]) * (push_[4 * i + 3].xyz() + of_others));
        });
}

template <class S>
void Conformation<S>::update(const FluidView<S>& fluid, const BlockContext<S>& context, const Constraints& constraints,
                             const MovingPositions<S>& moving, std::span<const ConformationMemory<Real>> memory,
                             std::span<Real> stress_share) {
    assert(begun(fluid.size()) && whole(fluid, constraints));
    assert(promises::sized(fluid.size(), moving, memory, stress_share));
    const auto stage = context.timer.stage("update");
    const auto follow = [&]<class P>(std::size_t g, int members, const Mat3<P>& f) TREACLE_SIMD_INLINE_LAMBDA {
        const Mat3<P> before = Mat3<P>::from(simd::load_group<P>(constraints.conformation, g, members));
        const SymMat<P> carried = symmetric_part(f * before * f.transposed());
        for (int m = 0; m < members; ++m) {
            const std::size_t i = g * simd::lanes + static_cast<std::size_t>(m);
            if (constraints.compliance[i] < 0) continue;
            const Forgotten<Real> left = forget<S::dim>(simd::lane(carried, m), memory[i]);
            constraints.conformation[i] = left.conformation;
            stress_share[i] = left.share;
        }
    };
    if (settings.present_gradients) {
        by_kind([&]<class Alike>(Alike) {
            measure_at_present<Alike::value>(fluid, context, constraints, moving,
                                             [&]<class P>(simd::Use<P>, std::size_t g, int members, const Frame<P>&,
                                                          const Mat3<P>& l, const Mat3<P>& r)
                                                 TREACLE_SIMD_INLINE_LAMBDA {
                                                     follow(g, members, (Mat3<P>::identity() + l) * r);
                                                 });
        });
        return;
    }
    measure_positions(fluid, context, constraints, moving,
                      [&]<class P>(simd::Use<P>, std::size_t g, int members, const Frame<P>&, const Mat3<P>& l,
                                   const Mat3<P>& r)
                          TREACLE_SIMD_INLINE_LAMBDA { follow(g, members, r * (Mat3<P>::identity() + l)); });
}

template <class S>
SymMat<typename S::Real> Conformation<S>::stress(std::size_t i) const {
    assert(i / simd::lanes < stress_.size());
    const SymMat<Lanes>& group = stress_[i / simd::lanes];
    const std::size_t l = i % simd::lanes;
    return {group.xx.lane[l], group.xy.lane[l], group.xz.lane[l], group.yy.lane[l], group.yz.lane[l], group.zz.lane[l]};
}

}  // namespace treacle
