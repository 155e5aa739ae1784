#include "methods/takamatsu2011/takamatsu2011.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/reproducible.h"
#include "methods/takamatsu2011/coefficients.h"

namespace treacle::takamatsu2011 {

/// The loop of section 3.3. Velocities of both kinds are changes of the same velocity, so their blend (eq. 10) is made
/// term by term. The simulation adjusts the step (eq. 12).
template <class S>
StepReport Takamatsu2011<S>::step(StepContext<S>& context) {
    Columns<S> columns(context.particles);
    measure_density(context, columns);
    renew_references(context, columns);  // update of the reference shape: eq. 14
    apply_viscosity(context, columns);   // v^SPH: eq. 2
    match_shapes(context, columns);      // v^SM: eqs. 7, 8, 13 and 10
    let_go(context, columns);
    apply_forces(context, columns);                // v^SPH: eq. 4
    apply_pressure(context, columns);              // v^SPH: eqs. 1, 5 and 10
    drift(columns, context.dt, context.parallel);  // x: eq. 11
    keep_out_of_solids(context, columns);
    note_impacts(context, columns);  // f^ext of the next update
    return context.report;
}

template <class S>
void Takamatsu2011<S>::measure_density(StepContext<S>& context, Columns<S>& columns) {
    if (!boundary_) {
        const typename BoundaryParticles<S>::Settings how{.spacing = spacing_, .support_radius = support_radius_};
        boundary_.emplace(context.bodies, how, context.parallel);
    }
    const std::size_t count = columns.position.size();
    stiffness_.resize(count);
    goal_.resize(count);
    measure_volumes(columns, context.parallel, [&](std::size_t material) { return materials_[material].rest_density; });
    context.parallel.for_each(count, [&](std::size_t i) {
        const Fluid& of = materials_[columns.material[i]];
        stiffness_[i] = of.pull * columns.mass[i];
        if (of.pull == 0) columns.rotation[i] = Row{};  // a fluid has no reference, and gets one when it sets
    });
    {
        const auto scope = context.timer.stage("boundary");
        boundary_->update(columns.position, context.bodies, context.parallel);
    }
    const auto scope = context.timer.stage("density");
    if (solves_pressure()) {
        solved_pressure_.measure(context.neighbors, *boundary_, context.bodies, columns.position, columns.volume,
                                 columns.mass, context.parallel, columns.density_ratio);
    } else {
        pressure_.measure(context.neighbors, *boundary_, {columns.position, columns.mass, columns.volume},
                          context.parallel, columns.density_ratio);
    }
    context.parallel.for_each(count, [&](std::size_t i) {
        columns.density[i] = columns.density_ratio[i] * materials_[columns.material[i]].rest_density;
    });
}

/// Clusters of bodies that solids push hard take the present shape for their reference.
template <class S>
void Takamatsu2011<S>::renew_references(StepContext<S>& context, Columns<S>& columns) {
    if (!elastic_) return;
    const auto scope = context.timer.stage("references");
    const std::size_t count = columns.position.size();
    // The step in which an interval ends; the margin is for ends of steps that meet it but for rounding.
    const auto intervals = [&](double time) { return std::floor(time / settings_.update_interval + 1e-6); };
    const bool test = intervals(context.time) != intervals(context.time + context.dt);
    std::vector<std::uint8_t> chosen(count);
    context.parallel.for_each(count, [&](std::size_t i) {
        const Fluid& of = materials_[columns.material[i]];
        const Row& turned = columns.rotation[i];
        const bool has_none = turned.x == 0 && turned.y == 0 && turned.z == 0 && turned.w == 0;  // a fluid until now
        const double threshold = settings_.update_threshold * (1 - static_cast<double>(of.fluidity)) * weight_;
        const bool pushed = test && static_cast<double>(columns.impact[i]) > threshold;
        chosen[i] = of.pull > 0 && (has_none || pushed);
        if (test) columns.impact[i] = 0;
    });
    if (std::find(chosen.begin(), chosen.end(), 1) != chosen.end()) renew(context, columns, chosen, {});
}

template <class S>
void Takamatsu2011<S>::renew(StepContext<S>& context, Columns<S>& columns, std::span<const std::uint8_t> chosen,
                             std::span<const std::uint32_t> fluid) {
    matching_.fit(context.connections, {columns.position, stiffness_}, context.parallel, columns.rotation);
    update_.renew(chosen, context.neighbors, columns.position, fluid, matching_, columns.rotation, context.parallel,
                  context.connections);
    ClusterUpdate<S>::label(context.connections, columns.id, columns.piece);
    context.parallel.for_each(columns.position.size(), [&](std::size_t i) { columns.renewals[i] += chosen[i]; });
}

/// Viscosity acts before all other forces. Solids drag by viscosity, and would otherwise take a part of the other
/// forces as well; fluid at rest on a floor must be held by pressure alone. An explicit step is taken where one or two
/// are stable by a wide margin, because it costs less than a solve. It is not taken where a body is free to move: a
/// light body would be thrown about by it.
template <class S>
void Takamatsu2011<S>::apply_viscosity(StepContext<S>& context, Columns<S>& columns) {
    if (!viscous_) return;
    const auto scope = context.timer.stage("viscosity");
    const std::size_t count = columns.mass.size();
    viscosity_of_.resize(count);
    context.parallel.for_each(count,
                              [&](std::size_t i) { viscosity_of_[i] = materials_[columns.material[i]].viscosity; });
    const ExplicitViscosity<S> at_once{support_radius_};
    const double stages = std::ceil(context.dt / (0.8 * at_once.longest_step(most_viscous_)));
    const bool any_moves =
        std::any_of(context.bodies.begin(), context.bodies.end(), [](const Body& body) { return body.dynamic(); });
    const std::span<Row> change = columns.viscous_acceleration;
    if (any_moves || stages > 2) {
        viscosity_->apply(context.neighbors, *boundary_,
                          {columns.position, columns.mass, columns.volume, viscosity_of_}, context.dt, context.gravity,
                          context.parallel, columns.velocity, context.bodies, change);
        return;
    }
    std::vector<std::pair<Vec3d, Vec3d>> loads;
    for (const Body& body : context.bodies) loads.emplace_back(body.force, body.torque);
    const Real dt = static_cast<Real>(context.dt / stages);
    for (int stage = 0; stage < static_cast<int>(stages); ++stage) {
        std::fill(change.begin(), change.end(), Row{});
        at_once.add(context.neighbors, columns.position, columns.velocity, columns.mass, columns.volume, viscosity_of_,
                    context.parallel, change);
        boundary_->add_viscosity(columns.position, columns.velocity, columns.mass, columns.volume, viscosity_of_,
                                 context.parallel, change, context.bodies);
        context.parallel.for_each(count, [&](std::size_t i) {
            columns.velocity[i] = columns.velocity[i].xyz() + dt * change[i].xyz();
        });
    }
    for (std::size_t b = 0; b < loads.size(); ++b) {  // the mean of both
        Body& body = context.bodies[b];
        body.force = loads[b].first + (body.force - loads[b].first) / stages;
        body.torque = loads[b].second + (body.torque - loads[b].second) / stages;
    }
}

/// Eq. 13 with dt0 = Δt^SM is an acceleration (g - x)/dt0², the same for any step.
template <class S>
void Takamatsu2011<S>::match_shapes(StepContext<S>& context, Columns<S>& columns) {
    if (!elastic_) return;
    const auto scope = context.timer.stage("shape matching");
    const Real dt = static_cast<Real>(context.dt);
    matching_.fit(context.connections, {columns.position, stiffness_}, context.parallel, columns.rotation);
    matching_.gather(context.connections, columns.rotation, context.parallel, goal_);
    context.parallel.for_each(columns.position.size(), [&](std::size_t i) {
        columns.velocity[i] = columns.velocity[i].xyz() + (dt * materials_[columns.material[i]].pull) * goal_[i].xyz();
    });
}

/// Connections that the fit found stretched too far end; they have pulled for the last time.
template <class S>
void Takamatsu2011<S>::let_go(StepContext<S>& context, Columns<S>& columns) {
    if (!elastic_) return;
    const auto scope = context.timer.stage("references");
    break_stretch_.resize(columns.position.size());
    context.parallel.for_each(break_stretch_.size(), [&](std::size_t i) {
        break_stretch_[i] = materials_[columns.material[i]].break_stretch;
    });
    const bool any = ClusterUpdate<S>::cut(matching_.stretched(), break_stretch_, columns.position, context.parallel,
                                           context.connections);
    if (any) ClusterUpdate<S>::label(context.connections, columns.id, columns.piece);
}

template <class S>
void Takamatsu2011<S>::apply_forces(StepContext<S>& context, Columns<S>& columns) {
    kick(columns, context.dt * context.gravity, context.parallel);
    if (tension_.active()) {
        const auto scope = context.timer.stage("surface tension");
        tension_.apply(context.neighbors, *boundary_,
                       {columns.position, columns.mass, columns.volume, columns.material}, context.dt, context.parallel,
                       columns.velocity, context.bodies);
    }
}

/// Each particle's pressure counts by its fluidity, which is the blend of eq. 10, and keeps momentum between materials.
template <class S>
void Takamatsu2011<S>::apply_pressure(StepContext<S>& context, Columns<S>& columns) {
    const std::size_t count = columns.position.size();
    if (!fluid_ || count == 0) return;
    if (settings_.equations == Equations::printed) {
        apply_printed(context, columns);
        return;
    }
    const auto scope = context.timer.stage("pressure");
    if (solves_pressure()) {
        // Solved for as in a fluid, on a copy.
        std::copy(columns.velocity.begin(), columns.velocity.end(), goal_.begin());
        Bodies bodies = context.bodies;
        const auto report = solved_pressure_.solve(columns.volume, columns.mass, columns.density_ratio, context.gravity,
                                                   context.dt, context.parallel, goal_, columns.pressure, bodies);
        context.report = {report.iterations, report.error_mean, report.error_max};
        context.parallel.for_each(count, [&](std::size_t i) {
            columns.pressure[i] *= materials_[columns.material[i]].fluidity;
        });
        solved_pressure_.push(columns.volume, columns.mass, columns.density_ratio, context.dt, columns.pressure,
                              context.parallel, columns.velocity, context.bodies);
        return;
    }
    const Real square = static_cast<Real>(sound_speed_ * sound_speed_);
    context.parallel.for_each(count, [&](std::size_t i) {
        const Fluid& of = materials_[columns.material[i]];
        const Real compression = std::max(Real(0), columns.density_ratio[i] - 1);
        columns.pressure[i] = of.fluidity * square * of.rest_density * compression;
    });
    const auto error = [&](std::size_t i) { return std::max(0.0, static_cast<double>(columns.density_ratio[i]) - 1); };
    const double errors = context.parallel.template sum<double>(Rows::of(count), error);
    context.report.density_error_mean = errors / static_cast<double>(count);
    context.report.density_error_max = context.parallel.max(Rows::of(count), 0.0, error);
    pressure_.push(context.neighbors, *boundary_, {columns.position, columns.mass, columns.volume},
                   columns.density_ratio, columns.pressure, context.dt, context.parallel, columns.velocity,
                   context.bodies);
}

template <class S>
void Takamatsu2011<S>::apply_printed(StepContext<S>& context, Columns<S>& columns) {
    const auto scope = context.timer.stage("printed equations");
    std::vector<Real> rest_density, fluidity, viscosity;
    for (const std::uint8_t material : columns.material) {
        rest_density.push_back(materials_[material].rest_density);
        fluidity.push_back(materials_[material].fluidity);
        viscosity.push_back(materials_[material].viscosity);
    }
    printed_.apply(context.neighbors, {columns.position, columns.mass, rest_density, fluidity, viscosity}, context.dt,
                   context.parallel, columns.velocity);
}

template <class S>
void Takamatsu2011<S>::keep_out_of_solids(StepContext<S>& context, Columns<S>& columns) {
    const auto scope = context.timer.stage("solids");
    const Real dt = static_cast<Real>(context.dt);
    std::fill(columns.wall_displacement.begin(), columns.wall_displacement.end(), Row{});
    if (fluid_ && !columns.position.empty() && settings_.equations == Equations::corrected) {  // pressure has acted
        if (solves_pressure()) solved_pressure_.add_wall_displacement(context.parallel, columns.wall_displacement);
        else pressure_.add_wall_displacement(context.parallel, columns.wall_displacement);
    }
    walls_.update(columns.position, context.bodies, support_radius_, context.parallel);
    const auto kept = collision_.meet(walls_, columns.mass, columns.pressed, dt, context.parallel, columns.position,
                                      columns.velocity, context.bodies);
    collision_.stop(walls_, columns.mass, dt, context.parallel, columns.position, columns.velocity,
                    columns.wall_displacement, context.bodies);
    wall_load_.update(context.neighbors, walls_, columns.position, columns.wall_displacement, dt, context.parallel,
                      columns.scratch, columns.pressed);
    collision_.rub(walls_, columns.mass, columns.pressed, dt, context.parallel, columns.position, columns.velocity,
                   context.bodies);
    Collision<S>::part(kept, context.bodies);
}

/// |f_ext| of eq. 14's test: the mean over a piece of what solids push, as an acceleration. The strongest counts,
/// because an impact is shorter than the time between two tests; and as a mean over a short time, because a contact
/// that stops a particle at once would be the stronger the shorter the step is.
template <class S>
void Takamatsu2011<S>::note_impacts(StepContext<S>& context, Columns<S>& columns) const {
    if (!elastic_) return;
    struct Mean {
        double sum = 0, count = 0;
    };
    const auto last = std::max_element(columns.piece.begin(), columns.piece.end());
    std::vector<Mean> pieces(last == columns.piece.end() ? 0 : *last + std::size_t(1));
    for (std::size_t i = 0; i < columns.position.size(); ++i) {
        Mean& mean = pieces[columns.piece[i]];
        mean.sum += static_cast<double>(length(columns.wall_displacement[i].xyz()));
        mean.count += 1;
    }
    const double square = context.dt * context.dt;
    const Real share = static_cast<Real>(reproducible::one_minus_exp_minus(context.dt / push_time_));
    context.parallel.for_each(columns.position.size(), [&](std::size_t i) {
        const Mean& mean = pieces[columns.piece[i]];
        columns.push[i] += share * (static_cast<Real>(mean.sum / mean.count / square) - columns.push[i]);
        columns.impact[i] = std::max(columns.impact[i], columns.push[i]);
    });
}

template <class S>
StepReport Takamatsu2011<S>::start(StepContext<S>& context) {
    Columns<S> columns(context.particles);
    std::fill(columns.pressure.begin(), columns.pressure.end(), Real(0));
    measure_density(context, columns);
    add_births(context, Births::all());
    std::fill(columns.renewals.begin(), columns.renewals.end(), 0);
    return context.report;
}

/// Particles that come into being together are one piece.
template <class S>
void Takamatsu2011<S>::add_births(StepContext<S>& context, const Births& births) {
    Columns<S> columns(context.particles);
    if (!elastic_) return;
    stiffness_.resize(columns.mass.size());
    for (std::size_t i = 0; i < columns.mass.size(); ++i) {
        stiffness_[i] = materials_[columns.material[i]].pull * columns.mass[i];
    }
    std::vector<std::uint8_t> chosen(columns.position.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = births[i] && stiffness_[i] > 0;
    renew(context, columns, chosen, columns.fluid);
}

template class Takamatsu2011<Space2f>;
template class Takamatsu2011<Space3f>;
template class Takamatsu2011<Space2d>;
template class Takamatsu2011<Space3d>;

}  // namespace treacle::takamatsu2011
