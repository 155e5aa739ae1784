#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "math/space.h"
#include "state/connection_graph.h"

namespace treacle {

/// Shape matching with overlapping clusters (Müller, Heidelberger, Teschner, Gross 2005; as Takamatsu & Kanai 2011 have it,
/// section 3.2, and as one of the three corrections that Takahashi et al. 2014 speak of in section 3.2.1). The cluster N_j of
/// particle j is j and all it is connected to. With weights w and reference positions X,
///
///   t_j = Σ w_k x_k / Σ w_k,   c_j = Σ w_k X_k / Σ w_k          over k in N_j
///   A_j = Σ w_k (x_k - t_j) (X_k - c_j)ᵀ,   R_j = the rotation nearest to A_j
///   g_i = 1/|N_i| Σ_{j in N_i} [R_j (X_i - c_j) + t_j]           the goal of particle i
///
/// Reads positions, references, masses and rows of connections. fit() writes rotations, which are the start of the next
/// fit: a persistent column of quaternions, a row of zeros standing for none yet. gather() writes g_i - x_i.
///
/// Rigid motion of the reference has displacements of zero. Σ m (g - x) and Σ m x × (g - x) vanish: both momenta stay when
/// velocities are changed by the same share of (g - x)/dt everywhere, the angular one as far as rotations are exact.
///
/// Departure: w_k = m_k/|N_k| (Rivers & James 2007, FastLSM) in place of 1 or of the mass. A particle of many clusters
///   counts a share in each, and only so do the means over clusters keep momentum where clusters differ in size, at surfaces.
/// Departure: c_j, where Takamatsu & Kanai print X_j in their eq. 7: with it the rest shape is not at rest at surfaces.
/// Departure: 2D in closed form.
///
/// Limits: no modulus in Pa: the stiffness of a goal is that of the share taken per step, and grows with the cluster.
template <class S>
class ShapeMatching {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    struct Fluid {
        std::span<const Row> position, reference;
        std::span<const Real> mass;
    };

    int iterations = 30;      ///< of a rotation, at most; with a good start one or two are enough

    /// R_j, as quaternions.
    void fit(const ConnectionGraph::Rows& clusters, const Fluid& fluid, const Parallel& parallel, std::span<Row> rotation);

    /// g_i - x_i by the rotations fitted before.
    void gather(const ConnectionGraph::Rows& clusters, const Fluid& fluid, std::span<const Row> rotation,
                const Parallel& parallel, std::span<Row> displacement) const;

private:
    void sum_clusters(const ConnectionGraph::Rows& clusters, const Fluid& fluid, const Parallel& parallel);

    std::vector<Real> weight_;                     ///< m/|N|
    std::array<std::vector<Real>, 9> moment_;      ///< A by columns, one particle after the other
    std::vector<Row> center_, reference_center_;   ///< t_j - x_j and c_j - X_j
    std::vector<Row> offset_;                      ///< t_j - x_j - R_j (c_j - X_j)
};

}  // namespace treacle
