#include "sim/energy_budget.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scene/method_input.h"

namespace treacle {

namespace {

/// A jet may be this many times as fast as what makes it: no impact at speed v presses harder than rho c v, which
/// drives a jet of sqrt(2 c v), and fluids are computed with sound ten times as fast as the flow: sqrt(20) v.
constexpr double jet_factor = 5;

/// The share by which packings may be too dense; the fluid can turn into speed what has pressed it so far.
constexpr double packing_error = 0.1;
/// Layers that an emitter adds meet fluid that has moved on by any part of a spacing, up to half of one.
constexpr double layer_error = 0.5;
constexpr double sound_factor = 10;  ///< sound over speed, of fluids that are to seem incompressible

double largest(const std::vector<Material>& materials, auto value) {
    double most = 0;
    for (const Material& material : materials) most = std::max(most, value(material));
    return most;
}

/// s; infinite if some material never forgets, 0 if none is elastic.
double longest_relaxation(const Scene& scene) {
    return largest(scene.materials, [](const Material& material) {
        if (material.shear_modulus.value_or(0) <= 0) return 0.0;
        if (!material.relaxation_time || !material.functions.empty()) return std::numeric_limits<double>::infinity();
        return *material.relaxation_time;
    });
}

}  // namespace

Survey& Survey::operator+=(const Survey& other) {
    particles += other.particles;
    strays += other.strays;
    ids = std::max(ids, other.ids);
    mass += other.mass;
    kinetic += other.kinetic;
    momentum += other.momentum;
    moment += other.moment;
    compression += other.compression;
    compression_max = std::max(compression_max, other.compression_max);
    if (!other.any) return *this;
    if (!any) low = other.low, high = other.high;
    any = true;
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], other.low[axis]);
        high[axis] = std::max(high[axis], other.high[axis]);
    }
    return *this;
}

template <class S>
Survey survey(const Scene& scene, const State& state, double speed_bound, const Parallel& parallel) {
    using Real = typename S::Real;
    const auto position = state.particles.get<typename S::Row>("position");
    const auto velocity = state.particles.get<typename S::Row>("velocity");
    const auto mass = state.particles.get<Real>("mass");
    const auto density = state.particles.get<Real>("density");
    const auto material = state.particles.get<std::uint8_t>("material");
    const auto id = state.particles.get<std::uint32_t>("id");
    const double fastest = speed_bound * speed_bound;
    return parallel.sum<Survey>(Rows::of(position.size()), [&](std::size_t i) {
        const Vec3d x = cast<double>(position[i].xyz()), v = cast<double>(velocity[i].xyz());
        const double m = mass[i];
        Survey one;
        one.particles = 1;
        one.ids = id[i] + 1.0;
        const double ratio = static_cast<double>(density[i]) / scene.materials[material[i]].density;
        one.compression = one.compression_max = std::max(0.0, ratio - 1);
        one.mass = m;
        one.momentum = m * v;
        one.moment = m * x;
        if (!(dot(v, v) <= fastest)) {
            one.strays = 1;
            return one;
        }
        one.kinetic = 0.5 * m * dot(v, v);
        one.any = true;
        one.low = one.high = x;
        return one;
    });
}

EnergyBudget::EnergyBudget(const Scene& scene, const MethodInput& input, double sound_speed)
    : emitter_speed_(scene.emitters.empty() ? 0 : input.speed), spacing_(input.spacing),
      relaxation_time_(longest_relaxation(scene)), periodic_(scene.periodic.has_value()) {
    for (const Solid& solid : scene.solids) {
        if (solid.motion.scripted()) driver_speed_ = std::max(driver_speed_, solid_speed(solid));
    }
    const double tension = largest(scene.materials, [&](const Material& m) {
        return 2 * m.surface_tension.value_or(0) / (m.density * spacing_);
    });
    const double given = input.speed * input.speed;
    const double height = std::max(input.fluid_height, input.fall_height);
    scene_speed_ = std::sqrt(input.strongest_gravity * height + given + tension);
    // Without any of these nothing sets a scale; crossing itself within a second does.
    if (scene_speed_ == 0) scene_speed_ = std::max(input.fluid_height, 10 * spacing_);
    const bool any_dynamic = std::any_of(scene.solids.begin(), scene.solids.end(),
                                         [](const Solid& solid) { return solid.motion.dynamic.has_value(); });
    squeezing_speed_ = any_dynamic ? std::max(driver_speed_, scene_speed_) : driver_speed_;
    square_speed_ = scene_speed_ * scene_speed_ + input.fastest_shear_wave * input.fastest_shear_wave;
    stiffness_ = largest(scene.materials, [](const Material& m) { return m.shear_modulus.value_or(0); });
    sound_speed_ = std::max(sound_speed, sound_factor * scene_speed_);
    surface_energy_ = 4 * largest(scene.materials, [](const Material& m) { return m.surface_tension.value_or(0); }) *
                      (scene.dimension == 3 ? spacing_ * spacing_ : spacing_);
}

