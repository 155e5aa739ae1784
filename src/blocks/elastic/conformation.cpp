#include "blocks/elastic/conformation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/rotation.h"

namespace treacle {

namespace {

template <class P>
TREACLE_SIMD_INLINE SymMat<typename P::Real> sum_of_lanes(const SymMat<P>& m) {
    return {sum_of_lanes(m.xx), sum_of_lanes(m.xy), sum_of_lanes(m.xz),
            sum_of_lanes(m.yy), sum_of_lanes(m.yz), sum_of_lanes(m.zz)};
}

template <class P>
TREACLE_SIMD_INLINE Mat3<typename P::Real> sum_of_lanes(const Mat3<P>& m) {
    return {sum_of_lanes(m.x), sum_of_lanes(m.y), sum_of_lanes(m.z)};
}

/// Σ over the neighbors of i.
template <class P>
struct ShapeSums {
    SymMat<P> shape;       ///< x_ji g_ijᵀ
    SymMat<P> squares;     ///< g_ij g_ijᵀ / m_j
    Vec3<P> gradient;      ///< g_ij
    P count;
};

template <class P>
struct MotionSums : ShapeSums<P> {
    Mat3<P> from;          ///< x0_ji g_ijᵀ
};

template <class P>
TREACLE_SIMD_INLINE void add_shape(const Vec3<P>& r, const P& factor, const Vec3<P>& g, const P& mass, ShapeSums<P>& sums) {
    sums.shape.add_square(factor, r);
    sums.squares.add_square(P(1) / mass, g);
    sums.gradient += g;
    sums.count += select(factor > P(0), P(1), P(0));
}

template <class Real>
Real magnitude(const SymMat<Real>& m) { return std::sqrt(double_dot(m, m)); }

}  // namespace

template <class S>
auto Conformation<S>::frame_of(std::size_t i, const Fluid& fluid, const SymMat<Real>& shape, const SymMat<Real>& squares,
                               Vec sum, Real neighbors) const -> Frame {
    const auto plus = [](SymMat<Real> m, Real on_diagonal) {
        m.xx += on_diagonal, m.yy += on_diagonal, m.zz += on_diagonal;
        return m;
    };
    const Real dim = S::dim, trace = shape.trace();
    Frame frame;
    frame.shape = shape;
    // Neighbors in a line do not say how fast it turns about itself.
    frame.spin = inverse(plus(Real(-1) * shape, trace + Real(1e-4) * trace + Real(1e-9)));
    const Real floor = static_cast<Real>(settings.correction_floor);
    frame.correction = floor > 0 && settings.corotational ? (1 + floor) * inverse(plus(shape, floor)) : SymMat<Real>::identity();
    SymMat<Real> all = squares;
    all.add_square(1 / fluid.mass[i], sum);
    const Mat3<Real> b = Mat3<Real>::from(frame.correction);
    const Real h = static_cast<Real>(settings.support_radius);
    // Where all gradients vanish the constraint has nothing to move, and rounding must not be divided by zero.
    const Real least = Real(0.05) / (fluid.mass[i] * h * h);
    const Real d = 2 * dt_ * dt_ * fluid.volume[i] * ((b * Mat3<Real>::from(all) * b).trace() / dim + least);
    frame.diagonal = d / std::min(static_cast<Real>(settings.neighbor_share) / std::max(neighbors, Real(1)),
                                  static_cast<Real>(settings.most_relaxation));
    return frame;
}

template <class S>
void Conformation<S>::begin(const Neighbors<S>& neighbors, const Fluid& fluid, std::span<const Row> position, double dt,
                            const Parallel& parallel) {
    const std::size_t count = position.size();
    kernel_ = CubicSpline<S>(settings.support_radius);
    dt_ = static_cast<Real>(dt);
    frames_.resize(count), residual_.resize(count);
    stress_.assign(count, {});
    velocity_before_.clear();
    rotation_.assign(count, Mat3<Real>::identity());
    for (auto* column : {&push_x_, &push_y_, &push_z_}) column->assign(count, Row{});
    const Real inverse_h = 1 / kernel_.support_radius(), scale = static_cast<Real>(settings.gradient_scale);
    gradients_.template update<ShapeSums>(neighbors, parallel,
        [&]<class P>(simd::Use<P>, std::size_t i, const std::uint32_t* j, int in_row, std::size_t,
            ShapeSums<P>& sums) TREACLE_SIMD_INLINE_LAMBDA {
            const Vec3<P> r = offsets<P>(position, i, j);
            const P distance = sqrt((r.x * r.x + r.y * r.y) + r.z * r.z);
            const P q = select(simd::first_lanes<P>(in_row), distance * P(inverse_h), P(1));
            const auto both = (distance > P(0)) & (simd::load_lanes<P>(fluid.compliance.data(), j) >= P(0)) &
                              (P(fluid.compliance[i]) >= P(0));
            const P volume = simd::load_lanes<P>(fluid.volume.data(), j);
            const P factor = select(both, P(0) - P(scale) * volume * kernel_.slope(q) / distance, P(0));
            const Vec3<P> g = factor * r;
            add_shape(r, factor, g, simd::load_lanes<P>(fluid.mass.data(), j), sums);
            return g;
        },
        [&]<class P>(simd::Use<P>, std::size_t i, const ShapeSums<P>& sums) TREACLE_SIMD_INLINE_LAMBDA {
            frames_[i] = frame_of(i, fluid, sum_of_lanes(sums.shape), sum_of_lanes(sums.squares), sum_of_lanes(sums.gradient),
                                  sum_of_lanes(sums.count));
        });
}

template <class S>
SymMat<typename S::Real> Conformation<S>::scaled(const SymMat<Real>& tensor, Real of_shear, Real of_volume) const {
    const SymMat<Real> unit = S::dim == 2 ? SymMat<Real>{1, 0, 0, 1, 0, 0} : SymMat<Real>::identity();
    const Real mean = (S::dim == 2 ? tensor.xx + tensor.yy : tensor.trace()) / Real(S::dim);
    const SymMat<Real> shear = of_shear * (tensor - mean * unit);
    return settings.hydrostatic ? shear + (of_volume * mean) * unit : shear;
}

template <class S>
SymMat<typename S::Real> Conformation<S>::compliant(const SymMat<Real>& stress, Real compliance) const {
    return scaled(stress, compliance, compliance / static_cast<Real>(settings.hydrostatic_ratio));
}

template <class S>
SymMat<typename S::Real> Conformation<S>::preconditioned(const SymMat<Real>& residual, Real compliance, Real diagonal) const {
    const Real of_volume = compliance / static_cast<Real>(settings.hydrostatic_ratio);
    return scaled(residual, 1 / (diagonal + compliance), 1 / (diagonal + of_volume));
}

template <class S>
void Conformation<S>::strain(std::size_t i, const Frame& frame, const SymMat<Real>& strain, Real compliance) {
    const SymMat<Real> residual = strain - compliant(stress_[i], compliance);
    const SymMat<Real> change = preconditioned(residual, compliance, frame.diagonal);
    residual_[i] = magnitude(residual);
    stress_[i] = stress_[i] + change;
    keep_adjoint(i, frame, change);
}

template <class S>
void Conformation<S>::keep_adjoint(std::size_t i, const Frame& frame, const SymMat<Real>& stress) {
    Mat3<Real> p = Mat3<Real>::from(stress) * Mat3<Real>::from(frame.correction);
    if (settings.corotational) p = p - Mat3<Real>::crossing(frame.spin * twist(p * Mat3<Real>::from(frame.shape)));
    push_x_[i] = p.x, push_y_[i] = p.y, push_z_[i] = p.z;
}

/// target_i += dt^n V_i/m_i Σ (P_i + P_j) g_ij
template <class S>
void Conformation<S>::push(const Fluid& fluid, Real dt_power, const Parallel& parallel, std::span<Row> target) const {
    simd::for_each<Real>(parallel, target.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        Vec3<P> sum{};
        const Vec x = push_x_[i].xyz(), y = push_y_[i].xyz(), z = push_z_[i].xyz();
        for (const auto& eight : gradients_.row(i)) {
            const Vec3<P> g = eight.template vectors<P>();
            const auto along = [&](const std::vector<Row>& rows, const Vec& own) TREACLE_SIMD_INLINE_LAMBDA {
                const auto other = simd::load_rows<P>(rows.data(), eight.j);
                return ((other.x + P(own.x)) * g.x + (other.y + P(own.y)) * g.y) + (other.z + P(own.z)) * g.z;
            };
            sum += Vec3<P>{along(push_x_, x), along(push_y_, y), along(push_z_, z)};
        }
        target[i] = target[i].xyz() + (dt_power * fluid.volume[i] / fluid.mass[i]) * sum_of_lanes(sum);
    });
}

