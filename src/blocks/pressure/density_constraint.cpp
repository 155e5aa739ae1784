#include "blocks/pressure/density_constraint.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "kernels/spline_pairs.h"

namespace treacle {

template <class S>
template <class P, bool alike>
class DensityConstraint<S>::PairKernel {
public:
    TREACLE_SIMD_INLINE PairKernel(const CubicSpline<S>& kernel, const FluidView<S>& fluid)
        : spline(kernel), fluid_(fluid) {}

    /// V_j W_ij, up to the scale of spline and volumes.
    TREACLE_SIMD_INLINE P density(const std::uint32_t* j, P distance) const {
        return volume(j) * spline.value(distance);
    }
    /// |g_ij| likewise.
    TREACLE_SIMD_INLINE P gradient(const std::uint32_t* j, P distance) const {
        return volume(j) * spline.slope(distance);
    }
    /// |g_ij|²/m_j; without m_j if all are alike.
    TREACLE_SIMD_INLINE P square(const std::uint32_t* j, P gradient) const {
        const P square = gradient * gradient;
        if constexpr (alike) return square;
        else return square / simd::load_lanes<P>(fluid_.mass.data(), j);
    }

    const SplinePairs<S, P> spline;

private:
    TREACLE_SIMD_INLINE auto volume(const std::uint32_t* j) const {
        if constexpr (alike) return One{};
        else return simd::load_lanes<P>(fluid_.volume.data(), j);
    }
    struct One {
        friend TREACLE_SIMD_INLINE P operator*(One, const P& number) { return number; }
    };

    const FluidView<S>& fluid_;
};

template <class S>
void DensityConstraint<S>::find_alike(const FluidView<S>& fluid, const Parallel& parallel) {
    alike_ = !fluid.mass.empty() &&
             parallel.all_equal(fluid.rows(), [&](std::size_t i) { return std::pair(fluid.mass[i], fluid.volume[i]); });
}

template <class S>
template <class Body>
void DensityConstraint<S>::by_kind(const Body& body) const {
    if (alike_) body(std::true_type{});
    else body(std::false_type{});
}

template <class S>
void DensityConstraint<S>::measure(const FluidView<S>& fluid, const BlockContext<S>& context,
                                   std::span<Real> density_ratio) {
    assert(whole(fluid, context) && promises::rows_within(fluid.size(), context.neighbors));
    assert(promises::reaching(context.boundary->kernel().support_radius(), context.neighbors));
    assert(promises::sized(fluid.size(), fluid.density, fluid.material, density_ratio));
    assert(promises::finite(fluid.position) && promises::positive(fluid.volume, fluid.mass));
    const auto stage = context.timer.stage("position projection");
    measure_ratios(fluid, context, density_ratio);
    set_density(fluid, context, density_ratio);
}

template <class S>
void DensityConstraint<S>::measure_ratios(const FluidView<S>& fluid, const BlockContext<S>& context,
                                          std::span<Real> density_ratio) {
    find_alike(fluid, context.parallel);
    measure_density(fluid, context, fluid.position, {},
                    [&](std::size_t i, Real ratio) TREACLE_SIMD_INLINE_LAMBDA { density_ratio[i] = ratio; });
}

template <class S>
void DensityConstraint<S>::set_density(const FluidView<S>& fluid, const BlockContext<S>& context,
                                       std::span<const Real> density_ratio) const {
    assert(promises::within(rest_density.size(), fluid.material));
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        fluid.density[i] = density_ratio[i] * rest_density[fluid.material[i]];
    });
}

