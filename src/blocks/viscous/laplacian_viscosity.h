#pragma once

#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/discretization/mps_operators.h"
#include "blocks/fluid_view.h"
#include "linear/conjugate_gradient.h"

namespace treacle {

/// Viscosity by the Laplacian of MPS (Koshizuka, Oka 1996) at the velocities of the end of the step, or, explicitly, of
/// its start:
///
///   m_i (u_i - u*_i) = dt V Σ_j η_ij 2d/(n0 λ) (u_j - u_i) w_ij,     V a cell of the lattice
///
/// Walls have the velocities they have. Symmetric and positive definite; each component is a system of its own with the
/// same matrix, so that one search serves the three. Solved for the change u - u*, preconditioned by the diagonal.
///
/// Reads the rows of the cloud, mass (kg) and viscosity (Pa·s) of the fluid; changes velocities, adds to the force and
/// torque of bodies. Conserves momentum; of two viscosities the harmonic mean counts.
///
/// Limits: explicitly it is stable up to about ν dt/l0² = 0.5 only (largest_laplacian_number() in
///   laws/stable_steps.h; the paper has 26.8).
/// Limits: not the divergence of a symmetric stress. It damps rotation, also that of a rigid body; at a free surface it
///   wants ∂u/∂n = 0, where the traction should vanish; and so the Trouton ratio is wrong. The paper does not say which
///   operator it uses. docs/decisions/mps-projection.md shows its effect on a thread.
template <class S>
class LaplacianViscosity {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    LaplacianViscosity() = default;
    explicit LaplacianViscosity(double spacing, StoppingRule rule = {1e-4, 2000}, bool at_start = false)
        : cell_volume_(cell_volume(S::dim, spacing)), rule_(rule), at_start_(at_start) {}

    SolverReport apply(const FluidView<S>& fluid, const BlockContext<S>& context, const MpsOperators<S>& operators,
                       std::span<const Real> viscosity);

private:
    struct Operator;
    struct Diagonal;
    /// dt V η_ij 2d/(n0 λ) w_ij, kg, and the neighbor.
    struct Entry {
        Real factor;
        std::uint32_t j;
    };
    std::span<const Entry> row(std::size_t i) const { return {entries_.data() + row_begin_[i], row_size_[i]}; }
    void lay_out_rows(const MpsCloud<S>& cloud);
    void fill_row(std::size_t i, const FluidView<S>& fluid, const BlockContext<S>& context,
                  const MpsOperators<S>& operators, std::span<const Real> viscosity);
    void drag_bodies(const FluidView<S>& fluid, const BlockContext<S>& context) const;

    double cell_volume_ = 0;
    StoppingRule rule_;
    bool at_start_ = false;  ///< explicit
    std::vector<std::size_t> row_begin_;
    std::vector<std::uint32_t> row_size_, fluid_in_row_;
    std::vector<Entry> entries_;  ///< the fluid's first, then those of walls, numbered from 0
    std::vector<Real> diagonal_;
    std::vector<Row> right_, change_;
    ConjugateGradient<Real> solver_;
};

}  // namespace treacle
