#include "sim/health.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/json.h"
#include "core/text.h"
#include "methods/registry.h"
#include "neighbors/nearest_image.h"

namespace treacle {

namespace {

/// The particle that is worst off; of equals the one with the smallest id.
struct Worst {
    double badness = -1;
    std::size_t row = 0;
    std::uint32_t id = 0;
};

template <class Badness>
Worst worst_particle(const State& state, const Badness& badness) {
    const auto id = state.particles.get<std::uint32_t>("id");
    Worst worst;
    for (std::size_t i = 0; i < id.size(); ++i) {
        const double here = badness(i);
        if (here > worst.badness || (here == worst.badness && id[i] < worst.id)) worst = {here, i, id[i]};
    }
    return worst;
}

/// Its speed, above all speeds if it is nowhere.
template <class S>
double badness_by_speed(const State& state, std::size_t i) {
    const Vec3d x = cast<double>(state.particles.get<typename S::Row>("position")[i].xyz());
    const double speed = length(cast<double>(state.particles.get<typename S::Row>("velocity")[i].xyz()));
    return std::isfinite(x.x + x.y + x.z) && std::isfinite(speed) ? speed : std::numeric_limits<double>::infinity();
}

template <class S>
std::string describe_worst(const Scene& scene, const State& state, const Worst& worst) {
    const Vec3d x = cast<double>(state.particles.get<typename S::Row>("position")[worst.row].xyz());
    const Vec3d v = cast<double>(state.particles.get<typename S::Row>("velocity")[worst.row].xyz());
    const auto material = state.particles.get<std::uint8_t>("material")[worst.row];
    const double density = state.particles.get<typename S::Real>("density")[worst.row];
    return "The worst is particle " + std::to_string(worst.id) + " (" + scene.materials[material].name + ") at (" +
           digits_text(x.x, 3) + ", " + digits_text(x.y, 3) + (S::dim == 3 ? ", " + digits_text(x.z, 3) : "") +
           ") m with " + digits_text(length(v), 3) + " m/s and " +
           digits_text(density / scene.materials[material].density, 3) + " times its density";
}

/// The parameter behind a limit: its JSON pointer, or words where it has none. Where the method names no material, the
/// one of the particle that is worst off is taken.
std::string likely_cause(const Material& material, const TimeStepLimit& limit) {
    switch (limit.bound) {
        case StepBound::springs:
        case StepBound::elasticity: return material.pointer("shear_modulus");
        case StepBound::viscosity: return limit.pointer.empty() ? material.pointer("viscosity") : limit.pointer;
        case StepBound::depth_pressure: return "the depth of the fluid under /gravity";
        case StepBound::pressure: return "a depth or an impact that presses harder than the step before told";
        case StepBound::solid_speed: return "the motion of a solid";
        case StepBound::particle_speed: return "a speed of the scene (velocity, speed, motion)";
        case StepBound::max_dt:
        case StepBound::frame:
        case StepBound::method: return "the step";
        case StepBound::fixed_dt:
        case StepBound::gravity:
        case StepBound::shape_matching:
        case StepBound::sound_speed:
        case StepBound::surface_tension: break;
    }
    return limit.pointer;
}

/// A frame of more steps than this is not computed by anybody.
constexpr double steps_of_a_frame = 1e6;

/// The step is most likely too long for whatever limited it. Where shorter ones would not end, what asks for them is to
/// change.
std::string advice_on_step(const Scene& scene, const State& state, const Worst& worst, const TimeStepLimit& dt) {
    if (dt.bound == StepBound::fixed_dt) {
        return "The likely cause is /time/fixed_dt, " + digits_text(dt.dt, 3) +
               " s: try --set /time/fixed_dt=" + number_text(dt.dt / 2) + ", or leave it out and let the method choose";
    }
    const auto material = state.particles.get<std::uint8_t>("material")[worst.row];
    const std::string cause = likely_cause(scene.materials[material], dt);
    const std::string said = "The step of " + digits_text(dt.dt, 3) + " s was limited by " + text_of(dt.bound) +
                             ", the likely cause is " + cause;
    if (dt.dt / 4 * scene.time.fps * steps_of_a_frame < 1) {
        return said + ". Shorter steps would take for ever: what is too stiff, too light or too fast has to change (" +
               "moduli, viscosities and speeds down, the mass of dynamic solids or /particle_spacing up)";
    }
    return said + ": try --set /time/max_dt=" + digits_text(dt.dt / 4, 3) +
           ", smaller values there, or a larger /particle_spacing";
}

std::string percent(double share) { return number_text(std::round(100 * share)) + " %"; }

/// How a diagnosis becomes an error.
struct Diagnosis {
    std::string what;
    Worst worst{};
    std::string advice;
};

template <class S>
Result<void> diverged(const Scene& scene, const State& state, const Diagnosis& found) {
    return fail(ExitCode::diverged, "the simulation diverged in step " + std::to_string(state.step) + " of frame " +
                                        std::to_string(state.frame + 1) + " at t = " + digits_text(state.time, 3) +
                                        " s: " + found.what + ". " + describe_worst<S>(scene, state, found.worst) +
                                        ". " + found.advice);
}

template <class S>
Worst fastest_particle(const State& state) {
    return worst_particle(state, [&](std::size_t i) { return badness_by_speed<S>(state, i); });
}

template <class S>
Worst densest_particle(const Scene& scene, const State& state) {
    const auto density = state.particles.get<typename S::Real>("density");
    const auto material = state.particles.get<std::uint8_t>("material");
    return worst_particle(state, [&](std::size_t i) { return density[i] / scene.materials[material[i]].density; });
}

std::string advice_on_room(const Scene& scene, const State& state, const Worst& worst, const TimeStepLimit& dt) {
    if (scene.time.fixed_dt) return advice_on_step(scene, state, worst, dt);
    return "The likely cause is that /solids leave less room than the fluid needs: try a larger container, motion "
           "that ends earlier, or less fluid (its \"count\" too)";
}

/// Particles that are lost, or faster than the sums over neighbors can bear.
template <class S>
Result<void> check_places(const Scene& scene, const State& state, const StepRecord& last, const Parallel& parallel) {
    const auto position = state.particles.get<typename S::Row>("position");
    const auto velocity = state.particles.get<typename S::Row>("velocity");
    double fastest = 5 * last.support_radius / last.dt.dt;
    if (last.sound_speed > 0) {
        // Sound is ten times faster than anything expected; what falls out of the scene may still gain speed.
        fastest = std::min(fastest, 10 * last.sound_speed + 2 * length(scene.gravity) * state.time);
    }
    const auto bad = parallel.sum<std::size_t>(Rows::of(position.size()), [&](std::size_t i) -> std::size_t {
        const Vec3d x = cast<double>(position[i].xyz()), v = cast<double>(velocity[i].xyz());
        return std::isfinite(x.x + x.y + x.z) && dot(v, v) < fastest * fastest ? 0 : 1;
    });
    if (bad == 0) return {};
    const Worst worst = fastest_particle<S>(state);
    return diverged<S>(scene, state,
                       {std::to_string(bad) + " of " + std::to_string(position.size()) +
                            " particles are lost or faster than " + digits_text(fastest, 3) + " m/s",
                        worst, advice_on_step(scene, state, worst, last.dt)});
}

/// A handful of strays is bad luck, more are an explosion.
constexpr std::size_t stray_handful = 3;
constexpr double stray_share = 0.005;

/// Steps of a hundredth, this many one after the other, are no passing impact.
constexpr double short_step = 0.01;
constexpr int short_steps_allowed = 100;

/// Whether the method asked for the step because of what the fluid is doing.
bool limited_by_the_fluid(const StepRecord& last) {
    switch (last.dt.bound) {
        case StepBound::fixed_dt:
        case StepBound::max_dt:
        case StepBound::frame:
        case StepBound::solid_speed: return false;
        default: return !last.cut_short;
    }
}

void count_short_steps(const StepRecord& last, double share, VitalSigns& signs) {
    if (last.particles_came_in) signs.longest_step = 0, signs.short_steps = 0;
    const double dt = last.dt.dt / share;
    if (!last.cut_short) signs.longest_step = std::max(signs.longest_step, dt);
    signs.short_steps = limited_by_the_fluid(last) && dt < short_step * signs.longest_step ? signs.short_steps + 1 : 0;
}

/// Shares of its volume that a fluid which is to keep it may lose, and gain while it rests.
constexpr double volume_loss = 0.2;
constexpr double volume_gain = 0.25;

/// The fluid in the middle of others: as many neighbors on all sides, whatever their distance.
struct Inside {
    std::size_t particles = 0;
    double density = 0;  ///< over that at rest, summed

