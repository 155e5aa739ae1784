#include <gtest/gtest.h>

#include "support/run_program.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <thread>

/// The program as seen by a person or a script: its output and its exit code.

namespace {

namespace fs = std::filesystem;

using treacle::test::Outcome;

class Commands : public testing::Test {
protected:
    void SetUp() override {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ =
            fs::temp_directory_path() / ("treacle_cli_" + std::string(test->name()) + "_" + std::to_string(getpid()));
        fs::create_directories(folder_);
        write("dam.json", R"({
  // a small dam
  "treacle": 1, "method": "clavet2005", "dimension": 2, "particle_spacing": 0.02, "gravity": [0, -9.81],
  "time": { "duration": 0.2, "fps": 50 },
  "materials": { "water": { "viscosity": 0.5 } },
  "fluids": [ { "material": "water", "shape": { "box": { "center": [0.1, 0.1], "size": [0.2, 0.2] } } } ],
  "solids": [ { "name": "tank", "invert": true, "shape": { "box": { "center": [0.3, 0.5], "size": [0.6, 1] } } } ],
  "output": { "checkpoint_interval": 2 }
})");
    }
    void TearDown() override { fs::remove_all(folder_); }

    void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
    std::string read(const std::string& name) const {
        std::ostringstream text;
        text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
        return text.str();
    }
    bool exists(const std::string& name) const { return fs::exists(folder_ / name); }
    std::string hash_of(const std::string& run) const {
        const std::string text = read(run + "/summary.json");
        const auto at = text.find("state_hash");
        return at == std::string::npos ? "none" : text.substr(at + 14, 16);
    }

    Outcome treacle(const std::string& arguments) const {
        return treacle::test::run_program(arguments, "cd " + folder_.string() + " &&");
    }

