#include "pictures/picture_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/text.h"
#include "pictures/fluid_surface.h"
#include "meshing/frame_surface.h"

namespace treacle {

namespace {

constexpr float byte(int value) { return static_cast<float>(value) / 255; }

Color from_bytes(int r, int g, int b) {
    return {linear_from_srgb(byte(r)), linear_from_srgb(byte(g)), linear_from_srgb(byte(b))};
}

Color ground_color() { return from_bytes(232, 230, 226); }
Color paper_color() { return from_bytes(250, 249, 246); }
Color wire_color() { return from_bytes(84, 94, 108); }
Color solid_color(const PicturedSolid& solid) {
    return solid.color.value_or(solid.moves ? from_bytes(150, 170, 200) : from_bytes(196, 190, 180));
}

/// Layers of a 2D picture, in particle spacings behind the discs.
constexpr float outline_layer = 2, solid_layer = 4, paper_layer = 6;

Vec3d unit(Vec3d v) { return v / length(v); }

/// Numbers of substances: glossy and matt things, then one for each material.
constexpr std::uint32_t glossy = 0, matt = 1, first_material = 2;

/// Builds the scene piece by piece.
class SceneBuilder {
public:
    SceneBuilder(const RunDescription& run, const FrameData& frame, const Shot& shot, const PictureRequest& request)
        : run_(run), frame_(frame), shot_(shot), request_(request), spacing_(static_cast<float>(run.spacing)),
          wire_(static_cast<float>(0.0022 * shot.size)) {
        scene_.camera = shot.camera;
        scene_.sky.up = cast<float>(run.up);
        scene_.width = request.width;
        scene_.height = request.height;
        scene_.samples = request.quality.samples;
        scene_.bounces = request.quality.bounces;
        scene_.denoise = true;
    }

    Result<RenderScene> build(const Parallel& parallel) {
        add_substances();
        if (run_.dimension == 2) {
            add_particles();
            scene_.style = Style::flat;
            add_ground({0, 0, -paper_layer * run_.spacing}, {0, 0, 1}, paper_color());
            for (const PicturedSolid& solid : run_.solids) add_flat_solid(solid);
            return std::move(scene_);
        }
        if (!request_.surface) {
            add_particles();
        } else if (auto done = add_surfaces(parallel); !done) {
            return tl::unexpected(done.error());
        }
        set_light();
        for (const PicturedSolid& solid : run_.solids) add_solid(solid);
        if (scene_.grounds.empty()) add_table();
        return std::move(scene_);
    }

private:
    /// Whether colors mean numbers; then they must not be changed.
    bool colors_mean_numbers() const { return !shot_.coloring.column.empty(); }

    void add_substances() {
        for (const PicturedMaterial& material : run_.materials) {
            const double depth = material.depth.value_or(0.1 * shot_.size);
            const bool clear = request_.surface && is_clear(material.look) && !colors_mean_numbers();
            scene_.substances.push_back(clear ? clear_substance(material.look, material.color, depth)
                                              : opaque_substance(material.look, depth));
            if (colors_mean_numbers()) scene_.substances.back().mirrored = 0.01f;
        }
        scene_.contact_gap = spacing_;
    }

    void set_light() {
        const Camera& camera = shot_.camera;
        const Vec3d level = -camera.forward + dot(camera.forward, run_.up) * run_.up;
        scene_.light.direction = cast<float>(unit(-0.5 * camera.right + 1.0 * run_.up + 0.45 * level));
        scene_.light.softness = 0.12f;
        if (colors_mean_numbers()) {  // less contrast between light and shadow
            scene_.light.strength = {0.70f, 0.70f, 0.70f};
            scene_.sky.strength = 0.75f;
        } else {
            scene_.light.strength = {1.05f, 1.0f, 0.9f};
            scene_.film_curve = true;
        }
    }

    std::vector<std::uint32_t> particle_substances() const {
        std::vector<std::uint32_t> result(frame_.table.rows, glossy);
        const PlyTable::Column* material = frame_.table.find("material");
        for (std::size_t i = 0; material && i < result.size(); ++i) {
            const auto number = static_cast<std::uint32_t>(material->values[i]);
            if (number < run_.materials.size()) result[i] = first_material + number;
        }
        return result;
    }

    /// Way of each particle while the shutter is open, m.
    std::vector<Vec3f> particle_motions() const {
        std::vector<Vec3f> result(frame_.table.rows);
        const PlyTable::Column *x = frame_.table.find("vx"), *y = frame_.table.find("vy"), *z = frame_.table.find("vz");
        if (request_.shutter <= 0 || !x || !y || !z) return result;
        const double open = request_.shutter / run_.fps;
        for (std::size_t i = 0; i < result.size(); ++i) {
            const Vec3d motion = open * Vec3d{x->values[i], y->values[i], z->values[i]};
            if (is_drawable(motion)) result[i] = cast<float>(motion);
        }
        return result;
    }

