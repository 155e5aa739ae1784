#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "state/state.h"

namespace treacle {

/// Writes a frame as binary little-endian PLY, a vertex per particle in id order: float x y z vx vy vz, uint id,
/// uchar material, float density, then the other exported columns as floats (name, name_x…z, name_xx…zz).
/// Comments in the header give frame, time and the unit of every property.
Result<void> write_ply(const std::string& path, const Frame& frame);

/// A vertex list that was read from a PLY file.
struct PlyTable {
    struct Column {
        std::string name;
        std::string unit;  ///< empty if the file does not say
        std::vector<double> values;
    };

    int frame = 0;    ///< 0 if the file does not say
    double time = 0;  ///< s; 0 if the file does not say
    std::size_t rows = 0;
    std::vector<Column> columns;  ///< in the order of the file

    const Column* find(std::string_view name) const;
};

/// Reads the vertices of any binary little-endian PLY file; elements after them are skipped. Other flavors of PLY,
/// damaged headers and files that are too short or too long are refused with a reason.
Result<PlyTable> read_ply(const std::string& path);

}  // namespace treacle
