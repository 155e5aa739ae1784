#pragma once

#include <cstdint>
#include <span>

#include "math/space.h"
#include "neighbors/neighbors.h"
#include "state/connection_graph.h"

namespace treacle {

/// Whose motion tells a particle how it is strained: its neighbors, or, for particles of a body whose shape at rest is stored, those
/// that were its neighbors at rest, with the weights that they had there. Rows are symmetric.
template <class S>
class ConformationRows {
public:
    using Real = typename S::Real;

    ConformationRows(const Neighbors<S>& neighbors) : neighbors_(neighbors) {}
    /// `bonded` has 1 for particles whose row is that of the connections, 0 for others.
    ConformationRows(const Neighbors<S>& neighbors, const ConnectionGraph& connections, std::span<const Real> bonded)
        : neighbors_(neighbors), connections_(&connections), others_(connections.others()),
          rest_length_(connections.values<Real>("rest_length")), bonded_(bonded) {}

    std::size_t size() const { return neighbors_.size(); }
    bool bonded(std::size_t i) const { return connections_ && bonded_[i] > 0; }
    std::span<const std::uint32_t> row(std::size_t i) const {
        return bonded(i) ? others_.subspan(connections_->begin(i), connections_->count(i)) : neighbors_.row(i);
    }
    std::span<const std::uint32_t> neighbor_row(std::size_t i) const { return neighbors_.row(i); }
    /// The distances at rest of a row; null for neighbors.
    const Real* rest_length(std::size_t i) const { return bonded(i) ? rest_length_.data() + connections_->begin(i) : nullptr; }
    /// Empty if there are none.
    std::span<const Real> all_bonded() const { return bonded_; }

private:
    const Neighbors<S>& neighbors_;
    const ConnectionGraph* connections_ = nullptr;
    std::span<const std::uint32_t> others_;
    std::span<const Real> rest_length_, bonded_;
};

}  // namespace treacle
