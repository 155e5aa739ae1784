#pragma once

#include <span>
#include <string>
#include <type_traits>

#include "state/particles.h"

namespace treacle {

/// The purpose of a column.
enum class ColumnUse {
    state,     ///< the next step starts from it: saved, hashed, moved on re-sorting
    exported,  ///< the same, and written to frames
    strain,    ///< the same, and a measure of deformation: at rest wherever particles move rigidly
    scratch,   ///< of one step only
};

/// A list of columns is a struct of spans that names each of them once:
///
///   template <class S>
///   struct Columns : FluidView<S> {
///       std::span<typename S::Real> pressure;
///       void list(const auto& column) { column(pressure, "pressure", "Pa", ColumnUse::exported); }
///   };
///
/// add_columns(Columns<S>{}, particles) adds those that are missing, find_columns(columns, particles) points the spans
/// at them. column() takes a value at rest as its last argument; new rows start with it, or at zero without one.
namespace detail {

struct AddColumn {
    Particles& particles;

    template <class T>
    void operator()(std::span<T>&, const char* name, const char* unit, ColumnUse use,
                    const std::type_identity_t<T>& at_rest = {}) const {
        const bool strain = use == ColumnUse::strain;
        particles.add<T>(name, unit, strain || use == ColumnUse::exported, use != ColumnUse::scratch, strain, at_rest);
    }
};

struct FindColumn {
    Particles& particles;

    template <class T>
    void operator()(std::span<T>& column, const char* name, const char*, ColumnUse,
                    const std::type_identity_t<T>& = {}) const {
        column = particles.get<T>(name);
    }
};

}  // namespace detail

template <class List>
void add_columns(List columns, Particles& particles) {
    columns.list(detail::AddColumn{particles});
}

template <class List>
void find_columns(List& columns, Particles& particles) {
    columns.list(detail::FindColumn{particles});
}

}  // namespace treacle
