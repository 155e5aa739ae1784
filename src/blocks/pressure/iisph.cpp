#include "blocks/pressure/iisph.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "blocks/solids/boundary_particles.h"
#include "core/promises.h"
#include "kernels/lattice_sums.h"
#include "kernels/mueller2003.h"

namespace treacle {

namespace {

template <class P>
struct RowSums {
    P density;         ///< Σ V_j W_ij
    Vec3<P> gradient;  ///< Σ V_j ∇W_ij
    P square;          ///< Σ |V_j ∇W_ij|² / m_j
};

}  // namespace

template <class S>
void Iisph<S>::measure(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<Real> density_ratio) {
    assert(context.boundary && context.boundary->fluid_size() == fluid.size());
    assert(promises::rows_within(fluid.size(), context.neighbors));
    assert(promises::reaching(context.boundary->kernel().support_radius(), context.neighbors));
    assert(promises::sized(fluid.size(), fluid.volume, fluid.mass, density_ratio));
    assert(promises::finite(fluid.position) && promises::positive(fluid.volume, fluid.mass));
    const auto stage = context.timer.stage("density");
    const CubicSpline<S>& spline = context.boundary->kernel();
    if (settings.kernel == Kernel::cubic_spline) return measure_with(spline, Real(1), fluid, context, density_ratio);
    using Fine = Space<S::dim, double>;
    const double h = static_cast<double>(spline.support_radius());
    const double scale = layer_volume(Mueller2003<Fine>(h), S::dim, settings.spacing) /
                         layer_volume(CubicSpline<Fine>(h), S::dim, settings.spacing);
    measure_with(Mueller2003<S>(h), static_cast<Real>(scale), fluid, context, density_ratio);
}

template <class S>
template <class W>
void Iisph<S>::measure_with(const W& kernel, Real volume_scale, const FluidView<S>& fluid,
                            const BlockContext<S>& context, std::span<Real> density_ratio) {
    const BoundaryParticles<S>& boundary = *context.boundary;
    const std::span<const Row> position = fluid.position;
    const Real inverse_h = 1 / kernel.support_radius();
    const MaybeUniform<Real> volumes(fluid.volume), masses(fluid.mass);
    gradient_sum_.resize(fluid.size());
    square_sum_.resize(fluid.size());
    gradients_.template update<RowSums>(
        context.neighbors, context.parallel,
        [&]<class P>(simd::Use<P>, std::size_t i, const std::uint32_t* j, int count, std::size_t, RowSums<P>& sums)
            TREACLE_SIMD_INLINE_LAMBDA {
                const Vec3<P> r = offsets<P>(position, i, j);
                const P distance = sqrt((r.x * r.x + r.y * r.y) + r.z * r.z);
                const P q = select(simd::first_lanes<P>(count), distance * P(inverse_h), P(1));  // W(1) = 0
                const P v = volumes.template of<P>(j);
                const P scale = select(distance > P(0), v * kernel.slope(q) / distance, P(0));
                const Vec3<P> gradient{P(0) - scale * r.x, P(0) - scale * r.y, P(0) - scale * r.z};
                sums.density += v * kernel.value(q);
                sums.gradient += gradient;
                sums.square += ((gradient.x * gradient.x + gradient.y * gradient.y) + gradient.z * gradient.z) /
                               masses.template of<P>(j);
                return gradient;
            },
        [&]<class P>(simd::Use<P>, std::size_t i, const RowSums<P>& sums) TREACLE_SIMD_INLINE_LAMBDA {
            density_ratio[i] = fluid.volume[i] * kernel.value(Real(0)) + sum_of_lanes(sums.density);
            gradient_sum_[i] = sum_of_lanes(sums.gradient);
            square_sum_[i] = sum_of_lanes(sums.square);
        });
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        boundary.for_each_pair(i, position[i].xyz(), [&](const BoundaryPair<S>& pair) {
            density_ratio[i] += (volume_scale * boundary.volume()[pair.k]) * kernel.value(pair.q);
        });
    });
    contacts_.update(boundary, kernel, volume_scale, context.bodies, position, context.parallel);
    contacts_.for_each(context.parallel,
                       [&](const auto& c) { gradient_sum_[c.particle] = gradient_sum_[c.particle].xyz() + c.push; });
}