template <class S>
template <class Visit>
void DensityConstraint<S>::measure_density(const FluidView<S>& fluid, const BlockContext<S>& context,
                                           std::span<const Row> start, std::span<const Row> displacement,
                                           const Visit& visit) const {
    const BoundaryParticles<S>& boundary = *context.boundary;
    const CubicSpline<S>& kernel = boundary.kernel();
    const Real unit = unit_volume(fluid), scale = static_cast<Real>(1 / lattice_density);
    by_kind([&]<class Alike>(Alike) {
        simd::for_each<Real>(
            context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                const PairKernel<P, Alike::value> pairs(kernel, fluid);
                const Vec x = start[i].xyz(), moved = displacement.empty() ? Vec{} : displacement[i].xyz();
                const std::span<const std::uint32_t> row = context.neighbors.row(i);
                P sum(0);
                for_each_filled_eight(row, [&](const std::uint32_t* j) TREACLE_SIMD_INLINE_LAMBDA {
                    Vec3<P> r = offsets<P>(start, x, j);
                    if (!displacement.empty()) r += offsets<P>(displacement, moved, j);
                    sum += pairs.density(j, pairs.spline.distance(r));
                });
                // The row is filled up with i, which counts once.
                const int self = 1 - static_cast<int>(-row.size() % simd::lanes);
                Real ratio =
                    kernel.value_scale() * (unit * sum_of_lanes(sum) + static_cast<Real>(self) * fluid.volume[i]);
                for (const std::uint32_t k : boundary.row(i)) {
                    const Vec r = (x - boundary.position()[k].xyz()) + moved;
                    const Real distance = length(r);
                    if (distance < kernel.support_radius())
                        ratio += boundary.volume()[k] * kernel.value(distance / kernel.support_radius());
                }
                visit(i, scale * ratio);
            });
    });
}

/// What bodies that forces move yield until the end of the step, as a change of the density ratio.
template <class S>
void DensityConstraint<S>::find_yielding(const BlockContext<S>& context) {
    if (!contacts_.any_dynamic()) return;
    auto motions = contacts_.motions_to_come(context.bodies, context.gravity, context.dt);
    for (std::size_t b = 0; b < motions.size(); ++b) {
        if (!context.bodies[b].dynamic()) motions[b] = {};  // the others have moved already
        else motions[b] = {context.dt * motions[b].linear, context.dt * motions[b].angular};
    }
    yielding_.assign(changing_.size(), 0);
    contacts_.add_yielding(motions, context.parallel, yielding_);
}

template <class S>
void DensityConstraint<S>::find_contacts(const BlockContext<S>& context, std::span<const Row> position) {
    const BoundaryParticles<S>& boundary = *context.boundary;
    contacts_.update(boundary, boundary.kernel(), static_cast<Real>(1 / lattice_density), context.bodies, position,
                     context.parallel);
}

/// The direction of a pair's push: that in which the two lay at the start of the step, which makes no angular momentum;
/// the present one where they have turned about each other by more than 60 degrees. From 37 degrees on it passes from
/// one to the other.
template <class P>
TREACLE_SIMD_INLINE Vec3<P> along_start(const Vec3<P>& r0, const Vec3<P>& r, P over_distance) {
    using Real = typename P::Real;
    const P square = dot(r0, r0), over_start = select(square > P(0), P(1) / sqrt(square), P(0));
    const P cosine = dot(r0, r) * (over_start * over_distance);
    const P share = max(P(0), min(P(1), (cosine - P(Real(0.5))) / P(Real(0.3))));
    return (share * over_start) * r0 + ((P(1) - share) * over_distance) * r;
}

template <class S>
template <class Add>
void DensityConstraint<S>::displace(const FluidView<S>& fluid, const BlockContext<S>& context, Real repulsion,
                                    std::span<const Row> start, const Add& add) {
    const CubicSpline<S>& kernel = context.boundary->kernel();
    const Real scale = -static_cast<Real>(1 / lattice_density) * kernel.slope_scale() * unit_volume(fluid);
    const Real reference = (kernel.value_scale() / kernel.value(Real(0.3)));
    gradients_.resize(changing_.size());
    by_kind([&]<class Alike>(Alike) {
        simd::for_each<
            Real>(context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const PairKernel<P, Alike::value> pairs(kernel, fluid);
            const Vec x = changing_[i].xyz(), x0 = start[i].xyz();
            const P own(changing_[i].w);
            Vec3<P> sum{}, gradients{};
            P squares(0);
            for_each_filled_eight(context.neighbors.row(i), [&](const std::uint32_t* j) TREACLE_SIMD_INLINE_LAMBDA {
                const auto other = simd::load_rows<P>(changing_.data(), j);
                const Vec3<P> r{other.x - P(x.x), other.y - P(x.y), other.z - P(x.z)};
                const P distance = pairs.spline.distance(r), gradient = pairs.gradient(j, distance);
                const P over_distance = P(1) / distance;
                const Vec3<P> g = present_lines ? (gradient * over_distance) * r
                                                : gradient * along_start(offsets<P>(start, x0, j), r, over_distance);
                P push = own + other.w;
                if (repulsion > 0) {
                    const P ratio = P(reference) * pairs.spline.value(distance), square = ratio * ratio;
                    push += P(repulsion) * (square * square);
                }
                sum += push * g;
                gradients += g;
                squares += pairs.square(j, gradient);
            });
            const Real lightness = 1 / fluid.mass[i];
            add(i, -(scale * fluid.volume[i] * lightness) * simd::row_of_sums<P>({sum.x, sum.y, sum.z, P(0)}).xyz());
            const Row sums = simd::row_of_sums<P>({gradients.x, gradients.y, gradients.z, squares});
            gradients_[i] = scale * sums.xyz();
            gradients_[i].w = (Alike::value ? lightness : Real(1)) * scale * scale * sums.w;
        });
    });
    contacts_.for_each(context.parallel, [&](const auto& c) {
        add(c.particle, by_solid(c, fluid));
        const Real squares = gradients_[c.particle].w;
        gradients_[c.particle] = gradients_[c.particle].xyz() + c.push;
        gradients_[c.particle].w = squares;
    });
    contacts_.for_each_coupling(fluid.volume, context.bodies, context.parallel, [&](const auto& c, double coupling) {
        gradients_[c.particle].w += static_cast<Real>(coupling) / fluid.volume[c.particle];
    });
}

