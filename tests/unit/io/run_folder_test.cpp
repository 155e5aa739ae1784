#include "io/run_folder.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "io/frame_output.h"
#include "io/ply.h"
#include "io/series_place.h"
#include "small_frame.h"
#include "checkpoint/checkpoint.h"
#include "support/random_state.h"
#include "support/temporary_folder.h"
#include "support/tight_disk.h"

namespace treacle {
namespace {

namespace fs = std::filesystem;

Json manifest() {
    Json json = Json::object();
    json.set("treacle", 1);
    json.set("method", "clavet2005");
    return json;
}

template <class T>
void expect_failed(const Result<T>& result, ExitCode code, const std::string& reason) {
    ASSERT_FALSE(result) << "expected: " << reason;
    EXPECT_EQ(result.error().code, code);
    EXPECT_NE(to_string(result.error()).find(reason), std::string::npos) << to_string(result.error());
}

class RunFolderTest : public ::testing::Test {
protected:
    /// A new run in `name`, with a manifest and a mark to recognize it.
    void make_run(const std::string& name, const std::string& mark) {
        const auto run = RunFolder::create(temporary_.file(name));
        ASSERT_TRUE(run) << to_string(run.error());
        ASSERT_TRUE(run->write_manifest(manifest()));
        put_content(temporary_.file(name + "/mark"), mark);
    }

    RunFolder new_run() {
        auto run = RunFolder::create(temporary_.file("run"));
        EXPECT_TRUE(run);
        EXPECT_TRUE(run->write_manifest(manifest()));
        return *run;
    }

