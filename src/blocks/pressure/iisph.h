#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/pair_vectors.h"
#include "blocks/solids/body_contacts.h"
#include "laws/schemes.h"
#include "math/space.h"

namespace treacle {

/// Implicit incompressible SPH (Ihmsen, Cornelis, Solenthaler, Horvath, Teschner 2014), with solids after Akinci et al.
/// 2012. Written with volumes V = m/ρ0, so that fluids of different rest density stand side by side, and with
/// P = dt² p/r² in place of the pressure p:
///
///   r_i = Σ_j V_j W_ij + Σ_k V_k W_ik                                   density / rest density; j includes i
///   d_i = -(1/ρ0_i) [Σ_j V_j (P_i + P_j) ∇W_ij + Σ_k V_k P_i ∇W_ik]     displacement by pressure, their eqs. 6, 7
///   r_i + dt Σ_j V_j (v_i - v_j)·∇W_ij + dt Σ_k V_k (v_i - v_k)·∇W_ik
///       + Σ_j V_j (d_i - d_j)·∇W_ij + Σ_k V_k (d_i - d_k)·∇W_ik = 1     or less where P_i = 0; eqs. 5, 8
///
/// v is the velocity without pressure, v_k and d_k those of the solid; d_k is that of a body that the pressure moves
/// and else zero. The sums over pairs are a matrix A that is symmetric when weighted by V, so that it can be solved by
/// conjugate gradients as well as by the paper's relaxed Jacobi iteration, P_i += ω (error_i / A_ii), which stays as
/// oracle. One iteration of either is two passes over the stored gradients.
///
/// measure() reads positions and volumes and writes the density ratio; solve() reads and writes velocity and pressure
/// (the last one is the start of the next), and adds the reaction to the bodies' force and torque. Momentum and angular
/// momentum of fluid and bodies stay, whether converged or not.
///
/// Departure: solids complete the sums with a gradient per particle and body instead of pair by pair; the sum is the
/// same.
/// Departure: with the kernels of Müller 2003 the samples of solids, whose volumes are made for the cubic spline, get a
///   factor that gives a lattice flush against a flat wall the density it has elsewhere.
/// Departure: a body that can move yields within the solve (d_k); the paper of Akinci lets it feel the pressure
///   afterwards, which makes light bodies bounce.
template <class S>
class Iisph {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    using Solver = IisphSolver;
    using Kernel = IisphKernel;

    struct Settings {
        Solver solver = Solver::accelerated;
        double tolerance = 1e-4;                                         ///< mean compression at which it ends
        double max_tolerance = std::numeric_limits<double>::infinity();  ///< greatest compression, likewise
        int min_iterations = 2;
        int max_iterations = 100;
        double relaxation = 0.5;  ///< ω of the Jacobi iteration
        double warm_start = 0.5;  ///< share of the last pressure to start with
        Kernel kernel = Kernel::cubic_spline;
        double spacing = 0;  ///< m, of samples of solids; for mueller2003
    };

    struct Report {
        int iterations = 0;
        double error_mean = 0;  ///< predicted compression, as a fraction of the rest density
        double error_max = 0;
        bool converged = false;
    };

    Settings settings{};

    /// Density ratio and gradients at the present positions.
    void measure(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<Real> density_ratio);

    /// Makes the velocity one that keeps the density. Bodies are taken to fall with gravity and the forces gathered so
    /// far.
    Report solve(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> density_ratio,
                 std::span<Real> pressure);

    /// Changes the velocity by pressures that come from elsewhere, such as an equation of state.
    void push(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> density_ratio,
              std::span<const Real> pressure);

    /// Displacement of each particle by the solids' pressure in the last solve or push.
    void find_wall_displacement(const BlockContext<S>& context, std::span<Row> wall_displacement) const;

private:
    /// measure() with a kernel, and samples of solids this many times their volume.
    template <class W>
    void measure_with(const W& kernel, Real volume_scale, const FluidView<S>& fluid, const BlockContext<S>& context,
                      std::span<Real> density_ratio);
    /// Sums over all particles.
    struct Errors {
        double sum = 0, max = 0;    ///< of the compression
        double bend = 0, size = 0;  ///< of the last step s: s·A s and s·diagonal s

        Errors& operator+=(const Errors& other) {
            sum += other.sum;
            max = std::max(max, other.max);
            bend += other.bend;
            size += other.size;
            return *this;
        }
    };

    void start(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> density_ratio,
               std::span<const Real> pressure);
    /// Adds the effect of the present P to velocities of particles and to force and torque of bodies.
    void add_to_velocities(const FluidView<S>& fluid, const BlockContext<S>& context);
    /// displacement = -(1/ρ0) (…) by the present P, of particles and bodies.
    void displace(const FluidView<S>& fluid, const BlockContext<S>& context);
    /// Decrease of the density ratio by the displacement of particle i.
    template <class P>
    Real thinning(std::size_t i) const;
    Report iterate_jacobi(const FluidView<S>& fluid, const BlockContext<S>& context);
    Report iterate_accelerated(const FluidView<S>& fluid, const BlockContext<S>& context);
    /// Fills error_ with that of the present pressure; with `compare` it tells what the last step did to it.
    Errors find_errors(const FluidView<S>& fluid, const BlockContext<S>& context, bool compare);
    Report report_of(int iterations, const Errors& errors) const {
        const double mean = errors.sum / static_cast<double>(p_.empty() ? 1 : p_.size());
        return {iterations, mean, errors.max, mean <= settings.tolerance && errors.max <= settings.max_tolerance};
    }
    bool ends(const Report& report) const {
        return (report.converged && report.iterations >= settings.min_iterations) ||
               report.iterations >= settings.max_iterations;
    }

    PairVectors<S> gradients_;       ///< V_j ∇W_ij
    BodyContacts<S> contacts_;       ///< Σ_k V_k ∇W_ik by body
    std::vector<Row> gradient_sum_;  ///< Σ_j V_j ∇W_ij + Σ_k V_k ∇W_ik
    std::vector<Real> square_sum_;   ///< Σ_j |V_j ∇W_ij|² / m_j
    std::vector<Real> lightness_;    ///< 1/ρ0
    std::vector<Real> diagonal_, inverse_diagonal_;
    std::vector<Real> p_;  ///< P
    std::vector<Row> displacement_;
    std::vector<Real> yielding_;      ///< Σ_k V_k d_k·∇W_ik
    std::vector<Real> excess_;        ///< density ratio - 1 that would come without pressure
    std::vector<Real> error_;         ///< the same with the present pressure
    std::vector<Real> last_;          ///< P that the iteration before led to
    std::vector<Real> from_;          ///< P that it started from
    std::vector<Real> error_before_;  ///< and the error there
};

}  // namespace treacle