template <class S>
auto DensityConstraint<S>::by_solid(const typename BodyContacts<S>::Contact& c, const FluidView<S>& fluid) const
    -> Vec {
    return -(changing_[c.particle].w * fluid.volume[c.particle] / fluid.mass[c.particle]) * c.push;
}

template <class S>
void DensityConstraint<S>::add_walls(const FluidView<S>& fluid, const BlockContext<S>& context,
                                     std::span<Row> wall_displacement) {
    at_walls_.resize(fluid.size());
    contacts_.for_each(context.parallel, [&](const auto& c) {
        at_walls_[c.particle] = changing_[c.particle].w;
        wall_displacement[c.particle] = wall_displacement[c.particle].xyz() + by_solid(c, fluid);
    });
    contacts_.press(at_walls_, fluid.volume, static_cast<double>(dt_), context.parallel, context.bodies);
}

template <class S>
void DensityConstraint<S>::start(const FluidView<S>& fluid, const BlockContext<S>& context,
                                 std::span<const Real> pressure, std::span<const Row> from) {
    const Parallel& parallel = context.parallel;
    dt_ = static_cast<Real>(context.dt);
    p_.resize(fluid.size()), changing_.resize(fluid.size()), displacement_.assign(fluid.size(), Row{});
    find_alike(fluid, parallel);
    find_contacts(context, fluid.position);
    const Real warm = static_cast<Real>(warm_start);
    parallel.for_each(fluid.rows(), [&](std::size_t i) {
        p_[i] = dt_ * dt_ * (warm * pressure[i]);
        change_at(i, fluid.position[i], p_[i]);
    });
    displace(fluid, context, Real(0), from, [&](std::size_t i, const Vec& by) TREACLE_SIMD_INLINE_LAMBDA {
        displacement_[i] = displacement_[i].xyz() + by;
    });
    const double mean =
        parallel.mean(fluid.rows(), [&](std::size_t i) { return static_cast<double>(diagonal_of(i, fluid)); });
    repulsion_ = mean > 0 ? static_cast<Real>(artificial_pressure * relaxation / mean) : Real(0);
    const Real farthest =
        parallel.max(fluid.rows(), Real(0), [&](std::size_t i) { return length(displacement_[i].xyz()); });
    const Real limit = static_cast<Real>(longest_start);
    if (!(farthest > limit)) return;
    const Real share = limit / farthest;  // the same for all, so that momentum stays
    parallel.for_each(fluid.rows(), [&](std::size_t i) {
        p_[i] *= share, changing_[i].w *= share;
        displacement_[i] = share * displacement_[i].xyz();
    });
}

template <class S>
void DensityConstraint<S>::begin_positions(const FluidView<S>& fluid, const BlockContext<S>& context,
                                           const Before& before, MovingPositions<S>& moving,
                                           std::span<Row> wall_displacement) {
    assert(whole(fluid, context) && promises::rows_within(fluid.size(), context.neighbors));
    assert(promises::sized(fluid.size(), before.pressure, before.density_ratio, before.compliance, wall_displacement));
    assert(moving.moves(fluid.position));
    assert(promises::finite(fluid.position) && promises::positive(fluid.volume, fluid.mass) && context.dt > 0);
    const auto stage = context.timer.stage("position projection");
    set_aim(fluid, context, before);
    start(fluid, context, before.pressure, moving.start());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) { moving.move(i, displacement_[i].xyz()); });
    add_walls(fluid, context, wall_displacement);
}

