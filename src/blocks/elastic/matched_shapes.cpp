#include "blocks/elastic/matched_shapes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/promises.h"

namespace treacle {

template <class S>
bool MatchedShapes<S>::active() const {
    return std::any_of(settings.materials.begin(), settings.materials.end(),
                       [](const Material& m) { return m.pull > 0; });
}

template <class S>
void MatchedShapes<S>::add(const FluidView<S>& fluid, const BlockContext<S>& context, const Births& births,
                           const State& state, ConnectionGraph& clusters) {
    assert(promises::sized(fluid.size(), fluid.material, state.rotation, state.piece, state.renewals));
    assert(promises::within(settings.materials.size(), fluid.material) && births.of(fluid.size()));
    if (!active()) return;
    const auto stage = context.timer.stage("references");
    std::vector<std::uint8_t> chosen(fluid.size());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        chosen[i] = births[i] && settings.materials[fluid.material[i]].pull > 0;
    });
    renew(fluid, context, {chosen, true}, state, clusters);
}

template <class S>
bool MatchedShapes<S>::test_is_due(const BlockContext<S>& context) const {
    // The margin is for ends of steps that meet the end of an interval but for rounding.
    const auto intervals = [&](double time) { return std::floor(time / settings.update_interval + 1e-6); };
    return intervals(context.time) != intervals(context.time + context.dt);
}

template <class S>
void MatchedShapes<S>::renew_references(const FluidView<S>& fluid, const BlockContext<S>& context, const State& state,
                                        ConnectionGraph& clusters) {
    assert(promises::sized(fluid.size(), fluid.material, state.rotation, state.impact, state.piece, state.renewals));
    assert(promises::within(settings.materials.size(), fluid.material) && settings.update_interval > 0);
    if (!active()) {
        std::fill(state.rotation.begin(), state.rotation.end(), Row{});
        return;
    }
    const auto stage = context.timer.stage("references");
    const bool test = test_is_due(context);
    std::vector<std::uint8_t> chosen(fluid.size());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const Material& own = settings.materials[fluid.material[i]];
        Row& turned = state.rotation[i];
        if (own.pull == 0) turned = Row{};
        const bool has_none = turned.x == 0 && turned.y == 0 && turned.z == 0 && turned.w == 0;
        const bool pushed = test && static_cast<double>(state.impact[i]) > own.update_threshold;
        chosen[i] = own.pull > 0 && (has_none || pushed);
        if (test) state.impact[i] = 0;
    });
    if (std::find(chosen.begin(), chosen.end(), 1) != chosen.end()) renew(fluid, context, {chosen}, state, clusters);
}

template <class S>
void MatchedShapes<S>::renew(const FluidView<S>& fluid, const BlockContext<S>& context,
                             const typename ClusterUpdate<S>::Choice& choice, const State& state,
                             ConnectionGraph& clusters) {
    fit(fluid, context, state, clusters);
    const ClusterUpdate<S> update{static_cast<Real>(settings.support_radius)};
    update.renew(fluid, context, choice, matching_, state.rotation, clusters);
    ClusterUpdate<S>::label_pieces(fluid, clusters, state.piece);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) { state.renewals[i] += choice.chosen[i]; });
}

template <class S>
void MatchedShapes<S>::fit(const FluidView<S>& fluid, const BlockContext<S>& context, const State& state,
                           const ConnectionGraph& clusters) {
    matching_.from_barycenter = settings.from_barycenter;
    matching_.break_stretch = std::sqrt(std::numeric_limits<Real>::max());
    for (const Material& m : settings.materials) {
        matching_.break_stretch = std::min(matching_.break_stretch, m.break_stretch);
    }
    stiffness_.resize(fluid.size());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        stiffness_[i] = settings.materials[fluid.material[i]].pull * fluid.mass[i];
    });
    matching_.fit(fluid, context, clusters, stiffness_, state.rotation);
}

template <class S>
void MatchedShapes<S>::pull(const FluidView<S>& fluid, const BlockContext<S>& context, const State& state,
                            const ConnectionGraph& clusters) {
    assert(promises::sized(fluid.size(), fluid.velocity, fluid.mass, fluid.material, state.rotation));
    assert(promises::within(settings.materials.size(), fluid.material) && promises::finite(fluid.velocity));
    assert(context.dt > 0);
    if (!active()) return;
    const auto stage = context.timer.stage("shape matching");
    fit(fluid, context, state, clusters);
    goal_.resize(fluid.size());
    matching_.gather(context, clusters, state.rotation, goal_);
    const Real dt = static_cast<Real>(context.dt);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const Real share = dt * settings.materials[fluid.material[i]].pull;
        fluid.velocity[i] = fluid.velocity[i].xyz() + share * goal_[i].xyz();
    });
}

template <class S>
void MatchedShapes<S>::cut_overstretched(const FluidView<S>& fluid, const BlockContext<S>& context, const State& state,
                                         ConnectionGraph& clusters) const {
    assert(promises::sized(fluid.size(), fluid.id, fluid.material, state.piece));
    assert(promises::within(settings.materials.size(), fluid.material));
    if (!active()) return;
    const auto stage = context.timer.stage("references");
    std::vector<Real> stretch;
    for (const Material& m : settings.materials) stretch.push_back(m.break_stretch);
    const bool any = ClusterUpdate<S>::cut_overstretched(fluid, context, matching_.stretched(), stretch, clusters);
    if (any) ClusterUpdate<S>::label_pieces(fluid, clusters, state.piece);
}

template class MatchedShapes<Space2f>;
template class MatchedShapes<Space3f>;
template class MatchedShapes<Space2d>;
template class MatchedShapes<Space3d>;

}  // namespace treacle
