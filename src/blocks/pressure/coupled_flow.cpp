#include "blocks/pressure/coupled_flow.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "blocks/solids/body_loads.h"
#include "blocks/solids/shared_velocity.h"
#include "core/promises.h"

namespace treacle {

namespace {

template <class Real>
void put(const Mat3<Real>& m, std::size_t i, std::span<Row4<Real>> rows) {
    rows[3 * i] = m.x, rows[3 * i + 1] = m.y, rows[3 * i + 2] = m.z;
}

template <class Real>
Mat3<Real> get(std::size_t i, std::span<const Row4<Real>> rows) {
    return {rows[3 * i].xyz(), rows[3 * i + 1].xyz(), rows[3 * i + 2].xyz()};
}

/// s - [q]×: the stress that replaces a symmetric s where the strain is measured without the spin (strain_of).
template <class Real>
Mat3<Real> against_spin(const Mat3<Real>& s, const SymMat<Real>& spread, const SymMat<Real>& unspin) {
    return s - Mat3<Real>::crossing(unspin * twist(s * Mat3<Real>::from(spread)));
}

/// C: positive semidefinite, zero up to a stretch of `enough`, about c where it is drawn out much farther.
template <class S, class Real>
SymMat<Real> drawn_out(const SymMat<Real>& c, Real enough) {
    const Real mean = (S::dim == 2 ? c.xx + c.yy : c.trace()) / Real(S::dim);
    SymMat<Real> s = c;
    s.xx -= mean, s.yy -= mean, s.zz = S::dim == 2 ? Real(0) : s.zz - mean;
    const Real size = std::sqrt(Real(1.5) * double_dot(s, s));
    if (!(size > enough)) return {};
    const Mat3<Real> m = Mat3<Real>::from(s);
    return (Real(1.5) * (1 - enough / size) / mean) * symmetric_part(m * m);
}

/// D c + c D
template <class Real>
Mat3<Real> stretched(const SymMat<Real>& c, const SymMat<Real>& d) {
    const Mat3<Real> dc = Mat3<Real>::from(d) * Mat3<Real>::from(c);
    return dc + dc.transposed();
}

}  // namespace

/// The gradient of a change of velocities, of the fluid and of the bodies that move with it.
template <class S>
auto CoupledFlow<S>::gradient_of(const auto& use, std::size_t i, std::span<const Row> v,
                                 std::span<const double> motions) const -> Mat3<Real> {
    const Mat3<Real> g = pairs_.gradient(use, i, v);
    return motions.empty() || !bodies_.near(i) ? g : g + bodies_.gradient(i, motions);
}

/// Momenta that bodies get from fluid with these velocities and the stress of stress_.
template <class S>
void CoupledFlow<S>::find_gains(std::span<const Row> v, std::span<const double> motions, const Parallel& parallel,
                                std::span<double> momenta) const {
    const auto stress = [&](std::size_t i) { return get<Real>(i, stress_); };
    bodies_.gains(v, motions, stress, parallel, momenta);
}

/// The matrix of the system, applied to a change of velocities.
template <class S>
struct CoupledFlow<S>::Operator {
    std::span<const Real> mass;
    std::span<const SymMat<Real>> conformation;
    CoupledFlow& flow;
    bool smooth;

    void prepare(std::span<const Row> v, std::span<const double> motions, const Parallel& parallel) const {
        simd::for_each<Real>(
            parallel, Rows::of(v.size()), [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                const Mat3<Real> g = flow.gradient_of(use, i, v, motions);
                const Real p = flow.resist_[i] * g.trace();
                const Mat3<Real> pressure{{p, 0, 0}, {0, p, 0}, {0, 0, p}};
                const SymMat<Real> d = flow.strain_of(i, g);
                if (smooth) put<Real>(Mat3<Real>::from(d), i, flow.slope_);
                Mat3<Real> s = pressure + flow.stiff_[i] * (stretched(conformation[i], d) + flow.turned(i, g));
                if (!smooth && flow.unsure(i)) s = against_spin(s, flow.spread_[i], flow.unspin_[i]);
                put<Real>(s, i, flow.stress_);
            });
        if (smooth) flow.resist(v, parallel);
    }
    template <class P>
    TREACLE_SIMD_INLINE Vec row(simd::Use<P> use, std::size_t i, std::span<const Row> v,
                                std::span<const double> motions) const {
        const Vec all = mass[i] * v[i].xyz() + (smooth ? flow.loss_[i].xyz() : flow.pairs_.loss(use, i, v)) -
                        flow.pairs_.push(use, i, flow.stress_);
        return motions.empty() || !flow.bodies_.near(i) ? all : all - flow.bodies_.push(i, motions);
    }
    void others(std::span<const Row> v, std::span<const double> motions, const Parallel& parallel,
                std::span<double> result) const {
        flow.gained_.resize(result.size());
        flow.find_gains(v, motions, parallel, flow.gained_);
        flow.bodies_.momenta(motions, result);
        for (std::size_t n = 0; n < result.size(); ++n) result[n] -= flow.gained_[n];
    }
};

/// The same without a conformation: of the gradient its trace is enough, at half the cost.
template <class S>
struct CoupledFlow<S>::InelasticOperator {
    std::span<const Real> mass;
    CoupledFlow& flow;

