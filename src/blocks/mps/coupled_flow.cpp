#include "blocks/mps/coupled_flow.h"

#include <algorithm>

#include "blocks/solids/body_loads.h"
#include "blocks/viscous/viscous_pair.h"
#include "neighbors/nearest_image.h"

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

template <class P>
struct GradientSums {
    Vec3<P> x{}, y{}, z{};   ///< rows
};

}  // namespace

/// The matrix of the system, applied to a change of velocities; walls do not change theirs.
template <class S>
struct CoupledFlow<S>::Operator {
    const MpsGeometry<S>& geometry;
    const Fluid& fluid;
    CoupledFlow& flow;
    Real dt;

    /// dt T of the change.
    void prepare(std::span<const Row> v, const Parallel& parallel) const {
        flow.find_gradients(geometry, v, false, parallel);
        parallel.for_each(v.size(), [&](std::size_t i) {
            const Mat3<Real>& g = flow.gradient_[i];
            const Real p = fluid.resistance[i] * g.trace();
            Mat3<Real> s = {{p, 0, 0}, {0, p, 0}, {0, 0, p}};
            if (!fluid.modulus.empty() && fluid.modulus[i] > 0) {
                s = s + (fluid.strain_time[i] * fluid.modulus[i]) * (g * Mat3<Real>::from(fluid.conformation[i]));
            }
            put<Real>((dt * fluid.volume[i]) * (s * Mat3<Real>::from(geometry.correction()[i])), i, flow.tension_);
        });
    }

    /// Momentum that particle i gets by the stresses in tension_.
    template <class P>
    TREACLE_SIMD_INLINE Vec push(simd::Use<P>, std::size_t i) const {
        const Row* rows = flow.tension_.data();
        const Mat3<Real> own = get<Real>(i, flow.tension_);
        Vec3<P> sum{};
        for (const auto& eight : geometry.gradient_pairs().row(i)) {
            const Vec3<P> c = eight.template vectors<P>();
            const Vec3<P> x = simd::load_rows<P, 3>(rows, eight.j).xyz(), y = simd::load_rows<P, 3>(rows + 1, eight.j).xyz(),
                          z = simd::load_rows<P, 3>(rows + 2, eight.j).xyz();
            const auto both = [&](const Vec3<P>& other, Vec mine) TREACLE_SIMD_INLINE_LAMBDA {
                return dot(Vec3<P>{other.x + P(mine.x), other.y + P(mine.y), other.z + P(mine.z)}, c);
            };
            sum += Vec3<P>{both(x, own.x), both(y, own.y), both(z, own.z)};
        }
        Vec all = sum_of_lanes(sum) + own * flow.wall_pull_[i].xyz();
        for (const auto& wall : geometry.walls().row(i)) {
            if (wall.slips) all += dot(own * (geometry.gradient_scale() * wall.pull), wall.normal) * wall.normal;
        }
        return all;
    }

    /// Momentum that particle i loses to dashpots.
    template <class P>
    TREACLE_SIMD_INLINE Vec loss(simd::Use<P>, std::size_t i, std::span<const Row> v) const {
        const Vec v_i = v[i].xyz();
        Vec3<P> sum{};
        for (const auto& eight : flow.dashpots_.row(i)) {
            const Vec3<P> u = eight.template vectors<P>();
            const Vec3<P> v_j = simd::load_rows<P>(v.data(), eight.j).xyz();
            sum += dot(u, Vec3<P>{P(v_i.x) - v_j.x, P(v_i.y) - v_j.y, P(v_i.z) - v_j.z}) * u;
        }
        return sum_of_lanes(sum) + flow.wall_drag_[i] * v_i;
    }

    template <class P>
    TREACLE_SIMD_INLINE Vec row(simd::Use<P> use, std::size_t i, std::span<const Row> v, std::span<const double>) const {
        return fluid.mass[i] * v[i].xyz() + loss(use, i, v) - push(use, i);
    }
    void others(std::span<const Row>, std::span<const double>, const Parallel&, std::span<double>) const {}
};

