#include "surface_mesh/marching_cubes.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "surface_mesh/pieces.h"
#include "unit/surface_mesh/clouds.h"

namespace treacle {
namespace {

/// A grid of blocks around the origin; values from 0 to 1 are a function of the point.
template <class Value>
BlockGrid filled_grid(int blocks, int side, const Value& value) {
    BlockGrid grid;
    grid.side = side;
    std::vector<std::uint64_t> keys;
    for (int z = 0; z < blocks; ++z) {
        for (int y = 0; y < blocks; ++y) {
            for (int x = 0; x < blocks; ++x) keys.push_back(BlockIndex::key({x - 1, y - 1, z - 1}));
        }
    }
    grid.index = BlockIndex(keys);
    grid.values.resize(grid.index.size() * grid.points_per_block());
    const int low = -side, high = (blocks - 1) * side - 1;
    for (std::size_t b = 0; b < grid.index.size(); ++b) {
        const BlockPlace place = grid.index.place(b);
        std::size_t n = 0;
        for (int z = place[2] * side; z < (place[2] + 1) * side; ++z) {
            for (int y = place[1] * side; y < (place[1] + 1) * side; ++y) {
                for (int x = place[0] * side; x < (place[0] + 1) * side; ++x, ++n) {
                    const bool rim = std::min({x, y, z}) == low || std::max({x, y, z}) == high;
                    grid.block(b)[n] =
                        rim ? 0 : value(Vec3f{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)});
                }
            }
        }
    }
    return grid;
}

TEST(MarchingCubes, every_case_cuts_each_crossed_edge_and_no_other) {
    for (unsigned inside = 0; inside < 256; ++inside) {
        std::array<bool, 12> used{};
        for (const auto& t : cube_cases()[inside].triangles) {
            for (const std::uint8_t edge : t) used[edge] = true;
        }
        for (int edge = 0; edge < 12; ++edge) {
            const auto [a, b] = cube_edge_corners(edge);
            EXPECT_EQ(used[static_cast<std::size_t>(edge)], (inside >> a & 1) != (inside >> b & 1))
                << inside << " edge " << edge;
        }
    }
}

TEST(MarchingCubes, noise_in_which_all_cases_occur_is_closed) {
    const Parallel parallel(2);
    for (int seed = 1; seed <= 5; ++seed) {
        Random random(static_cast<std::uint64_t>(seed));
        const BlockGrid grid = filled_grid(3, 7, [&](Vec3f) { return static_cast<float>(random.next()); });
        const GridSurface surface = march_cubes(grid, 0.5f, parallel);
        EXPECT_GT(surface.triangles.size(), 10000u);
        EXPECT_TRUE(test::is_closed(surface.triangles)) << "seed " << seed;
    }
}

TEST(MarchingCubes, a_ball_looks_outward_and_has_its_volume) {
    const Parallel parallel(2);
    const Vec3f center{1.3f, 2.1f, 0.7f};
    const BlockGrid grid = filled_grid(4, 8, [&](Vec3f p) { return std::max(0.0f, 10 - length(p - center)); });
    const GridSurface surface = march_cubes(grid, 3.0f, parallel);
    EXPECT_TRUE(test::is_closed(surface.triangles));
    EXPECT_NEAR(enclosed_volume(surface.points, surface.triangles), 4.0 / 3 * M_PI * 343, 0.02 * 1437);
    for (const Vec3f& p : surface.points) EXPECT_NEAR(length(p - center), 7, 0.05);
}

TEST(MarchingCubes, inside_corners_of_a_face_are_joined) {
    // Two points diagonal on a face: one piece, so that thin threads do not fall apart.
    const BlockGrid grid = filled_grid(2, 4, [](Vec3f p) {
        return p == Vec3f{0, 0, 0} || p == Vec3f{1, 1, 0} ? 1.0f : 0.0f;
    });
    const GridSurface surface = march_cubes(grid, 0.5f, Parallel(1));
    EXPECT_TRUE(test::is_closed(surface.triangles));
    EXPECT_EQ(find_pieces(surface).volume.size(), 1u);
}

TEST(Pieces, have_their_volumes_and_holes_have_negative_ones) {
    const BlockGrid grid = filled_grid(4, 8, [](Vec3f p) {
        const float shell = length(p - Vec3f{6, 6, 6});
        return p == Vec3f{20, 20, 20} || (shell < 9 && shell > 3) ? 1.0f : 0.0f;
    });
    const GridSurface surface = march_cubes(grid, 0.5f, Parallel(1));
    Pieces pieces = find_pieces(surface);
    ASSERT_EQ(pieces.volume.size(), 3u);
    const GridSurface ball = without_pieces(surface, pieces, -1000, 1);
    std::sort(pieces.volume.begin(), pieces.volume.end());
    EXPECT_NEAR(pieces.volume[0], -4.0 / 3 * M_PI * 27, 20);
    EXPECT_NEAR(pieces.volume[1], 1.0 / 6, 1e-6);  // an octahedron of half a step
    EXPECT_NEAR(pieces.volume[2], 4.0 / 3 * M_PI * 729, 150);
    EXPECT_EQ(find_pieces(ball).volume.size(), 1u);
    EXPECT_TRUE(test::is_closed(ball.triangles));
    EXPECT_NEAR(enclosed_volume(ball.points, ball.triangles), pieces.volume[2], 1e-3);
}

}  // namespace
}  // namespace treacle
