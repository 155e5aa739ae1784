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
void LaplacianViscosity<S>::lay_out_rows(const MpsCloud<S>& cloud) {
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
}

template <class S>
void LaplacianViscosity<S>::fill_row(std::size_t i, const FluidView<S>& fluid, const BlockContext<S>& context,
                                     const MpsOperators<S>& operators, std::span<const Real> viscosity) {
    const MpsCloud<S>& cloud = operators.cloud();
    const Real factor = static_cast<Real>(context.dt * cell_volume_) * operators.laplacian_factor();
    const Vec u_i = fluid.velocity[i].xyz();
    diagonal_[i] = fluid.mass[i];
    Vec right{};
    const auto add = [&](bool of_fluid) {
        for (const MpsPair<S>& pair : cloud.row(i)) {
            if (cloud.is_fluid(pair.j) != of_fluid) continue;
            const std::size_t j = of_fluid ? pair.j : pair.j - cloud.fluid_count();
            const Real mean = of_fluid ? ViscousPair<S>::mean(viscosity[i], viscosity[j]) : viscosity[i];
            const Entry entry{factor * mean * pair.weight, static_cast<std::uint32_t>(j)};
            entries_[row_begin_[i] + row_size_[i]++] = entry;
            diagonal_[i] += entry.factor;
            const Vec u_j = (of_fluid ? fluid.velocity[j] : context.boundary->velocity()[j]).xyz();
            right += entry.factor * (u_j - u_i);
        }
    };
    add(true);
    fluid_in_row_[i] = row_size_[i];
    add(false);
    right_[i] = right;
}

template <class S>
SolverReport LaplacianViscosity<S>::apply(const FluidView<S>& fluid, const BlockContext<S>& context,
                                          const MpsOperators<S>& operators, std::span<const Real> viscosity) {
    assert(promises::sized(operators.cloud().fluid_count(), fluid.mass, fluid.velocity, viscosity));
    assert(context.boundary && operators.cloud().size() == fluid.size() + context.boundary->size());
    assert(promises::within(context.bodies.size(), context.boundary->body()));
    assert(promises::finite(fluid.velocity) && promises::positive(fluid.mass) && context.dt > 0);
    const auto stage = context.timer.stage("flow");
    lay_out_rows(operators.cloud());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) { fill_row(i, fluid, context, operators, viscosity); });
    change_.assign(fluid.size(), Row{});
    SolverReport report;
    if (at_start_) {
        context.parallel.for_each(fluid.rows(), [&](std::size_t i) { change_[i] = right_[i].xyz() / fluid.mass[i]; });
    } else {
        report = solver_.solve(Operator{*this}, Diagonal{diagonal_}, right_, {}, rule_, context.parallel, change_, {});
    }
    context.parallel.for_each(fluid.rows(),
                              [&](std::size_t i) { fluid.velocity[i] = fluid.velocity[i].xyz() + change_[i].xyz(); });
    drag_bodies(fluid, context);
    return report;
}

template <class S>
void LaplacianViscosity<S>::drag_bodies(const FluidView<S>& fluid, const BlockContext<S>& context) const {
    const BoundaryParticles<S>& walls = *context.boundary;
    Bodies& bodies = context.bodies;
    push_bodies(fluid.rows(), context.dt, context.parallel, bodies, [&](std::size_t i, BodyLoads& loads) {
        for (const Entry& entry : row(i).subspan(fluid_in_row_[i])) {
            const std::uint32_t b = walls.body()[entry.j];
            const Vec impulse = entry.factor * (fluid.velocity[i].xyz() - walls.velocity()[entry.j].xyz());
            loads.add(b, bodies[b], cast<double>(walls.position()[entry.j].xyz()), cast<double>(impulse));
        }
    });
}

template class LaplacianViscosity<Space2d>;
template class LaplacianViscosity<Space3d>;

}  // namespace treacle
