#include "scene/shape_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>

#include "core/text.h"
#include "mesh_files/closed_mesh.h"
#include "mesh_files/mesh_file.h"
#include "geometry/solid_mesh.h"

namespace treacle {

namespace {

/// A rotation as written. Quaternions do not know of whole turns, so the angles are kept beside them.
struct WrittenRotation {
    enum class Spelling { euler, axis_angle, quaternion };
    Quaternion quaternion{};
    Spelling spelling = Spelling::euler;
    Vec3d degrees{};  ///< Euler angles, or axis of length 1 times angle
};

/// Parameter with which Euler angles are read, in 2D as one number.
const Parameter& euler_parameter() {
    struct Angles {
        Vec3d angles;
    };
    const Parameter& angle = *rotation_kind().find_parameter("angle");
    static const ParameterTable table = ParameterTable("angles").add(
        "angles", &Angles::angles, {.unit = angle.unit, .low = angle.low, .high = angle.high, .doc = angle.doc});
    return table.rows().front();
}

std::optional<WrittenRotation> read_quaternion(ObjectReader& reader, const Place& at) {
    std::array<double, 4> q{};
    const auto& elements = at.json->elements;
    const bool numbers = elements.size() == q.size() &&
                         std::all_of(elements.begin(), elements.end(), [](const Json& j) { return j.is_number(); });
    if (!numbers) {
        reader.problem(at, "must be a list of 4 numbers (w, x, y, z), not " + describe(*at.json));
        return std::nullopt;
    }
    for (std::size_t n = 0; n < q.size(); ++n) q[n] = elements[n].number;
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(square > 0) || !std::isfinite(square)) {
        reader.problem(at, "must not be zero or enormous");
        return std::nullopt;
    }
    if (reader.dimension() == 2 && (q[1] != 0 || q[2] != 0)) {
        reader.problem(at, "in a 2D scene x and y must be 0: everything turns about z");
        return std::nullopt;
    }
    const Quaternion given{q[0], q[1], q[2], q[3]};
    // Normalizing a unit quaternion again could change its last bit.
    const bool normal = std::abs(square - 1) < 1e-12;
    return WrittenRotation{normal ? given : normalized(given), WrittenRotation::Spelling::quaternion, {}};
}

std::optional<WrittenRotation> read_axis_angle(ObjectReader& reader, const Place& at) {
    if (reader.dimension() == 2) {
        reader.problem(at, "must be one number in a 2D scene, unit degrees, not an axis and an angle");
        return std::nullopt;
    }
    AxisAngle given;
    const std::size_t problems_before = reader.problems().size();
    reader.read(at, rotation_kind().parameters.front().table(), &given);
    if (reader.problems().size() != problems_before) return std::nullopt;
    if (!given.axis || !given.angle) {
        reader.problem(at, "must hold both \"axis\" and \"angle\", or \"quaternion\"");
        return std::nullopt;
    }
    const double norm = length(*given.axis);
    if (norm == 0) {
        reader.problem(at.member("axis"), "must not be zero");
        return std::nullopt;
    }
    return WrittenRotation{from_axis_angle(*given.axis, *given.angle), WrittenRotation::Spelling::axis_angle,
                           (*given.angle / norm) * *given.axis};
}

std::optional<WrittenRotation> read_rotation(ObjectReader& reader, const Place& at) {
    if (at.json->is_object()) {
        const std::size_t problems_before = reader.problems().size();
        reader.is_object(at, rotation_kind());
        if (reader.problems().size() != problems_before) return std::nullopt;
        const Place quaternion = at.member("quaternion");
        if (!quaternion) return read_axis_angle(reader, at);
        if (at.json->members.size() > 1) {
            reader.problem(at, "must hold \"quaternion\" alone, or \"axis\" and \"angle\"");
            return std::nullopt;
        }
        return read_quaternion(reader, quaternion);
    }
    const auto value = reader.value(at, euler_parameter());
    if (!value) return std::nullopt;
    const auto& angles = std::get<std::array<double, 3>>(*value);
    const Vec3d degrees{angles[0], angles[1], angles[2]};
    return WrittenRotation{from_euler_xyz(degrees), WrittenRotation::Spelling::euler, degrees};
}

Transform read_transform(ObjectReader& reader, const Place& at) {
    Transform transform;
    if (!reader.is_object(at, transform_kind())) return transform;
    reader.read(at, transform_kind().parameters.front().table(), &transform);
    if (const Place rotate = at.member("rotate")) {
        if (const auto rotation = read_rotation(reader, rotate)) transform.rotate = rotation->quaternion;
    }
    return transform;
}

template <class Form>
Form read_form(ObjectReader& reader, const Place& at, const ObjectKind& kind) {
    Form form;
    if (reader.is_object(at, kind)) reader.read(at, kind.parameters.front().table(), &form);
    return form;
}

/// Reads a form with an axis.
template <class Form>
Form read_round(ObjectReader& reader, const Place& at, const ObjectKind& kind) {
    const Form form = read_form<Form>(reader, at, kind);
    if (length(form.axis) == 0) reader.problem(at.member("axis"), "must not be zero");
    return form;
}

Cylinder read_tube(ObjectReader& reader, const Place& at) {
    const auto tube = read_round<Cylinder>(reader, at, tube_kind());
    if (tube.inner_radius >= tube.radius && tube.radius > 0) {
        reader.problem(at.member("inner_radius"), "must be less than the radius, " + number_text(tube.radius) + " m");
    }
    return tube;
}

/// The solid in a file. Problems of the file are reported at the pointer that names it; then there is none.
std::shared_ptr<const SolidMesh> load_mesh(ObjectReader& reader, const Place& at) {
    const std::string path = (std::filesystem::path(reader.file()).parent_path() / at.json->text).string();
    if (const auto known = reader.meshes().find(path); known != reader.meshes().end()) return known->second;
    auto mesh = read_mesh_file(path);
    if (mesh) mesh = closed_mesh(*mesh);
    if (!mesh) {
        Problem problem = mesh.error().problems.front();
        if (problem.file.empty()) problem.file = path;
        reader.problem(at, to_string(problem));
        return nullptr;
    }
    return reader.meshes()[path] = std::make_shared<const SolidMesh>(std::move(*mesh));
}

void read_mesh(ObjectReader& reader, const Place& at, Shape& shape) {
    if (!at.json->is_text()) return reader.problem(at, "must be the path of a mesh file, not " + describe(*at.json));
    if (reader.dimension() == 2)
        return reader.problem(at, "a mesh needs a 3D scene; in 2D use boxes, spheres or capsules");
    if (auto solid = load_mesh(reader, at)) shape.form = Mesh{at.json->text, std::move(solid)};
}

Dynamics read_dynamics(ObjectReader& reader, const Place& at) {
    auto dynamics = read_form<Dynamics>(reader, at, dynamics_kind());
    if (at.json->is_object() && at.member("density").json == nullptr && at.member("mass").json == nullptr) {
        reader.problem(at, "must hold \"density\" or \"mass\"");
    }
    if (dynamics.density && dynamics.mass) reader.problem(at, "must hold \"density\" or \"mass\", not both");
    return dynamics;
}

/// The angle in degrees by which the writer wants the solid to turn; NaN if the spellings do not give it.
double turn_between(const WrittenRotation& from, const WrittenRotation& to) {
    if (from.spelling != to.spelling) return std::numeric_limits<double>::quiet_NaN();
    const Vec3d change = to.degrees - from.degrees;
    if (from.spelling == WrittenRotation::Spelling::axis_angle) return length(change);
    return std::max({std::abs(change.x), std::abs(change.y), std::abs(change.z)});
}

/// Between keyframes a solid turns the short way round. Reports turns that were meant otherwise.
void check_turns(ObjectReader& reader, const Place& keyframes,
                 const std::vector<std::optional<WrittenRotation>>& rotations) {
    for (std::size_t n = 1; n < rotations.size(); ++n) {
        if (!rotations[n] || !rotations[n - 1]) continue;
        const double turn = turn_between(*rotations[n - 1], *rotations[n]);
        if (turn >= 180) {
            const Place rotation = keyframes.element(n).member("rotation");
            reader.problem(rotation ? rotation : keyframes.element(n),
                           "turns by " + number_text(turn) +
                               " degrees since the keyframe before; put keyframes in "
                               "between, less than 180 degrees apart");
        }
    }
}

}  // namespace

