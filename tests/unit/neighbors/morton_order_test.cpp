#include "neighbors/morton_order.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace treacle {
namespace {

TEST(MortonTables, interleave_as_few_bits_as_needed) {
    MortonTables tables;
    tables.build({4, 2, 1});
    EXPECT_EQ(tables.code_count(), 8u);
    EXPECT_EQ(tables.code(0, 0, 0), 0u);
    EXPECT_EQ(tables.code(1, 0, 0), 1u);
    EXPECT_EQ(tables.code(0, 1, 0), 2u);
    EXPECT_EQ(tables.code(2, 0, 0), 4u);
    EXPECT_EQ(tables.code(3, 1, 0), 7u);
    EXPECT_EQ(MortonTables::code_count({4, 2, 1}), 8u);
    EXPECT_EQ(MortonTables::code_count({5, 3, 2}), 8u * 4 * 2);
}

TEST(MortonTables, every_cell_has_its_own_code) {
    MortonTables tables;
    tables.build({5, 9, 3});
    std::set<std::uint64_t> codes;
    for (std::uint32_t x = 0; x < 5; ++x) {
        for (std::uint32_t y = 0; y < 9; ++y) {
            for (std::uint32_t z = 0; z < 3; ++z) {
                const std::uint64_t code = tables.code(x, y, z);
                EXPECT_LT(code, tables.code_count());
                EXPECT_TRUE(codes.insert(code).second);
            }
        }
    }
}

template <class Real>
std::vector<Row4<Real>> cube_corners() {
    std::vector<Row4<Real>> points;
    for (int n = 0; n < 8; ++n) points.push_back(Vec3<Real>{Real(n & 1), Real(n >> 1 & 1), Real(n >> 2 & 1)});
    return points;
}

TEST(MortonOrder, x_changes_fastest_then_y_then_z) {
    auto points = cube_corners<float>();
    std::vector<std::uint32_t> id(8);
    std::iota(id.begin(), id.end(), 0u);
    std::reverse(points.begin(), points.end());
    EXPECT_EQ(morton_order<float>(points, id, 0.6), (std::vector<std::uint32_t>{7, 6, 5, 4, 3, 2, 1, 0}));
}

TEST(MortonOrder, within_a_cell_by_id) {
    const auto points = cube_corners<double>();
    const std::vector<std::uint32_t> id{11, 12, 13, 14, 15, 16, 17, 10};
    EXPECT_EQ(morton_order<double>(points, id, 10), (std::vector<std::uint32_t>{7, 0, 1, 2, 3, 4, 5, 6}));
}

// The result is an order of places in space: it does not depend on the storage before.
TEST(MortonOrder, does_not_depend_on_the_order_before) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> number(-1, 1);
    std::vector<Row4<float>> points(500);
    std::vector<std::uint32_t> id(500), shuffled(500);
    for (auto& p : points) p = Vec3<float>{number(random), number(random), number(random)};
    std::iota(id.begin(), id.end(), 0u);
    std::iota(shuffled.begin(), shuffled.end(), 0u);
    const auto order = morton_order<float>(points, id, 0.1);

    std::shuffle(shuffled.begin(), shuffled.end(), random);
    std::vector<Row4<float>> moved(500);
    for (std::size_t i = 0; i < 500; ++i) moved[i] = points[shuffled[i]];
    const auto again = morton_order<float>(moved, shuffled, 0.1);  // ids went along
    for (std::size_t i = 0; i < 500; ++i) EXPECT_EQ(shuffled[again[i]], order[i]);
}

TEST(MortonOrder, nothing_and_extremes) {
    EXPECT_TRUE(morton_order<float>({}, {}, 1).empty());
    const std::vector<Row4<double>> far{Vec3d{1e30, 0, 0}, Vec3d{-1e30, 0, 0}, Vec3d{0, 1e300, 5}};
    const std::vector<std::uint32_t> id{0, 1, 2};
    auto order = morton_order<double>(far, id, 1e-3);
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, id);
}

}  // namespace
}  // namespace treacle
