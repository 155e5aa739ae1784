#include "blocks/pressure/coupled_flow.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "blocks/solids/body_loads.h"
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

/// One value for each particle; conformations are asked for only where there is a modulus, and so are smooth parts.
template <class Fluid>
bool whole(const Fluid& fluid, std::size_t count) {
    return promises::sized(count, fluid.position, fluid.mass, fluid.volume, fluid.viscosity, fluid.resistance,
                           fluid.divergence, fluid.acceleration) &&
           promises::sized_or_empty(count, fluid.stress, fluid.modulus, fluid.smooth, fluid.held) &&
           (fluid.modulus.empty() ? fluid.smooth.empty()
                                  : promises::sized(count, fluid.conformation, fluid.strain_time));
}

/// s - [q]×: what a symmetric stress becomes where the strain that it resists is rid of a spin.
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

}  // namespace

/// The matrix of the system, applied to a change of velocities; walls do not change theirs.
template <class S>
struct CoupledFlow<S>::Operator {
    const Fluid& fluid;
    CoupledFlow& flow;
    bool smooth;

    void prepare(std::span<const Row> v, const Parallel& parallel) const {
        simd::for_each<Real>(
            parallel, v.size(), [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                const Mat3<Real> g = flow.pairs_.gradient(use, i, v);
                const Real p = flow.resist_[i] * g.trace();
                const Mat3<Real> pressure{{p, 0, 0}, {0, p, 0}, {0, 0, p}};
                const SymMat<Real> d = flow.strain_of(i, g);
                if (smooth) put<Real>(Mat3<Real>::from(d), i, flow.slope_);
                Mat3<Real> s = pressure + flow.stiff_[i] * (flow.stretched(fluid, i, d) + flow.turned(i, g));
                if (!smooth && flow.unsure(i)) s = against_spin(s, flow.spread_[i], flow.unspin_[i]);
                put<Real>(s, i, flow.stress_);
            });
        if (smooth) flow.resist(v, parallel);
    }
    template <class P>
    TREACLE_SIMD_INLINE Vec row(simd::Use<P> use, std::size_t i, std::span<const Row> v,
                                std::span<const double>) const {
        return fluid.mass[i] * v[i].xyz() + (smooth ? flow.loss_[i].xyz() : flow.pairs_.loss(use, i, v)) -
               flow.pairs_.push(use, i, flow.stress_);
    }
    void others(std::span<const Row>, std::span<const double>, const Parallel&, std::span<double>) const {}
};

/// The same without a conformation: of the gradient its trace is enough, at half the cost.
template <class S>
struct CoupledFlow<S>::InelasticOperator {
    const Fluid& fluid;
    CoupledFlow& flow;

    void prepare(std::span<const Row> v, const Parallel& parallel) const {
        simd::for_each<Real>(parallel, v.size(),
                             [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                                 flow.isotropic_[i] = flow.resist_[i] * flow.pairs_.divergence(use, i, v);
                             });
    }
    template <class P>
    TREACLE_SIMD_INLINE Vec row(simd::Use<P> use, std::size_t i, std::span<const Row> v,
                                std::span<const double>) const {
        return fluid.mass[i] * v[i].xyz() + flow.pairs_.loss(use, i, v) -
               flow.pairs_.push_by_pressure(use, i, flow.isotropic_);
    }
    void others(std::span<const Row>, std::span<const double>, const Parallel&, std::span<double>) const {}
};

template <class S>
struct CoupledFlow<S>::Diagonal {
    std::span<const SymMat<Real>> inverse;

    TREACLE_SIMD_INLINE Vec row(std::size_t i, Vec momentum) const { return inverse[i] * momentum; }
    void others(std::span<const double>, std::span<double>) const {}
};

