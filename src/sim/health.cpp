#include "sim/health.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/json.h"
#include "core/text.h"

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

/// The step is most likely too long for whatever limited it.
std::string advice_on_step(const Scene& scene, const State& state, const Worst& worst, const TimeStepLimit& dt) {
    if (dt.bound == StepBound::fixed_dt) {
        return "The likely cause is /time/fixed_dt, " + digits_text(dt.dt, 3) +
               " s: try --set /time/fixed_dt=" + number_text(dt.dt / 2) + ", or leave it out and let the method choose";
    }
    const auto material = state.particles.get<std::uint8_t>("material")[worst.row];
    return "The step of " + digits_text(dt.dt, 3) + " s was limited by " + text_of(dt.bound) +
           ", the likely cause is " + likely_cause(scene.materials[material], dt) +
           ": try --set /time/max_dt=" + digits_text(dt.dt / 4, 3) +
           ", smaller values there, or a larger /particle_spacing";
}

}  // namespace

template <class S>
Result<void> check_health(const Scene& scene, const State& state, const StepRecord& last, const Parallel& parallel) {
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
    std::string what, advice;
    Worst worst;
    if (bad > 0) {
        what = std::to_string(bad) + " of " + std::to_string(position.size()) + " particles are lost or faster than " +
               digits_text(fastest, 3) + " m/s";
        worst = worst_particle(state, [&](std::size_t i) { return badness_by_speed<S>(state, i); });
        advice = advice_on_step(scene, state, worst, last.dt);
    } else if (last.report.density_error_mean > 1) {
        what = "the fluid is compressed by " + number_text(std::round(100 * last.report.density_error_mean)) +
               " % on average";
        const auto density = state.particles.get<typename S::Real>("density");
        const auto material = state.particles.get<std::uint8_t>("material");
        worst = worst_particle(state, [&](std::size_t i) { return density[i] / scene.materials[material[i]].density; });
        const bool own_step = scene.time.fixed_dt.has_value();
        advice = own_step ? advice_on_step(scene, state, worst, last.dt)
                          : "The likely cause is that /solids leave less room than the fluid needs: try a larger "
                            "container, motion that ends earlier, or less fluid (its \"count\" too)";
    } else {
        return {};
    }
    return fail(ExitCode::diverged, "the simulation diverged in step " + std::to_string(state.step) + " of frame " +
                                        std::to_string(state.frame + 1) + " at t = " + digits_text(state.time, 3) +
                                        " s: " + what + ". " + describe_worst<S>(scene, state, worst) + ". " + advice);
}

template Result<void> check_health<Space2f>(const Scene&, const State&, const StepRecord&, const Parallel&);
template Result<void> check_health<Space3f>(const Scene&, const State&, const StepRecord&, const Parallel&);
template Result<void> check_health<Space2d>(const Scene&, const State&, const StepRecord&, const Parallel&);
template Result<void> check_health<Space3d>(const Scene&, const State&, const StepRecord&, const Parallel&);

}  // namespace treacle