template <class S>
template <class P>
TREACLE_SIMD_INLINE SymMat<typename S::Real> Conformation<S>::strain_in_step(std::size_t i, std::span<const Row> velocity) const {
    Mat3<P> sums;
    const Vec own = velocity[i].xyz();
    for (const auto& eight : gradients_.row(i)) {
        const auto v = simd::load_rows<P>(velocity.data(), eight.j);
        const Vec3<P> g = eight.template vectors<P>();
        sums.x += (v.x - P(own.x)) * g;
        sums.y += (v.y - P(own.y)) * g;
        sums.z += (v.z - P(own.z)) * g;
    }
    const Frame& frame = frames_[i];
    Mat3<Real> gradient = sum_of_lanes(sums);
    if (settings.corotational) {
        gradient = gradient - Mat3<Real>::crossing(frame.spin * twist(gradient)) * Mat3<Real>::from(frame.shape);
    }
    return (2 * dt_) * symmetric_part(gradient * Mat3<Real>::from(frame.correction));
}

/// r = C - T/G and its r·P r.
template <class S>
double Conformation<S>::start_search(const Fluid& fluid, std::span<const SymMat<Real>> conformation, const Parallel& parallel,
                                     std::span<const Row> velocity) {
    simd::for_each<Real>(parallel, velocity.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        rest_[i] = direction_[i] = {};
        if (fluid.compliance[i] < 0) return;
        const SymMat<Real> strain = (conformation[i] - SymMat<Real>::identity()) + strain_in_step<P>(i, velocity);
        rest_[i] = scaled(strain, 1, 1) - compliant(stress_[i], fluid.compliance[i]);
        direction_[i] = preconditioned(rest_[i], fluid.compliance[i], frames_[i].diagonal);
    });
    return parallel.sum<double>(velocity.size(), [&](std::size_t i) {
        return static_cast<double>(fluid.volume[i] * double_dot(rest_[i], direction_[i]));
    });
}

