#pragma once

#include <cstddef>
#include <vector>

#include "core/parallel.h"
#include "math/space.h"
#include "methods/method_input.h"
#include "scene/scene.h"
#include "state/state.h"

namespace treacle {

/// Sums over the fluid at one moment. Particles faster than a bound are strays; their kinetic energy and place do not
/// count.
struct Survey {
    std::size_t particles = 0, strays = 0;
    double ids = 0;  ///< one more than the greatest id
    double mass = 0, kinetic = 0;
    Vec3d momentum{}, moment{};  ///< mass times velocity, mass times position
    double compression = 0;      ///< density above that at rest, summed over the particles, as a share
    double compression_max = 0;
    bool any = false;
    Vec3d low{}, high{};

    Survey& operator+=(const Survey& other);
};

template <class S>
Survey survey(const Scene& scene, const State& state, double speed_bound, const Parallel& parallel);

/// What theory allows a scene: how fast its particles may be and how much energy may come from nowhere.
/// docs/decisions/health.md derives it.
class EnergyBudget {
public:
    EnergyBudget(const Scene& scene, const MethodInput& input, double sound_speed);

    /// m/s, of any particle of a fluid that has been where the signs say.
    double speed_bound(const VitalSigns& signs) const;

    /// J that overlaps of the packing, errors of density and of the walls may set free, in all fluid that ever was
    /// here: what has left through a sink has left its errors behind.
    double slack(const Survey& fluid, const State& state) const;

    /// The fluid could not be lifted by a tenth of a spacing by its own motion.
    bool rests(const Survey& fluid, const VitalSigns& signs) const;

    double scene_speed() const { return scene_speed_; }
    double stiffness() const { return stiffness_; }

    /// The moment before a step: solids stand and move as the step will see them, particles have come and gone.
    void begin(const Survey& fluid, const State& state, Vec3d gravity);

    /// Books what the step did; writes the energy that may be stored now.
    void end(const Survey& fluid, const State& state, Vec3d gravity, double dt, VitalSigns& signs) const;

private:
    struct BodyMotion {
        Vec3d velocity{}, angular_velocity{};
    };
    double energy_of_bodies(const State& state, Vec3d gravity) const;
    double work(const Survey& fluid, const State& state, Vec3d gravity, double dt) const;
    double memory(const VitalSigns& signs) const;

    double scene_speed_ = 0;      ///< m/s, the scale of speeds in the scene
    double stiffness_ = 0;        ///< Pa, of the stiffest material
    double square_speed_ = 0;     ///< m²/s², its square with that of elastic waves
    double driver_speed_ = 0;     ///< m/s, of scripted solids
    double squeezing_speed_ = 0;  ///< m/s, of all that move
    double emitter_speed_ = 0;    ///< m/s
    double spacing_ = 0;          ///< m
    double sound_speed_ = 0;      ///< m/s
    double relaxation_time_ = 0;  ///< s, the longest of all materials; infinite for jelly
    double surface_energy_ = 0;   ///< J of a particle that is all alone
    bool periodic_ = false;
    Survey before_;
    std::vector<BodyMotion> motion_before_;
    double bodies_before_ = 0;
};

}  // namespace treacle
