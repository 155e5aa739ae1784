#include "io/export_run.h"

#include <charconv>

#include "io/particle_table.h"

namespace treacle {

namespace {

constexpr std::array<float, 3> color_if_unknown{0.816f, 0.541f, 0.157f};  // that of a material without color

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

std::array<float, 3> material_color(std::string_view text) {
    unsigned rgb = 0;
    if (text.size() != 7 || text[0] != '#') return color_if_unknown;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), rgb, 16);
    if (error != std::errc{} || end != text.data() + text.size()) return color_if_unknown;
    return {static_cast<float>(rgb >> 16) / 255, static_cast<float>(rgb >> 8 & 255) / 255,
            static_cast<float>(rgb & 255) / 255};
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

Result<ExportRun> export_run(const RunRecord& record, bool z_up) {
    ExportRun run;
    run.name = record.name;
    run.fps = record.fps;
    run.spacing = record.spacing;
    run.z_up = z_up;
    if (!(run.fps > 0) || !(run.spacing > 0)) {
        return fail(ExitCode::wrong_input, "there is no fps or no particle_spacing in it",
                    record.folder().manifest_file());
    }
    for (const RunRecord::Material& material : record.materials) {
        run.materials.push_back({material.name, material_color(material.color)});
    }
    for (const RunRecord::Solid& solid : record.solids) {
        auto mesh = record.solid_mesh(solid.name);
        if (!mesh) return tl::unexpected(mesh.error());
        run.bodies.push_back({solid.name, std::move(*mesh)});
    }
    auto poses = record.poses();
    if (!poses) return tl::unexpected(poses.error());
    run.poses = std::move(*poses);
    if (const auto fluid = record.fluid_bounds()) run.fluid = *fluid;
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
