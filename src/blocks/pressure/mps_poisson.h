#pragma once

#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/discretization/mps_operators.h"
#include "blocks/discretization/number_density.h"
#include "laws/schemes.h"
#include "linear/conjugate_gradient.h"

namespace treacle {

/// The pressure Poisson equation of MPS,
///   2d/(n0 λ) Σ_j (P_j - P_i) w_ij = source,     P = 0 at the free surface
/// for fluid and the layer of walls next to it. Its matrix is symmetric and, with signs turned, positive definite;
/// conjugate gradients, preconditioned by the diagonal. Fluids of several densities: 1/ρ of a pair is the mean of the
/// two.
///
/// Reads the rows of the cloud, n, and velocities of fluid and walls; writes pressures (Pa) of both. Where the start is
/// not zero, the solver begins there.
///
/// Limits: in a container without any free surface pressures are known up to a constant; then the mean of the source
///   is taken away and the constant is that of the start.
template <class S>
class MpsPoisson {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    struct Settings {
        PressureSource source = PressureSource::divergence;
        double relaxation = 0.2;  ///< γ
        StoppingRule rule{1e-4, 2000};
    };

    MpsPoisson() = default;
    explicit MpsPoisson(const Settings& settings) : settings_(settings) {}

    /// `velocity` of the cloud, `rest_density` (kg/m³) of the fluid, `pressure` of the cloud.
    SolverReport solve(const BlockContext<S>& context, const MpsOperators<S>& operators,
                       const NumberDensity<S>& number_density, std::span<const Row> velocity,
                       std::span<const Real> rest_density, std::span<Real> pressure);

private:
    struct Operator;
    struct Diagonal;
    /// 2d/(n0 λ ρ) w_ij, and the neighbor.
    struct Entry {
        Real factor;
        std::uint32_t j;
    };

    void fill_matrix(const MpsOperators<S>& operators, const NumberDensity<S>& number_density,
                     std::span<const Real> rest_density, const Parallel& parallel);
    void fill_source(const BlockContext<S>& context, const MpsOperators<S>& operators,
                     const NumberDensity<S>& number_density, std::span<const Row> velocity);
    std::span<const Entry> row(std::size_t i) const { return {entries_.data() + row_begin_[i], row_size_[i]}; }

    Settings settings_;
    std::vector<std::size_t> row_begin_;
    std::vector<std::uint32_t> row_size_;
    std::vector<Entry> entries_;         ///< between two unknowns
    std::vector<Real> diagonal_;         ///< zero where the pressure is given
    std::vector<Real> specific_volume_;  ///< 1/ρ
    std::vector<Real> right_;
    ConjugateGradient<Real, Real> solver_;
};

}  // namespace treacle
