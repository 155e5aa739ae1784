#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace treacle {

/// Disjoint sets of the numbers from 0 on, which can be united. A set is named by its smallest member, whatever the
/// order of the unions.
class UnionFind {
public:
    explicit UnionFind(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }

    /// The smallest member of the set that n is in.
    std::uint32_t find(std::uint32_t n) {
        while (parent_[n] != n) n = parent_[n] = parent_[parent_[n]];
        return n;
    }

    void unite(std::uint32_t a, std::uint32_t b) {
        a = find(a), b = find(b);
        if (a > b) std::swap(a, b);
        parent_[b] = a;
    }

    /// The same as find() for every number.
    std::vector<std::uint32_t> sets() {
        for (std::uint32_t n = 0; n < parent_.size(); ++n) parent_[n] = find(n);
        return parent_;
    }

private:
    std::vector<std::uint32_t> parent_;
};

}  // namespace treacle