template <class S>
struct CoupledFlow<S>::Diagonal {
    std::span<const SymMat<Real>> inverse;

    TREACLE_SIMD_INLINE Vec row(std::size_t i, Vec momentum) const { return inverse[i] * momentum; }
    void others(std::span<const double>, std::span<double>) const {}
};

template <class S>
void CoupledFlow<S>::lay_dashpots(const MpsGeometry<S>& geometry, const Fluid& fluid, double dt, const Parallel& parallel) {
    const MpsWeight<S>& wide = geometry.wide();
    const double d = S::dim;
    const Real scale = static_cast<Real>(dt * 2 * d * (d + 2) / (wide.lattice_sum() * wide.mean_square()));
    const Real least = static_cast<Real>(0.1 * geometry.spacing());
    const auto density = geometry.wide_density();
    const bool makes_up = share_of_missing;
    dashpots_.update(geometry.wide_rows(), parallel,
                     [&]<class P>(simd::Use<P>, std::size_t i, const std::uint32_t* j, int) TREACLE_SIMD_INLINE_LAMBDA {
        const Vec3<P> r = nearest_image(offsets<P>(fluid.position, i, j), geometry.period());
        const P distance = max(sqrt(dot(r, r)), P(least));
        const P viscosity = ViscousPair<S>::mean(P(fluid.viscosity[i]), simd::load_lanes<P>(fluid.viscosity.data(), j));
        const P volume = P(Real(0.5)) * (P(fluid.volume[i]) + simd::load_lanes<P>(fluid.volume.data(), j));
        P weight = (P(scale) * volume) * (viscosity * wide(distance));
        if (makes_up) {
            const P n_j = simd::load_lanes<P>(density.data(), j);
            const P more = P(Real(0.5)) * (P(1 / density[i]) + P(1) / n_j);
            weight = weight * min(max(more, P(Real(0.7))), P(Real(3)));
        }
        return (sqrt(weight) / distance) * r;
    });
}

template <class S>
void CoupledFlow<S>::meet_walls(const MpsGeometry<S>& geometry, const Fluid& fluid, double dt, const Bodies& bodies,
                                const Parallel& parallel) {
    const std::size_t count = fluid.position.size();
    wall_drag_.resize(count), wall_push_.resize(count), wall_pull_.resize(count), wall_gradient_.resize(count);
    const MpsWeight<S>& wide = geometry.wide();
    const double d = S::dim;
    const Real scale = static_cast<Real>(dt * 2 * d * (d + 2) / (wide.lattice_sum() * wide.mean_square()));
    const Real steep = geometry.gradient_scale();
    parallel.for_each(count, [&](std::size_t i) {
        SymMat<Real> drag{};
        Vec push{}, pull{};
        Mat3<Real> gradient{};
        const Vec x = fluid.position[i].xyz();
        for (const auto& wall : geometry.walls().row(i)) {
            const Body& body = bodies[wall.body];
            const Vec v = cast<Real>(body.velocity_at(cast<double>(x)));
            const SymMat<Real> of_body = (scale * fluid.volume[i] * fluid.viscosity[i]) * wall.drag;
            drag = drag + of_body;
            push += of_body * v;
            if (!wall.slips) pull += steep * wall.pull;
            const Vec felt = wall.slips ? dot(v, wall.normal) * wall.normal : v;
            gradient = gradient + Mat3<Real>::outer(felt, steep * wall.pull) +
                       Mat3<Real>::crossing(cast<Real>(body.angular_velocity)) * Mat3<Real>::from(steep * wall.spread);
        }
        wall_drag_[i] = drag;
        wall_push_[i] = push;
        wall_pull_[i] = pull;
        wall_gradient_[i] = gradient;
    });
}

