#include <chrono>
#include <filesystem>

#include <gtest/gtest.h>

#include "io/bgeo.h"
#include "io/frame_output.h"
#include "io/frame_writers.h"
#include "io/gzip.h"
#include "io/mitsuba.h"
#include "io/npz.h"
#include "io/ply.h"
#include "io/points_csv.h"
#include "io/run_export.h"
#include "io/usda.h"
#include "small_frame.h"
#include "support/temporary_folder.h"
#include "support/tight_disk.h"

// The bytes of the files. tests/python and ./test --paraview check that other programs read them.

namespace treacle {
namespace {

namespace fs = std::filesystem;

/// A run with a fluid and two solids, one of which moves in frames 3 and 4.
class ExportTest : public ::testing::Test {
protected:
    void SetUp() override {
        auto created = RunFolder::create(temporary_.file("run"));
        ASSERT_TRUE(created);
        auto manifest = parse_json(R"({"treacle": 1, "fps": 4, "scene": {"name": "a & b", "particle_spacing": 0.5,
            "materials": {"honey": {"color": "#ff8000"}, "milk": {}},
            "solids": [{"name": "floor"}, {"name": "my cup"}]}})",
                                   "manifest");
        ASSERT_TRUE(created->write_manifest(*manifest));
        Bodies bodies(2);
        bodies[0].name = "floor", bodies[1].name = "my cup";
        for (Body& body : bodies) body.shape.form = Box{{0, 0, 0}, {1, 2, 3}};
        ASSERT_TRUE(created->write_body_shapes(bodies, {{-1, -1, -1}, {1, 1, 1}}));
        run_ = *created;
        bodies_ = bodies;
    }

    /// Frames 1 to 4, written like those of a run.
    void write_frames(const std::vector<std::string>& formats) {
        auto output = FrameOutput::open(*run_, formats);
        ASSERT_TRUE(output) << to_string(output.error());
        for (int number = 1; number <= 4; ++number) {
            bodies_[1].pose.position.x = number >= 3 ? number : 0;
            const Frame frame = frame_of(particles_, bodies_, number);
            ASSERT_TRUE(output->write_frame(frame));
            ASSERT_TRUE(run_->append_bodies(frame));
            ASSERT_TRUE(output->list_frames());
        }
    }

    TemporaryFolder temporary_;
    std::optional<RunFolder> run_;
    Bodies bodies_;
    Particles particles_ = two_particles<float>();
};

TEST(FrameFormats, each_has_a_writer_and_an_extension_of_its_own) {
    std::set<std::string> extensions;
    for (const FrameFormat& format : frame_formats()) {
        EXPECT_TRUE(extensions.insert(format.extension).second) << format.word;
        EXPECT_GT(format.bytes_per_particle, 0);
        EXPECT_EQ(find_frame_writer(format.word) == nullptr, std::string(format.word) == "ply") << format.word;
    }
    EXPECT_EQ(find_frame_format("vtk"), nullptr);
}

TEST(ParticleTable, is_the_same_from_a_frame_and_from_its_file) {
    TemporaryFolder folder;
    const Particles particles = two_particles<float>();
    ASSERT_TRUE(write_ply(folder.file("a.ply"), frame_of(particles, {})));
    const ParticleTable direct = particle_table(frame_of(particles, {}));
    const auto read = read_particle_table(folder.file("a.ply"));
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_EQ(read->frame, 3);
    EXPECT_EQ(read->time, 0.125);
    EXPECT_EQ(read->position, direct.position);
    EXPECT_EQ(read->velocity, direct.velocity);
    EXPECT_EQ(read->id, direct.id);
    EXPECT_EQ(read->material, direct.material);
    EXPECT_EQ(read->density, direct.density);
    ASSERT_EQ(read->extra.size(), 4u);
    for (std::size_t c = 0; c < 4; ++c) {
        EXPECT_EQ(read->extra[c].name, direct.extra[c].name);
        EXPECT_EQ(read->extra[c].unit, direct.extra[c].unit);
        EXPECT_EQ(read->extra[c].shape, direct.extra[c].shape);
        EXPECT_EQ(read->extra[c].values, direct.extra[c].values);
    }
    EXPECT_EQ(direct.position[1], (std::array<float, 3>{101, 102, 103}));  // by id, not by storage
}

