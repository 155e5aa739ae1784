#include "run/manifest.h"

#include <filesystem>

#include "core/version.h"
#include "scene/scene_json.h"
#include "state/frame_formats.h"

namespace treacle {

namespace {

Json named_unit(const std::string& name, const std::string& unit) {
    Json entry = Json::object();
    entry.set("name", name);
    entry.set("unit", unit);
    return entry;
}

}  // namespace

Manifest::Manifest(const Scene& scene, const MeshHashes& meshes, const Simulation& simulation) : fps_(scene.time.fps) {
    for (const std::string& format : scene.output.formats)
        extensions_.emplace_back(find_frame_format(format)->extension);
    content_.set("treacle", 1);
    content_.set("version", program_version);
    content_.set("method", scene.method);
    content_.set("threads", simulation.threads());
    content_.set("fps", scene.time.fps);
    content_.set("particle_spacing", scene.particle_spacing);
    content_.set("up_axis", "y");
    content_.set("frames", Json::array());
    Json& columns = content_.set("columns", Json::array());
    for (const ColumnTable::Column& column : simulation.state().particles.all()) {
        if (column.info.exported) columns.push(named_unit(column.info.name, column.info.unit));
    }
    Json method_metrics = Json::array();
    for (const FrameColumn& column : simulation.method_metrics()) {
        method_metrics.push(named_unit(column.name, column.unit));
    }
    if (!method_metrics.elements.empty()) content_.set("method_metrics", std::move(method_metrics));
    Json& hashes = content_.set("meshes", Json::object());
    for (const auto& [file, hash] : meshes) hashes.set(file, hash);
    content_.set("repeats", Json::array());
    content_.set("scene", scene_to_json(scene));
}

void Manifest::keep_repetitions(const Json& former) {
    if (const Json* repeats = former.find("repeats")) content_.set("repeats", *repeats);
}

void Manifest::add(const Repetition& repetition) {
    Json entry = Json::object();
    entry.set("frame", repetition.frame);
    entry.set("from_frame", repetition.from_frame);
    entry.set("share_of_dt", repetition.share_of_dt);
    entry.set("reason", repetition.reason);
    content_.find("repeats")->push(std::move(entry));
}

Result<void> Manifest::write(const RunFolder& folder) const {
    Json manifest = content_;
    Json& frames = *manifest.find("frames");
    for (const std::string& extension : extensions_) {
        for (const NumberedFile& file : folder.frames(extension)) {
            Json entry = Json::object();
            entry.set("frame", file.frame);
            entry.set("time", (file.frame - 1) / fps_);
            entry.set("file", "frames/" + std::filesystem::path(file.path).filename().string());
            frames.push(std::move(entry));
        }
    }
    return folder.write_manifest(manifest);
}

}  // namespace treacle
