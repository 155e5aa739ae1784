#include "blocks/viscous/laplacian_viscosity.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "blocks/solids/body_loads.h"
#include "blocks/viscous/viscous_pair.h"
#include "core/promises.h"

namespace treacle {

template <class S>
struct LaplacianViscosity<S>::Operator {
    const LaplacianViscosity& system;

    template <class P>
    TREACLE_SIMD_INLINE Vec row(simd::Use<P>, std::size_t i, std::span<const Row> x, std::span<const double>) const {
        Vec sum{};
        for (const Entry& entry : system.row(i).first(system.fluid_in_row_[i])) sum += entry.factor * x[entry.j].xyz();
        return system.diagonal_[i] * x[i].xyz() - sum;
    }
    void others(std::span<const Row>, std::span<const double>, const Parallel&, std::span<double>) const {}
};

template <class S>
struct LaplacianViscosity<S>::Diagonal {
    std::span<const Real> diagonal;

    TREACLE_SIMD_INLINE Vec row(std::size_t i, Vec residual) const { return residual / diagonal[i]; }
    void others(std::span<const double>, std::span<double>) const {}
};

template <class S>
SolverReport LaplacianViscosity<S>::apply(const MpsOperators<S>& operators, const BoundaryParticles<S>& walls,
                                          std::span<const Real> mass, std::span<const Real> viscosity, double dt,
                                          const Parallel& parallel, std::span<Row> velocity, Bodies& bodies) {
    assert(promises::sized(operators.cloud().fluid_count(), mass, viscosity, velocity));
    assert(operators.cloud().size() == velocity.size() + walls.size() && promises::within(bodies.size(), walls.body()));
    assert(promises::finite(velocity) && promises::positive(mass) && dt > 0);
    const MpsCloud<S>& cloud = operators.cloud();
    const std::size_t count = cloud.fluid_count();
    row_begin_.assign(count, 0);
    row_size_.assign(count, 0);
    fluid_in_row_.assign(count, 0);
    std::size_t end = 0;
    for (std::size_t i = 0; i < count; ++i) {
        row_begin_[i] = end;
        end += cloud.row(i).size();
    }
    if (entries_.size() < end) entries_.resize(end + end / 8);
    diagonal_.resize(count);
    right_.resize(count);
    const Real factor = static_cast<Real>(dt * cell_volume_) * operators.laplacian_factor();
    parallel.for_each(count, [&](std::size_t i) {
        diagonal_[i] = mass[i];
        Vec right{};
        const auto add = [&](bool fluid) {
            for (const MpsPair<S>& pair : cloud.row(i)) {
                if (cloud.is_fluid(pair.j) != fluid) continue;
                const std::size_t j = fluid ? pair.j : pair.j - count;
                const Real mean = fluid ? ViscousPair<S>::mean(viscosity[i], viscosity[j]) : viscosity[i];
                const Entry entry{factor * mean * pair.weight, static_cast<std::uint32_t>(j)};
                entries_[row_begin_[i] + row_size_[i]++] = entry;
                diagonal_[i] += entry.factor;
                right += entry.factor * ((fluid ? velocity[j] : walls.velocity()[j]).xyz() - velocity[i].xyz());
            }
        };
        add(true);
        fluid_in_row_[i] = row_size_[i];
        add(false);
        right_[i] = right;
    });
    change_.assign(count, Row{});
    SolverReport report;
    if (at_start_) parallel.for_each(count, [&](std::size_t i) { change_[i] = right_[i].xyz() / mass[i]; });
    else report = solver_.solve(Operator{*this}, Diagonal{diagonal_}, right_, {}, rule_, parallel, change_, {});
    parallel.for_each(count, [&](std::size_t i) { velocity[i] = velocity[i].xyz() + change_[i].xyz(); });
    react(walls, velocity, dt, parallel, bodies);
    return report;
}

template <class S>
void LaplacianViscosity<S>::react(const BoundaryParticles<S>& walls, std::span<const Row> velocity, double dt,
                                  const Parallel& parallel, Bodies& bodies) const {
    push_bodies(Rows::of(velocity.size()), dt, parallel, bodies, [&](std::size_t i, BodyLoads& loads) {
        for (const Entry& entry : row(i).subspan(fluid_in_row_[i])) {
            const std::uint32_t b = walls.body()[entry.j];
            const Vec impulse = entry.factor * (velocity[i].xyz() - walls.velocity()[entry.j].xyz());
            loads.add(b, bodies[b], cast<double>(walls.position()[entry.j].xyz()), cast<double>(impulse));
        }
    });
}

template <class S>
double LaplacianViscosity<S>::largest_explicit(double support_radius, double spacing) {
    const MpsWeight<S> weight(support_radius, spacing);
    const int reach = static_cast<int>(std::ceil(support_radius / spacing)), deep = S::dim == 3 ? reach : 0;
    // Waves whose sign changes from one particle to the next along some of the axes: n0 minus the sum of weights with
    // signs.
    double fastest = 0;
    for (int axes = 1; axes <= S::dim; ++axes) {
        double rate = 0;
        for (int z = -deep; z <= deep; ++z) {
            for (int y = -reach; y <= reach; ++y) {
                for (int x = -reach; x <= reach; ++x) {
                    const double r = spacing * std::sqrt(static_cast<double>(x * x + y * y + z * z));
                    const int along = x + (axes > 1 ? y : 0) + (axes > 2 ? z : 0);
                    if (r > 0 && along % 2 != 0) rate += 2 * static_cast<double>(weight(static_cast<Real>(r)));
                }
            }
        }
        fastest = std::max(fastest, rate);
    }
    return 2 / (2 * S::dim / (weight.lattice_sum() * weight.mean_square()) * fastest * spacing * spacing);
}

template class LaplacianViscosity<Space2d>;
template class LaplacianViscosity<Space3d>;

}  // namespace treacle
