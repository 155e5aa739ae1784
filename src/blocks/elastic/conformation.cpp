#include "blocks/elastic/conformation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treacle {

namespace {

template <class P>
SymMat<P> plus(SymMat<P> m, P on_diagonal) {
    m.xx += on_diagonal, m.yy += on_diagonal, m.zz += on_diagonal;
    return m;
}

// Lane l of each number is the sum of the lanes of the same number of of(l).
template <class P, class Of>
Vec3<P> vector_of_sums(const Of& of) {
    return {simd::sums_of_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const P& { return of(l).x; }),
            simd::sums_of_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const P& { return of(l).y; }),
            simd::sums_of_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const P& { return of(l).z; })};
}
template <class P, class Of>
Mat3<P> matrix_of_sums(const Of& of) {
    return {vector_of_sums<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const Vec3<P>& { return of(l).x; }),
            vector_of_sums<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const Vec3<P>& { return of(l).y; }),
            vector_of_sums<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const Vec3<P>& { return of(l).z; })};
}
template <class P, class Of>
SymMat<P> tensor_of_sums(const Of& of) {
    const auto number = [&](P SymMat<P>::*which) TREACLE_SIMD_INLINE_LAMBDA {
        return simd::sums_of_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const P& { return of(l).*which; });
    };
    using M = SymMat<P>;
    return {number(&M::xx), number(&M::xy), number(&M::xz), number(&M::yy), number(&M::yz), number(&M::zz)};
}

/// The rotation in the plane that is closest to a, from what is left of it.
template <class P>
Mat3<P> rotation_in_plane(const Mat3<P>& a) {
    const P c = a.x.x + a.y.y, s = a.y.x - a.x.y, size = sqrt(c * c + s * s);
    const P cosine = select(size > P(0), c / size, P(1)), sine = select(size > P(0), s / size, P(0));
    return {{cosine, -sine, P(0)}, {sine, cosine, P(0)}, {P(0), P(0), P(1)}};
}

}  // namespace

template <class S>
template <class P>
class Conformation<S>::PairKernel {
public:
    TREACLE_SIMD_INLINE PairKernel(const Conformation& block, const ConformationRows<S>& rows, const Fluid& fluid, std::size_t i)
        : fluid_(fluid), bonded_(rows.all_bonded()), rest_length_(rows.rest_length(i)), kernel_(block.kernel_), inverse_h_(1 / block.kernel_.support_radius()),
          scale_(-static_cast<Real>(block.settings.gradient_scale)), own_scale_(scale_ * P(fluid.volume[i])),
          alike_(block.alike_), constrained_(fluid.compliance[i] >= 0) {}

    /// f of g_ij = f x_ji; zero beyond the end of the row and where one of the two takes no part.
    TREACLE_SIMD_INLINE P factor(const std::uint32_t* j, int in_row, std::size_t n, const Vec3<P>& r) const {
        const P distance = rest_length_ ? simd::load_first<P>(rest_length_ + n, in_row)
                                        : sqrt((r.x * r.x + r.y * r.y) + r.z * r.z);
        P q = distance * inverse_h_;
        if (in_row < simd::lanes) q = select(simd::first_lanes<P>(in_row), q, P(1));
        auto apart = distance > P(0);
        P scale = own_scale_;
        if (!alike_) {
            scale = scale_ * simd::load_lanes<P>(fluid_.volume.data(), j);
            apart = apart & (simd::load_lanes<P>(fluid_.compliance.data(), j) >= P(constrained_ ? Real(0) : infinite));
            // One that has neighbors and one that has connections have nothing to do with each other.
            if (!rest_length_ && !bonded_.empty()) apart = apart & (simd::load_lanes<P>(bonded_.data(), j) < P(Real(0.5)));
        }
        return select(apart, scale * kernel_.slope(q) / distance, P(0));
    }