    void add_particles() {
        const float radius = (run_.dimension == 2 ? 0.5f : 0.56f) * spacing_;
        const std::vector<Vec3d> positions = particle_positions(frame_.table);
        const std::vector<Color> colors = particle_colors(shot_.coloring, run_.materials, frame_.table);
        const std::vector<std::uint32_t> substances = particle_substances();
        const std::vector<Vec3f> motions = particle_motions();
        const std::vector<float> sizes = particle_sizes(frame_.table);
        for (std::size_t i = 0; i < positions.size(); ++i) {
            scene_.balls.push_back({cast<float>(positions[i]), sizes.empty() ? radius : sizes[i] * radius, colors[i],
                                    substances[i], motions[i]});
        }
    }

    /// The first material whose particles share a surface with those of this one: clear ones have surfaces of their
    /// own, opaque ones of the same look share one.
    std::uint32_t surface_of(std::uint32_t substance) const {
        if (substance < first_material) return substance;
        for (std::uint32_t other = first_material; other < substance; ++other) {
            const bool alike =
                run_.materials[other - first_material].look == run_.materials[substance - first_material].look;
            if (colors_mean_numbers() || (alike && !scene_.substances[substance].clear)) return other;
        }
        return substance;
    }

    Result<void> add_surfaces(const Parallel& parallel) {
        const std::vector<Vec3d> positions = particle_positions(frame_.table);
        const std::vector<Color> colors = particle_colors(shot_.coloring, run_.materials, frame_.table);
        const std::vector<std::uint32_t> substances = particle_substances();
        const std::vector<Vec3f> motions = particle_motions();
        const std::vector<float> sizes = particle_sizes(frame_.table);
        std::map<std::uint32_t, SurfacedFluid> fluids;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            SurfacedFluid& fluid = fluids[surface_of(substances[i])];
            fluid.positions.push_back(cast<float>(positions[i]));
            fluid.colors.push_back(colors[i]);
            if (request_.shutter > 0) fluid.motions.push_back(motions[i]);
            if (!sizes.empty()) fluid.sizes.push_back(sizes[i]);
        }
        for (const auto& [substance, fluid] : fluids) {
            auto mesh = fluid_surface(fluid, run_.spacing, parallel);
            if (!mesh) return tl::unexpected(mesh.error());
            mesh->substance = substance;
            scene_.meshes.push_back(std::move(*mesh));
        }
        return {};
    }

    void add_ground(Vec3d point, Vec3d normal, Color color) {
        Ground ground;
        const Vec3d center = shot_.center + dot(point - shot_.center, normal) * normal;
        ground.center = cast<float>(center);
        ground.normal = cast<float>(normal);
        ground.color = color;
        if (!request_.bare) ground.grid_pitch = static_cast<float>(grid_pitch(shot_));
        if (run_.dimension == 3) {
            ground.fade_distance = static_cast<float>(6 * shot_.size + length(center - shot_.center));
        }
        scene_.grounds.push_back(ground);
    }

    /// A table under containers that stand on nothing, so that they do not float in the sky.
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
        mesh.color = solid_color(solid);
        mesh.glass = solid.container;
        mesh.substance = solid.glossy ? glossy : matt;
        if (const auto next = frame_.next_poses.find(solid.name);
            request_.shutter > 0 && next != frame_.next_poses.end()) {
            for (const Vec3f& v : solid.mesh.vertices) {
                const Vec3d p = cast<double>(v), way = next->second.to_world(p) - pose.to_world(p);
                mesh.motion.push_back(cast<float>(request_.shutter * way));
            }
        }
        return mesh;
    }

    void add_edges(const RenderMesh& mesh, float radius) {
        for (const Wire& wire : edge_wires(mesh, radius, wire_color())) scene_.wires.push_back(wire);
    }

    void add_solid(const PicturedSolid& solid) {
        if (solid.plane) {
            const Plane plane = world_plane(*solid.plane, pose_of(frame_, solid.name));
            const Color color = solid.color.value_or(ground_color());
            if (is_floor(plane, run_.up)) add_ground(plane.offset * plane.normal, plane.normal, color);
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
            add_strip(plane, -50 * shot_.size, 0, solid_layer, solid_color(solid));
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

    /// A strip between two heights above a line, far longer than the picture.
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
    const PictureRequest& request_;
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

Result<RenderScene> picture_scene(const RunDescription& run, const FrameData& frame, const Shot& shot,
                                  const PictureRequest& request, const Parallel& parallel) {
    return SceneBuilder(run, frame, shot, request).build(parallel);
}

}  // namespace treacle
