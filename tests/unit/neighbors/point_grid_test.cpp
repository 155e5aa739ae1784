#include "neighbors/point_grid.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "math/random.h"

namespace treacle {
namespace {

TEST(PointGrid, finds_all_within_the_radius) {
    Random random(3);
    const auto place = [&](Vec3d size) {
        const double x = random.next(), y = random.next(), z = random.next();
        return Vec3d{size.x * x, size.y * y, size.z * z};
    };
    // A cloud, a sheet, a row, and points so far apart that cells must grow.
    for (const Vec3d size : {Vec3d{1, 2, 1}, Vec3d{3, 2, 0}, Vec3d{0, 4, 0}, Vec3d{1000, 1000, 1000}}) {
        std::vector<Vec3d> points(500);
        for (Vec3d& p : points) p = place(size);
        std::vector<Vec3d> before = points;
        const double radius = 0.2;
        const PointGrid grid(points, radius);
        EXPECT_TRUE(std::is_permutation(points.begin(), points.end(), before.begin()));
        for (int n = 0; n < 500; ++n) {
            const Vec3d x = n % 2 ? place(size) : points[static_cast<std::size_t>(n)] + place({0.2, 0.2, -0.2});
            std::vector<bool> seen(points.size());
            std::uint32_t end = 0;
            grid.for_each_run(x, [&](std::uint32_t first, std::uint32_t last) {
                EXPECT_GE(first, end);
                end = last;
                for (std::uint32_t k = first; k < last; ++k) seen[k] = true;
            });
            for (std::size_t k = 0; k < points.size(); ++k) EXPECT_TRUE(seen[k] || length(points[k] - x) >= radius);
        }
    }
}

TEST(PointGrid, without_points_nothing_is_near) {
    std::vector<Vec3d> none;
    PointGrid(none, 1).for_each_run({}, [](std::uint32_t, std::uint32_t) { ADD_FAILURE(); });
    std::vector<Vec3d> one{{1, 2, 3}};
    const PointGrid grid(one, 1);
    grid.for_each_run({9, 2, 3}, [](std::uint32_t, std::uint32_t) { ADD_FAILURE(); });
    grid.for_each_run({std::nan(""), 2, 3}, [](std::uint32_t, std::uint32_t) { ADD_FAILURE(); });
}

}  // namespace
}  // namespace treacle
