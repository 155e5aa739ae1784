#include "run/resuming.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "methods/registry.h"
#include "scene/reader.h"
#include "scene/scene_json.h"

namespace treacle {

namespace {

/// Mesh files that differ from their hashes in the manifest. The scene itself only names the files.
std::vector<Problem> changed_meshes(const Scene& scene, const MeshHashes& meshes, const Json& manifest,
                                    const std::string& folder) {
    std::vector<Problem> problems;
    const Json* saved = manifest.find("meshes");
    for (const auto& [file, hash] : meshes) {
        const Json* before = saved ? saved->find(file) : nullptr;
        if (!before || before->text == hash) continue;
        const auto path = std::filesystem::path(scene.file).parent_path() / file;
        problems.push_back(
            {"has changed since the run in " + folder + "; --resume needs the mesh as it was", path.string(), "", 0});
    }
    return problems;
}

/// Whether a key is one of a method that does not run: /clavet2005/cfl, /materials/jelly/clavet2005/yield_ratio.
bool of_another_method(const std::string& key, const std::string& runs) {
    const std::string materials = "/materials/";
    // Behind the material's name, which may be that of a method.
    const std::string own =
        key.starts_with(materials) ? key.substr(std::min(key.size(), key.find('/', materials.size()))) : key;
    return std::ranges::any_of(method_registry(), [&](const MethodRow& method) {
        return runs != method.id && own.starts_with("/" + std::string(method.id) + "/");
    });
}

/// Whether a key of a scene only changes the look of pictures.
bool only_for_pictures(const std::string& key) {
    const std::string last = key.substr(key.rfind('/') + 1);
    return key.starts_with("/view") || last == "color" || last == "look" || last == "look_depth";
}

}  // namespace

Result<Checkpoint> checkpoint_before_newest(const RunFolder& folder, const Log& log) {
    const auto files = folder.checkpoints();
    if (files.size() > 1) {
        if (auto checkpoint = load_checkpoint(files[1].path)) return checkpoint;
    }
    return newest_checkpoint(folder, log);
}

Result<Checkpoint> newest_checkpoint(const RunFolder& folder, const Log& log) {
    const auto files = folder.checkpoints();
    for (const NumberedFile& file : files) {
        auto checkpoint = load_checkpoint(file.path);
        if (checkpoint) return checkpoint;
        log.warning(to_string(checkpoint.error()) + "; trying the one before");
    }
    return fail(ExitCode::file_failed, (files.empty() ? "there is no checkpoint to resume from in "
                                                      : "none of the checkpoints can be used in ") +
                                           folder.path() + "; start again without --resume");
}

Result<void> check_same_scene(const Scene& scene, const MeshHashes& meshes, const Checkpoint& checkpoint,
                              const Json& manifest, const std::string& folder) {
    const auto saved = parse_json(checkpoint.scene, folder);
    if (!saved) return tl::unexpected(saved.error());
    std::vector<Problem> problems;
    Json before = *saved;
    std::vector<std::string> differing = differing_keys(before, scene_to_json(scene));
    if (!differing.empty()) {
        // A key that the version of the run did not know has its default there.
        if (const auto read = read_scene_text(checkpoint.scene, scene.file)) before = scene_to_json(*read);
        differing = differing_keys(before, scene_to_json(scene));
    }
    for (const std::string& key : differing) {
        if (key == "/time/duration" || only_for_pictures(key) || of_another_method(key, scene.method)) continue;
        // Defaults may differ by version: who did not give the key must be told what the run has.
        const Json* value = find_at_pointer(before, key);
        const std::string was = value ? ", where it is " + to_text(*value) : "";
        problems.push_back(
            {"differs from the run in " + folder + was + "; --resume cannot change it", scene.file, key, 0});
    }
    for (Problem& changed : changed_meshes(scene, meshes, manifest, folder)) problems.push_back(std::move(changed));
    if (!problems.empty()) return fail(std::move(problems));
    return {};
}

}  // namespace treacle
