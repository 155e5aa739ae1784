#include "random_scene.h"

namespace treacle {

TEST(RandomScenesFull, TwoHundredOfClavet2005StayFinite) {
    for (std::uint32_t seed = 1000; seed < 1200; ++seed) test::run_random_scene("clavet2005", seed, 60);
}

TEST(RandomScenesFull, TwoHundredOfTakahashi2014StayFinite) {
    for (std::uint32_t seed = 1000; seed < 1200; ++seed) test::run_random_scene("takahashi2014", seed, 300);
}

TEST(RandomScenesFull, TwoHundredOfBarreiro2017StayFinite) {
    for (std::uint32_t seed = 1000; seed < 1200; ++seed) test::run_random_scene("barreiro2017", seed, 300);
}

TEST(RandomScenesFull, TwoHundredOfTakamatsu2011StayFinite) {
    for (std::uint32_t seed = 1000; seed < 1200; ++seed) test::run_random_scene("takamatsu2011", seed, 300);
}

TEST(RandomScenesFull, TwoHundredOfMukai2021StayFinite) {
    for (std::uint32_t seed = 1000; seed < 1200; ++seed) test::run_random_scene("mukai2021", seed, 300);
}

}  // namespace treacle
