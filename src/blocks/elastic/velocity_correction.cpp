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
void VelocityCorrection<S>::measure_stiffness(const FluidView<S>& fluid, const BlockContext<S>& context,
                                              const ElasticLinks<S>& links) {
    assert(promises::sized(fluid.size(), fluid.mass, fluid.volume, fluid.material) && links.complete(fluid.size()));
    assert(promises::within(materials.size(), fluid.material) && promises::positive(fluid.mass, fluid.volume));
    const auto stage = context.timer.stage("velocity correction");
    const Real dt = static_cast<Real>(context.dt);
    if (springs) {
        context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
            links.coefficient[i] = dt * dt * materials[fluid.material[i]].spring_stiffness / fluid.mass[i];
        });
    }
    if (springs || as_in_paper) return;
    const ConnectionGraph& connections = links.connections;
    const auto rest = connections.values<Real>("rest_length");
    const auto strength = connections.values<Real>("strength");
    const Real isotropic = S::dim == 3 ? 15 : 8;
    stiffness_.resize(fluid.size());
    healed_.resize(fluid.size());
    simd::for_each<Real>(context.parallel, fluid.rows(),
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
                             const Real modulus = links.varying ? links.varying->shear_modulus[i] : own.shear_modulus;
                             stiffness_[i] = isotropic * modulus * fluid.volume[i] / square;
                         });
}

