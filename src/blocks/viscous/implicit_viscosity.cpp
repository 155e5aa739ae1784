#include "blocks/viscous/implicit_viscosity.h"

#include <cassert>

#include "blocks/viscous/viscous_pair.h"
#include "core/promises.h"

namespace treacle {

/// M + L. With u_ij = √(dt w_ij) x_ij a pair's part of L is u (u·v_ij): one row to load per neighbor.
template <class S>
struct ImplicitViscosity<S>::Operator {
    const FluidView<S>& fluid;
    const PairVectors<S>& pairs;
    const WallDrag<S>& walls;

    /// Row i of L v.
    template <class P>
    TREACLE_SIMD_INLINE Vec loss(simd::Use<P>, std::size_t i, std::span<const Row> v,
                                 std::span<const double> motions) const {
        const Vec v_i = v[i].xyz();
        Vec3<P> sum{};
        for (const auto& eight : pairs.row(i)) {
            const Vec3<P> u = eight.template vectors<P>();
            const Vec3<P> v_j = simd::load_rows<P>(v.data(), eight.j).xyz();
            sum += dot(u, Vec3<P>{v_i.x - v_j.x, v_i.y - v_j.y, v_i.z - v_j.z}) * u;
        }
        return sum_of_lanes(sum) + walls.loss(i, fluid.position[i].xyz(), v_i, motions);
    }

    template <class P>
    TREACLE_SIMD_INLINE Vec row(simd::Use<P> use, std::size_t i, std::span<const Row> v,
                                std::span<const double> motions) const {
        return fluid.mass[i] * v[i].xyz() + loss(use, i, v, motions);
    }

    void others(std::span<const Row> v, std::span<const double> motions, const Parallel& parallel,
                std::span<double> result) const {
        std::vector<double> gains(result.size());
        walls.gains(fluid.position, v, motions, false, parallel, gains);
        walls.momenta(motions, result);
        for (std::size_t n = 0; n < result.size(); ++n) result[n] -= gains[n];
    }
};

/// M⁻¹; scripted bodies have an infinite mass.
template <class S>
struct ImplicitViscosity<S>::Masses {
    std::span<const Real> inverse;
    const WallDrag<S>& walls;

    TREACLE_SIMD_INLINE Vec row(std::size_t i, Vec momentum) const { return inverse[i] * momentum; }
    void others(std::span<const double> momenta, std::span<double> result) const { walls.motions_for(momenta, result); }
};

template <class S>
void ImplicitViscosity<S>::update(const FluidView<S>& fluid, const BlockContext<S>& context,
                                  std::span<const Real> viscosity) {
    const ViscousPair<S> viscous{CubicSpline<S>(support_radius)};
    const Real inverse_h = 1 / viscous.kernel.support_radius(), seconds = static_cast<Real>(context.dt);
    const Real dashpot = dashpots ? static_cast<Real>(dashpots->strength) * seconds : Real(0);
    const std::span<const Real> strength = strength_.by_particle();
    pairs_.update(context.neighbors, context.parallel,
                  [&]<class P>(simd::Use<P>, std::size_t i, const std::uint32_t* j, int) TREACLE_SIMD_INLINE_LAMBDA {
                      const Vec3<P> r = offsets<P>(fluid.position, i, j);
                      const P distance = sqrt(dot(r, r)), q = distance * P(inverse_h);
                      const P mean = viscous.mean(P(viscosity[i]), simd::load_lanes<P>(viscosity.data(), j));
                      const P its_volume = simd::load_lanes<P>(fluid.volume.data(), j);
                      if (dashpot > 0) {
                          using std::max;
                          const P weight = (P(dashpot) * mean) *
                                           (viscous.mean(P(fluid.volume[i]), its_volume) * max(P(1) - q, P(0)));
                          return simd::select(distance > P(0), sqrt(weight) / distance, P(0)) * r;
                      }
                      const P strong = ViscousStrength<S>::template mean<P>(strength, i, j);
                      const P weight = viscous.weight(distance, q, mean, P(fluid.volume[i]) * its_volume);
                      return sqrt((P(seconds) * strong) * weight) * r;
                  });
    inverse_mass_.resize(fluid.size());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) { inverse_mass_[i] = 1 / fluid.mass[i]; });
}

template <class S>
SolverReport ImplicitViscosity<S>::apply(const FluidView<S>& fluid, const BlockContext<S>& context,
                                         std::span<const Real> viscosity, std::span<Row> acceleration,
                                         const WallGrip<S>& grip) {
    assert(promises::sized(context.neighbors.size(), fluid.position, fluid.velocity, fluid.mass, fluid.volume));
    assert(promises::sized(fluid.size(), viscosity) && promises::sized_or_empty(fluid.size(), acceleration));
    assert(promises::finite(fluid.position, fluid.velocity) && promises::positive(fluid.mass, fluid.volume));
    assert((context.boundary || dashpots) && context.dt > 0);
    const std::span<Row> velocity = fluid.velocity;
    const Parallel& parallel = context.parallel;
    if (dashpots) {
        faces_.update(fluid.position, context.bodies, support_radius, parallel);
        walls_.update(fluid, context, faces_, dashpots->walls, viscosity, grip.share);
    } else {
        walls_.update(fluid, context, viscosity, grip.share);
    }
    std::vector<double> motions = walls_.motions(context);
    if (!dashpots) strength_.measure(fluid, context, support_radius, viscosity, walls_, motions);
    update(fluid, context, viscosity);

    const Operator a{fluid, pairs_, walls_};
    std::vector<double> right_of_bodies(motions.size()), change_of_bodies(motions.size()), gains(motions.size());
    right_.resize(fluid.size());
    simd::for_each<Real>(parallel, fluid.rows(),
                         [&]<class P>(simd::Use<P> use, std::size_t i)
                             TREACLE_SIMD_INLINE_LAMBDA { right_[i] = -a.loss(use, i, velocity, motions); });
    walls_.gains(fluid.position, velocity, motions, false, parallel, right_of_bodies);
    const Real step = static_cast<Real>(context.dt);
    change_.assign(fluid.size(), Row{});
    parallel.for_each(Rows::of(acceleration.size()), [&](std::size_t i) { change_[i] = step * acceleration[i].xyz(); });
    const SolverReport report = solver_.solve(a, Masses{inverse_mass_, walls_}, right_, right_of_bodies, rule, parallel,
                                              change_, change_of_bodies);

    parallel.for_each(fluid.rows(), [&](std::size_t i) { velocity[i] = velocity[i].xyz() + change_[i].xyz(); });
    parallel.for_each(Rows::of(acceleration.size()),
                      [&](std::size_t i) { acceleration[i] = (1 / step) * change_[i].xyz(); });
    // A moving body gets exactly the force of its change of motion, a scripted one the momentum that the fluid lost.
    for (std::size_t n = 0; n < motions.size(); ++n) motions[n] += change_of_bodies[n];
    if (!grip.share.empty()) walls_.limit(fluid, context, motions, grip);
    walls_.gains(fluid.position, velocity, motions, true, parallel, gains);
    walls_.momenta(change_of_bodies, right_of_bodies);
    for (std::size_t n = 0; n < gains.size(); ++n) {
        if (context.bodies[n / WallDrag<S>::numbers].dynamic()) gains[n] = right_of_bodies[n];
    }
    walls_.give_to(context.bodies, gains, context.dt);
    return report;
}

template class ImplicitViscosity<Space2f>;
template class ImplicitViscosity<Space3f>;
template class ImplicitViscosity<Space2d>;
template class ImplicitViscosity<Space3d>;

}  // namespace treacle
