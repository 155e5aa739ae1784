#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/moving_positions.h"
#include "core/parallel.h"
#include "kernels/cubic_spline.h"
#include "math/mat3.h"
#include "math/space.h"
#include "math/sym_mat.h"
#include "neighbors/neighbors.h"
#include "state/connection_graph.h"

namespace treacle {

/// Where the neighbors of a particle were at rest, for elastic bodies that are strained far and shall come back: the
/// conformation is then measured against that shape and not added up step by step, and it cannot drift.
///
///   F_i = (Σ_j w_ij x_ij X_ijᵀ) (Σ_j w_ij X_ij X_ijᵀ)⁻¹,   Q_i = F_i F_iᵀ,   X the offsets at rest, w = -W'(|X|)/|X|
///
/// F does not see motion in which neighbors move in opposite directions by turns, so that particles would come together
/// in pairs. Half of every length's difference from F is therefore taken back in each step (Ganzenmüller 2015 has a
/// force for the same):
///
///   x_i += ½ Σ_j w_ij/Σw · m_j/(m_i + m_j) · (e_ij - e_ji) d_ij,   e_ij = d_ij·(x_ij - F_i X_ij),   d_ij = x_ij/|x_ij|
///
/// with Σw that of a lattice, the same for all. The paper's section 7 asks for stored shapes. Connections have X_ij as
/// the value "member", with |X_ij|² as its fourth number.
///
/// Reads positions, masses and connections; writes connections, positions and conformations. A rotation of all leaves
/// Q_i turned and nothing else. Moves are opposite when weighted by mass, and along the line of the two: both momenta
/// stay. Where too few connections are left to span space nothing is remembered: Q_i = 1.
template <class S>
class RestState {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    double support_radius = 0;
    double lattice_weight = 1;  ///< Σw
    Real break_stretch = 0;     ///< for stretched()

    static void prepare(ConnectionGraph& connections) { connections.add_value<Row>("member", "m"); }

    /// The present shape is that at rest, for particles that are bonded (1).
    void store(std::span<const Real> bonded, const Neighbors<S>& neighbors, std::span<const Row> position,
               const Parallel& parallel, ConnectionGraph& connections) const;

    /// Takes back half of what lengths have beside the deformation.
    void straighten(const ConnectionGraph& connections, std::span<const Real> mass, const Parallel& parallel,
                    MovingPositions<S>& moving);

    /// Q_i of all that are connected.
    void recall(const ConnectionGraph& connections, std::span<const Row> position, const Parallel& parallel,
                std::span<SymMat<Real>> conformation);

    /// Rows with a connection that was longer in recall() than break_stretch times its length at rest.
    std::span<const std::uint8_t> stretched() const { return stretched_; }

private:
    /// F_i of all; zero where there is none.
    void deform(const ConnectionGraph& connections, std::span<const Row> position, const Parallel& parallel);

    std::vector<std::uint8_t> stretched_;
    std::vector<Mat3<Real>> deformation_;
    std::vector<Row> change_;
};

}  // namespace treacle
