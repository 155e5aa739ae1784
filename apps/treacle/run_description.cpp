#include "run_description.h"

#include <cmath>
#include <filesystem>

#include "core/text.h"
#include "io/body_mesh.h"

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

/// A solid's mesh from a run folder.
Result<RenderMesh> read_mesh(const std::string& path) {
    const auto read = read_body_ply(path);
    if (!read) return tl::unexpected(read.error());
    RenderMesh mesh;
    for (const Vec3d& vertex : read->vertices) mesh.vertices.push_back(cast<float>(vertex));
    mesh.triangles = read->triangles;
    return mesh;
}

PicturedView view_from(const Json& json) {
    return {optional_number_at(json, "azimuth"), optional_number_at(json, "elevation"), vector_at(json, "target"),
            optional_number_at(json, "distance"), number_at(json, "field_of_view", PicturedView{}.field_of_view)};
}

void add_solids(RunDescription& run, const Json& list, const RunFolder& folder, const Log& log) {
    for (const Json& json : list.elements) {
        PicturedSolid solid;
        solid.name = text_at(json, "name");
        const bool invert = flag_at(json, "invert");
        const Json* shape = json.find("shape");
        if (shape) solid.plane = plane_from(*shape, invert);
        solid.container = invert && !solid.plane;
        solid.moves = json.find("motion") != nullptr;
        if (const std::string color = text_at(json, "color"); !color.empty()) solid.color = color_from_text(color, {});
        solid.glossy = text_at(json, "look") == "plain";
        if (!solid.plane) {
            auto mesh = read_mesh(folder.body_file(solid.name));
            if (!mesh) {
                log.warning(to_string(mesh.error()) + "; the solid is not drawn");
                continue;
            }
            solid.mesh = std::move(*mesh);
        }
        run.solids.push_back(std::move(solid));
    }
}

}  // namespace

Result<RunDescription> describe_run(const RunFolder& folder, const Log& log) {
    const auto manifest = folder.read_manifest();
    if (!manifest) return tl::unexpected(manifest.error());
    const Json* scene = manifest->find("scene");
    if (!scene) return fail(ExitCode::wrong_input, "there is no scene in it", folder.manifest_file());
    RunDescription run;
    run.name = text_at(*scene, "name");
    if (run.name.empty()) run.name = std::filesystem::path(folder.path()).filename().string();
    run.method = text_at(*manifest, "method");
    run.dimension = number_at(*scene, "dimension", 3) == 2 ? 2 : 3;
    run.spacing = number_at(*scene, "particle_spacing", 0);
    if (!(run.spacing > 0)) {
        return fail(ExitCode::wrong_input, "there is no particle_spacing in its scene", folder.manifest_file());
    }
    run.fps = std::max(0.01, number_at(*manifest, "fps", 30));
    const Vec3d gravity = vector_at(*scene, "gravity").value_or(Vec3d{0, -1, 0});
    const double strength = length(gravity);
    if (strength > 0) run.up = -gravity / strength;
    if (const Json* view = scene->find("view")) run.view = view_from(*view);
    if (const Json* materials = scene->find("materials")) {
        for (const auto& [name, material] : materials->members) {
            run.materials.push_back({name, color_from_text(text_at(material, "color"), {0.6f, 0.25f, 0.02f}),
                                     parse_look(text_at(material, "look")).value_or(Look::plain),
                                     optional_number_at(material, "look_depth")});
        }
    }
    if (const Json* solids = scene->find("solids")) add_solids(run, *solids, folder, log);
    return run;
}

}  // namespace treacle
