#include "blocks/elastic/velocity_correction.h"

#include <algorithm>
#include <cassert>

#include "blocks/pair_pack.h"
#include "core/promises.h"
#include "math/reproducible.h"

namespace treacle {

namespace {

template <class P>
struct Impulse {
    Vec3<P> impulse;
};

/// One value for each particle.
template <class Fluid>
bool whole(const Fluid& fluid, std::size_t count) {
    return promises::sized(count, fluid.position, fluid.mass, fluid.volume, fluid.material, fluid.fluid) &&
           (!fluid.varying || fluid.varying->size() == count);
}

}  // namespace

template <class S>
bool VelocityCorrection<S>::active() const {
    return as_in_paper || springs ||
           std::any_of(materials.begin(), materials.end(), [](const Material& m) { return m.shear_modulus > 0; });
}

template <class S>
bool VelocityCorrection<S>::damped() const {
    return springs &&
           std::any_of(materials.begin(), materials.end(), [](const Material& m) { return m.spring_damping > 0; });
}

template <class S>
void VelocityCorrection<S>::measure(const ConnectionGraph& connections, const Fluid& fluid, const Parallel& parallel) {
    assert(whole(fluid, connections.particle_count()) && promises::within(materials.size(), fluid.material));
    assert(promises::positive(fluid.volume));
    const auto rest = connections.values<Real>("rest_length");
    const auto strength = connections.values<Real>("strength");
    const Real isotropic = S::dim == 3 ? 15 : 8;
    stiffness_.resize(fluid.position.size());
    healed_.resize(fluid.position.size());
    simd::for_each<Real>(parallel, stiffness_.size(),
                         [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                             const std::size_t begin = connections.begin(i), count = connections.count(i);
                             P sum, least(1);
                             for (std::size_t n = 0; n < count; n += simd::lanes) {
                                 const int some = static_cast<int>(std::min<std::size_t>(simd::lanes, count - n));
                                 const P r = simd::load_first<P>(rest.data() + begin + n, some);
                                 const P g = simd::load_first<P>(strength.data() + begin + n, some);
                                 sum += g * r * r;
                                 least = min(least, select(simd::first_lanes<P>(some), g, P(1)));
                             }
                             healed_[i] = (least < P(1)).bits() == 0;
                             const Material& own = materials[fluid.material[i]];
                             const Real square = std::max(sum_of_lanes(sum), own.full_square / 3);
                             const Real modulus = fluid.varying ? fluid.varying->shear_modulus[i] : own.shear_modulus;
                             stiffness_[i] = isotropic * modulus * fluid.volume[i] / square;
                         });
}

/// With D the stretch and k the stiffness of a connection, k D stays where k rises.
template <class S>
void VelocityCorrection<S>::cure(ConnectionGraph& connections, const Fluid& fluid, const Parallel& parallel) const {
    assert(fluid.varying && whole(fluid, connections.particle_count()));
    assert(promises::rows_within(connections.particle_count(), connections.rows()) && promises::finite(fluid.position));
    const VaryingElasticity<Real>& varying = *fluid.varying;
    const Real greatest_rise = parallel.max(Rows::of(fluid.position.size()), Real(0), [&](std::size_t i) {
        return varying.shear_modulus[i] - varying.modulus_before[i];
    });
    if (!(greatest_rise > 0)) return;
    const auto others = connections.others();
    const auto rest = connections.values<Real>("rest_length");
    simd::for_each<Real>(
        parallel, fluid.position.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const std::size_t begin = connections.begin(i);
            for_each_eight(i, others.subspan(begin, connections.count(i)),
                           [&](const std::uint32_t* j, int count, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
                               const P now =
                                   P(varying.shear_modulus[i]) + simd::load_lanes<P>(varying.shear_modulus.data(), j);
                               const P before =
                                   P(varying.modulus_before[i]) + simd::load_lanes<P>(varying.modulus_before.data(), j);
                               const P share = select(now > before, P(1) - before / now, P(0));
                               const P length = simd::load_first<P>(rest.data() + begin + n, count);
                               simd::store_first(length + share * (distances<P>(fluid.position, i, j) - length),
                                                 rest.data() + begin + n, count);
                           });
        });
}

