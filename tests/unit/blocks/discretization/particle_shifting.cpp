#include "blocks/discretization/particle_shifting.h"

#include "support/mps_fluid.h"

namespace treacle {
namespace {

using namespace test;

template <class S>
class ParticleShiftingTest : public testing::Test {};
TYPED_TEST_SUITE(ParticleShiftingTest, DoubleSpaces);

/// A block of fluid, one particle of which was moved.
template <class S>
struct Shifted {
    explicit Shifted(Vec3d place, Vec3d moved) {
        fluid.add_block(9, 9, 9);
        fluid.dt = 0.001;
        one = fluid.nearest(place);
        fluid.position[one] = fluid.position[one].xyz() + l0 * moved;
        gradient.resize(fluid.size());
    }
    /// How far the particle goes, in spacings.
    Vec3d advance() {
        const MpsGeometry<S> geometry = fluid.measured();
        const Vec3d before = fluid.position[one].xyz();
        shifting.advance(fluid.view(), fluid.context(), geometry, gradient);
        return (1 / l0) * (fluid.position[one].xyz() - before);
    }

    MpsFluid<S> fluid;
    std::size_t one = 0;
    std::vector<Mat3<double>> gradient;
    ParticleShifting<S> shifting{.rate = 50, .per_strain = 20, .fixed = {0}};
};

template <class S>
Vec3d inside() {
    return {4.5, 4.5, S::dim == 3 ? 4.5 : 0};
}

TYPED_TEST(ParticleShiftingTest, ParticlesMoveToWhereThereIsRoom) {
    Shifted<TypeParam> still(inside<TypeParam>(), {}), off(inside<TypeParam>(), {0.3, 0, 0});
    EXPECT_LT(length(still.advance()), 1e-12);
    const Vec3d back = off.advance();
    EXPECT_LT(back.x, -1e-3);
    EXPECT_GT(back.x, -0.2);
    EXPECT_LT(std::abs(back.y), 1e-12);
}

TYPED_TEST(ParticleShiftingTest, StrainMakesThemMoveFaster) {
    Shifted<TypeParam> slow(inside<TypeParam>(), {0.3, 0, 0}), fast(inside<TypeParam>(), {0.3, 0, 0});
    fast.gradient.assign(fast.fluid.size(), {{0, 10, 0}, {0, 0, 0}, {0, 0, 0}});  // √(2 D:D) = 10, times 20: 4 times 50
    EXPECT_NEAR(fast.advance().x, 4 * slow.advance().x, 1e-9);
}

TYPED_TEST(ParticleShiftingTest, ShiftsAreShort) {
    Shifted<TypeParam> run(inside<TypeParam>(), {0.8, 0, 0});
    run.shifting.rate = 1e6;
    EXPECT_NEAR(length(run.advance()), 0.2, 1e-9);
}

TYPED_TEST(ParticleShiftingTest, FixedMaterialsMoveWithTheFlowAlone) {
    Shifted<TypeParam> run(inside<TypeParam>(), {0.3, 0, 0});
    run.shifting.fixed = {1};
    for (auto& v : run.fluid.velocity) v = Vec3d{2, 1, 0};
    const Vec3d way = run.advance();
    EXPECT_NEAR(way.x, 0.2, 1e-12);
    EXPECT_NEAR(way.y, 0.1, 1e-12);
}

/// A particle that has come out of the surface stays there: it is the density that draws it back.
TYPED_TEST(ParticleShiftingTest, AtTheSurfaceShiftsAreAlongIt) {
    Shifted<TypeParam> run({4.5, 8.5, TypeParam::dim == 3 ? 4.5 : 0}, {0.3, 0, 0});
    const Vec3d normal = run.fluid.measured().normal()[run.one];
    ASSERT_GT(normal.y, 0.9);
    const Vec3d way = run.advance();
    EXPECT_LT(way.x, -1e-3);
    EXPECT_LT(std::abs(dot(way, normal)), 1e-12);
}

TYPED_TEST(ParticleShiftingTest, VelocitiesStay) {
    Shifted<TypeParam> run(inside<TypeParam>(), {0.3, 0, 0});
    for (auto& v : run.fluid.velocity) v = Vec3d{2, 1, 0};
    const Vec3d before = run.fluid.momentum();
    run.advance();
    EXPECT_EQ(length(run.fluid.momentum() - before), 0);
}

}  // namespace
}  // namespace treacle
