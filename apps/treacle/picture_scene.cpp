#include "picture_scene.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.h"

namespace treacle {

namespace {

constexpr float byte(int value) { return static_cast<float>(value) / 255; }

Color from_bytes(int r, int g, int b) {
    return {linear_from_srgb(byte(r)), linear_from_srgb(byte(g)), linear_from_srgb(byte(b))};
}

Color ground_color() { return from_bytes(232, 230, 226); }
Color paper_color() { return from_bytes(250, 249, 246); }
Color wire_color() { return from_bytes(84, 94, 108); }
Color solid_color(bool moves) { return moves ? from_bytes(150, 170, 200) : from_bytes(196, 190, 180); }

/// Layers of a 2D picture, in particle spacings behind the discs.
constexpr float outline_layer = 2, solid_layer = 4, paper_layer = 6;

Vec3d unit(Vec3d v) { return v / length(v); }

/// Builds the scene piece by piece.
class SceneBuilder {
public:
    SceneBuilder(const RunDescription& run, const FrameData& frame, const Shot& shot)
        : run_(run), frame_(frame), shot_(shot), spacing_(static_cast<float>(run.spacing)),
          wire_(static_cast<float>(0.0022 * shot.size)) {
        scene_.camera = shot.camera;
        scene_.sky.up = cast<float>(run.up);
    }

    RenderScene build() {
        add_particles();
        if (run_.dimension == 2) {
            scene_.look = Look::flat;
            add_ground({0, 0, -paper_layer * run_.spacing}, {0, 0, 1}, paper_color());
            for (const PicturedSolid& solid : run_.solids) add_flat_solid(solid);
        } else {
            set_light();
            for (const PicturedSolid& solid : run_.solids) add_solid(solid);
            if (scene_.grounds.empty()) add_table();
        }
        return std::move(scene_);
    }

private:
    void set_light() {
        const Camera& camera = shot_.camera;
        const Vec3d level = -camera.forward + dot(camera.forward, run_.up) * run_.up;
        scene_.light.direction = cast<float>(unit(-0.5 * camera.right + 1.0 * run_.up + 0.45 * level));
        scene_.light.strength = {0.88f, 0.85f, 0.79f};
        if (shot_.coloring.column.empty()) return;
        // Colors that mean numbers must stay readable: less contrast between light and shadow, fewer highlights.
        scene_.light.strength = {0.70f, 0.70f, 0.70f};
        scene_.sky.strength = 0.75f;
        scene_.gloss = 0.25f;
    }

    void add_particles() {
        const float radius = (run_.dimension == 2 ? 0.5f : 0.56f) * spacing_;
        const std::vector<Vec3d> positions = particle_positions(frame_.table);
        const std::vector<Color> colors = particle_colors(shot_.coloring, run_.materials, frame_.table);
        for (std::size_t i = 0; i < positions.size(); ++i) {
            const Vec3f p = cast<float>(positions[i]);
            const bool somewhere = std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
            if (somewhere) scene_.balls.push_back({p, radius, colors[i]});
        }
    }

    void add_ground(Vec3d point, Vec3d normal, Color color) {
        Ground ground;
        const Vec3d center = shot_.center + dot(point - shot_.center, normal) * normal;
        ground.center = cast<float>(center);
        ground.normal = cast<float>(normal);
        ground.color = color;
        ground.grid_pitch = static_cast<float>(grid_pitch(shot_));
        if (run_.dimension == 3) {
            ground.fade_distance = static_cast<float>(6 * shot_.size + length(center - shot_.center));
        }
        scene_.grounds.push_back(ground);
    }

    /// Under containers that stand on nothing, so that they do not float in the sky.
    void add_table() {
        double lowest = 1e300;
        for (const PicturedSolid& solid : run_.solids) {
            if (!solid.container) continue;
            const Pose pose = pose_of(frame_, solid.name);
            for (const Vec3f& v : solid.mesh.vertices) {
                lowest = std::min(lowest, dot(run_.up, pose.to_world(cast<double>(v))));
            }
        }
        if (lowest < 1e300) add_ground((lowest - 2 * wire_) * run_.up, run_.up, ground_color());
    }

    RenderMesh posed_mesh(const PicturedSolid& solid) const {
        const Pose pose = pose_of(frame_, solid.name);
        RenderMesh mesh = solid.mesh;
        for (Vec3f& v : mesh.vertices) v = cast<float>(pose.to_world(cast<double>(v)));
        mesh.color = solid_color(solid.moves);
        mesh.glass = solid.container;
        return mesh;
    }

    void add_edges(const RenderMesh& mesh, float radius) {
        for (const Wire& wire : edge_wires(mesh, radius, wire_color())) scene_.wires.push_back(wire);
    }