    void prepare(std::span<const Row> v, std::span<const double> motions, const Parallel& parallel) const {
        simd::for_each<Real>(parallel, Rows::of(v.size()),
                             [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                                 Real divergence = flow.pairs_.divergence(use, i, v);
                                 if (!motions.empty() && flow.bodies_.near(i))
                                     divergence += flow.bodies_.gradient(i, motions).trace();
                                 flow.isotropic_[i] = flow.resist_[i] * divergence;
                             });
    }
    template <class P>
    TREACLE_SIMD_INLINE Vec row(simd::Use<P> use, std::size_t i, std::span<const Row> v,
                                std::span<const double> motions) const {
        const Vec all =
            mass[i] * v[i].xyz() + flow.pairs_.loss(use, i, v) - flow.pairs_.push_by_pressure(use, i, flow.isotropic_);
        return motions.empty() || !flow.bodies_.near(i) ? all : all - flow.bodies_.push(i, motions);
    }
    void others(std::span<const Row> v, std::span<const double> motions, const Parallel& parallel,
                std::span<double> result) const {
        flow.gained_.resize(result.size());
        const auto stress = [&](std::size_t i) { return flow.isotropic_[i] * Mat3<Real>::identity(); };
        flow.bodies_.gains(v, motions, stress, parallel, flow.gained_);
        flow.bodies_.momenta(motions, result);
        for (std::size_t n = 0; n < result.size(); ++n) result[n] -= flow.gained_[n];
    }
};

template <class S>
struct CoupledFlow<S>::Diagonal {
    std::span<const SymMat<Real>> inverse;
    const FlowBodies<S>& bodies;

    TREACLE_SIMD_INLINE Vec row(std::size_t i, Vec momentum) const { return inverse[i] * momentum; }
    void others(std::span<const double> momenta, std::span<double> motions) const {
        bodies.precondition(momenta, motions);
    }
};

/// The 3×3 blocks of the diagonal, inverted; zero for particles that are held, so that no search leads along them.
template <class S>
void CoupledFlow<S>::invert_diagonal(const System& system) {
    const FluidView<S>& fluid = system.fluid;
    const auto conformation = system.terms.conformation;
    inverse_.resize(fluid.size());
    simd::for_each<Real>(system.context.parallel, fluid.rows(),
                         [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                             SymMat<Real> sum = pairs_.diagonal(use, i, resist_, stiff_, conformation);
                             sum.xx += fluid.mass[i], sum.yy += fluid.mass[i], sum.zz += fluid.mass[i];
                             inverse_[i] = inverse(sum);
                         });
    const auto held = system.forcing.held;
    if (held.empty()) return;
    system.context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        if (held[i]) inverse_[i] = {};
    });
}

/// Separates strain from spin where neighbors are too few for a correction. There a rotation W gives <∇v> = W M, with M
/// the spread of the neighbors, which has a symmetric part. The ω whose [ω]× M has the same antisymmetric part as <∇v>
/// solves (tr M - M) ω = twist <∇v>. Neighbors on one line do not show the spin about it, but it does not matter there.
template <class S>
void CoupledFlow<S>::find_spins(const System& system) {
    spread_ = system.geometry.spread(), unsure_ = system.geometry.fell_back();
    unspin_.resize(spread_.size());
    system.context.parallel.for_each(system.fluid.rows(), [&](std::size_t i) {
        if (!unsure_[i]) return;
        const SymMat<Real>& m = spread_[i];
        const Real all = m.trace(), little = Real(1e-8) * (1 + all);
        SymMat<Real> n = Real(-1) * m;
        n.xx += all + little, n.yy += all + little, n.zz += all + little;
        unspin_[i] = inverse(n);
    });
}

