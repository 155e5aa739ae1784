#pragma once

#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/discretization/mps_geometry.h"
#include "blocks/fluid_view.h"
#include "blocks/pair_vectors.h"
#include "math/mat3.h"
#include "math/space.h"
#include "math/sym_mat.h"
#include "neighbors/nearest_image.h"

namespace treacle {

/// The system of coupled_flow.h, pair by pair: laid out once per step, for passes that a solver repeats many times.
/// With b_ij = B_i c_ij of the gradient (mps_geometry.h) and the dashpot d_ij between two particles:
///
///   <∇v>_i = Σ_j (v_j - v_i) b_ijᵀ              gradient
///   loss_i = dt Σ_j d_ij x̂_ij x̂_ij·(v_i - v_j + μ ḡ_ij x_ij)
///     momentum that dashpots take, ḡ the mean of both gradients
///   push_i = Σ_j (S_i b_ij - S_j b_ji)
///     momentum that stresses S (times volume and dt) give: the gradient's adjoint
///
/// A share μ of a dashpot may be smooth: it resists the difference between the motion of the two and the flow around
/// them, and leaves linear flow alone. Its other half acts through the gradients, as a stress.
///
/// Solids are walls in these sums, without smooth shares. The effect of their motion stands apart (wall_push,
/// wall_gradient), so that all else is linear in the fluid's velocities.
///
/// Where fluid may slip along a wall, the wall is left out of gradients along its surface, and rubs the first layer
/// with a drag R on the slip u (Coulomb), whose momentum in a step is
///
///   R u,   R = min(1, m μ a dt/|C u⁰|) C       a the acceleration by which the wall presses the particle
///
/// C is what the fluid can hold on by: its viscous drag at a wall without slip, and as good as any for elastic fluid,
/// whose first layer is held. u⁰ is the slip at the start of the step: friction is a drag within the step, which takes
/// energy whatever happens, and Coulomb's force from step to step.
template <class S>
class FlowPairs {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;
    using Contact = typename MpsWalls<S>::Contact;

    /// What friction asks about particles. Without a load nothing rubs.
    struct Grip {
        std::span<const Real> pressed;  ///< a, m/s²; empty: none
        std::span<const Real> modulus;  ///< Pa; empty: no fluid is elastic
    };

    /// `viscosity` is that of dashpots, Pa·s, `smooth` the part of it that linear flow does not feel; empty: none. Both
    /// are per particle. `share_of_missing`: dashpots of thin threads make up for the neighbors they lack.
    void update(const FluidView<S>& fluid, const BlockContext<S>& context, const MpsGeometry<S>& geometry,
                std::span<const Real> viscosity, std::span<const Real> smooth, const Grip& grip, bool share_of_missing);

    template <class P>
    TREACLE_SIMD_INLINE Mat3<Real> gradient(simd::Use<P>, std::size_t i, std::span<const Row> v) const {
        const Vec v_i = v[i].xyz();
        Vec3<P> x{}, y{}, z{};
        for (const auto& eight : away_.row(i)) {
            const Vec3<P> b = eight.template vectors<P>(), v_j = simd::load_rows<P>(v.data(), eight.j).xyz();
            x += (v_j.x - P(v_i.x)) * b;
            y += (v_j.y - P(v_i.y)) * b;
            z += (v_j.z - P(v_i.z)) * b;
        }
        Mat3<Real> g{sum_of_lanes(x), sum_of_lanes(y), sum_of_lanes(z)};
        g = g - Mat3<Real>::outer(v_i, grip_[i].xyz());
        for (const auto& wall : walls_->row(i)) {
            if (wall.slips) g = g - Mat3<Real>::outer(dot(v_i, wall.normal) * wall.normal, by(i, wall));
        }
        return g;
    }

    /// Trace of the gradient.
    template <class P>
    TREACLE_SIMD_INLINE Real divergence(simd::Use<P>, std::size_t i, std::span<const Row> v) const {
        P sum{};
        for (const auto& eight : away_.row(i)) {
            sum += dot(eight.template vectors<P>(), simd::load_rows<P>(v.data(), eight.j).xyz());
        }
        return sum_of_lanes(sum) - dot(v[i].xyz(), whole_[i].xyz());
    }

