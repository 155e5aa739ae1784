#include "claims/run_data.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>

#include "core/text.h"
#include "scene/reader.h"

namespace treacle {

namespace {

tl::unexpected<Error> no_column(const CsvTable& table, std::string_view column) {
    return fail(ExitCode::wrong_input, "there is no column " + in_quotes(column) + did_you_mean(column, table.header),
                table.file);
}

}  // namespace

Result<RunData> RunData::open(const std::string& folder, const std::string& scene_file) {
    const auto opened = RunFolder::open(folder);
    if (!opened) return tl::unexpected(opened.error());
    RunData run(*opened);
    Result<void> done = run.read_scene_of_run(scene_file);
    if (done) done = run.read_metrics();
    if (done) done = run.read_bodies();
    if (!done) return tl::unexpected(done.error());
    if (auto summary = read_json_file(run.folder_.summary_file())) run.summary_ = std::move(*summary);
    return run;
}

Result<void> RunData::read_scene_of_run(const std::string& scene_file) {
    const auto manifest = folder_.read_manifest();
    if (!manifest) return tl::unexpected(manifest.error());
    const Json* json = manifest->find("scene");
    if (!json) return fail(ExitCode::wrong_input, "there is no scene in it", folder_.manifest_file());
    auto scene = read_scene(*json, scene_file.empty() ? folder_.manifest_file() : scene_file, {});
    if (!scene) return tl::unexpected(scene.error());
    scene_json_ = *json;
    scene_ = std::move(*scene);
    return {};
}

Result<void> RunData::read_metrics() {
    auto table = read_csv(folder_.metrics_file());
    if (!table) return tl::unexpected(table.error());
    metrics_ = std::move(*table);
    double steps = 0;
    for (std::size_t n = 0; n < metrics_.rows.size(); ++n) {
        const auto frame = metric(n, "frame"), time = metric(n, "time"), more_steps = metric(n, "steps");
        for (const auto* value : {&frame, &time, &more_steps}) {
            if (!*value) return tl::unexpected(value->error());
        }
        steps += *more_steps;
        rows_.push_back({static_cast<int>(*frame), *time, steps});
    }
    if (rows_.empty()) return fail(ExitCode::wrong_input, "there is no row in it", folder_.metrics_file());
    return {};
}

Result<void> RunData::read_bodies() {
    std::error_code ignored;
    if (scene_.solids.empty() || !std::filesystem::exists(folder_.bodies_file(), ignored)) {
        poses_.resize(rows_.size());
        return {};
    }
    auto table = read_csv(folder_.bodies_file());
    if (!table) return tl::unexpected(table.error());
    bodies_ = std::move(*table);
    const auto frame_column = bodies_.column("frame"), name_column = bodies_.column("body");
    if (!frame_column || !name_column) return no_column(bodies_, frame_column ? "body" : "frame");
    for (std::size_t n = 0; n < bodies_.rows.size(); ++n) {
        const auto frame = bodies_.number(n, *frame_column);
        if (frame) body_rows_[static_cast<int>(*frame)][bodies_.rows[n][*name_column]] = n;
    }
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        std::vector<Pose>& poses = poses_.emplace_back();
        for (const Solid& solid : scene_.solids) {
            std::array<double, 7> v{};
            const std::array<const char*, 7> columns{"px", "py", "pz", "qw", "qx", "qy", "qz"};
            for (std::size_t n = 0; n < v.size(); ++n) {
                const auto value = body(row, solid.name, columns[n]);
                if (!value) return tl::unexpected(value.error());
                v[n] = *value;
            }
            poses.push_back({{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}});
        }
    }
    return {};
}

Result<double> RunData::metric(std::size_t row, std::string_view column) const {
    const auto number = metrics_.column(column);
    if (!number) return no_column(metrics_, column);
    const auto value = metrics_.number(row, *number);
    if (!value)
        return fail(ExitCode::wrong_input, in_quotes(column) + " is not a number in row " + std::to_string(row + 1),
                    metrics_.file);
    return *value;
}

/// Center of a body's shape. A pose alone does not give it once the body has turned.
Vec3d RunData::center_of(std::size_t row, std::string_view name) const {
    for (std::size_t n = 0; n < scene_.solids.size(); ++n) {
        if (scene_.solids[n].name == name)
            return poses_[row][n].to_world(center(scene_.solids[n].shape).value_or(Vec3d{}));
    }
    return {};
}

Result<double> RunData::body(std::size_t row, std::string_view name, std::string_view column) const {
    const int frame = rows_[row].frame;
    const auto bodies = body_rows_.find(frame);
    std::vector<std::string> names;
    if (bodies != body_rows_.end()) {
        for (const auto& entry : bodies->second) names.push_back(entry.first);
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) {
        return fail(ExitCode::wrong_input,
                    "there is no body " + in_quotes(name) + " in frame " + std::to_string(frame) +
                        did_you_mean(name, names),
                    folder_.bodies_file());
    }
    if (column.starts_with("center_") && column.size() == 8 && column[7] >= 'x' && column[7] <= 'z') {
        return center_of(row, name)[column[7] - 'x'];
    }
    const auto number = bodies_.column(column);
    if (!number) return no_column(bodies_, column);
    const auto value = bodies_.number(bodies->second.find(name)->second, *number);
    if (!value)
        return fail(ExitCode::wrong_input, in_quotes(column) + " is not a number in frame " + std::to_string(frame),
                    bodies_.file);
    return *value;
}

Result<PlyTable> RunData::particles(std::size_t row) const {
    return read_ply(folder_.frame_file(rows_[row].frame, "ply"));
}

double RunData::wall_distance(std::size_t row, Vec3d point) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t n = 0; n < poses_[row].size(); ++n) {
        const Solid& solid = scene_.solids[n];
        const double distance = surface_point(solid.shape, poses_[row][n].to_local(point)).distance;
        nearest = std::min(nearest, solid.invert ? -distance : distance);
    }
    return nearest;
}

}  // namespace treacle
