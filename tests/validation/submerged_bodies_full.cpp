#include "bath.h"

/// The same with larger bodies.

namespace treacle {
namespace {

using test::expect_buoyancy;

class LargeSubmergedBodies : public testing::TestWithParam<const char*> {};

TEST_P(LargeSubmergedBodies, AreLifted) {
    for (const double above : {2.0, 13.5}) expect_buoyancy({GetParam(), 2, 9, above});
    expect_buoyancy({GetParam(), 2, 6, 9, 2});
    for (const double above : {2.0, 6.0}) expect_buoyancy({GetParam(), 3, 4, above, 0, 0.01, 0, 0.8});
    expect_buoyancy({GetParam(), 3, 3, 4.5, 2, 0.01, 0, 0.8});
}

INSTANTIATE_TEST_SUITE_P(Methods, LargeSubmergedBodies,
                         testing::Values("clavet2005", "takamatsu2011", "takahashi2014", "barreiro2017"));

}  // namespace
}  // namespace treacle
