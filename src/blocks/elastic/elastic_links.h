#pragma once

#include <span>

#include "blocks/elastic/varying_elasticity.h"
#include "math/space.h"
#include "state/connection_graph.h"

namespace treacle {

/// The connections of an elastic fluid and how stiff its particles are.
template <class S>
struct ElasticLinks {
    using Real = typename S::Real;

    ConnectionGraph& connections;                      ///< between particles
    ConnectionGraph& anchors;                          ///< of particles to samples of solids
    std::span<Real> coefficient;                       ///< c of each particle, where the paper's coefficients are used
    const VaryingElasticity<Real>* varying = nullptr;  ///< null: as the materials say

    /// Every particle of `count` has its row of connections, and its elasticity where that varies.
    bool complete(std::size_t count) const {
        return connections.particle_count() == count && anchors.particle_count() == count &&
               (!varying || varying->size() == count);
    }
};

}  // namespace treacle