    /// 1/m_j, or 1 if all are alike.
    TREACLE_SIMD_INLINE P lightness(const std::uint32_t* j) const {
        return alike_ ? P(1) : P(1) / simd::load_lanes<P>(fluid_.mass.data(), j);
    }

    /// Adds g_ij to the sums that a frame is made of. Returns it.
    TREACLE_SIMD_INLINE Vec3<P> add(const std::uint32_t* j, int in_row, std::size_t n, const Vec3<P>& r,
                                   ShapeSums<P>& sums) const {
        const Vec3<P> g = factor(j, in_row, n, r) * r;
        sums.shape.xx += r.x * g.x, sums.shape.xy += r.x * g.y, sums.shape.xz += r.x * g.z;
        sums.shape.yy += r.y * g.y, sums.shape.yz += r.y * g.z, sums.shape.zz += r.z * g.z;
        sums.gradient += g;
        sums.squares += lightness(j) * dot(g, g);
        return g;
    }

private:
    static constexpr Real infinite = std::numeric_limits<Real>::infinity();

    const Fluid& fluid_;
    const std::span<const Real> bonded_;
    const Real* const rest_length_;
    const CubicSpline<S> kernel_;   // by value: what is written on the way cannot change it
    const P inverse_h_, scale_, own_scale_;
    const bool alike_, constrained_;
};

template <class S>
template <class P, class Of>
auto Conformation<S>::totals(const Of& of) -> ShapeSums<P> {
    return {tensor_of_sums<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const SymMat<P>& { return of(l).shape; }),
            vector_of_sums<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const Vec3<P>& { return of(l).gradient; }),
            simd::sums_of_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const P& { return of(l).squares; })};
}

template <class S>
template <class P>
auto Conformation<S>::frame_of(const Members<P>& members, const ConformationRows<S>& rows, const ShapeSums<P>& sums) const -> Frame<P> {
    const P trace = sums.shape.trace();
    Frame<P> frame;
    frame.shape = sums.shape;
    // Neighbors in a line do not say how fast it turns about itself.
    frame.spin = inverse(plus(P(-1) * sums.shape, trace + P(Real(1e-4)) * trace + P(Real(1e-9))));
    const Real floor = static_cast<Real>(settings.correction_floor);
    frame.correction = floor > 0 && settings.corotational ? P(1 + floor) * inverse(plus(sums.shape, P(floor)))
                                                          : SymMat<P>::identity();
    const P lightness = P(1) / members.mass, dim(Real(S::dim));
    const P squares = (alike_ ? lightness * sums.squares : sums.squares) + lightness * dot(sums.gradient, sums.gradient);
    const P correction = (double_dot(frame.correction, frame.correction) - P(3 - S::dim)) / dim;
    const Real h = static_cast<Real>(settings.support_radius);
    // Where all gradients vanish the constraint has nothing to move, and rounding must not be divided by zero.
    const P least = P(Real(0.05)) * lightness / P(h * h);
    const P d = P(2 * dt_ * dt_) * members.volume * (correction * squares / dim + least);
    const P count = simd::from_lanes<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA {
        return static_cast<Real>(rows.row(members.first + (l < members.count ? static_cast<std::size_t>(l) : 0)).size());
    });
    frame.diagonal = d / min(P(static_cast<Real>(settings.neighbor_share)) / max(count, P(1)),
                             P(static_cast<Real>(settings.most_relaxation)));
    return frame;
}

