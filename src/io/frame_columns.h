#pragma once

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "state/state.h"

/// Conversion of a frame's columns to numbers in files, shared by all formats.

namespace treacle {

/// A column by name; asking for one that does not exist is a bug.
const ColumnTable::Column& require_column(const Particles& particles, std::string_view name);

/// Exported columns besides position, velocity, density, id and material, in the order of the state.
std::vector<const ColumnTable::Column*> extra_columns(const Particles& particles);

/// "" for scalars, "x" "y" "z" for vectors, "xx" "xy" "xz" "yy" "yz" "zz" for tensors: the components that files
/// show, in storage order.
std::span<const char* const> component_names(ColumnShape shape);

/// Writes one component of all particles in the given order, converted to Target, every `stride` bytes.
template <class Target>
void gather_component(const ColumnTable::Column& column, std::size_t component, std::span<const std::uint32_t> order,
                      char* target, std::size_t stride);

}  // namespace treacle
