#include "sim/simulation.h"

#include <algorithm>
#include <cmath>

#include "blocks/solids/solids.h"
#include "core/parallel.h"
#include "core/text.h"
#include "methods/registry.h"
#include "math/random.h"
#include "neighbors/morton_order.h"
#include "neighbors/nearest_image.h"
#include "neighbors/neighbors.h"
#include "core/pieces.h"
#include "scene/live_parameters.h"
#include "scene/method_input.h"
#include "scene/sampling.h"
#include "sim/health.h"
#include "sim/metrics.h"
#include "sim/particle_exchange.h"
#include "sim/scene_bodies.h"

namespace treacle {

namespace {

constexpr std::uint64_t steps_between_sorts = 50;

template <class S>
class SimulationOf final : public Simulation {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;

    SimulationOf(const Scene& scene, int threads, const Log& log, Geometry geometry)
        : scene_(scene), log_(log), parallel_(threads), state_(real_type()), solids_(std::move(geometry)) {
        apply_tracks(scene_, 0);
        const MethodInput input = method_input(scene_);
        method_ = create_method<S>(scene_.method, input);
        state_.bodies = bodies_of(scene_);
        solids_.set_bodies(state_.bodies, scene_.particle_spacing, method_->support_radius());
        solids_.set(method_->solid_settings());
        exchange_.emplace(scene_, method_->support_radius());
        health_.set(scene_, input, method_->sound_speed(), state_.signs);
    }

    void sample();
    void restore(State state);

    Result<StepInfo> step() override { return step_towards(frame_end()); }
    Result<void> advance_to(double time) override;
    Result<void> set(const std::string& pointer, const Json& value) override;
    std::shared_ptr<const Snapshot> snapshot() const override;
    void restore(const Snapshot& snapshot) override;
    const State& state() const override { return state_; }
    const Scene& scene() const override { return scene_; }
    Frame frame() const override {
        return {state_.frame, state_.time, S::dim, state_.particles, state_.bodies, state_.particles.id_order()};
    }
    void be_cautious(const Caution& caution) override { state_.caution = caution; }
    std::vector<double> metrics(double wall_seconds) override;
    std::vector<std::string> metrics_names() const override;
    std::vector<FrameColumn> method_metrics() const override { return method_->frame_columns(); }
    std::size_t boundary_particles() const override { return solids_.sample_count(); }
    const Geometry& geometry() const override { return solids_.geometry(); }
    const StageTimer& timer() const override { return timer_; }
    int threads() const override { return parallel_.threads(); }

private:
    static constexpr ScalarType real_type() { return sizeof(Real) == 4 ? ScalarType::f32 : ScalarType::f64; }

    double frame_end() const { return state_.frame / scene_.time.fps; }
    Result<StepInfo> step_towards(double end);
    void settle();
    void follow_tracks();
    void inform_parts();
    void parameters_changed();
    bool exchange_particles();
    void sort_storage();
    double fastest_solid(double seconds) const;
    TimeStepLimit choose_dt(double time_left) const;
    double motion_end(MotionStop stop) const;
    void move_bodies(double dt);
    StepContext<S> context(double dt);
    void wrap_positions();
    Vec3d period() const { return scene_.periodic.value_or(Vec3d{}); }
    std::span<const Row> positions() const { return state_.particles.get<Row>("position"); }

