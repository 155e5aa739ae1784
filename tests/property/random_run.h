#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "kernels/cubic_spline.h"
#include "random_scene.h"
#include "scene/emission.h"
#include "support/run_scene.h"

/// Properties of a random scene after every step and at the end, whatever its parameters.

namespace treacle::test {

/// Data of a particle or a body, for sums of energy.
struct Piece {
    Vec3d position, velocity;
    double mass;
    double spin = 0;  ///< J
};

/// Follows a run step by step.
class Ledger {
public:
    Ledger(const Scene& scene, const RunningScene& run) : scene_(scene), run_(run), seen_(particles()) {
        energy_in_ = tension_of_fluids();
        for (const auto& [id, piece] : seen_) {
            take_in(piece, length(piece.velocity));
            emitted_ += is_emitted(id) ? 1 : 0;
        }
        for (const Piece& body : bodies()) take_in(body, length(body.velocity));
        mass_ = fluid_mass();
        for (const Solid& solid : scene.solids) {
            for (std::size_t k = 1; k < solid.motion.keyframes.size(); ++k) {
                const auto &a = solid.motion.keyframes[k - 1], &b = solid.motion.keyframes[k];
                const double peak = solid.motion.interpolation == Interpolation::smooth ? 1.5 : 1;
                board_speed_ =
                    std::max(board_speed_, peak * length(b.pose.position - a.pose.position) / (b.time - a.time));
            }
        }
    }

    /// Called after every step.
    void step() {
        // Fluid that is in a sink after a step is gone in the next.
        for (const auto& [id, piece] : seen_) mass_ -= in_a_sink(piece.position) ? piece.mass : 0;
        const Particles now = particles();
        for (const auto& [id, piece] : now) {
            if (seen_.count(id)) continue;
            EXPECT_TRUE(is_emitted(id) || halves()) << "particle " << id << " came from nowhere";
            if (!is_emitted(id)) continue;
            ++emitted_;
            mass_ += piece.mass;
            take_in(piece, 2 * scene_.emitters[0].speed);  // the plug pushes everything before it
        }
        for (const auto& [id, piece] : seen_) {
            if (now.count(id) || in_a_sink(piece.position)) continue;
            const bool in_the_pipe = is_behind_the_mouth(piece.position);
            if (halves() && !in_the_pipe) continue;  // joined with its other half
            EXPECT_TRUE(in_the_pipe) << "particle " << id << " was lost at " << place(piece);
            mass_ -= piece.mass;
        }
        seen_ = now;
        EXPECT_NEAR(fluid_mass(), mass_, 1e-5 * all_mass_);
        weigh_energy();
    }

    void expect_all_layers_are_there() const {
        std::size_t expected = 0;
        for (std::size_t e = 0; e < scene_.emitters.size(); ++e) {
            expected +=
                run_.state().emission.emitters[e].layers * emitted_layers(scene_.emitters[e], scene_).points.size();
        }
        EXPECT_EQ(emitted_, expected);
    }

    /// Kinetic and potential energy never exceeded the energy that came in and that a board can add: it throws objects
    /// away with twice its own speed more. Half as much again is allowed for errors.
    void expect_energy_was_bounded() const { EXPECT_LT(energy_share_, 1.5); }

    /// One particle may get more than its share, like drops of a splash: five times the speeds of a fall through the
    /// whole room, of incoming fluid, of the board and of the tension together.
    void expect_nothing_was_shot() const { EXPECT_LT(speed_share_, 5); }

    /// Fluid rests half a spacing from a wall; a spacing beyond that is a leak.
    void expect_all_are_in_the_room() const {
        const Room room = room_of(scene_.dimension);
        const double d = scene_.particle_spacing;
        const bool closed = scene_.solids[0].invert;
        for (const auto& [id, piece] : seen_) {
            const Vec3d x = piece.position / d;
            const bool inside = std::abs(x.x) < room.half_width + 1 && x.y > -1 && (!closed || x.y < room.height + 1) &&
                                (scene_.dimension == 2 || std::abs(x.z) < room.half_depth + 1);
            EXPECT_TRUE(inside) << "particle " << id << " is at " << place(piece);
        }
    }

