#include "random_scene.h"

namespace treacle {

TEST(RandomScenesFull, TwoHundredStayFinite) {
    for (std::uint32_t seed = 1000; seed < 1200; ++seed) test::run_random_scene(seed);
}

}  // namespace treacle
