#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/elastic/conformation_laws.h"
#include "blocks/elastic/conformation_rows.h"
#include "blocks/elastic/rotation_extraction.h"
#include "blocks/fluid_view.h"
#include "blocks/moving_positions.h"
#include "blocks/pair_numbers.h"
#include "blocks/pair_pack.h"
#include "core/large_pages.h"
#include "core/promises.h"
#include "kernels/cubic_spline.h"
#include "math/mat3.h"
#include "math/space.h"
#include "simd/groups.h"

namespace treacle {

/// Viscoelasticity by constraints on the conformation tensor Q of each particle, which is the identity at rest
/// (Barreiro, García-Fernández, Alduán, Otaduy 2017: Conformation Constraints for Efficient Viscoelastic Fluid
/// Simulation; numbers of equations are theirs). With g_ij = c V_j ∇_jW_ij, x_ji = x_j - x_i:
///
///   velocities:  L_i = (Σ (u_j - u_i) g_ijᵀ - [ω_i]× K_i) B_i,    C_i = Q_i - 1 + dt (L_i + L_iᵀ)  (9, 10)
///   positions:   L_i = (Σ (R_iᵀ x_ji - x0_ji) g_ijᵀ) B_i,         C_i = Q_i - 1 + L_i + L_iᵀ  (15, 16)
///   stress:      T_i += (C_i - T_i/G) / (D_i/ω + 1/G)  (11, 17)
///   change:      m_i Δu_i = dt V_i Σ (P_i + P_j) g_ij,   Δx likewise with dt²,   P = adjoint of L applied to ΔT
///     (12, 18)
///   conformation at the end of the step:  F = R (1 + L),  Q ← 1 + (F Q Fᵀ - 1) e^(-dt/τ)  (6)
///   or by another law of relaxation (conformation_laws.h)
///
/// T is the extra stress (Pa), so that T = G C when converged: 1/G is the constraint's compliance, 0 makes it rigid.
/// K_i = Σ x_ji g_ijᵀ is the identity within a lattice by choice of c; ω_i is the angular velocity that fits the
/// neighbors best, R_i the rotation that does (Müller et al. 2016); B_i = (1+ε)(K_i + ε)⁻¹ makes up for missing
/// neighbors. Neighbors, g_ij, K_i and B_i are those of the start of the step, for velocities, positions and update().
///
/// For a body whose shape at rest is stored (conformation_rows.h) neighbors and the weights in g_ij are those at rest.
///
/// Reads position, velocity, mass, volume, compliance, stress and conformation; writes velocity or position, stress,
/// conformation. Pair impulses are opposite, and a constraint pushes nothing round about the places at the start of the
/// step. Velocities are displacements over the step, angular momentum Σ m x0 × Δx/dt: both momenta stay, whether
/// converged or not. (Angular momentum to 1e-6 of what moves: a small term keeps ω_i finite where all neighbors lie in
/// a line.) Q stays positive definite.
///
/// Departure: gradients of the start of the step, where (15) to (18) have present ones (`present_gradients`). With
///   these every step of angle a leaves 1/√(1 + a²) of a rotation; and strain of positions is another than that of
///   velocities, and no derivative of an energy, so that stiff bodies explode
///   (docs/decisions/gradients-of-the-start.md).
/// Departure: ω_i. Eq. 9 sees strain in the rotation of particles whose neighbors lie on one side, and stops it.
/// Departure: B_i. Without it strain at a surface counts half, and the surface of an elastic body is soft.
/// Departure: C_i is scaled as one tensor with one D_i = 2 dt² V_i (tr B²/3)(Σ |g_ij|²/m_j + |Σ g_ij|²/m_i)/3, in 2D
///   with 2 in place of 3. With a scale for each component the material depends on the axes.
/// Departure: positions go on from the stress of velocities. Starting again from zero doubles the modulus.
/// Departure: ω, the relaxation of Jacobi's iteration, divides D_i before the stress is summed. The paper scales the
///   displacement: then momentum is lost and the compliance changes with the number of neighbors.
/// Departure: masses, which eqs. 12 and 18 leave out; L turned back by R in (16), as Q is; the multiplicative update of
///   Q, which cannot lose its positive definiteness as the implicit (6) does.
template <class S>
class Conformation {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    struct Settings {
        double support_radius = 0;
        double gradient_scale = 1;      ///< c
        bool corotational = true;       ///< false: no ω_i, R_i = 1 and B_i = 1, as the paper's comparison has it
        bool hydrostatic = true;        ///< false: constrains shear alone
        double hydrostatic_ratio = 1;   ///< G of the hydrostatic part, in units of that of shear
        double correction_floor = 0.3;  ///< ε; 0: B_i = 1
        double neighbor_share = 5;      ///< β: ω is β over the number of neighbors
        double most_relaxation = 0.25;  ///< ω at most
        /// As in the paper: positions and update() take present gradients, and L = (Σ (x_ji - R x0_ji) g_ijᵀ) B,
        /// C = R Q Rᵀ - 1 + L + Lᵀ, F = (1 + L) R. Rows must then follow the positions.
        bool present_gradients = false;
    };