    TemporaryFolder temporary_;
};

TEST_F(RunFolderTest, names_of_files) {
    const RunFolder run = new_run();
    const std::string folder = temporary_.file("run");
    EXPECT_EQ(run.path(), folder);
    EXPECT_EQ(run.frame_file(1, "ply"), folder + "/frames/frame.0001.ply");
    EXPECT_EQ(run.frame_file(12345, "vtp"), folder + "/frames/frame.12345.vtp");
    EXPECT_EQ(run.checkpoint_file(7), folder + "/checkpoints/checkpoint.0007.h5");
    EXPECT_EQ(run.manifest_file(), folder + "/manifest.json");
    EXPECT_EQ(run.summary_file(), folder + "/summary.json");
    EXPECT_EQ(run.metrics_file(), folder + "/metrics.csv");
    EXPECT_EQ(run.bodies_file(), folder + "/bodies.csv");
    EXPECT_EQ(run.body_file("left wall"), folder + "/bodies/left wall.ply");
    EXPECT_EQ(run.body_file("../../etc/passwd"), folder + "/bodies/%2E.%2F..%2Fetc%2Fpasswd.ply");
    EXPECT_EQ(run.body_file("Löffel"), folder + "/bodies/Löffel.ply");
}

TEST_F(RunFolderTest, a_run_is_kept_as_old_once) {
    make_run("run", "first");
    make_run("run", "second");
    EXPECT_EQ(content_of(temporary_.file("run.old/mark")), "first");
    make_run("run/", "third");  // the slash means the same folder
    EXPECT_EQ(content_of(temporary_.file("run.old/mark")), "second");
    EXPECT_EQ(content_of(temporary_.file("run/mark")), "third");
    EXPECT_EQ(std::distance(fs::directory_iterator(temporary_.path()), {}), 2);
}

TEST_F(RunFolderTest, folders_above_are_created) {
    make_run("a/b/../c/run", "deep");
    EXPECT_TRUE(fs::exists(temporary_.file("a/c/run/manifest.json")));
}

TEST_F(RunFolderTest, an_empty_folder_is_used) {
    fs::create_directory(temporary_.file("run"));
    make_run("run", "first");
    EXPECT_FALSE(fs::exists(temporary_.file("run.old")));
}

TEST_F(RunFolderTest, what_belongs_to_others_is_never_touched) {
    fs::create_directory(temporary_.file("photos"));
    put_content(temporary_.file("photos/cat.jpg"), "cat");
    expect_failed(RunFolder::create(temporary_.file("photos")), ExitCode::wrong_input, "holds no run of treacle");
    put_content(temporary_.file("photos/manifest.json"), "{ \"name\": \"some web page\" }");
    expect_failed(RunFolder::create(temporary_.file("photos")), ExitCode::wrong_input, "holds no run of treacle");
    put_content(temporary_.file("photos/manifest.json"), "{ not json");
    expect_failed(RunFolder::create(temporary_.file("photos")), ExitCode::wrong_input, "holds no run of treacle");
    put_content(temporary_.file("file"), "text");
    expect_failed(RunFolder::create(temporary_.file("file")), ExitCode::wrong_input, "is a file");
    EXPECT_EQ(content_of(temporary_.file("photos/cat.jpg")), "cat");
    EXPECT_EQ(content_of(temporary_.file("file")), "text");

    make_run("run", "first");
    fs::create_directory(temporary_.file("run.old"));
    put_content(temporary_.file("run.old/thesis.txt"), "years of work");
    expect_failed(RunFolder::create(temporary_.file("run")), ExitCode::wrong_input, "taken by something else");
    EXPECT_EQ(content_of(temporary_.file("run.old/thesis.txt")), "years of work");
    EXPECT_EQ(content_of(temporary_.file("run/mark")), "first");
}

TEST_F(RunFolderTest, a_place_that_cannot_be_written) {
    put_content(temporary_.file("file"), "text");
    expect_failed(RunFolder::create(temporary_.file("file/run")), ExitCode::file_failed, "Not a directory");
    expect_failed(RunFolder::create(temporary_.file("file/run")), ExitCode::file_failed, temporary_.file("file/run"));
    expect_failed(RunFolder::create("/proc/run"), ExitCode::file_failed, "/proc/run");
}

TEST_F(RunFolderTest, the_current_folder) {
    const fs::path before = fs::current_path();
    fs::create_directory(temporary_.file("here"));
    fs::current_path(temporary_.file("here"));
    {
        auto first = RunFolder::create(".");
        ASSERT_TRUE(first);
        EXPECT_TRUE(first->write_manifest(manifest()));
    }
    auto second = RunFolder::create("");  // moves the current folder away
    ASSERT_TRUE(second) << to_string(second.error());
    EXPECT_TRUE(second->write_summary(manifest()));
    fs::current_path(before);
    EXPECT_TRUE(fs::exists(temporary_.file("here.old/manifest.json")));
    EXPECT_TRUE(fs::exists(temporary_.file("here/summary.json")));
}

TEST_F(RunFolderTest, who_writes_a_run_is_alone) {
    const std::string path = temporary_.file("run");
    {
        const RunFolder run = new_run();
        put_content(path + "/mark", "first");
        expect_failed(RunFolder::create(path), ExitCode::wrong_input, "is writing a run to this folder");
        expect_failed(RunFolder::open_to_write(path), ExitCode::wrong_input, "is writing a run to this folder");
        EXPECT_TRUE(RunFolder::open(path)) << "reading is always allowed";
        EXPECT_EQ(content_of(path + "/mark"), "first");
        EXPECT_FALSE(fs::exists(path + ".old"));
    }
    {
        const auto again = RunFolder::open_to_write(path);
        ASSERT_TRUE(again) << to_string(again.error());
        expect_failed(RunFolder::create(path), ExitCode::wrong_input, "is writing a run to this folder");
    }
    make_run("run", "second");
    const auto old = RunFolder::open_to_write(path + ".old");
    ASSERT_TRUE(old);
    expect_failed(RunFolder::create(path), ExitCode::wrong_input, "run.old: ");  // it would have to be replaced
    EXPECT_EQ(content_of(path + ".old/mark"), "first");
    EXPECT_EQ(content_of(path + "/mark"), "second");
}

TEST_F(RunFolderTest, a_killed_process_leaves_a_folder_that_can_be_used) {
    fs::create_directory(temporary_.file("run"));
    put_content(temporary_.file("run/") + FolderLock::file_name, "4711 elsewhere\n");
    make_run("run", "first");
    put_content(temporary_.file("run/") + FolderLock::file_name, "4711 elsewhere\n");
    make_run("run", "second");
    EXPECT_EQ(content_of(temporary_.file("run.old/mark")), "first");
    for (const char* name : {"run", "run.old"}) {
        EXPECT_FALSE(fs::exists(temporary_.file(name) + "/" + FolderLock::file_name)) << name;
    }
}

TEST_F(RunFolderTest, nothing_is_written_in_place_of_a_folder_that_is_gone) {
    const RunFolder run = new_run();
    const std::string path = temporary_.file("run");
    const State state = random_state<float>(4, 1);
    const auto frame_output = FrameOutput::open(run, {"ply"});
    ASSERT_TRUE(frame_output);
    fs::rename(path, temporary_.file("away"));
    const std::vector<std::string> header{"a"};
    const std::vector<double> row{1};
    expect_failed(run.write_manifest(manifest()), ExitCode::file_failed, "deleted or renamed");
    expect_failed(run.write_summary(manifest()), ExitCode::file_failed, "deleted or renamed");
    expect_failed(run.append_row(run.metrics_file(), header, row), ExitCode::file_failed, "deleted or renamed");
    expect_failed(run.write_checkpoint(state, "{}", "0"), ExitCode::file_failed, "deleted or renamed");
    expect_failed(run.write_body_shapes({}, {}), ExitCode::file_failed, "deleted or renamed");
    EXPECT_FALSE(fs::exists(path));
    fs::rename(temporary_.file("away"), path);
    EXPECT_TRUE(run.write_summary(manifest())) << "it is back";
}

TEST_F(RunFolderTest, open_wants_a_run) {
    make_run("run", "first");
    const auto run = RunFolder::open(temporary_.file("run"));
    ASSERT_TRUE(run);
    EXPECT_EQ(run->read_manifest()->find("method")->text, "clavet2005");
    expect_failed(RunFolder::open(temporary_.file("missing")), ExitCode::wrong_input, "is no run of treacle");
    expect_failed(RunFolder::open(temporary_.path()), ExitCode::wrong_input, "is no run of treacle");
    EXPECT_THROW((void)run->write_manifest(Json::object()), std::logic_error);
}

TEST_F(RunFolderTest, shapes_of_bodies) {
    const RunFolder run = new_run();
    Bodies bodies(2);
    bodies[0].name = "floor";
    bodies[1].name = "ball";
    bodies[1].shape.form = Sphere{{0, 0, 0}, 1};
    ASSERT_TRUE(run.write_body_shapes(bodies, {{0, 0, 0}, {1, 1, 1}}));
    EXPECT_TRUE(content_of(run.body_file("floor")).starts_with("ply\nformat ascii 1.0\n"));
    EXPECT_TRUE(fs::exists(run.body_file("ball")));
}

TEST_F(RunFolderTest, rows_of_numbers) {
    const RunFolder run = new_run();
    const std::vector<std::string> header{"frame", "time", "mass"};
    ASSERT_TRUE(run.append_row(run.metrics_file(), header, std::vector<double>{1, 0, 0.1}));
    ASSERT_TRUE(run.append_row(run.metrics_file(), header, std::vector<double>{2, 1.0 / 30, 1e-300}));
    const std::string table = content_of(run.metrics_file());
    EXPECT_TRUE(table.starts_with("frame,time,mass\n1,0,0.1\n2,0.0333")) << table;
    const std::size_t comma = table.rfind(',', table.rfind(',') - 1);
    EXPECT_EQ(std::stod(table.substr(comma + 1)), 1.0 / 30) << "numbers read back to the same bits";
    EXPECT_EQ(std::stod(table.substr(table.rfind(',') + 1)), 1e-300);
    EXPECT_EQ(table.back(), '\n');

    const std::vector<std::string> other{"frame", "time", "volume"};
    expect_failed(run.append_row(run.metrics_file(), other, std::vector<double>{3, 1, 1}), ExitCode::file_failed,
                  "has other columns");
    EXPECT_EQ(content_of(run.metrics_file()), table);
    EXPECT_THROW((void)run.append_row(run.metrics_file(), header, std::vector<double>{1}), std::logic_error);
}

TEST_F(RunFolderTest, a_full_disk_is_reported) {
    const RunFolder run = new_run();
    fs::create_symlink("/dev/full", run.metrics_file());
    const std::vector<std::string> header{"frame"};
    expect_failed(run.append_row(run.metrics_file(), header, std::vector<double>{1}), ExitCode::file_failed,
                  "No space left on device");
    const Particles particles = two_particles<float>();
    const TightDisk tight(100);
    expect_failed(FrameOutput::open(run, {"ply"})->write_frame(frame_of(particles, {})), ExitCode::file_failed,
                  "frame.0003.ply");
    const State state = random_state<float>(3, 1);
    expect_failed(run.write_checkpoint(state, "{}", "1"), ExitCode::file_failed, "checkpoint.0042.h5");
}

TEST_F(RunFolderTest, rows_of_bodies) {
    const RunFolder run = new_run();
    Bodies bodies(2);
    bodies[0].name = "floor";
    bodies[0].pose = {{1, 2, 3}, {0.5, 0.5, -0.5, 0.5}};
    bodies[0].velocity = {4, 5, 6};
    bodies[0].angular_velocity = {7, 8, 9};
    bodies[0].force = {10, 11, 12};
    bodies[0].torque = {13, 14, 15};
    bodies[1].name = "a \"round\", hot\nspoon";
    const Particles particles(ScalarType::f32);
    ASSERT_TRUE(run.append_bodies(frame_of(particles, bodies, 3)));
    EXPECT_EQ(content_of(run.bodies_file()),
              "frame,time,body,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,fx,fy,fz,tx,ty,tz,cx,cy,cz,cvx,cvy,cvz\n"
              "3,0.125,floor,1,2,3,0.5,0.5,-0.5,0.5,4,5,6,7,8,9,10,11,12,13,14,15,,,,,,\n"
              "3,0.125,\"a \"\"round\"\", hot spoon\",0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,,,,,,\n");
}

/// A body that turns about its center of mass moves where its shape was drawn, and the center stays.
TEST_F(RunFolderTest, rows_of_bodies_give_the_center_of_mass) {
    const RunFolder run = new_run();
    Bodies bodies(1);
    bodies[0].name = "wheel";
    bodies[0].mass = 2;
    bodies[0].center_of_mass = {1, 0, 0};
    bodies[0].angular_velocity = {0, 0, 4};
    bodies[0].velocity = {0, -4, 0};
    const Particles particles(ScalarType::f32);
    ASSERT_TRUE(run.append_bodies(frame_of(particles, bodies, 1)));
    EXPECT_TRUE(content_of(run.bodies_file()).ends_with("wheel,0,0,0,1,0,0,0,0,-4,0,0,0,4,0,0,0,0,0,0,1,0,0,0,0,0\n"))
        << content_of(run.bodies_file());
}

TEST_F(RunFolderTest, only_the_newest_checkpoints_are_kept) {
    const RunFolder run = new_run();
    EXPECT_TRUE(run.checkpoints().empty());
    State state = random_state<float>(10, 1);
    for (const int frame : {1, 10, 20, 9999, 10000}) {
        state.frame = frame;
        ASSERT_TRUE(run.write_checkpoint(state, "{}", "1"));
    }
    const auto kept = run.checkpoints();
    ASSERT_EQ(kept.size(), RunFolder::kept_checkpoints);
    EXPECT_EQ(kept[0].frame, 10000);
    EXPECT_EQ(kept[1].frame, 9999);
    EXPECT_EQ(kept[2].frame, 20);
    EXPECT_EQ(load_checkpoint(kept[0].path)->state.frame, 10000);
}

class RewindTest : public RunFolderTest {
protected:
    /// A run of 12 frames with a checkpoint at 4, 8 and 12 and all files of frames.
    RunFolder run_of_12() {
        const RunFolder run = new_run();
        const Particles particles = two_particles<float>();
        Bodies bodies(2);
        bodies[0].name = "a", bodies[1].name = "b";
        State state = random_state<float>(10, 1);
        const std::vector<std::string> header{"frame", "x"};
        for (int frame = 1; frame <= 12; ++frame) {
            EXPECT_TRUE(FrameOutput::open(run, {"ply"})->write_frame(frame_of(particles, bodies, frame)));
            for (const char* extension : {"vtp", "bgeo", "xml"}) put_content(run.frame_file(frame, extension), "x");
            put_content(run.frames_folder() + "/" + numbered_name("bodies", frame, "vtp"), "x");
            EXPECT_TRUE(run.append_bodies(frame_of(particles, bodies, frame)));
            EXPECT_TRUE(run.append_row(run.metrics_file(), header, std::vector<double>{1.0 * frame, 0.5}));
            state.frame = frame;
            if (frame % 4 == 0) { EXPECT_TRUE(run.write_checkpoint(state, "{}", "1")); }
        }
        return run;
    }