Shape read_shape(ObjectReader& reader, const Place& at, const ObjectKind& kind) {
    Shape shape;
    shape.dimension = reader.dimension() == 2 ? 2 : 3;
    if (!reader.is_object(at, kind)) return shape;
    // Every form that is given is read, so that its problems show even when there is one form too many.
    for (const auto& [key, member] : at.json->members) {
        const Place here = at.member(key);
        if (key == "sphere") {
            shape.form = read_form<Sphere>(reader, here, sphere_kind());
        } else if (key == "box") {
            shape.form = read_form<Box>(reader, here, box_kind());
        } else if (key == "cylinder") {
            shape.form = read_round<Cylinder>(reader, here, cylinder_kind());
        } else if (key == "tube") {
            shape.form = read_tube(reader, here);
        } else if (key == "capsule") {
            shape.form = read_round<Capsule>(reader, here, capsule_kind());
        } else if (key == "mesh") {
            read_mesh(reader, here, shape);
        } else if (key == "plane" && kind.find_structured(key)->form == Form::object) {
            const auto plane = read_form<Plane>(reader, here, plane_kind());
            if (length(plane.normal) == 0) reader.problem(here.member("normal"), "must not be zero");
            shape.form = plane;
        } else if (key == "transform") {
            shape.transform = read_transform(reader, here);
        }
    }
    return shape;
}

