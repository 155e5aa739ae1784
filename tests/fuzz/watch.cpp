#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "fuzz/fuzz.h"

namespace treacle::test {
namespace {

using Clock = std::chrono::steady_clock;

TEST(FuzzWatch, StopsWhoComputesTooLong) {
    const auto compute = [] {
        Watch watch("Example", 1);
        watch.begin(7);
        for (volatile bool on = true; on;) {}
    };
    EXPECT_EXIT(compute(), testing::KilledBySignal(SIGPROF), "Example: died or hung with TREACLE_FUZZ_FIRST=7");
}

TEST(FuzzWatch, LetsABusyMachineTakeItsTime) {
    Watch watch("Example", 1);
    watch.begin(7);
    for (const auto end = Clock::now() + std::chrono::milliseconds(1500); Clock::now() < end;)  // others have the cores
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

}  // namespace
}  // namespace treacle::test
