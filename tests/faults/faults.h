#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <fcntl.h>

#include <csignal>
#include <filesystem>
#include <functional>

#include <gtest/gtest.h>

#include "core/json.h"
#include "io/ply.h"
#include "io/run_folder.h"
#include "checkpoint/checkpoint.h"
#include "support/temporary_folder.h"

namespace treacle::test {

namespace fs = std::filesystem;

struct Outcome {
    int code;          ///< 128 + signal if a signal ended it, as in a shell
    bool killed;       ///< by a signal
    std::string text;  ///< stdout and stderr
};

/// The environment in which the program is started.
struct World {
    std::string disk{};                 ///< plan for support/failing_disk.cpp; empty = a disk that works
    std::function<void()> prepare{};    ///< called in the child before the program starts
    std::string output = "output.txt";  ///< file for stdout and stderr
};

/// The whole program under adverse conditions: a small run, the same run undisturbed, and checks after every mishap.
class Faults : public testing::Test {
protected:
    void SetUp() override {
        put_content(file("dam.json"), R"({
  "treacle": 1, "method": "clavet2005", "dimension": 2, "particle_spacing": 0.02, "gravity": [0, -9.81],
  "time": { "duration": 0.1, "fps": 50 },
  "materials": { "slime": { "viscosity": 0.5, "shear_modulus": 20, "relaxation_time": 1 } },
  "fluids": [ { "material": "slime", "shape": { "box": { "center": [0.1, 0.1], "size": [0.16, 0.16] } } } ],
  "solids": [ { "name": "tank", "invert": true, "shape": { "box": { "center": [0.3, 0.5], "size": [0.6, 1] } } } ],
  "output": { "checkpoint_interval": 2 }
})");
    }

    std::string file(const std::string& name) const { return folder_.file(name); }
    bool exists(const std::string& name) const { return fs::exists(file(name)); }

