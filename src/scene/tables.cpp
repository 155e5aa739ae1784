#include "scene/tables.h"

#include <algorithm>
#include <map>

#include "core/text.h"
#include "methods/registry.h"
#include "scene/table_ranges.h"

namespace treacle {

const char* precision_word(Precision precision) {
    return precision == Precision::single_precision ? "float" : "double";
}

namespace {

using namespace table_ranges;

std::vector<std::string> method_ids() {
    std::vector<std::string> ids;
    for (const MethodRow& row : method_registry()) ids.emplace_back(row.id);
    return ids;
}

StructuredKey unavailable(const std::string& key) { return {key, Form::refused, unavailable_message(key)}; }

const ParameterTable& header_table() {
    static const ParameterTable table =
        ParameterTable("file")
            .add("treacle", &SceneHeader::version,
                 {.unit = "1",
                  .low = scene_version,
                  .high = scene_version,
                  .required = true,
                  .doc = "Version of the scene format."})
            .add("$schema", &SceneHeader::schema,
                 {.doc = "Where editors find the schema of this file (`treacle schema`); has no effect on the scene."});
    return table;
}

const ParameterTable& scene_table() {
    static const ParameterTable table =
        ParameterTable("scene")
            .add("name", &Scene::name, {.doc = "What people call the scene; the name of the file if absent."})
            .add("method", &Scene::method,
                 {.required = true, .choices = method_ids(), .doc = "Which method advances the fluid."})
            .add("dimension", &Scene::dimension, {.unit = "1", .low = 2, .high = 3, .doc = "2 or 3."})
            .add("precision", &Scene::precision,
                 {.choices = {precision_word(Precision::single_precision), precision_word(Precision::double_precision)},
                  .doc = "Floating-point numbers of the particles; what the method is built for if absent."})
            .add("particle_spacing", &Scene::particle_spacing,
                 {.unit = "m",
                  .low = smallest,
                  .high = 1e3,
                  .required = true,
                  .doc = "Distance between neighboring particles at rest."})
            .add("gravity", &Scene::gravity,
                 {.symbol = "g",
                  .unit = "m/s²",
                  .low = -1e4,
                  .high = 1e4,
                  .live = true,
                  .doc = "Acceleration of free fall."})
            .add("periodic", &Scene::periodic,
                 {.unit = "m",
                  .low = 0,
                  .high = farthest,
                  .doc = "Lengths after which space repeats itself along the axes, 0 where it does not: what leaves "
                         "the box from "
                         "0 to this length on one side enters on the other. For samples of an endless fluid, between "
                         "plates or "
                         "without any."});
    return table;
}

const ParameterTable& time_table() {
    static const ParameterTable table =
        ParameterTable("time")
            .add("duration", &TimeSettings::duration,
                 {.unit = "s", .low = 0, .high = 1e6, .doc = "Simulated time; 0 writes the first frame only."})
            .add("fps", &TimeSettings::fps,
                 {.unit = "1/s", .low = 0, .high = 1e6, .low_open = true, .doc = "Frames per simulated second."})
            .add("max_dt", &TimeSettings::max_dt,
                 {.unit = "s",
                  .low = 0,
                  .high = 1e3,
                  .low_open = true,
                  .doc = "No step is longer; the method may ask for shorter ones."})
            .add("fixed_dt", &TimeSettings::fixed_dt,
                 {.unit = "s",
                  .low = 0,
                  .high = 1e3,
                  .low_open = true,
                  .doc = "Every step is exactly this long, for experiments; it must divide 1/fps."});
    return table;
}

const ParameterTable& output_table() {
    static const ParameterTable table =
        ParameterTable("output")
            .add("checkpoint_interval", &OutputSettings::checkpoint_interval,
                 {.unit = "1", .low = 1, .high = 1e9, .doc = "Frames between two checkpoints."})
            .add("volume_surface", &OutputSettings::volume_surface,
                 {.doc = "Whether metrics.csv gets a column volume_surface: the volume inside the surface that treacle "
                         "mesh "
                         "makes of the frame, in m³. 3D only."});
    return table;
}

const ParameterTable& fluid_table() {
    static const ParameterTable table =
        ParameterTable("fluid")
            .add("velocity", &Fluid::velocity,
                 {.unit = "m/s", .low = -fastest, .high = fastest, .doc = "Velocity at the start."})
            .add("angular_velocity", &Fluid::angular_velocity,
                 {.unit = "degrees/s",
                  .low = -most_turned,
                  .high = most_turned,
                  .doc = "Rotation about the center of the shape at the start; in 2D one number, counterclockwise."})
            .add("count", &Fluid::count,
                 {.unit = "1",
                  .low = 1,
                  .high = 1e9,
                  .doc = "Particles to fill the shape with: exactly if relaxed, else as nearly as the lattice allows; "
                         "particle_spacing decides if absent."})
            .add(
                "packing", &Fluid::packing,
                {.choices = {"lattice", "relaxed"},
                 .doc =
                     "How particles are placed in the shape: in rows, or evenly without a preferred direction, as in a "
                     "fluid at rest."})
            .add("temperature", &Fluid::temperature,
                 {.unit = "°C", .low = coldest, .high = hottest, .doc = "Temperature at the start; 20 if absent."});
    return table;
}

const ParameterTable& solid_table() {
    static const ParameterTable table =
        ParameterTable("solid")
            .add("name", &Solid::name,
                 {.required = true, .doc = "Name of the solid in output files; each has its own."})
            .add("invert", &Solid::invert, {.doc = "The outside of the shape is solid: a container."})
            .add("friction", &Solid::friction,
                 {.symbol = "μ",
                  .unit = "1",
                  .low = 0,
                  .high = 1e6,
                  .live = true,
                  .words = {{"no_slip", std::numeric_limits<double>::infinity()}},
                  .doc = "Coulomb coefficient between fluid and solid; \"no_slip\": the fluid does not slide."})
            .add("adhesion", &Solid::adhesion,
                 {.unit = "1",
                  .low = 0,
                  .high = 1e6,
                  .live = true,
                  .doc = "How much more strongly than by itself the solid pulls fluid that leaves it: 0 lets liquids "
                         "go, 3 holds a drop."})
            .add("temperature", &Solid::temperature,
                 {.unit = "°C",
                  .low = coldest,
                  .high = hottest,
                  .live = true,
                  .doc =
                      "Temperature at which it is held, and at which it warms or cools fluid; absent: no heat passes."})
            .add("color", &Solid::color, {.doc = "Color in pictures, \"#rrggbb\"; gray if absent."})
            .add("look", &Solid::look,
                 {.choices = {"clay", "plain"}, .doc = "What it looks like in pictures: matt or glossy."});
    return table;
}

const ParameterTable& view_table() {
    static const ParameterTable table =
        ParameterTable("view")
            .add("azimuth", &ViewSettings::azimuth,
                 {.unit = "degrees",
                  .low = -360,
                  .high = 360,
                  .doc = "Where the camera stands: around the vertical from the front, to the right. 3D only."})
            .add("elevation", &ViewSettings::elevation,
                 {.unit = "degrees", .low = -90, .high = 90, .doc = "How far above the horizon. 3D only."})
            .add("target", &ViewSettings::target,
                 {.unit = "m",
                  .low = -farthest,
                  .high = farthest,
                  .doc = "The middle of the picture, with distance; absent: all of the fluid is seen."})
            .add("distance", &ViewSettings::distance,
                 {.unit = "m", .low = smallest, .high = farthest, .doc = "Of the camera from the target."})
            .add("field_of_view", &ViewSettings::field_of_view,
                 {.unit = "degrees",
                  .low = 1,
                  .high = 120,
                  .doc = "Angle between the lower and the upper edge of the picture."});
    return table;
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
        {"view", Form::object, "From where pictures show the scene.", view_kind},
    };
    for (const MethodRow& row : method_registry()) {
        keys.push_back({row.id, Form::object, std::string("Settings of the method: ") + row.summary,
                        [id = std::string(row.id)]() -> const ObjectKind& { return method_settings_kind(id); }});
    }
    for (const char* later : {"joints", "probes"}) keys.push_back(unavailable(later));
    return keys;
}

std::vector<StructuredKey> material_keys() {
    std::vector<StructuredKey> keys;
    for (const MethodRow& row : method_registry()) {
        keys.push_back({row.id, Form::object, std::string("Coefficients that only this method has: ") + row.paper,
                        [id = std::string(row.id)]() -> const ObjectKind& { return method_material_kind(id); }});
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
    static const ObjectKind kind{"scene",
                                 "The whole file.",
                                 {ParameterObject::of<SceneHeader>(header_table()),
                                  ParameterObject::of<Scene>(scene_table())},
                                 scene_keys(),
                                 {}};
    return kind;
}

const ObjectKind& time_kind() {
    static const ObjectKind kind{
        "time", "Length, frames and steps.", {ParameterObject::of<TimeSettings>(time_table())}, {}, {}};
    return kind;
}

const ObjectKind& output_kind() {
    static const ObjectKind kind{"output",
                                 "Files that a run writes.",
                                 {ParameterObject::of<OutputSettings>(output_table())},
                                 {{"formats", Form::formats, "File formats of the frames; [\"ply\"] if absent."}},
                                 {}};
    return kind;
}

const ObjectKind& view_kind() {
    static const ObjectKind kind{
        "view", "From where pictures show the scene.", {ParameterObject::of<ViewSettings>(view_table())}, {}, {}};
    return kind;
}

const ObjectKind& material_kind() {
    static const ObjectKind kind{"material",
                                 "A fluid in SI units. Methods warn of what they cannot represent.",
                                 {ParameterObject::of<Material>(material_table())},
                                 material_keys(),
                                 {}};
    return kind;
}

const ObjectKind& fluid_kind() {
    static const ObjectKind kind{"fluid",
                                 "A shape filled with fluid at the start.",
                                 {ParameterObject::of<Fluid>(fluid_table())},
                                 {{"material", Form::material_name, "Name of one of the materials.", {}, true},
                                  {"shape", Form::object, "What is filled.", fluid_shape_kind, true}},
                                 {}};
    return kind;
}

const ObjectKind& sink_kind() {
    static const ObjectKind kind{
        "sink",
        "Fluid that gets inside vanishes.",
        {},
        {{"shape", Form::object, "Where fluid vanishes; a plane takes all that is below it.", solid_shape_kind, true}},
        {}};
    return kind;
}

const ObjectKind& solid_kind() {
    static const ObjectKind kind{"solid",
                                 "Something that fluid does not enter.",
                                 {ParameterObject::of<Solid>(solid_table())},
                                 {{"shape", Form::object, "What is solid.", solid_shape_kind, true},
                                  {"motion", Form::object, "How it moves; it stands still if absent.", motion_kind}},
                                 {}};
    return kind;
}

const ObjectKind& method_settings_kind(std::string_view method) {
    static const KindsByMethod kinds = [] {
        KindsByMethod all;
        for (const MethodRow& row : method_registry()) {
            all[row.id] = {std::string(row.id) + " settings", row.summary, {row.default_settings()}, {}, {}};
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
                           {row.default_material()},
                           {},
                           {}};
        }
        return all;
    }();
    return kinds.find(method)->second;
}

bool is_rotation_vector(const Parameter& parameter) {
    return parameter.kind == ParameterKind::vector && parameter.unit.starts_with("degrees");
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
