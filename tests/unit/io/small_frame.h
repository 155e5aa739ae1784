#pragma once

#include "state/state.h"

namespace treacle {

/// Two particles, stored in the order 1, 0 of their ids, with a column of every kind.
template <class Real>
Particles two_particles() {
    Particles particles(detail::ColumnTraits<Real>::type);
    particles.add<Real>("pressure", "Pa", true);
    particles.add<Row4<Real>>("direction", "", true);
    particles.add<SymMat<Real>>("stress", "Pa", true);
    particles.add<std::uint32_t>("count", "1", true);
    particles.add<Real>("hidden", "1", false);
    particles.resize(2);
    for (std::uint32_t i = 0; i < 2; ++i) {
        const std::uint32_t id = 1 - i;
        const Real base = static_cast<Real>(100 * id);
        particles.get<Row4<Real>>("position")[i] = Vec3<Real>{base + 1, base + 2, base + 3};
        particles.get<Row4<Real>>("velocity")[i] = Vec3<Real>{base + 4, base + 5, base + 6};
        particles.get<Real>("mass")[i] = 1;
        particles.get<Real>("density")[i] = 1000 + base;
        particles.get<std::uint32_t>("id")[i] = 4000000000u + id;
        particles.get<std::uint8_t>("material")[i] = static_cast<std::uint8_t>(200 + id);
        particles.get<Real>("pressure")[i] = base + 7;
        particles.get<Row4<Real>>("direction")[i] = Vec3<Real>{base + 8, base + 9, base + 10};
        particles.get<SymMat<Real>>("stress")[i] = {base + 11, base + 12, base + 13, base + 14, base + 15, base + 16};
        particles.get<std::uint32_t>("count")[i] = id + 17;
    }
    return particles;
}

inline Frame frame_of(const Particles& particles, const Bodies& bodies, int number = 3) {
    return {number, 0.0625 * (number - 1), 3, particles, bodies, particles.id_order()};
}

}  // namespace treacle