template <class S>
void Conformation<S>::begin(const ConformationRows<S>& rows, const Fluid& fluid, std::span<const Row> position, double dt,
                            const Parallel& parallel) {
    const std::size_t count = position.size(), groups = simd::groups_of(count);
    kernel_ = CubicSpline<S>(settings.support_radius);
    dt_ = static_cast<Real>(dt);
    frames_.resize(groups), gradient_sum_.resize(count);
    stress_.assign(groups, {});
    velocity_before_.clear();
    Quaternions<Lanes> unturned{};
    std::fill(std::begin(unturned.w.lane), std::end(unturned.w.lane), Real(1));
    rotation_.assign(groups, unturned);
    push_.assign(3 * count, Row{});
    alike_ = parallel.sum<std::size_t>(count, [&](std::size_t i) {
        return std::size_t(fluid.mass[i] != fluid.mass[0] || fluid.volume[i] != fluid.volume[0] || fluid.compliance[i] < 0 ||
                           rows.bonded(i) != rows.bonded(0));
    }) == 0;
    gradients_.template update_by_groups<ShapeSums>(rows, parallel,
        [&]<class P>(simd::Use<P>, std::size_t i, const std::uint32_t* j, int in_row, std::size_t n,
            ShapeSums<P>& sums) TREACLE_SIMD_INLINE_LAMBDA {
            const Vec3<P> r = offsets<P>(position, i, j);
            return PairKernel<P>(*this, rows, fluid, i).add(j, in_row, n, r, sums);
        },
        [&]<class P>(simd::Use<P>, std::size_t g, int members, const ShapeSums<P>* of_rows) TREACLE_SIMD_INLINE_LAMBDA {
            const ShapeSums<P> sums = totals<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const ShapeSums<P>& { return of_rows[l]; });
            simd::store_group(sums.gradient, g, members, std::span<Row>(gradient_sum_));
            const Frame<P> frame = frame_of(Members<P>(fluid, g, members), rows, sums);
            simd::store(frame.shape, frames_[g].shape);
            simd::store(frame.spin, frames_[g].spin);
            simd::store(frame.correction, frames_[g].correction);
            simd::store(frame.diagonal, frames_[g].diagonal);
        });
}

template <class S>
template <class P>
SymMat<P> Conformation<S>::scaled(const SymMat<P>& tensor, P of_shear, P of_volume) const {
    const SymMat<P> unit = S::dim == 2 ? SymMat<P>{1, 0, 0, 1, 0, 0} : SymMat<P>::identity();
    const P mean = (S::dim == 2 ? tensor.xx + tensor.yy : tensor.trace()) / P(Real(S::dim));
    const SymMat<P> shear = of_shear * (tensor - mean * unit);
    return settings.hydrostatic ? shear + (of_volume * mean) * unit : shear;
}

template <class S>
template <class P>
SymMat<P> Conformation<S>::compliant(const SymMat<P>& stress, P compliance) const {
    return scaled(stress, compliance, compliance / P(static_cast<Real>(settings.hydrostatic_ratio)));
}

template <class S>
template <class P>
SymMat<P> Conformation<S>::preconditioned(const SymMat<P>& residual, P compliance, P diagonal) const {
    const P of_volume = compliance / P(static_cast<Real>(settings.hydrostatic_ratio));
    const auto constrained = compliance >= P(0);
    return scaled(residual, select(constrained, P(1) / (diagonal + compliance), P(0)),
                  select(constrained, P(1) / (diagonal + of_volume), P(0)));
}

template <class S>
template <class P>
Mat3<P> Conformation<S>::strain(std::size_t g, const Frame<P>& frame, const SymMat<P>& strain, P compliance) {
    const SymMat<P> before = simd::load<P>(stress_[g]);
    const SymMat<P> change = preconditioned(strain - compliant(before, compliance), compliance, frame.diagonal);
    simd::store(before + change, stress_[g]);
    return adjoint(frame, change);
}

template <class S>
template <class P>
Mat3<P> Conformation<S>::adjoint(const Frame<P>& frame, const SymMat<P>& stress) const {
    const Mat3<P> p = Mat3<P>::from(stress) * Mat3<P>::from(frame.correction);
    if (!settings.corotational) return p;
    return p - Mat3<P>::crossing(frame.spin * twist(p * Mat3<P>::from(frame.shape)));
}

template <class S>
template <class P>
void Conformation<S>::keep(std::size_t g, int members, const Mat3<P>& p) {
    const std::span<Row> rows(push_);
    simd::store_group<P, 3>(p.x, g, members, rows);
    simd::store_group<P, 3>(p.y, g, members, rows.subspan(1));
    simd::store_group<P, 3>(p.z, g, members, rows.subspan(2));
}