/// Error without pressure, the diagonal and the pressure to start with.
template <class S>
void Iisph<S>::start(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> density_ratio,
                     std::span<const Real> pressure) {
    const std::size_t count = fluid.size();
    const std::span<const Real> volume = fluid.volume, mass = fluid.mass;
    const std::span<const Row> velocity = fluid.velocity;
    const Parallel& parallel = context.parallel;
    const double dt = context.dt;
    for (auto* column :
         {&lightness_, &diagonal_, &inverse_diagonal_, &p_, &excess_, &error_, &last_, &from_, &error_before_})
        column->resize(count);
    displacement_.resize(count);

    // The density that would come without pressure.
    yielding_.assign(count, 0);
    contacts_.add_yielding(contacts_.motions_to_come(context.bodies, context.gravity, dt), parallel, yielding_);
    const Real step = static_cast<Real>(dt);
    simd::for_each<Real>(parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        P sum;
        for (const auto& eight : gradients_.row(i)) {
            const auto v = simd::load_rows<P>(velocity.data(), eight.j);
            const Vec3<P> g = eight.template vectors<P>();
            sum += (v.x * g.x + v.y * g.y) + v.z * g.z;
        }
        const Real approach = dot(velocity[i].xyz(), gradient_sum_[i].xyz()) - sum_of_lanes(sum) - yielding_[i];
        excess_[i] = (density_ratio[i] - 1) + step * approach;
        lightness_[i] = volume[i] / mass[i];
        const Real square = dot(gradient_sum_[i].xyz(), gradient_sum_[i].xyz());
        diagonal_[i] = lightness_[i] * square + volume[i] * square_sum_[i];
        p_[i] =
            static_cast<Real>(settings.warm_start) * step * step * pressure[i] / (density_ratio[i] * density_ratio[i]);
    });
    yielding_.assign(count, 0);  // from here on it counts what pressure does to bodies
    contacts_.for_each_coupling(volume, context.bodies, parallel, [&](const auto& c, double coupling) {
        diagonal_[c.particle] += static_cast<Real>(coupling);
    });
    parallel.for_each(fluid.rows(), [&](std::size_t i) {
        // A particle without neighbors has no pressure.
        inverse_diagonal_[i] = diagonal_[i] > std::numeric_limits<Real>::min() ? 1 / diagonal_[i] : 0;
        if (inverse_diagonal_[i] == 0) p_[i] = 0;
    });
}

template <class S>
void Iisph<S>::displace(const FluidView<S>& fluid, const BlockContext<S>& context) {
    const Parallel& parallel = context.parallel;
    const Bodies& bodies = context.bodies;
    simd::for_each<Real>(parallel, p_.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        Vec3<P> sum{};
        for (const auto& eight : gradients_.row(i)) {
            sum += simd::load_lanes<P>(p_.data(), eight.j) * eight.template vectors<P>();
        }
        displacement_[i] = -lightness_[i] * (p_[i] * gradient_sum_[i].xyz() + sum_of_lanes(sum));
    });
    if (!contacts_.any_dynamic()) return;
    auto motions = contacts_.impulses(p_, fluid.volume, parallel);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        if (!bodies[b].dynamic()) motions[b] = {};
        else motions[b] = {bodies[b].speed_up(motions[b].linear), bodies[b].spin_up(motions[b].angular)};
    }
    contacts_.for_each(parallel, [&](const auto& c) { yielding_[c.particle] = 0; });
    contacts_.add_yielding(motions, parallel, yielding_);
}

template <class S>
template <class P>
TREACLE_SIMD_INLINE auto Iisph<S>::thinning(std::size_t i) const -> Real {
    P sum;
    for (const auto& eight : gradients_.row(i)) {
        const auto d = simd::load_rows<P>(displacement_.data(), eight.j);
        const Vec3<P> g = eight.template vectors<P>();
        sum += (d.x * g.x + d.y * g.y) + d.z * g.z;
    }
    return sum_of_lanes(sum) - dot(displacement_[i].xyz(), gradient_sum_[i].xyz()) + yielding_[i];
}

template <class S>
auto Iisph<S>::find_errors(const FluidView<S>& fluid, const BlockContext<S>& context, bool compare) -> Errors {
    displace(fluid, context);
    const std::span<const Real> volume = fluid.volume;
    return context.parallel.fold_blocks(
        fluid.rows(), Errors{}, [&](Errors& errors, std::size_t first, std::size_t last) {
            Errors local;
            simd::run<Real>(first, last, [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                const Real error = excess_[i] - thinning<P>(i);
                error_[i] = error;
                const double compression = error > 0 ? static_cast<double>(error) : 0;
                local.sum += compression;
                local.max = std::max(local.max, compression);
                if (!compare) return;
                const Real step = p_[i] - from_[i];
                local.bend += static_cast<double>(volume[i] * step * (error_before_[i] - error));
                local.size += static_cast<double>(volume[i] * step * step * diagonal_[i]);
            });
            errors = local;
        });
}

template <class S>
auto Iisph<S>::iterate_jacobi(const FluidView<S>& fluid, const BlockContext<S>& context) -> Report {
    const Real relaxation = static_cast<Real>(settings.relaxation);
    for (int iteration = 0;; ++iteration) {
        const Report report = report_of(iteration, find_errors(fluid, context, false));
        if (ends(report)) return report;
        context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
            p_[i] = std::max(Real(0), p_[i] + relaxation * error_[i] * inverse_diagonal_[i]);
        });
    }
}

