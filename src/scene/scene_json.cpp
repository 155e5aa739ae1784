#include "scene/scene_json.h"

#include <algorithm>
#include <cassert>
#include <type_traits>

#include "scene/parameter_json.h"
#include "scene/tables.h"

namespace treacle {

namespace {

/// Adds the parameters of a table; those that are absent stay absent.
void add_parameters(Json& object, const ParameterTable& table, const void* owner, int dimension) {
    for (const Parameter& parameter : table.rows()) {
        const ParameterValue value = parameter.read(owner);
        if (!std::holds_alternative<std::monostate>(value)) {
            object.set(parameter.key, parameter_to_json(parameter, value, dimension));
        }
    }
}

Json plain_to_json(const ObjectKind& kind, const void* owner, int dimension) {
    Json object = Json::object();
    add_parameters(object, kind.parameters.front().table(), owner, dimension);
    return object;
}

/// A quaternion, because angles would not read back to the same bits.
Json rotation_to_json(const Quaternion& q) {
    Json list = Json::array();
    for (const double component : {q.w, q.x, q.y, q.z}) list.push(component);
    Json object = Json::object();
    object.set("quaternion", std::move(list));
    return object;
}

Json transform_to_json(const Transform& transform, int dimension) {
    Json object = plain_to_json(transform_kind(), &transform, dimension);
    object.set("rotate", rotation_to_json(transform.rotate));
    return object;
}

/// The key of a form and the kind of object under it.
std::pair<const char*, const ObjectKind&> kind_of(const Plane&) { return {"plane", plane_kind()}; }
std::pair<const char*, const ObjectKind&> kind_of(const Sphere&) { return {"sphere", sphere_kind()}; }
std::pair<const char*, const ObjectKind&> kind_of(const Box&) { return {"box", box_kind()}; }
std::pair<const char*, const ObjectKind&> kind_of(const Capsule&) { return {"capsule", capsule_kind()}; }
std::pair<const char*, const ObjectKind&> kind_of(const Cylinder& cylinder) {
    if (cylinder.inner_radius > 0) return {"tube", tube_kind()};
    return {"cylinder", cylinder_kind()};
}

Json shape_to_json(const Shape& shape) {
    Json object = Json::object();
    std::visit(
        [&]<class Form>(const Form& form) {
            if constexpr (std::is_same_v<Form, Mesh>) {
                object.set("mesh", form.file);
            } else {
                const auto& [key, kind] = kind_of(form);
                object.set(key, plain_to_json(kind, &form, shape.dimension));
            }
        },
        shape.form);
    object.set("transform", transform_to_json(shape.transform, shape.dimension));
    return object;
}

Json motion_to_json(const Motion& motion, int dimension) {
    Json keyframes = Json::array();
    for (const PoseKeyframe& keyframe : motion.keyframes) {
        const KeyframeTime time{keyframe.time};
        Json object = Json::object();
        add_parameters(object, pose_keyframe_kind().parameters[0].table(), &time, dimension);
        add_parameters(object, pose_keyframe_kind().parameters[1].table(), &keyframe.pose, dimension);
        object.set("rotation", rotation_to_json(keyframe.pose.rotation));
        keyframes.push(std::move(object));
    }
    Json object = Json::object();
    if (motion.dynamic) {
        object.set("dynamic", plain_to_json(dynamics_kind(), &*motion.dynamic, dimension));
        return object;
    }
    object = plain_to_json(motion_kind(), &motion, dimension);
    if (!motion.keyframes.empty()) object.set("keyframes", std::move(keyframes));
    return object;
}

Json output_to_json(const OutputSettings& output, int dimension) {
    Json formats = Json::array();
    for (const std::string& format : output.formats) formats.push(format);
    Json object = plain_to_json(output_kind(), &output, dimension);
    object.set("formats", std::move(formats));
    return object;
}

Json function_to_json(const PropertyFunction& function, int dimension) {
    Json object = plain_to_json(function_kind(), &function, dimension);
    Json points = Json::array();
    for (const auto& [x, y] : function.points) {
        Json& pair = points.push(Json::array());
        pair.push(x);
        pair.push(y);
    }
    object.set("points", std::move(points));
    return object;
}

Json material_to_json(const Material& material, int dimension) {
    Json object = plain_to_json(material_kind(), &material, dimension);
    for (const auto& [method, own] : material.by_method) {
        object.set(method, plain_to_json(method_material_kind(method), own.address(), dimension));
    }
    for (const PropertyFunction& function : material.functions) {
        [[maybe_unused]] const Result<void> done =
            set_at_pointer(object, "/" + function.key, function_to_json(function, dimension));
        assert(done);
    }
    return object;
}

Json fluid_to_json(const Fluid& fluid, const Scene& scene) {
    Json object = Json::object();
    object.set("material", scene.materials[fluid.material].name);
    object.set("shape", shape_to_json(fluid.shape));
    add_parameters(object, fluid_kind().parameters.front().table(), &fluid, scene.dimension);
    return object;
}

Json emitter_to_json(const Emitter& emitter, const Scene& scene) {
    Json shape = Json::object();
    if (const auto* disk = std::get_if<Disk>(&emitter.mouth.form)) {
        shape.set("disk", plain_to_json(disk_kind(), disk, scene.dimension));
    } else {
        shape.set("star", plain_to_json(star_kind(), &std::get<Star>(emitter.mouth.form), scene.dimension));
    }
    shape.set("transform", transform_to_json(emitter.transform, scene.dimension));
    Json object = Json::object();
    object.set("material", scene.materials[emitter.material].name);
    object.set("shape", std::move(shape));
    add_parameters(object, emitter_kind().parameters.front().table(), &emitter, scene.dimension);
    if (emitter.body) object.set("body", scene.solids[*emitter.body].name);
    if (emitter.motion.scripted()) object.set("motion", motion_to_json(emitter.motion, scene.dimension));
    return object;
}

Json solid_to_json(const Solid& solid, int dimension) {
    Json object = plain_to_json(solid_kind(), &solid, dimension);
    object.set("shape", shape_to_json(solid.shape));
    if (solid.motion.scripted() || solid.motion.dynamic) object.set("motion", motion_to_json(solid.motion, dimension));
    return object;
}

Json track_to_json(const Track& track, int dimension) {
    Json keyframes = Json::array();
    for (const auto& [time, value] : track.keyframes) {
        Json keyframe = Json::object();
        keyframe.set("time", time);
        keyframe.set("value", parameter_to_json(*track.parameter, value, dimension));
        keyframes.push(std::move(keyframe));
    }
    Json object = Json::object();
    object.set("keyframes", std::move(keyframes));
    return object;
}

void add_differences(const Json& a, const Json& b, const std::string& pointer, std::vector<std::string>& differences) {
    const auto differs = [&](const std::string& token) { differences.push_back(pointer + "/" + token); };
    if (a.type != b.type) {
        differences.push_back(pointer);
    } else if (a.is_object()) {
        for (const auto& [key, member] : a.members) {
            const std::string token = pointer_token(key);
            if (const Json* other = b.find(key)) add_differences(member, *other, pointer + "/" + token, differences);
            else differs(token);
        }
        for (const auto& [key, member] : b.members) {
            if (!a.find(key)) differs(pointer_token(key));
        }
    } else if (a.is_array()) {
        const std::size_t common = std::min(a.elements.size(), b.elements.size());
        for (std::size_t n = 0; n < common; ++n) {
            add_differences(a.elements[n], b.elements[n], pointer + "/" + std::to_string(n), differences);
        }
        const std::size_t all = std::max(a.elements.size(), b.elements.size());
        for (std::size_t n = common; n < all; ++n) differs(std::to_string(n));
    } else if (a.boolean != b.boolean || a.number != b.number || a.text != b.text) {
        differences.push_back(pointer);
    }
}

}  // namespace

Json scene_to_json(const Scene& scene) {
    const int dimension = scene.dimension;
    Json root = Json::object();
    const SceneHeader header;
    add_parameters(root, scene_kind().parameters[0].table(), &header, dimension);
    add_parameters(root, scene_kind().parameters[1].table(), &scene, dimension);
    root.set("time", plain_to_json(time_kind(), &scene.time, dimension));
    root.set("output", output_to_json(scene.output, dimension));
    root.set("view", plain_to_json(view_kind(), &scene.view, dimension));
    for (const auto& [method, settings] : scene.method_settings) {
        root.set(method, plain_to_json(method_settings_kind(method), settings.address(), dimension));
    }
    Json& materials = root.set("materials", Json::object());
    for (const Material& material : scene.materials) {
        materials.set(material.name, material_to_json(material, dimension));
    }
    Json& fluids = root.set("fluids", Json::array());
    for (const Fluid& fluid : scene.fluids) fluids.push(fluid_to_json(fluid, scene));
    Json& emitters = root.set("emitters", Json::array());
    for (const Emitter& emitter : scene.emitters) emitters.push(emitter_to_json(emitter, scene));
    Json& sinks = root.set("sinks", Json::array());
    for (const Sink& sink : scene.sinks) { sinks.push(Json::object()).set("shape", shape_to_json(sink.shape)); }
    Json& solids = root.set("solids", Json::array());
    for (const Solid& solid : scene.solids) solids.push(solid_to_json(solid, dimension));
    for (const Track& track : scene.tracks) {
        [[maybe_unused]] const Result<void> done = set_at_pointer(root, track.pointer, track_to_json(track, dimension));
        assert(done);
    }
    return root;
}

std::vector<std::string> differing_keys(const Json& a, const Json& b) {
    std::vector<std::string> differences;
    add_differences(a, b, "", differences);
    return differences;
}

}  // namespace treacle