/// The 3×3 blocks of the diagonal, inverted; zero for particles that are held, so that no search leads along them.
template <class S>
void CoupledFlow<S>::invert_diagonal(const Fluid& fluid, const Parallel& parallel) {
    inverse_.resize(fluid.position.size());
    simd::for_each<Real>(parallel, inverse_.size(),
                         [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                             SymMat<Real> sum = pairs_.diagonal(use, i, resist_, stiff_, fluid.conformation);
                             sum.xx += fluid.mass[i], sum.yy += fluid.mass[i], sum.zz += fluid.mass[i];
                             inverse_[i] = inverse(sum);
                         });
    if (fluid.held.empty()) return;
    parallel.for_each(inverse_.size(), [&](std::size_t i) {
        if (fluid.held[i]) inverse_[i] = {};
    });
}

/// How to tell strain from spin where neighbors are too few for a correction: there <∇v> = W M of a rotation W, with M
/// the spread of the neighbors, has a symmetric part. The ω whose [ω]× M has the same antisymmetric part as <∇v> solves
/// (tr M - M) ω = twist <∇v>; neighbors on one line do not tell the spin about it, nor does it matter there.
template <class S>
void CoupledFlow<S>::find_spins(const MpsGeometry<S>& geometry, const Parallel& parallel) {
    spread_ = geometry.spread(), unsure_ = geometry.fell_back();
    unspin_.resize(spread_.size());
    parallel.for_each(spread_.size(), [&](std::size_t i) {
        if (!unsure_[i]) return;
        const SymMat<Real>& m = spread_[i];
        const Real all = m.trace(), little = Real(1e-8) * (1 + all);
        SymMat<Real> n = Real(-1) * m;
        n.xx += all + little, n.yy += all + little, n.zz += all + little;
        unspin_[i] = inverse(n);
    });
}

/// D of a velocity gradient: zero for any rotation.
template <class S>
auto CoupledFlow<S>::strain_of(std::size_t i, const Mat3<Real>& g) const -> SymMat<Real> {
    if (!unsure(i)) return symmetric_part(g);
    return symmetric_part(g - Mat3<Real>::crossing(unspin_[i] * twist(g)) * Mat3<Real>::from(spread_[i]));
}

/// D c + c D
template <class S>
auto CoupledFlow<S>::stretched(const Fluid& fluid, std::size_t i, const SymMat<Real>& d) const -> Mat3<Real> {
    const Mat3<Real> dc = Mat3<Real>::from(d) * Mat3<Real>::from(fluid.conformation[i]);
    return dc + dc.transposed();
}

/// (W C + C W)/2 of a velocity gradient.
template <class S>
auto CoupledFlow<S>::turned(std::size_t i, const Mat3<Real>& g) const -> Mat3<Real> {
    const Mat3<Real> w = Real(0.5) * (g - g.transposed()), c = Mat3<Real>::from(drawn_[i]), wc = w * c;
    return Real(0.5) * (wc - wc.transposed());
}

/// g, with what walls add by moving; where a conformation is to turn with it, with the spin that neighbors tell.
template <class S>
void CoupledFlow<S>::find_gradients(std::span<const Row> velocity, bool elastic, const Parallel& parallel) {
    simd::for_each<Real>(
        parallel, velocity.size(), [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const Mat3<Real> g = pairs_.gradient(use, i, velocity) + pairs_.wall_gradient(i);
            gradient_[i] = g;
            if (!elastic || !unsure(i)) return;
            // Few neighbors that are nearly on a line tell of a spin about it that is none.
            Vec spin = unspin_[i] * twist(g);
            const Real size = std::sqrt((dot(g.x, g.x) + dot(g.y, g.y)) + dot(g.z, g.z)),
                       most = 3 * size / (S::dim == 2 ? spread_[i].xx + spread_[i].yy : spread_[i].trace()),
                       fast = length(spin);
            if (fast > most) spin = (most / fast) * spin;
            gradient_[i] = Mat3<Real>::from(strain_of(i, g)) + Mat3<Real>::crossing(spin);
        });
}

