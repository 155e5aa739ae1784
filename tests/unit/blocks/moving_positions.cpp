#include "blocks/moving_positions.h"

#include <gtest/gtest.h>

#include "support/particle_cloud.h"

namespace treacle {
namespace {

using S = Space3f;
using Vec = S::Vec;

/// Two particles far from the origin, where floats are 8 µm apart.
struct Far : ParticleCloud<S> {
    Far() {
        dt = 1e-3;
        add({100, 0, 0}, {1e-3, 0, 0}, 0.01);
        add({100.01, 0, 0}, {2e-3, 0, 0}, 0.01);
        moving.begin(position);
    }
    Parallel parallel{1};
    MovingPositions<S> moving;
};

TEST(MovingPositions, KeepVelocitiesThatPositionsCannotTell) {
    Far far;
    const auto before = far.position;
    far.moving.drift(far.view(), far.context(far.parallel));
    EXPECT_EQ(far.position[0].x, before[0].x);  // 1 µm is less than the last digit
    const float apart = before[1].x - before[0].x;
    EXPECT_FLOAT_EQ(far.moving.offset(0, 1).x, apart + 1e-6f);
    far.velocity.assign(2, {});
    far.moving.set_velocities(far.view(), far.context(far.parallel));
    EXPECT_FLOAT_EQ(far.velocity[0].x, 1e-3f);
    EXPECT_FLOAT_EQ(far.velocity[1].x, 2e-3f);
}

TEST(MovingPositions, AddTheMovesOfTwoPassesFromTheSamePlace) {
    Far far;
    far.moving.move(0, Vec{0, 1, 0});
    // Each takes back half of the displacement that it finds.
    const auto halve = [](MovingPositions<S>& moving) { moving.move(0, -0.5f * moving.displacement()[0].xyz()); };
    const auto check_and_halve = [&](MovingPositions<S>& moving) {
        EXPECT_EQ(moving.position()[0].y, 1);
        EXPECT_EQ(moving.start()[0].xyz(), far.moving.start()[0].xyz());
        halve(moving);
    };
    far.moving.move_by_both(far.context(far.parallel), halve, check_and_halve);
    EXPECT_EQ(far.moving.displacement()[0].y, 0);
    EXPECT_EQ(far.position[0].y, 0);
    EXPECT_TRUE(far.moving.moves(far.position));
}

}  // namespace
}  // namespace treacle
