#include <cstring>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/json.h"
#include "support/temporary_folder.h"
#include "support/run_program.h"

// The command `treacle mesh` on a run folder that is written here by hand, without a simulation.

namespace treacle {
namespace {

namespace fs = std::filesystem;

using test::Outcome;
using test::run_program;

Outcome run(const std::string& arguments, const std::string& environment = {}) {
    return run_program("mesh " + arguments, environment);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Two blocks of 125 particles of two materials, moving; three frames.
class RunFolderByHand : public TemporaryFolder {
public:
    explicit RunFolderByHand(int dimension = 3, const std::string& jam = "jam", const std::string& honey = "honey") {
        put_content(file("manifest.json"), R"({ "treacle": 1, "method": "none", "fps": 10, "scene": { "name": "by hand",
            "dimension": )" + std::to_string(dimension) +
                                               R"(, "particle_spacing": 0.1,
            "materials": { ")" + jam + R"(": { "color": "#c02030" }, ")" +
                                               honey + R"(": { "color": "#d08a28" } } } })");
        fs::create_directories(file("frames"));
        for (const int frame : {1, 2, 3}) put_frame(frame);
    }

    std::string frame_file(int frame) const { return file("frames/frame.000" + std::to_string(frame) + ".ply"); }
    std::string mesh_file(int frame) const { return file("meshes/frame.000" + std::to_string(frame) + ".ply"); }

    void put_frame(int frame, float place = 0) const {
        std::string rows;
        const auto add = [&](float value) { rows.append(reinterpret_cast<const char*>(&value), sizeof value); };
        for (int n = 0; n < 250; ++n) {
            add(0.1f * static_cast<float>(n % 5) + (n < 125 ? 0 : 2) + place);
            add(0.1f * static_cast<float>(n / 5 % 5) - 0.05f * static_cast<float>(frame));
            add(0.1f * static_cast<float>(n / 25 % 5));
            add(0), add(n < 125 ? -1 : 3), add(0);
            rows += static_cast<char>(n / 125);
            add(1000 + static_cast<float>(n));
        }
        put_content(frame_file(frame),
                    "ply\nformat binary_little_endian 1.0\ncomment frame " + std::to_string(frame) +
                        "\ncomment time 0.1 s\ncomment unit vx m/s\ncomment unit density kg/m^3\nelement vertex 250\n"
                        "property float x\nproperty float y\nproperty float z\nproperty float vx\nproperty float vy\n"
                        "property float vz\nproperty uchar material\nproperty float density\nend_header\n" +
                        rows);
    }
};

/// The numbers of a PLY vertex by its property, read without our own reader of frames.
std::vector<double> vertex_property(const std::string& file, const std::string& name) {
    const std::string ply = content_of(file);
    std::size_t stride = 0, offset = std::string::npos, count = 0, at = 0;
    bool byte = false;
    while (at < ply.size()) {
        const std::size_t end = ply.find('\n', at);
        const std::string line = ply.substr(at, end - at);
        at = end + 1;
        if (line == "end_header") break;
        if (line.starts_with("element vertex ")) count = std::stoul(line.substr(15));
        if (line == "property float " + name || line == "property uchar " + name)
            offset = stride, byte = line[9] == 'u';
        if (line.starts_with("property float ")) stride += 4;
        if (line.starts_with("property uchar ")) stride += 1;
    }
    std::vector<double> values;
    for (std::size_t n = 0; offset != std::string::npos && n < count; ++n) {
        float value = 0;
        if (byte) value = static_cast<std::uint8_t>(ply[at + n * stride + offset]);
        else std::memcpy(&value, ply.data() + at + n * stride + offset, 4);
        values.push_back(value);
    }
    return values;
}

TEST(MeshCommand, makes_meshes_of_all_frames_with_velocity_and_color) {
    const RunFolderByHand folder;
    const Outcome outcome = run(folder.path() + " --columns density");
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_TRUE(contains(outcome.text, "3 meshes in " + folder.file("meshes"))) << outcome.text;
    const auto x = vertex_property(folder.mesh_file(2), "x"), vy = vertex_property(folder.mesh_file(2), "vy"),
               red = vertex_property(folder.mesh_file(2), "red"),
               material = vertex_property(folder.mesh_file(2), "material"),
               density = vertex_property(folder.mesh_file(2), "density");
    ASSERT_GT(x.size(), 300u);
    for (std::size_t n = 0; n < x.size(); ++n) {
        const bool jam = x[n] < 1;
        EXPECT_NEAR(vy[n], jam ? -1 : 3, 1e-4);
        EXPECT_EQ(red[n], jam ? 0xc0 : 0xd0);
        EXPECT_EQ(material[n], jam ? 0 : 1);
        EXPECT_NEAR(density[n], jam ? 1062 : 1187, 75);
    }
    const auto index = read_json_file(folder.file("meshes/meshes.json"));
    ASSERT_TRUE(index.has_value());
    const Json* entry = find_at_pointer(*index, "/files/frame.0003.ply");
    ASSERT_TRUE(entry && entry->find("volume"));
    EXPECT_NEAR(entry->find("volume")->number, 2 * 0.125, 0.01);
}