void read_mouth(ObjectReader& reader, const Place& at, Emitter& emitter) {
    emitter.mouth.dimension = reader.dimension() == 2 ? 2 : 3;
    if (!reader.is_object(at, mouth_kind())) return;
    if (const Place disk = at.member("disk")) emitter.mouth.form = read_form<Disk>(reader, disk, disk_kind());
    if (const Place star = at.member("star")) {
        const Star form = read_form<Star>(reader, star, star_kind());
        if (reader.dimension() == 2) reader.problem(star, "a star needs a 3D scene; use a disk, which is a slit in 2D");
        if (form.inner_radius > form.radius) {
            reader.problem(star.member("inner_radius"),
                           "must not be larger than the radius, " + number_text(form.radius) + " m");
        }
        emitter.mouth.form = form;
    }
    if (const Place transform = at.member("transform")) emitter.transform = read_transform(reader, transform);
}

Motion read_motion(ObjectReader& reader, const Place& at) {
    Motion motion;
    if (!reader.is_object(at, motion_kind())) return motion;
    reader.read(at, motion_kind().parameters.front().table(), &motion);
    const bool constant = motion.velocity != Vec3d{} || motion.angular_velocity != Vec3d{};
    const Place keyframes = at.member("keyframes");
    if (const Place dynamic = at.member("dynamic")) {
        motion.dynamic = read_dynamics(reader, dynamic);
        if (keyframes || constant) reader.problem(at, "must hold \"dynamic\" alone: such a solid moves by itself");
        if (const Place stop = at.member("stop"))
            reader.problem(stop, "ends a scripted motion; this solid moves by itself");
        return motion;
    }
    if (keyframes && constant) reader.problem(at, "must hold keyframes or a constant velocity, not both");
    if (!keyframes && !constant) reader.problem(at, "must hold keyframes, a velocity or \"dynamic\"");
    if (!keyframes || !reader.is_list(keyframes, "keyframes")) return motion;
    if (keyframes.json->elements.empty()) reader.problem(keyframes, "there must be at least one keyframe");

    const ObjectKind& kind = pose_keyframe_kind();
    std::vector<double> times;
    std::vector<std::optional<WrittenRotation>> rotations;
    for (std::size_t n = 0; n < keyframes.json->elements.size(); ++n) {
        const Place here = keyframes.element(n);
        KeyframeTime key{std::numeric_limits<double>::quiet_NaN()};
        Pose pose;
        std::optional<WrittenRotation> rotation = WrittenRotation{};
        if (reader.is_object(here, kind)) {
            reader.read(here, kind.parameters[0].table(), &key);
            reader.read(here, kind.parameters[1].table(), &pose);
            if (const Place at_rotation = here.member("rotation")) rotation = read_rotation(reader, at_rotation);
        }
        if (rotation) pose.rotation = rotation->quaternion;
        times.push_back(key.time);
        rotations.push_back(rotation);
        motion.keyframes.push_back({key.time, pose});
    }
    reader.check_ascending(keyframes, times);
    check_turns(reader, keyframes, rotations);
    return motion;
}

}  // namespace treacle
