#include "math/vec.h"

#include <gtest/gtest.h>

#include "math/space.h"

namespace treacle {
namespace {

TEST(Vec, arithmetic) {
    const Vec3d a{1, 2, 3}, b{4, -5, 6};
    EXPECT_EQ(a + b, (Vec3d{5, -3, 9}));
    EXPECT_EQ(a - b, (Vec3d{-3, 7, -3}));
    EXPECT_EQ(-a, (Vec3d{-1, -2, -3}));
    EXPECT_EQ(2.0 * a, (Vec3d{2, 4, 6}));
    EXPECT_EQ(a * 2.0, (Vec3d{2, 4, 6}));
    EXPECT_EQ(a / 2.0, (Vec3d{0.5, 1, 1.5}));
    Vec3d c = a;
    c += b;
    c -= a;
    c *= 3;
    EXPECT_EQ(c, (Vec3d{12, -15, 18}));
    EXPECT_NE(a, b);
}

TEST(Vec, products_and_length) {
    const Vec3d a{1, 2, 3}, b{4, -5, 6};
    EXPECT_EQ(dot(a, b), 12);
    EXPECT_EQ(cross(a, b), (Vec3d{27, 6, -13}));
    EXPECT_EQ(cross(Vec3d{1, 0, 0}, Vec3d{0, 1, 0}), (Vec3d{0, 0, 1}));
    EXPECT_EQ(length(Vec3d{2, 3, 6}), 7);
}

TEST(Vec, components_by_number) {
    Vec3d a{1, 2, 3};
    a[1] = 20;
    EXPECT_EQ(a[0], 1);
    EXPECT_EQ(a[1], 20);
    EXPECT_EQ(a[2], 3);
    const Vec3d fixed{7, 8, 9};
    EXPECT_EQ(fixed[2], 9);
}

TEST(Vec, a_stored_row_is_four_packed_numbers) {
    static_assert(sizeof(Row4<float>) == 16 && alignof(Row4<float>) == 16);
    static_assert(sizeof(Row4<double>) == 32 && alignof(Row4<double>) == 32);
    const Row4<float> row(Vec3<float>{1, 2, 3});
    EXPECT_EQ(row.w, 0);
    EXPECT_EQ(row.xyz(), (Vec3<float>{1, 2, 3}));
}

TEST(Vec, cast_rounds_once) { EXPECT_EQ(cast<float>(Vec3d{0.1, 0.2, 0.3}), (Vec3<float>{0.1f, 0.2f, 0.3f})); }

TEST(Space, cell_volume_by_dimension) {
    EXPECT_EQ(cell_volume(2, 0.5), 0.25);
    EXPECT_EQ(cell_volume(3, 0.5), 0.125);
}

}  // namespace
}  // namespace treacle
