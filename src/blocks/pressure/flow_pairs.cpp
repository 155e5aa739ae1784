#include "blocks/pressure/flow_pairs.h"

#include <cassert>

#include "blocks/viscous/viscous_pair.h"
#include "core/promises.h"

namespace treacle {

template <class S>
void FlowPairs<S>::update(const FluidView<S>& fluid, const BlockContext<S>& context, const MpsGeometry<S>& geometry,
                          std::span<const Real> viscosity, std::span<const Real> smooth, const Grip& grip,
                          bool share_of_missing) {
    assert(promises::sized(geometry.size(), fluid.position, fluid.volume, viscosity));
    assert(promises::sized_or_empty(geometry.size(), smooth, grip.pressed, grip.modulus));
    assert(promises::finite(fluid.position) && promises::positive(fluid.volume) && context.dt > 0);
    const double d = S::dim;
    scale_ = static_cast<Real>(context.dt * 2 * d * (d + 2) / geometry.dashpot().square_sum());
    steep_ = geometry.gradient_scale();
    walls_ = &geometry.walls();
    correction_ = geometry.correction();
    position_ = fluid.position;
    period_ = geometry.period();
    drag_.resize(fluid.size()), share_.resize(smooth.empty() ? 0 : fluid.size());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const Real part = smooth.empty() ? Real(0) : smooth[i];
        drag_[i] = scale_ * fluid.volume[i] * (viscosity[i] - part);
        if (!share_.empty()) share_[i] = part > 0 ? part / viscosity[i] : Real(0);
    });
    lay_dashpots(fluid, geometry, viscosity, share_of_missing, context.parallel);
    lay_gradients(geometry, context.parallel);
    first_layer_ = static_cast<Real>(geometry.spacing());
    add_walls(fluid, context, grip);
}

template <class S>
void FlowPairs<S>::lay_dashpots(const FluidView<S>& fluid, const MpsGeometry<S>& geometry,
                                std::span<const Real> viscosity, bool share_of_missing, const Parallel& parallel) {
    const Real least = static_cast<Real>(0.1 * geometry.spacing());
    const auto density = geometry.dashpot_density();
    const DashpotWeight<S>& strength = geometry.dashpot();
    dashpots_.update(geometry.dashpot_rows(), parallel,
                     [&]<class P>(simd::Use<P>, std::size_t i, const std::uint32_t* j, int) TREACLE_SIMD_INLINE_LAMBDA {
                         const Vec3<P> r = nearest_image(offsets<P>(fluid.position, i, j), geometry.period());
                         const PairSize<P> size = geometry.sizes().template pair<P>(i, j);
                         const P distance = max(sqrt(dot(r, r)), P(least) / size.shrink);
                         const P mean = ViscousPair<S>::mean(P(viscosity[i]), simd::load_lanes<P>(viscosity.data(), j));
                         const P volume =
                             P(Real(0.5)) * (P(fluid.volume[i]) + simd::load_lanes<P>(fluid.volume.data(), j));
                         P weight = (P(scale_) * volume) * (mean * strength(distance * size.shrink));
                         weight = weight * (size.mutual * (size.shrink * size.shrink));
                         if (share_of_missing) {
                             const P more = P(2) / (P(density[i]) + simd::load_lanes<P>(density.data(), j));
                             weight = weight * min(max(more, P(Real(0.7))), P(Real(3)));
                         }
                         return (sqrt(weight) / distance) * r;
                     });
}