/// W⁰ and C, from the gradients of the velocities at the start of the step.
template <class S>
void CoupledFlow<S>::find_drawn_out(const System& system) {
    spin_.resize(system.fluid.size()), drawn_.resize(system.fluid.size());
    system.context.parallel.for_each(system.fluid.rows(), [&](std::size_t i) {
        spin_[i] = Real(0.5) * (gradient_[i] - gradient_[i].transposed());
        drawn_[i] = {};
        if (unsure(i) || !(stiff_[i] > 0)) return;
        const Real far = system.geometry.sizes()[i] * static_cast<Real>(system.geometry.spacing());
        drawn_[i] = drawn_out<S>(system.terms.conformation[i], system.fluid.mass[i] * (far * far) / stiff_[i]);
    });
}

/// D of a velocity gradient: zero for any rotation.
template <class S>
auto CoupledFlow<S>::strain_of(std::size_t i, const Mat3<Real>& g) const -> SymMat<Real> {
    if (!unsure(i)) return symmetric_part(g);
    return symmetric_part(g - Mat3<Real>::crossing(unspin_[i] * twist(g)) * Mat3<Real>::from(spread_[i]));
}

/// (W C + C W)/2 of a velocity gradient.
template <class S>
auto CoupledFlow<S>::turned(std::size_t i, const Mat3<Real>& g) const -> Mat3<Real> {
    const Mat3<Real> w = Real(0.5) * (g - g.transposed()), c = Mat3<Real>::from(drawn_[i]), wc = w * c;
    return Real(0.5) * (wc - wc.transposed());
}

/// g, including moving walls. If it turns a conformation and neighbors are few, strain and spin are found separately.
template <class S>
void CoupledFlow<S>::find_gradients(const System& system) {
    const std::span<const Row> velocity = system.fluid.velocity;
    const bool elastic = system.elastic();
    simd::for_each<Real>(system.context.parallel, system.fluid.rows(),
                         [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                             const Mat3<Real> g = pairs_.gradient(use, i, velocity) + pairs_.wall_gradient(i);
                             gradient_[i] = g;
                             if (!elastic || !unsure(i)) return;
                             // Neighbors nearly on a line give too large a spin about that line.
                             Vec spin = unspin_[i] * twist(g);
                             const Real size = std::sqrt((dot(g.x, g.x) + dot(g.y, g.y)) + dot(g.z, g.z)),
                                        most = 3 * size /
                                               (S::dim == 2 ? spread_[i].xx + spread_[i].yy : spread_[i].trace()),
                                        fast = length(spin);
                             if (fast > most) spin = (most / fast) * spin;
                             gradient_[i] = Mat3<Real>::from(strain_of(i, g)) + Mat3<Real>::crossing(spin);
                         });
}

/// Momentum that dashpots take at velocities with the gradient slope_. Their smooth part is added to the stress.
template <class S>
void CoupledFlow<S>::resist(std::span<const Row> velocity, const Parallel& parallel) {
    simd::for_each<Real>(parallel, Rows::of(velocity.size()),
                         [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                             const auto resistance = pairs_.resistance(use, i, velocity, slope_);
                             loss_[i] = resistance.loss;
                             Mat3<Real> s = get<Real>(i, stress_) + Mat3<Real>::from(resistance.stress);
                             if (unsure(i)) s = against_spin(s, spread_[i], unspin_[i]);
                             put<Real>(s, i, stress_);
                         });
}

/// dt V S at the velocities of find_gradients(); also the momentum that dashpots take, if they have a smooth part.
template <class S>
void CoupledFlow<S>::find_stress(const System& system, std::span<const Real> pressure) {
    const StressTerms<S>& terms = system.terms;
    const Forcing& forcing = system.forcing;
    const bool elastic = system.elastic(), smooth = system.smooth(), stressed = !terms.stress.empty();
    const auto one = Mat3<Real>::identity();
    const Real dt = static_cast<Real>(system.context.dt);
    system.context.parallel.for_each(system.fluid.rows(), [&](std::size_t i) {
        const Mat3<Real>& g = gradient_[i];
        Mat3<Real> s = (forcing.resistance[i] * (g.trace() - forcing.divergence[i]) - pressure[i]) * one;
        if (stressed) s = s + Mat3<Real>::from(terms.stress[i]);
        if (elastic && terms.modulus[i] > 0) {
            const Mat3<Real> c = Mat3<Real>::from(terms.conformation[i]), wc = spin_[i] * c;
            const Mat3<Real> change = stretched(terms.conformation[i], symmetric_part(g)) + wc + wc.transposed();
            s = s + terms.modulus[i] * ((c - one) + terms.strain_time[i] * (change + turned(i, g - spin_[i])));
        }
        if (smooth) put<Real>(Mat3<Real>::from(symmetric_part(g)), i, slope_);
        s = (dt * system.fluid.volume[i]) * s;
        if (elastic && !smooth && unsure(i)) s = against_spin(s, spread_[i], unspin_[i]);
        put<Real>(s, i, stress_);
    });
    if (smooth) resist(system.fluid.velocity, system.context.parallel);
}

