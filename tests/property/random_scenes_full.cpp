#include "random_run.h"

namespace treacle {
namespace {

class RandomScenesFull : public testing::TestWithParam<const char*> {};

TEST_P(RandomScenesFull, keep_mass_energy_and_volume) {
    for (std::uint32_t seed = 1000; seed < 1200 && !HasFailure(); ++seed) {
        test::run_random_scene(GetParam(), seed, 200);
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, RandomScenesFull,
                         testing::Values("clavet2005", "takamatsu2011", "takahashi2014", "barreiro2017", "mukai2021"),
                         [](const auto& method) { return std::string(method.param); });

}  // namespace
}  // namespace treacle
