#include "simd/dispatch.h"

#include <gtest/gtest.h>

#include <atomic>

#include "support/on_every_path.h"

namespace treacle {
namespace {

TEST(Dispatch, TakesThePathThatWasChosen) {
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        EXPECT_EQ(simd::choice(), path);
        int part_lanes = 0;
        simd::run<float>(0, 1, [&]<class P>(simd::Use<P>, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
            part_lanes = P::part_lanes;
        });
        EXPECT_EQ(part_lanes, path == simd::Choice::scalar ? 1 : path == simd::Choice::sse4 ? 4 : 8);
    }
}

TEST(Dispatch, RefusesWhatTheMachineLacks) {
    const simd::Choice before = simd::choice();
    EXPECT_EQ(simd::choose(simd::Choice::avx2), simd::available(simd::Choice::avx2));
    EXPECT_TRUE(simd::choose(before));
    EXPECT_STREQ(simd::name(simd::Choice::sse4), "sse4");
}

TEST(Dispatch, LoopsVisitEveryRowOnce) {
    for (const int threads : {1, 3}) {
        const Parallel parallel(threads);
        for (const std::size_t count : {0u, 1u, 255u, 256u, 257u, 3000u}) {
            std::vector<std::atomic<int>> visits(count);
            simd::for_each<float>(parallel, count, [&]<class P>(simd::Use<P>, std::size_t i) { ++visits[i]; });
            for (const auto& n : visits) EXPECT_EQ(n, 1);
        }
    }
}

}  // namespace
}  // namespace treacle
