#include "scene/tables.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/text.h"
#include "methods/registry.h"

namespace treacle {

namespace {

/// The ids that the scene format reserves; those that the registry lacks are not available yet.
constexpr std::array<const char*, 5> reserved_methods{"clavet2005", "takamatsu2011", "takahashi2014", "barreiro2017",
                                                      "mukai2021"};

constexpr double smallest = 1e-9;   // m; keeps volumes within the range of double
constexpr double farthest = 1e6;    // m
constexpr double fastest = 1e5;     // m/s
constexpr double most_turned = 1e6; // degrees; far within what reproducible::sin takes

std::vector<std::string> method_ids() {
    std::vector<std::string> ids;
    for (const MethodRow& row : method_registry()) ids.emplace_back(row.id);
    return ids;
}

StructuredKey unavailable(const std::string& key) { return {key, Form::refused, unavailable_message(key)}; }

const ParameterTable& header_table() {
    static const ParameterTable table = ParameterTable("file")
        .add("treacle", &SceneHeader::version,
             {.unit = "1", .low = scene_version, .high = scene_version, .required = true,
              .doc = "Version of the scene format."})
        .add("$schema", &SceneHeader::schema,
             {.doc = "Where editors find the schema of this file (`treacle schema`); has no effect on the scene."});
    return table;
}

const ParameterTable& scene_table() {
    static const ParameterTable table = ParameterTable("scene")
        .add("name", &Scene::name, {.doc = "What people call the scene; the name of the file if absent."})
        .add("method", &Scene::method,
             {.required = true, .choices = method_ids(), .doc = "Which method advances the fluid."})
        .add("dimension", &Scene::dimension, {.unit = "1", .low = 2, .high = 3, .doc = "2 or 3."})
        .add("precision", &Scene::precision,
             {.choices = {"float", "double"},
              .doc = "Floating-point numbers of the particles; what the method is built for if absent."})
        .add("particle_spacing", &Scene::particle_spacing,
             {.unit = "m", .low = smallest, .high = 1e3, .required = true,
              .doc = "Distance between neighboring particles at rest."})
        .add("gravity", &Scene::gravity,
             {.symbol = "g", .unit = "m/s²", .low = -1e4, .high = 1e4, .live = true,
              .doc = "Acceleration of free fall."});
    return table;
}

const ParameterTable& time_table() {
    static const ParameterTable table = ParameterTable("time")
        .add("duration", &TimeSettings::duration,
             {.unit = "s", .low = 0, .high = 1e6, .doc = "Simulated time; 0 writes the first frame only."})
        .add("fps", &TimeSettings::fps,
             {.unit = "1/s", .low = 0, .high = 1e6, .low_open = true, .doc = "Frames per simulated second."})
        .add("max_dt", &TimeSettings::max_dt,
             {.unit = "s", .low = 0, .high = 1e3, .low_open = true,
              .doc = "No step is longer; the method may ask for shorter ones."})
        .add("fixed_dt", &TimeSettings::fixed_dt,
             {.unit = "s", .low = 0, .high = 1e3, .low_open = true,
              .doc = "Every step is exactly this long, for experiments; it must divide 1/fps."});
    return table;
}

const ParameterTable& output_table() {
    static const ParameterTable table = ParameterTable("output")
        .add("checkpoint_interval", &OutputSettings::checkpoint_interval,
             {.unit = "1", .low = 1, .high = 1e9, .doc = "Frames between two checkpoints."});
    return table;
}

const ParameterTable& fluid_table() {
    static const ParameterTable table = ParameterTable("fluid")
        .add("velocity", &Fluid::velocity,
             {.unit = "m/s", .low = -fastest, .high = fastest, .doc = "Velocity at the start."})
        .add("angular_velocity", &Fluid::angular_velocity,
             {.unit = "degrees/s", .low = -most_turned, .high = most_turned,
              .doc = "Rotation about the center of the shape at the start; in 2D one number, counterclockwise."})
        .add("count", &Fluid::count,
             {.unit = "1", .low = 1, .high = 1e9,
              .doc = "Particles to fill the shape with: exactly if relaxed, else as nearly as the lattice allows; "
                     "particle_spacing decides if absent."})
        .add("packing", &Fluid::packing,
             {.choices = {"lattice", "relaxed"},
              .doc = "How particles are placed in the shape: in rows, or evenly without a preferred direction, as in a "
                     "fluid at rest."});
    return table;
}

const ParameterTable& emitter_table() {
    static const ParameterTable table = ParameterTable("emitter")
        .add("position", &Emitter::position,
             {.unit = "m", .low = -farthest, .high = farthest, .required = true, .doc = "Center of the mouth."})
        .add("direction", &Emitter::direction,
             {.unit = "1", .low = -farthest, .high = farthest,
              .doc = "In which the fluid leaves, of any length but 0."})
        .add("speed", &Emitter::speed,
             {.unit = "m/s", .low = 0, .high = fastest, .live = true, .required = true,
              .doc = "Speed of the fluid in the mouth."})
        .add("start", &Emitter::start, {.unit = "s", .low = 0, .high = 1e9, .doc = "When it begins."})
        .add("end", &Emitter::end, {.unit = "s", .low = 0, .high = 1e9, .doc = "When it ends; never if absent."})
        .add("max_particles", &Emitter::max_particles,
             {.unit = "1", .low = 1, .high = 1e9, .doc = "It ends when its next layer would make more than these."})
        .add("layers", &Emitter::layers,
             {.choices = {"square", "hexagonal"}, .doc = "Lattice of the particles in each layer."})
        .add("layer_rotation", &Emitter::layer_rotation,
             {.unit = "degrees", .low = -360, .high = 360,
              .doc = "By which each layer is turned against the one before: twists a star, loosens a lattice. 3D only."});
    return table;
}

const ParameterTable& solid_table() {
    static const ParameterTable table = ParameterTable("solid")
        .add("name", &Solid::name, {.required = true, .doc = "Name of the solid in output files; each has its own."})
        .add("invert", &Solid::invert, {.doc = "The outside of the shape is solid: a container."})
        .add("friction", &Solid::friction,
             {.symbol = "μ", .unit = "1", .low = 0, .high = 1e6, .live = true,
              .words = {{"no_slip", std::numeric_limits<double>::infinity()}},
              .doc = "Coulomb coefficient between fluid and solid; \"no_slip\": the fluid does not slide."})
        .add("adhesion", &Solid::adhesion,
             {.unit = "1", .low = 0, .high = 1e6, .live = true,
              .doc = "How much more strongly than by itself the solid pulls fluid that leaves it: 0 lets liquids go, 3 holds a drop."});
    return table;
}

const ParameterTable& motion_table() {
    static const ParameterTable table = ParameterTable("motion")
        .add("interpolation", &Motion::interpolation,
             {.choices = {"linear", "smooth"},
              .doc = "Between two keyframes: steady, or starting and ending at rest."})
        .add("velocity", &Motion::velocity,
             {.unit = "m/s", .low = -fastest, .high = fastest, .doc = "Constant, in place of keyframes."})
        .add("angular_velocity", &Motion::angular_velocity,
             {.unit = "degrees/s", .low = -most_turned, .high = most_turned,
              .doc = "Constant, about the center of the shape, in place of keyframes; in 2D one number, counterclockwise."});
    return table;
}

const ParameterTable& dynamics_table() {
    static const ParameterTable table = ParameterTable("dynamic")
        .add("density", &Dynamics::density,
             {.unit = "kg/m³", .low = 1e-3, .high = 1e6, .doc = "Of the solid; or give its mass."})
        .add("mass", &Dynamics::mass,
             {.unit = "kg", .low = 1e-12, .high = 1e12, .doc = "In 2D per meter of depth; or give its density."})
        .add("restitution", &Dynamics::restitution,
             {.unit = "1", .low = 0, .high = 1, .doc = "Share of the speed with which it bounces off other solids."})
        .add("velocity", &Dynamics::velocity,
             {.unit = "m/s", .low = -fastest, .high = fastest, .doc = "Of its center of mass at the start."})
        .add("angular_velocity", &Dynamics::angular_velocity,
             {.unit = "degrees/s", .low = -most_turned, .high = most_turned,
              .doc = "At the start; in 2D one number, counterclockwise."});
    return table;
}

/// Position of a keyframe's pose: Pose holds it, keyframes hold a Pose.
const ParameterTable& pose_table() {
    static const ParameterTable table = ParameterTable("pose")
        .add("position", &Pose::position,
             {.unit = "m", .low = -farthest, .high = farthest, .doc = "Shift of the shape as drawn."});
    return table;
}

const ParameterTable& keyframe_time_table() {
    static const ParameterTable table = ParameterTable("keyframe")
        .add("time", &KeyframeTime::time,
             {.unit = "s", .low = 0, .high = 1e9, .required = true, .doc = "Later than the keyframe before."});
    return table;
}

const ParameterTable& sphere_table() {
    static const ParameterTable table = ParameterTable("sphere")
        .add("center", &Sphere::center, {.unit = "m", .low = -farthest, .high = farthest, .doc = "Center."})
        .add("radius", &Sphere::radius,
             {.unit = "m", .low = smallest, .high = farthest, .required = true, .doc = "Radius."});
    return table;
}

const ParameterTable& box_table() {
    static const ParameterTable table = ParameterTable("box")
        .add("center", &Box::center, {.unit = "m", .low = -farthest, .high = farthest, .doc = "Center."})
        .add("size", &Box::size,
             {.unit = "m", .low = smallest, .high = farthest, .required = true,
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
             {.unit = "m", .low = smallest, .high = farthest, .required = true,
              .doc = "Radius of the bore; less than the radius."});
    return table;
}

const ParameterTable& capsule_table() {
    static const ParameterTable table = round_table<Capsule>("capsule", "Distance between the centers of the round ends.");
    return table;
}

const ParameterTable& disk_table() {
    static const ParameterTable table = ParameterTable("disk")
        .add("radius", &Disk::radius,
             {.unit = "m", .low = smallest, .high = farthest, .required = true, .doc = "Radius; in 2D half the slit."});
    return table;
}

const ParameterTable& star_table() {
    static const ParameterTable table = ParameterTable("star")
        .add("radius", &Star::radius,
             {.unit = "m", .low = smallest, .high = farthest, .required = true, .doc = "From the center to a tip."})
        .add("inner_radius", &Star::inner_radius,
             {.unit = "m", .low = smallest, .high = farthest, .required = true,
              .doc = "From the center to a notch between two tips; less than the radius."})
        .add("points", &Star::points, {.unit = "1", .low = 2, .high = 100, .doc = "Number of tips."});
    return table;
}

const ParameterTable& plane_table() {
    static const ParameterTable table = ParameterTable("plane")
        .add("normal", &Plane::normal,
             {.unit = "1", .low = -farthest, .high = farthest, .required = true,
              .doc = "Direction out of the solid, of any length but 0."})
        .add("offset", &Plane::offset,
             {.unit = "m", .low = -farthest, .high = farthest, .doc = "The half space normal · x < offset is solid."});
    return table;
}

const ParameterTable& transform_table() {
    static const ParameterTable table = ParameterTable("transform")
        .add("translate", &Transform::translate,
             {.unit = "m", .low = -farthest, .high = farthest, .doc = "Shift, done last."})
        .add("scale", &Transform::scale,
             {.unit = "1", .low = 1e-6, .high = 1e6,
              .doc = "Enlargement about the origin, done first."});
    return table;
}

const ParameterTable& axis_angle_table() {
    static const ParameterTable table = ParameterTable("rotation")
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

/// The keys of a shape of which one must be given.
std::vector<std::string> forms(bool solid) {
    std::vector<std::string> keys;
    for (const StructuredKey& key : shape_keys(solid)) {
        if (key.form != Form::refused && key.key != "transform") keys.push_back(key.key);
    }
    return keys;
}

std::vector<StructuredKey> scene_keys() {
    std::vector<StructuredKey> keys{
        {"time", Form::object, "Length, frames and steps.", time_kind},
        {"materials", Form::dictionary, "The fluids' materials by name.", material_kind, true},
        {"fluids", Form::list, "Shapes filled with fluid at the start.", fluid_kind},
        {"emitters", Form::list, "Mouths that fluid comes out of during the run.", emitter_kind},
        {"sinks", Form::list, "Places where fluid vanishes.", sink_kind},
        {"solids", Form::list, "Walls, floors and moving bodies.", solid_kind},
        {"output", Form::object, "Files that a run writes.", output_kind},
    };
    for (const MethodRow& row : method_registry()) {
        keys.push_back({row.id, Form::object, std::string("Settings of the method: ") + row.summary,
                        [id = std::string(row.id)]() -> const ObjectKind& { return method_settings_kind(id); }});
    }
    for (const char* later : {"joints", "probes", "view"}) keys.push_back(unavailable(later));
    for (const char* id : reserved_methods) {
        if (!find_method(id)) keys.push_back(unavailable(id));
    }
    return keys;
}

std::vector<UnavailableWord> unavailable_methods() {
    std::vector<UnavailableWord> words;
    for (const char* id : reserved_methods) {
        if (!find_method(id)) words.push_back({"method", id});
    }
    return words;
}

std::vector<StructuredKey> material_keys() {
    std::vector<StructuredKey> keys;
    for (const MethodRow& row : method_registry()) {
        keys.push_back({row.id, Form::object, std::string("Coefficients that only this method has: ") + row.paper,
                        [id = std::string(row.id)]() -> const ObjectKind& { return method_material_kind(id); }});
    }
    for (const char* id : reserved_methods) {
        if (!find_method(id)) keys.push_back(unavailable(id));
    }
    return keys;
}

using KindsByMethod = std::map<std::string, ObjectKind, std::less<>>;

}  // namespace

std::vector<std::string> ObjectKind::keys() const {
    std::vector<std::string> all;
    for (const ParameterObject& object : parameters) {
        for (const Parameter& parameter : object.table().rows()) all.push_back(parameter.key);
    }
    for (const StructuredKey& structured_key : structured) {
        if (structured_key.form != Form::refused) all.push_back(structured_key.key);
    }
    return all;
}

const StructuredKey* ObjectKind::find_structured(std::string_view key) const {
    const auto found = std::find_if(structured.begin(), structured.end(),
                                    [&](const StructuredKey& candidate) { return candidate.key == key; });
    return found == structured.end() ? nullptr : &*found;
}

const Parameter* ObjectKind::find_parameter(std::string_view key) const {
    for (const ParameterObject& object : parameters) {
        if (const Parameter* parameter = object.table().find(key)) return parameter;
    }
    return nullptr;
}

const ObjectKind& scene_kind() {
    static const ObjectKind kind{
        "scene", "The whole file.",
        {ParameterObject::of<SceneHeader>(header_table()), ParameterObject::of<Scene>(scene_table())},
        scene_keys(), {}, unavailable_methods()};
    return kind;
}

const ObjectKind& time_kind() {
    static const ObjectKind kind{"time", "Length, frames and steps.",
                                 {ParameterObject::of<TimeSettings>(time_table())}, {}, {}, {}};
    return kind;
}

const ObjectKind& output_kind() {
    static const ObjectKind kind{"output", "Files that a run writes.",
                                 {ParameterObject::of<OutputSettings>(output_table())},
                                 {{"formats", Form::formats, "File formats of the frames; [\"ply\"] if absent."}},
                                 {}, {}};
    return kind;
}

const ObjectKind& material_kind() {
    static const ObjectKind kind{"material", "A fluid in SI units. Methods warn of what they cannot represent.",
                                 {ParameterObject::of<Material>(material_table())}, material_keys(), {}, {}};
    return kind;
}

const ObjectKind& fluid_kind() {
    static const ObjectKind kind{
        "fluid", "A shape filled with fluid at the start.",
        {ParameterObject::of<Fluid>(fluid_table())},
        {{"material", Form::material_name, "Name of one of the materials.", {}, true},
         {"shape", Form::object, "What is filled.", fluid_shape_kind, true}},
        {}, {}};
    return kind;
}

const ObjectKind& emitter_kind() {
    static const ObjectKind kind{
        "emitter", "A mouth that pushes fluid into the scene, as a syringe does: continuously, at its rest density.",
        {ParameterObject::of<Emitter>(emitter_table())},
        {{"material", Form::material_name, "Name of one of the materials.", {}, true},
         {"shape", Form::object, "The opening.", mouth_kind, true},
         {"motion", Form::object, "How the mouth moves; it stands still if absent.", motion_kind},
         {"body", Form::solid_name, "Name of a solid that the mouth moves with, in place of motion."}},
        {}, {}};
    return kind;
}

const ObjectKind& sink_kind() {
    static const ObjectKind kind{
        "sink", "Fluid that gets inside vanishes.", {},
        {{"shape", Form::object, "Where fluid vanishes; a plane takes all that is below it.", solid_shape_kind, true}},
        {}, {}};
    return kind;
}

const ObjectKind& mouth_kind() {
    static const ObjectKind kind{
        "shape of a mouth", "One opening, drawn around the origin with z (in 2D y) as the direction of the flow.", {},
        {{"disk", Form::object, "A round mouth; a slit in 2D.", disk_kind},
         {"star", Form::object, "A star, as of a piping nozzle; 3D only.", star_kind},
         {"transform", Form::object, "Turns, scales or shifts the drawn mouth.", transform_kind}},
        {"disk", "star"}, {}};
    return kind;
}

const ObjectKind& disk_kind() {
    static const ObjectKind kind{"disk", "A round mouth; a slit in 2D.",
                                 {ParameterObject::of<Disk>(disk_table())}, {}, {}, {}};
    return kind;
}

const ObjectKind& star_kind() {
    static const ObjectKind kind{"star", "A mouth with tips and notches.",
                                 {ParameterObject::of<Star>(star_table())}, {}, {}, {}};
    return kind;
}

const ObjectKind& solid_kind() {
    static const ObjectKind kind{
        "solid", "Something that fluid does not enter.",
        {ParameterObject::of<Solid>(solid_table())},
        {{"shape", Form::object, "What is solid.", solid_shape_kind, true},
         {"motion", Form::object, "How it moves; it stands still if absent.", motion_kind}},
        {}, {}};
    return kind;
}

const ObjectKind& motion_kind() {
    static const ObjectKind kind{
        "motion", "Keyframes, or a constant velocity, or dynamic. Before the first and after the last keyframe it stands still.",
        {ParameterObject::of<Motion>(motion_table())},
        {{"keyframes", Form::list, "Poses in the order of time.", pose_keyframe_kind},
         {"dynamic", Form::object, "Gravity, fluid and other solids move it.", dynamics_kind}},
        {}, {}};
    return kind;
}

const ObjectKind& dynamics_kind() {
    static const ObjectKind kind{"dynamic", "A rigid body that gravity, fluid and other solids move, and that moves them.",
                                 {ParameterObject::of<Dynamics>(dynamics_table())}, {}, {}, {}};
    return kind;
}

const ObjectKind& pose_keyframe_kind() {
    static const ObjectKind kind{
        "pose keyframe", "Pose of a solid at one time, relative to the shape as drawn: first rotated about the origin, "
                         "then shifted.",
        {ParameterObject::of<KeyframeTime>(keyframe_time_table()), ParameterObject::of<Pose>(pose_table())},
        {{"rotation", Form::rotation,
          "Rotation of the shape as drawn; less than 180 degrees from one keyframe to the next.", rotation_kind}},
        {}, {}};
    return kind;
}

const ObjectKind& fluid_shape_kind() {
    static const ObjectKind kind{"shape of a fluid", "One shape, with an optional transform.", {}, shape_keys(false),
                                 forms(false), {}};
    return kind;
}

const ObjectKind& solid_shape_kind() {
    static const ObjectKind kind{"shape of a solid", "One shape, with an optional transform.", {}, shape_keys(true),
                                 forms(true), {}};
    return kind;
}

const ObjectKind& sphere_kind() {
    static const ObjectKind kind{"sphere", "A ball; a disc in 2D.",
                                 {ParameterObject::of<Sphere>(sphere_table())}, {}, {}, {}};
    return kind;
}

const ObjectKind& box_kind() {
    static const ObjectKind kind{"box", "A box along the axes; a rectangle in 2D.",
                                 {ParameterObject::of<Box>(box_table())}, {}, {}, {}};
    return kind;
}

const ObjectKind& cylinder_kind() {
    static const ObjectKind kind{"cylinder", "A round bar; in 2D its cut along the axis, a rectangle.",
                                 {ParameterObject::of<Cylinder>(cylinder_table())}, {}, {}, {}};
    return kind;
}

const ObjectKind& tube_kind() {
    static const ObjectKind kind{"tube", "A round bar with a bore, open at both ends: a nozzle, a die. In 2D two parallel plates.",
                                 {ParameterObject::of<Cylinder>(tube_table())}, {}, {}, {}};
    return kind;
}

const ObjectKind& capsule_kind() {
    static const ObjectKind kind{"capsule", "All that is within the radius of a piece of the axis; a stadium in 2D.",
                                 {ParameterObject::of<Capsule>(capsule_table())}, {}, {}, {}};
    return kind;
}

const ObjectKind& plane_kind() {
    static const ObjectKind kind{"plane", "An infinite half space.",
                                 {ParameterObject::of<Plane>(plane_table())}, {}, {}, {}};
    return kind;
}

const ObjectKind& transform_kind() {
    static const ObjectKind kind{
        "transform", "Moves a shape as drawn to where it stands: scaled, then rotated, then shifted.",
        {ParameterObject::of<Transform>(transform_table())},
        {{"rotate", Form::rotation, "Rotation about the origin.", rotation_kind}}, {}, {}};
    return kind;
}

const ObjectKind& rotation_kind() {
    static const ObjectKind kind{
        "rotation", "A rotation given by axis and angle, or by a quaternion. The short form is [x, y, z] in degrees in "
                    "Blender's XYZ order, and in 2D one number.",
        {ParameterObject::of<AxisAngle>(axis_angle_table())},
        {{"quaternion", Form::quaternion, "[w, x, y, z], in place of axis and angle."}}, {}, {}};
    return kind;
}

const ObjectKind& track_kind() {
    static const ObjectKind kind{
        "keyframes", "Stands in place of the value of a live parameter, which then changes over time: straight from "
                     "keyframe to keyframe, constant before the first and after the last.",
        {}, {{"keyframes", Form::list, "Values in the order of time.", value_keyframe_kind, true}}, {}, {}};
    return kind;
}

const ObjectKind& value_keyframe_kind() {
    static const ObjectKind kind{"keyframe", "Value of a live parameter at one time.",
                                 {ParameterObject::of<KeyframeTime>(keyframe_time_table())},
                                 {{"value", Form::value, "A value that the parameter may have.", {}, true}}, {}, {}};
    return kind;
}

const ObjectKind& method_settings_kind(std::string_view method) {
    static const KindsByMethod kinds = [] {
        KindsByMethod all;
        for (const MethodRow& row : method_registry()) {
            all[row.id] = {std::string(row.id) + " settings", row.summary, {row.default_settings()}, {}, {}, {}};
        }
        return all;
    }();
    return kinds.find(method)->second;
}

const ObjectKind& method_material_kind(std::string_view method) {
    static const KindsByMethod kinds = [] {
        KindsByMethod all;
        for (const MethodRow& row : method_registry()) {
            all[row.id] = {std::string(row.id) + " material",
                           std::string("Coefficients that only this method has: ") + row.paper,
                           {row.default_material()}, {}, {}, {}};
        }
        return all;
    }();
    return kinds.find(method)->second;
}

bool is_rotation_vector(const Parameter& parameter) {
    return parameter.kind == ParameterKind::vector && parameter.unit.starts_with("degrees");
}

const std::vector<OutputFormat>& output_formats() {
    static const std::vector<OutputFormat> formats{{"ply", &OutputSettings::ply}, {"vtp", &OutputSettings::vtp}};
    return formats;
}

bool is_color_parameter(const Parameter& parameter) {
    return parameter.kind == ParameterKind::text && parameter.key == "color";
}

bool is_color(std::string_view text) {
    constexpr std::size_t length = 7;
    return text.size() == length && text[0] == '#' &&
           text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string_view::npos;
}

std::string unavailable_message(std::string_view word) {
    return in_quotes(word) + " is not available in this version yet";
}

}  // namespace treacle
