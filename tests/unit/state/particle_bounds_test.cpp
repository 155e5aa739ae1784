#include "state/particle_bounds.h"

#include <gtest/gtest.h>

namespace treacle {
namespace {

TEST(ParticleBounds, enclose_all_positions_in_either_precision) {
    for (const ScalarType real : {ScalarType::f32, ScalarType::f64}) {
        Particles particles(real);
        EXPECT_EQ(length(bounds_of(particles).high), 0) << "nothing to enclose";
        particles.resize(3);
        const auto put = [&]<class Real>(Real) {
            const auto positions = particles.get<Row4<Real>>("position");
            positions[0] = Vec3<Real>{1, -2, 0.5};
            positions[1] = Vec3<Real>{-4, 8, 0.5};
            positions[2] = Vec3<Real>{2, 2, 0.5};
        };
        if (real == ScalarType::f32) put(float{});
        else put(double{});
        const Bounds bounds = bounds_of(particles);
        EXPECT_EQ(length(bounds.low - Vec3d{-4, -2, 0.5}), 0);
        EXPECT_EQ(length(bounds.high - Vec3d{2, 8, 0.5}), 0);
    }
}

}  // namespace
}  // namespace treacle