template <class S>
VelocityCorrection<S>::Links::Links(const ConnectionGraph& connections, const Fluid& fluid)
    : graph(connections), rows(connections.rows()), rest(connections.values<Real>("rest_length")),
      strength(connections.values<Real>("strength")),
      one_fluid(std::all_of(fluid.fluid.begin(), fluid.fluid.end(),
                            [&](std::uint32_t f) { return f == fluid.fluid.front(); })) {}

template <class S>
template <class P>
TREACLE_SIMD_INLINE auto VelocityCorrection<S>::pulls(const Links& links, const Fluid& fluid,
                                                      std::span<const Real> coefficient, Real dt, std::size_t i,
                                                      const std::uint32_t* j, int count, std::size_t n) const
    -> Pulls<P> {
    const std::size_t slot = links.graph.begin(i) + n;
    const Vec3<P> r = offsets<P>(fluid.position, i, j);
    const P distance = sqrt((r.x * r.x + r.y * r.y) + r.z * r.z);
    const P inverse = select((distance > P(0)) & simd::first_lanes<P>(count), P(1) / distance, P(0));
    Pulls<P> result{inverse * r, distance - simd::load_first<P>(links.rest.data() + slot, count), {}, P(0)};
    if (springs) {
        const auto mean = [&](Real Material::*member) TREACLE_SIMD_INLINE_LAMBDA {
            return by_materials<P>(fluid.material, materials.size(), i, j, [&](std::uint8_t a, std::uint8_t b) {
                return Real(0.5) * (materials[a].*member + materials[b].*member);
            });
        };
        result.stretch = max(result.stretch, P(0) - distance);
        result.stiffness = P(dt * dt) * mean(&Material::spring_stiffness);
        result.damping = P(dt) * mean(&Material::spring_damping);
        return result;
    }
    if (as_in_paper) {
        const P mass_j = simd::load_lanes<P>(fluid.mass.data(), j), mass_i(fluid.mass[i]);
        const P c = P(Real(0.5)) * (P(coefficient[i]) + simd::load_lanes<P>(coefficient.data(), j));
        result.stiffness = c * (mass_i * mass_j / (mass_i + mass_j));
        result.stretch = max(result.stretch, P(0));
        return result;
    }
    result.stretch = max(result.stretch, P(0) - distance);
    const P k = P(stiffness_[i]) + simd::load_lanes<P>(stiffness_.data(), j);
    result.stiffness = simd::load_first<P>(links.strength.data() + slot, count) * k * P(dt * dt);
    if (links.one_fluid) return result;
    const P same = simd::from_lanes<P>(
        [&](int l) TREACLE_SIMD_INLINE_LAMBDA { return fluid.fluid[i] == fluid.fluid[j[l]] ? Real(1) : Real(0); });
    result.stretch = select(same > P(0), result.stretch, max(result.stretch, P(0)));
    return result;
}

template <class S>
void VelocityCorrection<S>::correct(const ConnectionGraph& connections, const Fluid& fluid,
                                    std::span<const Real> coefficient, Real dt, const Parallel& parallel,
                                    std::span<Row> velocity) const {
    assert(whole(fluid, velocity.size()) && promises::rows_within(velocity.size(), connections.rows()));
    assert(springs || (as_in_paper ? coefficient.size() : stiffness_.size()) == velocity.size());
    assert(promises::finite(fluid.position, velocity) && promises::positive(fluid.mass) && dt > 0);
    const Links links(connections, fluid);
    simd::for_each<Real>(
        parallel, velocity.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            Vec3<P> sum{};
            for_each_eight(i, links.rows.row(i),
                           [&](const std::uint32_t* j, int count, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
                               const Pulls<P> pull = pulls<P>(links, fluid, coefficient, dt, i, j, count, n);
                               sum += (pull.stiffness * pull.stretch) * pull.direction;
                           });
            velocity[i] = velocity[i].xyz() + sum_of_lanes(sum) / (dt * fluid.mass[i]);
        });
}

/// M + dt² k n nᵀ over all connections.
template <class S>
struct VelocityCorrection<S>::Operator {
    const PairVectors<S>& pairs;
    std::span<const Real> mass;
    const HeldRows<Real>& held;

