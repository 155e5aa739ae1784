#include "pictures/frame_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/text.h"
#include "io/frame_columns.h"
#include "pictures/picture_scene.h"
#include "render/overlay.h"
#include "render/render.h"

namespace treacle {

namespace {

/// Positions from all frames, evenly thinned out for speed.
std::vector<Vec3d> sample_positions(std::span<const FrameData> frames) {
    constexpr std::size_t wanted = 100000;
    std::size_t total = 0;
    for (const FrameData& frame : frames) total += frame.table.rows;
    const std::size_t stride = 1 + total / wanted;
    std::vector<Vec3d> points;
    for (const FrameData& frame : frames) {
        const std::vector<Vec3d> all = particle_positions(frame.table);
        for (std::size_t i = 0; i < all.size(); i += stride) points.push_back(all[i]);
    }
    return points;
}

/// Bounds without the outermost 0.5 % at either end of each axis.
Bounds bulk_bounds(const std::vector<Vec3d>& points) {
    Bounds result{};
    for (int axis = 0; axis < 3 && !points.empty(); ++axis) {
        std::vector<double> values;
        for (const Vec3d& p : points) values.push_back(p[axis]);
        std::sort(values.begin(), values.end());
        const std::size_t outside = values.size() / 200;
        result.low[axis] = values[outside];
        result.high[axis] = values[values.size() - 1 - outside];
    }
    return result;
}

std::array<Vec3d, 8> corners_of(const Bounds& b) {
    std::array<Vec3d, 8> corners;
    for (std::size_t n = 0; n < 8; ++n) {
        corners[n] = {n & 1 ? b.high.x : b.low.x, n & 2 ? b.high.y : b.low.y, n & 4 ? b.high.z : b.low.z};
    }
    return corners;
}

/// The nearest point that is not farther than `reach` from the bounds along any axis.
Vec3d clamped(Vec3d p, const Bounds& bounds, double reach) {
    for (int axis = 0; axis < 3; ++axis) {
        p[axis] = std::clamp(p[axis], bounds.low[axis] - reach, bounds.high[axis] + reach);
    }
    return p;
}

/// Points of the surroundings that belong in the picture: parts of solids near the fluid, the floor beneath it, and a
/// little space around a fluid that is almost a point.
std::vector<Vec3d> context_points(const RunDescription& run, std::span<const FrameData> frames, const Bounds& fluid,
                                  double size) {
    std::vector<Vec3d> points;
    const Vec3d middle = 0.5 * (fluid.low + fluid.high);
    const Vec3d small = 2 * run.spacing * Vec3d{1, 1, run.dimension == 3 ? 1.0 : 0.0};
    for (const Vec3d& corner : corners_of({middle - small, middle + small})) points.push_back(corner);
    for (const PicturedSolid& solid : run.solids) {
        for (const FrameData& frame : solid.moves ? frames : frames.first(1)) {
            const Pose pose = pose_of(frame, solid.name);
            for (const Vec3f& vertex : solid.mesh.vertices) {
                points.push_back(clamped(pose.to_world(cast<double>(vertex)), fluid, 0.35 * size));
            }
            if (!solid.plane) continue;
            const Plane plane = world_plane(*solid.plane, pose);
            if (!is_floor(plane, run.up)) continue;
            for (const Vec3d& corner : corners_of(fluid)) {
                const double above = dot(plane.normal, corner) - plane.offset;
                if (above > 0 && above < size) points.push_back(corner - above * plane.normal);
            }
        }
    }
    return points;
}

constexpr double degree = 3.14159265358979323846 / 180;

/// Half the height of the picture at a distance of 1.
double half_height(const PicturedView& view) { return std::tan(0.5 * degree * view.field_of_view); }

/// The angles given by the scene; otherwise from a corner, facing the longer side.
ViewAngles automatic_angles(const RunDescription& run, const Bounds& fluid) {
    const Camera front = oriented_camera({0, 0}, run.up);
    const Vec3d extent = fluid.high - fluid.low;
    const auto along = [&](Vec3d d) { return dot(Vec3d{std::abs(d.x), std::abs(d.y), std::abs(d.z)}, extent); };
    const double corner = along(front.forward) > 1.3 * along(front.right) ? 60.0 : 30.0;
    return {run.view.azimuth.value_or(corner), run.view.elevation.value_or(20.0)};
}

Result<Camera> aimed_camera(const RunDescription& run, const PictureRequest& request, const Bounds& fluid) {
    const bool automatic = request.view == "automatic";
    if (run.dimension == 2) {
        if (!automatic && request.view != "front") {
            return fail(ExitCode::wrong_input, "--view " + request.view + ": a 2D run is seen from the front only");
        }
        Camera camera;
        camera.orthographic = true;
        return camera;
    }
    const std::optional<ViewAngles> angles = automatic ? automatic_angles(run, fluid) : parse_view(request.view);
    if (!angles) {
        auto names = view_names();
        names.emplace_back("automatic");
        const std::string near = nearest_word(request.view, names);
        return fail(ExitCode::wrong_input, "--view: " + in_quotes(request.view) + " is not a view" +
                                               (near.empty() ? "." : "; did you mean " + in_quotes(near) + "?") +
                                               " There are " + list_text(names) +
                                               ", or azimuth and elevation in degrees, as in 30,20");
    }
    Camera camera = oriented_camera(*angles, run.up);
    camera.half_height = half_height(run.view);
    return camera;
}

/// Places the camera as the scene asks; false if the scene leaves that to the program.
bool place_by_scene(Camera& camera, const PicturedView& view) {
    if (!view.target || !view.distance) return false;
    camera.eye = *view.target - *view.distance * camera.forward;
    if (camera.orthographic) camera.half_height = *view.distance * half_height(view);
    return true;
}

std::string time_text(const RunDescription& run, const FrameData& frame) {
    const int decimals = std::clamp(static_cast<int>(std::ceil(std::log10(run.fps))) + 1, 1, 9);
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "frame %d   t = %.*f s", frame.number, decimals, frame.table.time);
    return text.data();
}

}  // namespace

