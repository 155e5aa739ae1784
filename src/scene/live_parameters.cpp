#include "scene/live_parameters.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "core/text.h"
#include "methods/registry.h"
#include "scene/method_input.h"
#include "scene/object_reader.h"
#include "scene/tables.h"

namespace treacle {

namespace {

/// The object that a pointer leads to, without its last part.
struct ObjectOfScene {
    const ObjectKind* kind;
    TrackOwner owner;
};

std::vector<std::string> tokens_of(const std::string& pointer) {
    std::vector<std::string> tokens;
    for (std::size_t start = 1; start <= pointer.size();) {
        const std::size_t end = std::min(pointer.find('/', start), pointer.size());
        std::string token;
        for (std::size_t n = start; n < end; ++n) {
            const bool escaped = pointer[n] == '~' && n + 1 < end;
            if (escaped) token += pointer[++n] == '1' ? '/' : '~';
            else token += pointer[n];
        }
        tokens.push_back(std::move(token));
        start = end + 1;
    }
    return tokens;
}

std::optional<std::size_t> element(const std::string& token, std::size_t size) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
    const bool whole = error == std::errc{} && end == token.data() + token.size();
    return whole && index < size ? std::optional(index) : std::nullopt;
}

std::optional<std::size_t> material_named(const Scene& scene, const std::string& name) {
    const auto found = std::find_if(scene.materials.begin(), scene.materials.end(),
                                    [&](const Material& material) { return material.name == name; });
    if (found == scene.materials.end()) return std::nullopt;
    return static_cast<std::size_t>(found - scene.materials.begin());
}

std::optional<ObjectOfScene> find_object(const Scene& scene, const std::vector<std::string>& path) {
    using Target = Track::Target;
    if (path.empty()) return ObjectOfScene{&scene_kind(), {Target::scene}};
    if (path.size() == 1 && find_method(path[0]))
        return ObjectOfScene{&method_settings_kind(path[0]), {Target::method_settings, 0, path[0]}};
    if (path.size() == 2 && path[0] == "emitters") {
        if (const auto n = element(path[1], scene.emitters.size()))
            return ObjectOfScene{&emitter_kind(), {Target::emitter, *n}};
    }
    if (path.size() == 2 && path[0] == "solids") {
        if (const auto n = element(path[1], scene.solids.size()))
            return ObjectOfScene{&solid_kind(), {Target::solid, *n}};
    }
    if (path.size() >= 2 && path[0] == "materials") {
        const auto n = material_named(scene, path[1]);
        if (n && path.size() == 2) return ObjectOfScene{&material_kind(), {Target::material, *n}};
        if (n && path.size() == 3 && find_method(path[2]))
            return ObjectOfScene{&method_material_kind(path[2]), {Target::material_of_method, *n, path[2]}};
    }
    return std::nullopt;
}

/// Why a parameter cannot be set, or nothing.
std::string obstacle(const Scene& scene, const LiveParameter& at) {
    if (!at.parameter->live) return in_quotes(at.parameter->key) + " cannot change during a run; it needs a restart";
    const bool keyframed = std::any_of(scene.tracks.begin(), scene.tracks.end(),
                                       [&](const Track& track) { return track.pointer == at.pointer; });
    if (keyframed) return in_quotes(at.parameter->key) + " has keyframes, which would set it again in the next step";
    if (at.target != Track::Target::material && at.target != Track::Target::material_of_method) return {};
    const std::string key = at.method.empty() ? at.parameter->key : at.method + "/" + at.parameter->key;
    const auto& functions = scene.materials[at.index].functions;
    const bool varies = std::any_of(functions.begin(), functions.end(),
                                    [&](const PropertyFunction& function) { return function.key == key; });
    return varies ? in_quotes(at.parameter->key) + " is a function of temperature or age" : std::string();
}

}  // namespace

Result<void> set_live_parameter(Scene& scene, const std::string& pointer, const Json& value) {
    const auto refuse = [&](std::string message) {
        return fail(std::vector<Problem>{{std::move(message), scene.file, pointer, 0}});
    };
    std::vector<std::string> path = tokens_of(pointer);
    if (!pointer.starts_with('/') || path.empty()) return refuse("a JSON pointer begins with \"/\"");
    const std::string key = path.back();
    path.pop_back();
    const std::optional<ObjectOfScene> object = find_object(scene, path);
    if (!object) return refuse("nothing that can change during a run is there");
    const Parameter* parameter = object->kind->find_parameter(key);
    if (!parameter && object->kind->find_structured(key))
        return refuse(in_quotes(key) + " cannot change during a run; it needs a restart");
    if (!parameter) {
        const std::string hint = did_you_mean(key, object->kind->keys());
        return refuse("unknown key " + in_quotes(key) + hint);
    }
    const LiveParameter at{pointer, object->owner.target, object->owner.index, object->owner.method, parameter};
    if (std::string message = obstacle(scene, at); !message.empty()) return refuse(std::move(message));

    ObjectReader reader(scene.file, scene.dimension);
    const std::optional<ParameterValue> checked = reader.value({&value, pointer}, *parameter);
    if (!checked) return fail(reader.problems());
    void* owner = owner_of(scene, at);
    const ParameterValue before = parameter->read(owner);
    parameter->write(owner, *checked);
    std::vector<Problem> problems;
    for (const Remark& remark : find_method(scene.method)->check(method_input(scene))) {
        if (remark.kind == Remark::Kind::error) problems.push_back({remark.message, scene.file, remark.pointer, 0});
    }
    if (problems.empty()) return {};
    parameter->write(owner, before);
    return fail(std::move(problems));
}

}  // namespace treacle