    fs::path folder_;
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(Commands, RunWritesTheRunFolder) {
    const Outcome run = treacle("run dam.json --no-preview");
    ASSERT_EQ(run.code, 0) << run.text;
    EXPECT_TRUE(contains(run.text, "frame 11/11")) << run.text;  // one plain line per frame: this is not a terminal
    EXPECT_TRUE(contains(run.text, "sound speed"));              // the limit of dt
    for (const char* file : {"manifest.json", "frames/frame.0001.ply", "frames/frame.0011.ply", "bodies/tank.ply",
                             "bodies.csv", "metrics.csv", "summary.json"}) {
        EXPECT_TRUE(exists(std::string("out/dam/") + file)) << file;
    }
    EXPECT_FALSE(exists("out/dam/frames/frame.0012.ply"));
    EXPECT_FALSE(fs::is_empty(folder_ / "out/dam/checkpoints"));
    std::istringstream metrics(read("out/dam/metrics.csv"));
    std::string line;
    int rows = 0;
    std::getline(metrics, line);
    EXPECT_EQ(line,
              "frame,time,steps,dt_min,dt_mean,particles,mass,volume_sum,volume_clamped,density_error_mean,"
              "density_error_max,iterations_mean,iterations_max,kinetic_energy,momentum_x,momentum_y,momentum_z,"
              "angular_momentum_x,angular_momentum_y,angular_momentum_z,com_x,com_y,com_z,min_x,min_y,min_z,"
              "max_x,max_y,max_z,speed_max,connections,components,wall_seconds,neighbors_mean,"
              "connections_between,connections_to_solids");
    while (std::getline(metrics, line)) ++rows;
    EXPECT_EQ(rows, 11);
    EXPECT_TRUE(contains(read("out/dam/frames/frame.0001.ply"), "element vertex 100"));
}

TEST_F(Commands, ASecondRunKeepsTheFirstAsOld) {
    ASSERT_EQ(treacle("run dam.json --frames 2 --no-preview --quiet").code, 0);
    ASSERT_EQ(treacle("run dam.json --frames 3 --no-preview --quiet").code, 0);
    EXPECT_TRUE(exists("out/dam.old/frames/frame.0002.ply"));
    EXPECT_TRUE(exists("out/dam/frames/frame.0003.ply"));
    fs::create_directories(folder_ / "precious");
    write("precious/letter.txt", "dear");
    const Outcome refused = treacle("run dam.json -o precious");
    EXPECT_EQ(refused.code, 2) << refused.text;
    EXPECT_TRUE(exists("precious/letter.txt"));
}

TEST_F(Commands, ResumeGivesTheSameBitsAndALaterEnd) {
    ASSERT_EQ(treacle("run dam.json -o straight --no-preview --quiet --threads 1").code, 0);
    ASSERT_EQ(treacle("run dam.json -o parts --frames 5 --no-preview --quiet --threads 2").code, 0);
    EXPECT_NE(hash_of("straight"), hash_of("parts"));
    const Outcome resumed = treacle("run dam.json -o parts --resume --no-preview");
    ASSERT_EQ(resumed.code, 0) << resumed.text;
    EXPECT_EQ(hash_of("straight"), hash_of("parts"));
    EXPECT_EQ(read("straight/frames/frame.0011.ply"), read("parts/frames/frame.0011.ply"));
}

TEST_F(Commands, ResumeRefusesAChangedMesh) {
    const std::string faces = "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", corners = "v 0 0 0\nv 0.1 0 0\nv 0 0 0.1\n";
    write("stone.obj", corners + "v 0 -0.1 0\n" + faces);
    write("drop.json",
          R"({ "treacle": 1, "method": "clavet2005", "particle_spacing": 0.02, "time": { "duration": 0.1, "fps": 50 },
      "materials": { "water": { "viscosity": 0.5 } },
      "fluids": [ { "material": "water", "shape": { "box": { "center": [0, 0.1, 0], "size": [0.06, 0.06, 0.06] } } } ],
      "solids": [ { "name": "stone", "shape": { "mesh": "stone.obj" } } ] })");
    ASSERT_EQ(treacle("run drop.json -o run --frames 2 --no-preview --quiet").code, 0);
    write("stone.obj", "# the same stone\n" + corners + "v 0 -0.1 0\n" + faces);
    const Outcome same = treacle("run drop.json -o run --frames 3 --resume --no-preview --quiet");
    ASSERT_EQ(same.code, 0) << same.text;
    write("stone.obj", corners + "v 0 -0.2 0\n" + faces);
    const Outcome refused = treacle("run drop.json -o run --resume --no-preview --quiet");
    EXPECT_EQ(refused.code, 2) << refused.text;
    EXPECT_TRUE(contains(refused.text, "stone.obj: has changed since the run in run")) << refused.text;
}

TEST_F(Commands, ResumeRefusesAnotherSceneByKey) {
    ASSERT_EQ(treacle("run dam.json -o run --frames 3 --no-preview --quiet").code, 0);
    const Outcome refused = treacle("run dam.json -o run --resume --set /materials/water/viscosity=7");
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(contains(refused.text, "/materials/water/viscosity")) << refused.text;
    EXPECT_EQ(treacle("run dam.json -o nowhere --resume").code, 2);
}

TEST_F(Commands, ADamagedCheckpointIsPassedOverWithAReason) {
    ASSERT_EQ(treacle("run dam.json -o run --frames 6 --no-preview --quiet").code, 0);
    std::vector<fs::path> files(fs::directory_iterator(folder_ / "run/checkpoints"), fs::directory_iterator());
    std::sort(files.begin(), files.end());
    ASSERT_GE(files.size(), 2u);
    fs::resize_file(files.back(), fs::file_size(files.back()) / 2);
    const Outcome resumed = treacle("run dam.json -o run --resume --no-preview");
    EXPECT_EQ(resumed.code, 0) << resumed.text;
    EXPECT_TRUE(contains(resumed.text, "warning:")) << resumed.text;
    EXPECT_TRUE(exists("run/frames/frame.0011.ply"));
    ASSERT_EQ(treacle("run dam.json -o straight --no-preview --quiet").code, 0);
    EXPECT_EQ(hash_of("run"), hash_of("straight"));
}

