#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"
#include "support/run_program.h"

// The command `treacle render` on a run folder that is written here by hand, without a simulation.

namespace treacle {
namespace {

using test::Outcome;

Outcome run(const std::string& arguments, const std::string& environment = {}) {
    return test::run_program("render " + arguments, environment);
}

/// A cube of 125 particles over a floor, beside a box, within a container; two frames.
class RunFolderByHand : public TemporaryFolder {
public:
    explicit RunFolderByHand(int dimension = 3) {
        const std::string vector = dimension == 2 ? "[0, 1]" : "[0, 1, 0]";
        put_content(
            file("manifest.json"), R"({ "treacle": 1, "method": "none", "fps": 10, "scene": { "name": "by hand",
            "dimension": )" + std::to_string(dimension) +
                                       R"(, "particle_spacing": 0.1, "materials": { "jam": { "color": "#c02030" } },
            "solids": [ { "name": "floor", "shape": { "plane": { "normal": )" +
                                       vector + R"(, "offset": -0.3 } } },
                        { "name": "block", "shape": { "box": {} } },
                        { "name": "tank", "invert": true, "shape": { "box": {} } } ] } })");
        std::filesystem::create_directories(file("frames"));
        std::filesystem::create_directories(file("bodies"));
        for (const char* name : {"block", "tank"}) {
            put_content(
                file(std::string("bodies/") + name + ".ply"),
                "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
                "element face 2\nproperty list uchar int vertex_indices\nend_header\n"
                "0 0 0\n0.4 0 0\n0.4 0.4 0\n0 0.4 0\n3 0 1 2\n3 0 2 3\n");
        }
        put_content(file("bodies.csv"),
                    "frame,time,body,px,py,pz,qw,qx,qy,qz\n1,0,block,0.5,0,0,1,0,0,0\n"
                    "2,0.1,block,0.6,0,0,1,0,0,0\n");
        for (const int frame : {1, 2}) put_frame(frame, dimension);
    }

    /// `lost` is the place of the first three particles, instead of in the cube.
    void put_frame(int frame, int dimension, std::optional<float> lost = {}) const {
        std::string rows;
        const auto add = [&](float value) { rows.append(reinterpret_cast<const char*>(&value), sizeof value); };
        for (int n = 0; n < 125; ++n) {
            add(n < 3 && lost ? *lost : 0.1f * static_cast<float>(n % 5));
            add(0.1f * static_cast<float>(n / 5 % 5) - 0.05f * static_cast<float>(frame));
            add(dimension == 2 ? 0 : 0.1f * static_cast<float>(n / 25));
            add(0), add(-0.01f * static_cast<float>(n)), add(0);
            rows += '\0';
            add(1000 + static_cast<float>(n));
        }
        put_content(file("frames/frame.000" + std::to_string(frame) + ".ply"),
                    "ply\nformat binary_little_endian 1.0\ncomment frame " + std::to_string(frame) +
                        "\ncomment time 0.1 s\ncomment unit vx m/s\ncomment unit density kg/m^3\nelement vertex 125\n"
                        "property float x\nproperty float y\nproperty float z\nproperty float vx\nproperty float vy\n"
                        "property float vz\nproperty uchar material\nproperty float density\nend_header\n" +
                        rows);
    }
};

const std::string small = " --width 96 --height 64 --samples 4 ";

TEST(RenderCommand, draws_the_last_frame_into_the_run_folder) {
    const RunFolderByHand folder;
    const Outcome outcome = run(folder.path() + small);
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    const std::string picture = content_of(folder.file("pictures/frame.0002.png"));
    EXPECT_EQ(picture.substr(0, 4), "\x89PNG");
    EXPECT_EQ(outcome.text, folder.file("pictures/frame.0002.png") + "\n");
}

TEST(RenderCommand, frame_color_and_view_change_the_picture_and_threads_do_not) {
    const RunFolderByHand folder;
    const auto picture = [&](const std::string& options) {
        const Outcome outcome = run(folder.path() + small + "-o " + folder.file("a.png") + " --quiet " + options);
        EXPECT_EQ(outcome.code, 0) << outcome.text;
        EXPECT_EQ(outcome.text, "");
        return content_of(folder.file("a.png"));
    };
    const std::string plain = picture("--threads 1");
    EXPECT_EQ(plain, picture("--threads 2"));
    EXPECT_NE(plain, picture("--frame 1"));
    EXPECT_NE(plain, picture("--view front"));
    EXPECT_NE(plain, picture("--view 200,40"));
    EXPECT_NE(plain, picture("--color speed"));
    EXPECT_NE(picture("--color density"), picture("--color density --map plasma"));
    EXPECT_NE(picture("--color vy"), picture("--color vy --range -3 3"));
}

TEST(RenderCommand, draws_2d_runs_from_the_front_only) {
    const RunFolderByHand folder(2);
    const std::string to = small + "-o " + folder.file("a.png");
    EXPECT_EQ(run(folder.path() + to).code, 0);
    EXPECT_EQ(run(folder.path() + to + " --color speed").code, 0);
    const Outcome top = run(folder.path() + to + " --view top");
    EXPECT_EQ(top.code, 2);
    EXPECT_NE(top.text.find("2D"), std::string::npos) << top.text;
}

TEST(RenderCommand, says_what_is_wrong) {
    const RunFolderByHand folder;
    const auto expect = [&](const std::string& arguments, int code, const std::string& words) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.code, code) << arguments;
        EXPECT_NE(outcome.text.find(words), std::string::npos) << arguments << ": " << outcome.text;
    };
    const std::string path = folder.path();
    expect(folder.file("nothing"), 2, "is no run");
    expect(path + small + "--frame 9", 2, "frames 1 to 2");
    expect(path + small + "--color densty", 2, "did you mean \"density\"");
    expect(path + small + "--color zebra", 2, "speed");
    expect(path + small + "--map virids", 2, "did you mean \"viridis\"");
    expect(path + small + "--view fromt", 2, "did you mean \"front\"");
    expect(path + small + "--range 2 1 --color vy", 2, "--range");
    expect(path + small + "--range 1 2", 2, "--color");
    expect(path + small + "--frames 1:2 --frame 1", 2, "give one of them");
    expect(path + small + "--frames 1:2 -o " + folder.file("a.png"), 2, "folder");
    expect(path + small + "--look hony", 2, "did you mean \"honey\"");
    expect(path + small + "--look jan=honey", 2, "did you mean \"jam\"");
    expect(path + small + "--compare " + folder.file("nothing"), 2, "is no run");
    expect(path + small + "--compare " + RunFolderByHand(2).path(), 2, "2D");
    expect(path + small + "--video --frames 7:9", 2, "frames 1 to 2");
    expect(path + small + "--video --frames x:2", 2, "first:last");
    expect(path + small + "-o " + folder.file("a.gif"), 2, ".png");
    expect(path + small + "-o " + folder.file("missing/a.png"), 4, "missing/a.png");
    put_content(folder.file("frames/frame.0002.ply"), "ply\n");
    expect(path + small, 4, "frame.0002.ply");
    for (const char* name : {"frames/frame.0001.ply", "frames/frame.0002.ply"})
        std::filesystem::remove(folder.file(name));
    expect(path + small, 2, "holds no frames");
}

