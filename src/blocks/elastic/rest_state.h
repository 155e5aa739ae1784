#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/elastic/conformation_rows.h"
#include "blocks/fluid_view.h"
#include "blocks/moving_positions.h"
#include "kernels/cubic_spline.h"
#include "math/mat3.h"
#include "math/space.h"
#include "math/sym_mat.h"
#include "state/connection_graph.h"

namespace treacle {

/// Where the neighbors of a particle were at rest, for elastic bodies that come back from large strain: conformation is
/// measured against that shape. It is not added up step by step, so it cannot drift.
///
///   F_i = (Σ_j w_ij x_ij X_ijᵀ) (Σ_j w_ij X_ij X_ijᵀ)⁻¹,   Q_i = F_i F_iᵀ,   X the offsets at rest, w = -W'(|X|)/|X|
///
/// F does not see motion in which neighbors move in opposite directions by turns, so that particles would come together
/// in pairs. Half of every length's difference from F is therefore taken back in each step (Ganzenmüller 2015 has a
/// force for the same):
///
///   x_i += ½ Σ_j w_ij/Σw · m_j/(m_i + m_j) · (e_ij - e_ji) d_ij,   e_ij = d_ij·(x_ij - F_i X_ij),   d_ij = x_ij/|x_ij|
///
/// with Σw that of a lattice, the same for all. Connections that are stretched too far are cut. The paper (Barreiro et
/// al. 2017) asks for stored shapes in its section 7. Connections have X_ij as the value "member", with |X_ij|² as its
/// fourth number.
///
/// Reads positions, masses, materials and connections; writes connections, positions and conformations. If all is
/// turned, Q_i turns with it and nothing else changes. Moves are opposite when weighted by mass, and along the line of
/// the two: both momenta stay. Where too few connections are left to span space there is no strain: Q_i = 1.
template <class S>
class RestState {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    double support_radius = 0;
    double lattice_weight = 1;        ///< Σw
    std::vector<Real> break_stretch;  ///< by material; 0: it has no shape at rest

    /// Whether any material has a shape at rest. All that follows does nothing otherwise.
    bool active() const;

    static void prepare(ConnectionGraph& connections) { connections.add_value<Row>("member", "m"); }

    /// Takes the present shape for that at rest: connects neighbors within the support radius.
    void store(const FluidView<S>& fluid, const BlockContext<S>& context, ConnectionGraph& connections) const;

    /// The rows from which strain is measured: those of the connections, where there are any.
    ConformationRows<S> rows(const Neighbors<S>& neighbors, const ConnectionGraph& connections) const;

    /// Takes back half of every length's difference from F.
    void straighten(const FluidView<S>& fluid, const BlockContext<S>& context, const ConnectionGraph& connections,
                    MovingPositions<S>& moving);

    /// Q_i of all that are connected.
    void measure_conformation(const FluidView<S>& fluid, const BlockContext<S>& context,
                              const ConnectionGraph& connections, std::span<SymMat<Real>> conformation);

    /// Cuts connections that were longer in measure_conformation() than break_stretch times their length at rest, with
    /// the smaller break_stretch of both ends.
    void cut_overstretched(const FluidView<S>& fluid, const BlockContext<S>& context,
                           ConnectionGraph& connections) const;

private:
    void measure_deformation(const FluidView<S>& fluid, const BlockContext<S>& context,
                             const ConnectionGraph& connections);
    Real shortest_stretch() const;

    std::vector<std::uint8_t> stretched_;  ///< 1: a connection is longer than the smallest break_stretch of all allows
    std::vector<Mat3<Real>> deformation_;  ///< F_i; zero where there is none
    std::vector<Row> change_;
};

}  // namespace treacle
