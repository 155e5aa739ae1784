#include "run/run.h"

#include "unit/run/small_run.h"

namespace treacle {
namespace {

using namespace test;

std::uint64_t hash_of(const Run& run) { return state_hash(run.simulation().state()); }

std::string status_of(const RunFolder& folder) {
    const auto summary = read_json_file(folder.summary_file());
    return summary ? summary->find("status")->text : "none";
}

TEST(Run, writes_a_frame_at_a_time) {
    const TemporaryFolder place;
    std::vector<int> reported;
    int steps = 0;
    RunEvents events;
    events.frame = [&](const FrameReport& report) { reported.push_back(report.frame); };
    events.step = [&](const StepInfo&) { ++steps; };
    const auto run = begin(falling_block(5), place.file("run"), false, events);
    EXPECT_EQ(frames_on_disk(run->folder()), std::vector{1}) << "the start is a frame";
    EXPECT_EQ(run->folder().checkpoints().size(), 1u);
    ASSERT_EQ(run->advance(), Run::Status::under_way);
    EXPECT_EQ(frames_on_disk(run->folder()), (std::vector{1, 2}));
    EXPECT_EQ(run->simulation().state().frame, 2);
    EXPECT_EQ(status_of(run->folder()), "none");
    EXPECT_EQ(run->complete(), Run::Status::finished);
    EXPECT_EQ(reported, (std::vector{2, 3, 4, 5}));
    EXPECT_GE(steps, 4);
    EXPECT_EQ(status_of(run->folder()), "done");
    EXPECT_EQ(run->folder().checkpoints().front().frame, 5);
}

TEST(Run, stops_when_asked_and_resumes_to_the_same_bits) {
    const TemporaryFolder place;
    const auto whole = begin(falling_block(9), place.file("whole"));
    ASSERT_EQ(whole->complete(), Run::Status::finished);
    const std::uint64_t expected = hash_of(*whole);

    int steps = 0;
    RunEvents events;
    events.step = [&](const StepInfo&) { ++steps; };
    events.stop_wanted = [&] { return steps >= 7; };
    {
        const auto stopped = begin(falling_block(9), place.file("run"), false, events);
        ASSERT_EQ(stopped->complete(), Run::Status::stopped);
        EXPECT_EQ(steps, 7) << "it goes on after it was asked to stop";
        EXPECT_EQ(status_of(stopped->folder()), "stopped");
        EXPECT_NE(hash_of(*stopped), expected);
    }
    int resumed_after = 0;
    RunEvents again;
    again.resumed = [&](int frame, double) { resumed_after = frame; };
    const auto run = begin(falling_block(9), place.file("run"), true, again);
    EXPECT_GE(resumed_after, 1);
    EXPECT_EQ(status_of(run->folder()), "none") << "it is no longer at its end";
    ASSERT_EQ(run->complete(), Run::Status::finished);
    EXPECT_EQ(hash_of(*run), expected);
}

TEST(Run, resumes_at_its_end_without_computing_anything) {
    const TemporaryFolder place;
    ASSERT_EQ(begin(falling_block(3), place.file("run"))->complete(), Run::Status::finished);
    const auto run = begin(falling_block(3), place.file("run"), true);
    EXPECT_EQ(run->complete(), Run::Status::finished);
    EXPECT_EQ(frames_on_disk(run->folder()), (std::vector{1, 2, 3}));
    EXPECT_EQ(status_of(run->folder()), "done");
}

TEST(Run, cannot_be_resumed_with_another_scene) {
    const TemporaryFolder place;
    ASSERT_EQ(begin(falling_block(3), place.file("run"))->complete(), Run::Status::finished);
    Scene other = falling_block(6);
    other.gravity.y = -1;
    const auto refused = Run::begin(other, {place.file("run"), 1, true});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ExitCode::wrong_input);
    EXPECT_NE(to_string(refused.error()).find("/gravity"), std::string::npos) << to_string(refused.error());
    Scene longer = falling_block(6);
    longer.materials.front().color = "#00ff00";  // only for pictures
    EXPECT_EQ(begin(longer, place.file("run"), true)->complete(), Run::Status::finished);
}

TEST(Run, has_its_folder_for_itself) {
    const TemporaryFolder place;
    const auto run = begin(falling_block(3), place.file("run"));
    const auto second = Run::begin(falling_block(3), {place.file("run"), 1, true});
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ExitCode::wrong_input);
}

/// The frames after the checkpoint are computed again with at most half of the step, then with a quarter.
TEST(Run, repeats_a_frame_that_diverged_with_shorter_steps) {
    const TemporaryFolder place;
    std::vector<Repetition> repetitions;
    std::vector<std::string> warnings;
    std::map<int, double> longest, longest_again;  // step by frame
    RunEvents events;
    events.log.warning = [&](const std::string& text) { warnings.push_back(text); };
    events.repeating = [&](const Repetition& repetition) { repetitions.push_back(repetition); };
    events.step = [&](const StepInfo& info) {
        if (repetitions.size() > 1) return;
        double& dt = (repetitions.empty() ? longest : longest_again)[info.frame];
        dt = std::max(dt, info.dt);
    };
    const auto run = begin(crushed_block(), place.file("run"), false, events);
    const auto end = run->complete();
    ASSERT_FALSE(end) << "there is no room for the fluid";
    EXPECT_EQ(end.error().code, ExitCode::diverged);
    ASSERT_EQ(repetitions.size(), 2u);
    EXPECT_EQ(repetitions[0].share_of_dt, 0.5);
    EXPECT_EQ(repetitions[1].share_of_dt, 0.25);
    for (const Repetition& repetition : repetitions) EXPECT_LT(repetition.from_frame, repetition.frame);
    for (const char* words : {"with half the time step", "with a quarter of the time step"}) {
        EXPECT_TRUE(std::any_of(warnings.begin(), warnings.end(),
                                [&](const std::string& text) { return text.ends_with(words); }));
    }
    const int first = repetitions[0].from_frame + 1;
    ASSERT_TRUE(longest.contains(first) && longest_again.contains(first));
    // A frame has a whole number of steps: where 11 were needed, 20 are enough for half the step.
    EXPECT_LE(longest_again[first], 0.55 * longest[first]);
    EXPECT_EQ(status_of(run->folder()), "diverged");
    EXPECT_NE(to_string(end.error()).find(run->folder().checkpoints().front().path), std::string::npos);
    const auto manifest = run->folder().read_manifest();
    ASSERT_EQ(manifest->find("repeats")->elements.size(), 2u);
    EXPECT_EQ(manifest->find("repeats")->elements[0].find("frame")->number, repetitions[0].frame);
    EXPECT_EQ(listed_frames(run->folder()), frames_on_disk(run->folder()));
}

TEST(Run, a_fixed_step_is_not_shortened) {
    const TemporaryFolder place;
    Scene scene = crushed_block();
    scene.time.fixed_dt = 1.0 / 120;
    int repetitions = 0;
    RunEvents events;
    events.repeating = [&](const Repetition&) { ++repetitions; };
    const auto run = begin(scene, place.file("run"), false, events);
    EXPECT_FALSE(run->complete());
    EXPECT_EQ(repetitions, 0);
    EXPECT_EQ(listed_frames(run->folder()), frames_on_disk(run->folder()));
}

}  // namespace
}  // namespace treacle
