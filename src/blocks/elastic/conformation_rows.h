#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "core/promises.h"
#include "math/space.h"
#include "neighbors/neighbors.h"
#include "simd/pack.h"
#include "state/connection_graph.h"

namespace treacle {

/// The rows of particles from whose motion a particle's strain is measured: its neighbors, or, in a body whose shape at
/// rest is stored, its neighbors at rest, with the weights that they had there. Rows are symmetric, and are filled up
/// with i to whole packs (see for_each_filled_eight).
template <class S>
class ConformationRows {
public:
    using Real = typename S::Real;

    ConformationRows(const Neighbors<S>& neighbors) : neighbors_(neighbors) {}
    /// Particles with connections are bonded: their rows are those of the connections.
    ConformationRows(const Neighbors<S>& neighbors, const ConnectionGraph& connections)
        : neighbors_(neighbors), bonded_(neighbors.size()) {
        assert(promises::rows_within(neighbors.size(), connections.rows()));
        const auto others = connections.others();
        const auto rest_length = connections.values<Real>("rest_length");
        for (std::size_t i = 0; i < bonded_.size(); ++i) {
            bonded_[i] = connections.count(i) > 0 ? Real(1) : Real(0);
            begin_.push_back(others_.size());
            count_.push_back(static_cast<std::uint32_t>(connections.count(i)));
            for (std::size_t n = 0; n < count_[i]; ++n) {
                others_.push_back(others[connections.begin(i) + n]);
                rest_length_.push_back(rest_length[connections.begin(i) + n]);
            }
            while (others_.size() % simd::lanes != 0) {
                others_.push_back(static_cast<std::uint32_t>(i));
                rest_length_.push_back(0);
            }
        }
    }

    std::size_t size() const { return neighbors_.size(); }
    bool bonded(std::size_t i) const { return !bonded_.empty() && bonded_[i] > 0; }
    std::span<const std::uint32_t> row(std::size_t i) const {
        return bonded(i) ? std::span<const std::uint32_t>(others_.data() + begin_[i], count_[i]) : neighbors_.row(i);
    }
    std::span<const std::uint32_t> neighbor_row(std::size_t i) const { return neighbors_.row(i); }
    /// The distances at rest of a row, those that fill it up zero; null for neighbors.
    const Real* rest_length(std::size_t i) const { return bonded(i) ? rest_length_.data() + begin_[i] : nullptr; }
    /// 1 for particles that are bonded, 0 for others; empty if there are no connections.
    std::span<const Real> all_bonded() const { return bonded_; }

private:
    const Neighbors<S>& neighbors_;
    std::vector<Real> bonded_;
    std::vector<std::size_t> begin_;  ///< of the rows of connections
    std::vector<std::uint32_t> count_, others_;
    std::vector<Real> rest_length_;
};

}  // namespace treacle
