#include "random_scene.h"

namespace treacle {

TEST(RandomScenes, TwentyFourStayFinite) {
    for (std::uint32_t seed = 0; seed < 24; ++seed) test::run_random_scene(seed);
}

}  // namespace treacle