/// What dashpots take at velocities with the gradient slope_; what they do through it is added to the stress.
template <class S>
void CoupledFlow<S>::resist(std::span<const Row> velocity, const Parallel& parallel) {
    simd::for_each<Real>(parallel, velocity.size(),
                         [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                             const auto resistance = pairs_.resistance(use, i, velocity, slope_);
                             loss_[i] = resistance.loss;
                             Mat3<Real> s = get<Real>(i, stress_) + Mat3<Real>::from(resistance.stress);
                             if (unsure(i)) s = against_spin(s, spread_[i], unspin_[i]);
                             put<Real>(s, i, stress_);
                         });
}

/// dt V S at the velocities whose gradient was found.
template <class S>
void CoupledFlow<S>::find_stress(const Fluid& fluid, double dt, std::span<const Real> pressure,
                                 const Parallel& parallel) {
    const bool elastic = !fluid.modulus.empty(), stressed = !fluid.stress.empty();
    const auto one = Mat3<Real>::identity();
    const Real step = static_cast<Real>(dt);
    parallel.for_each(gradient_.size(), [&](std::size_t i) {
        const Mat3<Real>& g = gradient_[i];
        Mat3<Real> s = (fluid.resistance[i] * (g.trace() - fluid.divergence[i]) - pressure[i]) * one;
        if (stressed) s = s + Mat3<Real>::from(fluid.stress[i]);
        if (elastic && fluid.modulus[i] > 0) {
            const Mat3<Real> c = Mat3<Real>::from(fluid.conformation[i]), wc = spin_[i] * c;
            const Mat3<Real> change = stretched(fluid, i, symmetric_part(g)) + wc + wc.transposed();
            s = s + fluid.modulus[i] * ((c - one) + fluid.strain_time[i] * (change + turned(i, g - spin_[i])));
        }
        if (!fluid.smooth.empty()) put<Real>(Mat3<Real>::from(symmetric_part(g)), i, slope_);
        s = (step * fluid.volume[i]) * s;
        if (elastic && fluid.smooth.empty() && unsure(i)) s = against_spin(s, spread_[i], unspin_[i]);
        put<Real>(s, i, stress_);
    });
}

/// Twice the energy that dashpots between particles and to walls take in the step if these velocities stay: v·A v but
/// for inertia and volume, as seen from the walls.
template <class S>
double CoupledFlow<S>::dissipated(const MpsGeometry<S>& geometry, const Fluid& fluid, std::span<const Row> velocity,
                                  const Bodies& bodies, const Parallel& parallel) {
    isotropic_.resize(velocity.size());
    simd::for_each<Real>(parallel, velocity.size(),
                         [&]<class P>(simd::Use<P> use, std::size_t i)
                             TREACLE_SIMD_INLINE_LAMBDA { isotropic_[i] = pairs_.dissipated(use, i, velocity); });
    return parallel.sum<double>(Rows::of(velocity.size()), [&](std::size_t i) {
        double sum = static_cast<double>(isotropic_[i]);
        const Vec3d x = cast<double>(fluid.position[i].xyz());
        for (const auto& wall : geometry.walls().row(i)) {
            const Vec slip = velocity[i].xyz() - cast<Real>(bodies[wall.body].velocity_at(x));
            sum += static_cast<double>(pairs_.drag(i) * dot(slip, wall.drag * slip));
        }
        return sum;
    });
}

/// Reactions of what walls did to the fluid.
template <class S>
void CoupledFlow<S>::push_solids(const MpsGeometry<S>& geometry, const Fluid& fluid, double dt,
                                 std::span<const Row> velocity, const Parallel& parallel, Bodies& bodies) const {
    if (bodies.empty()) return;
    push_bodies(Rows::of(velocity.size()), dt, parallel, bodies, [&](std::size_t i, BodyLoads& loads) {
        const Vec3d x = cast<double>(fluid.position[i].xyz());
        for (const auto& wall : geometry.walls().row(i)) {
            const Body& body = bodies[wall.body];
            const Vec slip = velocity[i].xyz() - cast<Real>(body.velocity_at(x));
            loads.add(wall.body, body, x, cast<double>(pairs_.on_wall(i, wall, slip, get<Real>(i, stress_))));
        }
    });
}

