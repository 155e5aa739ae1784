#include "blocks/pressure/density_constraint.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/promises.h"
#include "kernels/spline_pairs.h"

namespace treacle {

template <class S>
template <class P, bool alike>
class DensityConstraint<S>::PairKernel {
public:
    TREACLE_SIMD_INLINE PairKernel(const CubicSpline<S>& kernel, const Fluid& fluid) : spline(kernel), fluid_(fluid) {}

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

    const Fluid& fluid_;
};

template <class S>
void DensityConstraint<S>::find_alike(const Fluid& fluid, const Parallel& parallel) {
    alike_ = !fluid.mass.empty() && parallel.sum<std::size_t>(Rows::of(fluid.mass.size()), [&](std::size_t i) {
        return std::size_t(fluid.mass[i] != fluid.mass[0] || fluid.volume[i] != fluid.volume[0]);
    }) == 0;
}

template <class S>
template <class Body>
void DensityConstraint<S>::by_kind(const Body& body) const {
    if (alike_) body(std::true_type{});
    else body(std::false_type{});
}

template <class S>
void DensityConstraint<S>::measure(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary,
                                   const Fluid& fluid, std::span<const Row> position, const Parallel& parallel,
                                   std::span<Real> density_ratio) {
    assert(promises::rows_within(position.size(), neighbors) && boundary.fluid_size() == position.size());
    assert(promises::reaching(boundary.kernel().support_radius(), neighbors));
    assert(promises::sized(position.size(), fluid.volume, fluid.mass, density_ratio));
    assert(promises::finite(position) && promises::positive(fluid.volume, fluid.mass));
    find_alike(fluid, parallel);
    measure_density(neighbors, boundary, fluid, position, {}, parallel,
                    [&](std::size_t i, Real ratio) TREACLE_SIMD_INLINE_LAMBDA { density_ratio[i] = ratio; });
}

template <class S>
void DensityConstraint<S>::measure(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary,
                                   const Fluid& fluid, const MovingPositions<S>& moving, const Parallel& parallel,
                                   std::span<Real> density_ratio) {
    assert(promises::rows_within(moving.size(), neighbors) && boundary.fluid_size() == moving.size());
    assert(promises::sized(moving.size(), fluid.volume, fluid.mass, density_ratio));
    assert(promises::finite(moving.position()) && promises::positive(fluid.volume, fluid.mass));
    find_alike(fluid, parallel);
    measure_density(neighbors, boundary, fluid, moving.start(), moving.displacement(), parallel,
                    [&](std::size_t i, Real ratio) TREACLE_SIMD_INLINE_LAMBDA { density_ratio[i] = ratio; });
}

template <class S>
template <class Visit>
void DensityConstraint<S>::measure_density(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary,
                                           const Fluid& fluid, std::span<const Row> start,
                                           std::span<const Row> displacement, const Parallel& parallel,
                                           const Visit& visit) const {
    const CubicSpline<S>& kernel = boundary.kernel();
    const Real unit = unit_volume(fluid), scale = static_cast<Real>(1 / lattice_density);
    by_kind([&]<class Alike>(Alike) {
        simd::for_each<Real>(
            parallel, start.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                const PairKernel<P, Alike::value> pairs(kernel, fluid);
                const Vec x = start[i].xyz(), moved = displacement.empty() ? Vec{} : displacement[i].xyz();
                const std::span<const std::uint32_t> row = neighbors.row(i);
                P sum(0);
                for_each_filled_eight(row, [&](const std::uint32_t* j) TREACLE_SIMD_INLINE_LAMBDA {
                    Vec3<P> r = offsets<P>(start, x, j);
                    if (!displacement.empty()) r += offsets<P>(displacement, moved, j);
                    sum += pairs.density(j, pairs.spline.distance(r));
                });
                // What fills the row up is i, which counts once.
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

template <class S>
void DensityConstraint<S>::find_contacts(const BoundaryParticles<S>& boundary, const Bodies& bodies,
                                         std::span<const Row> position, const Parallel& parallel) {
    contacts_.update(boundary, boundary.kernel(), static_cast<Real>(1 / lattice_density), bodies, position, parallel);
}

template <class S>
template <class Add>
void DensityConstraint<S>::displace(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary,
                                    const Fluid& fluid, const Parallel& parallel, Real repulsion, const Add& add) {
    const CubicSpline<S>& kernel = boundary.kernel();
    const Real scale = -static_cast<Real>(1 / lattice_density) * kernel.slope_scale() * unit_volume(fluid);
    const Real reference = (kernel.value_scale() / kernel.value(Real(0.3)));
    gradients_.resize(changing_.size());
    by_kind([&]<class Alike>(Alike) {
        simd::for_each<
            Real>(parallel, changing_.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
            const PairKernel<P, Alike::value> pairs(kernel, fluid);
            const Vec x = changing_[i].xyz();
            const P own(changing_[i].w);
            Vec3<P> sum{}, gradients{};
            P squares(0);
            for_each_filled_eight(neighbors.row(i), [&](const std::uint32_t* j) TREACLE_SIMD_INLINE_LAMBDA {
                const auto other = simd::load_rows<P>(changing_.data(), j);
                const Vec3<P> r{other.x - P(x.x), other.y - P(x.y), other.z - P(x.z)};
                const P distance = pairs.spline.distance(r), gradient = pairs.gradient(j, distance);
                const Vec3<P> g = (gradient * (P(1) / distance)) * r;
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
    contacts_.for_each(parallel, [&](const auto& c) {
        add(c.particle, by_solid(c, fluid));
        const Real squares = gradients_[c.particle].w;
        gradients_[c.particle] = gradients_[c.particle].xyz() + c.push;
        gradients_[c.particle].w = squares;
    });
}

template <class S>
auto DensityConstraint<S>::by_solid(const typename BodyContacts<S>::Contact& c, const Fluid& fluid) const -> Vec {
    return -(changing_[c.particle].w * fluid.volume[c.particle] / fluid.mass[c.particle]) * c.push;
}

template <class S>
void DensityConstraint<S>::add_walls(const Fluid& fluid, const Parallel& parallel, std::span<Row> wall_displacement,
                                     Bodies& bodies) {
    at_walls_.resize(changing_.size());
    contacts_.for_each(parallel, [&](const auto& c) {
        at_walls_[c.particle] = changing_[c.particle].w;
        wall_displacement[c.particle] = wall_displacement[c.particle].xyz() + by_solid(c, fluid);
    });
    contacts_.press(at_walls_, fluid.volume, static_cast<double>(dt_), parallel, bodies);
}

template <class S>
void DensityConstraint<S>::start(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary,
                                 const Bodies& bodies, const Fluid& fluid, std::span<const Real> pressure, double dt,
                                 const Parallel& parallel, std::span<const Row> position) {
    const std::size_t count = position.size();
    dt_ = static_cast<Real>(dt);
    p_.resize(count), changing_.resize(count), displacement_.assign(count, Row{});
    find_alike(fluid, parallel);
    find_contacts(boundary, bodies, position, parallel);
    parallel.for_each(count, [&](std::size_t i) {
        p_[i] = dt_ * dt_ * pressure[i];
        change_at(i, position[i], p_[i]);
    });
    displace(neighbors, boundary, fluid, parallel, Real(0),
             [&](std::size_t i, const Vec& by)
                 TREACLE_SIMD_INLINE_LAMBDA { displacement_[i] = displacement_[i].xyz() + by; });
    const double mean = parallel.sum<double>(Rows::of(count), [&](std::size_t i) {
        return static_cast<double>(diagonal_of(i, fluid));
    }) / static_cast<double>(std::max<std::size_t>(1, count));
    repulsion_ = mean > 0 ? static_cast<Real>(artificial_pressure * relaxation / mean) : Real(0);
    const Real farthest =
        parallel.max(Rows::of(count), Real(0), [&](std::size_t i) { return length(displacement_[i].xyz()); });
    const Real limit = static_cast<Real>(longest_start);
    if (!(farthest > limit)) return;
    const Real share = limit / farthest;  // the same for all, so that momentum stays
    parallel.for_each(count, [&](std::size_t i) {
        p_[i] *= share, changing_[i].w *= share;
        displacement_[i] = share * displacement_[i].xyz();
    });
}

template <class S>
void DensityConstraint<S>::begin(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, Bodies& bodies,
                                 const Fluid& fluid, std::span<const Real> pressure, double dt,
                                 const Parallel& parallel, MovingPositions<S>& moving,
                                 std::span<Row> wall_displacement) {
    assert(promises::rows_within(moving.size(), neighbors) && boundary.fluid_size() == moving.size());
    assert(promises::sized(moving.size(), fluid.volume, fluid.mass, pressure, wall_displacement));
    assert(promises::finite(moving.position()) && promises::positive(fluid.volume, fluid.mass) && dt > 0);
    start(neighbors, boundary, bodies, fluid, pressure, dt, parallel, moving.position());
    parallel.for_each(p_.size(), [&](std::size_t i) { moving.move(i, displacement_[i].xyz()); });
    add_walls(fluid, parallel, wall_displacement, bodies);
}

template <class S>
void DensityConstraint<S>::begin_velocities(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary,
                                            Bodies& bodies, const Fluid& fluid, std::span<const Real> pressure,
                                            double dt, const Parallel& parallel, std::span<const Row> position,
                                            std::span<Row> velocity, std::span<Row> wall_displacement,
                                            std::span<Real> density_ratio) {
    assert(promises::sized(position.size(), pressure, velocity, wall_displacement));
    assert(promises::finite(velocity) && dt > 0);
    measure(neighbors, boundary, fluid, position, parallel, density_ratio);
    start(neighbors, boundary, bodies, fluid, pressure, dt, parallel, position);
    parallel.for_each(p_.size(),
                      [&](std::size_t i) { velocity[i] = velocity[i].xyz() + (1 / dt_) * displacement_[i].xyz(); });
    add_walls(fluid, parallel, wall_displacement, bodies);
}

/// A_i
template <class S>
TREACLE_SIMD_INLINE auto DensityConstraint<S>::diagonal_of(std::size_t i, const Fluid& fluid) const -> Real {
    const Vec sum = gradients_[i].xyz();
    return fluid.volume[i] * (dot(sum, sum) / fluid.mass[i] + gradients_[i].w);
}

template <class S>
TREACLE_SIMD_INLINE auto DensityConstraint<S>::press(std::size_t i, const Fluid& fluid, Real ratio) -> Real {
    const Real diagonal = diagonal_of(i, fluid), before = p_[i];
    // A particle without neighbors has no pressure.
    p_[i] = diagonal > std::numeric_limits<Real>::min()
                ? std::max(Real(0), before + static_cast<Real>(relaxation) * (ratio - 1) / diagonal)
                : Real(0);
    return p_[i] - before;
}

template <class S>
void DensityConstraint<S>::project_velocities(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary,
                                              Bodies& bodies, const Fluid& fluid, const Parallel& parallel,
                                              std::span<const Row> position, std::span<const Real> density_ratio,
                                              std::span<Row> velocity, std::span<Row> wall_displacement) {
    assert(promises::sized(p_.size(), neighbors, fluid.volume, fluid.mass, position, density_ratio));
    assert(promises::sized(p_.size(), velocity, wall_displacement));
    const Real scale = static_cast<Real>(1 / lattice_density) * boundary.kernel().slope_scale() * unit_volume(fluid);
    rate_.resize(position.size());
    by_kind([&]<class Alike>(Alike) {
        simd::for_each<Real>(
            parallel, position.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                const PairKernel<P, Alike::value> pairs(boundary.kernel(), fluid);
                const Vec x = position[i].xyz(), u = velocity[i].xyz();
                P approach(0);
                for_each_filled_eight(neighbors.row(i), [&](const std::uint32_t* j) TREACLE_SIMD_INLINE_LAMBDA {
                    const Vec3<P> r = offsets<P>(position, x, j),
                                  apart = offsets<P>(std::span<const Row>(velocity), u, j);
                    const P distance = pairs.spline.distance(r);
                    approach += pairs.gradient(j, distance) / distance * dot(r, apart);
                });
                rate_[i] = scale * sum_of_lanes(approach);
            });
    });
    contacts_.for_each(parallel, [&](const auto& c) {
        const Vec3d of_body = bodies[c.body].velocity_at(cast<double>(position[c.particle].xyz()));
        rate_[c.particle] -= dot(c.push, cast<Real>(of_body) - velocity[c.particle].xyz());
    });
    parallel.for_each(position.size(), [&](std::size_t i) {
        change_at(i, position[i], press(i, fluid, density_ratio[i] + dt_ * rate_[i]));
    });
    const Real rate = 1 / dt_;
    displace(neighbors, boundary, fluid, parallel, Real(0),
             [&](std::size_t i, const Vec& by)
                 TREACLE_SIMD_INLINE_LAMBDA { velocity[i] = velocity[i].xyz() + rate * by; });
    add_walls(fluid, parallel, wall_displacement, bodies);
}

template <class S>
void DensityConstraint<S>::project(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, Bodies& bodies,
                                   const Fluid& fluid, const Parallel& parallel, MovingPositions<S>& moving,
                                   std::span<Row> wall_displacement, std::span<Real> density_ratio) {
    assert(promises::sized(p_.size(), neighbors, fluid.volume, fluid.mass, moving, density_ratio));
    assert(wall_displacement.size() == p_.size() && boundary.fluid_size() == p_.size());
    measure_density(neighbors, boundary, fluid, moving.start(), moving.displacement(), parallel,
                    [&](std::size_t i, Real ratio) TREACLE_SIMD_INLINE_LAMBDA {
                        density_ratio[i] = ratio;
                        change_at(i, moving.position()[i], press(i, fluid, ratio));
                    });
    find_contacts(boundary, bodies, moving.position(), parallel);
    displace(neighbors, boundary, fluid, parallel, repulsion_,
             [&](std::size_t i, const Vec& by) TREACLE_SIMD_INLINE_LAMBDA { moving.move(i, by); });
    add_walls(fluid, parallel, wall_displacement, bodies);
}

template <class S>
auto DensityConstraint<S>::report(std::span<const Real> density_ratio, const Parallel& parallel) -> Report {
    const auto compression = [&](std::size_t i) { return std::max(0.0, static_cast<double>(density_ratio[i]) - 1); };
    const std::size_t count = density_ratio.size();
    return {parallel.sum<double>(Rows::of(count), compression) / static_cast<double>(std::max<std::size_t>(1, count)),
            parallel.max(Rows::of(count), 0.0, compression)};
}

template <class S>
void DensityConstraint<S>::end(double dt, const Parallel& parallel, std::span<Real> pressure) const {
    assert(pressure.size() == p_.size() && dt > 0);
    const Real scale = static_cast<Real>(1 / (dt * dt));
    parallel.for_each(pressure.size(), [&](std::size_t i) { pressure[i] = scale * p_[i]; });
}

template class DensityConstraint<Space2f>;
template class DensityConstraint<Space3f>;
#if TREACLE_DOUBLE
template class DensityConstraint<Space2d>;
template class DensityConstraint<Space3d>;
#endif

}  // namespace treacle