/// g, with or without what walls add by moving.
template <class S>
void CoupledFlow<S>::find_gradients(const MpsGeometry<S>& geometry, std::span<const Row> velocity, bool with_walls,
                                    const Parallel& parallel) {
    simd::for_each<Real>(parallel, velocity.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        const Vec v_i = velocity[i].xyz();
        GradientSums<P> sums;
        for (const auto& eight : geometry.gradient_pairs().row(i)) {
            const Vec3<P> c = eight.template vectors<P>();
            const Vec3<P> v_j = simd::load_rows<P>(velocity.data(), eight.j).xyz();
            sums.x += (v_j.x - P(v_i.x)) * c;
            sums.y += (v_j.y - P(v_i.y)) * c;
            sums.z += (v_j.z - P(v_i.z)) * c;
        }
        Mat3<Real> raw{sum_of_lanes(sums.x), sum_of_lanes(sums.y), sum_of_lanes(sums.z)};
        raw = raw - Mat3<Real>::outer(v_i, wall_pull_[i].xyz());
        for (const auto& wall : geometry.walls().row(i)) {
            if (wall.slips) raw = raw - Mat3<Real>::outer(dot(v_i, wall.normal) * wall.normal, geometry.gradient_scale() * wall.pull);
        }
        if (with_walls) raw = raw + wall_gradient_[i];
        gradient_[i] = raw * Mat3<Real>::from(geometry.correction()[i]);
    });
}

/// The 3×3 blocks of the diagonal, inverted.
template <class S>
void CoupledFlow<S>::invert_diagonal(const MpsGeometry<S>& geometry, const Fluid& fluid, double dt, const Parallel& parallel) {
    inverse_.resize(fluid.position.size());
    const Real step = static_cast<Real>(dt);
    const bool elastic = !fluid.modulus.empty();
    parallel.for_each(fluid.position.size(), [&](std::size_t i) {
        SymMat<Real> sum = wall_drag_[i];
        sum.xx += fluid.mass[i], sum.yy += fluid.mass[i], sum.zz += fluid.mass[i];
        // A gradient at k that changes by u ⊗ b when i moves by u.
        const auto add = [&](std::size_t k, Vec b) {
            const Real volume = step * fluid.volume[k];
            sum.add_square(volume * fluid.resistance[k], b);
            if (elastic && fluid.modulus[k] > 0) {
                const Real stiff = volume * fluid.strain_time[k] * fluid.modulus[k] * dot(b, fluid.conformation[k] * b);
                sum.xx += stiff, sum.yy += stiff, sum.zz += stiff;
            }
        };
        Vec own = wall_pull_[i].xyz();
        for (const auto& wall : geometry.walls().row(i)) {
            if (wall.slips) own += geometry.gradient_scale() * wall.pull;
        }
        for (const auto& eight : geometry.gradient_pairs().row(i)) {
            for (int l = 0; l < simd::lanes; ++l) {
                const Vec c{eight.x[l], eight.y[l], eight.z[l]};
                own += c;
                if (eight.j[l] != i) add(eight.j[l], geometry.correction()[eight.j[l]] * c);
            }
        }
        add(i, geometry.correction()[i] * own);
        for (const auto& eight : dashpots_.row(i)) {
            for (int l = 0; l < simd::lanes; ++l) sum.add_square(1, {eight.x[l], eight.y[l], eight.z[l]});
        }
        inverse_[i] = inverse(sum);
    });
}

