#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "scene/scene.h"

/// The content of scene files, declared once: plain parameters in tables, everything else as structured keys of
/// kinds of objects. The reader, the schema and the reference all walk these.

namespace treacle {

/// Version of the scene format that this program reads.
inline constexpr int scene_version = 1;

/// As scene files spell it: "float" or "double".
const char* precision_word(Precision precision);

/// Keys that describe the file, not the scene.
struct SceneHeader {
    int version = scene_version;
    std::optional<std::string> schema;
};

/// A rotation spelled as axis and angle.
struct AxisAngle {
    std::optional<Vec3d> axis;
    std::optional<double> angle;  ///< degrees
};

/// Time of a keyframe.
struct KeyframeTime {
    double time = 0;  ///< s
};

/// The structure of a key's value that is not a plain parameter.
enum class Form {
    object,         ///< an object of the given kind
    list,           ///< a list of such objects
    dictionary,     ///< an object whose keys are names and whose values are such objects
    formats,        ///< a list of output formats
    material_name,  ///< the name of a material
    solid_name,     ///< the name of a solid
    file,           ///< a path, relative to the scene file
    rotation,       ///< Euler angles (in 2D one angle) or an object of the given kind
    quaternion,     ///< four numbers w x y z
    value,          ///< a value of the parameter that is keyframed
    points,         ///< pairs of temperature or age and a value of the parameter that is a function of it
    refused,        ///< known, but not allowed here; the doc says why
};

struct ObjectKind;

struct StructuredKey {
    std::string key;
    Form form;
    std::string doc;
    std::function<const ObjectKind&()> kind = {};
    bool required = false;
};

/// One kind of object of the scene file.
struct ObjectKind {
    std::string title;
    std::string doc;
    std::vector<ParameterObject> parameters;  ///< tables, with the defaults of absent keys
    std::vector<StructuredKey> structured;
    std::vector<std::string> exactly_one_of;  ///< of these keys exactly one must be given

    std::vector<std::string> keys() const;  ///< all allowed keys, without refused ones
    const StructuredKey* find_structured(std::string_view key) const;
    const Parameter* find_parameter(std::string_view key) const;
};

const ObjectKind& scene_kind();
const ObjectKind& time_kind();
const ObjectKind& output_kind();
const ObjectKind& view_kind();
const ObjectKind& material_kind();
const ObjectKind& fluid_kind();
const ObjectKind& emitter_kind();
const ObjectKind& sink_kind();
const ObjectKind& mouth_kind();
const ObjectKind& disk_kind();
const ObjectKind& star_kind();
const ObjectKind& solid_kind();
const ObjectKind& motion_kind();
const ObjectKind& dynamics_kind();
const ObjectKind& pose_keyframe_kind();
const ObjectKind& fluid_shape_kind();
const ObjectKind& solid_shape_kind();
const ObjectKind& sphere_kind();
const ObjectKind& box_kind();
const ObjectKind& cylinder_kind();
const ObjectKind& tube_kind();
const ObjectKind& capsule_kind();
const ObjectKind& plane_kind();
const ObjectKind& transform_kind();
const ObjectKind& rotation_kind();
const ObjectKind& track_kind();  ///< {"keyframes": …} in place of a value
const ObjectKind& value_keyframe_kind();
const ObjectKind& function_kind();                                ///< {"over": …, "points": …} in place of a value
const ObjectKind& method_settings_kind(std::string_view method);  ///< a method of the registry
const ObjectKind& method_material_kind(std::string_view method);

/// Vectors in degrees are rotations about axes. In 2D only the axis out of the plane is left, so they are written as
/// one number.
bool is_rotation_vector(const Parameter& parameter);

/// The number of a material is stored in one byte per particle.
inline constexpr std::size_t max_materials = 255;

/// Colors, written "#rrggbb", are the only texts with a pattern.
inline constexpr const char* color_pattern = "^#[0-9a-fA-F]{6}$";
bool is_color_parameter(const Parameter& parameter);
bool is_color(std::string_view text);

/// "…" is not available in this version yet
std::string unavailable_message(std::string_view word);

}  // namespace treacle
