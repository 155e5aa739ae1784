#include "io/export_run.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "io/body_mesh.h"
#include "io/csv.h"
#include "io/particle_table.h"
#include "state/particle_bounds.h"

namespace treacle {

namespace {

constexpr std::array<float, 3> color_if_unknown{0.816f, 0.541f, 0.157f};  // that of a material without color

double number_at(const Json& object, const char* key, double fallback) {
    const Json* value = object.find(key);
    return value && value->is_number() ? value->number : fallback;
}

std::string text_at(const Json& object, const char* key) {
    const Json* value = object.find(key);
    return value && value->is_text() ? value->text : std::string{};
}

std::array<float, 3> color_from(const std::string& text) {
    unsigned rgb = 0;
    if (text.size() != 7 || text[0] != '#') return color_if_unknown;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), rgb, 16);
    if (error != std::errc{} || end != text.data() + text.size()) return color_if_unknown;
    return {static_cast<float>(rgb >> 16) / 255, static_cast<float>(rgb >> 8 & 255) / 255,
            static_cast<float>(rgb & 255) / 255};
}

void turn_to_z_up(ExportRun& run) {
    const Quaternion& turn = from_y_up_to_z_up;
    for (ExportRun::Body& body : run.bodies) {
        for (Vec3d& vertex : body.mesh.vertices) vertex = rotate(turn, vertex);
    }
    for (auto& [frame, poses] : run.poses) {
        for (auto& [name, pose] : poses) {
            pose = {rotate(turn, pose.position), turn * pose.rotation * conjugate(turn)};
        }
    }
    const Bounds b = run.fluid;
    run.fluid = {{b.low.x, -b.high.z, b.low.y}, {b.high.x, -b.low.z, b.high.y}};
}

}  // namespace

Result<std::map<int, Poses>> read_poses(const RunFolder& folder) {
    std::map<int, Poses> frames;
    std::error_code ignored;
    if (!std::filesystem::exists(folder.bodies_file(), ignored)) return frames;
    const auto table = read_csv(folder.bodies_file());
    if (!table) return tl::unexpected(table.error());
    for (std::size_t row = 0; row < table->rows.size(); ++row) {
        std::array<double, 10> v{};
        bool complete = table->header.size() >= v.size();
        for (std::size_t n = 0; complete && n < v.size(); ++n) {
            if (n == 2) continue;  // the name
            const auto number = table->number(row, n);
            complete = number.has_value();
            v[n] = number.value_or(0);
        }
        if (!complete) continue;
        frames[static_cast<int>(v[0])][table->rows[row][2]] = Pose{{v[3], v[4], v[5]}, {v[6], v[7], v[8], v[9]}};
    }
    return frames;
}

std::optional<Bounds> read_fluid_bounds(const RunFolder& folder) {
    const auto table = read_csv(folder.metrics_file());
    if (!table) return std::nullopt;
    std::optional<Bounds> bounds;
    for (std::size_t row = 0; row < table->rows.size(); ++row) {
        Bounds here{};
        for (int axis = 0; axis < 3; ++axis) {
            const std::string name(1, "xyz"[axis]);
            const auto low = table->column("min_" + name), high = table->column("max_" + name);
            if (!low || !high) return std::nullopt;
            here.low[axis] = table->number(row, *low).value_or(0);
            here.high[axis] = table->number(row, *high).value_or(0);
        }
        bounds = bounds ? enclosing(*bounds, here) : here;
    }
    return bounds;
}

std::array<float, 3> ExportRun::color_of(std::size_t material) const {
    return material < materials.size() ? materials[material].color : color_if_unknown;
}

Pose ExportRun::pose_of(const std::string& body, int frame) const {
    const auto at = poses.find(frame);
    if (at == poses.end()) return {};
    const auto found = at->second.find(body);
    return found == at->second.end() ? Pose{} : found->second;
}

bool ExportRun::bodies_moved(int from_frame, int to_frame) const {
    for (const Body& body : bodies) {
        if (!(pose_of(body.name, from_frame) == pose_of(body.name, to_frame))) return true;
    }
    return false;
}

Result<ExportRun> read_export_run(const RunFolder& folder, bool z_up) {
    const auto manifest = folder.read_manifest();
    if (!manifest) return tl::unexpected(manifest.error());
    const Json* scene = manifest->find("scene");
    if (!scene) return fail(ExitCode::wrong_input, "there is no scene in it", folder.manifest_file());
    ExportRun run;
    run.name = text_at(*scene, "name");
    if (run.name.empty()) run.name = std::filesystem::path(folder.path()).filename().string();
    run.fps = number_at(*manifest, "fps", 0);
    run.spacing = number_at(*scene, "particle_spacing", 0);
    run.z_up = z_up;
    if (!(run.fps > 0) || !(run.spacing > 0)) {
        return fail(ExitCode::wrong_input, "there is no fps or no particle_spacing in it", folder.manifest_file());
    }
    if (const Json* materials = scene->find("materials")) {
        for (const auto& [name, material] : materials->members) {
            run.materials.push_back({name, color_from(text_at(material, "color"))});
        }
    }
    if (const Json* solids = scene->find("solids")) {
        for (const Json& solid : solids->elements) {
            const std::string name = text_at(solid, "name");
            auto mesh = read_body_ply(folder.body_file(name));
            if (!mesh) return tl::unexpected(mesh.error());
            run.bodies.push_back({name, std::move(*mesh)});
        }
    }
    auto poses = read_poses(folder);
    if (!poses) return tl::unexpected(poses.error());
    run.poses = std::move(*poses);
    if (const auto fluid = read_fluid_bounds(folder)) run.fluid = *fluid;
    if (z_up) turn_to_z_up(run);
    return run;
}

std::string xml_comment(std::string_view text) {
    std::string safe;
    for (const char c : text) safe += c == '-' && safe.ends_with('-') ? '_' : c;
    return safe;
}

std::string xml_text(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
            case '&': escaped += "&amp;"; break;
            case '<': escaped += "&lt;"; break;
            case '>': escaped += "&gt;"; break;
            case '"': escaped += "&quot;"; break;
            default: escaped += c;
        }
    }
    return escaped;
}

}  // namespace treacle
