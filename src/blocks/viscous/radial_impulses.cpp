#include "blocks/viscous/radial_impulses.h"

#include <algorithm>
#include <cassert>

#include "blocks/pair.h"
#include "blocks/pair_pack.h"
#include "core/promises.h"
#include "math/reproducible.h"

namespace treacle {

template <class S>
bool RadialImpulses<S>::active() const {
    for (const Material& m : materials) {
        if (m.linear > 0 || m.quadratic > 0) return true;
    }
    return false;
}

template <class S>
bool RadialImpulses<S>::has_quadratic() const {
    for (const Material& m : materials) {
        if (m.quadratic > 0) return true;
    }
    return false;
}

template <class S>
auto RadialImpulses<S>::speed_loss(Real u, Real q, Material c, Real dt) const -> Real {
    return loss_of<Real>(u, q, c.linear, c.quadratic, has_quadratic(), dt);
}

template <class S>
template <class Number>
TREACLE_SIMD_INLINE Number RadialImpulses<S>::loss_of(const Number& u, const Number& q, const Number& linear,
                                                      const Number& quadratic, bool any_quadratic, Real dt) const {
    using simd::select;
    const Number weight = 1 - q;
    if (as_printed) return dt * weight * (linear * u + quadratic * u * u);
    // du/dt = -w (σ u + β u²) has the solution u(dt) = u e / (1 + β u (1 - e)/σ) with e = exp(-w σ dt);
    // for σ -> 0 the fraction (1 - e)/σ becomes w dt.
    const Number rate = weight * linear * dt;
    const Number lost = reproducible::quick_one_minus_exp_minus(rate);
    Number after = u * (1 - lost);
    if (any_quadratic) {
        const Number reach = select(rate > Number(Real(1e-12)), lost / linear, weight * dt);
        after = after / (1 + quadratic * u * reach);
    }
    return select(u > Number(0), u - after, Number(0));
}

template <class S>
void RadialImpulses<S>::apply(const FluidView<S>& fluid, const BlockContext<S>& context, int passes,
                              std::span<typename S::Row> scratch) const {
    assert(scratch.size() == fluid.size() && passes > 0);
    const auto stage = context.timer.stage("viscosity");
    if (!active()) return;
    const Real dt = static_cast<Real>(context.dt / passes);
    for (int n = 0; n < passes; ++n) {
        if (sequential) {
            sweep(fluid, context, dt);
            continue;
        }
        gather(fluid, context, dt, scratch);
        std::copy(scratch.begin(), scratch.end(), fluid.velocity.begin());
    }
}

template <class S>
void RadialImpulses<S>::gather(const FluidView<S>& fluid, const BlockContext<S>& context, Real dt,
                               std::span<typename S::Row> result) const {
    assert(promises::sized(fluid.size(), context.neighbors, fluid.velocity, fluid.mass, fluid.id, fluid.material));
    assert(result.size() == fluid.size() && promises::within(materials.size(), fluid.material));
    assert(promises::finite(fluid.position, fluid.velocity) && promises::positive(fluid.mass) && dt > 0);
    const auto velocity = fluid.velocity;
    const MassShares<Real> shares(fluid.mass);
    const bool any_quadratic = has_quadratic();
    simd::for_each<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const auto v_i = velocity[i].xyz();
            Vec3<P> change{};
            for_each_pair_pack<S, P>(
                i, context.neighbors.row(i), fluid.position, fluid.id, support_radius,
                [&](const PairPack<S, P>& pair) TREACLE_SIMD_INLINE_LAMBDA {
                    const auto coefficient = [&](Real Material::*member) TREACLE_SIMD_INLINE_LAMBDA {
                        return by_materials<P>(fluid.material, materials.size(), i, pair.j,
                                               [&](std::uint8_t a, std::uint8_t b) {
                                                   return Real(0.5) * (materials[a].*member + materials[b].*member);
                                               });
                    };
                    const Vec3<P> direction = pair.direction();
                    const Vec3<P> v_j = simd::load_rows<P>(velocity.data(), pair.j).xyz();
                    const P u = dot(Vec3<P>{v_i.x - v_j.x, v_i.y - v_j.y, v_i.z - v_j.z}, direction);
                    const P loss = loss_of<P>(u, pair.q, coefficient(&Material::linear),
                                              coefficient(&Material::quadratic), any_quadratic, dt);
                    change -= (shares.template of<P>(i, pair.j) * loss) * direction;
                });
            result[i] = v_i + sum_of_lanes(change);
        });
}

template <class S>
void RadialImpulses<S>::sweep(const FluidView<S>& fluid, const BlockContext<S>& context, Real dt) const {
    assert(promises::sized(fluid.size(), context.neighbors, fluid.velocity, fluid.mass, fluid.id, fluid.material));
    assert(promises::within(materials.size(), fluid.material));
    assert(promises::finite(fluid.position, fluid.velocity) && promises::positive(fluid.mass) && dt > 0);
    const auto velocity = fluid.velocity;
    const auto mass = fluid.mass;
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        const auto row = context.neighbors.row(i);
        for_each_pair<S>(i, row, fluid.position, fluid.id, support_radius, [&](const Pair<S>& pair) {
            const std::uint32_t j = pair.j;
            if (j < i) return;  // every pair once
            const Real u = dot(velocity[i].xyz() - velocity[j].xyz(), pair.direction);
            const Real loss = speed_loss(u, pair.q, between(fluid.material[i], fluid.material[j]), dt);
            velocity[i] = velocity[i].xyz() - (share_of(mass[i], mass[j]) * loss) * pair.direction;
            velocity[j] = velocity[j].xyz() + (share_of(mass[j], mass[i]) * loss) * pair.direction;
        });
    }
}

template struct RadialImpulses<Space2f>;
template struct RadialImpulses<Space3f>;
template struct RadialImpulses<Space2d>;
template struct RadialImpulses<Space3d>;

}  // namespace treacle
