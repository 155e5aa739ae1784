#include "bath.h"

/// Bodies in resting fluid are lifted by the weight of the displaced fluid.

namespace treacle {
namespace {

using test::Bath, test::expect_buoyancy, test::height_of, test::scene_of;

/// Without mukai2021, in which a body acts larger than drawn: 1.07 to 1.18 of the displaced weight; with a radius of 9
/// spacings close to a floor 1.117, where at most 1.114 is allowed.
class SubmergedBodies : public testing::TestWithParam<const char*> {};

TEST_P(SubmergedBodies, ADiscIsLifted) {
    for (const double radius : {4.0, 6.0}) expect_buoyancy({GetParam(), 2, radius, 1.5 * radius});
}

TEST_P(SubmergedBodies, ADiscCloseToTheFloorIsLifted) {
    for (const double radius : {4.0, 6.0}) expect_buoyancy({GetParam(), 2, radius, 2});
}

TEST_P(SubmergedBodies, TwoDiscsAreLiftedAndNotPushedTogether) { expect_buoyancy({GetParam(), 2, 4, 6, 2}); }

TEST_P(SubmergedBodies, ABallCloseToTheFloorIsLifted) { expect_buoyancy({GetParam(), 3, 3, 2, 0, 0.01, 0, 0.5}); }

INSTANTIATE_TEST_SUITE_P(Methods, SubmergedBodies,
                         testing::Values("clavet2005", "takamatsu2011", "takahashi2014", "barreiro2017"));

/// Light bodies that start two spacings above the floor. In clavet2005 the fluid's own tension holds small ones.
TEST(LightBodies, RiseFromTheFloor) {
    for (const Bath& bath : {Bath{"barreiro2017", 3, 3, 2, 0, 0.01, 400}, Bath{"barreiro2017", 2, 5, 2, 0, 0.01, 400},
                             Bath{"clavet2005", 2, 9, 2, 0, 0.01, 400}}) {
        test::RunningScene run(scene_of(bath));
        const double start = height_of(run, "body");
        ASSERT_TRUE(run.advance(25)) << run.error();
        EXPECT_GT(height_of(run, "body"), start + bath.radius * bath.spacing) << bath.method << bath.dimension;
    }
}

/// Fluid and bodies together get exactly the momentum of gravity, up to rounding.
TEST(SubmergedBodiesMomentum, StaysInEveryStep) {
    for (const bool exact : {true, false}) {
        const std::string method = exact ? "clavet2005" : "barreiro2017";
        std::string text = scene_of({method, 2, 4, 2, 2});
        if (exact) text.insert(1, R"( "precision": "double", )");
        test::RunningScene run(text);
        const auto momentum = [&] { return Vec3d{run.metric("momentum_x"), run.metric("momentum_y"), 0}; };
        double mass = 0;
        for (const double m : run.scalars("mass")) mass += m;
        ASSERT_TRUE(run.advance(3)) << run.error();
        for (int n = 0; n < 5; ++n) {
            const Vec3d before = momentum();
            double dt = 0;
            ASSERT_TRUE(run.simulation().advance_frame([&](const StepInfo& step) {
                dt = step.dt;
                return false;
            }));
            Vec3d given{};
            for (const Body& body : run.state().bodies) given += dt * body.force;
            const Vec3d weight = {0, -9.81 * mass * dt, 0};
            EXPECT_LT(length(momentum() - before + given - weight), (exact ? 1e-9 : 1e-3) * length(weight)) << method;
        }
    }
}

}  // namespace
}  // namespace treacle
