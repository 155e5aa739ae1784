#pragma once

// Choices that scenes offer and blocks carry out, known to both.

namespace treacle {

/// How viscosity is stepped; see blocks/viscous/viscosity.h.
enum class ViscosityScheme { implicit_steps, explicit_steps, xsph, automatic };

/// Whether connections pull by their stretch at the start or at the end of a step; see VelocityCorrection.
enum class ElasticSteps { automatic, explicit_steps, implicit_steps };

/// How Iisph finds the pressure, and with which kernels.
enum class IisphSolver { accelerated, jacobi };
enum class IisphKernel { cubic_spline, mueller2003 };

/// How elastic stress relaxes (conformation_laws.h has the equations and papers).
enum class RelaxationLaw {
    oldroyd_b,  ///< at one rate
    fene_p,     ///< with springs that have a greatest length
    giesekus,   ///< faster along stress: the material thins when it is sheared
};

/// The pressure that a particle's gradient is taken from.
enum class PressureReference {
    own,        ///< P̂_i = P_i: exact for linear fields
    minimum,    ///< the lowest among its neighbors and its own (Koshizuka, Oka 1996): all pairs repel
    symmetric,  ///< d/n0 Σ (P_i + P_j) r_ij w_ij/r², which conserves momentum
};

/// The source of the pressure (numbers of equations are those of Mukai et al. 2021).
enum class PressureSource {
    divergence,      ///< (11), Tanaka & Masunaga 2010:  ρ/dt ∇·u* + γ ρ/dt² (n0 - n)/n0
    number_density,  ///< (10), Koshizuka & Oka 1996:    ρ/dt² (n0 - n)/n0
};

}  // namespace treacle
