#include "blocks/pressure/density_constraint.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treacle {

namespace {

template <class P>
struct RowSums {
    P density;            ///< Σ V_j W_ij
    Vec3<P> gradient;     ///< Σ g_ij
    P square;             ///< Σ |g_ij|²/m_j
};

}  // namespace

template <class S>
void DensityConstraint<S>::measure(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, const Bodies& bodies,
                                   const Fluid& fluid, std::span<const Row> position, const Parallel& parallel,
                                   std::span<Real> density_ratio) {
    begin_rows(neighbors, fluid, parallel);
    measure_rows(neighbors, boundary, bodies, fluid, position, parallel, density_ratio);
}

template <class S>
void DensityConstraint<S>::begin_rows(const Neighbors<S>& neighbors, const Fluid& fluid, const Parallel& parallel) {
    factors_.lay_out(neighbors);
    alike_ = parallel.sum<std::size_t>(fluid.mass.size(), [&](std::size_t i) {
        return std::size_t(fluid.mass[i] != fluid.mass[0] || fluid.volume[i] != fluid.volume[0]);
    }) == 0;
}

template <class S>
void DensityConstraint<S>::measure_rows(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary,
                                        const Bodies& bodies, const Fluid& fluid, std::span<const Row> position,
                                        const Parallel& parallel, std::span<Real> density_ratio) {
    const Real scale = static_cast<Real>(1 / lattice_density);
    gradient_sum_.resize(position.size());
    square_sum_.resize(position.size());
    simd::for_each<Real>(parallel, position.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        RowSums<P> sums{};
        const CubicSpline<S> kernel = boundary.kernel();   // a copy, as the constants below: factors are written on the way
        const P inverse_h(1 / kernel.support_radius()), minus_scale(-scale), own_volume(fluid.volume[i]);
        const auto x = position[i].xyz();
        Real* factors = factors_.row(i);
        const bool alike = alike_;
        for_each_eight(i, neighbors.row(i), [&](const std::uint32_t* j, int count, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
            const Vec3<P> r = offsets<P>(position, x, j);
            const P square = (r.x * r.x + r.y * r.y) + r.z * r.z, distance = sqrt(square);
            P q = distance * inverse_h;
            if (count < simd::lanes) q = select(simd::first_lanes<P>(count), q, P(1));   // W(1) = 0
            const P volume = alike ? own_volume : simd::load_lanes<P>(fluid.volume.data(), j);
            const P factor = select(distance > P(0), minus_scale * volume * kernel.slope(q) / distance, P(0));
            simd::store(factor, factors + n);
            sums.density += volume * kernel.value(q);
            sums.gradient += factor * r;
            const P squares = factor * factor * square;
            sums.square += alike ? squares : squares / simd::load_lanes<P>(fluid.mass.data(), j);
        });
        density_ratio[i] = fluid.volume[i] * kernel.value(Real(0)) + sum_of_lanes(sums.density);
        gradient_sum_[i] = sum_of_lanes(sums.gradient);
        square_sum_[i] = sum_of_lanes(sums.square) / (alike ? fluid.mass[i] : Real(1));
    });
    boundary.add_density_ratio(position, parallel, density_ratio);
    parallel.for_each(position.size(), [&](std::size_t i) { density_ratio[i] *= scale; });
    contacts_.update(boundary, boundary.kernel(), Real(1), bodies, position, parallel);
    contacts_.for_each(parallel, [&](const auto& c) {
        gradient_sum_[c.particle] = gradient_sum_[c.particle].xyz() + scale * c.push;
    });
}

