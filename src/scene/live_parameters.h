#pragma once

#include <string>

#include "core/json.h"
#include "core/result.h"
#include "scene/scene.h"

namespace treacle {

/// Gives a live parameter of a running scene another value. The value is checked as the reader of scenes checks it, and
/// the method is asked whether it can honor it. An error changes nothing and says what is wrong: an unknown pointer, a
/// wrong value, a parameter that cannot change during a run, or one that keyframes or a function move already.
Result<void> set_live_parameter(Scene& scene, const std::string& pointer, const Json& value);

}  // namespace treacle
