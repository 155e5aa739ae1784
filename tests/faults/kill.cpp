#include <chrono>
#include <random>
#include <thread>

#include "faults/faults.h"

/// kill -9, Ctrl-C and other ways to be stopped.

namespace treacle::test {
namespace {

TEST_F(Faults, KillsAtRandomMoments) {
    constexpr int wanted = TREACLE_SANITIZED ? 8 : 50;
    run_undisturbed({"--quiet"});
    const auto before = std::chrono::steady_clock::now();
    ASSERT_EQ(treacle(run("timed", {"--quiet"})).code, 0);
    const auto whole_time = std::chrono::steady_clock::now() - before;
    std::mt19937 random(1);
    int kills = 0, runs = 0;
    while (kills < wanted && !HasFailure()) {
        const std::string name = "run" + std::to_string(++runs);
        bool done = false;
        while (!done && kills < wanted && !HasFailure()) {
            const pid_t child =
                start(run(name, resumable(name) ? std::vector<std::string>{"--resume"} : std::vector<std::string>{}));
            std::this_thread::sleep_for(whole_time * static_cast<double>(random() % 1000) / 1000);
            kill(child, SIGKILL);
            const Outcome outcome = wait_for(child);
            done = !outcome.killed;
            kills += outcome.killed;
            EXPECT_TRUE(done ? outcome.code == 0 : outcome.code == 128 + SIGKILL) << outcome.text;
            expect_nothing_torn(name);
            // Announced files exist.
            const std::size_t said = outcome.text.rfind("frame ");
            const int frame = said == std::string::npos || done ? 0 : std::atoi(outcome.text.c_str() + said + 6);
            EXPECT_TRUE(frame == 0 || fs::exists(open_run(name).frame_file(frame, "ply"))) << frame;
        }
        finish(name, {"--quiet"});
        expect_as_undisturbed(name);
    }
    RecordProperty("runs", runs);
}

TEST_F(Faults, KilledAtEachCallToTheDisk) {
    run_undisturbed({"--quiet"});
    for (int call = 1; !HasFailure(); call += call_stride()) {
        SCOPED_TRACE("killed at call " + std::to_string(call));
        fs::remove_all(file("run"));
        fs::remove_all(file("run.old"));
        const Outcome outcome = treacle(run("run"), {std::to_string(call) + " kill"});
        expect_nothing_torn("run");
        if (outcome.code == 0) {
            EXPECT_GT(call, 100) << "not that many calls?";
            break;
        }
        ASSERT_EQ(outcome.code, 128 + SIGKILL) << outcome.text;
        if (resumable("run")) {  // killed again while it recovers
            treacle(run("run", {"--resume"}), {std::to_string(1 + call % 17) + " kill"});
            expect_nothing_torn("run");
        }
        finish("run");
        expect_as_undisturbed("run");
    }
}

TEST_F(Faults, KilledWhileOlderRunsAreMovedAway) {
    run_undisturbed({"--quiet"});
    fs::create_directory(file("start"));
    fs::copy(file("whole"), file("start/run"), fs::copy_options::recursive);
    fs::copy(file("whole"), file("start/run.old"), fs::copy_options::recursive);
    for (int call = 1; !HasFailure(); call += call_stride()) {
        SCOPED_TRACE("killed at call " + std::to_string(call));
        fs::remove_all(file("now"));
        fs::copy(file("start"), file("now"), fs::copy_options::recursive);
        const Outcome outcome = treacle(run("now/run"), {std::to_string(call) + " kill"});
        ASSERT_EQ(outcome.code, 128 + SIGKILL) << outcome.text;
        const bool kept = hash_of("now/run") == hash_of("whole") || hash_of("now/run.old") == hash_of("whole");
        EXPECT_TRUE(kept) << "both older runs are gone";
        const bool begun = resumable("now/run") && hash_of("now/run") == "none";
        if (!begun) finish("now/run", {"--quiet"});
        expect_nothing_torn("now/run");
        if (begun) break;
    }
}

/// Sends a signal to stop, once some frames are there.
class StopSignals : public Faults, public testing::WithParamInterface<int> {};

TEST_P(StopSignals, SaveAndSayHowToResume) {
    const std::string scene = "it's a dam.json";
    fs::rename(file("dam.json"), file(scene));
    constexpr int frames = TREACLE_SANITIZED ? 25 : 100;
    const std::vector<std::string> arguments{
        "run", scene, "--no-preview", "--set", R"(/name="o'clock")", "--duration", std::to_string(0.02 * frames)};
    auto with = [&](const std::string& folder) {
        auto all = arguments;
        all.insert(all.end(), {"-o", folder});
        return all;
    };
    const pid_t child = start(with("a run"));
    while (!exists("a run/frames/frame.0003.ply")) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kill(child, GetParam());
    const Outcome stopped = wait_for(child);
    EXPECT_FALSE(stopped.killed);
    ASSERT_EQ(stopped.code, 128 + GetParam()) << stopped.text;
    const auto summary = read_json_file(file("a run/summary.json"));
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->find("status")->text, "stopped");
    const int frame = static_cast<int>(summary->find("frames")->number);
    EXPECT_LE(frame, frames);
    EXPECT_EQ(open_run("a run").checkpoints().front().frame, frame);

    const std::string before = "To go on: treacle ";
    ASSERT_TRUE(contains(stopped.text, before)) << stopped.text;
    std::string command = stopped.text.substr(stopped.text.find(before) + before.size());
    command = "cd " + folder_.path() + " && " TREACLE_PROGRAM " " + command.substr(0, command.find('\n')) +
              " --quiet --no-preview";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    const Outcome whole = treacle(with("whole"));
    ASSERT_EQ(whole.code, 0) << whole.text;
    expect_as_undisturbed("a run");
}

INSTANTIATE_TEST_SUITE_P(Faults, StopSignals, testing::Values(SIGINT, SIGTERM, SIGHUP), [](const auto& signal) {
    return std::string(signal.param == SIGINT ? "SIGINT" : signal.param == SIGTERM ? "SIGTERM" : "SIGHUP");
});

}  // namespace
}  // namespace treacle::test
