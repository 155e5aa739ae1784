#pragma once

#include "state/column_table.h"

namespace treacle {

/// The fluid: one row per particle. Columns that every particle has, in the precision of the run:
///   position (m), velocity (m/s)   vectors
///   mass (kg), density (kg/m³)     scalars
///   volume (m³; 2D: m²)            at rest; scratch of methods that measure it
///   id, material, fluid            integers; the id is stable and comes from (fluid, sample number), the fluid is its
///                                  number in the scene, with emitters after the fluids
class Particles : public ColumnTable {
public:
    explicit Particles(ScalarType real);

    ScalarType real() const { return real_; }

    /// Storage indices in ascending order of id.
    std::vector<std::uint32_t> id_order() const;

    /// Drops the rows whose flag is set; the others keep their order. Returns old index -> new index
    /// (or `gone`) for those who refer to rows.
    static constexpr std::uint32_t gone = 0xFFFFFFFFu;
    std::vector<std::uint32_t> remove(std::span<const std::uint8_t> doomed);

private:
    ScalarType real_;
};

}  // namespace treacle
