#include "claims/run_data.h"

#include <algorithm>
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
    auto record = RunRecord::open(folder);
    if (!record) return tl::unexpected(record.error());
    RunData run(std::move(*record));
    Result<void> done = run.read_scene(scene_file);
    if (done) done = run.read_metrics();
    if (done) done = run.read_bodies();
    if (!done) return tl::unexpected(done.error());
    return run;
}

Result<void> RunData::read_scene(const std::string& scene_file) {
    auto scene =
        treacle::read_scene(record_.scene(), scene_file.empty() ? record_.folder().manifest_file() : scene_file, {});
    if (!scene) return tl::unexpected(scene.error());
    scene_ = std::move(*scene);
    return {};
}

Result<void> RunData::read_metrics() {
    auto table = record_.metrics();
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
    if (rows_.empty()) return fail(ExitCode::wrong_input, "there is no row in it", record_.folder().metrics_file());
    return {};
}

Result<void> RunData::read_bodies() {
    auto table = record_.bodies();
    if (!table) return tl::unexpected(table.error());
    if (scene_.solids.empty() || table->header.empty()) {
        poses_.resize(rows_.size());
        return {};
    }
    bodies_ = std::move(*table);
    const auto frame_column = bodies_.column("frame"), name_column = bodies_.column("body");
    if (!frame_column || !name_column) return no_column(bodies_, frame_column ? "body" : "frame");
    for (std::size_t n = 0; n < bodies_.rows.size(); ++n) {
        const auto frame = bodies_.number(n, *frame_column);
        if (frame) body_rows_[static_cast<int>(*frame)][bodies_.rows[n][*name_column]] = n;
    }
    auto poses = poses_in(bodies_);
    for (const Row& row : rows_) {
        std::vector<Pose>& of_row = poses_.emplace_back();
        for (const Solid& solid : scene_.solids) {
            Poses& of_frame = poses[row.frame];
            const auto pose = of_frame.find(solid.name);
            if (pose == of_frame.end()) {
                return fail(ExitCode::wrong_input,
                            "there is no pose of " + in_quotes(solid.name) + " in frame " + std::to_string(row.frame),
                            bodies_.file);
            }
            of_row.push_back(pose->second);
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
                    bodies_.file);
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
    return read_ply(record_.folder().frame_file(rows_[row].frame, "ply"));
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