    static std::size_t lines(const std::string& path) {
        const std::string text = content_of(path);
        EXPECT_TRUE(text.empty() || text.back() == '\n');
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }
};

TEST_F(RewindTest, drops_all_that_is_later) {
    const RunFolder run = run_of_12();
    for (int twice = 0; twice < 2; ++twice) {
        ASSERT_TRUE(run.rewind_to(8));
        EXPECT_EQ(run.frames("ply").size(), 8u);
        for (const char* extension : {"vtp", "bgeo", "xml"}) EXPECT_EQ(run.frames(extension).size(), 8u) << extension;
        EXPECT_TRUE(fs::exists(run.frames_folder() + "/bodies.0008.vtp"));
        EXPECT_FALSE(fs::exists(run.frames_folder() + "/bodies.0009.vtp"));
        ASSERT_EQ(run.checkpoints().size(), 2u);
        EXPECT_EQ(run.checkpoints()[0].frame, 8);
        EXPECT_EQ(lines(run.metrics_file()), 1 + 8u);
        EXPECT_EQ(lines(run.bodies_file()), 1 + 16u);
        EXPECT_TRUE(content_of(run.metrics_file()).ends_with("\n8,0.5\n"));
    }
}

TEST_F(RewindTest, what_is_whole_stays_untouched) {
    const RunFolder run = run_of_12();
    const auto before = content_of(run.metrics_file());
    ASSERT_TRUE(run.rewind_to(12));
    EXPECT_EQ(content_of(run.metrics_file()), before);
    EXPECT_EQ(run.frames("ply").size(), 12u);
    EXPECT_EQ(run.checkpoints().size(), 3u);
}

TEST_F(RewindTest, half_written_rows_and_leftovers_go) {
    const RunFolder run = run_of_12();
    const std::string whole = content_of(run.metrics_file());
    put_content(run.metrics_file(), whole + "1");  // begins like a row of an early frame
    put_content(temporary_.file("run/frames/.frame.0013.ply.tmp"), "half");
    put_content(temporary_.file("run/.summary.json.tmp"), "half");
    put_content(temporary_.file("run/frames/notes.txt"), "mine");
    ASSERT_TRUE(run.rewind_to(12));
    EXPECT_EQ(content_of(run.metrics_file()), whole);
    EXPECT_FALSE(fs::exists(temporary_.file("run/frames/.frame.0013.ply.tmp")));
    EXPECT_FALSE(fs::exists(temporary_.file("run/.summary.json.tmp")));
    EXPECT_TRUE(fs::exists(temporary_.file("run/frames/notes.txt")));

    put_content(run.metrics_file(), "fra");  // not even the header is complete
    ASSERT_TRUE(run.rewind_to(12));
    EXPECT_EQ(content_of(run.metrics_file()), "");
    const std::vector<std::string> header{"frame", "x"};
    ASSERT_TRUE(run.append_row(run.metrics_file(), header, std::vector<double>{13, 1}));
    EXPECT_EQ(content_of(run.metrics_file()), "frame,x\n13,1\n");
}

TEST_F(RewindTest, large_frame_numbers_in_any_notation) {
    const RunFolder run = new_run();
    const std::vector<std::string> header{"frame", "x"};
    for (const double frame : {99999.0, 100000.0, 100001.0}) {
        ASSERT_TRUE(run.append_row(run.metrics_file(), header, std::vector<double>{frame, 1}));
    }
    ASSERT_TRUE(run.rewind_to(100000));
    EXPECT_EQ(lines(run.metrics_file()), 3u);
}

TEST_F(RewindTest, a_run_without_tables) {
    const RunFolder run = new_run();
    EXPECT_TRUE(run.rewind_to(1));
    EXPECT_FALSE(fs::exists(run.metrics_file()));
}

TEST_F(RunFolderTest, what_a_crash_left_of_the_first_file_is_no_obstacle) {
    fs::create_directory(temporary_.file("run"));
    put_content(temporary_.file("run/.manifest.json.tmp"), "{ \"trea");
    const auto run = RunFolder::create(temporary_.file("run"));
    ASSERT_TRUE(run) << to_string(run.error());
    ASSERT_TRUE(run->write_manifest(manifest()));
    EXPECT_FALSE(fs::exists(temporary_.file("run/.manifest.json.tmp")));
}

TEST_F(RunFolderTest, a_damaged_manifest_is_named) {
    const RunFolder run = new_run();
    put_content(run.manifest_file(), "{ \"treacle\": 1");
    expect_failed(RunFolder::open(run.path()), ExitCode::wrong_input, "manifest.json:1: the file ends too early");
}

TEST_F(RunFolderTest, rewinding_takes_back_the_summary) {
    const RunFolder run = new_run();
    ASSERT_TRUE(run.write_summary(manifest()));
    ASSERT_TRUE(run.rewind_to(1));
    EXPECT_FALSE(fs::exists(run.summary_file()));
}

}  // namespace
}  // namespace treacle
