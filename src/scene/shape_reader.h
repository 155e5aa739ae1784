#pragma once

#include "scene/object_reader.h"

namespace treacle {

/// Shape with its transform. Values that cannot be read keep their defaults, and the reader holds the problems.
Shape read_shape(ObjectReader& reader, const Place& at, const ObjectKind& kind);

/// The opening of an emitter, into its `mouth` and `transform`.
void read_mouth(ObjectReader& reader, const Place& at, Emitter& emitter);

/// Keyframes of a solid or an emitter.
Motion read_motion(ObjectReader& reader, const Place& at);

}  // namespace treacle
