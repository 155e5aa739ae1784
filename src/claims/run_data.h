#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "core/result.h"
#include "io/csv.h"
#include "io/ply.h"
#include "io/run_record.h"
#include "scene/scene.h"

namespace treacle {

/// The folder of a finished run. Tables are read once, frames on demand.
class RunData {
public:
    /// A row of metrics.csv, which is a frame of the run.
    struct Row {
        int frame;
        double time;   ///< s
        double steps;  ///< since the start of the run
    };

    /// Paths of meshes in the scene are relative to the scene file; without one to the run folder.
    static Result<RunData> open(const std::string& folder, const std::string& scene_file = {});

    const Scene& scene() const { return scene_; }
    const Json& scene_json() const { return record_.scene(); }  ///< with every default filled in

    const Json& summary() const { return summary_; }  ///< summary.json; null if the run is not finished

    const std::vector<Row>& rows() const { return rows_; }  ///< at least one

    /// Column of metrics.csv.
    Result<double> metric(std::size_t row, std::string_view column) const;

    /// Column of bodies.csv for one body, or center_x, center_y, center_z of its shape.
    Result<double> body(std::size_t row, std::string_view name, std::string_view column) const;

    Result<PlyTable> particles(std::size_t row) const;

    /// Signed distance to the nearest solid in its pose of that frame; negative inside. Infinite without solids.
    double wall_distance(std::size_t row, Vec3d point) const;

private:
    explicit RunData(RunRecord record) : record_(std::move(record)), summary_(record_.summary()) {}
    Result<void> read_scene(const std::string& scene_file);
    Result<void> read_metrics();
    Result<void> read_bodies();
    Vec3d center_of(std::size_t row, std::string_view name) const;

    RunRecord record_;
    Json summary_;
    Scene scene_;
    CsvTable metrics_, bodies_;
    std::vector<Row> rows_;
    std::map<int, std::map<std::string, std::size_t, std::less<>>> body_rows_;  ///< by frame and name
    std::vector<std::vector<Pose>> poses_;                                      ///< by row and solid
};

}  // namespace treacle