template <class S>
void Conformation<S>::solve_velocities(const Fluid& fluid, std::span<const SymMat<Real>> conformation, int iterations,
                                       const std::function<void(std::span<Row>, bool)>& hold, const Parallel& parallel,
                                       std::span<Row> velocity) {
    const std::size_t count = velocity.size();
    for (auto* column : {&rest_, &direction_, &curvature_}) column->resize(count);
    double square = start_search(fluid, conformation, parallel, velocity);
    if (!velocity_before_.empty() && square > square_before_) {
        parallel.for_each(count, [&](std::size_t i) {
            velocity[i] = Real(0.5) * (velocity[i].xyz() + velocity_before_[i].xyz());
            stress_[i] = Real(0.5) * (stress_[i] + stress_before_[i]);
        });
        square = start_search(fluid, conformation, parallel, velocity);
    }
    velocity_before_.assign(velocity.begin(), velocity.end());
    stress_before_ = stress_;
    square_before_ = square;
    for (int n = 0; n < iterations && square > 0; ++n) {
        parallel.for_each(count, [&](std::size_t i) { keep_adjoint(i, frames_[i], direction_[i]); });
        change_.assign(count, Row{});
        push(fluid, dt_, parallel, change_);
        hold(change_, n == 0);
        simd::for_each<Real>(parallel, count, [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            curvature_[i] = {};
            if (fluid.compliance[i] < 0) return;
            curvature_[i] = compliant(direction_[i], fluid.compliance[i]) - scaled(strain_in_step<P>(i, change_), 1, 1);
        });
        const double along = parallel.sum<double>(count, [&](std::size_t i) {
            return static_cast<double>(fluid.volume[i] * double_dot(direction_[i], curvature_[i]));
        });
        if (!(along > 0)) return;
        const Real step = static_cast<Real>(square / along);
        const double next = parallel.sum<double>(count, [&](std::size_t i) {
            velocity[i] = velocity[i].xyz() + step * change_[i].xyz();
            stress_[i] = stress_[i] + step * direction_[i];
            rest_[i] = rest_[i] - step * curvature_[i];
            if (fluid.compliance[i] < 0) return 0.0;
            const SymMat<Real> better = preconditioned(rest_[i], fluid.compliance[i], frames_[i].diagonal);
            return static_cast<double>(fluid.volume[i] * double_dot(rest_[i], better));
        });
        const Real turn = static_cast<Real>(next / square);
        parallel.for_each(count, [&](std::size_t i) {
            if (fluid.compliance[i] < 0) return;
            direction_[i] = preconditioned(rest_[i], fluid.compliance[i], frames_[i].diagonal) + turn * direction_[i];
        });
        square = next;
    }
}

template <class S>
double Conformation<S>::project_velocities(const Fluid& fluid, std::span<const SymMat<Real>> conformation,
                                           const Parallel& parallel, std::span<Row> velocity) {
    const std::size_t count = velocity.size();
    simd::for_each<Real>(parallel, count, [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        residual_[i] = 0;
        if (fluid.compliance[i] < 0) return;
        strain(i, frames_[i], (conformation[i] - SymMat<Real>::identity()) + strain_in_step<P>(i, velocity), fluid.compliance[i]);
    });
    push(fluid, dt_, parallel, velocity);
    return parallel.sum<double>(count, [&](std::size_t i) { return static_cast<double>(residual_[i]); }) /
           static_cast<double>(std::max<std::size_t>(count, 1));
}

