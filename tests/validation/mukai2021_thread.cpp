#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "scene/scene_json.h"
#include "checkpoint/checkpoint.h"
#include "support/run_scene.h"

namespace treacle {
namespace {

/// A square of viscous fluid between two plates, in 2D; the upper plate is pulled up until it tears.
const char* pulled_square = R"({ "treacle": 1, "method": "mukai2021", "dimension": 2, "particle_spacing": 0.0008,
  "time": { "duration": 2, "fps": 50, "max_dt": 0.004 }, "mukai2021": { "coefficients": "paper" },
  "materials": { "guar gum": { "density": 1160, "viscosity": 28,
    "mukai2021": { "young_modulus": 1050, "elastic_coefficient": 0.05 } } },
  "fluids": [ { "material": "guar gum", "shape": { "box": { "center": [0, 0.0044], "size": [0.0088, 0.0088] } } } ],
  "solids": [
    { "name": "lower", "friction": "no_slip", "shape": { "box": { "center": [0, -0.0012],
      "size": [0.0176, 0.0024] } } },
    { "name": "upper", "friction": "no_slip", "shape": { "box": { "center": [0, 0.01], "size": [0.012, 0.0024] } },
      "motion": { "velocity": [0, 0.06], "stop": "rupture" } } ] })";

int frames_to_rupture(test::RunningScene& run) {
    int frames = 0;
    while (run.metric("ruptured") == 0 && frames < 100 && run.advance(1)) ++frames;
    return frames;
}

TEST(Mukai2021Thread, IsPulledThinnerUntilItTearsAndThePlateStops) {
    test::RunningScene run(pulled_square);
    EXPECT_NEAR(run.metric("waist_radius"), 0.0044, 1e-6);
    EXPECT_EQ(run.metric("viscous_weight"), 0.97);
    EXPECT_EQ(run.metric("rupture_time"), -1);
    ASSERT_TRUE(run.advance(4)) << run.error();
    EXPECT_NEAR(run.metric("stretch"), 0.0048, 1e-9);  // 0.08 s of 60 mm/s
    EXPECT_GT(run.metric("elastic_weight"), 0);
    // Incompressible: the mean width is that of the area over the length, and the waist is thinner.
    EXPECT_LT(run.metric("waist_radius"), 0.0044 * 8.8 / 13.6);
    EXPECT_GT(run.metric("waist_radius"), 0.5 * 0.0044 * 8.8 / 13.6);

    const int frames = frames_to_rupture(run);
    ASSERT_LT(frames, 100) << run.error();
    const double time = run.metric("rupture_time"), stretch = run.metric("stretch");
    EXPECT_GT(stretch, 0.0088);
    EXPECT_NEAR(stretch, 0.06 * time, 1e-9);  // it stopped at the end of the step in which the thread tore
    EXPECT_EQ(run.metric("viscous_weight"), 0.95);
    EXPECT_GT(run.metric("lower_remnant"), 0);
    ASSERT_TRUE(run.advance(5)) << run.error();
    EXPECT_EQ(run.metric("stretch"), stretch);
    EXPECT_EQ(run.metric("rupture_time"), time);
    EXPECT_EQ(run.state().bodies[1].velocity, Vec3d{});
    EXPECT_NEAR(run.metric("elastic_weight"), 0.05, 1e-12);  // the waist is gone: C
}

/// The same with `halvings` of the thread's particles.
std::string with_halvings(int halvings) {
    std::string scene = pulled_square;
    const std::string paper = R"("coefficients": "paper")";
    return scene.replace(scene.find(paper), paper.size(), paper + R"(, "halvings": )" + std::to_string(halvings));
}

TEST(Mukai2021Thread, GetsLongerWhereItsParticlesAreHalved) {
    double before = 0;
    for (const int halvings : {0, 4}) {
        test::RunningScene run(with_halvings(halvings));
        ASSERT_LT(frames_to_rupture(run), 100) << run.error();
        const double stretch = run.metric("stretch");
        if (halvings > 0) {
            EXPECT_GT(stretch, 1.15 * before);
            EXPECT_GT(run.state().particles.size(), 125u);
        }
        before = stretch;
    }
}

/// Fluid that draws back gets thick, and its halves are joined.
TEST(Mukai2021Thread, IsMadeOfWholeParticlesAgainWhenItHasDrawnBack) {
    test::RunningScene run(with_halvings(4));
    const double mass = run.metric("mass");
    ASSERT_LT(frames_to_rupture(run), 100) << run.error();
    const std::size_t torn = run.state().particles.size();
    ASSERT_TRUE(run.advance(50)) << run.error();
    EXPECT_LT(run.state().particles.size(), torn);
    EXPECT_NEAR(run.metric("mass"), mass, 1e-14 * mass);
}

void tears_at_the_same_bits(const std::string& text) {
    const Scene scene = test::scene_from(text);
    test::RunningScene straight(scene, 1), other(scene, 3);
    const int frames = frames_to_rupture(straight);
    ASSERT_LT(frames, 100);
    ASSERT_TRUE(other.advance(frames));
    EXPECT_EQ(state_hash(other.state()), state_hash(straight.state()));
    // Saved just before and just after.
    for (const int saved_after : {frames - 1, frames}) {
        test::RunningScene first(scene, 2);
        ASSERT_TRUE(first.advance(saved_after));
        const std::string path =
            (std::filesystem::temp_directory_path() / ("treacle_thread_" + std::to_string(getpid()) + ".h5")).string();
        ASSERT_TRUE(save_checkpoint(path, first.state(), to_text(scene_to_json(scene)), "test"));
        auto loaded = load_checkpoint(path);
        std::filesystem::remove(path);
        ASSERT_TRUE(loaded) << to_string(loaded.error());
        auto resumed = Simulation::resume(scene, std::move(loaded->state), 2, Log{});
        ASSERT_TRUE(resumed);
        while ((*resumed)->state().frame < frames + 3)
            ASSERT_TRUE((*resumed)->advance_frame([](const StepInfo&) { return true; }));
        test::RunningScene whole(scene, 1);
        ASSERT_TRUE(whole.advance(frames + 2));
        EXPECT_EQ(state_hash((*resumed)->state()), state_hash(whole.state()));
        EXPECT_EQ((*resumed)->metrics(0), whole.simulation().metrics(0));
    }
}

TEST(Mukai2021Thread, TearsAtTheSameBitsOnAnyNumberOfThreadsAndAfterAResume) { tears_at_the_same_bits(pulled_square); }
TEST(Mukai2021Thread, TearsAtTheSameBitsWithHalvedParticlesToo) { tears_at_the_same_bits(with_halvings(4)); }

}  // namespace
}  // namespace treacle
