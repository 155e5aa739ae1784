#include "random_scenes.h"

namespace treacle {
namespace {

using RandomScenes = test::RandomScenes;

TEST_P(RandomScenes, keep_mass_energy_and_volume) { run({0, 16, 60}); }

INSTANTIATE_TEST_SUITE_P(Methods, RandomScenes, testing::ValuesIn(test::every_method()), test::MethodName());

/// Two particles that met by accident, in a fluid whose connections reach less than a spacing, swung ever faster.
TEST(RandomScene, in_which_energy_once_came_from_a_short_connection) {
    test::run_random_scene("takahashi2014", 1134, 200);
}

/// The plug of an emitter was slowed down by fluid too thick to give way, and the next layers came into the same place.
TEST(RandomScene, in_which_thick_fluid_once_stopped_an_emitter) { test::run_random_scene("mukai2021", 1160, 100); }

/// Among the scenes of the first test are scenes of every kind.
TEST(RandomScene, has_all_kinds) {
    std::map<std::string, int> kinds;
    for (std::uint32_t seed = 0; seed < 16; ++seed) {
        const test::SceneJson scene = test::random_scene("clavet2005", seed);
        ++kinds[scene["dimension"].dump() + "D"];
        ++kinds[std::to_string(scene["fluids"].size()) + " materials"];
        kinds["unused material"] += scene["materials"].contains("unused");
        kinds["another order"] += scene["materials"].begin().key() != "honey";
        kinds["emitter"] += scene.contains("emitters");
        kinds["sink"] += scene.contains("sinks");
        for (const auto& solid : scene["solids"]) ++kinds[solid["name"].get<std::string>()];
    }
    for (const char* kind : {"2D", "3D", "1 materials", "2 materials", "3 materials", "unused material",
                             "another order", "emitter", "sink", "tank", "floor", "rock", "board", "float"}) {
        EXPECT_GE(kinds[kind], 1) << kind;
    }
}

}  // namespace
}  // namespace treacle