    template <class P>
    TREACLE_SIMD_INLINE typename S::Vec row(simd::Use<P>, std::size_t i, std::span<const Row> x,
                                            std::span<const double>) const {
        const auto own = x[i].xyz();
        const auto pull = mass[i] * own - forces<P>(i, x);
        return held.matrix.empty() ? pull : pull + held.matrix[i] * own;
    }
    /// Σ u (u·(x_j - x_i))
    template <class P>
    TREACLE_SIMD_INLINE typename S::Vec forces(std::size_t i, std::span<const Row> x) const {
        const auto own = x[i].xyz();
        Vec3<P> sum{};
        for (const auto& eight : pairs.row(i)) {
            const auto other = simd::load_rows<P>(x.data(), eight.j);
            const Vec3<P> u = eight.template vectors<P>();
            const P along = (u.x * (other.x - P(own.x)) + u.y * (other.y - P(own.y))) + u.z * (other.z - P(own.z));
            sum += along * u;
        }
        return sum_of_lanes(sum);
    }
    void others(std::span<const Row>, std::span<const double>, const Parallel&, std::span<double>) const {}
};

template <class S>
struct VelocityCorrection<S>::Masses {
    std::span<const Real> mass;
    TREACLE_SIMD_INLINE typename S::Vec row(std::size_t i, typename S::Vec r) const { return r / mass[i]; }
    void others(std::span<const double>, std::span<double>) const {}
};

template <class S>
SolverReport VelocityCorrection<S>::correct_implicitly(const ConnectionGraph& connections, const Fluid& fluid,
                                                       std::span<const Real> coefficient, Real dt,
                                                       const HeldRows<Real>& held, const Parallel& parallel,
                                                       std::span<Row> velocity) {
    assert(whole(fluid, velocity.size()) && promises::rows_within(velocity.size(), connections.rows()));
    assert(springs || (as_in_paper ? coefficient.size() : stiffness_.size()) == velocity.size());
    assert(promises::sized_or_empty(velocity.size(), held.impulse, held.matrix));
    assert(promises::finite(fluid.position, velocity) && promises::positive(fluid.mass) && dt > 0);
    const Links links(connections, fluid);
    const std::size_t count = velocity.size();
    right_.resize(count);
    change_.assign(count, Row{});
    // The impulse at the present stretch, and the vectors whose products make the matrix. Connections that only pull
    // and are slack are left out.
    pairs_.template update<Impulse>(
        links.rows, parallel,
        [&]<class P>(simd::Use<P>, std::size_t i, const std::uint32_t* j, int in_row, std::size_t n, Impulse<P>& sums)
            TREACLE_SIMD_INLINE_LAMBDA {
                const Pulls<P> pull = pulls<P>(links, fluid, coefficient, dt, i, j, in_row, n);
                sums.impulse += (pull.stiffness * pull.stretch) * pull.direction;
                const auto active = (pull.stretch > P(0)) | (pull.stretch < P(0));
                return sqrt(select(active, pull.stiffness, P(0)) + pull.damping) * pull.direction;
            },
        [&]<class P>(simd::Use<P>, std::size_t i, const Impulse<P>& sums)
            TREACLE_SIMD_INLINE_LAMBDA { right_[i] = sum_of_lanes(sums.impulse) / dt; });
    const Operator a{pairs_, fluid.mass, held};
    simd::for_each<Real>(parallel, count, [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        auto impulse = right_[i].xyz() + a.template forces<P>(i, velocity);
        if (!held.impulse.empty()) impulse += held.impulse[i].xyz();
        right_[i] = impulse;
    });
    const SolverReport report = solver_.solve(a, Masses{fluid.mass}, right_, {},
                                              {.tolerance = 1e-3, .max_iterations = 300}, parallel, change_, {});
    parallel.for_each(count, [&](std::size_t i) { velocity[i] = velocity[i].xyz() + change_[i].xyz(); });
    return report;
}

