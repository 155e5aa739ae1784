#include "core/parallel.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace treacle {
namespace {

std::vector<float> numbers(std::size_t count) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> pick(-1e3f, 1e3f);
    std::vector<float> result(count);
    for (float& x : result) x = pick(random);
    return result;
}

TEST(Parallel, SumsAreThoseOfBlocksOfOneThousandAndTwentyFourInTheirOrder) {
    const auto x = numbers(5000);
    float expected = 0;
    for (std::size_t begin = 0; begin < x.size(); begin += 1024) {
        float block = 0;
        for (std::size_t i = begin; i < std::min<std::size_t>(begin + 1024, x.size()); ++i) block += x[i];
        expected += block;
    }
    float chain = 0;
    for (const float value : x) chain += value;
    ASSERT_NE(chain, expected);  // else the order would not show
    for (const int threads : {1, 2, 5}) {
        const Parallel parallel(threads);
        EXPECT_EQ(parallel.sum<float>(Rows::of(x.size()), [&](std::size_t i) { return x[i]; }), expected) << threads;
    }
}

TEST(Parallel, CopiesOfRowsOfOtherProcessesAreNotCounted) {
    const Parallel parallel(2);
    const Rows rows{.own = 3, .all = 8};
    EXPECT_EQ(parallel.sum<int>(rows, [](std::size_t) { return 1; }), 3);
    EXPECT_EQ(parallel.mean(rows, [](std::size_t i) { return static_cast<double>(i); }), 1);
    EXPECT_EQ(parallel.max(rows, -1, [](std::size_t i) { return static_cast<int>(i); }), 2);
    std::vector<int> visits(8);
    parallel.for_each(rows, [&](std::size_t i) { ++visits[i]; });
    EXPECT_EQ(visits, (std::vector<int>{1, 1, 1, 0, 0, 0, 0, 0}));
}

TEST(Parallel, RowsAreEqualOnlyIfThoseOfAllBlocksAre) {
    const Parallel parallel(2);
    std::vector<int> x(4000, 3);
    const auto equal = [&] { return parallel.all_equal(Rows::of(x.size()), [&](std::size_t i) { return x[i]; }); };
    EXPECT_TRUE(equal());
    for (const std::size_t other : {std::size_t{0}, std::size_t{1}, std::size_t{1024}, std::size_t{3999}}) {
        x[other] = 4;
        EXPECT_FALSE(equal()) << other;
        x[other] = 3;
    }
    std::fill(x.begin() + 1024, x.begin() + 2048, 4);  // every block is uniform in itself
    EXPECT_FALSE(equal());
    x.clear();
    EXPECT_TRUE(equal());
}

}  // namespace
}  // namespace treacle
