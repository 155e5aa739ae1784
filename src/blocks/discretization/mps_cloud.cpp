#include "blocks/discretization/mps_cloud.h"

#include <algorithm>
#include <cassert>

#include "core/promises.h"

namespace treacle {

template <class S>
void MpsCloud<S>::update(const FluidView<S>& fluid, const BlockContext<S>& context, const MpsWeight<S>& weight) {
    assert(context.boundary && promises::finite(fluid.position));
    const BoundaryParticles<S>& walls = *context.boundary;
    weight_ = weight;
    fluid_count_ = fluid.size();
    position_.assign(fluid.position.begin(), fluid.position.end());
    position_.insert(position_.end(), walls.position().begin(), walls.position().end());
    carrier_.assign(position_.size(), 1);
    for (std::size_t k = 0; k < walls.size(); ++k) carrier_[fluid_count_ + k] = walls.layer()[k] == 0;
    neighbors_.update(position_, static_cast<double>(weight.support_radius()), context.parallel, no_period);

    row_begin_.assign(1, 0);
    for (std::size_t i = 0; i < size(); ++i)
        row_begin_.push_back(row_begin_.back() + (carrier_[i] ? neighbors_.row(i).size() : 0));
    if (pairs_.size() < row_begin_.back()) pairs_.resize(row_begin_.back() + row_begin_.back() / 8);
    carriers_in_row_.assign(size(), 0);
    context.parallel.for_each(Rows::of(size()), [&](std::size_t i) {
        if (!carrier_[i]) return;
        std::size_t next = row_begin_[i];
        const auto add = [&](bool carriers) {
            for (const std::uint32_t j : neighbors_.row(i)) {
                if ((carrier_[j] != 0) != carriers) continue;
                const Vec r = position_[j].xyz() - position_[i].xyz();
                const Real square = dot(r, r);
                pairs_[next++] = {j, weight_(std::sqrt(square)), square > 0 ? 1 / square : 0, r};
            }
        };
        add(true);
        carriers_in_row_[i] = static_cast<std::uint32_t>(next - row_begin_[i]);
        add(false);
    });
}

template <class S>
void MpsCloud<S>::gather_velocities(const FluidView<S>& fluid, const BlockContext<S>& context,
                                    std::vector<Row>& velocity) const {
    assert(promises::sized(fluid_count_, fluid.velocity));
    assert(context.boundary && context.boundary->size() == size() - fluid_count_);
    const auto of_walls = context.boundary->velocity();
    velocity.assign(fluid.velocity.begin(), fluid.velocity.end());
    velocity.insert(velocity.end(), of_walls.begin(), of_walls.end());
}

template class MpsCloud<Space2d>;
template class MpsCloud<Space3d>;

}  // namespace treacle