template <class S>
void DensityConstraint<S>::displace(const Neighbors<S>& neighbors, std::span<const Real> change, const Fluid& fluid,
                                    std::span<const Row> position, const Parallel& parallel) {
    displacement_.resize(change.size()), changing_.resize(change.size());
    parallel.for_each(change.size(), [&](std::size_t i) {   // position and change come with the same load
        changing_[i] = position[i];
        changing_[i].w = change[i];
    });
    simd::for_each<Real>(parallel, change.size(), [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
        Vec3<P> sum{};
        const auto x = position[i].xyz();
        const Real* factors = factors_.row(i);
        for_each_eight(i, neighbors.row(i), [&](const std::uint32_t* j, int, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
            const auto other = simd::load_rows<P>(changing_.data(), j);
            const Vec3<P> r{other.x - P(x.x), other.y - P(x.y), other.z - P(x.z)};
            sum += (other.w * simd::load<P>(factors + n)) * r;
        });
        const Real lightness = fluid.volume[i] / fluid.mass[i];
        displacement_[i] = -lightness * (change[i] * gradient_sum_[i].xyz() + sum_of_lanes(sum));
    });
}

template <class S>
void DensityConstraint<S>::move(std::span<const Real> change, const Fluid& fluid, const Parallel& parallel,
                                std::span<Row> position, std::span<Row> wall_displacement) const {
    parallel.for_each(change.size(), [&](std::size_t i) { position[i] = position[i].xyz() + displacement_[i].xyz(); });
    const Real scale = static_cast<Real>(1 / lattice_density);
    contacts_.for_each(parallel, [&](const auto& c) {
        const std::size_t i = c.particle;
        wall_displacement[i] = wall_displacement[i].xyz() - (scale * change[i] * fluid.volume[i] / fluid.mass[i]) * c.push;
    });
}

template <class S>
void DensityConstraint<S>::begin(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, const Bodies& bodies,
                                 const Fluid& fluid, std::span<const Real> pressure, double dt, const Parallel& parallel,
                                 std::span<Row> position, std::span<Row> wall_displacement, std::span<Real> density_ratio) {
    const std::size_t count = position.size();
    p_.resize(count), change_.resize(count);
    begin_rows(neighbors, fluid, parallel);
    measure_rows(neighbors, boundary, bodies, fluid, position, parallel, density_ratio);
    const Real square = static_cast<Real>(dt * dt);
    parallel.for_each(count, [&](std::size_t i) { p_[i] = square * pressure[i]; });
    displace(neighbors, p_, fluid, position, parallel);
    const Real farthest = parallel.max(count, Real(0), [&](std::size_t i) { return length(displacement_[i].xyz()); });
    const Real limit = static_cast<Real>(longest_start);
    if (farthest > limit) {
        const Real share = limit / farthest;   // the same for all, so that momentum stays
        parallel.for_each(count, [&](std::size_t i) {
            p_[i] *= share;
            displacement_[i] = share * displacement_[i].xyz();
        });
    }
    move(p_, fluid, parallel, position, wall_displacement);
}

template <class S>
auto DensityConstraint<S>::project(const Neighbors<S>& neighbors, const BoundaryParticles<S>& boundary, const Bodies& bodies,
                                   const Fluid& fluid, const Parallel& parallel, std::span<Row> position,
                                   std::span<Row> wall_displacement, std::span<Real> density_ratio) -> Report {
    const std::size_t count = position.size();
    measure_rows(neighbors, boundary, bodies, fluid, position, parallel, density_ratio);
    const Real omega = static_cast<Real>(relaxation);
    parallel.for_each(count, [&](std::size_t i) {
        const Real square = dot(gradient_sum_[i].xyz(), gradient_sum_[i].xyz());
        const Real diagonal = fluid.volume[i] * (square / fluid.mass[i] + square_sum_[i]);
        // A particle without neighbors has no pressure.
        const Real next = diagonal > std::numeric_limits<Real>::min()
                              ? std::max(Real(0), p_[i] + omega * (density_ratio[i] - 1) / diagonal) : Real(0);
        change_[i] = next - p_[i];
        p_[i] = next;
    });
    displace(neighbors, change_, fluid, position, parallel);
    move(change_, fluid, parallel, position, wall_displacement);
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
