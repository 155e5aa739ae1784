#pragma once

#include <string>

namespace treacle {

/// Reasons why a time step cannot be longer.
enum class StepBound {
    fixed_dt,        ///< the scene says so
    max_dt,          ///< likewise
    frame,           ///< a step ends with its frame
    method,          ///< nothing in particular
    solid_speed,     ///< how far a solid moves in a step
    particle_speed,  ///< how far a particle does
    gravity,
    depth_pressure,  ///< the pressure that the weight of the fluid builds up
    pressure,        ///< its directions stay those of the step's start
    sound_speed,
    springs,         ///< elasticity as clavet2005 has it
    elasticity,      ///< as takahashi2014 has it
    shape_matching,  ///< as takamatsu2011 has it
    viscosity,
    surface_tension,
};

/// In words for people: "limited by …".
const char* text_of(StepBound bound);

/// A bound on the time step and its reason.
struct TimeStepLimit {
    double dt;  ///< s
    StepBound bound;
    std::string pointer{};  ///< JSON pointer to the parameter behind it, where there is one
};

}  // namespace treacle
