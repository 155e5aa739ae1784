#include "random_scenes.h"

namespace treacle {
namespace {

using RandomScenesFull = test::RandomScenes;

TEST_P(RandomScenesFull, keep_mass_energy_and_volume) { run({1000, 1200, 200}); }

INSTANTIATE_TEST_SUITE_P(Methods, RandomScenesFull, testing::ValuesIn(test::every_method()), test::MethodName());

}  // namespace
}  // namespace treacle