template <class S>
void DensityConstraint<S>::begin_velocities(const FluidView<S>& fluid, const BlockContext<S>& context,
                                            const Before& before, std::span<Row> wall_displacement) {
    assert(whole(fluid, context) && promises::rows_within(fluid.size(), context.neighbors));
    assert(promises::reaching(context.boundary->kernel().support_radius(), context.neighbors));
    assert(promises::sized(fluid.size(), before.pressure, before.density_ratio, before.compliance, wall_displacement));
    assert(promises::finite(fluid.position, fluid.velocity) && promises::positive(fluid.volume, fluid.mass));
    assert(context.dt > 0);
    const auto stage = context.timer.stage("velocity projection");
    set_aim(fluid, context, before);
    start(fluid, context, before.pressure, fluid.position);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        fluid.velocity[i] = fluid.velocity[i].xyz() + (1 / dt_) * displacement_[i].xyz();
    });
    add_walls(fluid, context, wall_displacement);
}

/// A_i
template <class S>
TREACLE_SIMD_INLINE auto DensityConstraint<S>::diagonal_of(std::size_t i, const FluidView<S>& fluid) const -> Real {
    const Vec sum = gradients_[i].xyz();
    return fluid.volume[i] * (dot(sum, sum) / fluid.mass[i] + gradients_[i].w);
}

/// What a step of the iteration adds to P. A particle without neighbors has no pressure.
template <class S>
TREACLE_SIMD_INLINE auto DensityConstraint<S>::correction(std::size_t i, const FluidView<S>& fluid, Real error) const
    -> Real {
    const Real diagonal = diagonal_of(i, fluid);
    return diagonal > std::numeric_limits<Real>::min() ? static_cast<Real>(relaxation) * error / diagonal : -p_[i];
}

template <class S>
TREACLE_SIMD_INLINE auto DensityConstraint<S>::change_pressure(std::size_t i, const FluidView<S>& fluid, Real ratio)
    -> Real {
    const Real before = p_[i];
    p_[i] = std::max(Real(0), before + correction(i, fluid, ratio - aim_[i]));
    return p_[i] - before;
}

template <class S>
void DensityConstraint<S>::project_velocities(const FluidView<S>& fluid, const BlockContext<S>& context,
                                              std::span<const Real> density_ratio, std::span<Row> wall_displacement) {
    assert(whole(fluid, context) && promises::sized(fluid.size(), p_, density_ratio, wall_displacement));
    const auto stage = context.timer.stage("velocity projection");
    const CubicSpline<S>& kernel = context.boundary->kernel();
    const std::span<const Row> position = fluid.position, velocity = fluid.velocity;
    const Real scale = static_cast<Real>(1 / lattice_density) * kernel.slope_scale() * unit_volume(fluid);
    rate_.resize(fluid.size());
    by_kind([&]<class Alike>(Alike) {
        simd::for_each<Real>(
            context.parallel, fluid.rows(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                const PairKernel<P, Alike::value> pairs(kernel, fluid);
                const Vec x = position[i].xyz(), u = velocity[i].xyz();
                P approach(0);
                for_each_filled_eight(context.neighbors.row(i), [&](const std::uint32_t* j) TREACLE_SIMD_INLINE_LAMBDA {
                    const Vec3<P> r = offsets<P>(position, x, j), apart = offsets<P>(velocity, u, j);
                    const P distance = pairs.spline.distance(r);
                    approach += pairs.gradient(j, distance) / distance * dot(r, apart);
                });
                rate_[i] = scale * sum_of_lanes(approach);
            });
    });
    const auto motions = contacts_.motions_to_come(context.bodies, context.gravity, context.dt);
    contacts_.for_each(context.parallel, [&](const auto& c) {
        const auto& motion = motions[c.body];
        const double yielding = dot(motion.linear, cast<double>(c.push)) + dot(motion.angular, cast<double>(c.turn));
        rate_[c.particle] += dot(c.push, velocity[c.particle].xyz()) - static_cast<Real>(yielding);
    });
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        change_at(i, position[i], change_pressure(i, fluid, density_ratio[i] + dt_ * rate_[i]));
    });
    const Real rate = 1 / dt_;
    displace(fluid, context, Real(0), position, [&](std::size_t i, const Vec& by) TREACLE_SIMD_INLINE_LAMBDA {
        fluid.velocity[i] = fluid.velocity[i].xyz() + rate * by;
    });
    add_walls(fluid, context, wall_displacement);
}

