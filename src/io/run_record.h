#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "core/result.h"
#include "geometry/shape.h"
#include "geometry/tessellation.h"
#include "io/csv.h"
#include "io/run_folder.h"
#include "math/rotation.h"

namespace treacle {

/// Poses of the solids by name.
using Poses = std::map<std::string, Pose>;

/// What a run folder says about its run. This is the only reader of run folders: exports, pictures, meshes and claims
/// all take their facts from here. It requires as little as possible, so that runs of other versions can be read too;
/// facts that are missing have the values below.
class RunRecord {
public:
    struct Material {
        std::string name;
        std::string color;                 ///< "#rrggbb"
        std::string look;                  ///< as in the scene
        std::optional<double> look_depth;  ///< m of clear material that give it its color
    };
    struct Solid {
        std::string name;
        std::optional<Plane> plane;  ///< normal · x < offset, if the solid is a half space
        bool inverted = false;
        bool moves = false;
        std::string color, look;
    };
    /// The scene's settings of the camera.
    struct View {
        std::optional<double> azimuth{}, elevation{};  ///< degrees
        std::optional<Vec3d> target{};                 ///< m
        std::optional<double> distance{};              ///< m
        double field_of_view = 28;                     ///< degrees
    };

    /// Reads the manifest. A folder without one, or one without a scene, is wrong input.
    static Result<RunRecord> open(const std::string& folder);
    static Result<RunRecord> read(RunFolder folder);

    const RunFolder& folder() const { return folder_; }
    const Json& manifest() const { return manifest_; }
    const Json& scene() const { return *manifest_.find("scene"); }  ///< with every default filled in

    std::string name;  ///< of the scene, or else of the folder
    std::string method;
    int dimension = 3;
    double spacing = 0;  ///< m between particles
    double fps = 0;
    Vec3d up{0, 1, 0};  ///< against gravity, unit
    View view{};
    std::vector<Material> materials;  ///< in the order of the column material
    std::vector<Solid> solids;

    /// Frames a second of a video; 30 if the manifest does not say.
    double playing_fps() const;

    /// An error without a spacing: then the size of particles is unknown.
    Result<void> check_spacing() const;

    /// Frames as PLY, at least one. If there is none, the error is wrong input and says what there is instead;
    /// `purpose` is what is made from them, as in "pictures are drawn".
    Result<std::vector<NumberedFile>> frames(const std::string& purpose) const;

    /// The shape of a solid in the frame of its pose.
    Result<TriangleMesh> solid_mesh(const std::string& solid) const;

    Result<CsvTable> metrics() const;  ///< metrics.csv
    Result<CsvTable> bodies() const;   ///< bodies.csv; empty in a run without solids
    Json summary() const;              ///< summary.json; null if the run has not ended

    /// By frame, from bodies.csv. Rows that are not complete are left out.
    Result<std::map<int, Poses>> poses() const;

    /// Bounds of the fluid in all frames so far, from metrics.csv; none without that file.
    std::optional<Bounds> fluid_bounds() const;

private:
    RunRecord(RunFolder folder, Json manifest) : folder_(std::move(folder)), manifest_(std::move(manifest)) {}

    RunFolder folder_;
    Json manifest_;
};

/// Poses by frame, of a table like bodies.csv.
std::map<int, Poses> poses_in(const CsvTable& bodies);

}  // namespace treacle
