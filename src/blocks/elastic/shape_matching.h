#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "math/space.h"
#include "state/births.h"
#include "state/connection_graph.h"

namespace treacle {

/// Shape matching with overlapping clusters (Müller, Heidelberger, Teschner, Gross 2005; as Takamatsu & Kanai 2011 have
/// it, section 3.1, and as one of the three corrections that Takahashi et al. 2014 speak of in section 3.2). The
/// cluster N_j of particle j is j and all it is connected to, and has a reference shape of its own: the place X_jk of
/// each member k relative to j. With weights w,
///
///   t_j = Σ w_k x_k / Σ w_k,   c_j = Σ w_k X_jk / Σ w_k         over k in N_j
///   A_j = Σ w_k (x_k - t_j) (X_jk - c_j)ᵀ,   R_j = the rotation nearest to A_j
///   g_i = 1/|N_i| Σ_{j in N_i} [R_j (X_ji - c_j) + t_j]          the goal of particle i
///
/// Every connection has both places as values: "member" X_ij, the place of the other end in the row's own cluster, and
/// "place" X_ji, the place of the row's particle in the cluster of the other end. The fourth number of "member" is the
/// square of the length in the reference, from which stretches follow.
///
/// Reads positions, masses and connections. fit() writes rotations, which are the start of the next fit: a persistent
/// column of quaternions, a row of zeros standing for none yet. gather() writes g_i - x_i.
///
/// Rigid motion of the reference has displacements of zero. Σ m (g - x) and Σ m x × (g - x) vanish: both momenta stay
/// when velocities are changed by the same share of (g - x)/dt everywhere, the angular one up to the error of the
/// rotations. Where shares s_i differ, both stay with s_i m_i in place of the mass.
///
/// An acceleration κ (g - x) is that of an elastic body of shear modulus G = κ ρ <x²>/2 and Poisson's ratio 0, <x²>
/// being the mean square of a component of the places in a cluster: with u the displacement, the mean over clusters of
/// their mean gives u + <x²> ∇²u and the mean of their rotations, ½ curl u, adds ½ <x²> curl curl u, together ½ <x²>
/// (∇²u + grad div u).
///
/// Departure: w_k = m_k/|N_k| (Rivers & James 2007, FastLSM) in place of 1 or of the mass. A particle of many clusters
///   counts a share in each, and only so do the means over clusters keep momentum where clusters differ in size, at
///   surfaces.
/// Departure: c_j, where Takamatsu & Kanai print X_j in their eq. 7: with it the rest shape is not at rest at surfaces.
/// Departure: places by cluster, where both papers have one reference position per particle: clusters can then be made
///   anew one by one, and those of two bodies that meet need no common frame.
/// Departure: 2D in closed form.
template <class S>
class ShapeMatching {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    bool from_barycenter = true;  ///< false: Takamatsu & Kanai's eq. 7 as printed, without c_j
    int iterations = 30;          ///< of a rotation, at most; with a good start one or two are enough
    Real break_stretch = 0;       ///< for stretched()

    /// Adds the values to the connections.
    static void prepare(ConnectionGraph& clusters);

    /// Clusters of particles that have just come into being get their present shape for a reference.
    static void set_references(const FluidView<S>& fluid, const BlockContext<S>& context, const Births& births,
                               ConnectionGraph& clusters);

    /// R_j, as quaternions. `mass` is that of each particle, or s_i m_i where shares differ.
    void fit(const FluidView<S>& fluid, const BlockContext<S>& context, const ConnectionGraph& clusters,
             std::span<const Real> mass, std::span<Row> rotation);

    /// Rows with a connection that was longer in the last fit than break_stretch times its length in the reference.
    std::span<const std::uint8_t> stretched() const { return stretched_; }

    /// g_i - x_i by the rotations of the last fit; no particle may have moved since.
    void gather(const BlockContext<S>& context, const ConnectionGraph& clusters, std::span<const Row> rotation,
                std::span<Row> displacement) const;

    /// The place of something at x_i + r in the cluster of particle i, as it was fitted last.
    Vec place_of(std::size_t i, Vec r, const Row& rotation) const {
        return turned_back(r - offset_[i].xyz(), rotation);
    }
    static Vec turned_back(Vec r, const Row& rotation);

private:
    void sum_clusters(const FluidView<S>& fluid, const BlockContext<S>& context, const ConnectionGraph& clusters,
                      std::span<const Real> mass);

    std::vector<Row> weighted_;  ///< x_j, and m/|N| for w
    std::vector<Row> spread_;    ///< Σ (x_k - x_j)
    std::vector<std::uint8_t> stretched_;
    std::array<std::vector<Real>, 9> moment_;     ///< A by columns, one particle after the other
    std::vector<Row> center_, reference_center_;  ///< t_j - x_j and c_j
    std::vector<Row> offset_;                     ///< t_j - x_j - R_j c_j
};

}  // namespace treacle