/// P_j of eight neighbors, and what stands beside its rows.
template <class S>
template <class P>
struct Conformation<S>::Pushes {
    TREACLE_SIMD_INLINE Pushes(const Row* push, const std::uint32_t* j)
        : x(simd::load_rows<P, 3>(push, j)), y(simd::load_rows<P, 3>(push + 1, j)), z(simd::load_rows<P, 3>(push + 2, j)) {}
    TREACLE_SIMD_INLINE Vec3<P> times(const Vec3<P>& g) const {
        return {dot(x.xyz(), g), dot(y.xyz(), g), dot(z.xyz(), g)};
    }
    simd::Rows<P> x, y, z;
};

/// P_i Σ g_ij
template <class S>
TREACLE_SIMD_INLINE auto Conformation<S>::own_push(std::size_t i) const -> Vec {
    const Vec sum = gradient_sum_[i].xyz();
    return {dot(push_[3 * i].xyz(), sum), dot(push_[3 * i + 1].xyz(), sum), dot(push_[3 * i + 2].xyz(), sum)};
}

/// velocity_i += dt V_i/m_i Σ (P_i + P_j) g_ij
template <class S>
void Conformation<S>::push_velocities(const Fluid& fluid, const Parallel& parallel, std::span<Row> velocity) const {
    simd::for_each<Real>(parallel, velocity.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        Vec3<P> sum{};
        for (const auto& eight : gradients_.row(i)) sum += Pushes<P>(push_.data(), eight.j).times(eight.template vectors<P>());
        velocity[i] = velocity[i].xyz() + (dt_ * fluid.volume[i] / fluid.mass[i]) * (own_push(i) + sum_of_lanes(sum));
    });
}

/// position_i += dt² V_i/m_i Σ (P_i + P_j) g_ij
template <class S>
void Conformation<S>::push_positions(const ConformationRows<S>& rows, const Fluid& fluid, const Parallel& parallel,
                                     std::span<Row> position) {
    change_.resize(position.size());
    simd::for_each<Real>(parallel, position.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        Vec3<P> sum{};
        const Vec x = position[i].xyz();
        const PairKernel<P> pairs(*this, rows, fluid, i);
        for_each_eight(i, rows.row(i), [&](const std::uint32_t* j, int in_row, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
            const Pushes<P> pushes(push_.data(), j);
            const Vec3<P> r{pushes.x.w - P(x.x), pushes.y.w - P(x.y), pushes.z.w - P(x.z)}, g = pairs.factor(j, in_row, n, r) * r;
            sum += pushes.times(g);
        });
        change_[i] = (dt_ * dt_ * fluid.volume[i] / fluid.mass[i]) * (own_push(i) + sum_of_lanes(sum));
    });
    parallel.for_each(position.size(), [&](std::size_t i) { position[i] = position[i].xyz() + change_[i].xyz(); });
}

template <class S>
template <class P>
TREACLE_SIMD_INLINE SymMat<P> Conformation<S>::strain_in_step(std::size_t g, int members, std::span<const Row> velocity) const {
    Mat3<P> of_rows[simd::lanes];
    for (int l = 0; l < members; ++l) {
        const std::size_t i = g * simd::lanes + static_cast<std::size_t>(l);
        const Vec own = velocity[i].xyz();
        Mat3<P> sums;
        for (const auto& eight : gradients_.row(i)) {
            const auto v = simd::load_rows<P>(velocity.data(), eight.j);
            const Vec3<P> gradient = eight.template vectors<P>();
            sums.x += (v.x - P(own.x)) * gradient;
            sums.y += (v.y - P(own.y)) * gradient;
            sums.z += (v.z - P(own.z)) * gradient;
        }
        of_rows[l] = sums;
    }
    Mat3<P> gradient = matrix_of_sums<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const Mat3<P>& { return of_rows[l]; });
    if (settings.corotational) {
        gradient = gradient - Mat3<P>::crossing(simd::load<P>(frames_[g].spin) * twist(gradient)) *
                                  Mat3<P>::from(simd::load<P>(frames_[g].shape));
    }
    return P(2 * dt_) * symmetric_part(gradient * Mat3<P>::from(simd::load<P>(frames_[g].correction)));
}

