#include "blocks/viscous/radial_impulses.h"

#include "blocks/pair.h"
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
auto RadialImpulses<S>::speed_loss(Real u, Real q, Material c, Real dt) const -> Real {
    const Real weight = 1 - q;
    if (as_printed) return dt * weight * (c.linear * u + c.quadratic * u * u);
    if (!(u > 0)) return 0;
    // du/dt = -w (σ u + β u²) has the solution u(dt) = u e / (1 + β u (1 - e)/σ) with e = exp(-w σ dt);
    // for σ -> 0 the fraction (1 - e)/σ becomes w dt.
    const Real rate = weight * c.linear * dt;
    const Real lost = reproducible::quick_one_minus_exp_minus(rate);
    const Real reach = rate > Real(1e-12) ? lost / c.linear : weight * dt;
    const Real after = u * (1 - lost) / (1 + c.quadratic * u * reach);
    return u - after;
}

template <class S>
void RadialImpulses<S>::gather(const Neighbors<S>& neighbors, std::span<const typename S::Row> position,
                               std::span<const typename S::Row> velocity, std::span<const Real> mass,
                               std::span<const std::uint32_t> id, std::span<const std::uint8_t> material, Real dt,
                               const Parallel& parallel, std::span<typename S::Row> result) const {
    parallel.for_each(position.size(), [&](std::size_t i) {
        const auto v_i = velocity[i].xyz();
        typename S::Vec change{};
        for_each_pair<S>(i, neighbors.row(i), position, id, support_radius, [&](const Pair<S>& pair) {
            const Real u = dot(v_i - velocity[pair.j].xyz(), pair.direction);
            const Real loss = speed_loss(u, pair.q, between(material[i], material[pair.j]), dt);
            change -= (share_of(mass[i], mass[pair.j]) * loss) * pair.direction;
        });
        result[i] = v_i + change;
    });
}

template <class S>
void RadialImpulses<S>::sweep(const Neighbors<S>& neighbors, std::span<const typename S::Row> position,
                              std::span<const Real> mass, std::span<const std::uint32_t> id,
                              std::span<const std::uint8_t> material, Real dt,
                              std::span<typename S::Row> velocity) const {
    for (std::size_t i = 0; i < position.size(); ++i) {
        for_each_pair<S>(i, neighbors.row(i), position, id, support_radius, [&](const Pair<S>& pair) {
            const std::uint32_t j = pair.j;
            if (j < i) return;   // every pair once
            const Real u = dot(velocity[i].xyz() - velocity[j].xyz(), pair.direction);
            const Real loss = speed_loss(u, pair.q, between(material[i], material[j]), dt);
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
