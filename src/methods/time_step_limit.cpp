#include "methods/time_step_limit.h"

namespace treacle {

const char* text_of(StepBound bound) {
    switch (bound) {
        case StepBound::fixed_dt: return "fixed_dt";
        case StepBound::max_dt: return "max_dt";
        case StepBound::frame: return "frame";
        case StepBound::method: return "method";
        case StepBound::solid_speed: return "solid speed";
        case StepBound::particle_speed: return "particle speed";
        case StepBound::gravity: return "gravity";
        case StepBound::depth_pressure: return "pressure of its depth";
        case StepBound::pressure: return "pressure";
        case StepBound::sound_speed: return "sound speed";
        case StepBound::springs: return "springs";
        case StepBound::elasticity: return "elasticity";
        case StepBound::shape_matching: return "shape matching";
        case StepBound::viscosity: return "viscosity";
        case StepBound::surface_tension: return "surface tension";
    }
    return "method";
}

}  // namespace treacle
