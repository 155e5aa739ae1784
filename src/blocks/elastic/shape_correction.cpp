#include "blocks/elastic/shape_correction.h"

#include <cassert>

#include "core/promises.h"

namespace treacle {

template <class S>
void ShapeCorrection<S>::correct(const FluidView<S>& fluid, const BlockContext<S>& context,
                                 const ElasticLinks<S>& links, std::span<Row> rotation) {
    assert(promises::sized(fluid.size(), fluid.velocity, rotation, links.coefficient) && context.dt > 0);
    const auto stage = context.timer.stage("velocity correction");
    to_goal_.resize(fluid.size());
    matching_.fit(fluid, context, links.connections, fluid.mass, rotation);
    matching_.gather(context, links.connections, rotation, to_goal_);
    const Real dt = static_cast<Real>(context.dt);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        fluid.velocity[i] = fluid.velocity[i].xyz() + (links.coefficient[i] / dt) * to_goal_[i].xyz();
    });
}

template class ShapeCorrection<Space2f>;
template class ShapeCorrection<Space3f>;
template class ShapeCorrection<Space2d>;
template class ShapeCorrection<Space3d>;

}  // namespace treacle