TEST(RenderCommand, looks_at_the_place_for_pictures_before_it_draws) {
    const RunFolderByHand folder;
    put_content(folder.file("frames/frame.0002.ply"), "ply\n");  // drawing this would fail
    put_content(folder.file("file"), "in the way");
    std::filesystem::create_directory(folder.file("folder.png"));
    std::filesystem::create_directory(folder.file("folder.mp4"));
    for (const char* place : {"-o missing/a.png", "-o file/a.png", "-o folder.png", "--frames 1:2 -o file/pictures",
                              "--video folder.mp4", "--video file/a.mp4"}) {
        const std::string words = place;
        const std::size_t space = words.rfind(' ') + 1;
        const Outcome outcome = run(folder.path() + small + words.substr(0, space) + folder.file(words.substr(space)));
        EXPECT_EQ(outcome.code, 4) << place << ": " << outcome.text;
        EXPECT_NE(outcome.text.find(folder.file("")), std::string::npos) << outcome.text;
        EXPECT_EQ(outcome.text.find("frame.0002.ply"), std::string::npos) << place << ": " << outcome.text;
    }
}

TEST(RenderCommand, refuses_frames_with_impossible_positions) {
    for (const int dimension : {2, 3}) {
        const RunFolderByHand folder(dimension);
        for (const float place : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                                  1e38f, -1e38f, 1e20f, 2e15f}) {
            folder.put_frame(2, dimension, place);
            for (const char* how : {"", "--surface", "--motion-blur 0.5", "--frames 1:2"}) {
                if (dimension == 2 && std::string(how) == "--surface") continue;
                const Outcome outcome = run(folder.path() + small + how);
                EXPECT_EQ(outcome.code, 4) << place << how << ": " << outcome.text;
                EXPECT_NE(outcome.text.find("frame.0002.ply: frame 2: 3 of 125 particles have impossible positions"),
                          std::string::npos)
                    << place << how << ": " << outcome.text;
            }
            EXPECT_EQ(run(folder.path() + small + "--frame 1").code, 0) << "the others can be drawn";
        }
        for (const float place : {1e6f, 1e12f, 9e14f}) {
            folder.put_frame(2, dimension, place);
            for (const char* how : {"", "--motion-blur 0.5"}) {
                const Outcome outcome = run(folder.path() + small + how);
                EXPECT_EQ(outcome.code, 0) << place << how << ": " << outcome.text;
            }
        }
    }
}

