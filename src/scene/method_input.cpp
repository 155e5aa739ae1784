#include "scene/method_input.h"

#include <algorithm>
#include <limits>

#include "math/reproducible.h"

namespace treacle {

namespace {

constexpr Extent nothing{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};

/// Heights that a bounded shape spans in the given pose.
Extent heights(const Shape& shape, const Pose& pose, Vec3d up) {
    const Extent drawn = *extent(shape, rotate(conjugate(pose.rotation), up));
    return {dot(pose.position, up) + drawn.low, dot(pose.position, up) + drawn.high};
}

/// Height at which something that falls from a point meets a plane; infinity if it never does. Planes steeper than
/// 60 degrees are walls, not floors: a wall that leans a little would be met absurdly far below.
double landing_height(const Shape& shape, const Pose& pose, bool invert, Vec3d from, Vec3d up) {
    const SurfacePoint surface = surface_point(shape, pose.to_local(from));
    const double sign = invert ? -1 : 1;
    const double approach = sign * dot(rotate(pose.rotation, surface.normal), up);
    if (approach < 0.5 || sign * surface.distance < 0) return std::numeric_limits<double>::infinity();
    return dot(from, up) - sign * surface.distance / approach;
}

/// Poses that a solid or mouth gets to. Constant motion may lead anywhere; only its start counts.
std::vector<Pose> poses(const Motion& motion) {
    if (motion.keyframes.empty()) return {Pose{}};
    std::vector<Pose> all;
    for (const PoseKeyframe& keyframe : motion.keyframes) all.push_back(keyframe.pose);
    return all;
}

/// Places from which fluid and solids fall.
std::vector<Vec3d> sources(const Scene& scene) {
    std::vector<Vec3d> all;
    for (const Fluid& fluid : scene.fluids) all.push_back(*center(fluid.shape));
    for (const Solid& solid : scene.solids) {
        if (solid.motion.dynamic) all.push_back(*center(solid.shape));
    }
    for (const Emitter& emitter : scene.emitters) {
        for (const Pose& pose : poses(emitter.motion)) all.push_back(pose.to_world(emitter.position));
    }
    return all;
}

/// The lowest place on the solids to fall to, or infinity without solids.
double lowest_floor(const Scene& scene, Vec3d up) {
    double lowest = std::numeric_limits<double>::infinity();
    for (const Solid& solid : scene.solids) {
        if (solid.motion.dynamic) continue;
        for (const Pose& pose : poses(solid.motion)) {
            if (center(solid.shape)) {
                lowest = std::min(lowest, heights(solid.shape, pose, up).low);
                continue;
            }
            for (const Vec3d source : sources(scene)) {
                lowest = std::min(lowest, landing_height(solid.shape, pose, solid.invert, source, up));
            }
        }
    }
    return lowest;
}

/// Largest distance of a point of the shape from another point; 0 for planes.
double farthest_from(const Shape& shape, Vec3d point) {
    const auto box = bounds(shape);
    if (!box) return 0;
    Vec3d far{};
    for (int axis = 0; axis < 3; ++axis) {
        far[axis] = std::max(std::abs(box->low[axis] - point[axis]), std::abs(box->high[axis] - point[axis]));
    }
    return length(far);
}

double fluid_speed(const Fluid& fluid) {
    const double turning = reproducible::pi / 180 * length(fluid.angular_velocity);
    return length(fluid.velocity) + turning * farthest_from(fluid.shape, *center(fluid.shape));
}

/// Largest value of a vector's length or a number over its keyframes, if it has any.
double largest_on_track(const Scene& scene, Track::Target target, std::size_t index, std::string_view key) {
    double largest = 0;
    for (const Track& track : scene.tracks) {
        if (track.target != target || track.index != index || track.parameter->key != key) continue;
        for (const auto& [time, value] : track.keyframes) {
            if (const auto* number = std::get_if<double>(&value)) largest = std::max(largest, *number);
            if (const auto* v = std::get_if<std::array<double, 3>>(&value)) {
                largest = std::max(largest, length(Vec3d{(*v)[0], (*v)[1], (*v)[2]}));
            }
        }
    }
    return largest;
}

/// Fastest point of a solid with this velocity (m/s) and angular velocity (degrees/s) about its pivot.
double steady_speed(const Solid& solid, Vec3d velocity, Vec3d turning) {
    return length(velocity) + reproducible::pi / 180 * length(turning) * farthest_from(solid.shape, solid.motion.pivot);
}

}  // namespace

double scripted_speed(const Solid& solid, double from, double to) {
    const Motion& motion = solid.motion;
    if (motion.dynamic) return 0;
    if (motion.keyframes.empty()) return steady_speed(solid, motion.velocity, motion.angular_velocity);
    // The steepest part of a smoothstep is half again as steep as the straight line.
    const double steepest = motion.interpolation == Interpolation::smooth ? 1.5 : 1.0;
    double speed = 0;
    for (std::size_t n = 1; n < motion.keyframes.size(); ++n) {
        const PoseKeyframe& start = motion.keyframes[n - 1];
        const PoseKeyframe& end = motion.keyframes[n];
        if (end.time <= from || start.time >= to) continue;
        const double seconds = end.time - start.time;
        const Vec3d turning = angular_velocity(start.pose.rotation, end.pose.rotation, seconds);
        const double shift = length(end.pose.position - start.pose.position) / seconds;
        speed = std::max(speed, steepest * (shift + length(turning) * farthest_from(solid.shape, {})));
    }
    return speed;
}

double solid_speed(const Solid& solid) {
    constexpr double ever = std::numeric_limits<double>::infinity();
    const auto& dynamic = solid.motion.dynamic;
    return dynamic ? steady_speed(solid, dynamic->velocity, dynamic->angular_velocity)
                   : scripted_speed(solid, -ever, ever);
}

MethodInput method_input(const Scene& scene) {
    MethodInput input;
    input.dimension = scene.dimension;
    input.double_precision = scene.precision == Precision::double_precision;
    input.spacing = scene.particle_spacing;
    input.period = scene.periodic.value_or(Vec3d{});
    input.gravity = scene.gravity;
    input.strongest_gravity =
        std::max(length(scene.gravity), largest_on_track(scene, Track::Target::scene, 0, "gravity"));
    for (std::size_t m = 0; m < scene.materials.size(); ++m) {
        const double modulus = std::max(scene.materials[m].shear_modulus.value_or(0),
                                        largest_on_track(scene, Track::Target::material, m, "shear_modulus"));
        input.fastest_shear_wave = std::max(input.fastest_shear_wave, std::sqrt(modulus / scene.materials[m].density));
    }
    input.fixed_dt = scene.time.fixed_dt;
    input.max_dt = scene.time.max_dt;
    input.settings = scene.method_settings.at(scene.method);
    input.materials = scene.materials;
    for (const Fluid& fluid : scene.fluids)
        input.fluid_temperature.push_back(fluid.temperature.value_or(room_temperature));
    for (const Emitter& emitter : scene.emitters)
        input.fluid_temperature.push_back(emitter.temperature.value_or(room_temperature));

    // Without gravity nothing falls, but a height is still needed: then y is up.
    const double strength = length(scene.gravity);
    const Vec3d up = strength > 0 ? scene.gravity / -strength : Vec3d{0, 1, 0};
    Extent fluid = nothing;
    for (const Fluid& part : scene.fluids) {
        const Extent here = heights(part.shape, {}, up);
        fluid = {std::min(fluid.low, here.low), std::max(fluid.high, here.high)};
        input.fluid_depth += here.high - here.low;
        input.speed = std::max(input.speed, fluid_speed(part));
    }
    for (const Solid& solid : scene.solids) input.speed = std::max(input.speed, solid_speed(solid));
    Extent all = fluid;
    for (const Solid& solid : scene.solids) {  // a solid that falls into fluid makes it as fast
        if (!solid.motion.dynamic) continue;
        const Extent here = heights(solid.shape, {}, up);
        all = {std::min(all.low, here.low), std::max(all.high, here.high)};
    }
    for (std::size_t e = 0; e < scene.emitters.size(); ++e) {
        const Emitter& emitter = scene.emitters[e];
        const double speed = std::max(emitter.speed, largest_on_track(scene, Track::Target::emitter, e, "speed"));
        const double upward = speed * std::max(0.0, dot(emitter.direction, up) / length(emitter.direction));
        const double thrown = strength > 0 ? upward * upward / (2 * strength) : 0;
        for (const Pose& pose : poses(emitter.motion)) {
            const double height = dot(pose.to_world(emitter.position), up);
            all = {std::min(all.low, height), std::max(all.high, height + thrown)};
        }
        input.speed = std::max(input.speed, speed);
    }
    // The depth of the pool that an emitter will fill is unknown; the height of its fall makes the fluid stiff enough
    // for a pool of half that height.
    input.fluid_height = scene.fluids.empty() ? 0 : fluid.high - fluid.low;
    input.fluid_depth = std::min(input.fluid_depth, input.fluid_height);
    input.fall_height = strength > 0 ? all.high - std::min(all.low, lowest_floor(scene, up)) : 0;
    return input;
}

}  // namespace treacle