template <class S>
void DensityConstraint<S>::project_positions(const FluidView<S>& fluid, const BlockContext<S>& context,
                                             MovingPositions<S>& moving, std::span<Row> wall_displacement,
                                             std::span<Real> density_ratio) {
    assert(whole(fluid, context) && moving.moves(fluid.position));
    assert(promises::sized(fluid.size(), p_, density_ratio, wall_displacement));
    const auto stage = context.timer.stage("position projection");
    find_yielding(context);
    measure_density(fluid, context, moving.start(), moving.displacement(),
                    [&](std::size_t i, Real ratio) TREACLE_SIMD_INLINE_LAMBDA {
                        density_ratio[i] = ratio - yielding_of(i);
                        change_at(i, moving.position()[i], change_pressure(i, fluid, density_ratio[i]));
                    });
    find_contacts(context, fluid.position);
    displace(fluid, context, repulsion_, moving.start(),
             [&](std::size_t i, const Vec& by) TREACLE_SIMD_INLINE_LAMBDA { moving.move(i, by); });
    add_walls(fluid, context, wall_displacement);
}

template <class S>
void DensityConstraint<S>::set_aim(const FluidView<S>& fluid, const BlockContext<S>& context, const Before& before) {
    aim_.assign(fluid.size(), 1);
    if (!separates_errors()) return;
    const Real kept = 1 - std::min(Real(1), static_cast<Real>(context.dt / return_time));
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const Real error = std::max(Real(0), before.density_ratio[i] - 1);
        aim_[i] = 1 + (before.compliance[i] < 0 ? error : kept * error);
    });
}

template <class S>
void DensityConstraint<S>::correct_errors(const FluidView<S>& fluid, const BlockContext<S>& context,
                                          std::span<const Real> compliance, MovingPositions<S>& moving,
                                          std::span<Real> density_ratio) {
    assert(whole(fluid, context) && moving.moves(fluid.position));
    assert(promises::sized(fluid.size(), compliance, density_ratio));
    const auto stage = context.timer.stage("position projection");
    find_yielding(context);
    measure_density(fluid, context, moving.start(), moving.displacement(),
                    [&](std::size_t i, Real ratio) TREACLE_SIMD_INLINE_LAMBDA {
                        const Real excess = std::max(Real(0), ratio - yielding_of(i) - 1);
                        const Real error = compliance[i] < 0 ? excess : Real(0);
                        change_at(i, moving.position()[i], correction(i, fluid, error));
                    });
    find_contacts(context, fluid.position);
    displace(fluid, context, Real(0), moving.start(),
             [&](std::size_t i, const Vec& by) TREACLE_SIMD_INLINE_LAMBDA { moving.move(i, by); });
    find_yielding(context);
    measure_density(fluid, context, moving.start(), moving.displacement(),
                    [&](std::size_t i, Real ratio)
                        TREACLE_SIMD_INLINE_LAMBDA { density_ratio[i] = ratio - yielding_of(i); });
}

template <class S>
auto DensityConstraint<S>::end(const FluidView<S>& fluid, const BlockContext<S>& context,
                               std::span<const Real> density_ratio, std::span<Real> pressure) const -> Report {
    assert(promises::sized(fluid.size(), p_, density_ratio, pressure, fluid.density, fluid.material));
    assert(context.dt > 0);
    const auto stage = context.timer.stage("position projection");
    set_density(fluid, context, density_ratio);
    const Real scale = static_cast<Real>(1 / (context.dt * context.dt));
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) { pressure[i] = scale * p_[i]; });
    const auto compression = [&](std::size_t i) { return std::max(0.0, static_cast<double>(density_ratio[i]) - 1); };
    return {context.parallel.mean(fluid.rows(), compression), context.parallel.max(fluid.rows(), 0.0, compression)};
}

template class DensityConstraint<Space2f>;
template class DensityConstraint<Space3f>;
#if TREACLE_DOUBLE
template class DensityConstraint<Space2d>;
template class DensityConstraint<Space3d>;
#endif

}  // namespace treacle