    /// Volume lost where particles are denser than at rest, by a kernel of our own, independent of methods. Walls are
    /// not counted, so the loss is underestimated there.
    void expect_volume_is_kept() const { EXPECT_LT(compression(), 0.2); }
    double compression() const { return scene_.dimension == 2 ? compression_in<2>() : compression_in<3>(); }
    double energy_share() const { return energy_share_; }
    double speed_share() const { return speed_share_; }

private:
    using Particles = std::map<std::uint32_t, Piece>;

    bool halves() const { return scene_.method == "mukai2021" && run_.state().particles.has("halvings"); }

    Particles particles() const {
        const auto position = run_.vectors("position"), velocity = run_.vectors("velocity");
        const auto mass = run_.scalars("mass");
        const auto id = run_.state().particles.get<std::uint32_t>("id");
        Particles result;
        for (std::size_t i = 0; i < id.size(); ++i) result[id[i]] = {position[i], velocity[i], mass[i]};
        EXPECT_EQ(result.size(), id.size()) << "two particles have the same id";
        return result;
    }
    std::vector<Piece> bodies() const {
        std::vector<Piece> result;
        for (const Body& body : run_.state().bodies) {
            if (!body.dynamic()) continue;
            const double inertia = std::max({body.inertia.x, body.inertia.y, body.inertia.z});
            result.push_back({body.center_of_mass_in_space(), body.velocity_of_center(), body.mass,
                              0.5 * inertia * dot(body.angular_velocity, body.angular_velocity)});
        }
        return result;
    }
    double fluid_mass() const {
        double sum = 0;
        for (const auto& [id, piece] : seen_) sum += piece.mass;
        return sum;
    }
    /// Halves have ids of their own, from 2³¹ on.
    bool is_emitted(std::uint32_t id) const {
        return !scene_.emitters.empty() && id >= run_.state().emission.first_id && id < 1u << 31;
    }
    std::string place(const Piece& piece) const {
        const Vec3d x = piece.position / scene_.particle_spacing;
        return std::to_string(x.x) + ", " + std::to_string(x.y) + ", " + std::to_string(x.z) + " spacings";
    }

    double g() const { return length(scene_.gravity); }

    void take_in(const Piece& piece, double speed) {
        energy_in_ += piece.mass * (0.5 * speed * speed + g() * piece.position.y) + piece.spin;
        all_mass_ += piece.mass;
        fastest_in_ = std::max(fastest_in_, speed);
    }
    /// Surface energy of every box of fluid at the start, all of which can become motion.
    double tension_of_fluids() const {
        double sum = 0;
        for (const Fluid& fluid : scene_.fluids) {
            const Vec3d size = std::get<Box>(fluid.shape.form).size;
            const double area = scene_.dimension == 2 ? 2 * (size.x + size.y)
                                                      : 2 * (size.x * size.y + size.y * size.z + size.z * size.x);
            sum += scene_.materials[fluid.material].surface_tension.value_or(0) * area;
        }
        return sum;
    }

    void weigh_energy() {
        double energy = 0, fastest = 0;
        const auto add = [&](const Piece& piece) {
            energy += piece.mass * (0.5 * dot(piece.velocity, piece.velocity) + g() * piece.position.y) + piece.spin;
            fastest = std::max(fastest, length(piece.velocity));
        };
        for (const auto& [id, piece] : seen_) add(piece);
        for (const Piece& body : bodies()) add(body);
        EXPECT_TRUE(std::isfinite(energy));
        const double speed = std::sqrt(2 * energy_in_ / all_mass_) + 2 * board_speed_ + noise_speed();
        energy_share_ = std::max(energy_share_, energy / (0.5 * all_mass_ * speed * speed));
        const double fall = std::sqrt(2 * g() * room_of(scene_.dimension).height * scene_.particle_spacing);
        speed_share_ =
            std::max(speed_share_, fastest / (fall + fastest_in_ + 2 * board_speed_ + tension_speed() + noise_speed()));
    }
    /// In clavet2005 and takamatsu2011 the sound speed is ten times the largest expected speed, of a fall or a shear
    /// wave. They store energy in errors of the density, also at the start: 2 % become motion of two hundredths of the
    /// sound speed. In clavet2005 cohesion, and adhesion to walls, depend on the sound speed too: 5 %.
    double noise_speed() const {
        const double error = scene_.method == "clavet2005" ? 0.05 : scene_.method == "takamatsu2011" ? 0.02 : 0;
        double wave = 0;
        for (const Material& m : scene_.materials)
            wave = std::max(wave, std::sqrt(m.shear_modulus.value_or(0) / m.density));
        const double fall = std::sqrt(2 * g() * room_of(scene_.dimension).height * scene_.particle_spacing);
        return error * 10 * (fall + fastest_in_ + wave);
    }
    /// Speed of a particle that its surface energy throws.
    double tension_speed() const {
        double most = 0;
        for (const Material& m : scene_.materials)
            most = std::max(most, m.surface_tension.value_or(0) / (m.density * scene_.particle_spacing));
        return std::sqrt(12 * most);
    }