/// The right side of the system: momentum that a particle gets in the step if velocities do not change.
template <class S>
void CoupledFlow<S>::find_right_side(const System& system) {
    const FluidView<S>& fluid = system.fluid;
    const std::span<const Row> velocity = fluid.velocity, acceleration = system.forcing.acceleration;
    const bool smooth = system.smooth();
    const Real dt = static_cast<Real>(system.context.dt);
    simd::for_each<Real>(system.context.parallel, fluid.rows(),
                         [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                             right_[i] = (dt * fluid.mass[i]) * acceleration[i].xyz() -
                                         (smooth ? loss_[i].xyz() : pairs_.loss(use, i, velocity)) +
                                         pairs_.wall_push(i) + pairs_.push(use, i, stress_);
                         });
}

/// Twice the energy that dashpots between particles and to walls take in the step if these velocities stay: v·A v
/// without inertia and volume, with velocities relative to the walls.
template <class S>
double CoupledFlow<S>::dissipated(const System& system) {
    const std::span<const Row> velocity = system.fluid.velocity;
    isotropic_.resize(velocity.size());
    simd::for_each<Real>(system.context.parallel, system.fluid.rows(),
                         [&]<class P>(simd::Use<P> use, std::size_t i)
                             TREACLE_SIMD_INLINE_LAMBDA { isotropic_[i] = pairs_.dissipated(use, i, velocity); });
    return system.context.parallel.template sum<double>(system.fluid.rows(), [&](std::size_t i) {
        double sum = static_cast<double>(isotropic_[i]);
        const Vec3d x = cast<double>(system.fluid.position[i].xyz());
        for (const auto& wall : system.geometry.walls().row(i)) {
            const Vec slip = velocity[i].xyz() - cast<Real>(system.context.bodies[wall.body].velocity_at(x));
            sum += static_cast<double>(dot(slip, pairs_.drag_by(i, wall) * slip));
        }
        return sum;
    });
}

/// Gives bodies the reaction to the forces of their walls on the fluid.
template <class S>
void CoupledFlow<S>::push_solids(const System& system) {
    const FluidView<S>& fluid = system.fluid;
    Bodies& bodies = system.context.bodies;
    wall_displacement_.assign(fluid.size(), Row{});
    if (bodies.empty()) return;
    const Real dt = static_cast<Real>(system.context.dt);
    push_bodies(fluid.rows(), system.context.dt, system.context.parallel, bodies, [&](std::size_t i, BodyLoads& loads) {
        const Vec3d x = cast<double>(fluid.position[i].xyz());
        Vec displaced{};
        for (const auto& wall : system.geometry.walls().row(i)) {
            const Body& body = bodies[wall.body];
            const Vec slip = fluid.velocity[i].xyz() - cast<Real>(body.velocity_at(x));
            const Mat3<Real> stress = get<Real>(i, stress_);
            const Vec given = pairs_.on_wall(i, wall, slip, stress);
            loads.add(wall.body, body, x, cast<double>(given));
            loads.turn(wall.body, cast<double>(pairs_.moment_on(i, wall, stress)));
            displaced -= (dt / fluid.mass[i] * dot(given, wall.normal)) * wall.normal;
        }
        wall_displacement_[i] = displaced;
    });
}

/// The matrix of the system.
template <class S>
void CoupledFlow<S>::lay_out(const System& system) {
    const auto& terms = system.terms;
    const auto resistance = system.forcing.resistance;
    const std::span<const Real> volume = system.fluid.volume;
    const std::size_t count = system.fluid.size();
    const Real dt = static_cast<Real>(system.context.dt);
    const bool elastic = system.elastic(), smooth = system.smooth();
    gradient_.resize(count), stress_.resize(3 * count), right_.resize(count), resist_.resize(count);
    slope_.resize(smooth ? 3 * count : 0), loss_.resize(smooth ? count : 0);
    stiff_.resize(elastic ? count : 0);
    system.context.parallel.for_each(system.fluid.rows(), [&](std::size_t i) {
        resist_[i] = dt * volume[i] * resistance[i];
        if (elastic) stiff_[i] = dt * volume[i] * (terms.strain_time[i] * terms.modulus[i]);
    });
    pairs_.update(system.fluid, system.context, system.geometry, terms.viscosity, terms.smooth,
                  {system.forcing.pressed, terms.modulus}, share_of_missing);
    invert_diagonal(system);
    bodies_.update(system.fluid, system.context, system.geometry, pairs_);
    bodies_.find_diagonal(resist_, stiff_, system.context.parallel);
    if (elastic || smooth) find_spins(system);
}