    template <class P>
    TREACLE_SIMD_INLINE Vec loss(simd::Use<P>, std::size_t i, std::span<const Row> v) const {
        const Vec v_i = v[i].xyz();
        Vec3<P> sum{};
        for (const auto& eight : dashpots_.row(i)) {
            const Vec3<P> u = eight.template vectors<P>(), v_j = simd::load_rows<P>(v.data(), eight.j).xyz();
            sum += dot(u, Vec3<P>{P(v_i.x) - v_j.x, P(v_i.y) - v_j.y, P(v_i.z) - v_j.z}) * u;
        }
        return sum_of_lanes(sum) + wall_drag_[i] * v_i;
    }

    /// Momentum that dashpots with smooth shares take, and the stress by which they act through the gradient.
    struct Resistance {
        Vec loss;
        SymMat<Real> stress;
    };
    /// `gradient` has three rows per particle.
    template <class P>
    TREACLE_SIMD_INLINE Resistance resistance(simd::Use<P>, std::size_t i, std::span<const Row> v,
                                              std::span<const Row> gradient) const {
        const Vec v_i = v[i].xyz();
        const Row* rows = gradient.data();
        const Mat3<Real> own{rows[3 * i].xyz(), rows[3 * i + 1].xyz(), rows[3 * i + 2].xyz()};
        Vec3<P> sum{};
        SymMat<P> moment{};
        for (const auto& eight : dashpots_.row(i)) {
            const Vec3<P> u = eight.template vectors<P>(), v_j = simd::load_rows<P>(v.data(), eight.j).xyz();
            const Vec3<P> r = nearest_image(offsets<P>(position_, i, eight.j), period_);
            const auto along = [&](const Row* row, Vec mine) TREACLE_SIMD_INLINE_LAMBDA {
                const Vec3<P> other = simd::load_rows<P, 3>(row, eight.j).xyz();
                return dot(Vec3<P>{other.x + P(mine.x), other.y + P(mine.y), other.z + P(mine.z)}, r);
            };
            const Vec3<P> twice{along(rows, own.x), along(rows + 1, own.y), along(rows + 2, own.z)};
            const P half(Real(0.5)), share = half * (P(share_[i]) + simd::load_lanes<P>(share_.data(), eight.j));
            const P apart = dot(u, Vec3<P>{P(v_i.x) - v_j.x, P(v_i.y) - v_j.y, P(v_i.z) - v_j.z}),
                    expected = half * dot(u, twice);
            sum += (apart + share * expected) * u;
            const P by_gradient = half * (share * (apart + expected));
            moment.xx += by_gradient * u.x * r.x, moment.xy += by_gradient * u.x * r.y,
                moment.xz += by_gradient * u.x * r.z;
            moment.yy += by_gradient * u.y * r.y, moment.yz += by_gradient * u.y * r.z,
                moment.zz += by_gradient * u.z * r.z;
        }
        return {sum_of_lanes(sum) + wall_drag_[i] * v_i, sums_of(moment)};
    }

    /// By stresses S, three rows per particle.
    template <class P>
    TREACLE_SIMD_INLINE Vec push(simd::Use<P>, std::size_t i, std::span<const Row> stress) const {
        const Row* rows = stress.data();
        Vec3<P> sum{};
        for (const auto& eight : back_.row(i)) {
            const Vec3<P> b = eight.template vectors<P>();
            sum += Vec3<P>{dot(simd::load_rows<P, 3>(rows, eight.j).xyz(), b),
                           dot(simd::load_rows<P, 3>(rows + 1, eight.j).xyz(), b),
                           dot(simd::load_rows<P, 3>(rows + 2, eight.j).xyz(), b)};
        }
        const Mat3<Real> own{rows[3 * i].xyz(), rows[3 * i + 1].xyz(), rows[3 * i + 2].xyz()};
        Vec all = sum_of_lanes(sum) + own * self_[i].xyz();
        for (const auto& wall : walls_->row(i)) {
            if (wall.slips) all += dot(own * by(i, wall), wall.normal) * wall.normal;
        }
        return all;
    }

