#include "scene/emission.h"

#include <algorithm>
#include <cmath>

#include "math/space.h"

namespace treacle {

namespace {

double placed_area(const Emitter& emitter) {
    const double scale = emitter.transform.scale;
    return area(emitter.mouth) * (emitter.mouth.dimension == 2 ? scale : scale * scale);
}

}  // namespace

Vec3d EmittedLayers::point(std::size_t layer, std::size_t sample, double depth, int dimension) const {
    const double shift = layer % 2 == 0 ? stagger : -stagger;
    const double angle = std::fmod(static_cast<double>(layer) * rotation, 360.0);
    const Vec3d p = angle != 0 ? rotate(from_axis_angle({0, 0, 1}, angle), points[sample]) : points[sample];
    return dimension == 2 ? Vec3d{p.x + shift, depth, 0} : Vec3d{p.x + shift, p.y + shift, depth};
}

EmittedLayers emitted_layers(const Emitter& emitter, const Scene& scene) {
    const double scale = emitter.transform.scale;
    EmittedLayers layers;
    layers.spacing = scene.particle_spacing;
    layers.points = sample_mouth(emitter.mouth, scene.particle_spacing / scale, emitter.layers);
    for (Vec3d& point : layers.points) point = scale * point;
    layers.particle_mass = scene.materials[emitter.material].density * placed_area(emitter) * layers.spacing /
                           static_cast<double>(layers.points.size());
    if (emitter.max_particles) {
        // A tiny bit less than whole layers, so that rounding does not let the next one out.
        const double whole =
            std::floor(static_cast<double>(*emitter.max_particles) / static_cast<double>(layers.points.size()));
        layers.longest = (whole - 1e-9) * layers.spacing;
    }
    if (scene.dimension == 3) layers.rotation = emitter.layer_rotation;
    if (layers.points.size() > 1 && layers.rotation == 0) layers.stagger = 0.25 * scene.particle_spacing;
    return layers;
}

Pose mouth_pose(const Emitter& emitter, const Pose& moved) {
    const Quaternion turn = facing(emitter.direction, emitter.mouth.dimension);
    return {moved.to_world(emitter.position + rotate(turn, emitter.transform.translate)),
            moved.rotation * turn * emitter.transform.rotate};
}

double mouth_width(const Emitter& emitter, const Scene& scene) {
    return 2 * outer_radius(emitter.mouth) * emitter.transform.scale / scene.particle_spacing;
}

bool emits_at(const Emitter& emitter, double time) {
    return time >= emitter.start && (!emitter.end || time < *emitter.end);
}

double predicted_emission(const Scene& scene, std::size_t index) {
    const Emitter& emitter = scene.emitters[index];
    double speed = emitter.speed;
    for (const Track& track : scene.tracks) {
        if (track.target != Track::Target::emitter || track.index != index) continue;  // only the speed is live
        for (const auto& keyframe : track.keyframes) speed = std::max(speed, std::get<double>(keyframe.second));
    }
    const double end = std::min(emitter.end.value_or(scene.time.duration), scene.time.duration);
    const double most = emitter.max_particles ? static_cast<double>(*emitter.max_particles) : 1e300;
    const double layers = 1 + std::ceil(speed * std::max(0.0, end - emitter.start) / scene.particle_spacing);
    return std::min(most, layers * static_cast<double>(emitted_layers(emitter, scene).points.size()));
}

}  // namespace treacle
