#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neighbors/cell_grid.h"

namespace treacle {

/// The best order to store particles: by cell along the Morton curve, within a cell by id. Neighbors in
/// space become neighbors in memory. Returns source indices for Columns::permute.
template <class Real>
std::vector<std::uint32_t> morton_order(std::span<const Row4<Real>> positions, std::span<const std::uint32_t> id,
                                        double cell_side);

}  // namespace treacle
