#pragma once

namespace treacle {

/// The rate at which XSPH draws velocities together for a kinematic viscosity in m²/s, 1/s: 2ν/<x²> with the second
/// moment of the kernel, <x²> = 3/40 h² (2D: 31/392 h²). blocks/viscous/xsph.h derives it.
double xsph_rate(int dimension, double kinematic_viscosity, double support_radius);

}  // namespace treacle
