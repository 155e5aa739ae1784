#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/discretization/particle_sizes.h"
#include "blocks/fluid_view.h"
#include "core/promises.h"
#include "math/mat3.h"
#include "math/space.h"
#include "neighbors/neighbors.h"
#include "state/connection_graph.h"
#include "state/particles.h"

namespace treacle {

/// Halves the particles of threads that are fewer than five particles thick, and joins them again where the fluid is
/// thick.
///
/// Threads are recognized by the covariance of the particles within the wide radius of i, weighted by volume, in
/// units of its own spacing squared: its largest eigenvalue λ1 is along the thread, λ2 across it. In a ball of 3.1
/// spacings
///
///                        λ1            λ2
///   inside, surface     1.9, 2.0      1.9, 2.0
///   edge                2.1           0.9
///   sheet, drop         2.3, 0.8      2.3, 0.8
///   thread, radius 2    2.6 to 2.2    0.95       on its axis, near its surface
///           radius 2.5  2.2 to 2.15   1.4 to 1.2
///           radius 3    2.1 to 1.95   1.9 to 1.4
///
/// Means over the neighbors distinguish threads from edges, which are next to thick fluid. By them, threads with a
/// radius of up to 2.4 spacings are thin (2D: half the width, up to 2; a strip of 2.5 looks like a thick surface).
///
/// A particle is halved along the thread, turned at random a little so that rows of single particles do not stay rows:
/// mass, conformation and all else but the place are those of both halves, and their velocities follow the gradient.
/// Two that are each other's nearest are joined at their center of mass: mass adds up, all else is the mean. Masses are
/// exact: halves of halves. Only those are halved whose neighbors are as small or smaller, and only those joined whose
/// neighbors are as large or larger: neighbors differ by one halving, for a step at most by two.
///
/// Conserves mass, linear momentum and the sum of conformations; angular momentum up to the square of a spacing times
/// the rate of strain.
///
/// The column "halvings" holds how often a particle was halved, "size" its spacing over that of the scene; ids of new
/// particles count on from 2³¹.
template <class S>
class ThreadRefinement {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    ThreadRefinement() = default;
    /// Nothing is halved more than `most` times.
    ThreadRefinement(int most, double spacing) : most_(most), spacing_(static_cast<Real>(spacing)) {}

    bool active() const { return most_ > 0; }

    static void add_columns(Particles& particles);

    /// Sizes of the particles, in units of the spacing; empty if all are whole.
    static std::vector<Real> sizes(const Particles& particles);

    /// Chooses particles to be halved, and others that may be joined. Rows reach the wide radius of each pair; the
    /// numbers that `sizes` refers to must stay until apply(). Particles at a wall, at_wall(i), are not halved: fluid
    /// that meets a wall is thin there, and no thread. Those that an emitter moves, driven[i], are neither halved nor
    /// joined; an empty span: there are none.
    template <class AtWall>
    void choose(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const std::uint8_t> halvings,
                const ParticleSizes<S>& sizes, std::span<const std::uint8_t> driven, const AtWall& at_wall) {
        assert(promises::sized(fluid.size(), context.neighbors, halvings));
        assert(promises::sized_or_empty(fluid.size(), sizes, driven));
        const auto stage = context.timer.stage("geometry");
        sizes_ = sizes;
        choose_by_shape(fluid, context, halvings);
        context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
            const bool is_driven = !driven.empty() && driven[i] != 0;
            if (is_driven || (plan_[i] == Plan::halve && at_wall(i))) plan_[i] = Plan::keep;
        });
    }

    /// Halves and joins the chosen particles. `gradient` is that of the velocities. Returns whether anything changed.
    bool apply(const BlockContext<S>& context, std::span<const Mat3<Real>> gradient, Particles& particles,
               ConnectionGraph& connections, ConnectionGraph& anchors) const;

private:
    enum class Plan : std::uint8_t { keep, halve, join };

    /// Covariance of the fluid around a particle.
    struct Shape {
        Real along = 0, across = 0;  ///< λ1, λ2
        Vec axis{};                  ///< of λ1
    };
    void choose_by_shape(const FluidView<S>& fluid, const BlockContext<S>& context,
                         std::span<const std::uint8_t> halvings);
    Shape shape_of(std::size_t i, std::span<const std::uint32_t> row, std::span<const Row> position, Vec period) const;
    std::vector<std::uint8_t> join_pairs(const BlockContext<S>& context, Particles& particles) const;

    int most_ = 0;
    Real spacing_ = 0;
    ParticleSizes<S> sizes_;
    std::vector<Plan> plan_;
    std::vector<Shape> shape_;
};

}  // namespace treacle
