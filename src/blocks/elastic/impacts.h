#pragma once

#include <cstdint>
#include <span>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"

namespace treacle {

/// How hard solids hit each piece of a body: |f_ext| of the test for a new reference shape (Takamatsu & Kanai 2011,
/// eq. 14). With d_i the displacement by solids within a step,
///
///   f = mean over the piece of |d_i|/dt²                an acceleration
///   push += (1 - exp(-dt/time)) (f - push),   impact = max(impact, push)
///
/// Reads displacements and pieces; writes push and impact. The test sets the impact back to zero.
///
/// Departure: the mean is one over a piece and counts solids only. The paper's is one over all particles and counts
///   gravity, so that one body melts when another one lands.
/// Departure: a mean over a short time, because a contact that stops a particle at once would be the stronger the
///   shorter the step is.
/// Departure: the strongest push since the last test counts, because an impact is shorter than the time between two.
template <class S>
struct Impacts {
    using Real = typename S::Real;
    using Row = typename S::Row;

    double averaging_time = 0;  ///< s

    void record(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Row> wall_displacement,
                std::span<const std::uint32_t> piece, std::span<Real> push, std::span<Real> impact) const;
};

}  // namespace treacle
