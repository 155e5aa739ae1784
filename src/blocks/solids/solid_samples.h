#pragma once

#include <cassert>
#include <cstddef>
#include <optional>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/solids/boundary_particles.h"

namespace treacle {

/// Owns the samples of all solids: makes them when the bodies are known, and brings them to where bodies and fluid are.
template <class S>
class SolidSamples {
public:
    typename BoundaryParticles<S>::Settings settings{};  ///< read once, when the samples are made

    /// From here on the blocks of this step see the samples, at the present positions.
    void update(const FluidView<S>& fluid, BlockContext<S>& context) {
        assert(settings.spacing > 0 && settings.support_radius > 0);
        const auto stage = context.timer.stage("boundary");
        if (!samples_) samples_.emplace(context.bodies, settings, context.parallel);
        samples_->update(fluid.position, context.bodies, context.parallel);
        context.boundary = &*samples_;
    }

    std::size_t size() const { return samples_ ? samples_->size() : 0; }

private:
    std::optional<BoundaryParticles<S>> samples_;
};

}  // namespace treacle