TEST_F(Commands, StopSignalsEndAfterAStepAndCanBeResumed) {
    for (const int signal : {SIGINT, SIGTERM}) {
        fs::remove_all(folder_ / "cut");
        const pid_t child = fork();
        if (child == 0) {
            if (chdir(folder_.c_str()) != 0) _exit(99);
            if (!freopen("/dev/null", "w", stdout)) _exit(99);
            execl(TREACLE_PROGRAM, "treacle", "run", "dam.json", "-o", "cut", "--duration", "60", "--no-preview",
                  nullptr);
            _exit(99);
        }
        while (!exists("cut/frames/frame.0003.ply")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        kill(child, signal);
        int status = 0;
        waitpid(child, &status, 0);
        ASSERT_TRUE(WIFEXITED(status));
        EXPECT_EQ(WEXITSTATUS(status), 128 + signal);
        EXPECT_TRUE(contains(read("cut/summary.json"), "stopped"));
    }
    // A stop may come in the middle of a frame; the result must not depend on when.
    std::size_t frames = 0;
    for (const auto& file : fs::directory_iterator(folder_ / "cut/frames")) frames += file.path().extension() == ".ply";
    const std::string end = "--frames " + std::to_string(frames + 3) + " --no-preview --quiet";
    const Outcome resumed = treacle("run dam.json -o cut --resume " + end);
    ASSERT_EQ(resumed.code, 0) << resumed.text;
    ASSERT_EQ(treacle("run dam.json -o straight " + end).code, 0);
    EXPECT_EQ(hash_of("cut"), hash_of("straight"));
}

TEST_F(Commands, TenMistakesGetTenMessages) {
    write("wrong.json", R"({
  "treacle": 1, "method": "clavet2005", "dimension": 2, "particle_spacing": -0.02,
  "gravty": [0, -9.81],
  "time": { "duration": "long", "fps": 0 },
  "materials": { "water": { "viscosity": -1, "densty": 1000, "color": "blue" } },
  "fluids": [ { "material": "watr", "shape": { "box": { "center": [0, 0], "size": [0.2] } } } ],
  "solids": [ { "name": "floor", "shape": { "plane": { "normal": [0, 0], "offset": 0 } }, "friction": "slippery" } ]
})");
    const Outcome outcome = treacle("check wrong.json");
    EXPECT_EQ(outcome.code, 2);
    int messages = 0;
    std::istringstream lines(outcome.text);
    for (std::string line; std::getline(lines, line);) messages += line.rfind("error: wrong.json:", 0) == 0;
    EXPECT_EQ(messages, 11) << outcome.text;
    for (const char* part :
         {"did you mean \"gravity\"", "did you mean \"density\"", "did you mean \"water\"", "/particle_spacing",
          "/time/duration", "/time/fps", "/materials/water/viscosity", "/materials/water/color",
          "/fluids/0/shape/box/size", "/solids/0/shape/plane/normal", "/solids/0/friction", "Pa·s", "wrong.json:4"}) {
        EXPECT_TRUE(contains(outcome.text, part)) << part << "\n" << outcome.text;
    }
}