template <class S>
SolverReport CoupledFlow<S>::apply(const MpsGeometry<S>& geometry, const Fluid& fluid, double dt,
                                   const Parallel& parallel, std::span<Row> velocity, std::span<Real> pressure,
                                   Bodies& bodies) {
    assert(whole(fluid, geometry.size()) && promises::sized(geometry.size(), velocity, pressure));
    assert(promises::finite(fluid.position, velocity) && promises::positive(fluid.mass, fluid.volume) && dt > 0);
    const std::size_t count = velocity.size();
    const Real step = static_cast<Real>(dt);
    const bool elastic = !fluid.modulus.empty(), smooth = !fluid.smooth.empty();
    gradient_.resize(count), stress_.resize(3 * count), right_.resize(count), resist_.resize(count);
    slope_.resize(smooth ? 3 * count : 0), loss_.resize(smooth ? count : 0);
    stiff_.resize(elastic ? count : 0);
    parallel.for_each(count, [&](std::size_t i) {
        resist_[i] = step * fluid.volume[i] * fluid.resistance[i];
        if (elastic) stiff_[i] = step * fluid.volume[i] * (fluid.strain_time[i] * fluid.modulus[i]);
    });
    pairs_.update(geometry, {fluid.position, fluid.volume, fluid.viscosity, fluid.smooth}, dt, share_of_missing, bodies,
                  parallel);
    invert_diagonal(fluid, parallel);
    if (elastic || smooth) find_spins(geometry, parallel);

    find_gradients(velocity, elastic, parallel);
    if (elastic) {
        spin_.resize(count), drawn_.resize(count);
        parallel.for_each(count, [&](std::size_t i) {
            spin_[i] = Real(0.5) * (gradient_[i] - gradient_[i].transposed());
            drawn_[i] = {};
            if (unsure(i) || !(stiff_[i] > 0)) return;
            const Real far = geometry.sizes()[i] * static_cast<Real>(geometry.spacing());
            drawn_[i] = drawn_out<S>(fluid.conformation[i], fluid.mass[i] * (far * far) / stiff_[i]);
        });
    }
    find_stress(fluid, dt, pressure, parallel);
    if (smooth) resist(velocity, parallel);
    simd::for_each<Real>(parallel, count, [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        right_[i] = (step * fluid.mass[i]) * fluid.acceleration[i].xyz() -
                    (smooth ? loss_[i].xyz() : pairs_.loss(use, i, velocity)) + pairs_.wall_push(i) +
                    pairs_.push(use, i, stress_);
    });
    change_.assign(count, Row{});
    StoppingRule stop = rule;
    stop.size = dissipated(geometry, fluid, velocity, bodies, parallel);
    const Diagonal diagonal{inverse_};
    const SolverReport report =
        elastic ? solver_.solve(Operator{fluid, *this, smooth}, diagonal, right_, {}, stop, parallel, change_, {})
                : solver_.solve(InelasticOperator{fluid, *this}, diagonal, right_, {}, stop, parallel, change_, {});
    parallel.for_each(count, [&](std::size_t i) { velocity[i] = velocity[i].xyz() + change_[i].xyz(); });

    find_gradients(velocity, elastic, parallel);
    find_stress(fluid, dt, pressure, parallel);
    if (smooth) resist(velocity, parallel);
    push_solids(geometry, fluid, dt, velocity, parallel, bodies);
    parallel.for_each(count, [&](std::size_t i) {
        pressure[i] -= fluid.resistance[i] * (gradient_[i].trace() - fluid.divergence[i]);
        // Particles that are held cannot follow their pressure: it would grow for ever.
        if (!fluid.held.empty() && fluid.held[i]) pressure[i] = 0;
    });
    return report;
}

template class CoupledFlow<Space2d>;
template class CoupledFlow<Space3d>;

}  // namespace treacle