    /// By isotropic stresses, one number per particle.
    template <class P>
    TREACLE_SIMD_INLINE Vec push_by_pressure(simd::Use<P>, std::size_t i, std::span<const Real> stress) const {
        Vec3<P> sum{};
        for (const auto& eight : back_.row(i)) {
            sum += simd::load_lanes<P>(stress.data(), eight.j) * eight.template vectors<P>();
        }
        return sum_of_lanes(sum) + stress[i] * whole_[i].xyz();
    }

    /// Twice the energy that dashpots take within the step at these velocities, half of each pair's, without walls.
    template <class P>
    TREACLE_SIMD_INLINE Real dissipated(simd::Use<P>, std::size_t i, std::span<const Row> v) const {
        const Vec v_i = v[i].xyz();
        P sum{};
        for (const auto& eight : dashpots_.row(i)) {
            const Vec3<P> v_j = simd::load_rows<P>(v.data(), eight.j).xyz();
            const P rate =
                dot(eight.template vectors<P>(), Vec3<P>{P(v_i.x) - v_j.x, P(v_i.y) - v_j.y, P(v_i.z) - v_j.z});
            sum += rate * rate;
        }
        return Real(0.5) * sum_of_lanes(sum);
    }

    /// The 3×3 block that i has on the diagonal of the system: dashpots, stresses of `resist` times the divergence, and
    /// stresses `stiff` (D c + c D) of a conformation, unless that is empty.
    template <class P>
    TREACLE_SIMD_INLINE SymMat<Real> diagonal(simd::Use<P>, std::size_t i, std::span<const Real> resist,
                                              std::span<const Real> stiff,
                                              std::span<const SymMat<Real>> conformation) const {
        SymMat<P> sum{};
        for (const auto& eight : dashpots_.row(i)) sum.add_square(P(1), eight.template vectors<P>());
        for (const auto& eight : back_.row(i)) {
            const Vec3<P> b = eight.template vectors<P>();
            sum.add_square(simd::load_lanes<P>(resist.data(), eight.j), b);
            if (stiff.empty()) continue;
            const SymMat<P> c = load_tensors<P>(conformation, eight.j);
            add_stiffness(P(Real(0.5)) * simd::load_lanes<P>(stiff.data(), eight.j), c, b, sum);
        }
        SymMat<Real> all = sums_of(sum) + wall_drag_[i];
        all.add_square(resist[i], whole_[i].xyz());
        if (!stiff.empty()) add_stiffness(Real(0.5) * stiff[i], conformation[i], self_[i].xyz(), all);
        return all;
    }

    /// Walls move as their bodies do now. update() calls it.
    void move_walls(const FluidView<S>& fluid, const BlockContext<S>& context);

    /// Effect of the motion of walls on particle i: momentum in the step, and their part of the gradient.
    Vec wall_push(std::size_t i) const { return wall_push_[i].xyz(); }
    const Mat3<Real>& wall_gradient(std::size_t i) const { return wall_gradient_[i]; }

