#pragma once

#include <string>

#include "core/json.h"

namespace treacle {

/// JSON Schema (draft 2020-12) of scene files, for editors and other programs. It knows every key, type, range and
/// word. Only the reader checks how parts fit together (vectors of two or three numbers, names of materials).
Json scene_schema();

/// Reference of all parameters: one table per kind of object.
std::string parameter_reference_markdown();

}  // namespace treacle