    pid_t start(const std::vector<std::string>& arguments, const World& world = {}) const {
        std::vector<char*> words{const_cast<char*>("treacle")};
        for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
        words.push_back(nullptr);
        const pid_t child = fork();
        if (child != 0) return child;
        if (chdir(folder_.path().c_str()) != 0) _exit(99);
        const int output = open(world.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        const int program = open(TREACLE_PROGRAM, O_RDONLY | O_CLOEXEC);  // before privileges are dropped
        dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
        if (!world.disk.empty()) {
            setenv("TREACLE_FAILING_DISK", world.disk.c_str(), 1);
            setenv("LD_PRELOAD", TREACLE_FAILING_DISK_LIBRARY, 1);
            setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
        }
        if (world.prepare) world.prepare();
        fexecve(program, words.data(), environ);
        _exit(98);
    }

    Outcome wait_for(pid_t child, const World& world = {}) const {
        int status = 0;
        waitpid(child, &status, 0);
        const bool killed = WIFSIGNALED(status);
        return {killed ? 128 + WTERMSIG(status) : WEXITSTATUS(status), killed, content_of(file(world.output))};
    }

    Outcome treacle(const std::vector<std::string>& arguments, const World& world = {}) const {
        return wait_for(start(arguments, world), world);
    }

    /// Arguments for the small run.
    static std::vector<std::string> run(const std::string& folder, std::vector<std::string> more = {}) {
        more.insert(more.begin(), {"run", "dam.json", "-o", folder, "--no-preview", "--threads", "2"});
        return more;
    }

    /// The run that nothing disturbs, under the name "whole".
    void run_undisturbed(const std::vector<std::string>& more = {}) {
        const Outcome outcome = treacle(run("whole", more));
        ASSERT_EQ(outcome.code, 0) << outcome.text;
    }

    RunFolder open_run(const std::string& name) const {
        auto folder = RunFolder::open(file(name));
        if (!folder) throw std::runtime_error(to_string(folder.error()));
        return *folder;
    }
    bool resumable(const std::string& name) const {
        const auto folder = RunFolder::open(file(name));
        return folder && !folder->checkpoints().empty();
    }

    /// Rows without the wall time.
    static std::vector<std::string> rows_of(const std::string& path) {
        std::vector<std::string> rows;
        std::istringstream text(content_of(path));
        std::size_t wall_time = 0;
        for (std::string line; std::getline(text, line);) {
            if (text.eof()) break;  // half a row
            std::istringstream fields(line);
            std::string row;
            std::size_t place = 0;
            for (std::string field; std::getline(fields, field, ','); ++place) {
                if (rows.empty() && field == "wall_seconds") wall_time = place;
                row += place == wall_time && !rows.empty() ? "," : field + ",";
            }
            rows.push_back(row);
        }
        return rows;
    }

    /// Checks the files after a mishap: each with a final name is whole, and as in the undisturbed run.
    void expect_nothing_torn(const std::string& name) const {
        const auto opened = RunFolder::open(file(name));
        if (!opened) {
            EXPECT_FALSE(exists(name + "/manifest.json")) << to_string(opened.error());
            return;
        }
        const RunFolder whole = open_run("whole");
        int number = 0;
        for (const NumberedFile& frame : opened->frames("ply")) {
            EXPECT_EQ(frame.frame, ++number) << "a frame is missing";
            EXPECT_EQ(content_of(frame.path), content_of(whole.frame_file(frame.frame, "ply"))) << frame.path;
        }
        const auto checkpoints = opened->checkpoints();
        for (const NumberedFile& checkpoint : checkpoints) {
            const auto loaded = load_checkpoint(checkpoint.path);
            EXPECT_TRUE(loaded) << to_string(loaded.error());
            EXPECT_LE(checkpoint.frame, number) << "a frame is lost for good";
        }
        const auto rows = rows_of(opened->metrics_file()), all = rows_of(whole.metrics_file());
        ASSERT_LE(rows.size(), all.size());
        EXPECT_TRUE(std::equal(rows.begin(), rows.end(), all.begin())) << "metrics.csv";
    }

    /// Like a person: resumes if possible, otherwise starts again.
    void finish(const std::string& name, std::vector<std::string> more = {}) {
        if (resumable(name)) more.emplace_back("--resume");
        const Outcome outcome = treacle(run(name, more));
        ASSERT_EQ(outcome.code, 0) << outcome.text;
    }

    std::string hash_of(const std::string& name) const {
        const auto summary = read_json_file(file(name) + "/summary.json");
        const Json* hash = summary ? summary->find("state_hash") : nullptr;
        return hash ? hash->text : "none";
    }

    void expect_as_undisturbed(const std::string& name) const {
        EXPECT_NE(hash_of(name), "none");
        EXPECT_EQ(hash_of(name), hash_of("whole"));
        expect_nothing_torn(name);
        EXPECT_EQ(open_run(name).frames("ply").size(), open_run("whole").frames("ply").size());
        EXPECT_EQ(rows_of(file(name) + "/metrics.csv"), rows_of(file("whole/metrics.csv")));
        EXPECT_EQ(content_of(file(name) + "/bodies.csv"), content_of(file("whole/bodies.csv")));
        EXPECT_EQ(content_of(file(name) + "/bodies/tank.ply"), content_of(file("whole/bodies/tank.ply")));
        const auto manifest = open_run(name).read_manifest(), expected = open_run("whole").read_manifest();
        ASSERT_TRUE(manifest && expected);
        EXPECT_EQ(to_text(*manifest), to_text(*expected));
        for (const auto& entry : fs::recursive_directory_iterator(file(name))) {
            EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
        }
    }

    TemporaryFolder folder_{memory_folder()};
};

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Every disk call in the long tests, every few otherwise. Sanitizers make processes slow.
inline int call_stride() { return std::getenv("TREACLE_EVERY_CALL") ? 1 : TREACLE_SANITIZED ? 41 : 5; }

}  // namespace treacle::test
