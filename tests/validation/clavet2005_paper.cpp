#include "scene/reader.h"
#include "support/run_scene.h"

/// The report's own coefficients and formulas still run, and behave as it says.

namespace treacle {
namespace {

Scene tangs_dam(const std::vector<SceneOverride>& changes = {}) {
    auto scene = read_scene_file(TREACLE_SOURCE_DIR "/scenes/clavet2005/dam_paper_2d.json", changes);
    if (!scene) throw std::runtime_error(to_string(scene.error()));
    return *scene;
}

/// "fluid becomes 'tighter'": 1008 particles at a spacing of 5 fill 84 units of a tank 300 wide; the center of mass
/// would be at 42.
TEST(Clavet2005Paper, TangsCoefficientsMakeTheFluidTighter) {
    test::RunningScene run(tangs_dam());
    ASSERT_EQ(run.state().particles.size(), 1008u);
    ASSERT_TRUE(run.advance(300)) << run.error();
    EXPECT_EQ(run.metric("steps"), 1);  // one step per frame, as in his program
    EXPECT_LT(run.metric("com_y"), 0.8 * 42);
    EXPECT_GT(run.metric("density_error_mean"), 0.08);
}

/// As printed, P_near = k_near P: at the rest density nothing keeps particles apart, and they clump in pairs.
TEST(Clavet2005Paper, PrintedNearPressureLetsParticlesClump) {
    const auto closest_pairs = [](const std::string& equations) {
        test::RunningScene run(tangs_dam({{"/clavet2005/equations", equations}, {"/solids/0/friction", "0"}}));
        if (!run.advance(150)) throw std::runtime_error(run.error());
        const auto x = run.vectors("position");
        int close = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) close += length(x[i] - x[j]) < 1.5 ? 1 : 0;  // of a spacing of 5
        }
        return close;
    };
    const int printed = closest_pairs("printed"), corrected = closest_pairs("corrected");
    EXPECT_GT(printed, 1008 / 20) << "at least a tenth of the particles have such a partner";
    EXPECT_GT(printed, 2 * corrected);
}

TEST(Clavet2005Paper, UnitsCannotBeMixed) {
    const auto mixed = read_scene_file(TREACLE_SOURCE_DIR "/scenes/clavet2005/dam_paper_2d.json",
                                       {{"/materials/water/viscosity", "1"}});
    ASSERT_FALSE(mixed);
    EXPECT_NE(to_string(mixed.error()).find("/materials/water/viscosity"), std::string::npos)
        << to_string(mixed.error());
    const auto physical = read_scene_file(TREACLE_SOURCE_DIR "/scenes/clavet2005/dam_paper_2d.json",
                                          {{"/clavet2005/coefficients", "physical"}});
    ASSERT_FALSE(physical);
    EXPECT_GE(physical.error().problems.size(), 4u) << to_string(physical.error());
    const auto free_dt =
        read_scene_file(TREACLE_SOURCE_DIR "/scenes/clavet2005/dam_2d.json", {{"/clavet2005/coefficients", "paper"}});
    ASSERT_FALSE(free_dt);
    EXPECT_NE(to_string(free_dt.error()).find("/time/fixed_dt"), std::string::npos);
}

}  // namespace
}  // namespace treacle