/// With D the stretch and k the stiffness of a connection, k D stays where k rises.
template <class S>
void VelocityCorrection<S>::keep_stress(const FluidView<S>& fluid, const BlockContext<S>& context,
                                        const ElasticLinks<S>& links) const {
    assert(links.varying && links.complete(fluid.size()) && promises::finite(fluid.position));
    assert(promises::rows_within(fluid.size(), links.connections.rows()));
    const auto stage = context.timer.stage("properties");
    const VaryingElasticity<Real>& varying = *links.varying;
    const Real greatest_rise = context.parallel.max(fluid.rows(), Real(0), [&](std::size_t i) {
        return varying.shear_modulus[i] - varying.modulus_before[i];
    });
    if (!(greatest_rise > 0)) return;
    ConnectionGraph& connections = links.connections;
    const auto others = connections.others();
    const auto rest = connections.values<Real>("rest_length");
    simd::for_each<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
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
VelocityCorrection<S>::Inputs::Inputs(const FluidView<S>& view, const BlockContext<S>& context,
                                      const ElasticLinks<S>& links)
    : fluid(view), graph(links.connections), rows(graph.rows()), rest(graph.values<Real>("rest_length")),
      strength(graph.values<Real>("strength")), coefficient(links.coefficient), dt(static_cast<Real>(context.dt)),
      one_fluid(context.parallel.all_equal(view.rows(), [&](std::size_t i) { return view.fluid[i]; })) {}

template <class S>
template <class P>
TREACLE_SIMD_INLINE auto VelocityCorrection<S>::pulls(const Inputs& in, std::size_t i, const std::uint32_t* j,
                                                      int count, std::size_t n) const -> Pulls<P> {
    const FluidView<S>& fluid = in.fluid;
    const std::size_t slot = in.graph.begin(i) + n;
    const Vec3<P> r = offsets<P>(fluid.position, i, j);
    const P distance = sqrt((r.x * r.x + r.y * r.y) + r.z * r.z);
    const P inverse = select((distance > P(0)) & simd::first_lanes<P>(count), P(1) / distance, P(0));
    Pulls<P> result{inverse * r, distance - simd::load_first<P>(in.rest.data() + slot, count), {}, P(0)};
    if (springs) {
        const auto mean = [&](Real Material::*member) TREACLE_SIMD_INLINE_LAMBDA {
            return by_materials<P>(fluid.material, materials.size(), i, j, [&](std::uint8_t a, std::uint8_t b) {
                return Real(0.5) * (materials[a].*member + materials[b].*member);
            });
        };
        result.stretch = max(result.stretch, P(0) - distance);
        result.stiffness = P(in.dt * in.dt) * mean(&Material::spring_stiffness);
        result.damping = P(in.dt) * mean(&Material::spring_damping);
        return result;
    }
    if (as_in_paper) {
        const P mass_j = simd::load_lanes<P>(fluid.mass.data(), j), mass_i(fluid.mass[i]);
        const P c = P(Real(0.5)) * (P(in.coefficient[i]) + simd::load_lanes<P>(in.coefficient.data(), j));
        result.stiffness = c * (mass_i * mass_j / (mass_i + mass_j));
        result.stretch = max(result.stretch, P(0));
        return result;
    }
    result.stretch = max(result.stretch, P(0) - distance);
    const P k = P(stiffness_[i]) + simd::load_lanes<P>(stiffness_.data(), j);
    result.stiffness = simd::load_first<P>(in.strength.data() + slot, count) * k * P(in.dt * in.dt);
    if (in.one_fluid) return result;
    const P same = simd::from_lanes<P>(
        [&](int l) TREACLE_SIMD_INLINE_LAMBDA { return fluid.fluid[i] == fluid.fluid[j[l]] ? Real(1) : Real(0); });
    result.stretch = select(same > P(0), result.stretch, max(result.stretch, P(0)));
    return result;
}

template <class S>
bool VelocityCorrection<S>::ready(const FluidView<S>& fluid, const BlockContext<S>& context,
                                  const ElasticLinks<S>& links) const {
    return promises::sized(fluid.size(), fluid.velocity, fluid.mass, fluid.material, fluid.fluid) &&
           links.complete(fluid.size()) && promises::rows_within(fluid.size(), links.connections.rows()) &&
           (springs || (as_in_paper ? links.coefficient.size() : stiffness_.size()) == fluid.size()) &&
           promises::within(materials.size(), fluid.material) && promises::finite(fluid.position, fluid.velocity) &&
           promises::positive(fluid.mass) && context.dt > 0;
}

template <class S>
bool VelocityCorrection<S>::needs_implicit_steps(const FluidView<S>& fluid, const BlockContext<S>& context,
                                                 const ElasticLinks<S>& links) const {
    assert(links.complete(fluid.size()) && (!as_in_paper || links.coefficient.size() == fluid.size()));
    if (damped()) return true;
    if (steps != Steps::automatic) return steps == Steps::implicit_steps;
    if (!as_in_paper) return context.dt > 1.01 * explicit_step;
    return context.parallel.max(fluid.rows(), 0.0, [&](std::size_t i) {
        const double count = static_cast<double>(links.connections.count(i) + links.anchors.count(i));
        return static_cast<double>(links.coefficient[i]) * count;
    }) > (springs ? 1.5 : 3);  // k dt²/m of a spring is half the c of a pair
}

template <class S>
void VelocityCorrection<S>::correct(const FluidView<S>& fluid, const BlockContext<S>& context,
                                    const ElasticLinks<S>& links) const {
    assert(ready(fluid, context, links));
    const auto stage = context.timer.stage("velocity correction");
    const Inputs in(fluid, context, links);
    simd::for_each<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            Vec3<P> sum{};
            for_each_eight(i, in.rows.row(i),
                           [&](const std::uint32_t* j, int count, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
                               const Pulls<P> pull = pulls<P>(in, i, j, count, n);
                               sum += (pull.stiffness * pull.stretch) * pull.direction;
                           });
            fluid.velocity[i] = fluid.velocity[i].xyz() + sum_of_lanes(sum) / (in.dt * fluid.mass[i]);
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
SolverReport VelocityCorrection<S>::correct_implicitly(const FluidView<S>& fluid, const BlockContext<S>& context,
                                                       const ElasticLinks<S>& links, const HeldRows<Real>& held) {
    assert(ready(fluid, context, links) && promises::sized_or_empty(fluid.size(), held.impulse, held.matrix));
    const auto stage = context.timer.stage("velocity correction");
    const Inputs in(fluid, context, links);
    const std::size_t count = fluid.size();
    right_.resize(count);
    change_.assign(count, Row{});
    // The impulse at the present stretch, and the vectors whose products make the matrix. Connections that only pull
    // and are slack are left out.
    pairs_.template update<Impulse>(
        in.rows, context.parallel,
        [&]<class P>(simd::Use<P>, std::size_t i, const std::uint32_t* j, int in_row, std::size_t n, Impulse<P>& sums)
            TREACLE_SIMD_INLINE_LAMBDA {
                const Pulls<P> pull = pulls<P>(in, i, j, in_row, n);
                sums.impulse += (pull.stiffness * pull.stretch) * pull.direction;
                const auto active = (pull.stretch > P(0)) | (pull.stretch < P(0));
                return sqrt(select(active, pull.stiffness, P(0)) + pull.damping) * pull.direction;
            },
        [&]<class P>(simd::Use<P>, std::size_t i, const Impulse<P>& sums)
            TREACLE_SIMD_INLINE_LAMBDA { right_[i] = sum_of_lanes(sums.impulse) / in.dt; });
    const Operator a{pairs_, fluid.mass, held};
    simd::for_each<Real>(context.parallel, fluid.rows(),
                         [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                             auto impulse = right_[i].xyz() + a.template forces<P>(i, fluid.velocity);
                             if (!held.impulse.empty()) impulse += held.impulse[i].xyz();
                             right_[i] = impulse;
                         });
    const SolverReport report = solver_.solve(
        a, Masses{fluid.mass}, right_, {}, {.tolerance = 1e-3, .max_iterations = 300}, context.parallel, change_, {});
    context.parallel.for_each(fluid.rows(),
                              [&](std::size_t i) { fluid.velocity[i] = fluid.velocity[i].xyz() + change_[i].xyz(); });
    return report;
}

template <class S>
void VelocityCorrection<S>::relax(const FluidView<S>& fluid, const BlockContext<S>& context,
                                  const ElasticLinks<S>& links) const {
    assert(promises::sized(fluid.size(), fluid.material) && links.complete(fluid.size()));
    assert(promises::within(materials.size(), fluid.material));
    assert((!as_in_paper || links.coefficient.size() == fluid.size()) && context.dt > 0);
    const auto stage = context.timer.stage("velocity correction");
    if (springs) return;
    if (as_in_paper) return relax_coefficients(fluid, context, links);
    relax_lengths(fluid, context, links);
    heal(fluid, context, links);
}

template <class S>
void VelocityCorrection<S>::relax_coefficients(const FluidView<S>& fluid, const BlockContext<S>& context,
                                               const ElasticLinks<S>& links) const {
    if (std::all_of(materials.begin(), materials.end(), [](const Material& m) { return m.decay == 0; })) return;
    ConnectionGraph& connections = links.connections;
    const Real dt = static_cast<Real>(context.dt);
    const auto others = connections.others();
    const auto rest = connections.values<Real>("rest_length");
    simd::for_each<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const Real lowest = materials[fluid.material[i]].lowest_coefficient;
            if (links.coefficient[i] <= lowest) return;
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
            links.coefficient[i] = std::max(links.coefficient[i] - dt * sum_of_lanes(loss), lowest);
        });
}