/// visit(i, frame, L, R) at these positions; the gradients stay for push().
template <class S>
template <class Visit>
void Conformation<S>::measure_positions(const Neighbors<S>& neighbors, const Fluid& fluid, std::span<const Row> start,
                                        std::span<const Row> position, const Parallel& parallel, const Visit& visit) {
    const Real inverse_h = 1 / kernel_.support_radius(), scale = static_cast<Real>(settings.gradient_scale);
    gradients_.template update<MotionSums>(neighbors, parallel,
        [&]<class P>(simd::Use<P>, std::size_t i, const std::uint32_t* j, int in_row, std::size_t,
            MotionSums<P>& sums) TREACLE_SIMD_INLINE_LAMBDA {
            const Vec3<P> r = offsets<P>(position, i, j), r0 = offsets<P>(start, i, j);
            const P distance = sqrt((r.x * r.x + r.y * r.y) + r.z * r.z);
            const P q = select(simd::first_lanes<P>(in_row), distance * P(inverse_h), P(1));
            const auto both = (distance > P(0)) & (simd::load_lanes<P>(fluid.compliance.data(), j) >= P(0)) &
                              (P(fluid.compliance[i]) >= P(0));
            const P volume = simd::load_lanes<P>(fluid.volume.data(), j);
            const P factor = select(both, P(0) - P(scale) * volume * kernel_.slope(q) / distance, P(0));
            const Vec3<P> g = factor * r;
            add_shape(r, factor, g, simd::load_lanes<P>(fluid.mass.data(), j), sums);
            sums.from.x += r0.x * g;
            sums.from.y += r0.y * g;
            sums.from.z += r0.z * g;
            return g;
        },
        [&]<class P>(simd::Use<P>, std::size_t i, const MotionSums<P>& sums) TREACLE_SIMD_INLINE_LAMBDA {
            if (fluid.compliance[i] < 0) return;
            const SymMat<Real> shape = sum_of_lanes(sums.shape);
            const Mat3<Real> from = sum_of_lanes(sums.from);
            const Frame frame = frame_of(i, fluid, shape, sum_of_lanes(sums.squares), sum_of_lanes(sums.gradient),
                                         sum_of_lanes(sums.count));
            Mat3<Real>& r = rotation_[i];
            if (settings.corotational) r = closest_rotation(from.transposed(), r, 2);
            visit(i, frame, (Mat3<Real>::from(shape) - r * from) * Mat3<Real>::from(frame.correction), r);
        });
}

template <class S>
double Conformation<S>::project_positions(const Neighbors<S>& neighbors, const Fluid& fluid,
                                          std::span<const SymMat<Real>> conformation, std::span<const Row> start,
                                          const Parallel& parallel, std::span<Row> position) {
    const std::size_t count = position.size();
    residual_.assign(count, 0);
    measure_positions(neighbors, fluid, start, position, parallel,
                      [&](std::size_t i, const Frame& frame, const Mat3<Real>& l, const Mat3<Real>& r) {
        const SymMat<Real> turned = symmetric_part(r * Mat3<Real>::from(conformation[i]) * r.transposed());
        strain(i, frame, (turned - SymMat<Real>::identity()) + Real(2) * symmetric_part(l), fluid.compliance[i]);
    });
    push(fluid, dt_ * dt_, parallel, position);
    return parallel.sum<double>(count, [&](std::size_t i) { return static_cast<double>(residual_[i]); }) /
           static_cast<double>(std::max<std::size_t>(count, 1));
}

template <class S>
void Conformation<S>::update(const Neighbors<S>& neighbors, const Fluid& fluid, std::span<const Row> start,
                             std::span<const Row> position, std::span<const ConformationMemory<Real>> memory,
                             const Parallel& parallel, std::span<SymMat<Real>> conformation, std::span<Real> stress_share) {
    measure_positions(neighbors, fluid, start, position, parallel,
                      [&](std::size_t i, const Frame&, const Mat3<Real>& l, const Mat3<Real>& r) {
        const Mat3<Real> f = (Mat3<Real>::identity() + l) * r;
        const SymMat<Real> moved = symmetric_part(f * Mat3<Real>::from(conformation[i]) * f.transposed());
        const Forgotten<Real> left = forget<S::dim>(moved, memory[i]);
        conformation[i] = left.conformation;
        stress_share[i] = left.share;
    });
}

template class Conformation<Space2f>;
template class Conformation<Space3f>;
template class Conformation<Space2d>;
template class Conformation<Space3d>;

}  // namespace treacle
