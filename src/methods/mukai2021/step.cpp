#include "methods/mukai2021/mukai2021.h"

#include <algorithm>

#include "blocks/motion.h"
#include "methods/mukai2021/coefficients.h"

namespace treacle::mukai2021 {

/// Cauchy's equation of motion (eq. 2) for a fluid that keeps its volume (eq. 1), with the numbers of the paper's
/// equations.
template <class S>
StepReport Mukai2021<S>::step(StepContext<S>& context) {
    Columns<S> fluid(context.particles);
    StepReport report = measure(fluid, context);  // the number density of eqs. 9 to 13
    if (refinement_.active()) {
        refinement_.choose(fluid, context, context.particles.template get<std::uint8_t>("halvings"), geometry_.sizes(),
                           context.driven, [&](std::size_t i) { return !geometry_.walls().row(i).empty(); });
    }

    // Rupture (section 5) and stress (section 3). Only the weighted stress is in the paper, other laws are not.
    const ThreadParts parts = thread_.detect_rupture(fluid, context, fluid.side, geometry_.sizes(), context.rupture);
    std::ranges::copy(parts.part, fluid.part.begin());
    if (paper()) {
        const auto stage = context.timer.stage("rupture");
        const Waist waist =
            thread_.waist(context.particles, context.parallel, geometry_.density(), parts, geometry_.sizes());
        weighted_stress_.set_weights(waist, context.rupture);  // alpha and beta: eqs. 3 and 9
    }
    const StressTerms<S> stress = paper() ? weighted_stress_.stress(fluid, context, fluid.conformation)  // eqs. 4 and 8
                                          : law_.relax(fluid, context, fluid.conformation);

    // g and f of eq. 2
    acceleration_.assign(fluid.size(), Row(cast<Real>(context.gravity)));
    if (tension_.active()) tension_.apply(fluid, context, geometry_.sizes(), acceleration_);

    if (projection_) {                                                       // section 4
        projection_->predict(fluid, context, stress.stress, acceleration_);  // u*: eq. 2 but for pressure and viscosity
        const SolverReport viscosity =
            settings_.viscous_operator() == Settings::Viscosity::dashpot
                ? flow_.apply_dashpots(fluid, context, geometry_, stress.viscosity)
                : laplacian_.apply(fluid, context, projection_->operators(), stress.viscosity);
        const SolverReport pressure = projection_->project(fluid, context, fluid.pressure);  // eqs. 10 to 13
        report.iterations = viscosity.iterations + pressure.iterations;
    } else {  // eqs. 1 and 2 at once, in place of eqs. 10 to 13
        volume_control_.update(fluid, context, geometry_, stress, fluid.volume_ratio);
        const SolverReport flow = flow_.apply(fluid, context, geometry_, stress,
                                              {.acceleration = acceleration_,
                                               .resistance = volume_control_.resistance(),
                                               .divergence = volume_control_.divergence(),
                                               .pressed = fluid.pressed,
                                               .held = context.driven},
                                              fluid.pressure);
        report.iterations = flow.iterations;
    }

    const auto gradient = projection_ ? projection_->velocity_gradient() : flow_.gradient();
    VolumeControl<S>::deform(fluid, context, gradient, fluid.volume_ratio);
    if (paper()) weighted_stress_.deform(fluid, context, gradient, fluid.conformation);  // ε by D and L of eqs. 5 to 7
    else law_.deform(fluid, context, gradient, fluid.conformation);

    shifting_.advance(fluid, context, geometry_, gradient);
    keep_out_of_solids(fluid, context);
    if (refinement_.active())
        refinement_.apply(context, gradient, context.particles, context.connections, context.anchors);
    return report;
}

/// Number densities, the surface and walls as particles stand now, and how much too dense the fluid is.
template <class S>
StepReport Mukai2021<S>::measure(Columns<S>& fluid, StepContext<S>& context) {
    context.solids.update_samples(fluid, context);
    if (refinement_.active()) size_ = ThreadRefinement<S>::sizes(context.particles);
    geometry_.update(fluid, context, ParticleSizes<S>(size_));
    measure_volumes(fluid, context.parallel, [&](std::size_t material) { return rest_density_[material]; });
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        fluid.density[i] = rest_density_[fluid.material[i]] * geometry_.density()[i];
    });
    const auto compression = [&](std::size_t i) { return geometry_.compression(i); };
    return {.density_error_mean = context.parallel.mean(fluid.rows(), compression),
            .density_error_max = context.parallel.max(fluid.rows(), 0.0, compression)};
}

/// A safeguard: pressure keeps fluid out of solids, but not single particles that are fast. And the load of walls, for
/// the friction of the next step.
template <class S>
void Mukai2021<S>::keep_out_of_solids(Columns<S>& fluid, StepContext<S>& context) {
    const auto near = fluid.near_solid;
    std::fill(near.begin(), near.end(), std::uint8_t{0});
    if (context.bodies.empty()) return;
    const auto moved = flow_.wall_displacement();
    if (moved.size() == fluid.size()) std::ranges::copy(moved, fluid.wall_displacement.begin());
    context.solids.contact.keep_out(fluid, context, fluid.wall_displacement, fluid.pressed);
    context.solids.contact.walls().for_each(context.parallel,
                                            [&](std::size_t i, std::span<const Wall>) { near[i] = 1; });
}

template <class S>
StepReport Mukai2021<S>::start(StepContext<S>& context) {
    Columns<S> fluid(context.particles);
    const StepReport report = measure(fluid, context);
    context.rupture = thread_.join(fluid, context);
    return report;
}

template class Mukai2021<Space2d>;
template class Mukai2021<Space3d>;

}  // namespace treacle::mukai2021