/// Jacobi's iteration with momentum (Nesterov 1983; restarted as by O'Donoghue, Candès 2015): each step starts from
/// where the last two lead, which takes far fewer of them, and forgets that momentum where it leads uphill. Momentum
/// needs ω λ <= 1, with λ the greatest eigenvalue of A/diagonal; λ is seen in what the last step did to the errors, and
/// ω reduced.
template <class S>
auto Iisph<S>::iterate_accelerated(const FluidView<S>& fluid, const BlockContext<S>& context) -> Report {
    const std::span<const Real> volume = fluid.volume;
    std::copy(p_.begin(), p_.end(), last_.begin());
    Real relaxation = static_cast<Real>(settings.relaxation);
    double momentum = 1;
    for (int iteration = 0;; ++iteration) {
        const Errors seen = find_errors(fluid, context, iteration > 0);
        const Report report = report_of(iteration, seen);
        if (ends(report)) return report;
        if (seen.bend * static_cast<double>(relaxation) > seen.size) {
            relaxation = static_cast<Real>(0.9 * seen.size / seen.bend);
            momentum = 1;
        }
        const double next_momentum = 0.5 * (1 + std::sqrt(1 + 4 * momentum * momentum));
        const Real share = static_cast<Real>((momentum - 1) / next_momentum);
        // from_ becomes the place looked from; next is the place that Jacobi leads to, last_ that of the iteration
        // before.
        p_.swap(from_);
        error_.swap(error_before_);
        const double uphill = context.parallel.template sum<double>(fluid.rows(), [&](std::size_t i) {
            const Real next = std::max(Real(0), from_[i] + relaxation * error_before_[i] * inverse_diagonal_[i]);
            const Real step = next - last_[i];
            last_[i] = next;
            p_[i] = std::max(Real(0), next + share * step);
            return -static_cast<double>(volume[i] * error_before_[i] * step);
        });
        momentum = next_momentum;
        if (uphill > 0) {
            std::copy(last_.begin(), last_.end(), p_.begin());
            momentum = 1;
        }
    }
}

template <class S>
auto Iisph<S>::solve(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> density_ratio,
                     std::span<Real> pressure) -> Report {
    assert(promises::sized(gradients_.size(), fluid.volume, fluid.mass, fluid.velocity, density_ratio, pressure));
    assert(promises::positive(fluid.volume, fluid.mass, density_ratio));
    assert(promises::finite(fluid.velocity) && context.dt > 0);
    const auto stage = context.timer.stage("pressure");
    start(fluid, context, density_ratio, pressure);
    const Report report =
        settings.solver == Solver::jacobi ? iterate_jacobi(fluid, context) : iterate_accelerated(fluid, context);
    add_to_velocities(fluid, context);
    const Real step = static_cast<Real>(context.dt);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        pressure[i] = p_[i] * density_ratio[i] * density_ratio[i] / (step * step);
    });
    return report;
}

template <class S>
void Iisph<S>::push(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> density_ratio,
                    std::span<const Real> pressure) {
    assert(promises::sized(gradients_.size(), fluid.volume, fluid.mass, fluid.velocity, density_ratio, pressure));
    assert(promises::positive(fluid.volume, fluid.mass, density_ratio));
    assert(promises::finite(fluid.velocity) && context.dt > 0);
    const auto stage = context.timer.stage("pressure");
    lightness_.resize(fluid.size());
    p_.resize(fluid.size());
    displacement_.resize(fluid.size());
    yielding_.assign(fluid.size(), 0);
    const Real step = static_cast<Real>(context.dt);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        lightness_[i] = fluid.volume[i] / fluid.mass[i];
        p_[i] = step * step * pressure[i] / (density_ratio[i] * density_ratio[i]);
    });
    add_to_velocities(fluid, context);
}

template <class S>
void Iisph<S>::add_to_velocities(const FluidView<S>& fluid, const BlockContext<S>& context) {
    displace(fluid, context);
    const Real step = static_cast<Real>(context.dt);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        fluid.velocity[i] = fluid.velocity[i].xyz() + displacement_[i].xyz() / step;
    });
    contacts_.press(p_, fluid.volume, context.dt, context.parallel, context.bodies);
}

template <class S>
void Iisph<S>::find_wall_displacement(const BlockContext<S>& context, std::span<Row> wall_displacement) const {
    assert(wall_displacement.size() == p_.size());
    std::fill(wall_displacement.begin(), wall_displacement.end(), Row{});
    contacts_.for_each(context.parallel, [&](const auto& c) {
        const std::size_t i = c.particle;
        wall_displacement[i] = wall_displacement[i].xyz() - (lightness_[i] * p_[i]) * c.push;
    });
}

template class Iisph<Space2f>;
template class Iisph<Space3f>;
template class Iisph<Space2d>;
template class Iisph<Space3d>;

}  // namespace treacle