FrameData frame_data(const Frame& frame) {
    FrameData data{frame.number, {frame.number, frame.time, frame.id_order.size(), {}}, {}, {}};
    const auto add = [&](const char* name, const char* column, std::size_t component) {
        std::vector<float> values(frame.id_order.size());
        gather_component<float>(require_column(frame.particles, column), component, frame.id_order,
                                reinterpret_cast<char*>(values.data()), sizeof(float));
        data.table.columns.push_back({name, {}, {values.begin(), values.end()}});
    };
    add("x", "position", 0);
    add("y", "position", 1);
    add("z", "position", 2);
    add("material", "material", 0);
    for (const Body& body : frame.bodies) data.poses[body.name] = body.pose;
    return data;
}

Result<void> check_drawable(const FrameData& frame, const std::string& file) {
    const std::vector<Vec3d> positions = particle_positions(frame.table);
    const auto lost = std::count_if(positions.begin(), positions.end(), [](Vec3d p) { return !is_drawable(p); });
    const std::string reason = "not a number, or more than " + number_text(farthest_drawable) +
                               " m away); it cannot be drawn. The run has diverged before this frame, or the file is "
                               "damaged";
    if (lost > 0) {
        return fail(ExitCode::file_failed,
                    "frame " + std::to_string(frame.number) + ": " + std::to_string(lost) + " of " +
                        std::to_string(positions.size()) + " particles have impossible positions (" + reason,
                    file);
    }
    for (const Poses& poses : {frame.poses, frame.next_poses}) {
        for (const auto& [name, pose] : poses) {
            const Quaternion& q = pose.rotation;
            const bool turned = std::isfinite(q.w + q.x + q.y + q.z);
            if (turned && is_drawable(pose.position)) continue;
            return fail(ExitCode::file_failed,
                        "frame " + std::to_string(frame.number) + ": the solid " + in_quotes(name) +
                            " has an impossible pose (" + reason,
                        file);
        }
    }
    return {};
}

Result<Shot> plan_shot(const RunDescription& run, std::span<const FrameData> frames, const PictureRequest& request) {
    std::vector<const PlyTable*> tables;
    for (const FrameData& frame : frames) tables.push_back(&frame.table);
    auto coloring = choose_coloring(request.color, tables);
    if (!coloring) return tl::unexpected(coloring.error());
    const std::vector<Vec3d> points = sample_positions(frames);
    const Bounds fluid = bulk_bounds(points);
    auto camera = aimed_camera(run, request, fluid);
    if (!camera) return tl::unexpected(camera.error());

    Shot shot{*camera, *coloring, 0.5 * (fluid.low + fluid.high), length(fluid.high - fluid.low) + 4 * run.spacing};
    if (request.view == "automatic" && place_by_scene(shot.camera, run.view)) return shot;
    Margins margins;
    if (!shot.coloring.column.empty()) {
        const double bar = color_bar_width(shot.coloring.bar, request.width, request.height);
        margins.right = std::clamp(bar / request.width + 0.02, margins.right, 0.4);
    }
    const auto aspect = static_cast<double>(request.width) / request.height;
    fit_camera(shot.camera, aspect, margins, points, context_points(run, frames, fluid, shot.size));
    return shot;
}

Result<Picture> draw_frame(const RunDescription& run, const FrameData& frame, const Shot& shot,
                           const PictureRequest& request, const Parallel& parallel) {
    auto scene = picture_scene(run, frame, shot, request, parallel);
    if (!scene) return tl::unexpected(scene.error());
    Picture picture = render(*scene, parallel);
    if (request.bare) return picture;
    draw_title(picture, run.name, time_text(run, frame));
    draw_note(picture, scene->grounds.empty() ? "particles " + length_text(run.spacing) + " apart"
                                              : "grid " + length_text(grid_pitch(shot)));
    if (!shot.coloring.column.empty()) {
        draw_color_bar(picture, shot.coloring.bar);
    } else if (run.materials.size() > 1) {
        std::vector<Swatch> swatches;
        for (const PicturedMaterial& material : run.materials) swatches.push_back({material.name, material.color});
        draw_swatches(picture, swatches);
    }
    return picture;
}

Result<void> write_preview(const RunFolder& folder, const Frame& frame, int threads) {
    const auto record = RunRecord::read(folder);
    if (!record) return tl::unexpected(record.error());
    auto run = describe_run(*record, {});
    if (!run) return tl::unexpected(run.error());
    PictureRequest request;
    request.width = 640;
    request.height = 400;
    request.quality = qualities[0];
    const std::vector<FrameData> frames{frame_data(frame)};
    if (auto right = check_drawable(frames.front(), folder.path()); !right) return right;
    auto shot = plan_shot(*run, frames, request);
    if (!shot) return tl::unexpected(shot.error());
    auto picture = draw_frame(*run, frames.front(), *shot, request, Parallel(threads));
    if (!picture) return tl::unexpected(picture.error());
    return write_png(folder.path() + "/preview.png", *picture);
}

}  // namespace treacle