TEST_F(Commands, WrongInputIsExitTwoWithAClearSentence) {
    const auto expect = [&](const std::string& arguments, const std::string& part) {
        const Outcome outcome = treacle(arguments);
        EXPECT_EQ(outcome.code, 2) << arguments << "\n" << outcome.text;
        EXPECT_TRUE(contains(outcome.text, part)) << arguments << "\n" << outcome.text;
    };
    expect("run dam.json --wings", "wings");
    expect("fly", "fly");
    expect("run missing.json", "missing.json");
    expect("run dam.json --frames 0", "--frames");
    expect("run dam.json --frames 2147483647", "at most");
    expect("run dam.json --duration 1e300", "at most");
    expect("run dam.json --duration nan", "--duration");
    expect("run dam.json --threads 0", "threads");
    expect("run dam.json --set nonsense", "--set");
    expect("run dam.json --set /particle_spacng=1", "did you mean");
    expect("run dam.json --method clavet2004", "clavet2005");
    expect("check dam.json --set /particle_spacing=1e-7", "particles");
    expect("run dam.json --set /particle_spacing=1e-5", "memory");
    expect("run dam.json --set /time/fixed_dt=0.003", "fixed_dt");
    expect("info .", "run");
    write("empty.json", "");
    expect("run empty.json", "empty.json");
    write("nothing.json",
          R"({ "treacle": 1, "method": "clavet2005", "particle_spacing": 0.1, "materials": {}, "fluids": [] })");
    expect("run nothing.json", "fluids");
    write("broken.json", "{ \"treacle\": 1,\n  \"method\" \"clavet2005\" }");
    expect("run broken.json", "broken.json:2");
}

TEST_F(Commands, APlaceThatCannotBeWrittenIsExitFour) {
    write("file", "in the way");
    const Outcome outcome = treacle("run dam.json -o file/run");
    EXPECT_EQ(outcome.code, 4) << outcome.text;
    EXPECT_TRUE(contains(outcome.text, "file")) << outcome.text;
}

TEST_F(Commands, DivergenceIsExitThreeAndKeepsTheLastCheckpoint) {
    const Outcome outcome = treacle(
        "run dam.json -o blast --no-preview --quiet --set /time/fixed_dt=0.02 "
        "--set /clavet2005/sound_speed=1000 --duration 4");
    EXPECT_EQ(outcome.code, 3) << outcome.text;
    EXPECT_TRUE(contains(outcome.text, "diverged")) << outcome.text;
    EXPECT_TRUE(contains(outcome.text, "The worst is particle")) << outcome.text;
    EXPECT_TRUE(contains(outcome.text, "/time/fixed_dt=0.01")) << outcome.text;  // advice
    EXPECT_TRUE(contains(outcome.text, "blast/checkpoints/checkpoint.0001.h5")) << outcome.text;
    EXPECT_TRUE(contains(read("blast/summary.json"), "diverged"));
    EXPECT_TRUE(contains(read("blast/manifest.json"), "\"repeats\": []"));  // a fixed step is not changed
}

/// A piston that leaves no room: no step is short enough, but two more tries are made.
TEST_F(Commands, AFailedFrameIsRepeatedWithShorterSteps) {
    write("crush.json",
          R"({ "treacle": 1, "method": "clavet2005", "dimension": 2, "particle_spacing": 0.02, "gravity": [0, 0],
      "time": { "duration": 1, "fps": 30 }, "output": { "checkpoint_interval": 3 },
      "materials": { "honey": { "viscosity": 1 } },
      "fluids": [ { "material": "honey", "shape": { "box": { "center": [0.2, 0.1], "size": [0.4, 0.2] } } } ],
      "solids": [ { "name": "tank", "invert": true, "shape": { "box": { "center": [0.2, 0.1], "size": [0.4, 0.2] } } },
                  { "name": "piston", "shape": { "box": { "center": [0.6, 0.1], "size": [0.4, 0.4] } }, "motion": {
                    "keyframes": [ { "time": 0.1 }, { "time": 0.6, "position": [-0.38, 0] } ] } } ] })");
    const Outcome outcome = treacle("run crush.json --no-preview");
    EXPECT_EQ(outcome.code, 3) << outcome.text;
    EXPECT_TRUE(contains(outcome.text, "with half the time step")) << outcome.text;
    EXPECT_TRUE(contains(outcome.text, "less room than the fluid needs")) << outcome.text;
    const std::string manifest = read("out/crush/manifest.json");
    EXPECT_TRUE(contains(manifest, "\"share_of_dt\": 0.5")) << manifest;
    EXPECT_TRUE(contains(manifest, "\"share_of_dt\": 0.25")) << manifest;

    // The frames on the way were computed again with at least twice as many steps, and resuming gives the same end.
    const std::string metrics = read("out/crush/metrics.csv");
    const Outcome again = treacle("run crush.json --no-preview --resume");
    EXPECT_EQ(again.code, 3) << again.text;
    EXPECT_EQ(read("out/crush/metrics.csv").substr(0, 500), metrics.substr(0, 500));
}

