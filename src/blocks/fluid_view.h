#pragma once

#include <cstdint>
#include <span>

#include "core/parallel.h"
#include "math/space.h"
#include "state/particles.h"

namespace treacle {

/// The fluid as blocks see it: the columns that particles have in every method.
template <class S>
struct FluidView {
    using Real = typename S::Real;
    using Row = typename S::Row;

    std::span<Row> position, velocity;  ///< m, m/s
    std::span<Real> mass, density;      ///< kg, kg/m³
    std::span<Real> volume;             ///< m³ at rest (2D: m²), m/ρ0; measure_volumes() fills it
    std::span<std::uint32_t> id, fluid;
    std::span<std::uint8_t> material;

    FluidView() = default;
    explicit FluidView(Particles& particles)
        : position(particles.get<Row>("position")), velocity(particles.get<Row>("velocity")),
          mass(particles.get<Real>("mass")), density(particles.get<Real>("density")),
          volume(particles.get<Real>("volume")), id(particles.get<std::uint32_t>("id")),
          fluid(particles.get<std::uint32_t>("fluid")), material(particles.get<std::uint8_t>("material")) {}

    std::size_t size() const { return position.size(); }
    Rows rows() const { return Rows::of(position.size()); }
};

}  // namespace treacle
