#include "methods/mukai2021/mukai2021.h"

#include <algorithm>
#include <cmath>

#include "math/reproducible.h"
#include "methods/mukai2021/thread_columns.h"
#include "neighbors/nearest_image.h"

#include "methods/mukai2021/coefficients.h"

namespace treacle::mukai2021 {

/// Cauchy's equation of motion (eq. 2) for a fluid that keeps its volume (eq. 1), with the numbers of the paper's
/// equations.
template <class S>
StepReport Mukai2021<S>::step(StepContext<S>& context) {
    Columns<S> columns(context.particles);
    find_geometry(context, columns);             // the number density of eqs. 9 to 13
    weigh_stresses(context, columns);            // alpha and beta: eqs. 3 and 9
    relax(context, columns);                     // the stress: eqs. 4 and 8; other laws are not in the paper
    find_forces(context, columns);               // g and f of eq. 2
    if (projection_) project(context, columns);  // eqs. 10 to 13
    else solve_flow(context, columns);           // eqs. 1 and 2 at once, in place of them
    deform(context, columns);                    // the strain: eqs. 5 to 7
    advance(context, columns);
    keep_out_of_solids(context, columns);
    if (refinement_.active()) refine(context);  // not in the paper
    return context.report;
}

template <class S>
void Mukai2021<S>::find_geometry(StepContext<S>& context, Columns<S>& columns) {
    const auto scope = context.timer.stage("geometry");
    if (!boundary_) {
        boundary_.emplace(
            context.bodies,
            typename BoundaryParticles<S>::Settings{.spacing = spacing_,
                                                    .support_radius = wide_radius(),
                                                    .layers = static_cast<int>(std::floor(wide_radius() / spacing_)),
                                                    .lattice = true},
            context.parallel);
    }
    boundary_->update(columns.position, context.bodies, context.parallel);
    const std::size_t count = columns.position.size();
    if (refinement_.active()) size_ = ThreadRefinement<S>::sizes(context.particles);
    const ParticleSizes<S> sizes(size_);
    if (!sizes.equal()) {
        const Real radius = static_cast<Real>(wide_radius());
        const Vec period = cast<Real>(context.period);
        context.neighbors.keep_only(context.parallel, [&](std::size_t i, std::size_t j) {
            return length(nearest_image(columns.position[j].xyz() - columns.position[i].xyz(), period)) <
                   sizes.mean(i, j) * radius;
        });
    }
    geometry_.update(context.neighbors, *boundary_, context.bodies, columns.position, context.parallel, context.period,
                     sizes);
    measure_volumes(columns, context.parallel, [&](std::size_t material) { return materials_[material].rest_density; });
    context.parallel.for_each(count, [&](std::size_t i) {
        const Fluid& of = materials_[columns.material[i]];
        columns.density[i] = of.rest_density * geometry_.density()[i];
    });
    tell_density(context);
    if (!refinement_.active()) return;
    refinement_.judge(
        context.neighbors, context.particles, sizes, context.period, context.parallel,
        [&](std::size_t i) { return !geometry_.walls().row(i).empty(); },
        [&](std::size_t i) { return context.is_driven(i); });
}

/// How much too dense the fluid is where the step starts, by the smooth density, which tells volumes. Where neighbors
/// are too few to tell, nothing is too dense.
template <class S>
void Mukai2021<S>::tell_density(StepContext<S>& context) const {
    const auto excess = [&](std::size_t i) {
        return geometry_.fell_back()[i] ? 0.0 : std::max(0.0, static_cast<double>(geometry_.smooth_density()[i]) - 1);
    };
    const std::size_t count = geometry_.size();
    context.report.density_error_mean = context.parallel.template sum<double>(Rows::of(count), excess) /
                                        static_cast<double>(std::max<std::size_t>(1, count));
    context.report.density_error_max = context.parallel.max(Rows::of(count), 0.0, excess);
}

/// Eqs. 3 and 9.
template <class S>
void Mukai2021<S>::weigh_stresses(StepContext<S>& context, Columns<S>& columns) {
    const auto scope = context.timer.stage("rupture");
    const ThreadParts parts =
        thread_.watch(columns.position, context.particles.template get<std::uint8_t>("side"), context.neighbors,
                      context.bodies, context.time + context.dt, context.parallel, context.rupture, size_);
    std::ranges::copy(parts.part, context.particles.template get<std::uint8_t>("part").begin());
    if (!paper()) return;
    const Waist waist = thread_.waist(context.particles, geometry_.density(), parts, size_);
    for (std::size_t m = 0; m < materials_.size(); ++m) {
        const Weights weights = weights_of(materials_[m], waist, context.rupture);
        elastic_weight_[m] = static_cast<Real>(weights.elastic);
        viscous_weight_[m] = static_cast<Real>(weights.viscous);
    }
}

/// A fluid that let go of a solid is ruptured too, though its sides never met.
template <class S>
auto Mukai2021<S>::weights_of(const Fluid& fluid, const Waist& waist, const Rupture& rupture) const -> Weights {
    if (!paper()) return {};
    const MaterialSettings& own = fluid.own;
    const double elastic = std::max(0.0, 1 - waist.density) * own.elastic_coefficient;  // eq. 9
    const bool ruptured = rupture.sides_met != Rupture::never || rupture.parted != Rupture::never;
    const double viscous = own.weights == MaterialSettings::Weights::complementary ? 1 - elastic
                           : ruptured                                              ? own.viscous_weight_after_rupture
                                                                                   : own.viscous_weight;
    return {elastic, viscous};
}

template <class S>
std::vector<FrameColumn> Mukai2021<S>::frame_columns() const {
    std::vector<FrameColumn> columns = thread_columns(S::dim);
    if (paper()) columns.insert(columns.end(), {{"elastic_weight", "1"}, {"viscous_weight", "1"}});
    return columns;
}

/// Weights are those of the first material.
template <class S>
std::vector<double> Mukai2021<S>::frame_values(const FrameContext<S>& frame) const {
    const auto density = frame.particles.template get<Real>("density");
    const auto material = frame.particles.template get<std::uint8_t>("material");
    std::vector<Real> number_density(density.size());
    for (std::size_t i = 0; i < density.size(); ++i)
        number_density[i] = density[i] / materials_[material[i]].rest_density;
    const std::vector<Real> sizes =
        refinement_.active() ? ThreadRefinement<S>::sizes(frame.particles) : std::vector<Real>{};
    const ThreadReport thread = thread_report<S>(thread_, frame, number_density, sizes);
    std::vector<double> values = thread_values(thread);
    if (paper()) {
        const Weights weights = weights_of(materials_.front(), thread.waist, frame.rupture);
        values.insert(values.end(), {weights.elastic, weights.viscous});
    }
    return values;
}

/// Conformations forget strain. Sets viscosity, modulus and stress of every particle for the step.
template <class S>
void Mukai2021<S>::relax(StepContext<S>& context, Columns<S>& columns) {
    const std::size_t count = columns.position.size();
    viscosity_.resize(count), modulus_.resize(count), strain_time_.resize(count), stress_.resize(count),
        smooth_.assign(count, 0);
    const Real dt = static_cast<Real>(context.dt);
    struct Law {
        ConformationMemory<Real> memory;
        Real strain_time;
        Real smooth = 0;
    };
    std::vector<Law> laws;
    for (const Fluid& of : materials_) {
        Law law{.memory = {}, .strain_time = dt};
        if (of.relaxation_time) {
            const double kept = reproducible::exp(-context.dt / *of.relaxation_time);
            law.strain_time = static_cast<Real>(*of.relaxation_time * (1 - kept));
            law.memory.kept = static_cast<Real>(kept);
            law.memory.mean = law.strain_time / dt;
        }
        const double memory = std::min(of.relaxation_time.value_or(100 * context.dt), 100 * context.dt);
        const double elastic = static_cast<double>(of.modulus) * memory, solvent = static_cast<double>(of.viscosity);
        law.smooth = static_cast<Real>(std::max(0.0, settings_.smooth_viscosity * (solvent + elastic) - solvent));
        law.memory.yield_strain = of.yield_strain;
        if (of.own.law == MaterialSettings::Law::giesekus) law.memory.mobility = static_cast<Real>(of.own.mobility);
        laws.push_back(law);
    }
    const auto one = SymMat<Real>::identity();
    context.parallel.for_each(count, [&](std::size_t i) {
        const std::size_t m = columns.material[i];
        const Fluid& of = materials_[m];
        if (paper()) {
            const Real elastic = elastic_weight_[m] * of.modulus;
            viscosity_[i] = viscous_weight_[m] * of.viscosity + elastic * dt;  // eqs. 4 and 8, at the end of the step
            modulus_[i] = 0;
            stress_[i] = (2 * elastic) * columns.conformation[i];
            return;
        }
        smooth_[i] = laws[m].smooth;
        viscosity_[i] = of.viscosity + smooth_[i];
        modulus_[i] = of.modulus;
        strain_time_[i] = laws[m].strain_time;
        stress_[i] = {};
        if (of.modulus == 0) return;
        SymMat<Real>& c = columns.conformation[i];
        if (of.own.law == MaterialSettings::Law::fene_p && of.relaxation_time) {
            const Fene<Real> fene = forget_fene<S::dim>(c, static_cast<Real>(of.own.extensibility),
                                                        static_cast<Real>(*of.relaxation_time), dt);
            c = fene.conformation;
            modulus_[i] = fene.spring * of.modulus;
            strain_time_[i] = fene.strain_time;
            stress_[i] = (modulus_[i] - of.modulus) * one;  // G (f c - 1), of which the flow takes G f (c - 1)
        } else {
            c = forget<S::dim>(c, laws[m].memory).conformation;
        }
    });
}

template <class S>
void Mukai2021<S>::find_forces(StepContext<S>& context, Columns<S>& columns) {
    const std::size_t count = columns.position.size();
    acceleration_.assign(count, Row(cast<Real>(context.gravity)));
    if (!tense_) return;
    const auto scope = context.timer.stage("surface tension");
    tension_of_.resize(count);
    context.parallel.for_each(count, [&](std::size_t i) { tension_of_[i] = materials_[columns.material[i]].tension; });
    tension_.apply(context.neighbors, *boundary_, columns.position, geometry_.sizes(), columns.mass, tension_of_,
                   context.dt, context.period, context.parallel, acceleration_, context.bodies);
}

template <class S>
void Mukai2021<S>::solve_flow(StepContext<S>& context, Columns<S>& columns) {
    const auto scope = context.timer.stage("flow");
    const std::size_t count = columns.position.size();
    resistance_.resize(count), divergence_.resize(count);
    const double dt = context.dt;
    const Real inertia = static_cast<Real>(spacing_ * spacing_ / dt), stiff = static_cast<Real>(settings_.resistance);
    const Real most = static_cast<Real>(0.01 / dt);
    // Pressure is remembered, so that resistance over dt is a modulus of compression: fluid must not sink into itself.
    const Real firm = static_cast<Real>(100 * weight_ * dt);
    context.parallel.for_each(count, [&](std::size_t i) {
        const Fluid& of = materials_[columns.material[i]];
        resistance_[i] =
            std::max(stiff * (viscosity_[i] + modulus_[i] * strain_time_[i] + of.rest_density * inertia), firm);
        // Pressure remembers the correction. A correction faster than the damping of the fluid's slowest swing would
        // drive that swing.
        const Real damped = Real(0.3) * resistance_[i] / of.rest_density * static_cast<Real>(slowest_ * slowest_);
        const Real rate = std::min({static_cast<Real>(settings_.density_rate), static_cast<Real>(0.2 / dt), damped});
        divergence_[i] = std::clamp(rate * compression(i, columns.volume_ratio[i]), -most, most);
    });
    const typename CoupledFlow<S>::Fluid fluid{
        .position = columns.position,
        .mass = columns.mass,
        .volume = columns.volume,
        .viscosity = viscosity_,
        .resistance = resistance_,
        .divergence = divergence_,
        .acceleration = acceleration_,
        .stress = stressed_ ? std::span<const SymMat<Real>>(stress_) : std::span<const SymMat<Real>>(),
        .modulus = elastic_ && !paper() ? std::span<const Real>(modulus_) : std::span<const Real>(),
        .conformation = columns.conformation,
        .strain_time = strain_time_,
        .smooth = elastic_ && !paper() && settings_.smooth_viscosity > 0 ? std::span<const Real>(smooth_)
                                                                         : std::span<const Real>(),
        .held = context.driven};
    const SolverReport report =
        flow_.apply(geometry_, fluid, dt, context.parallel, columns.velocity, columns.pressure, context.bodies);
    context.report.iterations = report.iterations;
    gradient_ = flow_.gradient();
    context.parallel.for_each(count, [&](std::size_t i) {
        if (geometry_.fell_back()[i]) columns.pressure[i] = 0;
    });
}

/// Eqs. 10 to 13: viscosity, then incompressibility.
template <class S>
void Mukai2021<S>::project(StepContext<S>& context, Columns<S>& columns) {
    const auto scope = context.timer.stage("flow");
    const std::size_t count = columns.position.size();
    std::vector<Real> rest_density(count);
    context.parallel.for_each(count, [&](std::size_t i) {
        rest_density[i] = materials_[columns.material[i]].rest_density;
        if (modulus_[i] == 0) return;
        stress_[i] = modulus_[i] * (columns.conformation[i] - SymMat<Real>::identity());
        viscosity_[i] += modulus_[i] * strain_time_[i] - smooth_[i];  // what the step adds to it, about
    });
    typename MpsProjection<S>::Viscosity dashpots;
    if (settings_.viscous_operator() == Settings::Viscosity::dashpot) {
        dashpots = [&](std::span<Row> velocity) {
            const std::vector<Real> none(count);
            std::vector<Real> no_pressure(count);
            const std::vector<Row> no_acceleration(count);
            const typename CoupledFlow<S>::Fluid fluid{.position = columns.position,
                                                       .mass = columns.mass,
                                                       .volume = columns.volume,
                                                       .viscosity = viscosity_,
                                                       .resistance = none,
                                                       .divergence = none,
                                                       .acceleration = no_acceleration,
                                                       .stress = {},
                                                       .modulus = {},
                                                       .conformation = {},
                                                       .strain_time = {},
                                                       .smooth = {}};
            return flow_.apply(geometry_, fluid, context.dt, context.parallel, velocity, no_pressure, context.bodies);
        };
    }
    const auto report =
        projection_->apply({columns.position, columns.mass, rest_density, viscosity_, acceleration_, stress_},
                           *boundary_, context.dt, context.parallel, columns.velocity, columns.pressure, context.bodies,
                           dashpots);
    context.report.iterations = report.viscosity.iterations + report.pressure.iterations;
    gradient_ = projection_->velocity_gradient();
}

/// The share by which there is too much fluid in a particle's place. Near the surface, densities are known to a few
/// percent only: smaller errors are taken from what the flow has done to the volume since the density was last known.
/// In threads too thin to have a known density, a lack of fluid counts for 5 % at most. Where a particle has too few
/// neighbors nothing is corrected, because corrections pushed particles out of edges.
template <class S>
auto Mukai2021<S>::compression(std::size_t i, Real& volume_ratio) const -> Real {
    const Real excess = geometry_.smooth_density()[i] - 1, unknown = Real(0.03);
    if (geometry_.fell_back()[i] || std::abs(excess) > unknown) volume_ratio = 1;
    if (geometry_.fell_back()[i]) return 0;
    if (geometry_.surrounded()[i]) return excess;
    if (std::abs(excess) > unknown) return excess > 0 ? excess - unknown : std::max(excess + unknown, Real(-0.05));
    return std::clamp(1 - volume_ratio, -unknown, unknown);
}

/// Eqs. 5 to 8.
template <class S>
void Mukai2021<S>::deform(StepContext<S>& context, Columns<S>& columns) {
    const Real dt = static_cast<Real>(context.dt);
    const auto one = Mat3<Real>::identity();
    context.parallel.for_each(columns.position.size(), [&](std::size_t i) {
        const Mat3<Real>& g = gradient_[i];
        columns.volume_ratio[i] *= std::clamp(1 + dt * g.trace(), Real(0.5), Real(2));
        SymMat<Real>& c = columns.conformation[i];
        if (paper()) {
            // Distortion with the rate of Jaumann: it turns with the fluid.
            SymMat<Real> d = symmetric_part(g);
            const Real mean = g.trace() / S::dim;
            d.xx -= mean, d.yy -= mean;
            if (S::dim == 3) d.zz -= mean;
            const Mat3<Real> w = Real(0.5) * (g - g.transposed()), e = Mat3<Real>::from(c);
            c = c + dt * (d + symmetric_part(w * e - e * w));
        } else if (modulus_[i] > 0) {
            const Mat3<Real> f = one + strain_time_[i] * g;
            c = symmetric_part(f * Mat3<Real>::from(c) * f.transposed());
        }
    });
}

/// Velocities stay with the particles that spread: momentum and kinetic energy stay what they are. Were v + g shift
/// taken for them, a layer that spreads away from a wall and flows back would gain momentum with every step, and the
/// gradients of a splash, some of which are extrapolations, would make energy
/// (docs/decisions/spreading-keeps-momentum.md).
template <class S>
void Mukai2021<S>::advance(StepContext<S>& context, Columns<S>& columns) {
    const Real dt = static_cast<Real>(context.dt);
    const Real least = static_cast<Real>(settings_.shift_rate),
               per_strain = static_cast<Real>(settings_.shift_per_strain);
    const bool printed = settings_.printed();
    context.parallel.for_each(columns.position.size(), [&](std::size_t i) {
        const SymMat<Real> d = symmetric_part(gradient_[i]);
        const Real l0 = geometry_.sizes()[i] * static_cast<Real>(spacing_);
        const bool stays = printed || (!paper() && materials_[columns.material[i]].solid());
        const Real share =
            stays ? 0 : std::min(dt * std::max(least, per_strain * std::sqrt(2 * double_dot(d, d))), Real(0.5));
        Vec shift = (-share * l0) * geometry_.crowding()[i];
        if (geometry_.surface()[i]) {
            const Vec n = geometry_.normal()[i];
            shift -= dot(shift, n) * n;
        }
        const Real far = length(shift), most = Real(0.2) * l0;
        if (far > most) shift = (most / far) * shift;
        columns.position[i] = columns.position[i].xyz() + dt * columns.velocity[i].xyz() + shift;
    });
}

/// A safeguard: pressure keeps fluid out of solids, but not single particles that are fast.
template <class S>
void Mukai2021<S>::keep_out_of_solids(StepContext<S>& context, Columns<S>& columns) {
    const auto near = context.particles.template get<std::uint8_t>("near_solid");
    std::fill(near.begin(), near.end(), std::uint8_t{0});
    if (context.bodies.empty()) return;
    const auto scope = context.timer.stage("solids");
    const std::size_t count = columns.position.size();
    const Real dt = static_cast<Real>(context.dt);
    walls_.update(columns.position, context.bodies, static_cast<double>(collision_.reach), context.parallel);
    not_pressed_.assign(count, 0);
    by_contact_.assign(count, Row{});
    const auto kept = collision_.meet(walls_, columns.mass, not_pressed_, dt, context.parallel, columns.position,
                                      columns.velocity, context.bodies);
    collision_.stop(walls_, columns.mass, dt, context.parallel, columns.position, columns.velocity, by_contact_,
                    context.bodies);
    Collision<S>::part(kept, context.bodies);
    walls_.for_each(context.parallel, [&](std::size_t i, std::span<const Wall>) { near[i] = 1; });
}

template <class S>
void Mukai2021<S>::refine(StepContext<S>& context) {
    refinement_.apply(context.neighbors, gradient_, geometry_.sizes(), context.period, context.particles,
                      context.connections, context.anchors);
}

template <class S>
StepReport Mukai2021<S>::start(StepContext<S>& context) {
    Columns<S> columns(context.particles);
    find_geometry(context, columns);
    context.rupture = thread_.join(columns.position, context.neighbors, context.bodies);
    return context.report;
}

template class Mukai2021<Space2d>;
template class Mukai2021<Space3d>;

}  // namespace treacle::mukai2021
