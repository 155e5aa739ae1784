#include "scene/tables.h"

#include "core/text.h"
#include "scene/table_ranges.h"

namespace treacle {

namespace {

using namespace table_ranges;

const ParameterTable& sphere_table() {
    static const ParameterTable table =
        ParameterTable("sphere")
            .add("center", &Sphere::center, {.unit = "m", .low = -farthest, .high = farthest, .doc = "Center."})
            .add("radius", &Sphere::radius,
                 {.unit = "m", .low = smallest, .high = farthest, .required = true, .doc = "Radius."});
    return table;
}

const ParameterTable& box_table() {
    static const ParameterTable table =
        ParameterTable("box")
            .add("center", &Box::center, {.unit = "m", .low = -farthest, .high = farthest, .doc = "Center."})
            .add("size", &Box::size,
                 {.unit = "m",
                  .low = smallest,
                  .high = farthest,
                  .required = true,
                  .doc = "Lengths of the edges along the axes."});
    return table;
}

/// Keys of shapes that are round about an axis.
template <class Round>
ParameterTable round_table(const char* name, const char* height) {
    return ParameterTable(name)
        .add("center", &Round::center, {.unit = "m", .low = -farthest, .high = farthest, .doc = "Center."})
        .add("axis", &Round::axis,
             {.unit = "1", .low = -farthest, .high = farthest, .doc = "Direction of the axis, of any length but 0."})
        .add("radius", &Round::radius,
             {.unit = "m", .low = smallest, .high = farthest, .required = true, .doc = "Radius about the axis."})
        .add("height", &Round::height,
             {.unit = "m", .low = smallest, .high = farthest, .required = true, .doc = height});
}

const ParameterTable& cylinder_table() {
    static const ParameterTable table = round_table<Cylinder>("cylinder", "Length along the axis.");
    return table;
}

const ParameterTable& tube_table() {
    static const ParameterTable table = round_table<Cylinder>("tube", "Length along the axis.")
                                            .add("inner_radius", &Cylinder::inner_radius,
                                                 {.unit = "m",
                                                  .low = smallest,
                                                  .high = farthest,
                                                  .required = true,
                                                  .doc = "Radius of the bore; less than the radius."});
    return table;
}

const ParameterTable& capsule_table() {
    static const ParameterTable table =
        round_table<Capsule>("capsule", "Distance between the centers of the round ends.");
    return table;
}

const ParameterTable& plane_table() {
    static const ParameterTable table = ParameterTable("plane")
                                            .add("normal", &Plane::normal,
                                                 {.unit = "1",
                                                  .low = -farthest,
                                                  .high = farthest,
                                                  .required = true,
                                                  .doc = "Direction out of the solid, of any length but 0."})
                                            .add("offset", &Plane::offset,
                                                 {.unit = "m",
                                                  .low = -farthest,
                                                  .high = farthest,
                                                  .doc = "The half space normal · x < offset is solid."});
    return table;
}

const ParameterTable& transform_table() {
    static const ParameterTable table =
        ParameterTable("transform")
            .add("translate", &Transform::translate,
                 {.unit = "m", .low = -farthest, .high = farthest, .doc = "Shift, done last."})
            .add("scale", &Transform::scale,
                 {.unit = "1", .low = 1e-6, .high = 1e6, .doc = "Enlargement about the origin, done first."});
    return table;
}

const ParameterTable& axis_angle_table() {
    static const ParameterTable table =
        ParameterTable("rotation")
            .add("axis", &AxisAngle::axis,
                 {.unit = "1", .low = -farthest, .high = farthest, .doc = "Axis of the rotation, of any length but 0."})
            .add("angle", &AxisAngle::angle,
                 {.unit = "degrees", .low = -most_turned, .high = most_turned, .doc = "Angle about the axis."});
    return table;
}

std::vector<StructuredKey> shape_keys(bool solid) {
    std::vector<StructuredKey> keys{
        {"sphere", Form::object, "A ball; a disc in 2D.", sphere_kind},
        {"box", Form::object, "A box along the axes; a rectangle in 2D.", box_kind},
        {"cylinder", Form::object, "A round bar; in 2D its cut along the axis, a rectangle.", cylinder_kind},
        {"tube", Form::object, "A round bar with a bore, open at both ends; in 2D two parallel plates.", tube_kind},
        {"capsule", Form::object, "A bar with round ends; a stadium in 2D.", capsule_kind},
        {"mesh", Form::file, "The solid inside the closed surface of an OBJ, PLY or STL file; 3D only."},
    };
    if (solid) {
        keys.push_back({"plane", Form::object, "An infinite half space.", plane_kind});
    } else {
        keys.push_back({"plane", Form::refused, "fluid cannot fill a plane, which has no end; use a box or a sphere"});
    }
    keys.push_back({"transform", Form::object, "Moves the shape as drawn to where it stands.", transform_kind});
    for (const char* mouth : {"disk", "star"}) {
        keys.push_back({mouth, Form::refused, in_quotes(mouth) + " is flat: the mouth of an emitter"});
    }
    return keys;
}

/// Keys of a shape, exactly one of which must be given.
std::vector<std::string> forms(bool solid) {
    std::vector<std::string> keys;
    for (const StructuredKey& key : shape_keys(solid)) {
        if (key.form != Form::refused && key.key != "transform") keys.push_back(key.key);
    }
    return keys;
}

}  // namespace

const ObjectKind& fluid_shape_kind() {
    static const ObjectKind kind{
        "shape of a fluid", "One shape, with an optional transform.", {}, shape_keys(false), forms(false)};
    return kind;
}

const ObjectKind& solid_shape_kind() {
    static const ObjectKind kind{
        "shape of a solid", "One shape, with an optional transform.", {}, shape_keys(true), forms(true)};
    return kind;
}

const ObjectKind& sphere_kind() {
    static const ObjectKind kind{
        "sphere", "A ball; a disc in 2D.", {ParameterObject::of<Sphere>(sphere_table())}, {}, {}};
    return kind;
}

const ObjectKind& box_kind() {
    static const ObjectKind kind{
        "box", "A box along the axes; a rectangle in 2D.", {ParameterObject::of<Box>(box_table())}, {}, {}};
    return kind;
}

const ObjectKind& cylinder_kind() {
    static const ObjectKind kind{"cylinder",
                                 "A round bar; in 2D its cut along the axis, a rectangle.",
                                 {ParameterObject::of<Cylinder>(cylinder_table())},
                                 {},
                                 {}};
    return kind;
}

const ObjectKind& tube_kind() {
    static const ObjectKind kind{
        "tube",
        "A round bar with a bore, open at both ends: a nozzle, a die. In 2D two parallel plates.",
        {ParameterObject::of<Cylinder>(tube_table())},
        {},
        {}};
    return kind;
}

const ObjectKind& capsule_kind() {
    static const ObjectKind kind{"capsule",
                                 "All that is within the radius of a piece of the axis; a stadium in 2D.",
                                 {ParameterObject::of<Capsule>(capsule_table())},
                                 {},
                                 {}};
    return kind;
}

const ObjectKind& plane_kind() {
    static const ObjectKind kind{
        "plane", "An infinite half space.", {ParameterObject::of<Plane>(plane_table())}, {}, {}};
    return kind;
}

const ObjectKind& transform_kind() {
    static const ObjectKind kind{"transform",
                                 "Moves a shape as drawn to where it stands: scaled, then rotated, then shifted.",
                                 {ParameterObject::of<Transform>(transform_table())},
                                 {{"rotate", Form::rotation, "Rotation about the origin.", rotation_kind}},
                                 {}};
    return kind;
}

const ObjectKind& rotation_kind() {
    static const ObjectKind kind{
        "rotation",
        "A rotation given by axis and angle, or by a quaternion. The short form is [x, y, z] in degrees in "
        "Blender's XYZ order, and in 2D one number.",
        {ParameterObject::of<AxisAngle>(axis_angle_table())},
        {{"quaternion", Form::quaternion, "[w, x, y, z], in place of axis and angle."}},
        {}};
    return kind;
}

}  // namespace treacle