TEST(RenderCommand, refuses_solids_with_impossible_poses) {
    const RunFolderByHand folder;
    for (const char* row : {"nan,0,0,1,0,0,0", "1e38,0,0,1,0,0,0", "0,0,0,nan,0,0,0"}) {
        put_content(folder.file("bodies.csv"),
                    std::string("frame,time,body,px,py,pz,qw,qx,qy,qz\n2,0.1,block,") + row + "\n");
        const Outcome outcome = run(folder.path() + small);
        EXPECT_EQ(outcome.code, 4) << row << ": " << outcome.text;
        EXPECT_NE(outcome.text.find("the solid \"block\" has an impossible pose"), std::string::npos) << outcome.text;
    }
}

TEST(RenderCommand, draws_sequences) {
    const RunFolderByHand folder;
    const Outcome outcome = run(folder.path() + small + "--frames 1:2 -o " + folder.file("sequence"));
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_NE(outcome.text.find("picture 1 of 2  left "), std::string::npos) << outcome.text;
    for (const char* name : {"sequence/frame.0001.png", "sequence/frame.0002.png"}) {
        EXPECT_EQ(content_of(folder.file(name)).substr(0, 4), "\x89PNG") << name;
    }
}

TEST(RenderCommand, draws_surfaces_looks_and_motion) {
    const RunFolderByHand folder;
    const auto picture = [&](const std::string& options) {
        const Outcome outcome = run(folder.path() + small + "-o " + folder.file("a.png") + " --quiet " + options);
        EXPECT_EQ(outcome.code, 0) << options << outcome.text;
        return content_of(folder.file("a.png"));
    };
    const std::string balls = picture(""), surface = picture("--surface --threads 1");
    EXPECT_NE(balls, surface);
    EXPECT_EQ(surface, picture("--surface --threads 2"));
    const std::string honey = picture("--surface --look honey --threads 1");
    EXPECT_NE(surface, honey);
    EXPECT_EQ(honey, picture("--surface --look jam=honey --threads 2"));
    EXPECT_NE(surface, picture("--surface --color density"));
    EXPECT_NE(balls, picture("--motion-blur 1"));
    EXPECT_NE(surface, picture("--surface --motion-blur 1"));
    EXPECT_NE(balls, picture("--bare"));
}

TEST(RenderCommand, puts_runs_side_by_side) {
    const RunFolderByHand one, other;
    const std::string file = one.file("a.png");
    const Outcome outcome = run(one.path() + small + "-o " + file + " --compare " + other.path());
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    const std::string pair = content_of(file);
    EXPECT_EQ(run(one.path() + small + "-o " + file).code, 0);
    EXPECT_NE(pair, content_of(file));
    EXPECT_EQ(pair.substr(16, 8), content_of(file).substr(16, 8)) << "width and height of the whole stay";
}

TEST(RenderCommand, the_view_of_the_scene_counts_unless_another_is_asked_for) {
    const RunFolderByHand folder;
    const auto picture = [&](const std::string& options) {
        EXPECT_EQ(run(folder.path() + small + "-o " + folder.file("a.png") + " --quiet " + options).code, 0);
        return content_of(folder.file("a.png"));
    };
    const std::string before = picture(""), front = picture("--view front");
    std::string manifest = content_of(folder.file("manifest.json"));
    manifest.insert(manifest.find("\"name\": \"by hand\""),
                    R"("view": { "azimuth": 100, "target": [0, 0, 0], "distance": 3 }, )");
    put_content(folder.file("manifest.json"), manifest);
    EXPECT_NE(before, picture(""));
    EXPECT_EQ(front, picture("--view front"));
}

TEST(RenderCommand, keeps_the_pictures_of_a_video_when_there_is_no_ffmpeg) {
    const RunFolderByHand folder;
    const Outcome outcome = run(folder.path() + small + "--video " + folder.file("v.mp4"), "PATH=/nowhere");
    EXPECT_EQ(outcome.code, 4);
    EXPECT_NE(outcome.text.find("picture 2 of 2"), std::string::npos) << outcome.text;
    EXPECT_NE(outcome.text.find("apt install ffmpeg && ffmpeg -y"), std::string::npos) << outcome.text;
    for (const char* name : {"v.mp4.frames/picture.0001.png", "v.mp4.frames/picture.0002.png"}) {
        EXPECT_EQ(content_of(folder.file(name)).substr(0, 4), "\x89PNG") << name;
    }
}

TEST(RenderCommand, leaves_out_a_solid_that_cannot_be_read) {
    const RunFolderByHand folder;
    put_content(folder.file("bodies/block.ply"), "ply\nformat ascii 1.0\nelement vertex 4\nend_header\n1 2\n");
    const Outcome outcome = run(folder.path() + small + "-o " + folder.file("a.png"));
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.text.find("warning: "), std::string::npos);
    EXPECT_NE(outcome.text.find("block.ply"), std::string::npos) << outcome.text;
}

}  // namespace
}  // namespace treacle
