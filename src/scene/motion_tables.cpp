#include "scene/tables.h"

#include "scene/table_ranges.h"

namespace treacle {

namespace {

using namespace table_ranges;

const ParameterTable& motion_table() {
    static const ParameterTable table =
        ParameterTable("motion")
            .add("interpolation", &Motion::interpolation,
                 {.choices = {"linear", "smooth"},
                  .doc = "Between two keyframes: steady, or starting and ending at rest."})
            .add("velocity", &Motion::velocity,
                 {.unit = "m/s", .low = -fastest, .high = fastest, .doc = "Constant, in place of keyframes."})
            .add("angular_velocity", &Motion::angular_velocity,
                 {.unit = "degrees/s",
                  .low = -most_turned,
                  .high = most_turned,
                  .doc = "Constant, about the center of the shape, in place of keyframes; in 2D one number, "
                         "counterclockwise."})
            .add("stop", &Motion::stop,
                 {.choices = {"never", "rupture", "sides_meet"},
                  .doc =
                      "When the solid stops for good, whatever keyframes or velocity say: never; when the fluid that "
                      "joins two solids tears; or when opposite sides of that fluid meet, for methods that tell "
                      "rupture by it."});
    return table;
}

const ParameterTable& dynamics_table() {
    static const ParameterTable table =
        ParameterTable("dynamic")
            .add("density", &Dynamics::density,
                 {.unit = "kg/m³", .low = 1e-3, .high = 1e6, .doc = "Of the solid; or give its mass."})
            .add("mass", &Dynamics::mass,
                 {.unit = "kg", .low = 1e-12, .high = 1e12, .doc = "In 2D per meter of depth; or give its density."})
            .add(
                "restitution", &Dynamics::restitution,
                {.unit = "1", .low = 0, .high = 1, .doc = "Share of the speed with which it bounces off other solids."})
            .add("velocity", &Dynamics::velocity,
                 {.unit = "m/s", .low = -fastest, .high = fastest, .doc = "Of its center of mass at the start."})
            .add("angular_velocity", &Dynamics::angular_velocity,
                 {.unit = "degrees/s",
                  .low = -most_turned,
                  .high = most_turned,
                  .doc = "At the start; in 2D one number, counterclockwise."});
    return table;
}

/// The position in a keyframe's pose.
const ParameterTable& pose_table() {
    static const ParameterTable table = ParameterTable("pose").add(
        "position", &Pose::position,
        {.unit = "m", .low = -farthest, .high = farthest, .doc = "Shift of the shape as drawn."});
    return table;
}

const ParameterTable& keyframe_time_table() {
    static const ParameterTable table =
        ParameterTable("keyframe")
            .add("time", &KeyframeTime::time,
                 {.unit = "s", .low = 0, .high = 1e9, .required = true, .doc = "Later than the keyframe before."});
    return table;
}

const ParameterTable& function_table() {
    static const ParameterTable table = ParameterTable("function")
                                            .add("over", &PropertyFunction::over,
                                                 {.required = true,
                                                  .choices = {"temperature", "age"},
                                                  .doc = "What the property depends on: the temperature of a particle, "
                                                         "or the time since it came into being."})
                                            .add("interpolation", &PropertyFunction::interpolation,
                                                 {.choices = {"linear", "logarithmic"},
                                                  .doc = "Straight between the points, or straight in the logarithm of "
                                                         "the value, as viscosities are that change by "
                                                         "orders of magnitude; all values must be above 0 then."});
    return table;
}

}  // namespace

const ObjectKind& motion_kind() {
    static const ObjectKind kind{
        "motion",
        "Keyframes, or a constant velocity, or dynamic. Before the first and after the last keyframe it stands still.",
        {ParameterObject::of<Motion>(motion_table())},
        {{"keyframes", Form::list, "Poses in the order of time.", pose_keyframe_kind},
         {"dynamic", Form::object, "Gravity, fluid and other solids move it.", dynamics_kind}},
        {}};
    return kind;
}

const ObjectKind& dynamics_kind() {
    static const ObjectKind kind{"dynamic",
                                 "A rigid body that gravity, fluid and other solids move, and that moves them.",
                                 {ParameterObject::of<Dynamics>(dynamics_table())},
                                 {},
                                 {}};
    return kind;
}

const ObjectKind& pose_keyframe_kind() {
    static const ObjectKind kind{
        "pose keyframe",
        "Pose of a solid at one time, relative to the shape as drawn: first rotated about the origin, "
        "then shifted.",
        {ParameterObject::of<KeyframeTime>(keyframe_time_table()), ParameterObject::of<Pose>(pose_table())},
        {{"rotation", Form::rotation,
          "Rotation of the shape as drawn; less than 180 degrees from one keyframe to the next.", rotation_kind}},
        {}};
    return kind;
}

const ObjectKind& track_kind() {
    static const ObjectKind kind{
        "keyframes",
        "Stands in place of the value of a live parameter, which then changes over time: straight from "
        "keyframe to keyframe, constant before the first and after the last.",
        {},
        {{"keyframes", Form::list, "Values in the order of time.", value_keyframe_kind, true}},
        {}};
    return kind;
}

const ObjectKind& function_kind() {
    static const ObjectKind kind{
        "function",
        "Stands in place of the value of a material property that varies from particle to particle: interpolated "
        "between the points, constant before the first and after the last.",
        {ParameterObject::of<PropertyFunction>(function_table())},
        {{"points", Form::points, "Pairs [temperature in °C or age in s, value], ascending.", {}, true}},
        {}};
    return kind;
}

const ObjectKind& value_keyframe_kind() {
    static const ObjectKind kind{"keyframe",
                                 "Value of a live parameter at one time.",
                                 {ParameterObject::of<KeyframeTime>(keyframe_time_table())},
                                 {{"value", Form::value, "A value that the parameter may have.", {}, true}},
                                 {}};
    return kind;
}

}  // namespace treacle