    bool in_a_sink(Vec3d x) const {
        return std::any_of(scene_.sinks.begin(), scene_.sinks.end(),
                           [&](const Sink& sink) { return surface_point(sink.shape, x).distance < 0; });
    }
    /// Whether a place is in the pipe above the mouth, through which the plug moves.
    bool is_behind_the_mouth(Vec3d x) const {
        const double d = scene_.particle_spacing;
        return std::any_of(scene_.emitters.begin(), scene_.emitters.end(), [&](const Emitter& emitter) {
            const Vec3d away = x - emitter.position;
            return away.y > -d && away.y < 6 * d && std::sqrt(away.x * away.x + away.z * away.z) < 4 * d;
        });
    }

    template <int dim>
    double compression_in() const {
        const double h = 3 * scene_.particle_spacing;
        const CubicSpline<Space<dim, double>> kernel(h);
        const auto position = run_.vectors("position");
        const auto mass = run_.scalars("mass");
        const auto material = run_.state().particles.template get<std::uint8_t>("material");
        std::vector<double> volume;
        for (std::size_t i = 0; i < mass.size(); ++i) volume.push_back(mass[i] / scene_.materials[material[i]].density);
        double all = 0, left = 0;
        for (std::size_t i = 0; i < position.size(); ++i) {
            double ratio = 0;
            for (std::size_t j = 0; j < position.size(); ++j)
                ratio += volume[j] * kernel.value(length(position[i] - position[j]) / h);
            all += volume[i];
            left += volume[i] / std::max(1.0, ratio);
        }
        return 1 - left / all;
    }

    const Scene& scene_;
    const RunningScene& run_;
    Particles seen_;                             ///< after the last step, by id
    std::size_t emitted_ = 0;                    ///< particles, ever
    double mass_ = 0;                            ///< kg of fluid, expected
    double energy_in_ = 0;                       ///< J, of all fluid and bodies that ever were in the scene
    double all_mass_ = 0;                        ///< kg, of the same
    double fastest_in_ = 0, board_speed_ = 0;    ///< m/s
    double energy_share_ = 0, speed_share_ = 0;  ///< the greatest so far, as a share of the possible
};

/// Runs one random scene for a number of steps.
inline void run_random_scene(const std::string& method, std::uint32_t seed, int steps_wanted) {
    const SceneJson text = random_scene(method, seed);
    SCOPED_TRACE(method + ", seed " + std::to_string(seed) + ": " + text.dump());
    const Scene scene = scene_from(text.dump());
    RunningScene run(scene, 1);
    Ledger ledger(scene, run);
    int steps = 0;
    while (steps < steps_wanted) {
        const auto outcome = run.simulation().advance_frame([&](const StepInfo&) {
            ledger.step();
            return ++steps < steps_wanted;
        });
        ASSERT_TRUE(outcome) << to_string(outcome.error());
    }
    ledger.expect_all_layers_are_there();
    ledger.expect_all_are_in_the_room();
    ledger.expect_energy_was_bounded();
    ledger.expect_nothing_was_shot();
    ledger.expect_volume_is_kept();
}

}  // namespace treacle::test
