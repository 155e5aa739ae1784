#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"
#include "math/rotation.h"
#include "state/state.h"

namespace treacle {

/// One frame of particles as plain arrays in the order of ids. The writers of files take it, whether it comes from a
/// simulation under way or from a file of its run.
struct ParticleTable {
    struct Column {
        std::string name;
        std::string unit;
        ColumnShape shape = ColumnShape::scalar;
        std::vector<float> values;  ///< rows of 1, 3 (x y z) or 6 (xx xy xz yy yz zz)
    };

    int frame = 1;
    double time = 0;                             ///< s
    std::vector<std::array<float, 3>> position;  ///< m
    std::vector<std::array<float, 3>> velocity;  ///< m/s
    std::vector<std::uint32_t> id;
    std::vector<std::uint8_t> material;
    std::vector<float> density;  ///< kg/m³
    std::vector<Column> extra;   ///< of the method, in the order of the state

    std::size_t size() const { return position.size(); }

    /// Relative size of a particle: its spacing over that of the run, 1 unless the method has a column "size".
    float size_of(std::size_t n) const;
};

ParticleTable particle_table(const Frame& frame);

/// Reads a frame of a run (PLY).
Result<ParticleTable> read_particle_table(const std::string& path);

/// From Y up, as in the simulation, to Z up: (x, y, z) becomes (x, -z, y).
inline constexpr Quaternion from_y_up_to_z_up{0.70710678118654752, 0.70710678118654752, 0, 0};
void turn_to_z_up(ParticleTable& table);

}  // namespace treacle
