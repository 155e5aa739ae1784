#include "deep_pool.h"

/// The deepest pools.

namespace treacle {
namespace {

using test::expect_rest;

TEST(Takahashi2014DeepPools, RestIn3D) {
    for (const int layers : {40, 60}) expect_rest({3, 0.005, layers, 8});
}

TEST(Takahashi2014DeepPools, RestIn2D) { expect_rest({2, 0.0025, 120, 24}); }

TEST(Takahashi2014DeepPools, OfSlimeRestIn3D) {
    expect_rest({3, 0.005, 40, 8, R"("viscosity": 1, "shear_modulus": 400, "relaxation_time": 0.5)"});
}

}  // namespace
}  // namespace treacle