TEST_F(Commands, CheckTellsTheCost) {
    const Outcome outcome = treacle("check dam.json");
    EXPECT_EQ(outcome.code, 0);
    for (const char* part : {"100", "memory", "dt limit", "sound speed", "Re (water)"}) {
        EXPECT_TRUE(contains(outcome.text, part)) << part << "\n" << outcome.text;
    }
}

TEST_F(Commands, TellAboutThemselves) {
    EXPECT_TRUE(contains(treacle("methods").text, "clavet2005"));
    EXPECT_TRUE(contains(treacle("schema").text, "\"$schema\""));
    EXPECT_TRUE(contains(treacle("schema --markdown").text, "shear_modulus"));
    EXPECT_TRUE(contains(treacle("version").text, "0."));
    EXPECT_EQ(treacle("--help").code, 0);
    ASSERT_EQ(treacle("run dam.json --frames 2 --no-preview --quiet").code, 0);
    const Outcome info = treacle("info out/dam");
    EXPECT_EQ(info.code, 0);
    EXPECT_TRUE(contains(info.text, "state_hash")) << info.text;
}

class Reproduce : public Commands {
protected:
    void SetUp() override {
        Commands::SetUp();
        fs::create_directories(folder_ / "scenes/someone2000");
        fs::rename(folder_ / "dam.json", folder_ / "scenes/someone2000/dam.json");
        write("scenes/someone2000/dam.expect.json", R"({
  "title": "a dam",
  "runs": { "dam": { "scene": "dam.json", "reduced": { "duration": 0.04 } } },
  "claims": [
    { "id": "particles", "claim": "There are 100.", "paper": "100", "unit": "1", "low": 100, "high": 100,
      "measure": { "metric": "particles", "at": "last" } },
    { "id": "end", "claim": "It ends after 0.04 s.", "paper": "0.2 s", "unit": "s", "low": 0.04, "high": 0.04,
      "measure": { "metric": "time", "at": "last" } } ]
})");
    }
};

TEST_F(Reproduce, ClaimsThatHoldAreExitZero) {
    const Outcome outcome = treacle("reproduce --json made/claims.json");
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_TRUE(contains(outcome.text, "2 of 2 claims hold")) << outcome.text;
    EXPECT_TRUE(contains(read("made/claims.json"), "someone2000/dam/particles"));
    EXPECT_TRUE(exists("out/reproduce/someone2000/dam/dam/metrics.csv"));
    const Outcome list = treacle("reproduce --list");
    EXPECT_EQ(list.code, 0);
    EXPECT_EQ(list.text, "someone2000/dam  a dam\n");
}

TEST_F(Reproduce, AClaimThatDoesNotHoldIsExitOne) {
    const Outcome outcome = treacle("reproduce someone2000/dam --full -o elsewhere --json claims.json");
    EXPECT_EQ(outcome.code, 1) << outcome.text;
    EXPECT_TRUE(contains(outcome.text, "1 of 2 claims hold")) << outcome.text;
    EXPECT_TRUE(contains(outcome.text, "NOT OK")) << outcome.text;
    EXPECT_TRUE(exists("elsewhere/someone2000/dam/dam/metrics.csv"));
    EXPECT_TRUE(contains(read("claims.json"), "\"measured\": 0.2"));
    EXPECT_EQ(treacle("reproduce -o elsewhere --measure-only").code, 1);  // still the long run
}

