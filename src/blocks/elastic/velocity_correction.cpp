#include "blocks/elastic/velocity_correction.h"

#include <algorithm>

#include "blocks/pair_pack.h"
#include "math/reproducible.h"

namespace treacle {

template <class S>
bool VelocityCorrection<S>::active() const {
    return as_in_paper || std::any_of(materials.begin(), materials.end(), [](const Material& m) { return m.shear_modulus > 0; });
}

template <class S>
bool VelocityCorrection<S>::heals() const {
    return std::any_of(materials.begin(), materials.end(),
                       [](const Material& m) { return m.healing_rate < std::numeric_limits<Real>::infinity(); });
}

template <class S>
void VelocityCorrection<S>::measure(const ConnectionGraph& connections, const Fluid& fluid, const Parallel& parallel) {
    const auto rest = connections.values<Real>("rest_length");
    const auto strength = connections.values<Real>("strength");
    const Real isotropic = S::dim == 3 ? 15 : 8;
    stiffness_.resize(fluid.position.size());
    simd::for_each<Real>(parallel, stiffness_.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        const std::size_t begin = connections.begin(i), count = connections.count(i);
        P sum;
        for (std::size_t n = 0; n < count; n += simd::lanes) {
            const int some = static_cast<int>(std::min<std::size_t>(simd::lanes, count - n));
            const P r = simd::load_first<P>(rest.data() + begin + n, some);
            sum += simd::load_first<P>(strength.data() + begin + n, some) * r * r;
        }
        const Real square = std::max(sum_of_lanes(sum), full_square / 3);
        stiffness_[i] = isotropic * materials[fluid.material[i]].shear_modulus * fluid.volume[i] / square;
    });
}

template <class S>
void VelocityCorrection<S>::correct(const ConnectionGraph& connections, const Fluid& fluid, std::span<const Real> coefficient,
                                    Real dt, const Parallel& parallel, std::span<Row> velocity) const {
    const auto others = connections.others();
    const auto rest = connections.values<Real>("rest_length");
    const auto strength = connections.values<Real>("strength");
    const MassShares<Real> shares(fluid.mass);
    const bool one_fluid = std::all_of(fluid.fluid.begin(), fluid.fluid.end(),
                                       [&](std::uint32_t f) { return f == fluid.fluid.front(); });
    simd::for_each<Real>(parallel, velocity.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        Vec3<P> sum{};
        const std::size_t begin = connections.begin(i);
        const Real per_step = dt * dt / fluid.mass[i];
        for_each_eight(i, others.subspan(begin, connections.count(i)),
                       [&](const std::uint32_t* j, int count, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
            const Vec3<P> r = offsets<P>(fluid.position, i, j);
            const P distance = sqrt((r.x * r.x + r.y * r.y) + r.z * r.z);
            P stretch = distance - simd::load_first<P>(rest.data() + begin + n, count);
            P share;
            if (as_in_paper) {
                const P c = P(Real(0.5)) * (P(coefficient[i]) + simd::load_lanes<P>(coefficient.data(), j));
                share = c * shares.template of<P>(i, j);
                stretch = max(stretch, P(0));
            } else {
                const P k = P(stiffness_[i]) + simd::load_lanes<P>(stiffness_.data(), j);
                share = simd::load_first<P>(strength.data() + begin + n, count) * k * P(per_step);
                if (!one_fluid) {
                    const P same = simd::from_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA {
                        return fluid.fluid[i] == fluid.fluid[j[l]] ? Real(1) : Real(0);
                    });
                    stretch = select(same > P(0), stretch, max(stretch, P(0)));
                }
            }
            const P pull = select((distance > P(0)) & simd::first_lanes<P>(count), share * stretch / distance, P(0));
            sum += pull * r;
        });
        velocity[i] = velocity[i].xyz() + sum_of_lanes(sum) / dt;
    });
}

template <class S>
void VelocityCorrection<S>::relax(ConnectionGraph& connections, const Fluid& fluid, Real dt, const Parallel& parallel,
                                  std::span<Real> coefficient) const {
    if (as_in_paper) return relax_coefficients(connections, fluid, dt, parallel, coefficient);
    relax_lengths(connections, fluid, dt, parallel);
    heal(connections, fluid, dt, parallel);
}

