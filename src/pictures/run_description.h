#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/log.h"
#include "core/result.h"
#include "io/run_record.h"
#include "geometry/shape.h"
#include "render/render_scene.h"

/// Facts about a run, besides its particles, that pictures show.

namespace treacle {

struct PicturedMaterial {
    std::string name;
    Color color;
    Look look = Look::plain;
    std::optional<double> depth{};  ///< m of clear material that give it its color
};

struct PicturedSolid {
    std::string name;
    std::optional<Plane> plane;  ///< for a half space; such a solid has no mesh
    RenderMesh mesh;             ///< as drawn, in the frame of its pose
    bool container = false;
    bool moves = false;
    std::optional<Color> color{};
    bool glossy = false;
};

using PicturedView = RunRecord::View;

struct RunDescription {
    std::string name;
    std::string method;
    int dimension = 3;
    double spacing = 0;  ///< m between particles
    double fps = 30;
    Vec3d up{0, 1, 0};  ///< against gravity, unit
    PicturedView view{};
    std::vector<PicturedMaterial> materials;
    std::vector<PicturedSolid> solids;
};

/// Takes the facts from a run's record, with the shapes of the solids; a solid that cannot be read is left out with a
/// warning. Without a spacing of particles nothing can be drawn, which is wrong input.
Result<RunDescription> describe_run(const RunRecord& record, const Log& log);

}  // namespace treacle