TEST_F(Reproduce, ARunThatFailsMakesItsClaimsFailAndTheRestGoesOn) {
    write("scenes/someone2000/a_broken.expect.json", R"({
  "title": "no scene",
  "runs": { "a": { "scene": "missing.json" } },
  "claims": [ { "id": "a", "claim": "A.", "paper": "a", "unit": "1", "low": 0, "high": 1,
    "measure": { "metric": "time", "at": "last" } } ]
})");
    write("scenes/someone2000/diverging.expect.json", R"({
  "title": "blast",
  "runs": { "a": { "scene": "dam.json", "may_diverge": true, "duration": 4,
                   "set": { "/time/fixed_dt": 0.02, "/clavet2005/sound_speed": 1000 } } },
  "claims": [ { "id": "a", "claim": "It ends early.", "paper": "a", "unit": "s", "low": 0, "high": 3.9,
    "measure": { "metric": "time", "at": "last" } } ]
})");
    const Outcome outcome = treacle("reproduce someone2000 --json claims.json");
    EXPECT_EQ(outcome.code, 1) << outcome.text;
    EXPECT_TRUE(contains(outcome.text, "3 of 4 claims hold")) << outcome.text;
    EXPECT_TRUE(contains(read("claims.json"), "missing.json"));
    EXPECT_TRUE(contains(read("claims.json"), "\"measured\": null"));
}

TEST_F(Reproduce, LooksAtThePlaceForTheListBeforeItRuns) {
    write("file", "in the way");
    fs::create_directories(folder_ / "list.json");
    for (const char* place : {"file/list.json", "list.json"}) {
        const Outcome outcome = treacle(std::string("reproduce --json ") + place);
        EXPECT_EQ(outcome.code, 4) << outcome.text;
        EXPECT_TRUE(contains(outcome.text, "error: " + fs::path(place).begin()->string())) << outcome.text;
        EXPECT_FALSE(exists("out/reproduce")) << "something ran";
    }
}

TEST_F(Reproduce, WrongInputIsExitTwo) {
    const auto expect = [&](const std::string& arguments, const std::string& part) {
        const Outcome outcome = treacle("reproduce " + arguments);
        EXPECT_EQ(outcome.code, 2) << arguments << "\n" << outcome.text;
        EXPECT_TRUE(contains(outcome.text, part)) << arguments << "\n" << outcome.text;
    };
    expect("someone2001", "did you mean \"someone2000\"?");
    expect("someone2000/dma", "did you mean \"someone2000/dam\"?");
    expect("--scenes nowhere", "no figures");
    write("scenes/someone2000/wrong.expect.json", "{ \"titel\": \"x\" }");
    expect("", "did you mean \"title\"?");
    EXPECT_FALSE(exists("out/reproduce"));  // reported before anything runs
}

TEST_F(Commands, ValidateMeasuresOrdinaryScenes) {
    const std::string cell = "validate --case fall_water --dimension 2 --method takahashi2014";
    const Outcome outcome = treacle(cell + " --json made.json --markdown made.md");
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_TRUE(contains(outcome.text, "0 of 1 cells fail")) << outcome.text;
    EXPECT_TRUE(contains(read("made.json"), "\"quantity\": \"off the parabola / way\""));
    EXPECT_TRUE(contains(read("made.md"), "| fall_water | 2D |"));
    EXPECT_FALSE(exists("out"));  // no run folder
    write("known.txt", "fall_water 2D takahashi2014 | it falls | no reason\n");
    EXPECT_EQ(treacle(cell + " --known known.txt").code, 1);  // listed, but does not fail
    EXPECT_TRUE(contains(treacle("validate --list").text, "fall_water"));
    const Outcome unknown = treacle("validate --method takahasi2014");
    EXPECT_EQ(unknown.code, 2);
    EXPECT_TRUE(contains(unknown.text, "did you mean \"takahashi2014\"?")) << unknown.text;
    EXPECT_EQ(treacle("validate --case nothing_like_it").code, 2);
}

