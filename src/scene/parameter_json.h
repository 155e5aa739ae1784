#pragma once

#include "core/json.h"
#include "core/parameters.h"

namespace treacle {

/// A value as a scene file spells it: words in place of special numbers, as many vector components as dimensions.
/// Null for an absent value.
Json parameter_to_json(const Parameter& parameter, const ParameterValue& value, int dimension);

}  // namespace treacle
