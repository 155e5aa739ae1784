#pragma once

namespace treacle {

/// The longest steps for which explicit blocks are stable. Methods bound their time step by them, `treacle check` tells
/// them before anything runs, and blocks divide a step by them.

/// Of SurfaceTension, s, for a tension in N/m and a density in kg/m³: C sqrt(ρ h³/σ) with h the support radius.
/// Measured on drops in 2D and 3D: up to C = 0.07 the step changes nothing, at 0.1 some of them gather energy, at 0.125
/// they boil; 0.07 is taken. (The usual limit for the shortest capillary wave, sqrt(ρ s³/2πσ) with s half of h, has
/// C = 0.14.)
double longest_tension_step(double tension, double density, double support_radius);

/// Of ExplicitViscosity, s, for a kinematic viscosity in m²/s: C h²/ν. C is 2 over the largest eigenvalue; measured
/// 0.033 to 0.046 on lattices with h of 1.8 to 3 spacings, 0.027 to 0.035 on jittered ones, alike in 2D and 3D, where
/// pairs have the strength 1; they have up to 2 (viscous_strength.h), so 0.0125 is taken. (With the smoothing length,
/// half of h, the usual limit has 0.125.)
double longest_viscous_step(double kinematic_viscosity, double support_radius);

/// Of HeatConduction, s, for a diffusivity k/(ρ c) in m²/s: C h²/diffusivity with C = 0.03. The weights of a row add up
/// to 14/h² (2D) or 18/h² (3D) on a lattice with h two spacings and to 23/h² at most with wider ones, so that up to
/// C = 0.043 no temperature goes beyond its neighbors'; the rest is for fluid that is denser here and there.
double longest_conduction_step(double diffusivity, double support_radius);

/// Of LaplacianViscosity at the start of a step, as ν dt/l0² on the lattice: twice the largest rate of the operator,
/// that of the pattern whose sign changes from particle to particle along the diagonal.
double largest_laplacian_number(int dimension, double support_radius, double spacing);

}  // namespace treacle