TEST_F(Commands, ExportWritesFramesForOthers) {
    ASSERT_EQ(treacle("run dam.json --frames 3 --no-preview --quiet").code, 0);
    const Outcome first = treacle("export out/dam --to csv --frames 2:");
    ASSERT_EQ(first.code, 0) << first.text;
    EXPECT_TRUE(contains(first.text, "out/dam/export/csv: 2 frames as csv\n")) << first.text;
    EXPECT_FALSE(exists("out/dam/export/csv/frame.0001.csv"));
    EXPECT_TRUE(contains(read("out/dam/export/csv/frame.0003.csv"), "x,y,z,vx,vy,vz,id,material,density\n"));
    EXPECT_TRUE(contains(read("out/dam/export/csv/export.json"), "\"up_axis\": \"y\""));
    const Outcome again = treacle("export out/dam --to csv");
    EXPECT_TRUE(contains(again.text, "3 frames as csv, 2 of them were there already")) << again.text;

    const Outcome unknown = treacle("export out/dam --to cvs");
    EXPECT_EQ(unknown.code, 2);
    EXPECT_TRUE(contains(unknown.text, "did you mean \"csv\"")) << unknown.text;
    EXPECT_EQ(treacle("export nowhere --to csv").code, 2);
    fs::resize_file(folder_ / "out/dam/frames/frame.0002.ply", 300);
    const Outcome damaged = treacle("export out/dam --to npz");
    EXPECT_EQ(damaged.code, 4);
    EXPECT_TRUE(contains(damaged.text, "frame.0002.ply: cannot be read: ")) << damaged.text;
    EXPECT_TRUE(exists("out/dam/export/npz/frame.0003.npz"));
}

TEST_F(Commands, ExportWarnsOfValuesThatAreNotFinite) {
    ASSERT_EQ(treacle("run dam.json --quiet --no-preview --frames 2").code, 0);
    EXPECT_FALSE(contains(treacle("export out/dam --to csv --quiet").text, "warning"));
    std::string frame = read("out/dam/frames/frame.0002.ply");
    const std::size_t rows = frame.find("end_header\n") + 11;
    const float nothing = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(frame.data() + rows, &nothing, sizeof nothing);
    write("out/dam/frames/frame.0002.ply", frame);
    const Outcome outcome = treacle("export out/dam --to csv --quiet --overwrite");
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_TRUE(contains(outcome.text, "frame.0002.ply: 1 of 100 particles have values that are not finite"))
        << outcome.text;
    EXPECT_FALSE(contains(outcome.text, "frame.0001.ply")) << outcome.text;
}

TEST_F(Commands, AnOverlapIsToldOnce) {
    const std::string overlap = " --set '/solids/0/shape/box/center=[0.32, 0.5]' ";
    const Outcome checked = treacle("check dam.json" + overlap);
    EXPECT_TRUE(contains(checked.text, "fluid particles overlap a solid at the start and will be left out"))
        << checked.text;
    const Outcome outcome = treacle("run dam.json --quiet --no-preview --frames 1" + overlap);
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    const std::size_t first = outcome.text.find("overlap");
    EXPECT_NE(first, std::string::npos) << outcome.text;
    EXPECT_EQ(outcome.text.find("overlap", first + 1), std::string::npos) << outcome.text;
}

TEST_F(Commands, VtpOnRequest) {
    ASSERT_EQ(treacle("run dam.json --frames 2 --no-preview --quiet --set '/output/formats=[\"ply\",\"vtp\"]'").code,
              0);
    EXPECT_TRUE(exists("out/dam/frames/frame.0002.vtp"));
    EXPECT_TRUE(exists("out/dam/frames.pvd"));
}

}  // namespace