template <class S>
void FlowPairs<S>::lay_gradients(const MpsGeometry<S>& geometry, const Parallel& parallel) {
    const auto& pairs = geometry.gradient_pairs();
    self_.resize(pairs.size());
    away_.update(pairs, parallel,
                 [&]<class P>(simd::Use<P>, std::size_t i, const auto& eight) TREACLE_SIMD_INLINE_LAMBDA {
                     const SymMat<Real>& b = correction_[i];
                     return SymMat<P>{b.xx, b.xy, b.xz, b.yy, b.yz, b.zz} * eight.template vectors<P>();
                 });
    back_.update(pairs, parallel,
                 [&]<class P>(simd::Use<P>, std::size_t i, const auto& eight) TREACLE_SIMD_INLINE_LAMBDA {
                     const PairSize<P> size = geometry.sizes().template pair<P>(i, eight.j);
                     return size.other * (load_tensors<P>(correction_, eight.j) * eight.template vectors<P>());
                 });
    simd::for_each<Real>(parallel, Rows::of(pairs.size()),
                         [&]<class P>(simd::Use<P>, std::size_t i) TREACLE_SIMD_INLINE_LAMBDA {
                             Vec3<P> sum{};
                             for (const auto& eight : away_.row(i)) sum += eight.template vectors<P>();
                             self_[i] = sum_of_lanes(sum);
                         });
}

/// R: a drag that gives Coulomb's force at the slip of the start of the step.
template <class S>
auto FlowPairs<S>::rub(const FluidView<S>& fluid, const BlockContext<S>& context, const Grip& grip, std::size_t i,
                       const Contact& wall) const -> SymMat<Real> {
    if (!(wall.friction > 0) || grip.pressed.empty() || !(grip.pressed[i] > 0) || !(wall.distance < first_layer_))
        return {};
    const Vec3d x = cast<double>(fluid.position[i].xyz());
    const Vec slip = fluid.velocity[i].xyz() - cast<Real>(context.bodies[wall.body].velocity_at(x));
    const Real most = fluid.mass[i] * wall.friction * grip.pressed[i] * static_cast<Real>(context.dt);
    SymMat<Real> hold = drag_[i] * wall.rub;
    if (!grip.modulus.empty() && grip.modulus[i] > 0) {
        // What is held creeps by a ten thousandth of the speed that friction takes in a step.
        hold = Real(1e4) * fluid.mass[i] * SymMat<Real>::identity();
        hold.add_square(Real(-1e4) * fluid.mass[i], wall.normal);
    }
    const Real force = length(hold * slip);
    return force > most ? (most / force) * hold : hold;
}

template <class S>
void FlowPairs<S>::add_walls(const FluidView<S>& fluid, const BlockContext<S>& context, const Grip& grip) {
    const std::size_t count = fluid.size();
    wall_drag_.resize(count), wall_push_.resize(count), wall_gradient_.resize(count), grip_.resize(count),
        whole_.resize(count);
    const auto drag_of = [&](std::size_t i, const Contact& wall) {
        return drag_[i] * wall.drag + rub(fluid, context, grip, i, wall);
    };
    walls_->make(context.parallel, drag_of, drags_);
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        SymMat<Real> drags{};
        Vec grips{}, slipping{};
        for (const auto& wall : walls_->row(i)) {
            const Vec pull = by(i, wall);
            drags = drags + drag_by(i, wall);
            if (wall.slips) slipping += dot(pull, wall.normal) * wall.normal;
            else grips += pull;
        }
        wall_drag_[i] = drags;
        grip_[i] = grips;
        self_[i] = self_[i].xyz() + grips;
        whole_[i] = self_[i].xyz() + slipping;
    });
    move_walls(fluid, context);
}

template <class S>
void FlowPairs<S>::move_walls(const FluidView<S>& fluid, const BlockContext<S>& context) {
    assert(promises::sized(walls_->size(), fluid.position, wall_push_, wall_gradient_));
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        Vec push{};
        Mat3<Real> gradient{};
        const Vec3d x = cast<double>(fluid.position[i].xyz());
        for (const auto& wall : walls_->row(i)) {
            const Body& body = context.bodies[wall.body];
            const Vec v = cast<Real>(body.velocity_at(x));
            push += drag_by(i, wall) * v;
            gradient = gradient + gradient_by(i, wall, v, cast<Real>(body.angular_velocity));
        }
        wall_push_[i] = push;
        wall_gradient_[i] = gradient;
    });
}

template class FlowPairs<Space2d>;
template class FlowPairs<Space3d>;

}  // namespace treacle
