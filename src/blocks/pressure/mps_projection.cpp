#include "blocks/pressure/mps_projection.h"

#include <algorithm>
#include <cassert>

#include "blocks/solids/body_loads.h"
#include "core/promises.h"

namespace treacle {

template <class S>
typename S::Vec MpsProjection<S>::symmetric_gradient(std::size_t i) const {
    Vec sum{};
    for (const MpsPair<S>& pair : cloud_.carriers(i))
        sum += ((pressure_[i] + pressure_[pair.j]) * operators_.slope(pair)) * pair.r;
    return static_cast<Real>(S::dim) * sum;
}

template <class S>
typename S::Vec MpsProjection<S>::repulsion(std::size_t i) const {
    const Real at_spacing = weight_(static_cast<Real>(settings_.spacing));
    Vec sum{};
    for (const MpsPair<S>& pair : cloud_.carriers(i)) {
        const Real a = pressure_[i], b = pressure_[pair.j], near = pair.weight / at_spacing;
        const Real raised =
            a > 0 && b > 0 ? Real(0.01) * (a + b) : Real(0.2) * (std::max(-a, Real(0)) + std::max(-b, Real(0)));
        sum += (raised * near * near * near * near * operators_.slope(pair)) * pair.r;
    }
    return static_cast<Real>(S::dim) * sum;
}

template <class S>
typename S::Vec MpsProjection<S>::pressure_gradient(std::size_t i) const {
    switch (settings_.reference) {
        case PressureReference::own: return operators_.gradient(i, pressure_);
        case PressureReference::symmetric: return symmetric_gradient(i);
        case PressureReference::minimum: break;
    }
    Real lowest = pressure_[i];
    for (const MpsPair<S>& pair : cloud_.carriers(i)) lowest = std::min(lowest, pressure_[pair.j]);
    return operators_.gradient(i, pressure_, lowest);
}

template <class S>
void MpsProjection<S>::press_bodies(const Fluid& fluid, const BoundaryParticles<S>& walls, const Parallel& parallel,
                                    Bodies& bodies) const {
    const std::size_t count = cloud_.fluid_count();
    push_bodies(Rows::of(count), 1, parallel, bodies, [&](std::size_t i, BodyLoads& loads) {
        for (const MpsPair<S>& pair : cloud_.carriers(i)) {
            if (cloud_.is_fluid(pair.j)) continue;
            const std::size_t k = pair.j - count;
            const Real pressures = pressure_[i] + pressure_[pair.j];
            const Real factor = static_cast<Real>(S::dim) * (fluid.mass[i] / fluid.density[i]) * operators_.slope(pair);
            const std::uint32_t b = walls.body()[k];
            loads.add(b, bodies[b], cast<double>(walls.position()[k].xyz()),
                      cast<double>((factor * pressures) * pair.r));
        }
    });
}

template <class S>
typename MpsProjection<S>::Report MpsProjection<S>::apply(const Fluid& fluid, const BoundaryParticles<S>& walls,
                                                          double dt, const Parallel& parallel, std::span<Row> velocity,
                                                          std::span<Real> pressure, Bodies& bodies,
                                                          const Viscosity& other_viscosity) {
    assert(promises::sized(fluid.position.size(), fluid.mass, fluid.density, fluid.viscosity, fluid.acceleration));
    assert(promises::sized(fluid.position.size(), velocity, pressure));
    assert(promises::sized_or_empty(fluid.position.size(), fluid.stress) && dt > 0);
    assert(promises::finite(fluid.position, velocity) && promises::positive(fluid.mass, fluid.density));
    const std::size_t count = fluid.position.size();
    const Real step = static_cast<Real>(dt);
    Report report;
    cloud_.update(fluid.position, walls, weight_, parallel);
    number_density_.update(cloud_, settings_.surface_test, parallel);
    operators_.update(cloud_, settings_.corrected_gradient, parallel);
    report.fallbacks = operators_.fallbacks();

    parallel.for_each(count, [&](std::size_t i) {
        Vec a = fluid.acceleration[i].xyz();
        if (!fluid.stress.empty()) a += operators_.stress_divergence(i, fluid.stress) / fluid.density[i];
        velocity[i] = velocity[i].xyz() + step * a;
    });
    report.viscosity = other_viscosity ? other_viscosity(velocity)
                                       : laplacian_.apply(operators_, walls, fluid.mass, fluid.viscosity, dt, parallel,
                                                          velocity, bodies);

    pressure_.assign(cloud_.size(), 0);
    std::copy(pressure.begin(), pressure.end(), pressure_.begin());
    cloud_.extend(velocity, walls, velocity_);
    report.pressure = poisson_.solve(settings_.pressure, operators_, number_density_, velocity_, fluid.density, dt,
                                     parallel, pressure_);
    if (!settings_.negative_pressure) {
        parallel.for_each(cloud_.size(), [&](std::size_t i) { pressure_[i] = std::max(pressure_[i], Real(0)); });
    }

    press_bodies(fluid, walls, parallel, bodies);
    parallel.for_each(count, [&](std::size_t i) {
        Vec gradient = pressure_gradient(i);
        if (settings_.repulsion) gradient += repulsion(i);
        velocity[i] = velocity[i].xyz() - (step / fluid.density[i]) * gradient;
    });
    std::copy_n(pressure_.begin(), count, pressure.begin());
    std::copy(velocity.begin(), velocity.end(), velocity_.begin());
    gradient_.resize(count);
    parallel.for_each(count, [&](std::size_t i) { gradient_[i] = operators_.velocity_gradient(i, velocity_); });
    return report;
}

template class MpsProjection<Space2d>;
template class MpsProjection<Space3d>;

}  // namespace treacle
