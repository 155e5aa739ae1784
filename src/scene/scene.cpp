#include "scene/scene.h"

#include <algorithm>
#include <cmath>

namespace treacle {

namespace {

/// The keyframes around a time, and the share of the way between them: 0 at `from`, 1 at `to`.
struct Segment {
    std::size_t from, to;
    double share;
};

/// Before the first and after the last keyframe the value stays.
template <class Keyframes, class TimeOf>
Segment find_segment(const Keyframes& keyframes, double time, const TimeOf& time_of) {
    std::size_t next = 0;
    while (next < keyframes.size() && time_of(keyframes[next]) <= time) ++next;
    if (next == 0) return {0, 0, 0};
    if (next == keyframes.size()) return {next - 1, next - 1, 0};
    const double start = time_of(keyframes[next - 1]);
    return {next - 1, next, (time - start) / (time_of(keyframes[next]) - start)};
}

/// Linear from a to b. Values that cannot be mixed (words such as "no_slip", which is infinity) hold until the next
/// keyframe.
ParameterValue mix(const ParameterValue& a, const ParameterValue& b, double share) {
    using Vector = std::array<double, 3>;
    if (share == 0) return a;
    if (std::holds_alternative<double>(a) && std::holds_alternative<double>(b)) {
        const double from = std::get<double>(a);
        const double to = std::get<double>(b);
        if (std::isfinite(from) && std::isfinite(to)) return from + share * (to - from);
    }
    if (std::holds_alternative<Vector>(a) && std::holds_alternative<Vector>(b)) {
        Vector mixed = std::get<Vector>(a);
        const Vector& to = std::get<Vector>(b);
        for (std::size_t axis = 0; axis < mixed.size(); ++axis) mixed[axis] += share * (to[axis] - mixed[axis]);
        return mixed;
    }
    return a;
}

ParameterValue value_at(const Track& track, double time) {
    const Segment segment = find_segment(track.keyframes, time, [](const auto& keyframe) { return keyframe.first; });
    ParameterValue value = mix(track.keyframes[segment.from].second, track.keyframes[segment.to].second, segment.share);
    if (track.parameter->kind == ParameterKind::integer) value = std::floor(std::get<double>(value) + 0.5);
    return value;
}

}  // namespace

int frame_count(const TimeSettings& time) { return 1 + static_cast<int>(std::floor(time.duration * time.fps + 0.5)); }

void* owner_of(Scene& scene, const LiveParameter& parameter) {
    switch (parameter.target) {
        case LiveParameter::Target::scene: return &scene;
        case LiveParameter::Target::method_settings: return scene.method_settings.at(parameter.method).address();
        case LiveParameter::Target::material: return &scene.materials.at(parameter.index);
        case LiveParameter::Target::material_of_method:
            return scene.materials.at(parameter.index).by_method.at(parameter.method).address();
        case LiveParameter::Target::emitter: return &scene.emitters.at(parameter.index);
        case LiveParameter::Target::solid: return &scene.solids.at(parameter.index);
    }
    return nullptr;
}

bool apply_tracks(Scene& scene, double time) {
    bool changed = false;
    for (const Track& track : scene.tracks) {
        void* owner = owner_of(scene, track);
        const ParameterValue value = value_at(track, time);
        if (track.parameter->read(owner) == value) continue;
        track.parameter->write(owner, value);
        changed = true;
    }
    return changed;
}

/// Moved and turned about the pivot since time 0. Whole turns are subtracted first: they would cost digits.
Pose constant_motion(const Motion& motion, double time) {
    const double turning = length(motion.angular_velocity);
    const Quaternion rotation =
        turning > 0 ? from_axis_angle(motion.angular_velocity, std::fmod(turning * time, 360.0)) : Quaternion{};
    return {motion.pivot + time * motion.velocity - rotate(rotation, motion.pivot), rotation};
}

Pose pose_at(const Motion& motion, double time) {
    if (motion.keyframes.empty()) return motion.scripted() ? constant_motion(motion, time) : Pose{};
    const Segment segment = find_segment(motion.keyframes, time, [](const PoseKeyframe& k) { return k.time; });
    const Pose& from = motion.keyframes[segment.from].pose;
    if (segment.share == 0) return from;
    const Pose& to = motion.keyframes[segment.to].pose;
    double share = segment.share;
    // Smoothstep: speed zero at every keyframe.
    if (motion.interpolation == Interpolation::smooth) share = share * share * (3 - 2 * share);
    return {from.position + share * (to.position - from.position), blend(from.rotation, to.rotation, share)};
}

}  // namespace treacle