template <class S>
template <class P>
auto Conformation<S>::frame_at_start(std::size_t g) const -> Frame<P> {
    const Frame<Lanes>& frame = frames_[g];
    return {simd::load<P>(frame.shape), simd::load<P>(frame.spin), simd::load<P>(frame.correction), simd::load<P>(frame.diagonal)};
}

template <class S>
void Conformation<S>::project_velocities(const Fluid& fluid, std::span<const SymMat<Real>> conformation,
                                         const Parallel& parallel, std::span<Row> velocity) {
    simd::for_each_group<Real>(parallel, velocity.size(),
                               [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
        const SymMat<P> memory = plus(simd::load_group<P>(conformation, g, members), P(-1));
        keep(g, members, strain(g, frame_at_start<P>(g), memory + strain_in_step<P>(g, members, velocity),
                                simd::load_group<P>(fluid.compliance, g, members)));
    });
    push_velocities(fluid, parallel, velocity);
}

/// r = C - T/G and its r·P r.
template <class S>
double Conformation<S>::start_search(const Fluid& fluid, std::span<const SymMat<Real>> conformation, const Parallel& parallel,
                                     std::span<const Row> velocity) {
    simd::for_each_group<Real>(parallel, velocity.size(),
                               [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
        const Members<P> own(fluid, g, members);
        const SymMat<P> memory = plus(simd::load_group<P>(conformation, g, members), P(-1));
        const SymMat<P> rest = scaled(memory + strain_in_step<P>(g, members, velocity), P(1), P(1)) -
                               compliant(simd::load<P>(stress_[g]), own.compliance);
        const SymMat<P> direction = preconditioned(rest, own.compliance, simd::load<P>(frames_[g].diagonal));
        simd::store(rest, rest_[g]);
        simd::store(direction, direction_[g]);
        simd::store(own.volume * double_dot(rest, direction), product_[g]);
    });
    return sum_of_products(velocity.size(), parallel);
}

template <class S>
double Conformation<S>::sum_of_products(std::size_t count, const Parallel& parallel) const {
    return parallel.sum<double>(count, [&](std::size_t i) {
        return static_cast<double>(product_[i / simd::lanes].lane[i % simd::lanes]);
    });
}

