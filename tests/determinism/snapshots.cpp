#include <gtest/gtest.h>

#include <thread>

#include "determinism/golden_scenes.h"
#include "support/run_scene.h"

// A simulation goes back to a snapshot and comes to the same bits again, whatever happened in between.

namespace treacle {
namespace {

constexpr int frames_after = 2;

class Snapshots : public testing::TestWithParam<test::GoldenScene> {
protected:
    /// Into the middle of a frame, past the first re-sorting of the storage.
    static void start(test::RunningScene& run) {
        ASSERT_TRUE(run.advance(1)) << run.error();
        for (int n = 0; n < 3; ++n) ASSERT_TRUE(run.simulation().step());
    }
    static std::uint64_t go_on(test::RunningScene& run) {
        EXPECT_TRUE(run.advance(frames_after)) << run.error();
        return state_hash(run.state());
    }
};

TEST_P(Snapshots, LeadToTheSameBitsAgain) {
    test::RunningScene run(GetParam().text.dump());
    start(run);
    const auto snapshot = run.simulation().snapshot();
    EXPECT_EQ(state_hash(snapshot->state), state_hash(run.state()));
    const std::uint64_t expected = go_on(run);
    run.simulation().restore(*snapshot);
    EXPECT_EQ(state_hash(run.state()), state_hash(snapshot->state));
    EXPECT_EQ(go_on(run), expected);

    auto resumed = Simulation::resume(test::scene_from(GetParam().text.dump()), snapshot->state, 1, Log{});
    ASSERT_TRUE(resumed);
    for (int n = 0; n < frames_after; ++n) ASSERT_TRUE((*resumed)->advance_frame([](const StepInfo&) { return true; }));
    EXPECT_EQ(state_hash((*resumed)->state()), expected);
}

TEST_P(Snapshots, BringBackLiveParameters) {
    test::RunningScene run(GetParam().text.dump());
    start(run);
    const auto snapshot = run.simulation().snapshot();
    const std::uint64_t expected = go_on(run);

    run.simulation().restore(*snapshot);
    const auto changed = run.simulation().set("/materials/slime/viscosity", 3.0);
    ASSERT_TRUE(changed) << to_string(changed.error());
    EXPECT_EQ(*run.simulation().scene().materials.front().viscosity, 3.0);
    EXPECT_NE(go_on(run), expected);

    run.simulation().restore(*snapshot);
    EXPECT_EQ(*run.simulation().scene().materials.front().viscosity, 1.0);
    EXPECT_EQ(go_on(run), expected);
}

TEST_P(Snapshots, CanBeReadWhileTheSimulationGoesOn) {
    test::RunningScene run(GetParam().text.dump());
    start(run);
    const auto snapshot = run.simulation().snapshot();
    const std::uint64_t before = state_hash(snapshot->state);
    bool whole = true;
    std::thread reader([&] {
        for (int n = 0; n < 20; ++n) {
            const Frame frame = snapshot->frame();
            whole &= frame.id_order.size() == frame.particles.size() && state_hash(snapshot->state) == before;
        }
    });
    go_on(run);
    reader.join();
    EXPECT_TRUE(whole);
    EXPECT_EQ(state_hash(snapshot->state), before);
}

std::vector<test::GoldenScene> scenes() {
    std::vector<test::GoldenScene> chosen;
    for (test::GoldenScene& scene : test::golden_scenes()) {
        if (scene.kind != "splash" && scene.kind != "blocks") chosen.push_back(std::move(scene));
    }
    return chosen;
}

INSTANTIATE_TEST_SUITE_P(Scenes, Snapshots, testing::ValuesIn(scenes()),
                         [](const auto& scene) { return scene.param.name; });

}  // namespace
}  // namespace treacle
