#include "sim/health.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string_view>

#include "core/json.h"
#include "core/text.h"

namespace treacle {

namespace {

std::string rough(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

/// The particle that is worst off: nowhere before fast, and of equals the one with the smallest id.
struct Worst {
    double badness = -1;
    std::size_t row = 0;
    std::uint32_t id = 0;
};

template <class S>
Worst worst_particle(const State& state) {
    const auto position = state.particles.get<typename S::Row>("position");
    const auto velocity = state.particles.get<typename S::Row>("velocity");
    const auto id = state.particles.get<std::uint32_t>("id");
    Worst worst;
    for (std::size_t i = 0; i < position.size(); ++i) {
        const Vec3d x = cast<double>(position[i].xyz()), v = cast<double>(velocity[i].xyz());
        const double speed = length(v);
        const bool somewhere = std::isfinite(x.x + x.y + x.z) && std::isfinite(speed);
        const double badness = somewhere ? speed : std::numeric_limits<double>::infinity();
        if (badness > worst.badness || (badness == worst.badness && id[i] < worst.id)) worst = {badness, i, id[i]};
    }
    return worst;
}

template <class S>
std::string describe_worst(const Scene& scene, const State& state, const Worst& worst) {
    const Vec3d x = cast<double>(state.particles.get<typename S::Row>("position")[worst.row].xyz());
    const auto material = state.particles.get<std::uint8_t>("material")[worst.row];
    const double density = state.particles.get<typename S::Real>("density")[worst.row];
    return "The worst is particle " + std::to_string(worst.id) + " (" + scene.materials[material].name + ") at (" +
           rough(x.x) + ", " + rough(x.y) + (S::dim == 3 ? ", " + rough(x.z) : "") + ") m with " + rough(worst.badness) +
           " m/s and " + rough(density / scene.materials[material].density) + " times its density";
}

/// What made the step as long as it was is what most likely was too much for it.
std::string advice(const Scene& scene, const State& state, const Worst& worst, const TimeStepLimit& dt) {
    const std::string_view reason = dt.reason;
    const std::string half = number_text(std::strtod(rough(dt.dt / 2).c_str(), nullptr));
    if (reason == "fixed_dt") {
        return "the likely cause is /time/fixed_dt, " + rough(dt.dt) + " s; try --set /time/fixed_dt=" + half +
               ", or leave it out and let the method choose";
    }
    const auto material = state.particles.get<std::uint8_t>("material")[worst.row];
    const std::string of_material = "/materials/" + pointer_token(scene.materials[material].name);
    std::string likely;
    if (reason == "springs") likely = of_material + "/shear_modulus, which is stiff";
    else if (reason == "viscosity") likely = of_material + "/viscosity, which is high";
    else if (reason == "solid speed") likely = "the motion of a solid, which is fast";
    else if (reason == "speed") likely = "speeds of the scene (velocity, speed, motion), or a container too small for its fluid";
    else likely = "the step itself, limited by " + std::string(reason);
    return "the step of " + rough(dt.dt) + " s was limited by " + std::string(reason) + "; the likely cause is " + likely +
           ". Try --set /time/max_dt=" + half + ", softer or slower values there, or a larger /particle_spacing";
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
    const auto bad = parallel.sum<std::size_t>(position.size(), [&](std::size_t i) -> std::size_t {
        const Vec3d x = cast<double>(position[i].xyz()), v = cast<double>(velocity[i].xyz());
        return std::isfinite(x.x + x.y + x.z) && dot(v, v) < fastest * fastest ? 0 : 1;
    });
    std::string what;
    if (bad > 0) {
        what = std::to_string(bad) + " of " + std::to_string(position.size()) + " particles are lost or faster than " +
               rough(fastest) + " m/s";
    } else if (last.report.density_error_mean > 1) {
        what = "the fluid is compressed by " + number_text(std::round(100 * last.report.density_error_mean)) +
               " % on average";
    }
    if (what.empty()) return {};
    const Worst worst = worst_particle<S>(state);
    return fail(ExitCode::diverged, "the simulation diverged in step " + std::to_string(state.step) + " of frame " +
                                        std::to_string(state.frame + 1) + " at t = " + rough(state.time) + " s: " + what +
                                        ". " + describe_worst<S>(scene, state, worst) + "; " +
                                        advice(scene, state, worst, last.dt));
}

template Result<void> check_health<Space2f>(const Scene&, const State&, const StepRecord&, const Parallel&);
template Result<void> check_health<Space3f>(const Scene&, const State&, const StepRecord&, const Parallel&);
template Result<void> check_health<Space2d>(const Scene&, const State&, const StepRecord&, const Parallel&);
template Result<void> check_health<Space3d>(const Scene&, const State&, const StepRecord&, const Parallel&);

}  // namespace treacle
