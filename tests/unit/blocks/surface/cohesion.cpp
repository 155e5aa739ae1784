#include "blocks/surface/cohesion.h"

#include <gtest/gtest.h>

#include "support/random_fluid.h"

namespace treacle {
namespace {

template <class S>
class CohesionTest : public testing::Test {};
using Spaces = testing::Types<Space2f, Space3d>;
TYPED_TEST_SUITE(CohesionTest, Spaces);

TYPED_TEST(CohesionTest, AttractsAndConservesMomentum) {
    using S = TypeParam;
    using Real = typename S::Real;
    test::RandomFluid<S> fluid(300, Real(S::dim == 2 ? 1.3 : 0.9), Real(0.3), 4);
    const Cohesion<S> block{.support_radius = Real(0.3), .strength = {Real(10)}};
    block.gather(fluid.view(), fluid.context(0.01), fluid.displacement);
    const double size = fluid.size_of(fluid.displacement);
    EXPECT_LT(length(fluid.momentum_of(fluid.displacement)), 1e-5 * size);
    double inward = 0;  // the virial of attraction is negative
    for (std::size_t i = 0; i < fluid.position.size(); ++i) {
        inward += static_cast<double>(fluid.mass[i]) *
                  dot(cast<double>(fluid.position[i].xyz()), cast<double>(fluid.displacement[i].xyz()));
    }
    EXPECT_LT(inward, 0);
}

}  // namespace
}  // namespace treacle