    /// The constraints of all particles in a step.
    struct Constraints {
        const ConformationRows<S>& rows;       ///< at the start of the step; they hold until its end
        std::span<const Real> compliance;      ///< 1/G, 1/Pa; negative: the particle has no constraint
        std::span<SymMat<Real>> conformation;  ///< Q; update() writes it
    };

    /// Contacts in a search for velocities.
    struct Contacts {
        /// Takes out of changes of velocity those that contacts do not allow. `choose` is true in the first call of a
        /// search: then it may choose which contacts these are.
        std::function<void(std::span<Row> change, bool choose)> restrain;
        std::function<void(Real step)> follow;  ///< velocities went this far along the change restrained last
        std::function<void()> take_half_back;   ///< half of all steps since the last choice is undone
    };

    Settings settings{};

    /// The start of a step, at the fluid's positions: sets the stress to zero and computes gradients and frames. These
    /// hold for all that is done to velocities.
    void begin(const FluidView<S>& fluid, const BlockContext<S>& context, const Constraints& constraints);

    /// One iteration of Jacobi on velocities.
    void project_velocities(const FluidView<S>& fluid, const BlockContext<S>& context, const Constraints& constraints);

    /// Several iterations at once by conjugate gradients for the stress, preconditioned by D_i, with which
    /// project_velocities() iterates: both converge to the same stress. If the residual has grown since the last call,
    /// because contacts changed, half of the changes of that call are taken back.
    void solve_velocities(const FluidView<S>& fluid, const BlockContext<S>& context, const Constraints& constraints,
                          int iterations, const Contacts& contacts);

    /// One iteration on positions.
    void project_positions(const FluidView<S>& fluid, const BlockContext<S>& context, const Constraints& constraints,
                           MovingPositions<S>& moving);

    /// The end of a step: Q follows the deformation and relaxes. `stress_share` gets the mean stress of the step over
    /// the stress without relaxation.
    void update(const FluidView<S>& fluid, const BlockContext<S>& context, const Constraints& constraints,
                const MovingPositions<S>& moving, std::span<const ConformationMemory<Real>> memory,
                std::span<Real> stress_share);

    /// T, Pa, of the present step.
    SymMat<Real> stress(std::size_t i) const;

private:
    using Lanes = simd::Lanes<Real>;

    /// Whether every particle has its values.
    static bool whole(const FluidView<S>& fluid, const Constraints& constraints) {
        return promises::sized(fluid.size(), fluid.velocity, fluid.mass, fluid.volume, constraints.rows,
                               constraints.compliance, constraints.conformation);
    }
    /// Whether begin() was called for that many particles.
    bool begun(std::size_t count) const { return frames_.size() == simd::groups_of(count); }

    /// The quantities of a particle's constraint, except the gradients. Here and below N is a pack, of eight particles
    /// in registers, or Lanes, of eight in memory.
    template <class N>
    struct Frame {
        SymMat<N> shape;       ///< K
        SymMat<N> spin;        ///< (tr K - K)⁻¹
        SymMat<N> correction;  ///< B
        Vec3<N> gradient;      ///< Σ g_ij
        N diagonal;            ///< D/ω
    };
    /// Σ over the neighbors of a particle.
    template <class N>
    struct ShapeSums {
        SymMat<N> shape;   ///< x_ji g_ijᵀ
        Vec3<N> gradient;  ///< g_ij
        N squares;         ///< |g_ij|² / m_j; without m_j if all are alike
    };
    /// Eight particles of the fluid.
    template <class P>
    struct Members {
        Members(const FluidView<S>& fluid, const Constraints& constraints, std::size_t g, int members)
            : first(g * simd::lanes), count(members), mass(simd::load_group<P>(fluid.mass, g, members)),
              volume(simd::load_group<P>(fluid.volume, g, members)),
              compliance(simd::load_group<P>(constraints.compliance, g, members)) {}
        std::size_t first;
        int count;
        P mass, volume, compliance;
    };

