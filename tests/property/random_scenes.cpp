#include "random_scene.h"

namespace treacle {

TEST(RandomScenes, TwentyFourOfClavet2005StayFinite) {
    for (std::uint32_t seed = 0; seed < 24; ++seed) test::run_random_scene("clavet2005", seed, 60);
}

TEST(RandomScenes, TwentyFourOfTakahashi2014StayFinite) {
    for (std::uint32_t seed = 0; seed < 24; ++seed) test::run_random_scene("takahashi2014", seed, 60);
}

TEST(RandomScenes, TwentyFourOfBarreiro2017StayFinite) {
    for (std::uint32_t seed = 0; seed < 24; ++seed) test::run_random_scene("barreiro2017", seed, 60);
}

TEST(RandomScenes, TwentyFourOfTakamatsu2011StayFinite) {
    for (std::uint32_t seed = 0; seed < 24; ++seed) test::run_random_scene("takamatsu2011", seed, 60);
}

TEST(RandomScenes, TwentyFourOfMukai2021StayFinite) {
    for (std::uint32_t seed = 0; seed < 24; ++seed) test::run_random_scene("mukai2021", seed, 60);
}

}  // namespace treacle