    Scene scene_;
    Log log_;
    Parallel parallel_;
    StageTimer timer_;
    State state_;
    Solids<S> solids_;
    std::unique_ptr<Method<S>> method_;
    std::optional<ParticleExchange<S>> exchange_;  ///< made when the method knows its support radius
    /// Shared by step() and metrics(), which both search anew: a second table of rows would cost a tenth of the memory.
    Neighbors<S> neighbors_;
    std::vector<std::uint8_t> driven_;  ///< see StepContext
    HealthWatch<S> health_;
    std::uint64_t revision_ = 0;         ///< of the values of live parameters
    std::uint64_t latest_revision_ = 0;  ///< that was ever given
};

/// Lays the particles of all fluids. Ids count through the fluids in the order of the scene file.
template <class S>
void SimulationOf<S>::sample() {
    std::uint32_t first_id = 0;
    std::size_t removed = 0;
    for (const Fluid& fluid : scene_.fluids) {
        const FluidSamples samples = sample_fluid(fluid, scene_, parallel_);
        const std::size_t start = state_.particles.size();
        state_.particles.resize(start + samples.positions.size());
        const auto position = state_.particles.get<Row>("position");
        const auto velocity = state_.particles.get<Row>("velocity");
        const auto mass = state_.particles.get<Real>("mass");
        const auto density = state_.particles.get<Real>("density");
        const auto id = state_.particles.get<std::uint32_t>("id");
        const auto material = state_.particles.get<std::uint8_t>("material");
        const auto number = state_.particles.get<std::uint32_t>("fluid");
        for (std::size_t n = 0; n < samples.positions.size(); ++n) {
            const std::size_t i = start + n;
            position[i] = cast<Real>(samples.positions[n]);
            velocity[i] = cast<Real>(samples.velocities[n]);
            mass[i] = static_cast<Real>(samples.particle_mass);
            density[i] = static_cast<Real>(scene_.materials[fluid.material].density);
            id[i] = first_id + static_cast<std::uint32_t>(n);
            material[i] = static_cast<std::uint8_t>(fluid.material);
            number[i] = static_cast<std::uint32_t>(&fluid - scene_.fluids.data());
        }
        first_id += static_cast<std::uint32_t>(samples.positions.size());
        removed += samples.removed;
    }
    if (removed > 0) {
        log_.warning(number_text(static_cast<double>(removed)) +
                     " fluid particles overlapped a solid at the start and were left out");
    }
    wrap_positions();
    method_->add_columns(state_.particles, state_.connections);
    state_.anchors.resize(state_.particles.size());
    if (method_->settling().steps > 0) settle();
    exchange_->begin(state_);
    for (const std::string& remark : exchange_->blocked_pipes(scene_)) log_.warning(remark);
    exchange_->emit(scene_, state_, log_);
    exchange_->drain(scene_, state_, parallel_);
    neighbors_.update(positions(), method_->search_radius(state_.particles, parallel_, 0), parallel_, period());
    StepContext<S> at_start = context(0);
    method_->start(at_start);
    health_.begin_step(scene_, state_, parallel_);  // densities are known now
    state_.statistics.density_error_mean = health_.compression_mean();
    state_.statistics.density_error_max = health_.compression_max();
}

/// Turns what was sampled into a packing at rest: every particle is nudged, then the method relaxes them.
/// Velocities of the scene are put back afterwards.
template <class S>
void SimulationOf<S>::settle() {
    const auto scope = timer_.stage("settle");
    const auto [steps, nudge] = method_->settling();
    const auto position = state_.particles.get<Row>("position");
    const auto velocity = state_.particles.get<Row>("velocity");
    const auto id = state_.particles.get<std::uint32_t>("id");
    const std::vector<Row> given(velocity.begin(), velocity.end());
    const Real reach = static_cast<Real>(nudge * scene_.particle_spacing);
    for (std::size_t i = 0; reach > 0 && i < position.size(); ++i) {
        Random random = Random::of_number(id[i]);
        const auto next = [&] { return static_cast<Real>(2 * random.next() - 1); };
        const Real x = next(), y = next(), z = S::dim == 3 ? next() : Real(0);
        position[i] = position[i].xyz() + reach * typename S::Vec{x, y, z};
    }
    wrap_positions();
    std::fill(velocity.begin(), velocity.end(), Row{});
    for (int n = 0; n < steps; ++n) {
        const double dt = choose_dt(1e30).dt;
        neighbors_.update(positions(), method_->search_radius(state_.particles, parallel_, dt), parallel_, period());
        StepContext<S> step = context(dt);
        const bool settled = method_->settle(step);
        wrap_positions();
        if (settled) break;
    }
    std::copy(given.begin(), given.end(), velocity.begin());
    for (Body& body : state_.bodies) body.force = body.torque = {};
}

/// Takes over a saved state: its columns and connections, and what moves of its bodies; shapes come from the scene.
template <class S>
void SimulationOf<S>::restore(State saved) {
    saved.anchors.remap_bodies(take_over(saved.bodies, state_.bodies));
    saved.particles.add_scratch_of(state_.particles);
    saved.bodies = std::move(state_.bodies);
    state_ = std::move(saved);
    method_->add_columns(state_.particles, state_.connections);
    exchange_->restore(state_);
    const VitalSigns signs = state_.signs;  // they know the present parameters already
    follow_tracks();
    state_.signs = signs;
}

/// One step that does not pass `end`, which is no later than the end of the frame.
template <class S>
Result<StepInfo> SimulationOf<S>::step_towards(double end) {
    // From the frame number alone: a resumed frame starts at the same bits.
    const double frame_start = (state_.frame - 1) / scene_.time.fps;
    if (state_.time == frame_start) state_.statistics = {};
    follow_tracks();
    const bool came_in = exchange_particles();
    if (state_.step % steps_between_sorts == 0) sort_storage();
    const double time_left = end - state_.time;
    const TimeStepLimit dt = choose_dt(time_left);
    move_bodies(dt.dt);
    {
        const auto scope = timer_.stage("neighbors");
        neighbors_.update(positions(), method_->search_radius(state_.particles, parallel_, dt.dt), parallel_, period());
    }
    StepContext<S> now = context(dt.dt);
    health_.begin_step(scene_, state_, parallel_);
    const StepReport report = method_->step(now);
    if (solids_.any_dynamic()) {
        const auto scope = timer_.stage("bodies");
        solids_.move_dynamic(state_.bodies, scene_.gravity, dt.dt);
    }
    if (const auto driven = exchange_->push(scene_, state_, dt.dt, parallel_); !driven.empty())
        state_.particles.relieve(driven);
    wrap_positions();

    ++state_.step;
    state_.time = dt.dt >= time_left * (1 - 1e-9) ? end : state_.time + dt.dt;
    const StepRecord record{dt, method_->support_radius(), method_->sound_speed(), state_.time == end, came_in};
    const auto healthy = health_.end_step(scene_, state_, record, parallel_, log_);
    state_.statistics.add_step(dt.dt, report.iterations, health_.compression_mean(), health_.compression_max());
    if (!healthy) return tl::unexpected(healthy.error());
    const bool frame_done = state_.time >= frame_end();
    if (frame_done) {
        const auto whole = health_.end_frame(scene_, state_, record, neighbors_, parallel_);
        if (!whole) return tl::unexpected(whole.error());
    }
    if (frame_done) ++state_.frame;
    return StepInfo{.frame = frame_done ? state_.frame : state_.frame + 1,
                    .time = state_.time,
                    .dt = dt.dt,
                    .limited_by = text_of(dt.bound),
                    .iterations = report.iterations,
                    .particles = state_.particles.size(),
                    .frame_done = frame_done};
}

template <class S>
Result<void> SimulationOf<S>::advance_to(double time) {
    while (state_.time < time) {
        if (auto done = step_towards(std::min(frame_end(), time)); !done) return tl::unexpected(done.error());
    }
    return {};
}

template <class S>
Result<void> SimulationOf<S>::set(const std::string& pointer, const Json& value) {
    if (auto done = set_live_parameter(scene_, pointer, value); !done) return done;
    parameters_changed();
    method_->add_columns(state_.particles, state_.connections);
    return {};
}

template <class S>
std::shared_ptr<const Snapshot> SimulationOf<S>::snapshot() const {
    return std::make_shared<const Snapshot>(Snapshot{state_.persistent(), scene_, revision_});
}

template <class S>
void SimulationOf<S>::restore(const Snapshot& snapshot) {
    if (snapshot.revision != revision_) {
        scene_ = snapshot.scene;
        inform_parts();
        revision_ = snapshot.revision;
    }
    State restored = snapshot.state;
    restored.particles.add_scratch_of(state_.particles);
    state_ = std::move(restored);
    method_->add_columns(state_.particles, state_.connections);
    exchange_->restore(state_);
}

template <class S>
void SimulationOf<S>::follow_tracks() {
    if (!scene_.tracks.empty() && apply_tracks(scene_, state_.time)) parameters_changed();
}

/// Hands the scene's present values to the method, the solids and the health check.
template <class S>
void SimulationOf<S>::inform_parts() {
    const MethodInput input = method_input(scene_);
    method_->parameters_changed(input);
    solids_.set(method_->solid_settings());
    health_.set(scene_, input, method_->sound_speed(), state_.signs);
}

/// The same for values that differ from before; bodies keep theirs in the state.
template <class S>
void SimulationOf<S>::parameters_changed() {
    revision_ = ++latest_revision_;
    inform_parts();
    for (std::size_t b = 0; b < scene_.solids.size(); ++b) {
        state_.bodies[b].friction = scene_.solids[b].friction;
        state_.bodies[b].adhesion = scene_.solids[b].adhesion;
        state_.bodies[b].temperature = scene_.solids[b].temperature;
    }
}

/// True if particles came in.
template <class S>
bool SimulationOf<S>::exchange_particles() {
    exchange_->drain(scene_, state_, parallel_);
    if (!exchange_->has_emitters()) return false;
    const std::size_t first_new = exchange_->emit(scene_, state_, log_);
    if (first_new == state_.particles.size()) return false;
    std::vector<std::uint8_t> born(state_.particles.size());
    std::fill(born.begin() + static_cast<std::ptrdiff_t>(first_new), born.end(), std::uint8_t{1});
    neighbors_.update(positions(), method_->search_radius(state_.particles, parallel_, 0), parallel_, period());
    StepContext<S> now = context(0);
    method_->add_births(now, Births(born));
    return true;
}

/// In periodic space, a particle that has left the box comes in on its other side.
template <class S>
void SimulationOf<S>::wrap_positions() {
    if (period() == Vec3d{}) return;
    const auto length = cast<Real>(period());
    const auto position = state_.particles.get<Row>("position");
    parallel_.for_each(Rows::of(position.size()),
                       [&](std::size_t i) { position[i] = wrapped(position[i].xyz(), length); });
}

template <class S>
void SimulationOf<S>::sort_storage() {
    const auto scope = timer_.stage("sort");
    const auto order =
        morton_order<Real>(positions(), state_.particles.get<std::uint32_t>("id"), method_->support_radius());
    state_.particles.permute(order, &parallel_);
    state_.connections.permute(order, &parallel_);
    state_.anchors.permute(order, &parallel_);
}

/// Fastest point (m/s) of any solid within the next `seconds`, with dynamic ones as fast as they are now.
template <class S>
double SimulationOf<S>::fastest_solid(double seconds) const {
    double fastest = 0;
    for (std::size_t b = 0; b < state_.bodies.size(); ++b) {
        const Body& body = state_.bodies[b];
        const Motion& motion = scene_.solids[b].motion;
        const double end = motion_end(motion.stop);
        if (body.dynamic()) fastest = std::max(fastest, body.fastest_point());
        else if (state_.time < end) {
            fastest = std::max(fastest, scripted_speed(scene_.solids[b], state_.time, state_.time + seconds));
        }
    }
    return fastest;
}

/// Equal steps to the frame boundary, as long as the limits allow, and no sliver at its end.
template <class S>
TimeStepLimit SimulationOf<S>::choose_dt(double time_left) const {
    if (scene_.time.fixed_dt) {
        // It divides a frame but for rounding. Only advance_to() may ask for less.
        const double fixed = *scene_.time.fixed_dt;
        return {fixed < time_left * (1 + 1e-6) ? fixed : time_left, StepBound::fixed_dt, "/time/fixed_dt"};
    }
    TimeStepLimit limit{1 / scene_.time.fps, StepBound::frame, "/time/fps"};
    const auto tighten = [&](const TimeStepLimit& other) {
        if (other.dt < limit.dt) limit = other;
    };
    if (scene_.time.max_dt) tighten({*scene_.time.max_dt, StepBound::max_dt, "/time/max_dt"});
    const double solid_speed = fastest_solid(time_left);
    if (solid_speed > 0) tighten({solid_step_share * method_->support_radius() / solid_speed, StepBound::solid_speed});
    for (const TimeStepLimit& other : method_->time_step_limits(state_.particles, parallel_)) tighten(other);
    if (state_.frame < state_.caution.until_frame) limit.dt *= state_.caution.share;
    const double steps = std::max(1.0, std::ceil(time_left / limit.dt - 1e-9));
    return {time_left / steps, limit.bound, limit.pointer};
}

/// The time at which the clock of a scripted motion stops, if that is known yet.
template <class S>
double SimulationOf<S>::motion_end(MotionStop stop) const {
    switch (stop) {
        case MotionStop::never: return Rupture::never;
        case MotionStop::rupture: return state_.rupture.parted;
        case MotionStop::sides_meet: return state_.rupture.sides_met;
    }
    return Rupture::never;
}

/// Scripted solids go to where they are at the end of the step, with the velocity that brings them there.
template <class S>
void SimulationOf<S>::move_bodies(double dt) {
    for (std::size_t b = 0; b < state_.bodies.size(); ++b) {
        Body& body = state_.bodies[b];
        body.force = body.torque = {};
        const Motion& motion = scene_.solids[b].motion;
        if (!motion.scripted()) continue;
        const double end = motion_end(motion.stop);
        const Pose before = pose_at(motion, std::min(state_.time, end));
        body.pose = pose_at(motion, std::min(state_.time + dt, end));
        body.velocity = (body.pose.position - before.position) / dt;
        body.angular_velocity = angular_velocity(before.rotation, body.pose.rotation, dt);
    }
}

template <class S>
StepContext<S> SimulationOf<S>::context(double dt) {
    driven_ = exchange_->in_plug(state_, parallel_);
    return {{state_.time, dt, scene_.gravity, period(), neighbors_, state_.bodies, parallel_, timer_},
            solids_,
            state_.particles,
            state_.connections,
            state_.anchors,
            state_.rupture,
            driven_};
}

template <class S>
std::vector<double> SimulationOf<S>::metrics(double wall_seconds) {
    std::vector<double> material_density;
    for (const Material& material : scene_.materials) material_density.push_back(material.density);
    neighbors_.update(positions(), method_->support_radius(), parallel_, period());
    const std::size_t components =
        count_pieces(find_pieces(state_.particles.size(), [&](std::size_t i) { return neighbors_.row(i); }));
    std::size_t neighbors = 0;
    for (std::size_t i = 0; i < state_.particles.size(); ++i) neighbors += neighbors_.row(i).size();
    const double neighbors_mean =
        static_cast<double>(neighbors) / static_cast<double>(std::max<std::size_t>(1, state_.particles.size()));
    auto row =
        metrics_row({state_, state_.statistics, material_density, components, wall_seconds, neighbors_mean}, parallel_);
    const auto own = method_->frame_values(
        {state_.time, scene_.gravity, state_.particles, state_.bodies, state_.rupture, neighbors_, parallel_});
    row.insert(row.end(), own.begin(), own.end());
    return row;
}

template <class S>
std::vector<std::string> SimulationOf<S>::metrics_names() const {
    auto names = treacle::metrics_names(state_.particles);
    for (const FrameColumn& column : method_->frame_columns()) names.push_back(column.name);
    return names;
}

template <class S>
Result<std::unique_ptr<Simulation>> start(const Scene& scene, State* saved, int threads, const Log& log,
                                          Simulation::Geometry geometry) {
    auto simulation = std::make_unique<SimulationOf<S>>(scene, threads, log, std::move(geometry));
    if (saved) simulation->restore(std::move(*saved));
    else simulation->sample();
    return simulation;
}

Result<std::unique_ptr<Simulation>> start(const Scene& scene, State* saved, int threads, const Log& log,
                                          Simulation::Geometry geometry) {
    const bool single = scene.precision == Precision::single_precision;
    if (scene.dimension == 2) {
        return single ? start<Space2f>(scene, saved, threads, log, std::move(geometry))
                      : start<Space2d>(scene, saved, threads, log, std::move(geometry));
    }
    return single ? start<Space3f>(scene, saved, threads, log, std::move(geometry))
                  : start<Space3d>(scene, saved, threads, log, std::move(geometry));
}

}  // namespace

Result<Simulation::Outcome> Simulation::advance_frame(const std::function<bool(const StepInfo&)>& keep_going) {
    while (true) {
        const Result<StepInfo> done = step();
        if (!done) return tl::unexpected(done.error());
        const bool more = keep_going(*done);
        if (done->frame_done) return Outcome::frame_done;
        if (!more) return Outcome::stopped;
    }
}

Result<std::unique_ptr<Simulation>> Simulation::create(const Scene& scene, int threads, const Log& log,
                                                       Geometry geometry) {
    return start(scene, nullptr, threads, log, std::move(geometry));
}

Result<std::unique_ptr<Simulation>> Simulation::resume(const Scene& scene, State state, int threads, const Log& log,
                                                       Geometry geometry) {
    return start(scene, &state, threads, log, std::move(geometry));
}

}  // namespace treacle
