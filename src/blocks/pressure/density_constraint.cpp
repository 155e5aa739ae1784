#include "blocks/pressure/density_constraint.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treacle {

namespace {

template <class P>
TREACLE_SIMD_INLINE P length_of(const Vec3<P>& r) { return sqrt((r.x * r.x + r.y * r.y) + r.z * r.z); }

}  // namespace

template <class S>
template <class P>
class DensityConstraint<S>::PairKernel {
public:
    TREACLE_SIMD_INLINE PairKernel(const DensityConstraint& block, const CubicSpline<S>& kernel, const Fluid& fluid, std::size_t i)
        : fluid_(fluid), kernel_(kernel), inverse_h_(1 / kernel.support_radius()),
          scale_(-static_cast<Real>(1 / block.lattice_density)), own_volume_(fluid.volume[i]), alike_(block.alike_) {}

    /// The distance in support radii; 1, where W vanishes, for lanes beyond the end of the row.
    TREACLE_SIMD_INLINE P q(P distance, int in_row) const {
        const P q = distance * inverse_h_;
        return in_row < simd::lanes ? select(simd::first_lanes<P>(in_row), q, P(1)) : q;
    }
    TREACLE_SIMD_INLINE P volume(const std::uint32_t* j) const {
        return alike_ ? own_volume_ : simd::load_lanes<P>(fluid_.volume.data(), j);
    }
    /// 1/m_j, or 1 if all are alike.
    TREACLE_SIMD_INLINE P lightness(const std::uint32_t* j) const {
        return alike_ ? P(1) : P(1) / simd::load_lanes<P>(fluid_.mass.data(), j);
    }
    /// V_j W_ij
    TREACLE_SIMD_INLINE P density(const std::uint32_t* j, P q) const { return volume(j) * kernel_.value(q); }
    /// (W/W_reference)²
    TREACLE_SIMD_INLINE P closeness(P q, Real reference) const {
        const P ratio = kernel_.value(q) / P(reference);
        return ratio * ratio;
    }
    /// f of g_ij = f (x_j - x_i)
    TREACLE_SIMD_INLINE P factor(const std::uint32_t* j, P distance, P q) const {
        return select(distance > P(0), scale_ * volume(j) * kernel_.slope(q) / distance, P(0));
    }

private:
    const Fluid& fluid_;
    const CubicSpline<S> kernel_;
    const P inverse_h_, scale_, own_volume_;
    const bool alike_;
};

template <class S>
void DensityConstraint<S>::measure(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, const Bodies& bodies,
                                   const Fluid& fluid, std::span<const Row> position, const Parallel& parallel,
                                   std::span<Real> density_ratio) {
    alike_ = parallel.sum<std::size_t>(fluid.mass.size(), [&](std::size_t i) {
        return std::size_t(fluid.mass[i] != fluid.mass[0] || fluid.volume[i] != fluid.volume[0]);
    }) == 0;
    measure_density(neighbors, boundary, fluid, position, parallel, density_ratio);
    measure_solids(boundary, bodies, position, parallel, density_ratio);
}

template <class S>
void DensityConstraint<S>::measure_density(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, const Fluid& fluid,
                                           std::span<const Row> position, const Parallel& parallel, std::span<Real> density_ratio) {
    const CubicSpline<S>& kernel = boundary.kernel();
    simd::for_each<Real>(parallel, position.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        const PairKernel<P> pairs(*this, kernel, fluid, i);
        const auto x = position[i].xyz();
        P sum(0);
        for_each_eight(i, neighbors.row(i), [&](const std::uint32_t* j, int in_row, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
            sum += pairs.density(j, pairs.q(length_of(offsets<P>(position, x, j)), in_row));
        });
        density_ratio[i] = fluid.volume[i] * kernel.value(Real(0)) + sum_of_lanes(sum);
    });
}

template <class S>
void DensityConstraint<S>::measure_solids(const BoundaryParticles<S>& boundary, const Bodies& bodies, std::span<const Row> position,
                                          const Parallel& parallel, std::span<Real> density_ratio) {
    boundary.add_density_ratio(position, parallel, density_ratio);
    const Real scale = static_cast<Real>(1 / lattice_density);
    parallel.for_each(position.size(), [&](std::size_t i) { density_ratio[i] *= scale; });
    contacts_.update(boundary, boundary.kernel(), scale, bodies, position, parallel);
}

