#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "blocks/elastic/varying_elasticity.h"
#include "blocks/pair_vectors.h"
#include "core/parallel.h"
#include "linear/conjugate_gradient.h"
#include "math/sym_mat.h"
#include "math/space.h"
#include "state/connection_graph.h"

namespace treacle {

/// What solids hold particles by: per particle the impulse at the present velocities and the matrix by which it falls
/// with a change of them. Empty: nothing is held.
template <class Real>
struct HeldRows {
    std::vector<Row4<Real>> impulse;   ///< kg m/s
    std::vector<SymMat<Real>> matrix;  ///< kg
};

/// Velocities corrected by connections (Takahashi et al. 2014, sections 3.2.1 and 3.2.2). With D_ij = |x_ij| - r_ij the
/// stretch of a connection,
///
///   Δv_i = -(1/dt) Σ_j c_ij m_j/(m_i + m_j) max(D_ij, 0) x_ij/|x_ij|                            (6)
///   c_i ← max(c_i - dt Σ_j w_ij s_ij, l_i),   s_ij = 1 where D_ij/h > γ_ij                      (7)
///
/// are the paper's equations. This is one step of a spring of stiffness k_ij = c_ij/dt² · m_i m_j/(m_i + m_j), so a
/// material of shear modulus G that relaxes within λ has, in place of c,
///
///   k_ij = g_ij a (G_i V_i/S_i + G_j V_j/S_j),   S_i = Σ_j g_ij r_ij²,   a = 15 (2D: 8)
///   dr_ij/dt = (|x_ij| - r_ij)/λ
///
/// where g_ij, the strength of the connection, grows from 0 to 1 after it was made. V_i/S_i makes up for connections
/// that are missing at the surface; D counts in both directions, except between different fluids, which only pull.
///
/// Or connections are springs of their own stiffness and damping d (the mean of both ends), which pull and push,
///
///   m_i Δv_i = -dt Σ_j [k_ij D_ij + d_ij (v_i - v_j)·n] n,   n = x_ij/|x_ij|
///
/// and neither decay nor relax. The damping is that of the end of the step: with it correct_implicitly() is asked for.
///
/// Reads positions, masses, materials and connections; correct() adds to the velocity, relax() writes rest lengths,
/// strengths or c. Linear and angular momentum are kept.
///
/// Departure: c is relaxed from the old values of both ends; in place, i and j would see different c_ij and momentum
/// leak.
/// Departure: connections pressed to less than half their length push with k|x| instead of k(r - |x|). Their direction
///   turns the faster the shorter they are, and a push that does not fall with the length then explodes.
/// Departure: c is never raised to l. Connections whose ends coincide do nothing.
template <class S>
class VelocityCorrection {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    struct Material {
        Real shear_modulus = 0;                                     ///< G, Pa
        Real relaxation_rate = 0;                                   ///< 1/λ, 1/s
        Real yield_strain = 0;                                      ///< of a connection; below it nothing relaxes
        Real healing_rate = std::numeric_limits<Real>::infinity();  ///< of g, 1/s
        Real full_square = 0;  ///< S_i of a particle within the material, m²: fragments count a third of it at least

        Real lowest_coefficient = 0;  ///< l
        Real decay = 0;               ///< w, 1/s
        Real yield_distance = 0;      ///< γ h, m

        Real spring_stiffness = 0;  ///< N/m
        Real spring_damping = 0;    ///< N s/m
    };

    struct Fluid {
        std::span<const Row> position;
        std::span<const Real> mass, volume;
        std::span<const std::uint8_t> material;
        std::span<const std::uint32_t> fluid;
        const VaryingElasticity<Real>* varying = nullptr;  ///< null: as the materials say
    };

    bool as_in_paper = false;  ///< c of eqs. 6 and 7 instead of G and λ
    bool springs = false;      ///< stiffness and damping of the connections themselves instead of both
    std::vector<Material> materials{};

    bool active() const;
    bool damped() const;  ///< springs with damping

    /// Stiffness a G_i V_i/S_i per particle, N/m; needed by correct() unless as_in_paper or springs.
    void measure(const ConnectionGraph& connections, const Fluid& fluid, const Parallel& parallel);
    std::span<const Real> stiffness() const { return stiffness_; }

    /// Takes the stress out of what has become stiffer since the last step, down to what it was; see VaryingElasticity.
    void cure(ConnectionGraph& connections, const Fluid& fluid, const Parallel& parallel) const;

    /// (6)
    void correct(const ConnectionGraph& connections, const Fluid& fluid, std::span<const Real> coefficient, Real dt,
                 const Parallel& parallel, std::span<Row> velocity) const;

    /// The same with D at the end of the step, D_ij + dt (v_i - v_j)·x_ij/|x_ij|, which no stiffness makes unstable:
    /// solved for by conjugate gradients. `held` are the connections to solids.
    SolverReport correct_implicitly(const ConnectionGraph& connections, const Fluid& fluid,
                                    std::span<const Real> coefficient, Real dt, const HeldRows<Real>& held,
                                    const Parallel& parallel, std::span<Row> velocity);

    /// (7), or rest lengths and strengths.
    void relax(ConnectionGraph& connections, const Fluid& fluid, Real dt, const Parallel& parallel,
               std::span<Real> coefficient) const;

private:
    /// Eight connections of i: x_ij/|x_ij| towards j, D, dt² k and dt d.
    template <class P>
    struct Pulls {
        Vec3<P> direction;
        P stretch, stiffness, damping;
    };
    struct Operator;
    struct Masses;

    /// What is looked up once for many connections.
    struct Links {
        Links(const ConnectionGraph& graph, const Fluid& fluid);
        const ConnectionGraph& graph;
        ConnectionGraph::Rows rows;
        std::span<const Real> rest, strength;
        bool one_fluid;
    };
    template <class P>
    Pulls<P> pulls(const Links& links, const Fluid& fluid, std::span<const Real> coefficient, Real dt, std::size_t i,
                   const std::uint32_t* j, int count, std::size_t n) const;
    void relax_coefficients(const ConnectionGraph& connections, const Fluid& fluid, Real dt, const Parallel& parallel,
                            std::span<Real> coefficient) const;
    void relax_lengths(ConnectionGraph& connections, const Fluid& fluid, Real dt, const Parallel& parallel) const;
    void heal(ConnectionGraph& connections, const Fluid& fluid, Real dt, const Parallel& parallel) const;

    std::vector<Real> stiffness_;
    std::vector<std::uint8_t> healed_;  ///< whether all connections of a particle have their full strength
    PairVectors<S> pairs_;              ///< √(dt² k) x_ij/|x_ij|
    std::vector<Row> right_, change_;
    ConjugateGradient<Real> solver_;
};

}  // namespace treacle