double EnergyBudget::speed_bound(const VitalSigns& signs) const {
    const Vec3d extent = signs.extent();
    double fall = 0;
    for (int axis = 0; axis < 3; ++axis) fall += std::abs(signs.gravity[axis]) * extent[axis];
    // Solids that close a gap of a spacing press out what fills it as many times faster as it is wide.
    const double squeezed = squeezing_speed_ * length(extent) / spacing_;
    return std::sqrt(jet_factor * jet_factor * (2 * fall + square_speed_) + squeezed * squeezed);
}

double EnergyBudget::slack(const Survey& fluid, const State& state) const {
    const double now = static_cast<double>(fluid.particles), ever = std::max(now, state.signs.particles_ever);
    const double each = fluid.particles > 0 ? fluid.mass / now : 0;
    const double emitted = emitter_speed_ > 0 ? std::max(0.0, ever - state.emission.first_id) : 0;
    double mass = each * ever;
    for (const Body& body : state.bodies) mass += driver_speed_ > 0 ? 0 : body.mass;
    // What comes or goes leaves its neighbors in another packing than they had.
    const double moved = each * (emitted + ever - now);
    const double square = mass * packing_error * packing_error + moved * layer_error * layer_error;
    return 0.5 * square * sound_speed_ * sound_speed_;
}

bool EnergyBudget::rests(const Survey& fluid, const VitalSigns& signs) const {
    return fluid.kinetic < 0.1 * fluid.mass * length(signs.gravity) * spacing_;
}

void EnergyBudget::begin(const Survey& fluid, const State& state, Vec3d gravity) {
    before_ = fluid;
    bodies_before_ = energy_of_bodies(state, gravity);
    motion_before_.clear();
    for (const Body& body : state.bodies) motion_before_.push_back({body.velocity, body.angular_velocity});
}

/// Kinetic energy and energy in gravity of the solids that forces move. Scripted solids push them too, with forces that
/// nobody books; then bodies belong to what drives the fluid.
double EnergyBudget::energy_of_bodies(const State& state, Vec3d gravity) const {
    double energy = 0;
    if (driver_speed_ > 0) return energy;
    for (const Body& body : state.bodies) {
        if (!body.dynamic()) continue;
        const Vec3d v = body.velocity_of_center();
        const Vec3d turning = rotate(conjugate(body.pose.rotation * body.principal_axes), body.angular_velocity);
        energy += body.mass * (0.5 * dot(v, v) - dot(gravity, body.center_of_mass_in_space()));
        for (int axis = 0; axis < 3; ++axis) energy += 0.5 * body.inertia[axis] * turning[axis] * turning[axis];
    }
    return energy;
}

/// J that solids and emitters have put into the fluid.
double EnergyBudget::work(const Survey& fluid, const State& state, Vec3d gravity, double dt) const {
    double work = 0;
    Vec3d unexplained = fluid.momentum - before_.momentum - (before_.mass * dt) * gravity;
    for (std::size_t b = 0; b < state.bodies.size(); ++b) {
        const Body& body = state.bodies[b];
        unexplained += dt * body.force;
        if (body.dynamic() && driver_speed_ == 0) continue;
        const auto& [velocity, turning] = motion_before_[b];
        work -= dt * (dot(body.force, velocity) + dot(body.torque, turning));
    }
    // What else changed the fluid's momentum is the push of the emitters.
    return work + emitter_speed_ * length(unexplained);
}

/// s for which energy can be stored: that of the most patient material, at least as long as sound takes through the
/// fluid and back, twice.
double EnergyBudget::memory(const VitalSigns& signs) const {
    return std::max(relaxation_time_, 4 * (length(signs.extent()) + spacing_) / sound_speed_);
}

void EnergyBudget::end(const Survey& fluid, const State& state, Vec3d gravity, double dt, VitalSigns& signs) const {
    // Space that repeats itself has no height.
    const Vec3d fallen = periodic_ ? (0.5 * dt) * (before_.momentum + fluid.momentum) : fluid.moment - before_.moment;
    const double gain =
        fluid.kinetic - before_.kinetic - dot(gravity, fallen) + energy_of_bodies(state, gravity) - bodies_before_;
    double& stored = signs.stored_energy;
    stored += work(fluid, state, gravity, dt) - gain;
    const double at_surfaces = surface_energy_ * static_cast<double>(fluid.particles);
    if (stored > at_surfaces) stored = std::max(at_surfaces, stored / (1 + 2 * dt / memory(signs)));
}

template Survey survey<Space2f>(const Scene&, const State&, double, const Parallel&);
template Survey survey<Space3f>(const Scene&, const State&, double, const Parallel&);
template Survey survey<Space2d>(const Scene&, const State&, double, const Parallel&);
template Survey survey<Space3d>(const Scene&, const State&, double, const Parallel&);

}  // namespace treacle