template <class S>
void DensityConstraint<S>::displace(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, std::span<const Real> change,
                                    const Fluid& fluid, std::span<const Row> position, const Parallel& parallel, Real repulsion) {
    const Real reference = boundary.kernel().value(Real(0.3));
    changing_.resize(change.size()), displacement_.resize(change.size()), gradient_sum_.resize(change.size());
    square_sum_.resize(change.size());
    parallel.for_each(change.size(), [&](std::size_t i) {   // position and change come with the same load
        changing_[i] = position[i];
        changing_[i].w = change[i];
    });
    simd::for_each<Real>(parallel, change.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        const PairKernel<P> pairs(*this, boundary.kernel(), fluid, i);
        const auto x = position[i].xyz();
        const P own(change[i]);
        Vec3<P> sum{}, gradients{};
        P squares(0);
        for_each_eight(i, neighbors.row(i), [&](const std::uint32_t* j, int in_row, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
            const auto other = simd::load_rows<P>(changing_.data(), j);
            const Vec3<P> r{other.x - P(x.x), other.y - P(x.y), other.z - P(x.z)};
            const P distance = length_of(r);
            const P q = pairs.q(distance, in_row);
            const Vec3<P> g = pairs.factor(j, distance, q) * r;
            P push = own + other.w;
            if (repulsion > 0) {
                const P near = pairs.closeness(q, reference);
                push += P(repulsion) * (near * near);
            }
            sum += push * g;
            gradients += g;
            squares += pairs.lightness(j) * dot(g, g);
        });
        displacement_[i] = -(fluid.volume[i] / fluid.mass[i]) * sum_of_lanes(sum);
        gradient_sum_[i] = sum_of_lanes(gradients);
        square_sum_[i] = sum_of_lanes(squares) * (alike_ ? 1 / fluid.mass[i] : Real(1));
    });
    contacts_.for_each(parallel, [&](const auto& c) {
        displacement_[c.particle] = displacement_[c.particle].xyz() + by_solid(c, change, fluid);
        gradient_sum_[c.particle] = gradient_sum_[c.particle].xyz() + c.push;
    });
}

template <class S>
auto DensityConstraint<S>::by_solid(const typename BodyContacts<S>::Contact& c, std::span<const Real> change,
                                    const Fluid& fluid) const -> Vec {
    return -(change[c.particle] * fluid.volume[c.particle] / fluid.mass[c.particle]) * c.push;
}

template <class S>
void DensityConstraint<S>::move(std::span<const Real> change, const Fluid& fluid, const Parallel& parallel, Real factor,
                                std::span<Row> moved, std::span<Row> wall_displacement) const {
    parallel.for_each(change.size(), [&](std::size_t i) { moved[i] = moved[i].xyz() + factor * displacement_[i].xyz(); });
    contacts_.for_each(parallel, [&](const auto& c) {
        wall_displacement[c.particle] = wall_displacement[c.particle].xyz() + by_solid(c, change, fluid);
    });
}

template <class S>
void DensityConstraint<S>::start(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, const Bodies& bodies,
                                 const Fluid& fluid, std::span<const Real> pressure, double dt, const Parallel& parallel,
                                 std::span<const Row> position, std::span<Real> density_ratio) {
    const std::size_t count = position.size();
    dt_ = static_cast<Real>(dt);
    p_.resize(count), change_.resize(count);
    measure(neighbors, boundary, bodies, fluid, position, parallel, density_ratio);
    parallel.for_each(count, [&](std::size_t i) { p_[i] = dt_ * dt_ * pressure[i]; });
    displace(neighbors, boundary, p_, fluid, position, parallel);
    const double mean = parallel.sum<double>(count, [&](std::size_t i) { return static_cast<double>(diagonal_of(i, fluid)); }) /
                        static_cast<double>(std::max<std::size_t>(1, count));
    repulsion_ = mean > 0 ? static_cast<Real>(artificial_pressure * relaxation / mean) : Real(0);
    const Real farthest = parallel.max(count, Real(0), [&](std::size_t i) { return length(displacement_[i].xyz()); });
    const Real limit = static_cast<Real>(longest_start);
    if (!(farthest > limit)) return;
    const Real share = limit / farthest;   // the same for all, so that momentum stays
    parallel.for_each(count, [&](std::size_t i) {
        p_[i] *= share;
        displacement_[i] = share * displacement_[i].xyz();
    });
}

template <class S>
void DensityConstraint<S>::begin(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, const Bodies& bodies,
                                 const Fluid& fluid, std::span<const Real> pressure, double dt, const Parallel& parallel,
                                 std::span<Row> position, std::span<Row> wall_displacement, std::span<Real> density_ratio) {
    start(neighbors, boundary, bodies, fluid, pressure, dt, parallel, position, density_ratio);
    move(p_, fluid, parallel, Real(1), position, wall_displacement);
}

