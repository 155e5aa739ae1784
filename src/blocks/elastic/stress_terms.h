#pragma once

#include <cstddef>
#include <span>

#include "core/promises.h"
#include "math/space.h"
#include "math/sym_mat.h"

namespace treacle {

/// The terms of the stress of every particle within a step. Constitutive laws make them, solvers of the flow take them.
/// With D the rate of strain the stress is
///
///   2 η D + τ + G (c - 1)
///
/// One value per particle. An empty span: no particle has it.
template <class S>
struct StressTerms {
    using Real = typename S::Real;

    std::span<const Real> viscosity;             ///< η, Pa·s, with its smooth part
    std::span<const Real> smooth;                ///< part of η that linear flow does not feel (flow_pairs.h), Pa·s
    std::span<const SymMat<Real>> stress;        ///< τ, Pa
    std::span<const Real> modulus;               ///< G, Pa
    std::span<const SymMat<Real>> conformation;  ///< c, after it has relaxed over the step
    std::span<const Real> strain_time;           ///< s, over which the strain of the step is remembered

    bool elastic() const { return !modulus.empty(); }

    /// For assert(): the terms are those of `count` particles. Only elastic fluid has a smooth part.
    bool complete(std::size_t count) const {
        return promises::sized(count, viscosity) && promises::sized_or_empty(count, smooth, stress, modulus) &&
               (elastic() ? promises::sized(count, conformation, strain_time) : smooth.empty());
    }
};

}  // namespace treacle
