#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/parameters.h"
#include "geometry/mouth.h"
#include "geometry/shape.h"
#include "material/material.h"

/// A scene as plain data, after reading and checking: the user's description with every default filled in.

namespace treacle {

enum class Precision { single_precision, double_precision };
enum class Packing { lattice, relaxed };
enum class Interpolation { linear, smooth };

/// Event that ends the motion of a solid before its keyframes do.
enum class MotionStop { never, rupture, sides_meet };

/// Temperature of fluid for which none is given, °C.
inline constexpr double room_temperature = 20;

struct TimeSettings {
    double duration = 1;             ///< s
    double fps = 30;                 ///< frames per simulated second
    std::optional<double> max_dt;    ///< s
    std::optional<double> fixed_dt;  ///< s, exactly this step; must divide 1/fps
};

struct Fluid {
    std::size_t material = 0;  ///< index into Scene::materials
    Shape shape;
    Vec3d velocity{};          ///< m/s
    Vec3d angular_velocity{};  ///< degrees/s about the shape's center
    std::optional<int> count;  ///< wanted number of particles; the spacing inside this shape is fitted to it
    Packing packing = Packing::lattice;
    std::optional<double> temperature;  ///< °C, at the start; absent: room_temperature
};

struct PoseKeyframe {
    double time;
    Pose pose;
};

/// A solid that gravity, fluid and other solids move.
struct Dynamics {
    std::optional<double> density;  ///< kg/m³; one of the two is given
    std::optional<double> mass;     ///< kg (2D: per meter of depth)
    double restitution = 0;
    Vec3d velocity{};          ///< m/s, at the start, of the center of mass
    Vec3d angular_velocity{};  ///< degrees/s
};

/// How a solid or a mouth moves; it stands still if nothing is given.
struct Motion {
    std::vector<PoseKeyframe> keyframes;
    Interpolation interpolation = Interpolation::linear;
    Vec3d velocity{};          ///< m/s, constant, in place of keyframes
    Vec3d angular_velocity{};  ///< degrees/s, constant, about the pivot
    MotionStop stop = MotionStop::never;
    Vec3d pivot{};  ///< center of the shape as drawn
    std::optional<Dynamics> dynamic;

    bool scripted() const { return !keyframes.empty() || velocity != Vec3d{} || angular_velocity != Vec3d{}; }
};

enum class SolidLook { clay, plain };

struct Solid {
    std::string name;
    Shape shape;
    bool invert = false;                ///< the outside is solid: a container
    double friction = 0.3;              ///< Coulomb coefficient; infinity = "no_slip"
    double adhesion = 0;                ///< multiple of the fluid's own cohesion; 0: nothing sticks
    std::optional<double> temperature;  ///< °C, held constant; absent: no heat passes
    std::optional<std::string> color;   ///< in pictures; absent: gray
    SolidLook look = SolidLook::clay;
    Motion motion;
};

/// A source of fluid during the run.
struct Emitter {
    std::size_t material = 0;  ///< index into Scene::materials
    Mouth mouth;
    Transform transform{};             ///< of the drawn mouth, before it is put in place
    Vec3d position{};                  ///< m, center of the mouth
    Vec3d direction{0, -1, 0};         ///< of the leaving fluid, of any length but 0
    double speed = 0;                  ///< m/s
    double start = 0;                  ///< s
    std::optional<double> end;         ///< s
    std::optional<int> max_particles;  ///< it stops before the layer that would exceed them
    MouthLattice layers = MouthLattice::square;
    std::optional<double> temperature;  ///< °C, of emitted fluid; absent: room_temperature
    double layer_rotation = 0;          ///< degrees from one layer to the next
    Motion motion;
    std::optional<std::size_t> body;  ///< index into Scene::solids; the mouth moves with it
};

/// A drain of fluid: particles inside vanish.
struct Sink {
    Shape shape;
};

struct OutputSettings {
    std::vector<std::string> formats{"ply"};  ///< words of state/frame_formats.h, in the order of that list
    int checkpoint_interval = 10;             ///< frames between checkpoints
    bool volume_surface = false;              ///< whether metrics contain the volume inside the surface
};

/// The camera of pictures. The program chooses absent values.
struct ViewSettings {
    std::optional<double> azimuth;    ///< degrees around the vertical from the front, to the right
    std::optional<double> elevation;  ///< degrees above the horizon
    std::optional<Vec3d> target;      ///< m, in the middle of the picture
    std::optional<double> distance;   ///< m, of the camera from the target
    double field_of_view = 28;        ///< degrees, from the lower to the upper edge
};

/// Where a parameter that may change during a run stands in the scene.
struct LiveParameter {
    enum class Target { scene, method_settings, material, material_of_method, emitter, solid };
    std::string pointer;  ///< JSON pointer of the parameter
    Target target = Target::scene;
    std::size_t index = 0;  ///< of the material, emitter or solid
    std::string method;     ///< id, for the objects of a method
    const Parameter* parameter = nullptr;
};

/// A live parameter that changes over time.
struct Track : LiveParameter {
    std::vector<std::pair<double, ParameterValue>> keyframes;  ///< ascending times; numbers or vectors
};

struct Scene {
    std::string file;  ///< path it was read from, for messages
    std::string name;
    std::string method;
    int dimension = 3;
    Precision precision = Precision::single_precision;
    double particle_spacing = 0;    ///< m
    Vec3d gravity{0, -9.81, 0};     ///< m/s²
    std::optional<Vec3d> periodic;  ///< m, period of space per axis; 0: it does not repeat
    TimeSettings time;
    OutputSettings output;
    ViewSettings view;
    std::map<std::string, ParameterObject> method_settings;  ///< keyed by method id, for every known method
    std::vector<Material> materials;
    std::vector<Fluid> fluids;
    std::vector<Emitter> emitters;
    std::vector<Sink> sinks;
    std::vector<Solid> solids;
    std::vector<Track> tracks;
};

/// More frames than this are taken for a mistake.
inline constexpr double max_frames = 1e7;

/// Number of frames of the whole run: 1 + round(duration · fps).
int frame_count(const TimeSettings& time);

/// The struct of the scene that holds the parameter, for Parameter::read and write.
void* owner_of(Scene& scene, const LiveParameter& parameter);

/// Sets every keyframed parameter to its value at this time. Returns true if anything changed.
bool apply_tracks(Scene& scene, double time);

/// Pose of a moving solid at this time (relative to the shape as drawn).
Pose pose_at(const Motion& motion, double time);

}  // namespace treacle