template <class S>
void VelocityCorrection<S>::relax(ConnectionGraph& connections, const Fluid& fluid, Real dt, const Parallel& parallel,
                                  std::span<Real> coefficient) const {
    assert(whole(fluid, connections.particle_count()) && promises::within(materials.size(), fluid.material));
    assert(!as_in_paper || coefficient.size() == connections.particle_count());
    assert(dt > 0);
    if (springs) return;
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
    simd::for_each<Real>(
        parallel, coefficient.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const Real lowest = materials[fluid.material[i]].lowest_coefficient;
            if (coefficient[i] <= lowest) return;
            const std::size_t begin = connections.begin(i);
            P loss(0);
            for_each_eight(i, others.subspan(begin, connections.count(i)),
                           [&](const std::uint32_t* j, int count, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
                               const auto mean = [&](Real Material::*member) TREACLE_SIMD_INLINE_LAMBDA {
                                   return by_materials<P>(
                                       fluid.material, materials.size(), i, j, [&](std::uint8_t a, std::uint8_t b) {
                                           return Real(0.5) * (materials[a].*member + materials[b].*member);
                                       });
                               };
                               const P stretch = distances<P>(fluid.position, i, j) -
                                                 simd::load_first<P>(rest.data() + begin + n, count);
                               const auto yields =
                                   simd::first_lanes<P>(count) & (stretch > mean(&Material::yield_distance));
                               loss += select(yields, mean(&Material::decay), P(0));
                           });
            coefficient[i] = std::max(coefficient[i] - dt * sum_of_lanes(loss), lowest);
        });
}

/// dr/dt = (|x| - r)/λ, solved exactly over the step. Below the yield strain nothing happens; above it r follows until
/// the strain is that of yielding.
template <class S>
void VelocityCorrection<S>::relax_lengths(ConnectionGraph& connections, const Fluid& fluid, Real dt,
                                          const Parallel& parallel) const {
    if (std::all_of(materials.begin(), materials.end(), [](const Material& m) { return m.relaxation_rate == 0; }))
        return;
    const auto others = connections.others();
    const auto rest = connections.values<Real>("rest_length");
    simd::for_each<Real>(
        parallel, fluid.position.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const std::size_t begin = connections.begin(i);
            for_each_eight(
                i, others.subspan(begin, connections.count(i)),
                [&](const std::uint32_t* j, int count, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
                    const auto mean =
                        [&](Real Material::*member, std::vector<Real> VaryingElasticity<Real>::*of_particle)
                            TREACLE_SIMD_INLINE_LAMBDA {
                                if (fluid.varying) {
                                    const auto& values = fluid.varying->*of_particle;
                                    return P(Real(0.5)) * (P(values[i]) + simd::load_lanes<P>(values.data(), j));
                                }
                                return by_materials<P>(
                                    fluid.material, materials.size(), i, j, [&](std::uint8_t a, std::uint8_t b) {
                                        return Real(0.5) * (materials[a].*member + materials[b].*member);
                                    });
                            };
                    const P length = distances<P>(fluid.position, i, j);
                    const P before = simd::load_first<P>(rest.data() + begin + n, count);
                    const P yield = mean(&Material::yield_strain, &VaryingElasticity<Real>::yield_strain);
                    // Where the strain is beyond yielding, r tends to the length at which it is just that.
                    const P wanted =
                        min(max(before, length / (P(1) + yield)), length / max(P(1) - yield, P(Real(0.01))));
                    const P rate = mean(&Material::relaxation_rate, &VaryingElasticity<Real>::relaxation_rate);
                    const P share = reproducible::quick_one_minus_exp_minus(rate * P(dt));
                    simd::store_first(before + share * (wanted - before), rest.data() + begin + n, count);
                });
        });
}

template <class S>
void VelocityCorrection<S>::heal(ConnectionGraph& connections, const Fluid& fluid, Real dt,
                                 const Parallel& parallel) const {
    const auto others = connections.others();
    const auto strength = connections.values<Real>("strength");
    const bool known = healed_.size() == fluid.position.size();
    parallel.for_each(fluid.position.size(), [&](std::size_t i) {
        if (known && healed_[i]) return;
        for (std::size_t slot = connections.begin(i); slot < connections.begin(i) + connections.count(i); ++slot) {
            if (strength[slot] == 1) continue;
            const std::size_t j = others[slot];
            if (fluid.varying &&
                fluid.varying->melted(i, j)) {  // they hold nothing yet, and will hold all when it stiffens
                strength[slot] = 1;
                continue;
            }
            const Real rates =
                fluid.varying ? fluid.varying->healing_rate[i] + fluid.varying->healing_rate[j]
                              : materials[fluid.material[i]].healing_rate + materials[fluid.material[j]].healing_rate;
            const Real rate = std::min(Real(0.5) * rates, std::numeric_limits<Real>::max());
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
