#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/elastic/elastic_links.h"
#include "blocks/fluid_view.h"
#include "math/space.h"
#include "state/births.h"
#include "state/connection_graph.h"

namespace treacle {

/// Makes and removes connections between particles (Takahashi et al. 2014, section 3.2.3, Algorithm 1).
///
///   |x_ij| < α_ij h and not connected:   connect, with rest length r_ij = |x_ij|
///   |x_ij| > β_ij h:                     disconnect
///
/// Reads position, fluid and material, writes the connections. Both ends decide by the same numbers.
///
/// Departure: the first connections (of a fluid at the start, or of emitted particles) have a distance of their own,
///   and go between particles of the same fluid only.
/// Departure: a material may refuse connections to its own fluid later on. With them every deformation leaves a
///   permanent set, because particles that approach are held where they are; a solid then never regains its shape.
/// Departure: connections may also break by their stretch |x_ij|/r_ij, which does not depend on the resolution.
/// Departure: particles without a modulus, which may get one when they cool or cure, are connected to all within the
///   connect distance and to no others: fluid that stiffens is held together in its present shape.
template <class S>
struct ConnectionControl {
    using Real = typename S::Real;
    using Row = typename S::Row;

    struct Material {
        Real first_connect_distance = 0;  ///< m
        Real connect_distance = 0;        ///< α h, m; at most the support radius
        Real break_distance = 0;          ///< β h, m
        Real break_stretch = std::numeric_limits<Real>::infinity();
        bool connects_within = true;   ///< particles of the same fluid get connected when they meet
        bool connects_between = true;  ///< and those of different fluids
    };

    std::vector<Material> materials{};
    bool newcomers_among_themselves = false;  ///< new particles are not connected to older ones

    void update(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links) const;

    /// The same when `births` have just come into being; connections of theirs have their full strength.
    void connect_births(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links,
                        const Births& births) const;

private:
    using Varying = VaryingElasticity<Real>;

    /// Largest distance at which i and j get connected; 0: never.
    Real reach(const FluidView<S>& fluid, const Varying* varying, const Births& births, std::size_t i,
               std::size_t j) const;
    bool holds(const FluidView<S>& fluid, const Varying* varying, std::size_t i, std::size_t j, Real distance,
               Real rest_length) const;
    void rewrite(const FluidView<S>& fluid, const BlockContext<S>& context, const ElasticLinks<S>& links,
                 const Births& births) const;
    std::vector<std::uint8_t> outdated_rows(const FluidView<S>& fluid, const BlockContext<S>& context,
                                            const ElasticLinks<S>& links, const Births& births) const;
};

}  // namespace treacle