TEST(ParticleTable, turns_to_z_up) {
    ParticleTable table = particle_table(frame_of(two_particles<float>(), {}));
    const ParticleTable before = table;
    turn_to_z_up(table);
    EXPECT_EQ(table.position[0], (std::array<float, 3>{1, -3, 2}));
    EXPECT_EQ(table.velocity[0], (std::array<float, 3>{4, -6, 5}));
    const auto turned = [](Vec3d v) { return rotate(from_y_up_to_z_up, v); };
    EXPECT_NEAR(turned({1, 2, 3}).y, -3, 1e-15);
    EXPECT_NEAR(turned({1, 2, 3}).z, 2, 1e-15);
    // A tensor T is turned if turned(T v) = turned T · turned(v) for every v.
    const auto times = [](const float* t, Vec3d v) {
        return Vec3d{t[0] * v.x + t[1] * v.y + t[2] * v.z, t[1] * v.x + t[3] * v.y + t[4] * v.z,
                     t[2] * v.x + t[4] * v.y + t[5] * v.z};
    };
    for (const Vec3d v : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
        const Vec3d expected = turned(times(before.extra[2].values.data(), v));
        const Vec3d found = times(table.extra[2].values.data(), turned(v));
        EXPECT_NEAR(length(expected - found), 0, 1e-13);
    }
}

TEST(ParticleTable, refuses_what_is_no_frame) {
    TemporaryFolder folder;
    put_content(
        folder.file("a.ply"),
        "ply\nformat binary_little_endian 1.0\nelement vertex 0\nproperty float x\nproperty float y\nend_header\n");
    const auto read = read_particle_table(folder.file("a.ply"));
    ASSERT_FALSE(read);
    EXPECT_NE(to_string(read.error()).find("z is not in its place"), std::string::npos) << to_string(read.error());
}

TEST(Bgeo, header_and_first_point_to_the_byte) {
    ParticleTable table;
    table.position = {{1, 2, -0.5f}};
    table.velocity = {{0, 0, 2}};
    table.id = {258};
    table.material = {3};
    table.density = {1};
    table.extra = {{"T", "", ColumnShape::scalar, {0.25f}}};
    ExportRun run;
    run.spacing = 0.25;
    const unsigned char expected[] = {'B',  'g',  'e', 'o', 'V',  0,   0,   0,   5,    0,    0,   0,    1,    0,   0,
                                      0,    0,    0,   0,   0,    0,   0,   0,   0,    0,    0,   0,    0,    6,   0,
                                      0,    0,    0,   0,   0,    0,   0,   0,   0,    0,    0,   0,    1,    'v', 0,
                                      3,    0,    0,   0,   5,    0,   0,   0,   0,    0,    0,   0,    0,    0,   0,
                                      0,    0,    0,   2,   'i',  'd', 0,   1,   0,    0,    0,   1,    0,    0,   0,
                                      0,    0,    6,   'p', 's',  'c', 'a', 'l', 'e',  0,    1,   0,    0,    0,   0,
                                      0,    0,    0,   0,   0,    7,   'd', 'e', 'n',  's',  'i', 't',  'y',  0,   1,
                                      0,    0,    0,   0,   0,    0,   0,   0,   0,    8,    'm', 'a',  't',  'e', 'r',
                                      'i',  'a',  'l', 0,   1,    0,   0,   0,   1,    0,    0,   0,    0,    0,   1,
                                      'T',  0,    1,   0,   0,    0,   0,   0,   0,    0,    0,   0x3f, 0x80, 0,   0,
                                      0x40, 0,    0,   0,   0xbf, 0,   0,   0,   0x3f, 0x80, 0,   0,  // 1 2 -0.5 1
                                      0,    0,    0,   0,   0,    0,   0,   0,   0x40, 0,    0,   0,    0,    0,   1,
                                      2,    0x3e, 0,   0,   0,  // v, id, radius 0.125
                                      0x3f, 0x80, 0,   0,   0,    0,   0,   3,   0x3e, 0x80, 0,   0,    0x00, 0xff};
    EXPECT_EQ(bgeo_bytes(table, run), std::string(reinterpret_cast<const char*>(expected), sizeof expected));
}

