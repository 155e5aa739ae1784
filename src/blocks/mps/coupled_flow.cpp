#include "blocks/mps/coupled_flow.h"

#include <algorithm>

#include "blocks/solids/body_loads.h"

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
                if (smooth) put<Real>(g, i, flow.slope_);
                put<Real>(pressure + flow.stiff_[i] * (g * Mat3<Real>::from(fluid.conformation[i])), i, flow.stress_);
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

/// The 3×3 blocks of the diagonal, inverted.
template <class S>
void CoupledFlow<S>::invert_diagonal(const Fluid& fluid, const Parallel& parallel) {
    inverse_.resize(fluid.position.size());
    simd::for_each<Real>(parallel, inverse_.size(),
                         [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                             SymMat<Real> sum = pairs_.diagonal(use, i, resist_, stiff_, fluid.conformation);
                             sum.xx += fluid.mass[i], sum.yy += fluid.mass[i], sum.zz += fluid.mass[i];
                             inverse_[i] = inverse(sum);
                         });
}

/// g, with what walls add by moving.
template <class S>
void CoupledFlow<S>::find_gradients(std::span<const Row> velocity, const Parallel& parallel) {
    simd::for_each<Real>(parallel, velocity.size(),
                         [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                             gradient_[i] = pairs_.gradient(use, i, velocity) + pairs_.wall_gradient(i);
                         });
}

/// What dashpots take at velocities with the gradient slope_; what they do through it is added to the stress.
template <class S>
void CoupledFlow<S>::resist(std::span<const Row> velocity, const Parallel& parallel) {
    simd::for_each<Real>(parallel, velocity.size(),
                         [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                             const auto resistance = pairs_.resistance(use, i, velocity, slope_);
                             loss_[i] = resistance.loss;
                             put<Real>(get<Real>(i, stress_) + Mat3<Real>::from(resistance.stress), i, stress_);
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
            s = s +
                fluid.modulus[i] * ((one + fluid.strain_time[i] * g) * Mat3<Real>::from(fluid.conformation[i]) - one);
        }
        if (!fluid.smooth.empty()) put<Real>(g, i, slope_);
        put<Real>((step * fluid.volume[i]) * s, i, stress_);
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
    return parallel.sum<double>(velocity.size(), [&](std::size_t i) {
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
void CoupledFlow<S>::push_bodies(const MpsGeometry<S>& geometry, const Fluid& fluid, double dt,
                                 std::span<const Row> velocity, const Parallel& parallel, Bodies& bodies) const {
    if (bodies.empty()) return;
    BodyLoads loads(velocity.size(), bodies.size());
    parallel.for_blocks(velocity.size(), [&](std::size_t first, std::size_t last, std::size_t block) {
        for (std::size_t i = first; i < last; ++i) {
            const Vec3d x = cast<double>(fluid.position[i].xyz());
            for (const auto& wall : geometry.walls().row(i)) {
                const Body& body = bodies[wall.body];
                const Vec slip = velocity[i].xyz() - cast<Real>(body.velocity_at(x));
                loads.add(block, wall.body, body, x,
                          cast<double>(pairs_.on_wall(i, wall, slip, get<Real>(i, stress_))));
            }
        }
    });
    loads.give_to(bodies, dt);
}

template <class S>
SolverReport CoupledFlow<S>::apply(const MpsGeometry<S>& geometry, const Fluid& fluid, double dt,
                                   const Parallel& parallel, std::span<Row> velocity, std::span<Real> pressure,
                                   Bodies& bodies) {
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

    find_gradients(velocity, parallel);
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

    find_gradients(velocity, parallel);
    find_stress(fluid, dt, pressure, parallel);
    if (smooth) resist(velocity, parallel);
    push_bodies(geometry, fluid, dt, velocity, parallel, bodies);
    parallel.for_each(count, [&](std::size_t i) {
        pressure[i] -= fluid.resistance[i] * (gradient_[i].trace() - fluid.divergence[i]);
    });
    return report;
}

template class CoupledFlow<Space2d>;
template class CoupledFlow<Space3d>;

}  // namespace treacle
