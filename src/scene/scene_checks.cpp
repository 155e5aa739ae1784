#include "scene/scene_checks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.h"
#include "math/space.h"
#include "methods/registry.h"
#include "scene/emission.h"
#include "scene/sampling.h"
#include "scene/tables.h"

namespace treacle {

namespace {

/// Line of the value that a pointer names, or of the closest object around it in the file.
int line_of(const Json& root, const std::string& pointer) {
    const Json* at = &root;
    std::size_t begin = 1;
    while (begin <= pointer.size()) {
        const std::size_t end = std::min(pointer.find('/', begin), pointer.size());
        const std::string token = pointer.substr(begin, end - begin);
        const Json* next = nullptr;
        for (const auto& [key, member] : at->members) {
            if (pointer_token(key) == token) next = &member;
        }
        for (std::size_t n = 0; n < at->elements.size() && !next; ++n) {
            if (std::to_string(n) == token) next = &at->elements[n];
        }
        if (!next) break;
        at = next;
        begin = end + 1;
    }
    return at->line;
}

void warn(const Log& log, const Json& root, const Scene& scene, const std::string& pointer,
          const std::string& message) {
    log.warning(to_string(Problem{message, scene.file, pointer, line_of(root, pointer)}));
}

/// Whether a particle is so much lighter or heavier than its cell that the fluid will not be at its density.
bool is_odd(double share) { return share < 0.7 || share > 1.4; }

std::string odd_share_message(double share, const std::string& remedy) {
    return "each particle stands for " + digits_text(share, 4) +
           " times the volume of a cell of particle_spacing; change " + remedy + " or particle_spacing";
}

}  // namespace

void check_time(ObjectReader& reader, const Place& at, const TimeSettings& time) {
    const double frames = time.duration * time.fps;
    if (frames > max_frames) {
        reader.problem(at, "duration × fps gives " + digits_text(frames, 4) + " frames; at most " +
                               digits_text(max_frames, 4) + " are possible");
    }
    if (!time.fixed_dt) return;
    const Place fixed = at.member("fixed_dt");
    const double steps = 1 / (time.fps * *time.fixed_dt);
    const double whole = std::max(1.0, std::floor(steps + 0.5));
    if (std::abs(steps - whole) > 1e-6 * whole) {
        reader.problem(fixed, "must divide the time of a frame, 1/fps = " + digits_text(1 / time.fps, 4) + " s; " +
                                  number_text(1 / (time.fps * whole)) + " does");
    }
    if (time.max_dt && *time.fixed_dt > *time.max_dt) {
        reader.problem(fixed, "is longer than max_dt, " + number_text(*time.max_dt) + " s");
    }
}

void check_precision(ObjectReader& reader, const Place& root, Scene& scene) {
    const MethodRow* row = find_method(scene.method);
    if (!row) return;
    const Place given = root.member("precision");
    if (!given) {
        scene.precision = row->single_precision ? Precision::single_precision : Precision::double_precision;
        return;
    }
    const bool built = scene.precision == Precision::single_precision ? row->single_precision : row->double_precision;
    if (!built && given.json->is_text()) {
        const bool optional = scene.precision == Precision::double_precision && row->double_option;
        reader.problem(given, in_quotes(given.json->text) + " is not what " + scene.method + " is built for; use " +
                                  in_quotes(precision_word(row->single_precision ? Precision::single_precision
                                                                                 : Precision::double_precision)) +
                                  (optional ? ", or build treacle with " + std::string(row->double_option) : ""));
    }
}

void check_particles(ObjectReader& reader, const Place& root, const Scene& scene, const Log& log) {
    bool endless = false;
    for (std::size_t n = 0; n < scene.fluids.size(); ++n) {
        const auto places = endless_search(scene.fluids[n]);
        if (!places) continue;
        reader.problem(root.member("fluids").element(n).member("count"),
                       "would be looked for among " + digits_text(*places, 4) +
                           " places: the shape is too thin and oblique to the "
                           "axes; turn it with \"transform\", make it thicker or give a smaller count");
        endless = true;
    }
    if (endless) return;
    double total = 0;
    for (const Fluid& fluid : scene.fluids) total += predicted_count(fluid, scene);
    for (std::size_t e = 0; e < scene.emitters.size(); ++e) {
        const double width = mouth_width(scene.emitters[e], scene);
        if (width > max_mouth_width) {
            reader.problem(root.member("emitters").element(e), "the mouth is " + digits_text(width, 4) +
                                                                   " particles wide; at most " +
                                                                   digits_text(max_mouth_width, 4) + " are possible");
            return;
        }
        total += predicted_emission(scene, e);
    }
    if (total > max_particles) {
        reader.problem(root.member("particle_spacing"), "gives about " + digits_text(total, 4) +
                                                            " particles; at most " + digits_text(max_particles, 4) +
                                                            " are possible");
        return;
    }
    for (std::size_t n = 0; n < scene.fluids.size(); ++n) {
        const Fluid& fluid = scene.fluids[n];
        const std::string pointer = "/fluids/" + std::to_string(n);
        const double points = predicted_count(fluid, scene);
        if (points == 0) {
            reader.problem(root.member("fluids").element(n),
                           "this fluid has no particles: its shape is thinner than particle_spacing");
            continue;
        }
        if (!has_particles(fluid, scene)) {
            reader.problem(root.member("fluids").element(n), "this fluid has no particles: all of it is inside solids");
        }
        const double cell = cell_volume(scene.dimension, scene.particle_spacing);
        const double share = *volume(fluid.shape) / points / cell;
        if (is_odd(share)) {
            warn(log, *root.json, scene, pointer,
                 odd_share_message(share, fluid.count ? "\"count\"" : "the size of the shape"));
        }
    }
    for (std::size_t e = 0; e < scene.emitters.size(); ++e) {
        const EmittedLayers layers = emitted_layers(scene.emitters[e], scene);
        if (layers.longest < 0) {
            reader.problem(root.member("emitters").element(e).member("max_particles"),
                           "a layer has " + std::to_string(layers.points.size()) + " particles already");
        }
        const double share = layers.particle_mass / scene.materials[scene.emitters[e].material].density /
                             cell_volume(scene.dimension, scene.particle_spacing);
        if (is_odd(share)) {
            warn(log, *root.json, scene, "/emitters/" + std::to_string(e),
                 odd_share_message(share, "the size of the mouth"));
        }
    }
}

void check_bodies(ObjectReader& reader, const Place& root, const Scene& scene) {
    for (std::size_t n = 0; n < scene.solids.size(); ++n) {
        const Solid& body = scene.solids[n];
        if (!body.motion.dynamic) continue;
        const Vec3d middle = *center(body.shape);
        for (std::size_t k = 0; k < scene.solids.size(); ++k) {
            const Solid& other = scene.solids[k];
            if (k == n || (other.motion.dynamic && k > n)) continue;  // of two dynamic ones the later is reported
            const double distance = surface_point(other.shape, pose_at(other.motion, 0).to_local(middle)).distance;
            if ((other.invert ? -distance : distance) >= 0) continue;
            reader.problem(root.member("solids").element(n), "its center stands inside the solid " +
                                                                 in_quotes(other.name) +
                                                                 " at the start; contact would "
                                                                 "throw it out");
        }
    }
}

namespace {

constexpr std::array<const char*, 3> axis_names{"x", "y", "z"};

/// Why a solid cannot be the same in every repetition of space; empty if it can.
std::string repetition_problem(const Solid& solid, Vec3d period) {
    if (!std::holds_alternative<Plane>(solid.shape.form))
        return "only planes have no end where space repeats itself (/periodic)";
    for (const PoseKeyframe& keyframe : solid.motion.keyframes) {
        if (keyframe.pose.rotation != Quaternion{}) return "must not turn where space repeats itself (/periodic)";
    }
    if (solid.motion.angular_velocity != Vec3d{}) return "must not turn where space repeats itself (/periodic)";
    const Vec3d normal = surface_point(solid.shape, {}).normal;
    for (int axis = 0; axis < 3; ++axis) {
        if (period[axis] > 0 && std::abs(normal[axis]) > 1e-9) {
            return std::string("must lie along ") + axis_names[static_cast<std::size_t>(axis)] +
                   ", where space repeats itself (/periodic)";
        }
    }
    return {};
}

}  // namespace

void check_periodic(ObjectReader& reader, const Place& root, const Scene& scene, const MethodInput& input) {
    if (!scene.periodic || *scene.periodic == Vec3d{}) return;
    const Vec3d period = *scene.periodic;
    const Place at = root.member("periodic");
    if (!find_method(scene.method)->periodic) {
        reader.problem(at, "space does not repeat itself in " + scene.method + "; leave it out");
        return;
    }
    if (!scene.emitters.empty()) {
        reader.problem(root.member("emitters"),
                       "emitters do not know that space repeats itself; leave out /periodic or them");
    }
    for (std::size_t n = 0; n < scene.solids.size(); ++n) {
        const std::string problem = repetition_problem(scene.solids[n], period);
        if (!problem.empty()) reader.problem(root.member("solids").element(n), problem);
    }
    const double shortest = 3 * find_method(scene.method)->search_radius(input);
    for (int axis = 0; axis < 3; ++axis) {
        const double length = period[axis];
        const std::string name = axis_names[static_cast<std::size_t>(axis)];
        if (length > 0 && length < shortest) {
            reader.problem(at, digits_text(length, 4) + " m along " + name +
                                   " is shorter than three times the radius of "
                                   "interaction, " +
                                   digits_text(shortest, 4) + " m: particles would meet their own images");
        }
        for (std::size_t n = 0; n < scene.fluids.size() && length > 0; ++n) {
            const Bounds box = *bounds(scene.fluids[n].shape);
            if (box.low[axis] >= -1e-9 * length && box.high[axis] <= (1 + 1e-9) * length) continue;
            reader.problem(root.member("fluids").element(n).member("shape"),
                           "reaches from " + digits_text(box.low[axis], 4) + " to " + digits_text(box.high[axis], 4) +
                               " m along " + name + "; it must lie between 0 and the " + digits_text(length, 4) +
                               " m of /periodic");
        }
    }
}

/// Temperatures and functions that the method cannot represent, or that nothing depends on.
void check_temperature(ObjectReader& reader, const Place& root, const Scene& scene, const Log& log) {
    const bool able = find_method(scene.method)->varying_properties;
    bool used = false;
    for (const Material& material : scene.materials) {
        const std::string at = "/materials/" + pointer_token(material.name);
        for (const PropertyFunction& function : material.functions) {
            used |= function.over == PropertyFunction::Over::temperature;
            const bool of_other =
                function.key.find('/') != std::string::npos && !function.key.starts_with(scene.method + "/");
            if (able || of_other) continue;
            const std::string pointer = at + "/" + function.key;
            reader.problem(
                Problem{"the properties of " + scene.method + " do not vary from particle to particle; give a number",
                        scene.file, pointer, line_of(*root.json, pointer)});
        }
        used |= material.thermal_conductivity.value_or(0) > 0;
        if (able && material.thermal_conductivity.value_or(0) > 0 && !material.heat_capacity) {
            reader.problem(Problem{"is needed with a thermal_conductivity; water has 4200", scene.file,
                                   at + "/heat_capacity", line_of(*root.json, at)});
        }
        if (able) continue;
        for (const char* key : {"thermal_conductivity", "heat_capacity"}) {
            const bool given = !std::holds_alternative<std::monostate>(material_table().find(key)->read(&material));
            if (given)
                warn(log, *root.json, scene, at + "/" + key,
                     "has no effect: " + scene.method + " does not know temperature");
        }
    }
    if (able && used) return;
    const auto tell = [&](const auto& list, const char* key) {
        for (std::size_t n = 0; n < list.size(); ++n) {
            if (!list[n].temperature) continue;
            warn(log, *root.json, scene, std::string("/") + key + "/" + std::to_string(n) + "/temperature",
                 able ? "has no effect: no material has a thermal_conductivity or depends on temperature"
                      : "has no effect: " + scene.method + " does not know temperature");
        }
    };
    tell(scene.fluids, "fluids");
    tell(scene.emitters, "emitters");
    tell(scene.solids, "solids");
}

void check_adhesion(const Place& root, const Scene& scene, const Log& log) {
    if (find_method(scene.method)->adhesion) return;
    for (std::size_t n = 0; n < scene.solids.size(); ++n) {
        if (scene.solids[n].adhesion > 0) {
            warn(log, *root.json, scene, "/solids/" + std::to_string(n) + "/adhesion",
                 "has no effect: in " + scene.method + " fluid does not stick to solids");
        }
    }
}

/// Only for friction that the scene gives, not for the default.
void check_friction(const Place& root, const Scene& scene, const MethodInput& input, const Log& log) {
    const auto coulomb = find_method(scene.method)->coulomb;
    if (!coulomb || coulomb(input)) return;
    for (std::size_t n = 0; n < scene.solids.size(); ++n) {
        const double friction = scene.solids[n].friction;
        const std::string pointer = "/solids/" + std::to_string(n) + "/friction";
        if (friction == 0 || std::isinf(friction) || !find_at_pointer(*root.json, pointer)) continue;
        warn(log, *root.json, scene, pointer,
             "is taken for \"no_slip\": with these settings of " + scene.method +
                 " fluid slides freely (0) or not at all");
    }
}

void check_stops(const Place& root, const Scene& scene, const Log& log) {
    if (find_method(scene.method)->detects_rupture) return;
    for (std::size_t n = 0; n < scene.solids.size(); ++n) {
        if (scene.solids[n].motion.stop == MotionStop::never) continue;
        warn(log, *root.json, scene, "/solids/" + std::to_string(n) + "/motion/stop",
             "has no effect: " + scene.method +
                 " does not notice rupture; the motion goes on, give it a last keyframe");
    }
}

void check_method(ObjectReader& reader, const Place& root, const Scene& scene, const MethodInput& input,
                  const Log& log) {
    for (const Remark& remark : find_method(scene.method)->check(input)) {
        if (remark.kind == Remark::Kind::error) {
            reader.problem(Problem{remark.message, scene.file, remark.pointer, line_of(*root.json, remark.pointer)});
        } else {
            warn(log, *root.json, scene, remark.pointer, remark.message);
        }
    }
    for (std::size_t n = 0; n < scene.materials.size(); ++n) {
        const bool used = std::any_of(scene.fluids.begin(), scene.fluids.end(),
                                      [&](const Fluid& fluid) { return fluid.material == n; }) ||
                          std::any_of(scene.emitters.begin(), scene.emitters.end(),
                                      [&](const Emitter& emitter) { return emitter.material == n; });
        if (!used) {
            warn(log, *root.json, scene, "/materials/" + pointer_token(scene.materials[n].name),
                 "no fluid is made of this material");
        }
    }
}

}  // namespace treacle
