#include "blocks/elastic/impacts.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/particle_cloud.h"

namespace treacle {
namespace {

using S = Space3d;
using Row = S::Row;

/// Five particles: two pieces, of ids 0 and 3.
struct Pieces : ParticleCloud<S> {
    Pieces() {
        for (int n = 0; n < 5; ++n) add({1.0 * n, 0, 0}, {}, 1);
    }
    void record(double step) {
        dt = step;
        block.record(view(), context(parallel), moved, piece, push, impact);
    }

    Parallel parallel{1};
    Impacts<S> block{.averaging_time = 0.1};
    std::vector<Row> moved{5};
    std::vector<std::uint32_t> piece{0, 0, 0, 3, 3};
    std::vector<double> push = std::vector<double>(5), impact = std::vector<double>(5);
};

TEST(Impacts, are_means_over_a_piece_and_none_of_another_ones) {
    Pieces pieces;
    pieces.moved[1] = Vec3d{0, 3e-4, 0};
    pieces.record(0.01);
    const double expected = (1 - std::exp(-0.1)) * 3e-4 / 3 / 1e-4;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(pieces.push[i], expected, 1e-12);
    for (std::size_t i = 3; i < 5; ++i) EXPECT_EQ(pieces.push[i], 0);
    EXPECT_EQ(pieces.impact, pieces.push);
}

TEST(Impacts, keep_the_strongest_push_while_it_fades) {
    Pieces pieces;
    pieces.moved[3] = Vec3d{0, 1e-3, 0};
    pieces.record(0.01);
    const double strongest = pieces.push[3];
    pieces.moved[3] = Vec3d{};
    pieces.record(0.01);
    EXPECT_NEAR(pieces.push[3], std::exp(-0.1) * strongest, 1e-12);
    EXPECT_EQ(pieces.impact[3], strongest);
    EXPECT_EQ(pieces.impact[4], strongest);
}

/// A particle is stopped at once: the change of velocity is the same, the steps are not.
TEST(Impacts, do_not_depend_on_the_step) {
    const auto impact = [](double dt) {
        Pieces pieces;
        for (Row& d : pieces.moved) d = Vec3d{0, dt * 2.0, 0};
        pieces.record(dt);
        return pieces.impact[0];
    };
    EXPECT_NEAR(impact(1e-4) / impact(1e-3), 1, 0.01);
}

/// Pieces lie in several blocks of rows, and blocks hold several pieces.
TEST(Impacts, are_the_same_bits_for_any_number_of_threads) {
    constexpr std::size_t count = 5000, pieces = 7;
    ParticleCloud<S> cloud;
    std::vector<Row> moved(count);
    std::vector<std::uint32_t> piece(count);
    std::vector<double> expected(pieces);
    for (std::size_t i = 0; i < count; ++i) {
        cloud.add({1.0 * static_cast<double>(i), 0, 0}, {}, 1);
        piece[i] = static_cast<std::uint32_t>(i * i % pieces);
        moved[i] = Vec3d{0.1 * static_cast<double>(i % 13), 0, 0};
    }
    for (std::uint32_t p = 0; p < pieces; ++p) {
        double sum = 0, members = 0;
        for (std::size_t i = 0; i < count; ++i)
            if (piece[i] == p) sum += moved[i].x, members += 1;
        expected[p] = members > 0 ? sum / members : 0;
    }
    cloud.dt = 1;
    std::vector<std::vector<double>> results;
    for (const int threads : {1, 2, 5}) {
        const Parallel parallel(threads);
        std::vector<double> push(count), impact(count);
        Impacts<S>{.averaging_time = 1e-3}.record(cloud.view(), cloud.context(parallel), moved, piece, push, impact);
        for (std::size_t i = 0; i < count; ++i) ASSERT_NEAR(push[i], expected[piece[i]], 1e-9);
        results.push_back(push);
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
}

TEST(Impacts, of_nobody_are_none) {
    ParticleCloud<S> none;
    const Parallel parallel(1);
    Impacts<S>{.averaging_time = 1}.record(none.view(), none.context(parallel), {}, {}, {}, {});
}

}  // namespace
}  // namespace treacle