    /// Momentum that a solid gets from particle i with this slip and stress.
    Vec on_wall(std::size_t i, const Contact& wall, Vec slip, const Mat3<Real>& stress) const {
        const Vec from_stress = stress * by(i, wall);
        return drag_by(i, wall) * slip - (wall.slips ? dot(from_stress, wall.normal) * wall.normal : from_stress);
    }
    /// The moment about particle i that the wall gets besides, because its gradient depends on the spin of the wall.
    Vec moment_on(std::size_t i, const Contact& wall, const Mat3<Real>& stress) const {
        return -twist(stress * turned(i, wall).transposed());
    }
    /// Part of the gradient of particle i by a wall that moves with this velocity there, and spins.
    Mat3<Real> gradient_by(std::size_t i, const Contact& wall, Vec velocity, Vec spin) const {
        const Vec felt = wall.slips ? dot(velocity, wall.normal) * wall.normal : velocity;
        return Mat3<Real>::outer(felt, by(i, wall)) + Mat3<Real>::crossing(spin) * turned(i, wall);
    }
    /// The drag of a wall on particle i, kg, friction included.
    const SymMat<Real>& drag_by(std::size_t i, const Contact& wall) const { return walls_->of(drags_, i, wall); }

private:
    template <class P>
    static TREACLE_SIMD_INLINE SymMat<P> load_tensors(std::span<const SymMat<Real>> column, const std::uint32_t* j) {
        const auto number = [&](Real SymMat<Real>::*which) TREACLE_SIMD_INLINE_LAMBDA {
            return simd::from_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA { return column[j[l]].*which; });
        };
        using M = SymMat<Real>;
        return {number(&M::xx), number(&M::xy), number(&M::xz), number(&M::yy), number(&M::yz), number(&M::zz)};
    }
    template <class P>
    static TREACLE_SIMD_INLINE SymMat<Real> sums_of(const SymMat<P>& m) {
        return {sum_of_lanes(m.xx), sum_of_lanes(m.xy), sum_of_lanes(m.xz),
                sum_of_lanes(m.yy), sum_of_lanes(m.yz), sum_of_lanes(m.zz)};
    }
    /// Adds half · ((b·c b) 1 + b² c + b (c b)ᵀ + c b bᵀ), the matrix of D c + c D for v with the gradient v bᵀ.
    template <class Number>
    static TREACLE_SIMD_INLINE void add_stiffness(Number half, const SymMat<Number>& c, const Vec3<Number>& b,
                                                  SymMat<Number>& sum) {
        const Vec3<Number> cb = c * b;
        const Number round = half * dot(b, cb), square = half * dot(b, b);
        sum.xx += round + square * c.xx + (half + half) * (b.x * cb.x);
        sum.yy += round + square * c.yy + (half + half) * (b.y * cb.y);
        sum.zz += round + square * c.zz + (half + half) * (b.z * cb.z);
        sum.xy += square * c.xy + half * (b.x * cb.y + b.y * cb.x);
        sum.xz += square * c.xz + half * (b.x * cb.z + b.z * cb.x);
        sum.yz += square * c.yz + half * (b.y * cb.z + b.z * cb.y);
    }
    /// Σ over the particles of a wall of f b_ik.
    Vec by(std::size_t i, const Contact& wall) const { return correction_[i] * (steep_ * wall.pull); }

    void lay_dashpots(const FluidView<S>& fluid, const MpsGeometry<S>& geometry, std::span<const Real> viscosity,
                      bool share_of_missing, const Parallel& parallel);
    void lay_gradients(const MpsGeometry<S>& geometry, const Parallel& parallel);
    void add_walls(const FluidView<S>& fluid, const BlockContext<S>& context, const Grip& grip);
    /// Σ over the particles of a wall of x_ik b_ikᵀ.
    Mat3<Real> turned(std::size_t i, const Contact& wall) const {
        return Mat3<Real>::from(steep_ * wall.spread) * Mat3<Real>::from(correction_[i]);
    }
    SymMat<Real> rub(const FluidView<S>& fluid, const BlockContext<S>& context, const Grip& grip, std::size_t i,
                     const Contact& wall) const;

    PairVectors<S> dashpots_;  ///< √(dt d_ij) x̂_ij
    PairVectors<S> away_;      ///< b_ij
    PairVectors<S> back_;      ///< -b_ji
    const MpsWalls<S>* walls_ = nullptr;
    std::span<const SymMat<Real>> correction_;  ///< B
    Real steep_ = 0, scale_ = 0;                ///< d/n0; dt 2d(d+2)/Σ w r²
    std::span<const Row> position_;
    Vec period_{};
    Real first_layer_ = 0;     ///< m, that friction acts on
    std::vector<Real> share_;  ///< μ; empty: none
    std::vector<Real> drag_;   ///< dt V η 2d(d+2)/Σ w r², without the smooth part
    typename MpsWalls<S>::template PerContact<SymMat<Real>> drags_;  ///< of each wall on a particle, friction included
    std::vector<SymMat<Real>> wall_drag_;                            ///< their sums, by particle
    std::vector<Row> wall_push_;                                     ///< dt Σ drag · velocity of the wall
    std::vector<Mat3<Real>> wall_gradient_;
    std::vector<Row> grip_;   ///< Σ f b_ik over walls that do not slip
    std::vector<Row> self_;   ///< the same and Σ b_ij
    std::vector<Row> whole_;  ///< the same and what slippery walls feel: minus the divergence's derivative by v_i
};

}  // namespace treacle