/// Reactions of what walls did to the fluid.
template <class S>
void CoupledFlow<S>::push_bodies(const MpsGeometry<S>& geometry, const Fluid& fluid, double dt, std::span<const Row> velocity,
                                 const Parallel& parallel, Bodies& bodies) const {
    if (bodies.empty()) return;
    const MpsWeight<S>& wide = geometry.wide();
    const double d = S::dim;
    const Real scale = static_cast<Real>(dt * 2 * d * (d + 2) / (wide.lattice_sum() * wide.mean_square()));
    const Real steep = geometry.gradient_scale();
    BodyLoads loads(velocity.size(), bodies.size());
    parallel.for_blocks(velocity.size(), [&](std::size_t first, std::size_t last, std::size_t block) {
        for (std::size_t i = first; i < last; ++i) {
            const Vec3d x = cast<double>(fluid.position[i].xyz());
            for (const auto& wall : geometry.walls().row(i)) {
                const Body& body = bodies[wall.body];
                const Vec slip = velocity[i].xyz() - cast<Real>(body.velocity_at(x));
                const Vec drag = (scale * fluid.volume[i] * fluid.viscosity[i]) * (wall.drag * slip);
                Vec stress = get<Real>(i, tension_) * (steep * wall.pull);
                if (wall.slips) stress = dot(stress, wall.normal) * wall.normal;
                loads.add(block, wall.body, body, x, cast<double>(drag - stress));
            }
        }
    });
    loads.give_to(bodies, dt);
}

template <class S>
SolverReport CoupledFlow<S>::apply(const MpsGeometry<S>& geometry, const Fluid& fluid, double dt, const Parallel& parallel,
                                   std::span<Row> velocity, std::span<Real> pressure, Bodies& bodies) {
    const std::size_t count = velocity.size();
    const Real step = static_cast<Real>(dt);
    gradient_.resize(count), tension_.resize(3 * count), right_.resize(count);
    lay_dashpots(geometry, fluid, dt, parallel);
    meet_walls(geometry, fluid, dt, bodies, parallel);
    invert_diagonal(geometry, fluid, dt, parallel);

    const bool elastic = !fluid.modulus.empty(), stressed = !fluid.stress.empty(), matched = !fluid.matched.empty();
    const auto one = Mat3<Real>::identity();
    // dt T at some velocities, from their gradient.
    const auto find_tension = [&] {
        parallel.for_each(count, [&](std::size_t i) {
            const Mat3<Real>& g = gradient_[i];
            Mat3<Real> s = (fluid.resistance[i] * (g.trace() - fluid.divergence[i]) - pressure[i]) * one;
            if (stressed) s = s + Mat3<Real>::from(fluid.stress[i]);
            if (matched) s = s + Mat3<Real>::from(matched_stress_[i]);
            if (elastic && fluid.modulus[i] > 0) {
                s = s + fluid.modulus[i] * ((one + fluid.strain_time[i] * g) * Mat3<Real>::from(fluid.conformation[i]) - one);
            }
            put<Real>((step * fluid.volume[i]) * (s * Mat3<Real>::from(geometry.correction()[i])), i, tension_);
        });
    };
    const Operator a{geometry, fluid, *this, step};
    find_gradients(geometry, velocity, true, parallel);
    if (matched) {
        matched_stress_.resize(count);
        parallel.for_each(count, [&](std::size_t i) { matched_stress_[i] = (-2 * fluid.matched[i]) * symmetric_part(gradient_[i]); });
    }
    find_tension();
    simd::for_each<Real>(parallel, count, [&]<class P>(simd::Use<P> use, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        right_[i] = (step * fluid.mass[i]) * fluid.acceleration[i].xyz() - a.loss(use, i, velocity) + wall_push_[i].xyz() + a.push(use, i);
    });
    change_.assign(count, Row{});
    const SolverReport report = solver_.solve(a, Diagonal{inverse_}, right_, {}, rule, parallel, change_, {});
    parallel.for_each(count, [&](std::size_t i) { velocity[i] = velocity[i].xyz() + change_[i].xyz(); });

    find_gradients(geometry, velocity, true, parallel);
    find_tension();
    push_bodies(geometry, fluid, dt, velocity, parallel, bodies);
    parallel.for_each(count, [&](std::size_t i) {
        pressure[i] -= fluid.resistance[i] * (gradient_[i].trace() - fluid.divergence[i]);
    });
    return report;
}

template class CoupledFlow<Space2d>;
template class CoupledFlow<Space3d>;

}  // namespace treacle
