#include "sim/preflight.h"

#include <cmath>

#include "core/memory.h"
#include "core/text.h"
#include "geometry/mass_properties.h"
#include "math/space.h"
#include "methods/method.h"
#include "methods/particle_memory.h"
#include "methods/registry.h"
#include "scene/emission.h"
#include "scene/method_input.h"
#include "scene/sampling.h"
#include "sim/simulation.h"
#include "state/frame_formats.h"

namespace treacle {

namespace {

constexpr double program_bytes = 25e6;       // measured: a run of a few particles, with its picture
constexpr double counted_exactly = 1e6;      // particles; more take too long for a prediction
constexpr double many_steps = 1e5;           // a frame, minutes of work for a thousand particles
constexpr double particle_step_share = 0.5;  // of the radius of interaction; methods have settings for it
constexpr double relaxing_effort = 10;  // particles of a lattice that take as long as one of a relaxed packing, or more

template <class S>
double support_radius(const Scene& scene, const MethodInput& input) {
    return create_method<S>(scene.method, input)->support_radius();
}

double support_radius_of(const Scene& scene, const MethodInput& input) {
    const bool single = scene.precision == Precision::single_precision;
    if (scene.dimension == 2) {
        return single ? support_radius<Space2f>(scene, input) : support_radius<Space2d>(scene, input);
    }
    return single ? support_radius<Space3f>(scene, input) : support_radius<Space3d>(scene, input);
}

/// Things so fast that no step is short enough for a frame to come to its end. `radius` is that of interaction, of
/// which nothing may go more than a part in one step.
void warn_of_speeds(const Scene& scene, double radius, std::vector<std::string>& warnings) {
    const auto look = [&](const std::string& pointer, double speed, double share) {
        const double steps = speed / (share * radius * scene.time.fps);
        if (!(steps > many_steps)) return;
        warnings.push_back(pointer + ": " + digits_text(speed, 2) + " m/s takes about " + digits_text(steps, 2) +
                           " steps a frame; the run may not come to an end");
    };
    for (std::size_t n = 0; n < scene.solids.size(); ++n) {
        look("/solids/" + std::to_string(n) + "/motion", solid_speed(scene.solids[n]), solid_step_share);
    }
    for (std::size_t n = 0; n < scene.emitters.size(); ++n) {
        look("/emitters/" + std::to_string(n) + "/speed", scene.emitters[n].speed, particle_step_share);
    }
    for (std::size_t n = 0; n < scene.fluids.size(); ++n) {
        look("/fluids/" + std::to_string(n) + "/velocity", length(scene.fluids[n].velocity), particle_step_share);
    }
}

/// Bodies that a single particle outweighs: the first one that touches such a body throws it out of sight.
void warn_of_light_bodies(const Scene& scene, std::vector<std::string>& warnings) {
    double density = 0;
    for (const Material& material : scene.materials) density = std::max(density, material.density);
    const double particle = density * cell_volume(scene.dimension, scene.particle_spacing);
    for (std::size_t n = 0; n < scene.solids.size(); ++n) {
        const auto& dynamic = scene.solids[n].motion.dynamic;
        if (!dynamic) continue;
        const double mass =
            dynamic->mass ? *dynamic->mass : *dynamic->density * mass_properties(scene.solids[n].shape)->volume;
        if (mass >= particle) continue;
        warnings.push_back("/solids/" + std::to_string(n) + "/motion/dynamic: weighs " + digits_text(mass, 2) +
                           " kg, less than a particle of the fluid, " + digits_text(particle, 2) +
                           " kg; fluid that touches it may throw it about in ever shorter steps");
    }
}

}  // namespace

std::optional<std::size_t> count_overlap(const Scene& scene) {
    if (scene.solids.empty()) return 0;
    double effort = 0;
    for (const Fluid& fluid : scene.fluids) {
        effort += predicted_count(fluid, scene) * (fluid.packing == Packing::relaxed ? relaxing_effort : 1);
    }
    if (effort > counted_exactly) return std::nullopt;
    const Parallel parallel;
    std::size_t left_out = 0;
    for (const Fluid& fluid : scene.fluids) left_out += sample_fluid(fluid, scene, parallel).removed;
    return left_out;
}

Preflight predict(const Scene& scene) {
    Preflight result;
    for (const Fluid& fluid : scene.fluids) {
        const double count = predicted_count(fluid, scene);
        result.fluids.push_back({scene.materials[fluid.material].name, count});
        result.particles += count;
    }
    for (std::size_t e = 0; e < scene.emitters.size(); ++e) {
        const double count = predicted_emission(scene, e);
        result.fluids.push_back({scene.materials[scene.emitters[e].material].name + " to be emitted", count});
        result.particles += count;
    }
    if (scene.output.formats.empty()) {
        result.warnings.push_back("/output/formats: is empty; no frames will be written");
    } else if (scene.output.formats.front() != "ply") {  // the list is in the order of frame_formats
        result.warnings.push_back("/output/formats: has no \"ply\", from which pictures and exports are made");
    }
    const MethodRow* method = find_method(scene.method);
    const MethodInput input = method_input(scene);
    result.memory_bytes = program_bytes + result.particles * bytes_per_particle(*method, input);
    result.available_bytes = available_memory();
    for (const std::string& format : scene.output.formats) {
        result.bytes_per_frame += result.particles * find_frame_format(format)->bytes_per_particle;
    }
    result.frames = frame_count(scene.time);

    result.time_step_limits = method->time_step_limits(input);
    if (scene.time.max_dt) result.time_step_limits.push_back({*scene.time.max_dt, StepBound::max_dt, "/time/max_dt"});
    result.time_step_limits.push_back({1 / scene.time.fps, StepBound::frame, "/time/fps"});
    if (!scene.time.fixed_dt) {
        const double radius = support_radius_of(scene, input);
        double speed = 0;
        for (const Solid& solid : scene.solids) speed = std::max(speed, solid_speed(solid));
        if (speed > 0) result.time_step_limits.push_back({solid_step_share * radius / speed, StepBound::solid_speed});
        warn_of_speeds(scene, radius, result.warnings);
        warn_of_light_bodies(scene, result.warnings);
    }
    double dt = 1 / scene.time.fps;
    for (const TimeStepLimit& limit : result.time_step_limits) {
        dt = std::min(dt, limit.dt);
        if (scene.time.fixed_dt && *scene.time.fixed_dt > 1.0001 * limit.dt) {
            result.warnings.push_back("/time/fixed_dt: " + number_text(*scene.time.fixed_dt) + " s is more than the " +
                                      digits_text(limit.dt, 2) + " s that " + text_of(limit.bound) +
                                      " allows; the result may be garbage");
        }
    }
    if (scene.time.fixed_dt) dt = *scene.time.fixed_dt;
    result.steps = (result.frames - 1) * std::max(1.0, std::ceil(1 / scene.time.fps / dt - 1e-9));
    result.derived = method->derived_values(input);
    for (const Material& material : scene.materials) {
        if (!material.functions.empty()) continue;  // no number would hold for all of it
        for (Similarity& number : similarity_numbers(material, input)) result.numbers.push_back(std::move(number));
        if (std::string text = look_alike_text(material, input); !text.empty())
            result.look_alikes.push_back(std::move(text));
    }
    return result;
}

Result<void> refuse_if_too_large(const Scene& scene, const Preflight& preflight) {
    const double limit = 0.8 * preflight.available_bytes;
    const double indexable = 4e9;  // particle ids and neighbor rows use 32 bits
    if (preflight.memory_bytes <= limit && preflight.particles <= indexable) return {};
    if (program_bytes > limit) {
        return fail(ExitCode::file_failed, "out of memory: even a few particles need about " +
                                               bytes_text(program_bytes) + ", and " + bytes_text(limit) +
                                               " can be used here");
    }
    const double excess = std::max(preflight.memory_bytes / limit, preflight.particles / indexable);
    const double spacing = scene.particle_spacing * std::pow(excess, 1.0 / scene.dimension);
    Problem problem;
    problem.file = scene.file;
    problem.pointer = "/particle_spacing";
    problem.message = "this spacing gives " + number_text(std::round(preflight.particles)) + " particles, which need " +
                      bytes_text(preflight.memory_bytes) + " of memory; " + bytes_text(limit) +
                      " can be used here. A spacing of about " + digits_text(spacing * 1.05, 2) + " m would fit";
    return fail({problem});
}

}  // namespace treacle
