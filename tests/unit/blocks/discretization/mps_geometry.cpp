#include "blocks/discretization/mps_geometry.h"

#include <algorithm>
#include <cmath>

#include "support/mps_fluid.h"

namespace treacle {
namespace {

using namespace test;

template <class S>
class MpsGeometryTest : public testing::Test {};
TYPED_TEST_SUITE(MpsGeometryTest, DoubleSpaces);

TYPED_TEST(MpsGeometryTest, finds_the_outermost_layer_as_the_surface) {
    MpsFluid<TypeParam> fluid;
    fluid.add_block(9, 9, 9, 0.1);
    const MpsGeometry<TypeParam> geometry = fluid.measured();
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        const Vec3d at = (1 / l0) * fluid.position[i].xyz();
        int depth = 100;
        for (int axis = 0; axis < TypeParam::dim; ++axis) {
            const int layer = static_cast<int>(std::floor(at[axis]));
            depth = std::min({depth, layer, 8 - layer});
        }
        EXPECT_EQ(geometry.surface()[i] != 0, depth == 0) << at.x << " " << at.y << " " << at.z;
    }
}

}  // namespace
}  // namespace treacle
