#include "packing/even_points.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "math/random.h"
#include "support/on_every_path.h"

namespace treacle {
namespace {

std::vector<Vec3d> random_points(std::size_t count) {
    Random random(1);
    std::vector<Vec3d> points(count);
    for (Vec3d& p : points) p = {random.next(), random.next(), 0};
    return points;
}

double closest_pair(const std::vector<Vec3d>& points) {
    double closest = 1e300;
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) closest = std::min(closest, length(points[i] - points[j]));
    }
    return closest;
}

TEST(EvenPoints, thinning_keeps_order_and_distance) {
    const std::vector<Vec3d> points = random_points(2000);
    const std::vector<Vec3d> kept = thin_out(points, 400, 0.05, Parallel(1));
    ASSERT_EQ(kept.size(), 400u);
    EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end(), [&](const Vec3d& a, const Vec3d& b) {
        return std::find(points.begin(), points.end(), a) < std::find(points.begin(), points.end(), b);
    }));
    // As many random points would be as close as 0.0006; the most even ones are 0.0537 apart.
    EXPECT_GT(closest_pair(kept), 0.03);
    EXPECT_EQ(thin_out(points, 5000, 0.05, Parallel(1)), points);
}

TEST(EvenPoints, spreading_moves_points_apart_and_keeps_them) {
    std::vector<Vec3d> points = random_points(400);
    // A unit square with mirrors on its left side only.
    const auto keep = [](std::size_t, Vec3d p) {
        const Vec3d inside{std::clamp(p.x, 0.02, 0.98), std::clamp(p.y, 0.02, 0.98), 0};
        return KeptPoint{inside, inside.x, {-1, 0, 0}};
    };
    Spreading{.dimension = 2, .spacing = 0.05, .range = 0.0875, .sweeps = 100}.spread(points, keep, Parallel(1));
    EXPECT_GT(closest_pair(points), 0.03) << "also those that began in the same corner";
    for (const Vec3d& p : points) EXPECT_EQ(p.z, 0);
    const auto at_left = std::count_if(points.begin(), points.end(), [](const Vec3d& p) { return p.x < 0.05; });
    const auto at_right = std::count_if(points.begin(), points.end(), [](const Vec3d& p) { return p.x > 0.95; });
    EXPECT_LT(at_left, at_right) << "mirror images keep points from crowding at a wall";
    EXPECT_NEAR(static_cast<double>(at_left), 20, 4);
}

TEST(EvenPoints, bits_do_not_depend_on_threads_nor_on_the_cpu) {
    const auto spread_points = [](int threads) {
        std::vector<Vec3d> points = thin_out(random_points(3000), 1000, 0.03, Parallel(threads));
        const auto keep = [](std::size_t, Vec3d p) { return KeptPoint{{p.x, p.y, 0}, p.x, {-1, 0, 0}}; };
        Spreading{.dimension = 2, .spacing = 0.03, .range = 0.06, .sweeps = 20}.spread(points, keep, Parallel(threads));
        return points;
    };
    const std::vector<Vec3d> once = spread_points(1);
    for (const int threads : {2, 4}) EXPECT_EQ(spread_points(threads), once);
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        EXPECT_EQ(spread_points(1), once) << simd::name(path);
    }
}

}  // namespace
}  // namespace treacle