TEST(MeshCommand, makes_a_mesh_per_material) {
    const RunFolderByHand folder;
    const Outcome outcome = run(folder.path() + " --by-material --frames 2 --format obj");
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_TRUE(fs::exists(folder.file("meshes/jam/frame.0002.obj")));
    EXPECT_TRUE(fs::exists(folder.file("meshes/honey/frame.0002.obj")));
    EXPECT_FALSE(fs::exists(folder.file("meshes/jam/frame.0001.obj")));
}

TEST(MeshCommand, no_name_of_a_material_leads_out_of_the_folder) {
    const std::vector<std::pair<std::string, std::string>> folders{
        {"..", "%2E."}, {".", "%2E"}, {"", "%"}, {"../../x", "%2E.%2F..%2Fx"}, {"/tmp", "%2Ftmp"}, {"a/b", "a%2Fb"}};
    for (const auto& [name, made] : folders) {
        const RunFolderByHand folder(3, name);
        fs::create_directory(folder.file("work"));
        put_content(folder.file("work/frame.0002.ply"), "mine");
        const Outcome outcome = run(folder.path() + " --by-material --frames 2 -o " + folder.file("work/meshes"));
        EXPECT_EQ(outcome.code, 0) << outcome.text;
        EXPECT_EQ(content_of(folder.file("work/frame.0002.ply")), "mine") << name;
        EXPECT_TRUE(fs::exists(folder.file("work/meshes/" + made + "/frame.0002.ply"))) << name;
        EXPECT_TRUE(fs::exists(folder.file("work/meshes/honey/frame.0002.ply"))) << name;
        int files = 0;
        for (const auto& entry : fs::recursive_directory_iterator(folder.file("work")))
            files += entry.is_regular_file();
        EXPECT_EQ(files, 4) << name << ": two meshes, meshes.json and what was there before";
    }
}

TEST(MeshCommand, makes_no_mesh_twice_unless_something_changed) {
    const RunFolderByHand folder;
    ASSERT_EQ(run(folder.path() + " --quiet --frames 1:2").code, 0);
    const auto first = fs::last_write_time(folder.mesh_file(1)), second = fs::last_write_time(folder.mesh_file(2));
    EXPECT_TRUE(contains(run(folder.path()).text, "2 of them were there already"));
    EXPECT_EQ(fs::last_write_time(folder.mesh_file(1)), first);

    const std::string before = content_of(folder.mesh_file(2));
    folder.put_frame(2, 0.03f);  // computed again, with another result
    EXPECT_TRUE(contains(run(folder.path()).text, "2 of them were there already"));
    EXPECT_NE(content_of(folder.mesh_file(2)), before);
    EXPECT_GE(fs::last_write_time(folder.mesh_file(2)), second);

    fs::remove(folder.mesh_file(3));
    EXPECT_TRUE(contains(run(folder.path()).text, "2 of them were there already"));
    EXPECT_FALSE(contains(run(folder.path() + " --resolution 2.5").text, "already"));
    EXPECT_FALSE(contains(run(folder.path() + " --resolution 2.5 --columns density").text, "already"));
    EXPECT_TRUE(
        contains(run(folder.path() + " --resolution 2.5 --columns density").text, "3 of them were there already"));
}

TEST(MeshCommand, the_number_of_threads_and_the_memory_change_nothing) {
    const RunFolderByHand folder;
    ASSERT_EQ(run(folder.path() + " --quiet --threads 1 -o " + folder.file("a")).code, 0);
    ASSERT_EQ(run(folder.path() + " --quiet --threads 4 -o " + folder.file("b")).code, 0);
    ASSERT_EQ(run(folder.path() + " --quiet --threads 2 --memory 0.01 -o " + folder.file("c")).code, 0);
    for (const char* frame : {"/frame.0001.ply", "/frame.0003.ply"}) {
        const std::string mesh = content_of(folder.file("a") + frame);
        EXPECT_GT(mesh.size(), 1000u);
        EXPECT_EQ(mesh, content_of(folder.file("b") + frame));
        EXPECT_EQ(mesh, content_of(folder.file("c") + frame));
    }
}

TEST(MeshCommand, a_damaged_frame_stops_no_other) {
    const RunFolderByHand folder;
    fs::resize_file(folder.frame_file(2), fs::file_size(folder.frame_file(2)) - 100);
    const Outcome outcome = run(folder.path() + " --threads 1");
    EXPECT_EQ(outcome.code, 4);
    EXPECT_TRUE(contains(outcome.text, "error: " + folder.frame_file(2) + ": cannot be read: it is cut short"))
        << outcome.text;
    EXPECT_TRUE(fs::exists(folder.mesh_file(1)) && fs::exists(folder.mesh_file(3)));
    EXPECT_FALSE(fs::exists(folder.mesh_file(2)));
    folder.put_frame(2);
    EXPECT_TRUE(contains(run(folder.path()).text, "2 of them were there already"));
    EXPECT_TRUE(fs::exists(folder.mesh_file(2)));

    folder.put_frame(3, std::numeric_limits<float>::quiet_NaN());
    const Outcome lost = run(folder.path());
    EXPECT_EQ(lost.code, 4);
    EXPECT_TRUE(contains(lost.text, folder.frame_file(3) + ": particle 1 is at (nan")) << lost.text;
}