    /// Pairs of i, eight at a time. Alike: all particles have a constraint, the same mass and volume, and rows of
    /// neighbors, so that nothing but positions has to be loaded. Gradients are in units of pair_scale_.
    template <class P, bool alike>
    class PairKernel;
    template <class N>
    struct MotionSums {
        ShapeSums<N> shape;
        Mat3<N> from;  ///< x0_ji g_ijᵀ
    };
    template <class P>
    struct Pushes;
    void find_alike(const FluidView<S>& fluid, const BlockContext<S>& context, const Constraints& constraints);
    /// body(true_type) or body(false_type): whether all are alike.
    template <class Body>
    void by_kind(const Body& body) const;
    /// Lane l: the sum of the lanes of of(l), without the unit of gradients.
    template <class P, class Of>
    ShapeSums<P> totals(const Of& of) const;
    template <class P>
    Frame<P> frame_of(const Members<P>& members, const ConformationRows<S>& rows, const ShapeSums<P>& sums) const;
    template <class P>
    Frame<P> frame_at_start(std::size_t g) const;
    /// of_shear times the deviator of a tensor plus of_volume times the rest, which is zero if only shear is
    /// constrained.
    template <class P>
    SymMat<P> scaled(const SymMat<P>& tensor, P of_shear, P of_volume) const;
    /// 1/G times a stress.
    template <class P>
    SymMat<P> compliant(const SymMat<P>& stress, P compliance) const;
    /// A residual over D/ω + 1/G; zero for particles without a constraint.
    template <class P>
    SymMat<P> preconditioned(const SymMat<P>& residual, P compliance, P diagonal) const;
    /// Adds to the stress of a group as its strain demands. Returns P of the change.
    template <class P>
    Mat3<P> add_stress(std::size_t g, const Frame<P>& frame, const SymMat<P>& strain, P compliance);
    template <class P>
    Mat3<P> adjoint(const Frame<P>& frame, const SymMat<P>& stress) const;
    /// Stores P of a group for a pass over pairs, and its positions beside it.
    template <class P>
    void store_pushes(std::size_t g, int members, const Mat3<P>& p, const Vec3<P>& gradient,
                      std::span<const Row> position);
    /// dt (L + Lᵀ) of velocities, or of changes of velocity.
    template <class P>
    SymMat<P> strain_in_step(const FluidView<S>& fluid, const ConformationRows<S>& rows, std::size_t g, int members,
                             std::span<const Row> velocity) const;
    /// Σ (a_j - a_i) g_ijᵀ of a group.
    template <class P>
    Mat3<P> differences_of(const ConformationRows<S>& rows, std::size_t g, int members, std::span<const Row> start,
                           std::span<const Row> a) const;
    /// give(i, dt V_i/m_i Σ (P_i + P_j) g_ij)
    template <class Give>
    void push_particles(const FluidView<S>& fluid, const BlockContext<S>& context, const ConformationRows<S>& rows,
                        std::span<const Row> start, const Give& give) const;
    /// to_i = before_i + what push_particles() gives; without `before` that term is zero.
    void push_velocities(const FluidView<S>& fluid, const BlockContext<S>& context, const ConformationRows<S>& rows,
                         const Row* before, std::span<Row> to) const;
    /// R of a group that was deformed so.
    template <class P>
    Mat3<P> rotation_of(std::size_t g, const Mat3<P>& deformed);
    /// visit(Use<P>, g, members, frame, L, R) at these positions.
    template <class Visit>
    void measure_positions(const FluidView<S>& fluid, const BlockContext<S>& context, const Constraints& constraints,
                           const MovingPositions<S>& moving, const Visit& visit);

    // The same with present gradients: project_positions() and what it consists of.
    void project_at_present(const FluidView<S>& fluid, const BlockContext<S>& context, const Constraints& constraints,
                            MovingPositions<S>& moving);
    template <bool alike, class Visit>
    void measure_at_present(const FluidView<S>& fluid, const BlockContext<S>& context, const Constraints& constraints,
                            const MovingPositions<S>& moving, const Visit& visit);
    template <bool alike>
    void push_at_present(const FluidView<S>& fluid, const BlockContext<S>& context, const Constraints& constraints,
                         MovingPositions<S>& moving) const;

    // The parts of conjugate gradients, each a pass over all particles; see conformation_velocities.h.
    double start_search(const FluidView<S>& fluid, const BlockContext<S>& context, const Constraints& constraints);
    void set_direction(const FluidView<S>& fluid, const BlockContext<S>& context, const Constraints& constraints,
                       Real turn);
    double apply_operator(const FluidView<S>& fluid, const BlockContext<S>& context, const Constraints& constraints);
    double step_along(const FluidView<S>& fluid, const BlockContext<S>& context, const Constraints& constraints,
                      Real step);
    void take_half_back(const FluidView<S>& fluid, const BlockContext<S>& context);
    double sum_of_products(const FluidView<S>& fluid, const BlockContext<S>& context) const;

    CubicSpline<S> kernel_;
    Real dt_ = 0;
    bool alike_ = false;  ///< see PairKernel
    Real pair_scale_ = 0;
    PairNumbers<Real> factors_;          ///< f of g_ij = f x_ji at the positions of begin()
    std::vector<Frame<Lanes>> frames_;   ///< likewise
    std::vector<SymMat<Lanes>> stress_;  ///< T
    /// Four rows per particle: those of P, with the particle's position beside them so that one load fetches both, and
    /// P Σ g_ij.
    std::vector<Row, LargePages<Row>> push_;
    std::vector<Quaternions<Lanes>> rotation_;  ///< R
    std::vector<Row> change_;                   ///< of velocity

    // Of conjugate gradients: r, p, A p or P r, and a product per particle; the velocity and stress from which the last
    // call started, and r·P r there.
    std::vector<SymMat<Lanes>> rest_, direction_, curvature_, stress_before_;
    std::vector<Lanes> product_;
    std::vector<Row> velocity_before_;
    double square_before_ = 0;
};

}  // namespace treacle
