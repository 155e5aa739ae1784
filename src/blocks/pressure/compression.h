#pragma once

#include <algorithm>

#include "core/parallel.h"

namespace treacle {

/// How far particles are compressed beyond their rest density, as a fraction of it. Expanded ones count as 0.
struct Compression {
    double mean = 0, max = 0;
};

/// density_ratio(i): density / rest density of a particle, in double.
template <class Ratio>
Compression measure_compression(Rows rows, const Parallel& parallel, const Ratio& density_ratio) {
    const auto compression = [&](std::size_t i) { return std::max(0.0, density_ratio(i) - 1); };
    return {parallel.mean(rows, compression), parallel.max(rows, 0.0, compression)};
}

}  // namespace treacle