TEST(MeshCommand, a_full_disk_is_an_error_and_loses_nothing) {
    const RunFolderByHand folder;
    ASSERT_EQ(run(folder.path() + " --quiet --frames 1").code, 0);
    const std::string mesh = content_of(folder.mesh_file(1));
    const Outcome full = run(folder.path() + " --resolution 3", "ulimit -f 4;");  // files of 4 kB at most
    EXPECT_EQ(full.code, 4) << full.text;
    EXPECT_TRUE(contains(full.text, "meshes/frame.000") && contains(full.text, "File too large")) << full.text;
    EXPECT_EQ(content_of(folder.mesh_file(1)), mesh);
    for (const auto& entry : fs::directory_iterator(folder.file("meshes"))) {
        EXPECT_FALSE(contains(entry.path().string(), ".tmp")) << entry.path();
    }
    EXPECT_EQ(run(folder.path()).code, 0);
}

TEST(MeshCommand, tells_what_is_wrong) {
    const RunFolderByHand folder;
    const auto expect_wrong = [&](const std::string& arguments, const std::string& message) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.code, 2) << arguments << "\n" << outcome.text;
        EXPECT_TRUE(contains(outcome.text, message)) << arguments << "\n" << outcome.text;
    };
    const RunFolderByHand flat(2);
    expect_wrong(flat.path(), "is a run in 2D");
    expect_wrong(folder.file("nowhere"), "nowhere");
    expect_wrong(folder.path() + " --frames 7:9", "which has frames 1 to 3");
    expect_wrong(folder.path() + " --frames x", "write first:last");
    expect_wrong(folder.path() + " --columns densty", "did you mean \"density\"");
    expect_wrong(folder.path() + " --grid 32x32x32", "--method density_threshold");
    expect_wrong(folder.path() + " --method density_threshold --grid 32x32", "for example 128x128x128");
    expect_wrong(folder.path() + " --format obj --columns density", "only ply");
    for (const int frame : {1, 2, 3}) fs::remove(folder.frame_file(frame));
    expect_wrong(folder.path(), "holds no frames");
}

TEST(MeshCommand, makes_meshes_as_in_the_paper_of_2011) {
    const RunFolderByHand folder;
    const Outcome outcome = run(folder.path() + " --method density_threshold --grid 64x32x32 --frames 1");
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_GT(vertex_property(folder.mesh_file(1), "x").size(), 200u);
}

TEST(MeshCommand, writes_level_sets) {
    const RunFolderByHand folder;
    const Outcome outcome = run(folder.path() + " --format vdb --frames 1");
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    const std::string vdb = content_of(folder.file("meshes/frame.0001.vdb"));
    EXPECT_EQ(vdb.substr(0, 4), " BDV");  // the magic number 0x56444220
    EXPECT_TRUE(contains(vdb, "surface") && contains(vdb, "level set"));
    ASSERT_EQ(run(folder.path() + " --format vdb --frames 1 --threads 1 -o " + folder.file("a")).code, 0);
    EXPECT_TRUE(vdb == content_of(folder.file("a/frame.0001.vdb")));
}

TEST(VolumeSurface, is_a_metric_on_request_and_the_volume_of_the_mesh) {
    const TemporaryFolder folder;
    put_content(folder.file("cube.json"),
                R"({ "treacle": 1, "method": "takahashi2014", "particle_spacing": 0.1, "gravity": [0, 0, 0],
        "time": { "duration": 0, "fps": 10 }, "materials": { "slime": {} }, "output": { "volume_surface": true },
        "fluids": [ { "material": "slime", "shape": { "box": { "size": [1, 1, 1] } } } ] })");
    const Outcome made = run_program("run " + folder.file("cube.json") + " --quiet -o " + folder.file("out"));
    ASSERT_EQ(made.code, 0) << made.text;
    const std::string metrics = content_of(folder.file("out/metrics.csv"));
    const std::size_t line = metrics.find('\n');
    EXPECT_TRUE(metrics.substr(0, line).ends_with(",volume_surface"));
    const double volume = std::stod(metrics.substr(metrics.rfind(',') + 1));
    EXPECT_NEAR(volume, 1, 0.02);
    ASSERT_EQ(run(folder.file("out") + " --quiet").code, 0);
    const auto index = read_json_file(folder.file("out/meshes/meshes.json"));
    ASSERT_TRUE(index.has_value());
    EXPECT_EQ(find_at_pointer(*index, "/files/frame.0001.ply/volume")->number, volume);

    const Outcome flat = run_program("check " + folder.file("cube.json") + " --set /dimension=2");
    EXPECT_EQ(flat.code, 2);
    EXPECT_TRUE(contains(flat.text, "/output/volume_surface: a scene in 2D has no surface")) << flat.text;
}

}  // namespace
}  // namespace treacle