template <class S>
void DensityConstraint<S>::begin_velocities(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary,
                                            const Bodies& bodies, const Fluid& fluid, std::span<const Real> pressure, double dt,
                                            const Parallel& parallel, std::span<const Row> position, std::span<Row> velocity,
                                            std::span<Row> wall_displacement, std::span<Real> density_ratio) {
    start(neighbors, boundary, bodies, fluid, pressure, dt, parallel, position, density_ratio);
    move(p_, fluid, parallel, 1 / dt_, velocity, wall_displacement);
}

/// A_i
template <class S>
auto DensityConstraint<S>::diagonal_of(std::size_t i, const Fluid& fluid) const -> Real {
    const Vec sum = gradient_sum_[i].xyz();
    return fluid.volume[i] * (dot(sum, sum) / fluid.mass[i] + square_sum_[i]);
}

template <class S>
template <class Ratio>
void DensityConstraint<S>::press(const Fluid& fluid, const Parallel& parallel, const Ratio& ratio) {
    const Real omega = static_cast<Real>(relaxation);
    parallel.for_each(p_.size(), [&](std::size_t i) {
        const Real diagonal = diagonal_of(i, fluid);
        // A particle without neighbors has no pressure.
        const Real next = diagonal > std::numeric_limits<Real>::min()
                              ? std::max(Real(0), p_[i] + omega * (ratio(i) - 1) / diagonal) : Real(0);
        change_[i] = next - p_[i];
        p_[i] = next;
    });
}

template <class S>
void DensityConstraint<S>::project_velocities(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary,
                                              const Bodies& bodies, const Fluid& fluid, const Parallel& parallel,
                                              std::span<const Row> position, std::span<const Real> density_ratio,
                                              std::span<Row> velocity, std::span<Row> wall_displacement) {
    rate_.resize(position.size());
    simd::for_each<Real>(parallel, position.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        const PairKernel<P> pairs(*this, boundary.kernel(), fluid, i);
        const Vec x = position[i].xyz(), u = velocity[i].xyz();
        P approach(0);
        for_each_eight(i, neighbors.row(i), [&](const std::uint32_t* j, int in_row, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
            const Vec3<P> r = offsets<P>(position, x, j), apart = offsets<P>(std::span<const Row>(velocity), u, j);
            const P distance = length_of(r);
            approach += pairs.factor(j, distance, pairs.q(distance, in_row)) * dot(r, apart);
        });
        rate_[i] = -sum_of_lanes(approach);
    });
    contacts_.for_each(parallel, [&](const auto& c) {
        const Vec3d of_body = bodies[c.body].velocity_at(cast<double>(position[c.particle].xyz()));
        rate_[c.particle] -= dot(c.push, cast<Real>(of_body) - velocity[c.particle].xyz());
    });
    press(fluid, parallel, [&](std::size_t i) { return density_ratio[i] + dt_ * rate_[i]; });
    displace(neighbors, boundary, change_, fluid, position, parallel);
    move(change_, fluid, parallel, 1 / dt_, velocity, wall_displacement);
}

template <class S>
auto DensityConstraint<S>::project(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, const Bodies& bodies,
                                   const Fluid& fluid, const Parallel& parallel, std::span<Row> position,
                                   std::span<Row> wall_displacement, std::span<Real> density_ratio) -> Report {
    const std::size_t count = position.size();
    measure_density(neighbors, boundary, fluid, position, parallel, density_ratio);
    measure_solids(boundary, bodies, position, parallel, density_ratio);
    press(fluid, parallel, [&](std::size_t i) { return density_ratio[i]; });
    displace(neighbors, boundary, change_, fluid, position, parallel, repulsion_);
    move(change_, fluid, parallel, Real(1), position, wall_displacement);
    const auto compression = [&](std::size_t i) { return std::max(0.0, static_cast<double>(density_ratio[i]) - 1); };
    return {parallel.sum<double>(count, compression) / static_cast<double>(std::max<std::size_t>(1, count)),
            parallel.max(count, 0.0, compression)};
}

template <class S>
void DensityConstraint<S>::end(double dt, const Parallel& parallel, std::span<Real> pressure) const {
    const Real scale = static_cast<Real>(1 / (dt * dt));
    parallel.for_each(pressure.size(), [&](std::size_t i) { pressure[i] = scale * p_[i]; });
}

template class DensityConstraint<Space2f>;
template class DensityConstraint<Space3f>;
template class DensityConstraint<Space2d>;
template class DensityConstraint<Space3d>;

}  // namespace treacle