TEST(Bgeo, tensors_become_floats_of_one_number_each) {
    const std::string bytes = bgeo_bytes(particle_table(frame_of(two_particles<double>(), {})), {});
    for (const char* name : {"stress_xx", "stress_yz", "direction"})
        EXPECT_NE(bytes.find(name), std::string::npos) << name;
    EXPECT_EQ(bytes.find("direction_x"), std::string::npos);
}

TEST(Gzip, is_the_same_every_time_and_known_by_its_checksum) {
    EXPECT_EQ(crc32_of("123456789"), 0xCBF43926u);  // the check value of this checksum
    const std::string zeros(100000, '\0');
    const std::string packed = gzip(zeros);
    EXPECT_EQ(packed, gzip(zeros));
    EXPECT_LT(packed.size(), 1000u);
    EXPECT_TRUE(packed.starts_with(std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00", 8)));  // gzip, no name, no time
    EXPECT_TRUE(gzip({}).size() > 10);
}

TEST(PointsCsv, reads_like_the_ply) {
    TemporaryFolder folder;
    ASSERT_TRUE(write_points_csv(folder.file("a.csv"), particle_table(frame_of(two_particles<float>(), {}))));
    EXPECT_EQ(content_of(folder.file("a.csv")),
              "x,y,z,vx,vy,vz,id,material,density,pressure,direction_x,direction_y,direction_z,stress_xx,stress_xy,"
              "stress_xz,stress_yy,stress_yz,stress_zz,count\n"
              "1,2,3,4,5,6,4000000000,200,1000,7,8,9,10,11,12,13,14,15,16,17\n"
              "101,102,103,104,105,106,4000000001,201,1100,107,108,109,110,111,112,113,114,115,116,18\n");
}

TEST_F(ExportTest, solids_that_stand_still_are_written_once) {
    write_frames({"vtp"});
    EXPECT_EQ(run_->frames("vtp").size(), 4u);
    EXPECT_TRUE(run_->frames("ply").empty());
    const std::string frames = content_of(temporary_.file("run/frames.pvd"));
    EXPECT_NE(frames.find("timestep=\"0.25\" group=\"\" part=\"0\" file=\"frames/frame.0002.vtp\""), std::string::npos);
    const std::string bodies = content_of(temporary_.file("run/bodies.pvd"));
    EXPECT_NE(bodies.find("timestep=\"0.25\" group=\"\" part=\"0\" file=\"frames/bodies.0001.vtp\""),
              std::string::npos);
    EXPECT_NE(bodies.find("timestep=\"0.5\" group=\"\" part=\"0\" file=\"frames/bodies.0003.vtp\""), std::string::npos);
    EXPECT_NE(bodies.find("timestep=\"0.75\" group=\"\" part=\"0\" file=\"frames/bodies.0004.vtp\""),
              std::string::npos);
    EXPECT_FALSE(fs::exists(temporary_.file("run/frames/bodies.0002.vtp")));
    const std::string mesh = content_of(temporary_.file("run/frames/bodies.0004.vtp"));
    EXPECT_NE(
        mesh.find(
            "NumberOfPoints=\"16\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"24\""),
        std::string::npos);
}

TEST_F(ExportTest, all_formats_while_running) {
    write_frames(frame_format_words());
    for (const FrameFormat& format : frame_formats())
        EXPECT_EQ(run_->frames(format.extension).size(), 4u) << format.word;
    for (const char* list : {"frames.pvd", "bodies.pvd", "frames.hdf.series", "frames.usda", "frames.manifest.usda",
                             "frames/settings.xml", "frames/body_1.ply"}) {
        EXPECT_TRUE(fs::exists(temporary_.file(std::string("run/") + list))) << list;
    }
    EXPECT_NE(content_of(temporary_.file("run/frames.hdf.series")).find("frames/frame.0004.hdf"), std::string::npos);
}

TEST_F(ExportTest, usd_stage) {
    write_frames({"usda"});
    const std::string stage = content_of(temporary_.file("run/frames.usda"));
    for (const char* part : {"#usda 1.0\n(\n    defaultPrim = \"treacle\"\n    metersPerUnit = 1\n    upAxis = \"Y\"\n"
                             "    startTimeCode = 1\n    endTimeCode = 4\n    timeCodesPerSecond = 4\n",
                             "double2[] active = [(1, 0), (2, 1), (3, 2), (4, 3)]",
                             "asset[] assetPaths = [@./frames/frame.0001.usda@, @./frames/frame.0002.usda@, ",
                             "double2[] times = [(1, 1), (2, 2), (3, 3), (4, 4)]", "def Mesh \"my_cup\"",
                             "float[] widths = [0.5] (\n        interpolation = \"constant\"\n    )",
                             "xformOp:translate.timeSamples = {\n            1: (0, 0, 0),\n            2: (0, 0, 0),\n"
                             "            3: (3, 0, 0),\n            4: (4, 0, 0),\n        }",             // the cup
                             "xformOp:translate.timeSamples = {\n            1: (0, 0, 0),\n        }"}) {  // the floor
        EXPECT_NE(stage.find(part), std::string::npos) << part << "\n" << stage;
    }
    const std::string frame = content_of(temporary_.file("run/frames/frame.0002.usda"));
    for (const char* part :
         {"def Points \"fluid\"", "point3f[] points.timeSamples = {\n        2: [(1, 2, 3), (101, 102, 103)],\n    }",
          "int64[] ids.timeSamples = {\n        2: [4000000000, 4000000001],\n    }",
          "float[] primvars:density (\n        interpolation = \"vertex\"\n    )\n"
          "    float[] primvars:density.timeSamples = {\n        2: [1000, 1100],\n    }",
          "float[] primvars:stress (\n        elementSize = 6\n"}) {
        EXPECT_NE(frame.find(part), std::string::npos) << part << "\n" << frame;
    }
}

TEST_F(ExportTest, mitsuba_scene) {
    write_frames({"mitsuba"});
    const std::string frame = content_of(temporary_.file("run/frames/frame.0004.xml"));
    for (const char* part :
         {"<scene version=\"3.0.0\">", "<include filename=\"settings.xml\"/>",
          "<matrix value=\"1 0 0 4 0 1 0 0 0 0 1 0 0 0 0 1\"/>",
          "<point name=\"center\" x=\"101\" y=\"102\" z=\"103\"/><float name=\"radius\" value=\"0.25\"/>"}) {
        EXPECT_NE(frame.find(part), std::string::npos) << part << "\n" << frame;
    }
    auto run = export_run(*RunRecord::read(*run_), true);
    run->surfaces[2] = "../meshes/frame.0002.ply";
    ParticleTable table = particle_table(frame_of(particles_, {}, 2));
    ASSERT_TRUE(write_mitsuba(temporary_.file("surface.xml"), table, *run));
    const std::string surface = content_of(temporary_.file("surface.xml"));
    EXPECT_NE(surface.find("value=\"../meshes/frame.0002.ply\""), std::string::npos);
    EXPECT_EQ(surface.find("sphere"), std::string::npos);  // one or the other
    const std::string settings = content_of(temporary_.file("run/frames/settings.xml"));
    EXPECT_NE(settings.find("<bsdf type=\"roughplastic\" id=\"fluid_0\">\n        <!-- honey -->\n"
                            "        <rgb name=\"diffuse_reflectance\" value=\"1, "),
              std::string::npos)
        << settings;
}

TEST_F(ExportTest, halved_particles_are_smaller) {
    Particles particles = two_particles<float>();
    particles.add<float>("size", "1", true);
    particles.get<float>("size")[0] = 0.5f, particles.get<float>("size")[1] = 1;  // stored in the order 1, 0 of ids
    const ParticleTable table = particle_table(frame_of(particles, {}));
    EXPECT_EQ(table.size_of(0), 1);
    EXPECT_EQ(table.size_of(1), 0.5f);
    EXPECT_EQ(particle_table(frame_of(particles_, {})).size_of(1), 1);  // no such column
    const auto run = export_run(*RunRecord::read(*run_), false);
    ASSERT_TRUE(write_mitsuba(temporary_.file("sizes.xml"), table, *run));
    const std::string scene = content_of(temporary_.file("sizes.xml"));
    EXPECT_NE(scene.find("x=\"1\" y=\"2\" z=\"3\"/><float name=\"radius\" value=\"0.25\"/>"), std::string::npos)
        << scene;
    EXPECT_NE(scene.find("x=\"101\" y=\"102\" z=\"103\"/><float name=\"radius\" value=\"0.125\"/>"), std::string::npos)
        << scene;
}

TEST_F(ExportTest, no_particles) {
    const Particles none(ScalarType::f32);  // before an emitter begins
    const ParticleTable table = particle_table(frame_of(none, {}));
    const auto run = export_run(*RunRecord::read(*run_), false);
    ASSERT_TRUE(run);
    for (const FrameFormat& format : frame_formats()) {
        const FrameWriter* writer = find_frame_writer(format.word);
        if (!writer) continue;
        const auto done = writer->frame(temporary_.file(std::string("none.") + format.extension), table, *run);
        EXPECT_TRUE(done) << format.word << ": " << to_string(done.error());
    }
    EXPECT_EQ(bgeo_bytes(table, *run).substr(9, 4), std::string(4, '\0'));
}

TEST_F(ExportTest, a_full_disk_is_reported_by_every_format) {
    const ParticleTable table = particle_table(frame_of(particles_, {}));
    const auto run = export_run(*RunRecord::read(*run_), false);
    ASSERT_TRUE(run);
    const TightDisk tight(64);
    for (const FrameFormat& format : frame_formats()) {
        const FrameWriter* writer = find_frame_writer(format.word);
        if (!writer) continue;
        const std::string path = temporary_.file(std::string("full.") + format.extension);
        const auto done = writer->frame(path, table, *run);
        ASSERT_FALSE(done) << format.word;
        EXPECT_EQ(done.error().code, ExitCode::file_failed);
        EXPECT_NE(to_string(done.error()).find(path), std::string::npos) << to_string(done.error());
        EXPECT_FALSE(fs::exists(path)) << format.word;
    }
}

TEST_F(ExportTest, a_damaged_solid_is_named) {
    put_content(run_->body_file("floor"),
                "ply\nformat ascii 1.0\nelement vertex 3\nelement face 1\nend_header\n0 0 0\n");
    const auto run = export_run(*RunRecord::read(*run_), false);
    ASSERT_FALSE(run);
    EXPECT_NE(to_string(run.error()).find("floor.ply"), std::string::npos);
}

TEST_F(ExportTest, a_run_folder_in_another_format) {
    write_frames({"ply"});
    ExportRequest request;
    request.run = run_->path();
    request.format = "csv";
    request.frames = "2:";
    std::size_t planned = 0;
    std::vector<std::string> written;
    ExportEvents events;
    events.planned = [&](std::size_t frames) { planned = frames; };
    events.written = [&](const std::string& file) { written.push_back(file); };
    const auto first = write_export(request, events);
    ASSERT_TRUE(first) << to_string(first.error());
    EXPECT_EQ(planned, 3u);
    ASSERT_EQ(written.size(), 3u);
    EXPECT_EQ(written.front(), temporary_.file("run/export/csv/frame.0002.csv"));
    EXPECT_TRUE(fs::exists(written.front()));
    EXPECT_EQ(first->frames, 3u);
    EXPECT_EQ(first->skipped, 0u);

    request.frames.clear();
    put_content(run_->frame_file(4, "ply"), "ply\n");  // damaged, and newer than its export
    fs::last_write_time(run_->frame_file(4, "ply"), fs::file_time_type::clock::now() + std::chrono::seconds(10));
    const auto second = write_export(request);
    ASSERT_TRUE(second) << to_string(second.error());
    EXPECT_EQ(second->frames, 3u);
    EXPECT_EQ(second->skipped, 2u) << "they were there already";
    ASSERT_EQ(second->damaged.size(), 1u);
    EXPECT_EQ(second->damaged.front().file, run_->frame_file(4, "ply"));

    request.format = "cvs";
    const auto unknown = write_export(request);
    ASSERT_FALSE(unknown);
    EXPECT_NE(to_string(unknown.error()).find("did you mean"), std::string::npos) << to_string(unknown.error());
}

}  // namespace
}  // namespace treacle
