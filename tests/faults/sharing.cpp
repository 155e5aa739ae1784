#include <chrono>
#include <thread>

#include "faults/faults.h"

/// Other processes at work in the folder of a run.

namespace treacle::test {
namespace {

class Sharing : public Faults {
protected:
    /// A run that continues until it is stopped, once some frames are there. Its output goes to "<folder>.txt".
    pid_t start_long(const std::string& folder, const std::vector<std::string>& more = {}) const {
        std::vector<std::string> arguments = run(folder, {"--duration", "1000", "--quiet"});
        arguments.insert(arguments.end(), more.begin(), more.end());
        const pid_t child = start(arguments, words_of(folder));
        while (!exists(folder + "/frames/frame.0003.ply")) {
            if (waitpid(child, nullptr, WNOHANG) != 0) {
                ADD_FAILURE() << "it ended: " << content_of(file(folder + ".txt"));
                break;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return child;
    }
    static World words_of(const std::string& folder) { return {{}, {}, folder + ".txt"}; }
};

TEST_F(Sharing, ASecondRunIsRefusedWhileTheFirstGoesOn) {
    const pid_t first = start_long("run");
    const std::string holder = "process " + std::to_string(first);
    const Outcome second = treacle(run("run", {"--set", "/materials/slime/viscosity=300"}));
    EXPECT_EQ(second.code, 2) << second.text;
    EXPECT_TRUE(contains(second.text, holder + " is writing a run to this folder")) << second.text;
    const Outcome resumed = treacle(run("run", {"--resume", "--duration", "2000"}));
    EXPECT_EQ(resumed.code, 2) << resumed.text;
    EXPECT_TRUE(contains(resumed.text, holder)) << resumed.text;
    EXPECT_FALSE(exists("run.old"));

    for (const std::vector<std::string>& reading :
         {std::vector<std::string>{"info", "run"},
          {"render", "run", "--frame", "2", "--width", "32", "--height", "32", "--samples", "1", "--quiet"},
          {"export", "run", "--to", "csv", "--frames", "1:2", "--quiet"}}) {
        const Outcome outcome = treacle(reading);
        EXPECT_EQ(outcome.code, 0) << reading[0] << ": " << outcome.text;
    }
    EXPECT_EQ(kill(first, 0), 0);
    kill(first, SIGTERM);
    const Outcome stopped = wait_for(first, words_of("run"));
    EXPECT_EQ(stopped.code, 128 + SIGTERM) << stopped.text;
    const auto rows = rows_of(file("run/metrics.csv"));
    EXPECT_EQ(rows.size(), 1 + open_run("run").frames("ply").size());
    EXPECT_FALSE(exists("run/.treacle.lock"));
}

TEST_F(Sharing, ManyRunsAtOnceLeaveOneWholeRun) {
    run_undisturbed({"--quiet"});
    for (int round = 0; round < 3 && !HasFailure(); ++round) {  // into a new folder, then over the existing run
        std::vector<pid_t> children;
        for (int n = 0; n < 6; ++n) {
            children.push_back(start(run("run", {"--quiet"}), {{}, {}, std::to_string(n) + ".txt"}));
        }
        int done = 0;
        for (int n = 0; n < 6; ++n) {
            const Outcome outcome =
                wait_for(children[static_cast<std::size_t>(n)], {{}, {}, std::to_string(n) + ".txt"});
            EXPECT_TRUE(outcome.code == 0 || outcome.code == 2) << outcome.code << ": " << outcome.text;
            EXPECT_EQ(outcome.code == 2, contains(outcome.text, "is writing a run to this folder")) << outcome.text;
            done += outcome.code == 0;
        }
        EXPECT_GE(done, 1);
        expect_as_undisturbed("run");
    }
}

TEST_F(Sharing, AfterKillNineTheNextOneIsLetIn) {
    run_undisturbed({"--quiet"});
    const pid_t first = start_long("run");
    kill(first, SIGKILL);
    ASSERT_TRUE(wait_for(first, words_of("run")).killed);
    EXPECT_TRUE(exists("run/.treacle.lock")) << "nobody could take it away";
    const pid_t second = start_long("run", {"--resume"});
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    kill(second, SIGTERM);
    const Outcome resumed = wait_for(second, words_of("run"));
    EXPECT_EQ(resumed.code, 128 + SIGTERM) << resumed.text;
    const Outcome anew = treacle(run("run", {"--quiet"}));
    EXPECT_EQ(anew.code, 0) << anew.text;
    expect_as_undisturbed("run");
    EXPECT_TRUE(exists("run.old/manifest.json"));
}

TEST_F(Sharing, AFolderThatIsDeletedEndsTheRun) {
    const pid_t child = start_long("run");
    for (std::error_code error; exists("run");) fs::remove_all(file("run"), error);  // new files may come in between
    const Outcome outcome = wait_for(child, words_of("run"));
    EXPECT_EQ(outcome.code, 4) << outcome.text;
    EXPECT_TRUE(contains(outcome.text, "error: run") && contains(outcome.text, "deleted")) << outcome.text;
}

TEST_F(Sharing, AFolderThatIsRenamedEndsTheRunAndStaysWhole) {
    const pid_t child = start_long("run");
    fs::rename(file("run"), file("elsewhere"));
    const Outcome outcome = wait_for(child, words_of("run"));
    EXPECT_EQ(outcome.code, 4) << outcome.text;
    EXPECT_TRUE(contains(outcome.text, "deleted or renamed")) << outcome.text;
    EXPECT_FALSE(exists("run")) << "the rest went into a new folder";
    EXPECT_TRUE(resumable("elsewhere"));
}

}  // namespace
}  // namespace treacle::test
