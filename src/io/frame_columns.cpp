#include "io/frame_columns.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace treacle {

const ColumnTable::Column& require_column(const Particles& particles, std::string_view name) {
    for (const ColumnTable::Column& column : particles.all()) {
        if (column.info.name == name) return column;
    }
    throw std::logic_error("no column named " + std::string(name));
}

std::vector<const ColumnTable::Column*> extra_columns(const Particles& particles) {
    constexpr std::array<std::string_view, 5> fixed{"position", "velocity", "density", "id", "material"};
    std::vector<const ColumnTable::Column*> extra;
    for (const ColumnTable::Column& column : particles.all()) {
        if (!column.info.exported) continue;
        if (std::find(fixed.begin(), fixed.end(), column.info.name) == fixed.end()) extra.push_back(&column);
    }
    return extra;
}

std::span<const char* const> component_names(ColumnShape shape) {
    static constexpr std::array<const char*, 1> scalar{""};
    static constexpr std::array<const char*, 3> vector{"x", "y", "z"};
    static constexpr std::array<const char*, 6> tensor{"xx", "xy", "xz", "yy", "yz", "zz"};
    switch (shape) {
        case ColumnShape::scalar: return scalar;
        case ColumnShape::vector: return vector;
        case ColumnShape::symmetric_tensor: return tensor;
    }
    return {};
}

namespace {

template <class Source, class Target>
void gather_as(const ColumnTable::Column& column, std::size_t component, std::span<const std::uint32_t> order,
               char* target, std::size_t stride) {
    const std::byte* base = column.bytes.data();
    const std::size_t row_bytes = column.info.row_bytes(), offset = component * sizeof(Source);
    for (const std::uint32_t i : order) {
        Source value;
        std::memcpy(&value, base + (i * row_bytes + offset), sizeof value);
        const auto converted = static_cast<Target>(value);
        std::memcpy(target, &converted, sizeof converted);
        target += stride;
    }
}

}  // namespace

template <class Target>
void gather_component(const ColumnTable::Column& column, std::size_t component, std::span<const std::uint32_t> order,
                      char* target, std::size_t stride) {
    switch (column.info.type) {
        case ScalarType::f32: return gather_as<float, Target>(column, component, order, target, stride);
        case ScalarType::f64: return gather_as<double, Target>(column, component, order, target, stride);
        case ScalarType::u32: return gather_as<std::uint32_t, Target>(column, component, order, target, stride);
        case ScalarType::u8: return gather_as<std::uint8_t, Target>(column, component, order, target, stride);
    }
}

template void gather_component<float>(const ColumnTable::Column&, std::size_t, std::span<const std::uint32_t>, char*,
                                      std::size_t);
template void gather_component<std::uint32_t>(const ColumnTable::Column&, std::size_t, std::span<const std::uint32_t>,
                                              char*, std::size_t);
template void gather_component<std::uint8_t>(const ColumnTable::Column&, std::size_t, std::span<const std::uint32_t>,
                                             char*, std::size_t);

}  // namespace treacle