/// Changes of the velocities of fluid and bodies, from the right sides.
template <class S>
SolverReport CoupledFlow<S>::find_change(const System& system) {
    const FluidView<S>& fluid = system.fluid;
    change_.assign(fluid.size(), Row{});
    change_of_bodies_.assign(bodies_.unknowns(), 0);
    StoppingRule stop = rule;
    stop.size = dissipated(system);
    const Diagonal diagonal{inverse_, bodies_};
    const auto solve_with = [&](const auto& matrix) {
        return solver_.solve(matrix, diagonal, right_, right_of_bodies_, stop, system.context.parallel, change_,
                             change_of_bodies_);
    };
    return system.elastic() ? solve_with(Operator{fluid.mass, system.terms.conformation, *this, system.smooth()})
                            : solve_with(InelasticOperator{fluid.mass, *this});
}

template <class S>
SolverReport CoupledFlow<S>::solve(const System& system, std::span<Real> pressure) {
    const FluidView<S>& fluid = system.fluid;
    const Parallel& parallel = system.context.parallel;
    const VelocitiesKept kept(system.context.bodies);
    bodies_.predict(system.context);
    lay_out(system);
    find_gradients(system);
    if (system.elastic()) find_drawn_out(system);
    find_stress(system, pressure);
    find_right_side(system);
    right_of_bodies_.resize(bodies_.unknowns());
    find_gains(fluid.velocity, bodies_.predicted(), parallel, right_of_bodies_);

    const SolverReport report = find_change(system);
    parallel.for_each(fluid.rows(),
                      [&](std::size_t i) { fluid.velocity[i] = fluid.velocity[i].xyz() + change_[i].xyz(); });
    bodies_.change_velocities(change_of_bodies_, system.context.bodies);
    if (bodies_.unknowns() > 0) pairs_.move_walls(fluid, system.context);

    find_gradients(system);
    find_stress(system, pressure);
    push_solids(system);
    return report;
}

template <class S>
SolverReport CoupledFlow<S>::apply(const FluidView<S>& fluid, const BlockContext<S>& context,
                                   const MpsGeometry<S>& geometry, const StressTerms<S>& terms, const Forcing& forcing,
                                   std::span<Real> pressure) {
    assert(promises::sized(fluid.size(), fluid.velocity, fluid.mass, fluid.volume, geometry, pressure));
    assert(promises::sized(fluid.size(), forcing.acceleration, forcing.resistance, forcing.divergence));
    assert(promises::sized_or_empty(fluid.size(), forcing.held, forcing.pressed));
    assert(terms.complete(fluid.size()) && context.dt > 0);
    assert(promises::finite(fluid.position, fluid.velocity) && promises::positive(fluid.mass, fluid.volume));
    const auto stage = context.timer.stage("flow");
    const SolverReport report = solve({fluid, context, geometry, terms, forcing}, pressure);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        pressure[i] -= forcing.resistance[i] * (gradient_[i].trace() - forcing.divergence[i]);
        // Particles that are held cannot follow their pressure: it would grow for ever.
        const bool held = !forcing.held.empty() && forcing.held[i] != 0;
        if (held || geometry.fell_back()[i]) pressure[i] = 0;
    });
    return report;
}

template <class S>
SolverReport CoupledFlow<S>::apply_dashpots(const FluidView<S>& fluid, const BlockContext<S>& context,
                                            const MpsGeometry<S>& geometry, std::span<const Real> viscosity) {
    assert(promises::sized(fluid.size(), fluid.velocity, fluid.mass, fluid.volume, geometry, viscosity));
    assert(promises::finite(fluid.position, fluid.velocity) && promises::positive(fluid.mass, fluid.volume));
    const auto stage = context.timer.stage("flow");
    StressTerms<S> terms;
    terms.viscosity = viscosity;
    const std::vector<Real> none(fluid.size());
    std::vector<Real> no_pressure(fluid.size());
    const std::vector<Row> no_acceleration(fluid.size());
    const Forcing forcing{.acceleration = no_acceleration, .resistance = none, .divergence = none};
    return solve({fluid, context, geometry, terms, forcing}, no_pressure);
}

template class CoupledFlow<Space2d>;
template class CoupledFlow<Space3d>;

}  // namespace treacle