    void add_solid(const PicturedSolid& solid) {
        if (solid.plane) {
            const Plane plane = world_plane(*solid.plane, pose_of(frame_, solid.name));
            if (is_floor(plane, run_.up)) add_ground(plane.offset * plane.normal, plane.normal, ground_color());
            else add_wall(plane);
            return;
        }
        scene_.meshes.push_back(posed_mesh(solid));
        if (solid.container) add_edges(scene_.meshes.back(), wire_);
    }

    /// A pane of glass as large as the fluid's surroundings: an infinite wall would hide everything.
    void add_wall(const Plane& plane) {
        const Vec3d n = plane.normal, foot = shot_.center + (plane.offset - dot(n, shot_.center)) * n;
        const Vec3d side = unit(std::abs(dot(n, run_.up)) < 0.9 ? cross(run_.up, n) : cross(shot_.camera.right, n));
        const Vec3d other = cross(n, side);
        const double half = 0.6 * shot_.size;
        RenderMesh pane;
        pane.glass = true;
        for (const auto& [a, b] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
            pane.vertices.push_back(cast<float>(foot + a * half * side + b * half * other));
        }
        pane.triangles = {{0, 1, 2}, {0, 2, 3}};
        scene_.meshes.push_back(pane);
        add_edges(pane, wire_);
    }

    void add_flat_solid(const PicturedSolid& solid) {
        const float line = std::min(1.5f * wire_, 0.5f * spacing_);
        if (solid.plane) {
            const Plane plane = world_plane(*solid.plane, pose_of(frame_, solid.name));
            add_strip(plane, -line, line, outline_layer, wire_color());
            add_strip(plane, -50 * shot_.size, 0, solid_layer, solid_color(solid.moves));
            return;
        }
        RenderMesh mesh = posed_mesh(solid);
        set_layer(mesh, outline_layer);
        add_edges(mesh, line);
        set_layer(mesh, solid_layer);
        if (!solid.container) scene_.meshes.push_back(std::move(mesh));
    }

    void set_layer(RenderMesh& mesh, float layer) const {
        for (Vec3f& v : mesh.vertices) v.z = -layer * spacing_;
    }

    /// What lies between two heights over a line, far longer than the picture.
    void add_strip(const Plane& plane, double low, double high, float layer, Color color) {
        const Vec3d n = plane.normal, along = 50 * shot_.size * Vec3d{n.y, -n.x, 0};
        const Vec3d foot = shot_.center + (plane.offset - dot(n, shot_.center)) * n;
        const Vec3d top = foot + high * n, bottom = foot + low * n;
        RenderMesh mesh;
        for (const Vec3d& p : {top - along, top + along, bottom + along, bottom - along}) {
            mesh.vertices.push_back(cast<float>(p));
        }
        mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
        mesh.color = color;
        set_layer(mesh, layer);
        scene_.meshes.push_back(std::move(mesh));
    }

    const RunDescription& run_;
    const FrameData& frame_;
    const Shot& shot_;
    float spacing_, wire_;
    RenderScene scene_;
};

}  // namespace

std::vector<Vec3d> particle_positions(const PlyTable& table) {
    const PlyTable::Column *x = table.find("x"), *y = table.find("y"), *z = table.find("z");
    std::vector<Vec3d> positions;
    if (!x || !y || !z) return positions;
    for (std::size_t i = 0; i < table.rows; ++i) positions.push_back({x->values[i], y->values[i], z->values[i]});
    return positions;
}

Pose pose_of(const FrameData& frame, const std::string& solid) {
    const auto found = frame.poses.find(solid);
    return found == frame.poses.end() ? Pose{} : found->second;
}

Plane world_plane(const Plane& plane, const Pose& pose) {
    const Vec3d normal = rotate(pose.rotation, plane.normal);
    return {normal, dot(normal, pose.to_world(plane.offset * plane.normal))};
}

bool is_floor(const Plane& plane, Vec3d up) { return dot(plane.normal, up) > 0.35; }

double grid_pitch(const Shot& shot) {
    const double wanted = shot.size / 5;
    const double power = std::pow(10, std::floor(std::log10(wanted)));
    return (wanted < 2 * power ? 1 : wanted < 5 * power ? 2 : 5) * power;
}

std::string length_text(double meters) {
    constexpr std::array<std::pair<double, const char*>, 4> units{
        {{1, " m"}, {1e-2, " cm"}, {1e-3, " mm"}, {1e-6, " um"}}};
    for (const auto& [unit, name] : units) {
        if (meters >= 0.999 * unit) return number_text(std::round(100 * meters / unit) / 100) + name;
    }
    return number_text(meters) + " m";
}

RenderScene picture_scene(const RunDescription& run, const FrameData& frame, const Shot& shot) {
    return SceneBuilder(run, frame, shot).build();
}

}  // namespace treacle
