#include "blocks/surface/surface_tension.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "blocks/pair_pack.h"
#include "blocks/solids/body_loads.h"
#include "blocks/solids/boundary_particles.h"
#include "core/promises.h"
#include "math/reproducible.h"

namespace treacle {

namespace {

/// C(q) = c/hᵈ (1-q²)², for numbers and packs of them; q <= 1.
template <class S>
struct WideKernel {
    using Real = typename S::Real;

    explicit WideKernel(double h) {
        const double c = (S::dim == 2 ? 3 / reproducible::pi : 105 / (32 * reproducible::pi)) / cell_volume(S::dim, h);
        scale = static_cast<Real>(c);
        slope_scale = static_cast<Real>(4 * c / (h * h));
    }

    template <class T>
    TREACLE_SIMD_INLINE T value(const T& q) const {
        const T rest = T(1) - q * q;
        return T(scale) * (rest * rest);
    }
    /// -(dC/dr)/r
    template <class T>
    TREACLE_SIMD_INLINE T fall(const T& q) const {
        return T(slope_scale) * (T(1) - q * q);
    }

    Real scale, slope_scale;
};

template <class P>
struct Seen {
    P fill;          ///< Σ V_j C_ij
    Vec3<P> normal;  ///< Σ V_j ∇W_ij
};

}  // namespace

template <class S>
bool SurfaceTension<S>::active() const {
    return std::any_of(tension.begin(), tension.end(), [](Real t) { return t > 0; });
}

template <class S>
void SurfaceTension<S>::measure(const FluidView<S>& fluid, const BlockContext<S>& context) {
    const BoundaryParticles<S>& boundary = *context.boundary;
    const CubicSpline<S>& kernel = boundary.kernel();
    const Real h = kernel.support_radius();
    const WideKernel<S> wide(static_cast<double>(h));
    const Real threshold = static_cast<Real>(normal_threshold) / h, softening = static_cast<Real>(normal_softening) / h;
    const Real area = static_cast<Real>(area_factor), hold = static_cast<Real>(2 * hold_factor) / h;
    pull_.resize(fluid.size());
    lack_.resize(fluid.size());
    simd::for_each<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            Seen<P> seen{};
            for_each_pair_pack<S, P>(i, context.neighbors.row(i), fluid.position, {}, h,
                                     [&](const PairPack<S, P>& pair) TREACLE_SIMD_INLINE_LAMBDA {
                                         const P v = simd::load_lanes<P>(fluid.volume.data(), pair.j);
                                         const P scale = select(pair.distance > P(0),
                                                                v * kernel.slope(pair.q) / pair.distance, P(0));
                                         seen.fill += v * wide.value(pair.q);
                                         seen.normal -= scale * pair.r;
                                     });
            pull_[i] = sum_of_lanes(seen.normal);
            lack_[i] = fluid.volume[i] * wide.value(Real(0)) + sum_of_lanes(seen.fill);
        });
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        Real fill = lack_[i];
        Vec normal = pull_[i].xyz();
        boundary.for_each_pair(i, fluid.position[i].xyz(), [&](const BoundaryPair<S>& pair) {
            fill += boundary.volume()[pair.k] * wide.value(pair.q);
            normal += boundary.volume()[pair.k] * boundary.gradient(pair);
        });
        const Real sigma = tension[fluid.material[i]];
        const Real size = length(normal), over = std::max(size - threshold, Real(0));
        const Real pull =
            over > 0 ? area * sigma * (over / std::sqrt(over * over + softening * softening)) / size : Real(0);
        pull_[i] = pull * normal;
        lack_[i] = hold * sigma * std::max(1 - fill, Real(0));
    });
}

template <class S>
void SurfaceTension<S>::apply(const FluidView<S>& fluid, const BlockContext<S>& context) {
    assert(promises::sized(context.neighbors.size(), fluid.position, fluid.velocity, fluid.mass, fluid.volume));
    assert(fluid.material.size() == fluid.size() && promises::within(tension.size(), fluid.material));
    assert(promises::finite(fluid.position, fluid.velocity) && promises::positive(fluid.mass, fluid.volume));
    if (!active()) return;
    assert(context.boundary && context.boundary->fluid_size() == fluid.size() && context.dt > 0);
    assert(promises::within(context.bodies.size(), context.boundary->body()));
    const auto stage = context.timer.stage("surface tension");
    measure(fluid, context);
    const BoundaryParticles<S>& boundary = *context.boundary;
    const Bodies& bodies = context.bodies;
    const std::span<Row> velocity = fluid.velocity;
    const CubicSpline<S>& kernel = boundary.kernel();
    const Real h = kernel.support_radius(), step = static_cast<Real>(context.dt);
    const WideKernel<S> wide(static_cast<double>(h));
    simd::for_each<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const auto g_i = pull_[i].xyz();
            Vec3<P> sum{};
            for_each_pair_pack<S, P>(
                i, context.neighbors.row(i), fluid.position, {}, h,
                [&](const PairPack<S, P>& pair) TREACLE_SIMD_INLINE_LAMBDA {
                    const P v = simd::load_lanes<P>(fluid.volume.data(), pair.j);
                    const P cohesion = (P(lack_[i]) + simd::load_lanes<P>(lack_.data(), pair.j)) * wide.fall(pair.q);
                    const P inverse = select(pair.distance > P(0), P(1) / pair.distance, P(0));
                    const auto g_j = simd::load_rows<P>(pull_.data(), pair.j);
                    const Vec3<P> g{P(g_i.x) - g_j.x, P(g_i.y) - g_j.y, P(g_i.z) - g_j.z};
                    const P across = kernel.slope(pair.q) * inverse;
                    const P along = (kernel.bend(pair.q) - across) * (dot(g, pair.r) * (inverse * inverse));
                    sum += (v * (cohesion - along)) * pair.r;
                    sum -= (v * across) * g;
                });
            velocity[i] = velocity[i].xyz() + (step * fluid.volume[i] / fluid.mass[i]) * sum_of_lanes(sum);
        });
    if (boundary.size() == 0) return;

    push_bodies(fluid.rows(), 1, context.parallel, context.bodies, [&](std::size_t i, BodyLoads& loads) {
        const Vec g = pull_[i].xyz();
        Vec sum{};
        boundary.for_each_pair(i, fluid.position[i].xyz(), [&](const BoundaryPair<S>& pair) {
            const Real inverse = pair.distance > 0 ? 1 / pair.distance : Real(0);
            const Real across = kernel.slope(pair.q) * inverse;
            const Real along = (kernel.bend(pair.q) - across) * (dot(g, pair.offset) * (inverse * inverse));
            const Real volumes = fluid.volume[i] * boundary.volume()[pair.k];
            const Vec force = -volumes * ((lack_[i] * wide.fall(pair.q) + along) * pair.offset + across * g);
            sum += force;
            const std::uint32_t b = boundary.body()[pair.k];
            loads.add(b, bodies[b], cast<double>(boundary.position()[pair.k].xyz()), -cast<double>(force));
        });
        velocity[i] = velocity[i].xyz() + (step / fluid.mass[i]) * sum;
    });
}

template class SurfaceTension<Space2f>;
template class SurfaceTension<Space3f>;
template class SurfaceTension<Space2d>;
template class SurfaceTension<Space3d>;

}  // namespace treacle
