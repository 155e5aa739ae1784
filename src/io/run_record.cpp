#include "io/run_record.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "io/body_mesh.h"
#include "state/particle_bounds.h"

namespace treacle {

namespace {

double number_at(const Json& object, const char* key, double fallback) {
    const Json* value = object.find(key);
    return value && value->is_number() ? value->number : fallback;
}

std::optional<double> optional_number_at(const Json& object, const char* key) {
    const Json* value = object.find(key);
    return value && value->is_number() ? std::optional(value->number) : std::nullopt;
}

bool flag_at(const Json& object, const char* key) {
    const Json* value = object.find(key);
    return value && value->type == Json::Type::boolean && value->boolean;
}

std::string text_at(const Json& object, const char* key) {
    const Json* value = object.find(key);
    return value && value->is_text() ? value->text : std::string{};
}

/// A vector; two numbers in 2D.
std::optional<Vec3d> vector_at(const Json& object, const char* key) {
    const Json* value = object.find(key);
    if (!value || !value->is_array() || value->elements.size() < 2 || value->elements.size() > 3) return std::nullopt;
    Vec3d result{};
    for (std::size_t n = 0; n < value->elements.size(); ++n) {
        if (!value->elements[n].is_number()) return std::nullopt;
        result[static_cast<int>(n)] = value->elements[n].number;
    }
    return result;
}

/// A transform from a manifest, where the rotation is a quaternion.
Transform transform_from(const Json& json) {
    Transform transform;
    transform.translate = vector_at(json, "translate").value_or(Vec3d{});
    transform.scale = number_at(json, "scale", 1);
    const Json* rotate = json.find("rotate");
    const Json* q = rotate ? rotate->find("quaternion") : nullptr;
    if (q && q->elements.size() == 4) {
        transform.rotate = {q->elements[0].number, q->elements[1].number, q->elements[2].number, q->elements[3].number};
    }
    return transform;
}

/// The half space normal · x < offset after its transform; nothing if the shape is not a plane.
std::optional<Plane> plane_from(const Json& shape, bool inverted) {
    const Json* json = shape.find("plane");
    if (!json) return std::nullopt;
    const Vec3d given = vector_at(*json, "normal").value_or(Vec3d{0, 1, 0});
    const double norm = length(given);
    if (!(norm > 0)) return std::nullopt;
    const Json* placed = shape.find("transform");
    const Transform transform = placed ? transform_from(*placed) : Transform{};
    const Vec3d foot = transform.apply((number_at(*json, "offset", 0) / (norm * norm)) * given);
    const Vec3d normal = (inverted ? -1.0 : 1.0) * rotate(transform.rotate, given / norm);
    return Plane{normal, dot(normal, foot)};
}

RunRecord::Solid solid_from(const Json& json) {
    RunRecord::Solid solid;
    solid.name = text_at(json, "name");
    solid.inverted = flag_at(json, "invert");
    if (const Json* shape = json.find("shape")) solid.plane = plane_from(*shape, solid.inverted);
    solid.moves = json.find("motion") != nullptr;
    solid.color = text_at(json, "color");
    solid.look = text_at(json, "look");
    return solid;
}

RunRecord::View view_from(const Json& json) {
    return {optional_number_at(json, "azimuth"), optional_number_at(json, "elevation"), vector_at(json, "target"),
            optional_number_at(json, "distance"), number_at(json, "field_of_view", RunRecord::View{}.field_of_view)};
}

}  // namespace

Result<RunRecord> RunRecord::open(const std::string& folder) {
    auto opened = RunFolder::open(folder);
    if (!opened) return tl::unexpected(opened.error());
    return read(std::move(*opened));
}

Result<RunRecord> RunRecord::read(RunFolder folder) {
    auto manifest = folder.read_manifest();
    if (!manifest) return tl::unexpected(manifest.error());
    if (!manifest->find("scene")) {
        return fail(ExitCode::wrong_input, "there is no scene in it", folder.manifest_file());
    }
    RunRecord run(std::move(folder), std::move(*manifest));
    const Json& scene = run.scene();
    run.name = text_at(scene, "name");
    if (run.name.empty()) run.name = std::filesystem::path(run.folder_.path()).filename().string();
    run.method = text_at(run.manifest_, "method");
    run.dimension = number_at(scene, "dimension", 3) == 2 ? 2 : 3;
    run.spacing = number_at(scene, "particle_spacing", 0);
    run.fps = number_at(run.manifest_, "fps", 0);
    const Vec3d gravity = vector_at(scene, "gravity").value_or(Vec3d{0, -1, 0});
    if (const double strength = length(gravity); strength > 0) run.up = -gravity / strength;
    if (const Json* view = scene.find("view")) run.view = view_from(*view);
    if (const Json* materials = scene.find("materials")) {
        for (const auto& [name, material] : materials->members) {
            run.materials.push_back({name, text_at(material, "color"), text_at(material, "look"),
                                     optional_number_at(material, "look_depth")});
        }
    }
    if (const Json* solids = scene.find("solids")) {
        for (const Json& solid : solids->elements) run.solids.push_back(solid_from(solid));
    }
    return run;
}

double RunRecord::playing_fps() const {
    constexpr double usual = 30, lowest = 0.01;
    return fps > 0 ? std::max(lowest, fps) : usual;
}

Result<void> RunRecord::check_spacing() const {
    if (spacing > 0) return {};
    return fail(ExitCode::wrong_input, "there is no particle_spacing in its scene", folder_.manifest_file());
}

Result<std::vector<NumberedFile>> RunRecord::frames(const std::string& purpose) const {
    auto files = folder_.frames("ply");
    if (!files.empty()) return files;
    const bool vtp = !folder_.frames("vtp").empty();
    return fail(ExitCode::wrong_input,
                vtp ? "holds frames as vtp only; " + purpose + " from ply (add \"ply\" to output.formats of the scene)"
                    : "holds no frames",
                folder_.path());
}

Result<TriangleMesh> RunRecord::solid_mesh(const std::string& solid) const {
    return read_body_ply(folder_.body_file(solid));
}

Result<CsvTable> RunRecord::metrics() const { return read_csv(folder_.metrics_file()); }

Result<CsvTable> RunRecord::bodies() const {
    std::error_code ignored;
    if (std::filesystem::exists(folder_.bodies_file(), ignored)) return read_csv(folder_.bodies_file());
    return CsvTable{folder_.bodies_file(), {}, {}};
}

Json RunRecord::summary() const {
    auto summary = read_json_file(folder_.summary_file());
    return summary ? std::move(*summary) : Json{};
}

Result<std::map<int, Poses>> RunRecord::poses() const {
    const auto table = bodies();
    if (!table) return tl::unexpected(table.error());
    return poses_in(*table);
}

std::map<int, Poses> poses_in(const CsvTable& bodies) {
    std::map<int, Poses> frames;
    constexpr std::array names{"frame", "px", "py", "pz", "qw", "qx", "qy", "qz"};
    const auto body = bodies.column("body");
    std::array<std::size_t, names.size()> columns{};
    for (std::size_t n = 0; n < names.size(); ++n) {
        const auto column = bodies.column(names[n]);
        if (!column || !body) return frames;
        columns[n] = *column;
    }
    for (std::size_t row = 0; row < bodies.rows.size(); ++row) {
        std::array<double, names.size()> v{};
        bool complete = true;
        for (std::size_t n = 0; n < names.size(); ++n) {
            const auto number = bodies.number(row, columns[n]);
            complete = complete && number;
            v[n] = number.value_or(0);
        }
        if (!complete) continue;
        frames[static_cast<int>(v[0])][bodies.rows[row][*body]] = {{v[1], v[2], v[3]}, {v[4], v[5], v[6], v[7]}};
    }
    return frames;
}

std::optional<Bounds> RunRecord::fluid_bounds() const {
    const auto table = metrics();
    if (!table) return std::nullopt;
    std::optional<Bounds> bounds;
    for (std::size_t row = 0; row < table->rows.size(); ++row) {
        Bounds here{};
        for (int axis = 0; axis < 3; ++axis) {
            const std::string axis_name(1, "xyz"[axis]);
            const auto low = table->column("min_" + axis_name), high = table->column("max_" + axis_name);
            if (!low || !high) return std::nullopt;
            here.low[axis] = table->number(row, *low).value_or(0);
            here.high[axis] = table->number(row, *high).value_or(0);
        }
        bounds = bounds ? enclosing(*bounds, here) : here;
    }
    return bounds;
}

}  // namespace treacle
