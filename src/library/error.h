#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treacle/error.h>

#include "core/result.h"

namespace treacle::v0 {

/// An error of the inside as callers see it.
Error error_of(const treacle::Error& error);

/// One problem without a place.
Error wrong_input(std::string message);

/// What was asked for by a name that is not among those known.
Error unknown_name(const std::string& what, std::string_view name, const std::vector<std::string>& known);

/// The value, or the error thrown.
template <class T>
T value_of(Result<T> result) {
    if (!result) throw error_of(result.error());
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

}  // namespace treacle::v0
