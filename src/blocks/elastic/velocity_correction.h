#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/elastic/elastic_links.h"
#include "blocks/elastic/held_rows.h"
#include "blocks/fluid_view.h"
#include "blocks/pair_vectors.h"
#include "laws/schemes.h"
#include "linear/conjugate_gradient.h"
#include "math/space.h"

namespace treacle {

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

    using Steps = ElasticSteps;

    bool as_in_paper = false;  ///< c of eqs. 6 and 7 instead of G and λ
    bool springs = false;      ///< stiffness and damping of the connections themselves instead of both
    Steps steps = Steps::automatic;
    double explicit_step = 0;  ///< s, up to which explicit steps are stable; for the automatic choice
    std::vector<Material> materials{};

    bool active() const;
    bool damped() const;  ///< springs with damping

    /// Stiffness a G_i V_i/S_i per particle, N/m, for correct(). Springs have their own; their
    /// hold on solids counts as c = dt² k/m, which is written to the links.
    void measure_stiffness(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links);
    std::span<const Real> stiffness() const { return stiffness_; }

    /// Gives connections that have become stiffer since the last step their old stress again; see VaryingElasticity.
    void keep_stress(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links) const;

    /// Whether corrections by the present positions would overshoot, or damping asks for those at the end of the step.
    /// The paper's c is a share of a stretch per connection and step; a particle with n of them overshoots at c n = 12
    /// and rattles from 3 on.
    bool needs_implicit_steps(const FluidView<S>& fluid, const BlockContext<S>& context,
                              const ElasticLinks<S>& links) const;

    /// (6)
    void correct(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links) const;

    /// The same with D at the end of the step, D_ij + dt (v_i - v_j)·x_ij/|x_ij|, which no stiffness makes unstable:
    /// solved for by conjugate gradients. `held` are the connections to solids.
    SolverReport correct_implicitly(const FluidView<S>& fluid, const BlockContext<S>& context,
                                    const ElasticLinks<S>& links, const HeldRows<Real>& held);

    /// (7), or rest lengths and strengths.
    void relax(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links) const;

private:
    /// Eight connections of i: x_ij/|x_ij| towards j, D, dt² k and dt d.
    template <class P>
    struct Pulls {
        Vec3<P> direction;
        P stretch, stiffness, damping;
    };
    struct Operator;
    struct Masses;

    /// Spans and numbers that are looked up once for many connections.
    struct Inputs {
        Inputs(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links);
        const FluidView<S>& fluid;
        const ConnectionGraph& graph;
        ConnectionGraph::OtherEnds rows;
        std::span<const Real> rest, strength, coefficient;
        Real dt;
        bool one_fluid;
    };
    template <class P>
    Pulls<P> pulls(const Inputs& in, std::size_t i, const std::uint32_t* j, int count, std::size_t n) const;
    /// All that correct() and correct_implicitly() are promised.
    bool ready(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links) const;
    void relax_coefficients(const FluidView<S>& fluid, const BlockContext<S>& context,
                            const ElasticLinks<S>& links) const;
    void relax_lengths(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links) const;
    void heal(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links) const;

    std::vector<Real> stiffness_;
    std::vector<std::uint8_t> healed_;  ///< whether all connections of a particle have their full strength
    PairVectors<S> pairs_;              ///< √(dt² k) x_ij/|x_ij|
    std::vector<Row> right_, change_;
    ConjugateGradient<Real> solver_;
};

}  // namespace treacle
