#include "blocks/pressure/mps_poisson.h"

#include <algorithm>
#include <cassert>

#include "core/promises.h"

namespace treacle {

template <class S>
struct MpsPoisson<S>::Operator {
    const MpsPoisson& system;

    template <class P>
    TREACLE_SIMD_INLINE Real row(simd::Use<P>, std::size_t i, std::span<const Real> x, std::span<const double>) const {
        Real sum = 0;
        for (const Entry& entry : system.row(i)) sum += entry.factor * x[entry.j];
        return system.diagonal_[i] * x[i] - sum;
    }
    void others(std::span<const Real>, std::span<const double>, const Parallel&, std::span<double>) const {}
};

template <class S>
struct MpsPoisson<S>::Diagonal {
    std::span<const Real> diagonal;

    TREACLE_SIMD_INLINE Real row(std::size_t i, Real residual) const {
        return diagonal[i] > 0 ? residual / diagonal[i] : 0;
    }
    void others(std::span<const double>, std::span<double>) const {}
};

template <class S>
void MpsPoisson<S>::fill_matrix(const MpsOperators<S>& operators, const NumberDensity<S>& number_density,
                                std::span<const Real> rest_density, const Parallel& parallel) {
    const MpsCloud<S>& cloud = operators.cloud();
    const std::size_t fluids = cloud.fluid_count();
    specific_volume_.resize(cloud.size());
    parallel.for_each(Rows::of(fluids), [&](std::size_t i) { specific_volume_[i] = 1 / rest_density[i]; });
    const double mean =
        parallel.mean(Rows::of(fluids), [&](std::size_t i) { return static_cast<double>(specific_volume_[i]); });
    std::fill(specific_volume_.begin() + static_cast<std::ptrdiff_t>(fluids), specific_volume_.end(),
              static_cast<Real>(mean));

    const auto unknown = [&](std::size_t i) { return cloud.carries_pressure(i) && !number_density.at_surface(i); };
    row_begin_.assign(cloud.size(), 0);
    row_size_.assign(cloud.size(), 0);
    std::size_t end = 0;
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        row_begin_[i] = end;
        if (unknown(i)) end += cloud.carriers(i).size();
    }
    if (entries_.size() < end) entries_.resize(end + end / 8);
    diagonal_.assign(cloud.size(), 0);
    const Real factor = operators.laplacian_factor() / 2;
    parallel.for_each(Rows::of(cloud.size()), [&](std::size_t i) {
        if (!unknown(i)) return;
        for (const MpsPair<S>& pair : cloud.carriers(i)) {
            const Real stiffness = factor * (specific_volume_[i] + specific_volume_[pair.j]) * pair.weight;
            diagonal_[i] += stiffness;
            if (unknown(pair.j)) entries_[row_begin_[i] + row_size_[i]++] = {stiffness, pair.j};
        }
    });
}

/// The right side. Without any free surface it is freed of its mean.
template <class S>
void MpsPoisson<S>::fill_source(const BlockContext<S>& context, const MpsOperators<S>& operators,
                                const NumberDensity<S>& number_density, std::span<const Row> velocity) {
    const Parallel& parallel = context.parallel;
    const Rows rows = Rows::of(velocity.size());
    const bool original = settings_.source == PressureSource::number_density;
    const Real of_divergence = static_cast<Real>(original ? 0 : 1 / context.dt);
    const Real of_density = static_cast<Real>((original ? 1 : settings_.relaxation) / (context.dt * context.dt));
    right_.assign(velocity.size(), 0);
    parallel.for_each(rows, [&](std::size_t i) {
        if (diagonal_[i] == 0) return;
        right_[i] = -of_density * (1 - number_density.ratio()[i]);
        if (!original) right_[i] -= of_divergence * operators.divergence(i, velocity);
    });
    if (parallel.max(rows, 0, [&](std::size_t i) { return number_density.at_surface(i) ? 1 : 0; }) != 0) return;
    const double sum =
        parallel.template sum<double>(rows, [&](std::size_t i) { return static_cast<double>(right_[i]); });
    const double unknowns =
        parallel.template sum<double>(rows, [&](std::size_t i) { return diagonal_[i] != 0 ? 1.0 : 0.0; });
    parallel.for_each(rows, [&](std::size_t i) {
        if (diagonal_[i] != 0) right_[i] -= static_cast<Real>(sum / unknowns);
    });
}

template <class S>
SolverReport MpsPoisson<S>::solve(const BlockContext<S>& context, const MpsOperators<S>& operators,
                                  const NumberDensity<S>& number_density, std::span<const Row> velocity,
                                  std::span<const Real> rest_density, std::span<Real> pressure) {
    assert(promises::sized(operators.cloud().size(), number_density.ratio(), velocity, pressure));
    assert(rest_density.size() == operators.cloud().fluid_count() && promises::positive(rest_density));
    assert(promises::finite(velocity) && context.dt > 0);
    fill_matrix(operators, number_density, rest_density, context.parallel);
    fill_source(context, operators, number_density, velocity);
    context.parallel.for_each(Rows::of(pressure.size()), [&](std::size_t i) {
        if (diagonal_[i] == 0) pressure[i] = 0;
    });
    return solver_.solve(Operator{*this}, Diagonal{diagonal_}, right_, {}, settings_.rule, context.parallel, pressure,
                         {});
}

template class MpsPoisson<Space2d>;
template class MpsPoisson<Space3d>;

}  // namespace treacle
