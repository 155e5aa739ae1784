#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "blocks/solids/boundary_particles.h"
#include "core/parallel.h"
#include "math/space.h"
#include "state/bodies.h"

namespace treacle {

/// One body as a fluid particle sees it, all its samples together: pressure needs no more, so that solids cost
/// nothing per sample while a solver iterates. With r_k the place of a sample relative to the body's center of mass,
///   push_i = Σ_k V_k ∇W_ik,   turn_i = Σ_k r_k × V_k ∇W_ik
///   Σ_k V_k d_k·∇W_ik = d·push_i + θ·turn_i      for a body that moves by (d, θ)
template <class S>
class BodyContacts {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    struct Contact {
        std::uint32_t particle;
        std::uint32_t body;
        Vec push;
        Vec turn;
    };

    /// Linear and angular, of a body about its center of mass.
    struct Motion {
        Vec3d linear{};
        Vec3d angular{};
        Motion& operator+=(const Motion& other) {
            linear += other.linear;
            angular += other.angular;
            return *this;
        }
    };

    /// With the slope of this kernel, and samples this many times their volume.
    template <class Kernel>
    void update(const BoundaryParticles<S>& boundary, const Kernel& kernel, Real volume_scale, const Bodies& bodies,
                std::span<const Row> position, const Parallel& parallel);

    /// visit(Contact), in the order of the particles; on all threads, a particle's contacts by one of them.
    template <class Visit>
    void for_each(const Parallel& parallel, const Visit& visit) const {
        parallel.for_blocks(blocks_.size(), 1, [&](std::size_t first, std::size_t last, std::size_t) {
            for (std::size_t block = first; block < last; ++block) {
                for (const Contact& contact : blocks_[block]) visit(contact);
            }
        });
    }

    /// Per body the sum of term(Contact), by blocks of particles.
    template <class Sum, class Term>
    std::vector<Sum> sums(const Parallel& parallel, const Term& term) const {
        std::vector<std::vector<Sum>> by_block(blocks_.size());
        parallel.for_blocks(blocks_.size(), 1, [&](std::size_t first, std::size_t last, std::size_t) {
            for (std::size_t block = first; block < last; ++block) {
                if (blocks_[block].empty()) continue;
                by_block[block].resize(bodies_);
                for (const Contact& contact : blocks_[block]) by_block[block][contact.body] += term(contact);
            }
        });
        std::vector<Sum> total(bodies_);
        for (const auto& some : by_block) {
            for (std::size_t b = 0; b < some.size(); ++b) total[b] += some[b];
        }
        return total;
    }

    /// Per body Σ_i V_i P_i (push_i, turn_i).
    std::vector<Motion> impulses(std::span<const Real> p, std::span<const Real> volume, const Parallel& parallel) const;

    /// The reaction of bodies to pressures P/dt², as force and torque.
    void press(std::span<const Real> p, std::span<const Real> volume, double dt, const Parallel& parallel,
               Bodies& bodies) const;

    /// Velocities of bodies at the end of the step, by gravity and by the forces on them so far.
    static std::vector<Motion> motions_to_come(const Bodies& bodies, Vec3d gravity, double dt);

    /// add(Contact, sum) with what the forces of all particles on the contact's body, were their pressures alike, would
    /// make it yield: all particles that touch a body are coupled through it, and the sum bounds what an iteration of
    /// Jacobi has to divide by. For bodies that forces move.
    template <class Add>
    void for_each_coupling(std::span<const Real> volume, const Bodies& bodies, const Parallel& parallel,
                           const Add& add) const;

    /// Adds Σ motion·(push, turn) over its contacts to every particle's `yielding`.
    void add_yielding(std::span<const Motion> motions, const Parallel& parallel, std::span<Real> yielding) const;

    bool any_dynamic() const { return any_dynamic_; }  ///< whether one of the bodies can be moved by forces

private:
    /// Whether all contacts are those of that many particles.
    bool of_particles(std::size_t count) const {
        for (const auto& block : blocks_) {
            for (const Contact& contact : block)
                if (contact.particle >= count) return false;
        }
        return true;
    }

    std::vector<std::vector<Contact>> blocks_;  ///< of Parallel::block_size particles
    std::size_t bodies_ = 0;
    bool any_dynamic_ = false;
};

template <class S>
template <class Add>
void BodyContacts<S>::for_each_coupling(std::span<const Real> volume, const Bodies& bodies, const Parallel& parallel,
                                        const Add& add) const {
    if (!any_dynamic_) return;
    struct Sizes {
        double push = 0, turn = 0;
        Sizes& operator+=(const Sizes& other) {
            push += other.push, turn += other.turn;
            return *this;
        }
    };
    const auto sizes = sums<Sizes>(parallel, [&](const Contact& c) -> Sizes {
        return {static_cast<double>(volume[c.particle] * length(c.push)),
                static_cast<double>(volume[c.particle] * length(c.turn))};
    });
    for_each(parallel, [&](const Contact& c) {
        const Body& body = bodies[c.body];
        if (!body.dynamic()) return;
        const double lightest =
            1 / (S::dim == 2 ? body.inertia.z : std::min({body.inertia.x, body.inertia.y, body.inertia.z}));
        add(c, static_cast<double>(length(c.push)) * sizes[c.body].push / body.mass +
                   static_cast<double>(length(c.turn)) * sizes[c.body].turn * lightest);
    });
}

}  // namespace treacle