template <class S>
void Conformation<S>::solve_velocities(const Fluid& fluid, std::span<const SymMat<Real>> conformation, int iterations,
                                       const std::function<void(std::span<Row>, bool)>& hold, const Parallel& parallel,
                                       std::span<Row> velocity) {
    const std::size_t count = velocity.size(), groups = simd::groups_of(count);
    for (auto* column : {&rest_, &direction_, &curvature_}) column->resize(groups);
    product_.resize(groups);
    double square = start_search(fluid, conformation, parallel, velocity);
    if (!velocity_before_.empty() && square > square_before_) {
        parallel.for_each(count, [&](std::size_t i) {
            velocity[i] = Real(0.5) * (velocity[i].xyz() + velocity_before_[i].xyz());
        });
        simd::for_each_group<Real>(parallel, count, [&]<class P>(simd::Use<P>, std::size_t g, int) TREACLE_SIMD_INLINE_LAMBDA {
            simd::store(P(Real(0.5)) * (simd::load<P>(stress_[g]) + simd::load<P>(stress_before_[g])), stress_[g]);
        });
        square = start_search(fluid, conformation, parallel, velocity);
    }
    velocity_before_.assign(velocity.begin(), velocity.end());
    stress_before_ = stress_;
    square_before_ = square;
    for (int n = 0; n < iterations && square > 0; ++n) {
        simd::for_each_group<Real>(parallel, count,
                                   [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
            keep(g, members, adjoint(frame_at_start<P>(g), simd::load<P>(direction_[g])));
        });
        change_.assign(count, Row{});
        push_velocities(fluid, parallel, change_);
        hold(change_, n == 0);
        simd::for_each_group<Real>(parallel, count,
                                   [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
            const Members<P> own(fluid, g, members);
            const SymMat<P> direction = simd::load<P>(direction_[g]);
            const SymMat<P> curvature = compliant(direction, own.compliance) -
                                        scaled(strain_in_step<P>(g, members, change_), P(1), P(1));
            simd::store(curvature, curvature_[g]);
            simd::store(own.volume * double_dot(direction, curvature), product_[g]);
        });
        const double along = sum_of_products(count, parallel);
        if (!(along > 0)) return;
        const Real step = static_cast<Real>(square / along);
        parallel.for_each(count, [&](std::size_t i) { velocity[i] = velocity[i].xyz() + step * change_[i].xyz(); });
        simd::for_each_group<Real>(parallel, count,
                                   [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
            const Members<P> own(fluid, g, members);
            const SymMat<P> rest = simd::load<P>(rest_[g]) - P(step) * simd::load<P>(curvature_[g]);
            const SymMat<P> better = preconditioned(rest, own.compliance, simd::load<P>(frames_[g].diagonal));
            simd::store(simd::load<P>(stress_[g]) + P(step) * simd::load<P>(direction_[g]), stress_[g]);
            simd::store(rest, rest_[g]);
            simd::store(better, curvature_[g]);
            simd::store(own.volume * double_dot(rest, better), product_[g]);
        });
        const double next = sum_of_products(count, parallel);
        const Real turn = static_cast<Real>(next / square);
        simd::for_each_group<Real>(parallel, count, [&]<class P>(simd::Use<P>, std::size_t g, int) TREACLE_SIMD_INLINE_LAMBDA {
            simd::store(simd::load<P>(curvature_[g]) + P(turn) * simd::load<P>(direction_[g]), direction_[g]);
        });
        square = next;
    }
}

template <class S>
template <class Visit>
void Conformation<S>::measure_positions(const ConformationRows<S>& rows, const Fluid& fluid, std::span<const Row> start,
                                        std::span<const Row> position, const Parallel& parallel, const Visit& visit) {
    simd::for_each_group<Real>(parallel, position.size(),
                               [&]<class P>(simd::Use<P> use, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
        MotionSums<P> of_rows[simd::lanes];
        for (int l = 0; l < members; ++l) {
            const std::size_t i = g * simd::lanes + static_cast<std::size_t>(l);
            const PairKernel<P> pairs(*this, rows, fluid, i);
            const Vec x = position[i].xyz(), x0 = start[i].xyz();
            MotionSums<P> sums;
            for_each_eight(i, rows.row(i), [&](const std::uint32_t* j, int in_row, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
                const Vec3<P> r = offsets<P>(position, x, j), r0 = offsets<P>(start, x0, j);
                const Vec3<P> gradient = pairs.add(j, in_row, n, r, sums.shape);
                sums.from.x += r0.x * gradient;
                sums.from.y += r0.y * gradient;
                sums.from.z += r0.z * gradient;
            });
            of_rows[l] = sums;
        }
        const ShapeSums<P> sums = totals<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const ShapeSums<P>& { return of_rows[l].shape; });
        simd::store_group(sums.gradient, g, members, std::span<Row>(gradient_sum_));
        const Frame<P> frame = frame_of(Members<P>(fluid, g, members), rows, sums);
        const Mat3<P> from = matrix_of_sums<P>([&](int l) TREACLE_SIMD_INLINE_LAMBDA -> const Mat3<P>& { return of_rows[l].from; });
        Mat3<P> turn = Mat3<P>::identity();
        if (settings.corotational && S::dim == 2) turn = rotation_in_plane(from.transposed());
        if (settings.corotational && S::dim == 3) {
            Quaternions<Lanes>& kept = rotation_[g];
            const Quaternions<P> q = extract_rotation(
                Matrices<P>{{from.x, from.y, from.z}},
                Quaternions<P>{simd::load<P>(kept.x), simd::load<P>(kept.y), simd::load<P>(kept.z), simd::load<P>(kept.w)}, 2);
            simd::store(q.x, kept.x), simd::store(q.y, kept.y), simd::store(q.z, kept.z), simd::store(q.w, kept.w);
            turn = q.matrix();
        }
        visit(use, g, members, frame, (Mat3<P>::from(frame.shape) - turn * from) * Mat3<P>::from(frame.correction), turn);
    });
}