    Inside& operator+=(const Inside& other) {
        particles += other.particles;
        density += other.density;
        return *this;
    }
};

template <class S>
Inside inside_of(const Scene& scene, const State& state, const Neighbors<S>& neighbors, const Parallel& parallel) {
    using Real = typename S::Real;
    const auto position = state.particles.get<typename S::Row>("position");
    const auto density = state.particles.get<Real>("density");
    const auto material = state.particles.get<std::uint8_t>("material");
    const double reach = neighbors.radius() / scene.particle_spacing;
    const double in_full = S::dim == 3 ? 4.19 * reach * reach * reach : 3.14 * reach * reach;
    const auto period = scene.periodic.value_or(Vec3d{});
    return parallel.sum<Inside>(Rows::of(position.size()), [&](std::size_t i) -> Inside {
        const auto row = neighbors.row(i);
        if (static_cast<double>(row.size()) < 0.5 * in_full) return {};
        Vec3d offset{};
        for (const std::uint32_t j : row)
            offset += nearest_image(cast<double>(position[j].xyz()) - cast<double>(position[i].xyz()), period);
        if (length(offset) > 0.1 * neighbors.radius() * static_cast<double>(row.size())) return {};
        return {1, static_cast<double>(density[i]) / scene.materials[material[i]].density};
    });
}

}  // namespace

template <class S>
void HealthWatch<S>::set(const Scene& scene, const MethodInput& input, double sound_speed, VitalSigns& signs) {
    EnergyBudget budget(scene, input, sound_speed);
    const auto compressible = find_method(scene.method)->compressible;
    keeps_volume_ = !compressible || !compressible(input);
    if (budget_) {
        // What is stored in a fluid that hardens grows with its modulus.
        if (budget_->stiffness() > 0 && signs.stored_energy > 0)
            signs.stored_energy *= std::max(1.0, budget.stiffness() / budget_->stiffness());
        signs.longest_step = 0, signs.short_steps = 0;
    }
    budget_.emplace(std::move(budget));
}

template <class S>
void HealthWatch<S>::begin_step(const Scene& scene, State& state, const Parallel& parallel) {
    VitalSigns& signs = state.signs;
    for (int axis = 0; axis < 3; ++axis)
        signs.gravity[axis] = std::max(signs.gravity[axis], std::abs(scene.gravity[axis]));
    for (const Body& body : state.bodies) {
        const Vec3d x = body.center_of_mass_in_space();
        if (body.dynamic() && std::isfinite(x.x + x.y + x.z)) signs.include(x, x);
    }
    if (!signs.has_box) {
        const Survey all = survey<S>(scene, state, std::numeric_limits<double>::infinity(), parallel);
        if (all.any) signs.include(all.low, all.high);
    }
    bound_ = budget_->speed_bound(signs);
    now_ = survey<S>(scene, state, bound_, parallel);
    if (now_.any) signs.include(now_.low, now_.high);
    signs.particles_ever = std::max(signs.particles_ever, now_.ids);
    budget_->begin(now_, state, scene.gravity);
}

template <class S>
Result<void> HealthWatch<S>::end_step(const Scene& scene, State& state, const StepRecord& last,
                                      const Parallel& parallel, const Log& log) {
    const double before = now_.compression;
    now_ = survey<S>(scene, state, bound_, parallel);
    denser_ = now_.compression > before;
    if (auto placed = check_places<S>(scene, state, last, parallel); !placed) return placed;
    VitalSigns& signs = state.signs;
    if (now_.any) signs.include(now_.low, now_.high);
    const std::string strays = std::to_string(now_.strays) + " of " + std::to_string(now_.particles) +
                               " particles are faster than " + digits_text(bound_, 3) +
                               " m/s, which is more than falls, solids, jets and waves of this scene can give";
    const auto by_step = [&](const std::string& what) {
        if (compression_mean() > volume_loss) {
            const Worst densest = densest_particle<S>(scene, state);
            return diverged<S>(scene, state, {what, densest, advice_on_room(scene, state, densest, last.dt)});
        }
        const Worst worst = fastest_particle<S>(state);
        return diverged<S>(scene, state, {what, worst, advice_on_step(scene, state, worst, last.dt)});
    };
    if (now_.strays > std::max(static_cast<double>(stray_handful), stray_share * static_cast<double>(now_.particles)))
        return by_step(strays);
    if (now_.strays > 0 && !told_of_strays_) log.warning(strays);
    told_of_strays_ = told_of_strays_ || now_.strays > 0;

    budget_->end(now_, state, scene.gravity, last.dt.dt, signs);
    if (const double slack = budget_->slack(now_, state); now_.particles > 0 && signs.stored_energy < -slack) {
        return by_step("the energy of the fluid rose by " + digits_text(-signs.stored_energy, 3) + " J" +
                       (S::dim == 2 ? "/m" : "") + " that nothing can have given; errors of the packing explain " +
                       digits_text(slack, 3));
    }
    count_short_steps(last, state.frame < state.caution.until_frame ? state.caution.share : 1, signs);
    if (signs.short_steps >= short_steps_allowed) {
        return by_step("the last " + std::to_string(signs.short_steps) +
                       " steps were less than a hundredth of the longest before, " +
                       digits_text(signs.longest_step, 3) + " s");
    }
    if (compression_mean() > 1) {
        const Worst worst = densest_particle<S>(scene, state);
        return diverged<S>(scene, state,
                           {"the fluid is compressed by " + percent(compression_mean()) + " on average", worst,
                            advice_on_room(scene, state, worst, last.dt)});
    }
    return {};
}

template <class S>
double HealthWatch<S>::compression_mean() const {
    return now_.compression / static_cast<double>(std::max<std::size_t>(1, now_.particles));
}

template <class S>
Result<void> HealthWatch<S>::end_frame(const Scene& scene, const State& state, const StepRecord& last,
                                       const Neighbors<S>& neighbors, const Parallel& parallel) const {
    if (now_.particles == 0 || !keeps_volume_) return {};
    using Real = typename S::Real;
    const auto mass = state.particles.get<Real>("mass");
    const auto density = state.particles.get<Real>("density");
    const auto material = state.particles.get<std::uint8_t>("material");
    const Rows rows = Rows::of(mass.size());
    const auto rest = [&](std::size_t i) { return scene.materials[material[i]].density; };
    const double full = parallel.sum<double>(rows, [&](std::size_t i) { return mass[i] / rest(i); });
    const double left =
        parallel.sum<double>(rows, [&](std::size_t i) { return mass[i] / std::max<double>(density[i], rest(i)); });
    const Worst worst = densest_particle<S>(scene, state);
    // What was laid too densely spreads at first, by ten spacings at most.
    const bool spreads = !denser_ && state.time * budget_->scene_speed() < 10 * scene.particle_spacing;
    if (!spreads && left < (1 - volume_loss) * full) {
        return diverged<S>(scene, state,
                           {"the fluid has lost " + percent(1 - left / full) + " of its volume", worst,
                            advice_on_room(scene, state, worst, last.dt)});
    }
    // What flies apart has a low density by right, and so has an elastic body that is pulled: pressure only pushes.
    if (budget_->stiffness() > 0 || !budget_->rests(now_, state.signs)) return {};
    if (neighbors.size() != mass.size()) return {};
    const Inside inside = inside_of<S>(scene, state, neighbors, parallel);
    const double particles = static_cast<double>(inside.particles);
    if (4 * inside.particles > mass.size() && inside.density * (1 + volume_gain) < particles) {
        return diverged<S>(scene, state,
                           {"the fluid has gained " + percent(particles / inside.density - 1) + " of its volume", worst,
                            advice_on_step(scene, state, worst, last.dt)});
    }
    return {};
}

template class HealthWatch<Space2f>;
template class HealthWatch<Space3f>;
template class HealthWatch<Space2d>;
template class HealthWatch<Space3d>;

}  // namespace treacle
