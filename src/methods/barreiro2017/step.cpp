#include "methods/barreiro2017/barreiro2017.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "blocks/elastic/cluster_update.h"
#include "methods/particle_speed.h"

namespace treacle::barreiro2017 {

template <class S>
Barreiro2017<S>::Barreiro2017(const MethodInput& input) {
    parameters_changed(input);
}

template <class S>
void Barreiro2017<S>::parameters_changed(const MethodInput& input) {
    const auto real = [](double value) { return static_cast<Real>(value); };
    settings_ = input.settings.as<Settings>();
    spacing_ = input.spacing;
    support_radius_ = barreiro2017::support_radius(input);
    limits_at_rest_ = barreiro2017::time_step_limits(input);
    const double h = support_radius_;
    const Lattice lattice = barreiro2017::lattice(S::dim, spacing_, h);
    density_.lattice_density = lattice.density;
    density_.relaxation = settings_.density_relaxation;
    density_.longest_start = 0.1 * spacing_;
    density_.artificial_pressure = settings_.artificial_pressure;
    conformation_.settings = {.support_radius = h,
                              .gradient_scale = 1 / lattice.shape,
                              .corotational = settings_.corotational,
                              .hydrostatic = settings_.strain == Settings::Strain::full,
                              .hydrostatic_ratio = settings_.hydrostatic_ratio.value_or(
                                  settings_.coefficients == Coefficients::paper ? 1 : 5),
                              .correction_floor = settings_.gradient_floor};
    // A lattice that is laid flush against a wall begins half a spacing off it.
    contacts_.contact_distance = real(0.5 * spacing_);
    contacts_.grip_distance = real(spacing_);
    wall_load_ = {.support_radius = real(h),
                  .first_layer = real(spacing_),
                  .time = real(0.5 * std::sqrt(h / std::max(1.0, input.strongest_gravity)))};
    viscosity_.reset();
    dynamic_viscosity_.clear();
    tension_.tension.clear();
    rest_density_.clear();
    responses_.clear();
    elastic_ = remembers_ = false;
    rest_state_.support_radius = h;
    rest_state_.lattice_weight = lattice.weight;
    rest_state_.break_stretch = std::numeric_limits<Real>::infinity();
    for (const Material& material : input.materials) {
        rest_density_.push_back(real(material.density));
        responses_.push_back(response_of(input, material));
        elastic_ |= responses_.back().elastic;
        if (const double stretch = responses_.back().break_stretch; stretch > 0) {
            remembers_ = true;
            rest_state_.break_stretch = std::min(rest_state_.break_stretch, real(stretch));
        }
        dynamic_viscosity_.push_back(real(material.viscosity.value_or(0)));
        if (dynamic_viscosity_.back() > 0 && !viscosity_)
            viscosity_.emplace(h, StoppingRule{settings_.viscosity_tolerance});
        tension_.tension.push_back(real(material.surface_tension.value_or(0)));
    }
    conditions_.parameters_changed(input);
    varying_materials_.clear();
    if (std::all_of(input.materials.begin(), input.materials.end(),
                    [](const Material& m) { return m.functions.empty(); }))
        return;
    for (const Material& material : input.materials) {
        constexpr double never = std::numeric_limits<double>::infinity();
        varying_materials_.push_back(
            {.viscosity = material.property("viscosity", material.viscosity.value_or(0)),
             .shear_modulus = material.property("shear_modulus", material.shear_modulus.value_or(0)),
             .relaxation_time = material.property("relaxation_time", material.relaxation_time.value_or(never)),
             .yield_stress = material.property("yield_stress", material.yield_stress.value_or(0))});
    }
}

template <class S>
void Barreiro2017<S>::add_columns(Particles& particles, ConnectionGraph& connections) {
    treacle::add_columns(Columns<S>{}, particles);
    conditions_.add_columns(particles);
    if (remembers_) RestState<S>::prepare(connections);
    connections.resize(particles.size());
}

template <class S>
std::vector<TimeStepLimit> Barreiro2017<S>::time_step_limits(const Particles& particles,
                                                             const Parallel& parallel) const {
    const double speed = fastest<Real>(particles.get<Row>("velocity"), parallel);
    std::vector<TimeStepLimit> limits = limits_at_rest_;
    if (speed > 0) limits.push_back({settings_.cfl * support_radius_ / speed, StepBound::particle_speed});
    return limits;
}

/// Section 5.1.
template <class S>
StepReport Barreiro2017<S>::step(StepContext<S>& context) {
    Columns<S> columns(context.particles);
    find_solids(context, columns);
    measure_volumes(context, columns);
    change_phase(context, columns);  // not in the paper
    respond(context, columns);
    apply_forces(context, columns);        // u* = u0 + dt f/m
    project_velocities(context, columns);  // eqs. 9 to 13
    predict(context, columns);             // Δx = dt u
    project_positions(context, columns);   // density and eqs. 14 to 18, in turn
    finish(context, columns);              // u = Δx/dt, eq. 6
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

template <class S>
void Barreiro2017<S>::measure_volumes(StepContext<S>& context, Columns<S>& columns) {
    const std::size_t count = columns.position.size();
    volume_.resize(count);
    context.parallel.for_each(count, [&](std::size_t i) {
        volume_[i] = columns.mass[i] / rest_density_[columns.material[i]];
    });
}

/// Heat flows and time passes.
template <class S>
void Barreiro2017<S>::change_phase(StepContext<S>& context, Columns<S>& columns) {
    if (conditions_.conducts()) {
        boundary_->update(columns.position, context.bodies, context.parallel);
        conditions_.conduct_heat(context, *boundary_, volume_);
    }
    conditions_.grow_old(context);
}

/// Compliance and memory of every particle in this step. What is forgotten within the step is no stress; where that
/// depends on the strain to come, it is what it was in the last step.
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

/// Where a material has become stiffer since the last step its strain shrinks by as much, so that its stress stays: no
/// energy comes from nowhere. What was liquid has no strain.
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
    const auto change = cast<Real>(context.dt * context.gravity);
    context.parallel.for_each(columns.velocity.size(),
                              [&](std::size_t i) { columns.velocity[i] = columns.velocity[i].xyz() + change; });
    if (!viscosity_ && !tension_.active()) return;
    boundary_->update(columns.position, context.bodies, context.parallel);
    apply_viscosity(context, columns);
    if (!tension_.active()) return;
    const auto scope = context.timer.stage("surface tension");
    tension_.apply(context.neighbors, *boundary_, {columns.position, columns.mass, volume_, columns.material},
                   context.dt, context.parallel, columns.velocity, context.bodies);
}

/// The solvent's. Not in the paper.
template <class S>
void Barreiro2017<S>::apply_viscosity(StepContext<S>& context, Columns<S>& columns) {
    if (!viscosity_) return;
    const auto scope = context.timer.stage("viscosity");
    viscosity_->apply(context.neighbors, *boundary_, {columns.position, columns.mass, volume_, particle_viscosity_},
                      context.dt, context.gravity, context.parallel, columns.velocity, context.bodies,
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
    const typename Conformation<S>::Fluid fluid{columns.mass, volume_, compliance_};
    const typename DensityConstraint<S>::Fluid of_density{volume_, columns.mass};
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
    const typename DensityConstraint<S>::Fluid of_density{volume_, columns.mass};
    const typename Conformation<S>::Fluid of_conformation{columns.mass, volume_, compliance_};
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
        conformation_.update(conformation_rows(context), {columns.mass, volume_, compliance_}, moving_, memory_,
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
    measure_volumes(context, columns);
    boundary_->update(columns.position, context.bodies, context.parallel);
    density_.measure(context.neighbors, *boundary_, {volume_, columns.mass}, columns.position, context.parallel,
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
