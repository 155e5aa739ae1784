#include "pictures/run_description.h"

#include "core/text.h"

namespace treacle {

namespace {

/// Of a material that has none, which scenes of this version always have.
constexpr Color color_if_unknown{0.6f, 0.25f, 0.02f};

RenderMesh render_mesh(const TriangleMesh& read) {
    RenderMesh mesh;
    for (const Vec3d& vertex : read.vertices) mesh.vertices.push_back(cast<float>(vertex));
    mesh.triangles = read.triangles;
    return mesh;
}

std::optional<PicturedSolid> pictured(const RunRecord::Solid& recorded, const RunRecord& record, const Log& log) {
    PicturedSolid solid;
    solid.name = recorded.name;
    solid.plane = recorded.plane;
    solid.container = recorded.inverted && !recorded.plane;
    solid.moves = recorded.moves;
    if (!recorded.color.empty()) solid.color = color_from_text(recorded.color, {});
    solid.glossy = recorded.look == "plain";
    if (solid.plane) return solid;
    const auto mesh = record.solid_mesh(solid.name);
    if (!mesh) {
        log.warning(to_string(mesh.error()) + "; the solid is not drawn");
        return std::nullopt;
    }
    solid.mesh = render_mesh(*mesh);
    return solid;
}

}  // namespace

Result<RunDescription> describe_run(const RunRecord& record, const Log& log) {
    if (auto known = record.check_spacing(); !known) return tl::unexpected(known.error());
    RunDescription run;
    run.name = record.name;
    run.method = record.method;
    run.dimension = record.dimension;
    run.spacing = record.spacing;
    run.fps = record.playing_fps();
    run.up = record.up;
    run.view = record.view;
    for (const RunRecord::Material& material : record.materials) {
        run.materials.push_back({material.name, color_from_text(material.color, color_if_unknown),
                                 parse_look(material.look).value_or(Look::plain), material.look_depth});
    }
    for (const RunRecord::Solid& solid : record.solids) {
        if (auto shown = pictured(solid, record, log)) run.solids.push_back(std::move(*shown));
    }
    return run;
}

}  // namespace treacle