template <class S>
void Conformation<S>::project_positions(const ConformationRows<S>& rows, const Fluid& fluid,
                                        std::span<const SymMat<Real>> conformation, std::span<const Row> start,
                                        const Parallel& parallel, std::span<Row> position) {
    measure_positions(rows, fluid, start, position, parallel,
        [&]<class P>(simd::Use<P>, std::size_t g, int members, const Frame<P>& frame, const Mat3<P>& l,
            const Mat3<P>& r) TREACLE_SIMD_INLINE_LAMBDA {
            const Mat3<P> before = Mat3<P>::from(simd::load_group<P>(conformation, g, members));
            const SymMat<P> turned = symmetric_part(r * before * r.transposed());
            keep(g, members, strain(g, frame, plus(turned, P(-1)) + P(2) * symmetric_part(l),
                                    simd::load_group<P>(fluid.compliance, g, members)));
            for (int m = 0; m < members; ++m) {   // one load fetches P_j and x_j
                const std::size_t i = g * simd::lanes + static_cast<std::size_t>(m);
                push_[3 * i].w = position[i].x, push_[3 * i + 1].w = position[i].y, push_[3 * i + 2].w = position[i].z;
            }
        });
    push_positions(rows, fluid, parallel, position);
}

template <class S>
void Conformation<S>::update(const ConformationRows<S>& rows, const Fluid& fluid, std::span<const Row> start,
                             std::span<const Row> position, std::span<const ConformationMemory<Real>> memory,
                             const Parallel& parallel, std::span<SymMat<Real>> conformation, std::span<Real> stress_share) {
    measure_positions(rows, fluid, start, position, parallel,
        [&]<class P>(simd::Use<P>, std::size_t g, int members, const Frame<P>&, const Mat3<P>& l,
            const Mat3<P>& r) TREACLE_SIMD_INLINE_LAMBDA {
            const Mat3<P> f = (Mat3<P>::identity() + l) * r;
            const Mat3<P> before = Mat3<P>::from(simd::load_group<P>(std::span<const SymMat<Real>>(conformation), g, members));
            const SymMat<P> moved = symmetric_part(f * before * f.transposed());
            for (int m = 0; m < members; ++m) {
                const std::size_t i = g * simd::lanes + static_cast<std::size_t>(m);
                if (fluid.compliance[i] < 0) continue;
                const Forgotten<Real> left = forget<S::dim>(simd::lane(moved, m), memory[i]);
                conformation[i] = left.conformation;
                stress_share[i] = left.share;
            }
        });
}

template <class S>
SymMat<typename S::Real> Conformation<S>::stress(std::size_t i) const {
    const SymMat<Lanes>& group = stress_[i / simd::lanes];
    const std::size_t l = i % simd::lanes;
    return {group.xx.lane[l], group.xy.lane[l], group.xz.lane[l], group.yy.lane[l], group.yz.lane[l], group.zz.lane[l]};
}

template class Conformation<Space2f>;
template class Conformation<Space3f>;
template class Conformation<Space2d>;
template class Conformation<Space3d>;

}  // namespace treacle