template <class S>
void VelocityCorrection<S>::relax_coefficients(const ConnectionGraph& connections, const Fluid& fluid, Real dt,
                                               const Parallel& parallel, std::span<Real> coefficient) const {
    if (std::all_of(materials.begin(), materials.end(), [](const Material& m) { return m.decay == 0; })) return;
    const auto others = connections.others();
    const auto rest = connections.values<Real>("rest_length");
    parallel.for_each(coefficient.size(), [&](std::size_t i) {
        const Material& own = materials[fluid.material[i]];
        if (coefficient[i] <= own.lowest_coefficient) return;
        Real loss = 0;
        for (std::size_t slot = connections.begin(i); slot < connections.begin(i) + connections.count(i); ++slot) {
            const std::size_t j = others[slot];
            const Material& other = materials[fluid.material[j]];
            const Real stretch = length(fluid.position[j].xyz() - fluid.position[i].xyz()) - rest[slot];
            if (stretch > Real(0.5) * (own.yield_distance + other.yield_distance)) loss += Real(0.5) * (own.decay + other.decay);
        }
        coefficient[i] = std::max(coefficient[i] - dt * loss, own.lowest_coefficient);
    });
}

/// dr/dt = (|x| - r)/λ, solved exactly over the step. Below the yield strain nothing happens; above it r follows until the
/// strain is that of yielding.
template <class S>
void VelocityCorrection<S>::relax_lengths(ConnectionGraph& connections, const Fluid& fluid, Real dt,
                                          const Parallel& parallel) const {
    if (std::all_of(materials.begin(), materials.end(), [](const Material& m) { return m.relaxation_rate == 0; })) return;
    const auto others = connections.others();
    const auto rest = connections.values<Real>("rest_length");
    simd::for_each<Real>(parallel, fluid.position.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        const std::size_t begin = connections.begin(i);
        for_each_eight(i, others.subspan(begin, connections.count(i)),
                       [&](const std::uint32_t* j, int count, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
            const auto mean = [&](Real Material::*member) TREACLE_SIMD_INLINE_LAMBDA {
                return by_materials<P>(fluid.material, materials.size(), i, j, [&](std::uint8_t a, std::uint8_t b) {
                    return Real(0.5) * (materials[a].*member + materials[b].*member);
                });
            };
            const P length = distances<P>(fluid.position, i, j);
            const P before = simd::load_first<P>(rest.data() + begin + n, count);
            const P yield = mean(&Material::yield_strain);
            // Where the strain is beyond yielding, r tends to the length at which it is just that.
            const P wanted = min(max(before, length / (P(1) + yield)), length / max(P(1) - yield, P(Real(0.01))));
            const P share = reproducible::quick_one_minus_exp_minus(mean(&Material::relaxation_rate) * P(dt));
            simd::store_first(before + share * (wanted - before), rest.data() + begin + n, count);
        });
    });
}

template <class S>
void VelocityCorrection<S>::heal(ConnectionGraph& connections, const Fluid& fluid, Real dt, const Parallel& parallel) const {
    const auto others = connections.others();
    const auto strength = connections.values<Real>("strength");
    parallel.for_each(fluid.position.size(), [&](std::size_t i) {
        for (std::size_t slot = connections.begin(i); slot < connections.begin(i) + connections.count(i); ++slot) {
            if (strength[slot] == 1) continue;
            const Material& own = materials[fluid.material[i]];
            const Material& other = materials[fluid.material[others[slot]]];
            const Real rate = std::min(Real(0.5) * (own.healing_rate + other.healing_rate), std::numeric_limits<Real>::max());
            const Real share = rate * dt < 50 ? reproducible::quick_one_minus_exp_minus(rate * dt) : Real(1);
            const Real after = strength[slot] + share * (1 - strength[slot]);
            strength[slot] = after > Real(0.999) ? Real(1) : after;
        }
    });
}

template class VelocityCorrection<Space2f>;
template class VelocityCorrection<Space3f>;
template class VelocityCorrection<Space2d>;
template class VelocityCorrection<Space3d>;

}  // namespace treacle
