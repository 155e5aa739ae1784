#include "faults/faults.h"
#include "support/mutator.h"

/// Files of a run that were damaged later.

namespace treacle::test {
namespace {

void cut_in_half(const std::string& path) { fs::resize_file(path, fs::file_size(path) / 2); }

TEST_F(Faults, ADamagedCheckpointIsPassedOver) {
    run_undisturbed({"--quiet"});
    ASSERT_EQ(treacle(run("run", {"--frames", "5", "--quiet"})).code, 0);
    const auto checkpoints = open_run("run").checkpoints();
    ASSERT_EQ(checkpoints.size(), 3u);
    cut_in_half(checkpoints[0].path);
    put_content(checkpoints[1].path, "");
    const Outcome resumed = treacle(run("run", {"--resume"}));
    EXPECT_EQ(resumed.code, 0) << resumed.text;
    EXPECT_TRUE(contains(resumed.text, "warning: ") && contains(resumed.text, "is cut short") &&
                contains(resumed.text, "is empty"))
        << resumed.text;
    expect_as_undisturbed("run");
}

TEST_F(Faults, WithoutACheckpointThatCanBeReadNothingIsTouched) {
    run_undisturbed({"--quiet"});
    ASSERT_EQ(treacle(run("run", {"--quiet"})).code, 0);
    for (const NumberedFile& checkpoint : open_run("run").checkpoints()) cut_in_half(checkpoint.path);
    const Outcome resumed = treacle(run("run", {"--resume", "--duration", "1"}));
    EXPECT_EQ(resumed.code, 4) << resumed.text;
    EXPECT_TRUE(contains(resumed.text, "error: ") && contains(resumed.text, "none of the checkpoints")) << resumed.text;
    EXPECT_EQ(open_run("run").frames("ply").size(), 6u);
    fs::remove_all(file("run/checkpoints"));
    const Outcome none = treacle(run("run", {"--resume"}));
    EXPECT_EQ(none.code, 4) << none.text;
    EXPECT_TRUE(contains(none.text, "without --resume")) << none.text;
}

TEST_F(Faults, ADamagedFrameIsNamed) {
    run_undisturbed({"--quiet"});
    cut_in_half(file("whole/frames/frame.0006.ply"));
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"info", "whole"},
                                                      {"render", "whole"},
                                                      {"render", "whole", "--video", "video.mp4"}}) {
        const Outcome outcome = treacle(arguments);
        EXPECT_EQ(outcome.code, 4) << outcome.text;
        EXPECT_TRUE(contains(outcome.text, "frames/frame.0006.ply") && contains(outcome.text, "cut short"))
            << outcome.text;
    }
    EXPECT_EQ(treacle({"render", "whole", "--frame", "5", "--width", "32", "--height", "32", "--samples", "1"}).code,
              0);
}

TEST_F(Faults, ADamagedManifestIsNamed) {
    run_undisturbed({"--quiet"});
    put_content(file("whole/manifest.json"), "{ \"treacle\": 1,\n");
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"info", "whole"}, run("whole", {"--resume"})}) {
        const Outcome outcome = treacle(arguments);
        EXPECT_EQ(outcome.code, 2) << outcome.text;
        EXPECT_TRUE(contains(outcome.text, "whole/manifest.json") && contains(outcome.text, "ends too early"))
            << outcome.text;
    }
}

TEST_F(Faults, NoDamageToARunCrashesTheProgram) {
    run_undisturbed({"--quiet"});
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(file("whole"))) {
        if (entry.is_regular_file()) files.push_back(fs::relative(entry.path(), file("whole")).string());
    }
    std::sort(files.begin(), files.end());
    const std::vector<std::string> words{"{",  "}",     "[",   "]",  ",",     "\"",    "null",
                                         "-1", "1e300", "nan", "\n", "scene", "vertex"};
    constexpr std::uint32_t seeds = TREACLE_SANITIZED ? 15 : 60;  // three processes each
    for (std::uint32_t seed = 0; seed < seeds && !HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Mutator mutator(seed, words);
        fs::remove_all(file("run"));
        fs::copy(file("whole"), file("run"), fs::copy_options::recursive);
        const std::string& name = files[mutator.below(files.size())];
        const std::string damaged =
            mutator.bytes(content_of(file("run/" + name)), content_of(file("run/manifest.json")));
        put_content(file("run/" + name), damaged);
        const std::string frame = std::to_string(1 + mutator.below(6));
        for (const std::vector<std::string>& arguments : {std::vector<std::string>{"info", "run"},
                                                          {"render", "run", "--frame", frame, "--width", "32",
                                                           "--height", "32", "--samples", "1", "--threads", "1"},
                                                          run("run", {"--resume", "--frames", "7"})}) {
            const Outcome outcome = treacle(arguments);
            EXPECT_TRUE(outcome.code == 0 || outcome.code == 2 || outcome.code == 4)
                << name << ": " << arguments[0] << " ended with " << outcome.code << "\n"
                << outcome.text;
            EXPECT_FALSE(contains(outcome.text, "internal error")) << name << ": " << outcome.text;
        }
    }
}

}  // namespace
}  // namespace treacle::test