/// dr/dt = (|x| - r)/λ, solved exactly over the step. Below the yield strain nothing happens; above it r follows until
/// the strain is that of yielding.
template <class S>
void VelocityCorrection<S>::relax_lengths(const FluidView<S>& fluid, const BlockContext<S>& context,
                                          const ElasticLinks<S>& links) const {
    if (std::all_of(materials.begin(), materials.end(), [](const Material& m) { return m.relaxation_rate == 0; }))
        return;
    ConnectionGraph& connections = links.connections;
    const Real dt = static_cast<Real>(context.dt);
    const auto others = connections.others();
    const auto rest = connections.values<Real>("rest_length");
    simd::for_each<Real>(
        context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const std::size_t begin = connections.begin(i);
            for_each_eight(
                i, others.subspan(begin, connections.count(i)),
                [&](const std::uint32_t* j, int count, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
                    const auto mean =
                        [&](Real Material::*member, std::vector<Real> VaryingElasticity<Real>::*of_particle)
                            TREACLE_SIMD_INLINE_LAMBDA {
                                if (links.varying) {
                                    const auto& values = links.varying->*of_particle;
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
void VelocityCorrection<S>::heal(const FluidView<S>& fluid, const BlockContext<S>& context,
                                 const ElasticLinks<S>& links) const {
    ConnectionGraph& connections = links.connections;
    const Real dt = static_cast<Real>(context.dt);
    const auto others = connections.others();
    const auto strength = connections.values<Real>("strength");
    const bool known = healed_.size() == fluid.size();
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        if (known && healed_[i]) return;
        for (std::size_t slot = connections.begin(i); slot < connections.begin(i) + connections.count(i); ++slot) {
            if (strength[slot] == 1) continue;
            const std::size_t j = others[slot];
            if (links.varying &&
                links.varying->melted(i, j)) {  // they hold nothing yet, and will hold all when it stiffens
                strength[slot] = 1;
                continue;
            }
            const Real rates =
                links.varying ? links.varying->healing_rate[i] + links.varying->healing_rate[j]
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
