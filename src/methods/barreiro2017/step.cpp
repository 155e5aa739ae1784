#include "methods/barreiro2017/barreiro2017.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "blocks/elastic/cluster_update.h"
#include "methods/barreiro2017/coefficients.h"

namespace treacle::barreiro2017 {

/// The paper's Algorithm 2 (DC-PBD step), with its three headings, for the constraints of section 5.
template <class S>
StepReport Barreiro2017<S>::step(StepContext<S>& context) {
    Columns<S> columns(context.particles);
    find_solids(context, columns);
    measure_volumes(columns, context.parallel, [&](std::size_t material) { return rest_density_[material]; });
    change_phase(context, columns);  // not in the paper
    respond(context, columns);       // compliance and memory of each particle: eq. 6, section 3.2
    // Compute constraint-free state
    apply_forces(context, columns);  // u* = u0 + dt f/m
    // Project velocities
    project_velocities(context, columns);  // u** meets eqs. 9 to 13
    predict(context, columns);             // x** = x0 + dt u**
    // Project positions
    project_positions(context, columns);  // x meets density and eqs. 14 to 18, in turn
    finish(context, columns);             // u = (x - x0)/dt; eq. 6
    return context.report;
}

template <class S>
void Barreiro2017<S>::find_solids(StepContext<S>& context, Columns<S>& columns) {
    const auto scope = context.timer.stage("boundary");
    if (!boundary_) {
        boundary_.emplace(context.bodies,
                          typename BoundaryParticles<S>::Settings{.spacing = spacing_,
                                                                  .support_radius = support_radius_},
                          context.parallel);
    }
    const double speed = fastest<Real>(columns.velocity, context.parallel) + context.dt * length(context.gravity);
    const double reach = support_radius_ + 2 * context.dt * speed;
    contacts_.begin(context.bodies, columns.conformation, reach, context.dt, context.parallel, columns.position);
    std::fill(columns.wall_displacement.begin(), columns.wall_displacement.end(), Row{});
    moving_.begin(columns.position);
}

/// Heat flows and time passes.
template <class S>
void Barreiro2017<S>::change_phase(StepContext<S>& context, Columns<S>& columns) {
    if (conditions_.conducts()) {
        boundary_->update(columns.position, context.bodies, context.parallel);
        conditions_.conduct_heat(context, *boundary_, columns.volume);
    }
    conditions_.grow_old(context);
}

/// Compliance and memory of every particle in this step. Strain that is forgotten within the step causes no stress. How
/// much that is may depend on the strain to come; then the share of the last step is taken.
template <class S>
void Barreiro2017<S>::respond(StepContext<S>& context, Columns<S>& columns) {
    const std::size_t count = columns.position.size();
    compliance_.resize(count), memory_.resize(count), particle_viscosity_.resize(viscosity_ ? count : 0);
    const auto conditions = conditions_.view(context.particles);
    std::vector<ConformationMemory<Real>> memory;
    for (const Response& response : responses_) memory.push_back(response.memory_in<Real>(context.dt));
    context.parallel.for_each(count, [&](std::size_t i) {
        const std::uint8_t material = columns.material[i];
        Response response = responses_[material];
        memory_[i] = memory[material];
        if (viscosity_) particle_viscosity_[i] = dynamic_viscosity_[material];
        if (!varying_materials_.empty()) {
            const VaryingMaterial& varying = varying_materials_[material];
            if (viscosity_) particle_viscosity_[i] = static_cast<Real>(conditions.at(varying.viscosity, i));
            if (!response.as_in_paper) {
                const double most_strain = response.most_strain;
                response =
                    response_of(conditions.at(varying.shear_modulus, i), conditions.at(varying.relaxation_time, i),
                                conditions.at(varying.yield_stress, i), response.mobility);
                response.most_strain = most_strain;
                memory_[i] = response.memory_in<Real>(context.dt);
            }
        }
        stiffen(i, response, columns);
        const bool varies = memory_[i].yield_strain > 0 || memory_[i].mobility > 0;
        const Real share = response.as_in_paper ? 1 : varies ? columns.stress_share[i] : memory_[i].mean;
        compliance_[i] = response.elastic ? static_cast<Real>(response.compliance) / share : Real(-1);
    });
}

/// A material that has become stiffer since the last step keeps its stress: its strain shrinks by the same factor, so
/// that no energy comes from nowhere. A liquid that sets begins without strain.
template <class S>
void Barreiro2017<S>::stiffen(std::size_t i, const Response& response, Columns<S>& columns) {
    const Real now = response.elastic ? static_cast<Real>(response.compliance) : std::numeric_limits<Real>::infinity();
    const Real before = columns.compliance_before[i];
    if (now < before) {
        columns.conformation[i] =
            SymMat<Real>::identity() + (now / before) * (columns.conformation[i] - SymMat<Real>::identity());
    }
    columns.compliance_before[i] = now;
}

template <class S>
void Barreiro2017<S>::apply_forces(StepContext<S>& context, Columns<S>& columns) {
    kick(columns, context.dt * context.gravity, context.parallel);
    if (!viscosity_ && !tension_.active()) return;
    boundary_->update(columns.position, context.bodies, context.parallel);
    apply_viscosity(context, columns);
    if (!tension_.active()) return;
    const auto scope = context.timer.stage("surface tension");
    tension_.apply(context.neighbors, *boundary_, {columns.position, columns.mass, columns.volume, columns.material},
                   context.dt, context.parallel, columns.velocity, context.bodies);
}

/// The solvent's. Not in the paper.
template <class S>
void Barreiro2017<S>::apply_viscosity(StepContext<S>& context, Columns<S>& columns) {
    if (!viscosity_) return;
    const auto scope = context.timer.stage("viscosity");
    viscosity_->apply(context.neighbors, *boundary_,
                      {columns.position, columns.mass, columns.volume, particle_viscosity_}, context.dt,
                      context.gravity, context.parallel, columns.velocity, context.bodies,
                      columns.viscous_acceleration);
}

template <class S>
void Barreiro2017<S>::find_bonded(const ConnectionGraph& connections) {
    bonded_.resize(connections.particle_count());
    for (std::size_t i = 0; i < bonded_.size(); ++i) bonded_[i] = connections.count(i) > 0 ? Real(1) : Real(0);
}

template <class S>
ConformationRows<S> Barreiro2017<S>::conformation_rows(const StepContext<S>& context) const {
    return remembers_ ? ConformationRows<S>(context.neighbors, context.connections, bonded_)
                      : ConformationRows<S>(context.neighbors);
}

template <class S>
bool Barreiro2017<S>::by_conjugate_gradients() const {
    using Solver = Settings::VelocitySolver;
    if (settings_.velocity_solver != Solver::automatic) return settings_.velocity_solver == Solver::conjugate_gradients;
    return settings_.coefficients == Coefficients::physical;
}

template <class S>
bool Barreiro2017<S>::density_by_velocities() const {
    return settings_.projection == Settings::Projection::doubly &&
           settings_.incompressibility == Settings::Incompressibility::doubly;
}

template <class S>
void Barreiro2017<S>::project_velocities(StepContext<S>& context, Columns<S>& columns) {
    const auto scope = context.timer.stage("velocity projection");
    const typename Conformation<S>::Fluid fluid{columns.mass, columns.volume, compliance_};
    const typename DensityConstraint<S>::Fluid of_density{columns.volume, columns.mass};
    if (remembers_) find_bonded(context.connections);
    const ConformationRows<S> rows = conformation_rows(context);
    const typename Conformation<S>::Start start{rows, columns.position};
    if (elastic_) conformation_.begin(start, fluid, context.dt, context.parallel);
    if (settings_.projection == Settings::Projection::position_only) return;
    const auto clamp = [&] {
        contacts_.clamp_velocities(columns.mass, columns.pressed, columns.position, context.parallel, columns.velocity,
                                   columns.wall_displacement, context.bodies);
    };
    const auto hold = [&](std::span<Row> change, bool choose) {
        contacts_.hold(context.bodies, columns.velocity, choose, context.parallel, change);
    };
    if (density_by_velocities()) {
        boundary_->update(columns.position, context.bodies, context.parallel);
        start_pressure(context, columns);
        density_.begin_velocities(context.neighbors, *boundary_, context.bodies, of_density, columns.scratch,
                                  context.dt, context.parallel, columns.position, columns.velocity,
                                  columns.wall_displacement, columns.density_ratio);
    }
    clamp();
    if (!elastic_ && !density_by_velocities()) return;
    // Conjugate gradients know nothing of contacts and density between two looks at them.
    const int at_once = elastic_ && by_conjugate_gradients() ? 5 : 1;
    for (int left = settings_.velocity_iterations; left > 0; left -= at_once) {
        const int iterations = std::min(left, at_once);
        if (elastic_ && by_conjugate_gradients()) {
            conformation_.solve_velocities(start, fluid, columns.conformation, iterations, hold, context.parallel,
                                           columns.velocity);
            clamp();
        } else if (elastic_) {
            conformation_.project_velocities(start, fluid, columns.conformation, context.parallel, columns.velocity);
            clamp();
        }
        for (int n = 0; density_by_velocities() && n < iterations; ++n) {
            density_.project_velocities(context.neighbors, *boundary_, context.bodies, of_density, context.parallel,
                                        columns.position, columns.density_ratio, columns.velocity,
                                        columns.wall_displacement);
            clamp();
        }
    }
}

/// Where the density iteration starts, in `scratch`.
template <class S>
void Barreiro2017<S>::start_pressure(StepContext<S>& context, Columns<S>& columns) {
    const Real warm = static_cast<Real>(settings_.warm_start);
    context.parallel.for_each(columns.pressure.size(),
                              [&](std::size_t i) { columns.scratch[i] = warm * columns.pressure[i]; });
}

template <class S>
void Barreiro2017<S>::predict(StepContext<S>& context, Columns<S>& columns) {
    const auto scope = context.timer.stage("neighbors");
    const Real dt = static_cast<Real>(context.dt);
    context.parallel.for_each(columns.position.size(),
                              [&](std::size_t i) { moving_.move(i, dt * columns.velocity[i].xyz()); });
    if (remembers_) rest_state_.straighten(context.connections, columns.mass, context.parallel, moving_);
    contacts_.begin_positions(context.bodies, support_radius_, columns.position, context.parallel);
    contacts_.clamp_positions(columns.mass, columns.pressed, context.parallel, moving_, columns.wall_displacement,
                              context.bodies);
    // Particles move on while positions are projected; whatever comes within reach on the way is a neighbor too.
    context.neighbors.update(columns.position, support_radius_ + 0.1 * spacing_, context.parallel, context.period);
    boundary_->update(columns.position, context.bodies, context.parallel);
}

template <class S>
void Barreiro2017<S>::project_positions(StepContext<S>& context, Columns<S>& columns) {
    const auto scope = context.timer.stage("position projection");
    const std::size_t count = columns.position.size();
    const typename DensityConstraint<S>::Fluid of_density{columns.volume, columns.mass};
    const typename Conformation<S>::Fluid of_conformation{columns.mass, columns.volume, compliance_};
    const auto clamp = [&] {
        contacts_.clamp_positions(columns.mass, columns.pressed, context.parallel, moving_, columns.wall_displacement,
                                  context.bodies);
    };
    const ConformationRows<S> rows = conformation_rows(context);
    const bool together = elastic_ && settings_.combine == Settings::Combine::simultaneous;
    if (!density_by_velocities()) {
        start_pressure(context, columns);
        density_.begin(context.neighbors, *boundary_, context.bodies, of_density, columns.scratch, context.dt,
                       context.parallel, moving_, columns.wall_displacement);
    }
    clamp();
    for (int n = 0; n < settings_.position_iterations; ++n) {
        MovingPositions<S> other;
        if (together) {
            other_.assign(columns.position.begin(), columns.position.end());
            start_of_pass_.assign(moving_.displacement().begin(), moving_.displacement().end());
            other = moving_.on(other_);
        }
        density_.project(context.neighbors, *boundary_, context.bodies, of_density, context.parallel, moving_,
                         columns.wall_displacement, columns.density_ratio);
        if (!together) clamp();
        if (elastic_) {
            conformation_.project_positions(rows, of_conformation, columns.conformation, context.parallel,
                                            together ? other : moving_);
        }
        if (together) {
            context.parallel.for_each(count, [&](std::size_t i) {
                moving_.move(i, other.displacement()[i].xyz() - start_of_pass_[i].xyz());
            });
        }
        clamp();
    }
    if (settings_.position_iterations == 0) {
        density_.measure(context.neighbors, *boundary_, of_density, moving_, context.parallel, columns.density_ratio);
    }
    density_.end(context.dt, context.parallel, columns.pressure);
    const auto report = DensityConstraint<S>::report(columns.density_ratio, context.parallel);
    context.report.iterations = settings_.position_iterations;
    context.report.density_error_mean = report.error_mean;
    context.report.density_error_max = report.error_max;
}

template <class S>
void Barreiro2017<S>::finish(StepContext<S>& context, Columns<S>& columns) {
    const auto scope = context.timer.stage("update");
    const std::size_t count = columns.position.size();
    const Real rate = static_cast<Real>(1 / context.dt);
    context.parallel.for_each(count, [&](std::size_t i) {
        columns.velocity[i] = rate * moving_.displacement()[i].xyz();
        columns.density[i] = columns.density_ratio[i] * rest_density_[columns.material[i]];
    });
    if (elastic_) {
        conformation_.update(conformation_rows(context), {columns.mass, columns.volume, compliance_}, moving_, memory_,
                             context.parallel, columns.conformation, columns.stress_share);
    }
    if (remembers_) remember(context, columns);
    const Real dt = static_cast<Real>(context.dt);
    wall_load_.update(context.neighbors, contacts_.walls(), columns.position, columns.wall_displacement, dt,
                      context.parallel, columns.scratch, columns.pressed);
}

/// Not in the paper: strain against the shape at rest, where that is stored.
template <class S>
void Barreiro2017<S>::remember(StepContext<S>& context, Columns<S>& columns) {
    rest_state_.recall(context.connections, columns.position, context.parallel, columns.conformation);
    std::vector<Real> stretch(columns.position.size());
    context.parallel.for_each(stretch.size(), [&](std::size_t i) {
        stretch[i] = static_cast<Real>(responses_[columns.material[i]].break_stretch);
    });
    ClusterUpdate<S>::cut(rest_state_.stretched(), stretch, columns.position, context.parallel, context.connections);
}

template <class S>
StepReport Barreiro2017<S>::start(StepContext<S>& context) {
    Columns<S> columns(context.particles);
    std::fill(columns.pressure.begin(), columns.pressure.end(), Real(0));
    add_births(context, Births::all());
    if (remembers_) {
        bonded_.clear();
        for (const std::uint8_t material : columns.material)
            bonded_.push_back(responses_[material].break_stretch > 0 ? 1 : 0);
        rest_state_.store(bonded_, context.neighbors, columns.position, context.parallel, context.connections);
    }
    find_solids(context, columns);
    measure_volumes(columns, context.parallel, [&](std::size_t material) { return rest_density_[material]; });
    boundary_->update(columns.position, context.bodies, context.parallel);
    density_.measure(context.neighbors, *boundary_, {columns.volume, columns.mass}, columns.position, context.parallel,
                     columns.density_ratio);
    context.parallel.for_each(columns.density.size(), [&](std::size_t i) {
        columns.density[i] = columns.density_ratio[i] * rest_density_[columns.material[i]];
    });
    return context.report;
}

template <class S>
void Barreiro2017<S>::add_births(StepContext<S>& context, const Births& births) {
    conditions_.begin(context.particles, context.time, births);
}

template class Barreiro2017<Space2f>;
template class Barreiro2017<Space3f>;
#if TREACLE_DOUBLE
template class Barreiro2017<Space2d>;
template class Barreiro2017<Space3d>;
#endif

}  // namespace treacle::barreiro2017
