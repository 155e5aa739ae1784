#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/union_find.h"

namespace treacle {

/// Connected pieces: for every particle the smallest index in its piece. `row(i)` gives the neighbors of i, and
/// `linked(i, j)` says whether the two are connected; it must be symmetric in i and j.
template <class RowOf, class Linked>
std::vector<std::uint32_t> find_pieces(std::size_t count, const RowOf& row, const Linked& linked) {
    UnionFind pieces(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        for (const std::uint32_t j : row(i)) {
            if (j < i && linked(i, j)) pieces.unite(i, j);  // i is in row j as well
        }
    }
    return pieces.sets();
}

/// The same if all neighbors are connected.
template <class RowOf>
std::vector<std::uint32_t> find_pieces(std::size_t count, const RowOf& row) {
    return find_pieces(count, row, [](std::uint32_t, std::uint32_t) { return true; });
}

inline std::size_t count_pieces(std::span<const std::uint32_t> piece) {
    std::size_t pieces = 0;
    for (std::size_t i = 0; i < piece.size(); ++i) pieces += piece[i] == i ? 1 : 0;
    return pieces;
}

}  // namespace treacle
