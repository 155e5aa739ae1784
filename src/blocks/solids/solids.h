#pragma once

#include <cassert>
#include <cstddef>
#include <memory>
#include <optional>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/solids/boundary_particles.h"
#include "blocks/solids/rigid_bodies.h"
#include "blocks/solids/solid_geometry.h"
#include "blocks/solids/wall_contact.h"
#include "math/space.h"
#include "state/bodies.h"

namespace treacle {

/// The solids of a simulation and everything known about them. The simulation owns it and hands it to its method.
///   bodies    who they are, where they stand, how they move and what pushes them; they are part of the state
///   fields    distances to meshes, and samples, kept in a SolidGeometry that others may share
///   samples   particles that stand for solids in the sums of the fluid
///   contact   stops particles at walls, and knows how strongly walls press
///   Bullet    moves the bodies that forces move
template <class S>
class Solids {
public:
    /// The wishes of a method.
    struct Settings {
        typename BoundaryParticles<S>::Settings samples{};  ///< spacing 0: it has none
        typename WallContact<S>::Settings contact{};
        typename WallLoad<S>::Settings load{};
    };

    explicit Solids(std::shared_ptr<SolidGeometry> geometry)
        : geometry_(geometry ? std::move(geometry) : std::make_shared<SolidGeometry>()) {}

    WallContact<S> contact;

    /// Takes the bodies as they are drawn. Fields of meshes reach as far as the method looks.
    void set_bodies(Bodies& bodies, double spacing, double reach) {
        for (Body& body : bodies) {
            if (auto* mesh = std::get_if<Mesh>(&body.shape.form))
                mesh->field = geometry_->field(body.shape, body.invert, spacing, reach);
        }
        rigid_bodies_.emplace(bodies, S::dim);
        samples_.reset();
    }

    /// Samples are laid anew if their settings differ.
    void set(const Settings& settings) {
        if (!(settings.samples == sampling_)) samples_.reset();
        sampling_ = settings.samples;
        contact.settings = settings.contact;
        contact.load.settings = settings.load;
    }

    /// Brings samples to where bodies and fluid are. From here on the blocks of this step see them.
    void update_samples(const FluidView<S>& fluid, BlockContext<S>& context) {
        assert(sampling_.spacing > 0 && sampling_.support_radius > 0);
        const auto stage = context.timer.stage("boundary");
        if (!samples_) samples_.emplace(context.bodies, sampling_, context.parallel, geometry_.get());
        samples_->update(fluid.position, context.bodies, context.parallel);
        context.boundary = &*samples_;
    }
    std::size_t sample_count() const { return samples_ ? samples_->size() : 0; }

    bool any_dynamic() const { return rigid_bodies_ && rigid_bodies_->any(); }

    /// Moves the bodies that forces move.
    void move_dynamic(Bodies& bodies, Vec3d gravity, double dt) { rigid_bodies_->step(bodies, gravity, dt); }

    const std::shared_ptr<SolidGeometry>& geometry() const { return geometry_; }

private:
    std::shared_ptr<SolidGeometry> geometry_;
    typename BoundaryParticles<S>::Settings sampling_{};
    std::optional<BoundaryParticles<S>> samples_;
    std::optional<RigidBodies> rigid_bodies_;
};

}  // namespace treacle
