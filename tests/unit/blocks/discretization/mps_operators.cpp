#include "blocks/discretization/mps_operators.h"

#include "blocks/discretization/number_density.h"
#include "support/mps_fluid.h"

namespace treacle {
namespace {

using namespace test;

template <class S>
class MpsOperatorsTest : public testing::Test {};
TYPED_TEST_SUITE(MpsOperatorsTest, DoubleSpaces);

template <class S>
Vec3d slope_of_field() {
    return {3, -2, S::dim == 3 ? 0.7 : 0};
}

TYPED_TEST(MpsOperatorsTest, linear_fields_are_exact_on_any_arrangement) {
    using S = TypeParam;
    MpsFluid<S> fluid;
    fluid.add_block(8, 8, 8, 0.3);
    fluid.add_container(8, 10, 8);
    fluid.ready();
    MpsOperators<S> operators;
    operators.update(fluid.cloud, true, *fluid.parallel);
    EXPECT_EQ(operators.fallbacks(), 0u);
    const Vec3d slope = slope_of_field<S>();
    Mat3<double> rate{{0.5, 2, -1}, {0.3, -0.1, 4}, {1, -2, 0.6}};
    if (S::dim == 2) rate = {{0.5, 2, 0}, {0.3, -0.1, 0}, {}};
    std::vector<double> f;
    std::vector<typename S::Row> u;
    for (const auto& x : fluid.cloud.position()) {
        f.push_back(7 + dot(slope, x.xyz()));
        u.push_back(Vec3d{1, 2, 0} + rate * x.xyz());
    }
    for (std::size_t i = 0; i < fluid.position.size(); ++i) {
        ASSERT_LT(length(operators.gradient(i, f) - slope), 1e-10) << i;
        const Mat3<double> off = operators.velocity_gradient(i, u) - rate;
        ASSERT_LT(length(off.x) + length(off.y) + length(off.z), 1e-10) << i;
        ASSERT_NEAR(operators.divergence(i, u), rate.trace(), 1e-10) << i;
    }
    // Without the matrix it is not.
    MpsOperators<S> original;
    original.update(fluid.cloud, false, *fluid.parallel);
    double off = 0;
    for (std::size_t i = 0; i < fluid.position.size(); ++i)
        off = std::max(off, length(original.gradient(i, f) - slope));
    EXPECT_GT(off, 0.1);
}

TYPED_TEST(MpsOperatorsTest, on_the_lattice_the_inverse_matrix_is_the_dimension) {
    using S = TypeParam;
    MpsFluid<S> fluid;
    fluid.add_block(9, 9, 9);
    fluid.ready();
    MpsOperators<S> operators;
    operators.update(fluid.cloud, true, *fluid.parallel);
    const std::size_t middle = fluid.nearest({4.5, 4.5, S::dim == 3 ? 4.5 : 0});
    const SymMat<double> off = operators.correction(middle) - double(S::dim) * SymMat<double>::identity();
    EXPECT_LT(double_dot(off, off), 1e-24);
    std::vector<double> squares;
    for (const auto& x : fluid.position) squares.push_back(dot(x.xyz(), x.xyz()));
    EXPECT_NEAR(operators.laplacian(middle, squares), 2 * S::dim, 1e-10);
}

TYPED_TEST(MpsOperatorsTest, singular_matrices_are_replaced_and_counted) {
    using S = TypeParam;
    MpsFluid<S> fluid;
    fluid.add_block(6, 6, 6);
    // A thread of three particles far away, which spans no space, and one on its own.
    for (const double x : {20, 21, 22, 40}) fluid.add({x * l0, 0, 0}, {}, l0);
    fluid.ready();
    MpsOperators<S> operators;
    operators.update(fluid.cloud, true, *fluid.parallel);
    EXPECT_EQ(operators.fallbacks(), S::dim == 3 ? 4u + 8u : 4u);  // also the corners of a cube
    std::vector<double> f;
    for (const auto& x : fluid.position) f.push_back(x.x);
    const Vec3d along = operators.gradient(fluid.position.size() - 3, f);
    EXPECT_GT(along.x, 0);
    EXPECT_LT(along.x, 1);
    EXPECT_EQ(operators.correction(fluid.position.size() - 1).xx, S::dim);
    EXPECT_EQ(operators.gradient(fluid.position.size() - 1, f).x, 0);
}

TYPED_TEST(MpsOperatorsTest, stress_divergence_conserves_momentum_and_is_right_inside) {
    using S = TypeParam;
    MpsFluid<S> fluid;
    fluid.add_block(10, 10, 10, 0.2);
    fluid.ready();
    MpsOperators<S> operators;
    operators.update(fluid.cloud, true, *fluid.parallel);
    std::uniform_real_distribution<double> number(-1, 1);
    std::vector<SymMat<double>> stress;
    for (std::size_t i = 0; i < fluid.position.size(); ++i) {
        stress.push_back({number(fluid.random), number(fluid.random), 0, number(fluid.random), 0, 0});
    }
    Vec3d sum{};
    double size = 0;
    for (std::size_t i = 0; i < stress.size(); ++i) {
        sum += operators.stress_divergence(i, stress);
        size += length(operators.stress_divergence(i, stress));
    }
    EXPECT_LT(length(sum), 1e-12 * size);
    EXPECT_GT(size, 1);

    MpsFluid<S> lattice;
    lattice.add_block(10, 10, 10);
    lattice.ready();
    operators.update(lattice.cloud, true, *lattice.parallel);
    for (std::size_t i = 0; i < stress.size(); ++i) {
        const Vec3d x = lattice.position[i].xyz();
        stress[i] = {3 * x.x, -x.y, 0, 2 * x.x, 0, 0};  // divergence (3 - 1, 0)
    }
    const Vec3d inside = operators.stress_divergence(lattice.nearest({5, 5, S::dim == 3 ? 5.0 : 0}), stress);
    EXPECT_LT(length(inside - Vec3d{2, 0, 0}), 1e-10);
}

TYPED_TEST(MpsOperatorsTest, walls_complete_the_number_density) {
    using S = TypeParam;
    MpsFluid<S> fluid;
    fluid.add_block(6, 6, 6);
    fluid.add_container(6, 12, 6);
    fluid.ready();
    NumberDensity<S> n;
    n.update(fluid.cloud, SurfaceTest::number_density, *fluid.parallel);
    for (std::size_t i = 0; i < fluid.position.size(); ++i) {
        const bool top = fluid.position[i].y > 5 * l0, second = !top && fluid.position[i].y > 4 * l0;
        EXPECT_EQ(n.at_surface(i), top);
        if (!top && !second) { EXPECT_NEAR(n.ratio()[i], 1, 1e-12); }
    }
    // The wall beside the fluid is as full as the fluid, the wall beside air is a surface.
    for (std::size_t i = fluid.position.size(); i < fluid.cloud.size(); ++i) {
        if (!fluid.cloud.carries_pressure(i)) continue;
        const Vec3d x = fluid.cloud.position()[i].xyz();
        const bool beyond_z = S::dim == 3 && (x.z < 0 || x.z > 6 * l0), beyond_x = x.x < 0 || x.x > 6 * l0;
        if (x.y < 3 * l0) {
            EXPECT_NEAR(n.ratio()[i], 1, 1e-12);
        } else if (x.y > 9 * l0 && x.y < 12 * l0 && beyond_x != beyond_z) {
            EXPECT_TRUE(n.at_surface(i));
        }
    }
}

TYPED_TEST(MpsOperatorsTest, free_surface_of_a_cube_and_of_a_thin_place_inside) {
    using S = TypeParam;
    MpsFluid<S> fluid;
    fluid.add_block(9, 9, 9);
    // A place inside that lost a particle: its neighbors have n well below n0, but have neighbors all around.
    fluid.position.erase(fluid.position.begin() +
                         static_cast<std::ptrdiff_t>(fluid.nearest({4.5, 4.5, S::dim == 3 ? 4.5 : 0})));
    fluid.ready();
    const auto inside = [&](std::size_t i) {
        const Vec3d x = fluid.position[i].xyz();
        const auto between = [](double a) { return a > l0 && a < 8 * l0; };
        return between(x.x) && between(x.y) && (S::dim == 2 || between(x.z));
    };
    NumberDensity<S> classic, one_sided;
    classic.update(fluid.cloud, SurfaceTest::number_density, *fluid.parallel);
    one_sided.update(fluid.cloud, SurfaceTest::one_sided, *fluid.parallel);
    int of_hole = 0;
    for (std::size_t i = 0; i < fluid.position.size(); ++i) {
        EXPECT_EQ(one_sided.at_surface(i), !inside(i));
        EXPECT_TRUE(inside(i) || classic.at_surface(i));
        of_hole += inside(i) && classic.at_surface(i);
    }
    EXPECT_GE(of_hole, 2 * S::dim);
}

}  // namespace
}  // namespace treacle
