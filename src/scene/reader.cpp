#include "scene/reader.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "core/text.h"
#include "methods/registry.h"
#include "scene/method_input.h"
#include "scene/object_reader.h"
#include "scene/scene_checks.h"
#include "scene/shape_reader.h"
#include "scene/tables.h"
#include "state/frame_formats.h"

namespace treacle {

namespace {

/// Dimension, needed before anything else is read; 0 if the file gives a wrong one.
int peek_dimension(const Json& root) {
    const Json* dimension = root.find("dimension");
    if (!dimension) return Scene{}.dimension;
    const bool valid = dimension->is_number() && (dimension->number == 2 || dimension->number == 3);
    return valid ? static_cast<int>(dimension->number) : 0;
}

/// Reads a kind of object that consists of one table.
void read_plain(ObjectReader& reader, const Place& at, const ObjectKind& kind, void* target,
                const std::optional<TrackOwner>& owner = {}) {
    if (reader.is_object(at, kind)) reader.read(at, kind.parameters.front().table(), target, owner);
}

void read_top(ObjectReader& reader, const Place& root, Scene& scene) {
    const ObjectKind& kind = scene_kind();
    SceneHeader header;
    reader.read(root, kind.parameters[0].table(), &header);
    reader.read(root, kind.parameters[1].table(), &scene, TrackOwner{Track::Target::scene});
    for (const MethodRow& row : method_registry()) {
        ParameterObject& settings = scene.method_settings[row.id] = row.default_settings();
        if (const Place at = root.member(row.id)) {
            read_plain(reader, at, method_settings_kind(row.id), settings.address(),
                       TrackOwner{Track::Target::method_settings, 0, row.id});
        }
    }
}

void read_time(ObjectReader& reader, const Place& at, TimeSettings& time) {
    const std::size_t problems_before = reader.problems().size();
    read_plain(reader, at, time_kind(), &time);
    if (reader.problems().size() == problems_before) check_time(reader, at, time);
}

void read_output(ObjectReader& reader, const Place& at, OutputSettings& output) {
    read_plain(reader, at, output_kind(), &output);
    if (output.volume_surface && reader.dimension() == 2) {
        reader.problem(at.member("volume_surface"),
                       "a scene in 2D has no surface that encloses a volume; leave it out");
    }
    const Place formats = at.json->is_object() ? at.member("formats") : Place{nullptr, {}};
    if (!formats || !reader.is_list(formats, "file formats")) return;
    const std::vector<std::string> words = frame_format_words();
    std::vector<std::string> asked;
    for (std::size_t n = 0; n < formats.json->elements.size(); ++n) {
        const Place here = formats.element(n);
        const auto known = std::find(words.begin(), words.end(), here.json->text);
        if (here.json->is_text() && known != words.end()) {
            asked.push_back(*known);
            continue;
        }
        reader.problem(here, "must be one of the formats " + list_text(words) + ", not " + describe(*here.json) +
                                 did_you_mean(here.json->text, words));
    }
    output.formats.clear();  // each once, in the order of the list: the same set is always written the same way
    std::copy_if(words.begin(), words.end(), std::back_inserter(output.formats),
                 [&](const std::string& word) { return std::find(asked.begin(), asked.end(), word) != asked.end(); });
}

void read_view(ObjectReader& reader, const Place& at, Scene& scene) {
    const ViewSettings& view = scene.view;
    read_plain(reader, at, view_kind(), &scene.view);
    if (view.target.has_value() != view.distance.has_value()) {
        reader.problem(at, "target and distance belong together: give both, or none to see all of the fluid");
    }
    if (scene.dimension == 2 && (view.azimuth || view.elevation)) {
        reader.problem(at, "a 2D scene is seen from the front; leave azimuth and elevation out");
    }
}

Material read_material(ObjectReader& reader, const Place& at, const std::string& name, std::size_t index) {
    Material material;
    material.name = name;
    for (const MethodRow& row : method_registry()) material.by_method[row.id] = row.default_material();
    read_plain(reader, at, material_kind(), &material, TrackOwner{Track::Target::material, index});
    if (name.empty()) reader.problem(at, "a material needs a name");
    if (!at.json->is_object()) return material;
    for (const MethodRow& row : method_registry()) {
        if (const Place own = at.member(row.id)) {
            read_plain(reader, own, method_material_kind(row.id), material.by_method[row.id].address(),
                       TrackOwner{Track::Target::material_of_method, index, row.id});
        }
    }
    return material;
}

void read_materials(ObjectReader& reader, const Place& at, Scene& scene) {
    if (!at.json->is_object()) {
        reader.problem(at, "must be an object that gives every material under its name, not " + describe(*at.json));
        return;
    }
    for (const auto& member : at.json->members) {
        const std::string& name = member.first;
        scene.materials.push_back(read_material(reader, at.member(name), name, scene.materials.size()));
    }
    if (scene.materials.empty()) reader.problem(at, "is empty; fluid needs a material");
    if (scene.materials.size() > max_materials) {
        reader.problem(at, "there may be at most " + std::to_string(max_materials) + " materials");
    }
}

std::size_t read_material_name(ObjectReader& reader, const Place& at, const std::vector<Material>& materials) {
    if (!at.json->is_text()) {
        reader.problem(at, "must be the name of a material, not " + describe(*at.json));
        return 0;
    }
    std::vector<std::string> names;
    for (const Material& material : materials) names.push_back(material.name);
    const auto found = std::find(names.begin(), names.end(), at.json->text);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    // Without any readable material the cause has been reported already.
    if (!names.empty()) {
        const std::string hint = did_you_mean(at.json->text, names);
        reader.problem(at, "there is no material " + in_quotes(at.json->text) +
                               (hint.empty() ? "; there is " + list_text(names) : hint));
    }
    return 0;
}

void read_fluids(ObjectReader& reader, const Place& at, Scene& scene) {
    if (!reader.is_list(at, "fluids")) return;
    for (std::size_t n = 0; n < at.json->elements.size(); ++n) {
        const Place here = at.element(n);
        Fluid fluid;
        read_plain(reader, here, fluid_kind(), &fluid);
        if (!here.json->is_object()) continue;
        if (const Place name = here.member("material")) {
            fluid.material = read_material_name(reader, name, scene.materials);
        }
        if (const Place shape = here.member("shape")) fluid.shape = read_shape(reader, shape, fluid_shape_kind());
        scene.fluids.push_back(std::move(fluid));
    }
}

std::optional<std::size_t> read_solid_name(ObjectReader& reader, const Place& at, const std::vector<Solid>& solids) {
    std::vector<std::string> names;
    for (const Solid& solid : solids) names.push_back(solid.name);
    const auto found = std::find(names.begin(), names.end(), at.json->text);
    if (at.json->is_text() && found != names.end()) return static_cast<std::size_t>(found - names.begin());
    reader.problem(at, at.json->is_text()
                           ? "there is no solid " + in_quotes(at.json->text) + did_you_mean(at.json->text, names)
                           : "must be the name of a solid, not " + describe(*at.json));
    return std::nullopt;
}

void read_emitters(ObjectReader& reader, const Place& at, Scene& scene) {
    if (!reader.is_list(at, "emitters")) return;
    for (std::size_t n = 0; n < at.json->elements.size(); ++n) {
        const Place here = at.element(n);
        Emitter emitter;
        read_plain(reader, here, emitter_kind(), &emitter, TrackOwner{Track::Target::emitter, n});
        if (here.json->is_object()) {
            if (const Place name = here.member("material")) {
                emitter.material = read_material_name(reader, name, scene.materials);
            }
            if (const Place shape = here.member("shape")) read_mouth(reader, shape, emitter);
            if (const Place motion = here.member("motion")) {
                emitter.motion = read_motion(reader, motion);
                if (emitter.motion.dynamic) reader.problem(motion, "a mouth has no mass; give keyframes or a velocity");
                if (emitter.motion.stop != MotionStop::never) {
                    reader.problem(
                        motion.member("stop"),
                        "only solids stop; let one carry the mouth: give its name as \"body\" of the emitter");
                }
            }
            emitter.motion.pivot = emitter.position;
            if (const Place body = here.member("body")) {
                emitter.body = read_solid_name(reader, body, scene.solids);
                if (here.member("motion")) reader.problem(body, "moves the mouth already; leave out its motion");
            }
            if (length(emitter.direction) == 0) reader.problem(here.member("direction"), "must not be zero");
            if (emitter.end && *emitter.end <= emitter.start) {
                reader.problem(here.member("end"),
                               "must be later than the start, " + number_text(emitter.start) + " s");
            }
        }
        scene.emitters.push_back(std::move(emitter));
    }
}

void read_sinks(ObjectReader& reader, const Place& at, Scene& scene) {
    if (!reader.is_list(at, "sinks")) return;
    for (std::size_t n = 0; n < at.json->elements.size(); ++n) {
        const Place here = at.element(n);
        if (!reader.is_object(here, sink_kind())) continue;
        if (const Place shape = here.member("shape")) {
            scene.sinks.push_back({read_shape(reader, shape, solid_shape_kind())});
        }
    }
}

/// Names of solids become names of files and a column of a CSV file.
std::string name_problem(const std::string& name) {
    constexpr std::size_t longest = 100;
    if (name.empty()) return "must not be empty";
    if (name.size() > longest) return "must not be longer than " + std::to_string(longest) + " bytes";
    const bool control = std::any_of(name.begin(), name.end(), [](char c) { return c >= 0 && c < ' '; });
    if (control || name.find_first_of("/\\:*?\"'<>|,;") != std::string::npos) {
        return "becomes the name of a file, so it must not hold any of / \\ : * ? \" ' < > | , ;";
    }
    if (name.front() == '.' || name.front() == ' ' || name.back() == ' ') {
        return "becomes the name of a file, so it must not begin with a dot, nor begin or end with a space";
    }
    return {};
}

void check_solid_name(ObjectReader& reader, const Place& at, const std::string& name, const Scene& scene) {
    if (!at || !at.json->is_text()) return;
    if (const std::string problem = name_problem(name); !problem.empty()) reader.problem(at, problem);
    const bool taken =
        std::any_of(scene.solids.begin(), scene.solids.end(), [&](const Solid& other) { return other.name == name; });
    if (taken) reader.problem(at, "there is another solid named " + in_quotes(name));
}

void check_dynamics(ObjectReader& reader, const Place& motion, const Solid& solid) {
    if (!solid.motion.dynamic) return;
    if (std::holds_alternative<Plane>(solid.shape.form)) reader.problem(motion, "a plane has no end and so no mass");
    else if (solid.invert) reader.problem(motion, "an inverted shape has no end and so no mass; it cannot be dynamic");
}

void read_solids(ObjectReader& reader, const Place& at, Scene& scene) {
    if (!reader.is_list(at, "solids")) return;
    for (std::size_t n = 0; n < at.json->elements.size(); ++n) {
        const Place here = at.element(n);
        Solid solid;
        read_plain(reader, here, solid_kind(), &solid, TrackOwner{Track::Target::solid, n});
        if (here.json->is_object()) {
            check_solid_name(reader, here.member("name"), solid.name, scene);
            if (const Place shape = here.member("shape")) solid.shape = read_shape(reader, shape, solid_shape_kind());
            if (const Place motion = here.member("motion")) {
                solid.motion = read_motion(reader, motion);
                check_dynamics(reader, motion, solid);
            }
            solid.motion.pivot = center(solid.shape).value_or(Vec3d{});
        }
        scene.solids.push_back(std::move(solid));
    }
}

/// Whether a list has anything in it. Other values have been reported already.
bool has_elements(const Place& root, const char* key) {
    const Place list = root.member(key);
    return list && (!list.json->is_array() || !list.json->elements.empty());
}

/// Reads the parts of the file, without checking how they fit together.
Scene read_structure(ObjectReader& reader, const Place& root, const std::string& file) {
    Scene scene;
    scene.file = file;
    const std::string stem = std::filesystem::path(file).stem().string();
    scene.name = stem.empty() ? "untitled" : stem;
    if (!reader.is_object(root, scene_kind())) return scene;
    read_top(reader, root, scene);
    if (const Place at = root.member("time")) read_time(reader, at, scene.time);
    if (const Place at = root.member("output")) read_output(reader, at, scene.output);
    if (const Place at = root.member("view")) read_view(reader, at, scene);
    if (const Place at = root.member("materials")) read_materials(reader, at, scene);
    if (const Place at = root.member("fluids")) read_fluids(reader, at, scene);
    if (const Place at = root.member("sinks")) read_sinks(reader, at, scene);
    if (!has_elements(root, "fluids") && !has_elements(root, "emitters")) {
        reader.problem(root, "there is nothing to simulate: give \"fluids\" or \"emitters\"");
    }
    if (const Place at = root.member("solids")) read_solids(reader, at, scene);
    if (const Place at = root.member("emitters")) read_emitters(reader, at, scene);
    return scene;
}

void forget_lines(Json& json) {
    json.line = 0;
    for (Json& element : json.elements) forget_lines(element);
    for (auto& member : json.members) forget_lines(member.second);
}

/// An override creates missing objects on the way. That is right for "time", but not for a material with a typing error
/// in its name.
std::string unknown_material(const Json& root, const std::string& pointer) {
    const std::string prefix = "/materials/";
    const Json* materials = root.find("materials");
    if (!pointer.starts_with(prefix) || !materials || !materials->is_object()) return {};
    const std::string token = pointer.substr(prefix.size(), pointer.find('/', prefix.size()) - prefix.size());
    std::vector<std::string> tokens;
    for (const auto& member : materials->members) tokens.push_back(pointer_token(member.first));
    if (std::find(tokens.begin(), tokens.end(), token) != tokens.end()) return {};
    const bool whole_material = pointer.size() == prefix.size() + token.size();
    if (whole_material) return {};
    return "there is no material " + in_quotes(token) + did_you_mean(token, tokens);
}

std::vector<Problem> apply_overrides(Json& root, const std::vector<SceneOverride>& overrides, const std::string& file) {
    std::vector<Problem> problems;
    for (const auto& [pointer, text] : overrides) {
        if (std::string message = unknown_material(root, pointer); !message.empty()) {
            problems.push_back({std::move(message), file, pointer, 0});
            continue;
        }
        const Result<void> done = set_at_pointer(root, pointer, override_value(text));
        if (!done) problems.push_back({done.error().problems.front().message, file, pointer, 0});
    }
    return problems;
}

}  // namespace

Json override_value(const std::string& text) {
    Result<Json> parsed = parse_json(text, {});
    if (!parsed) return Json(text);
    forget_lines(*parsed);
    return std::move(*parsed);
}

Result<Scene> read_scene(const Json& root, const std::string& file, const Log& log) {
    ObjectReader reader(file, peek_dimension(root));
    const Place top{&root, {}};
    Scene scene = read_structure(reader, top, file);
    scene.tracks = std::move(reader.tracks());
    for (auto& [material, function] : reader.functions())
        scene.materials[material].functions.push_back(std::move(function));
    check_precision(reader, top, scene);
    // The rest needs a complete scene.
    if (reader.problems().empty()) {
        apply_tracks(scene, 0);
        check_bodies(reader, top, scene);
        check_particles(reader, top, scene, log);
    }
    if (reader.problems().empty()) check_temperature(reader, top, scene, log);
    if (reader.problems().empty()) {
        check_adhesion(top, scene, log);
        check_stops(top, scene, log);
        const MethodInput input = method_input(scene);
        check_friction(top, scene, input, log);
        check_method(reader, top, scene, input, log);
        if (reader.problems().empty()) check_periodic(reader, top, scene, input);
    }
    if (reader.problems().empty()) return scene;

    std::vector<Problem> problems = reader.problems();
    std::stable_sort(problems.begin(), problems.end(),
                     [](const Problem& a, const Problem& b) { return a.line < b.line; });
    return fail(std::move(problems));
}

namespace {

Result<Scene> read_changed(Result<Json> root, const std::string& file, const std::vector<SceneOverride>& overrides,
                           const std::optional<std::string>& method, const Log& log) {
    if (!root) return tl::unexpected<Error>(std::move(root.error()));
    std::vector<Problem> problems = apply_overrides(*root, overrides, file);
    if (method && root->is_object()) root->set("method", Json(*method));
    Result<Scene> scene = read_scene(*root, file, log);
    if (problems.empty()) return scene;
    if (!scene) problems.insert(problems.end(), scene.error().problems.begin(), scene.error().problems.end());
    return fail(std::move(problems));
}

}  // namespace

Result<Scene> read_scene_file(const std::string& path, const std::vector<SceneOverride>& overrides,
                              const std::optional<std::string>& method, const Log& log) {
    return read_changed(read_json_file(path), path, overrides, method, log);
}

Result<Scene> read_scene_text(std::string_view text, const std::string& file,
                              const std::vector<SceneOverride>& overrides, const std::optional<std::string>& method,
                              const Log& log) {
    return read_changed(parse_json(text, file), file, overrides, method, log);
}

}  // namespace treacle
