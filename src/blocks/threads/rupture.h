#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/discretization/particle_sizes.h"
#include "blocks/fluid_view.h"
#include "math/space.h"
#include "neighbors/neighbors.h"
#include "state/bodies.h"
#include "state/particles.h"
#include "state/rupture.h"

namespace treacle {

/// Which solid a particle hangs on, directly or through others. Bits, so that both together is both.
namespace hangs_on {
inline constexpr std::uint8_t none = 0, lower = 1, upper = 2, both = 3;
}

/// The parts of a fluid that is pulled apart.
struct ThreadParts {
    std::vector<std::uint8_t> part;  ///< hangs_on, by particle
    bool whole = false;              ///< a chain of particles leads from one solid to the other
    std::size_t strays = 0;          ///< particles that hang on neither solid
    double lower_face = 0;           ///< m along the axis, where the lower solid ends
    double upper_face = 0;           ///< and the upper one begins; for fluid that joins none the ends of the fluid
    double lower_tip = 0;            ///< m along the axis, the highest particle that hangs on the lower solid
    double upper_tip = 0;            ///< the lowest one that hangs on the upper; equal to the faces if there is none
};

/// The slice of a thread that has the least fluid.
struct Waist {
    double place = 0;           ///< m along the axis, its middle
    double density = 0;         ///< mean number density there as a share of the one in the bulk
    double counted_area = 0;    ///< m² (2D: m), volume of the particles at rest over the slice's height
    double geometric_area = 0;  ///< m² (2D: m), of the ellipse (2D: stretch) over which they are spread
    double radius = 0;          ///< m, of a circle with the counted area (2D: half of it)
};

/// A fluid between two solids that move apart along an axis: Mukai et al. 2021, section 5 and Fig. 1b.
///
/// Sides: the outermost three columns of particles of every lateral face are the sides S1 to S4 (2D: S1 and S3), and
/// the fluid is ruptured where particles of opposite sides (S1 and S3, S2 and S4) come within reach of each other.
/// Departure: this holds as well for a thread that is thin but whole. So `parts` looks for chains of particles, closer
/// to each other than `link`, that still join the two solids. Rupture keeps the first time of both.
///
/// The waist (equation 9 asks for the number density of "the narrowest part"): slices 1.5 spacings high between the
/// two solids, without the two next to each; strays do not count. A particle is spread over two spacings up and down,
/// with falling weight, so that all slices of a lattice have the same area, also while it is stretched. Counted by
/// whole layers they would differ by a tenth and more. The geometric area comes from the second moments of the
/// particles' places and does not depend on their number, so its ratio to the counted one shows whether a thread is
/// thin or only thinly populated. A square comes out 5 % too large (π/3), a circle exactly.
///
/// Where space repeats itself across the axis, distances are those of the nearest images; a slice must be narrower than
/// half the period. Along the axis the two solids must stand within one period.
///
/// Same bits for any number of threads.
template <class S>
struct PulledThread {
    using Real = typename S::Real;
    using Row = typename S::Row;

    int axis = 1;                        ///< along which the solids move apart
    double spacing = 0;                  ///< m
    double link = 0;                     ///< m, closer particles hang together
    double touch = 0;                    ///< m, particles closer to a solid hang on it
    std::vector<double> rest_density{};  ///< kg/m³, by material
    Vec3d period{};                      ///< m; see neighbors/nearest_image.h

    /// Tags the sides of every fluid that is at least three sides wide; narrower ones have none.
    void tag_sides(const FluidView<S>& fluid, std::span<std::uint8_t> side) const;

    /// Which two solids the fluid joins: of those that it touches the one touched lowest and the one touched highest,
    /// if a chain of particles leads from one to the other.
    Rupture join(const FluidView<S>& fluid, const BlockContext<S>& context) const;

    /// Both tests. The first time that one is true is kept in `rupture`: the end of that step. Rows must reach `link`.
    ThreadParts detect_rupture(const FluidView<S>& fluid, const BlockContext<S>& context,
                               std::span<const std::uint8_t> side, const ParticleSizes<S>& sizes,
                               Rupture& rupture) const;

    /// Whether particles of opposite sides are within reach of each other.
    bool sides_meet(const FluidView<S>& fluid, const BlockContext<S>& context,
                    std::span<const std::uint8_t> side) const;

    /// Particles hang together within `link` times the mean of their sizes. Frames ask for it too, without a step.
    ThreadParts parts(std::span<const Row> position, const Neighbors<S>& neighbors, const Bodies& bodies,
                      const Rupture& rupture, const ParticleSizes<S>& sizes = {}) const;

    /// `number_density` as a share of the bulk's, by particle. All but the place is zero between parts that are apart.
    Waist waist(const Particles& particles, const Parallel& parallel, std::span<const Real> number_density,
                const ThreadParts& parts, const ParticleSizes<S>& sizes = {}) const;
};

/// The axis along which gravity acts most; y without gravity.
int pull_axis(Vec3d gravity);

}  // namespace treacle
