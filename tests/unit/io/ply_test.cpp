#include "io/ply.h"

#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "small_frame.h"
#include "support/temporary_folder.h"
#include "support/tight_disk.h"

namespace treacle {
namespace {

const std::string header_of_two =
    "ply\n"
    "format binary_little_endian 1.0\n"
    "comment generator treacle\n"
    "comment frame 3\n"
    "comment time 0.125 s\n"
    "comment dimension 3\n"
    "comment unit x m\n"
    "comment unit y m\n"
    "comment unit z m\n"
    "comment unit vx m/s\n"
    "comment unit vy m/s\n"
    "comment unit vz m/s\n"
    "comment unit density kg/m^3\n"
    "comment unit pressure Pa\n"
    "comment unit stress_xx Pa\n"
    "comment unit stress_xy Pa\n"
    "comment unit stress_xz Pa\n"
    "comment unit stress_yy Pa\n"
    "comment unit stress_yz Pa\n"
    "comment unit stress_zz Pa\n"
    "comment unit count 1\n"
    "element vertex 2\n"
    "property float x\n"
    "property float y\n"
    "property float z\n"
    "property float vx\n"
    "property float vy\n"
    "property float vz\n"
    "property uint id\n"
    "property uchar material\n"
    "property float density\n"
    "property float pressure\n"
    "property float direction_x\n"
    "property float direction_y\n"
    "property float direction_z\n"
    "property float stress_xx\n"
    "property float stress_xy\n"
    "property float stress_xz\n"
    "property float stress_yy\n"
    "property float stress_yz\n"
    "property float stress_zz\n"
    "property float count\n"
    "end_header\n";

template <class Value>
void put(std::string& bytes, Value value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class Real>
class PlyOf : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(PlyOf, Reals);

TYPED_TEST(PlyOf, bytes_are_as_the_contract_says) {
    TemporaryFolder folder;
    const Particles particles = two_particles<TypeParam>();
    ASSERT_TRUE(write_ply(folder.file("a.ply"), frame_of(particles, {})));
    std::string expected = header_of_two;
    for (std::uint32_t id = 0; id < 2; ++id) {
        const float base = static_cast<float>(100 * id);
        for (int n = 1; n <= 6; ++n) put<float>(expected, base + static_cast<float>(n));
        put<std::uint32_t>(expected, 4000000000u + id);
        put<std::uint8_t>(expected, static_cast<std::uint8_t>(200 + id));
        put<float>(expected, 1000 + base);
        for (int n = 7; n <= 16; ++n) put<float>(expected, base + static_cast<float>(n));
        put<float>(expected, static_cast<float>(id + 17));
    }
    EXPECT_EQ(content_of(folder.file("a.ply")), expected);
}

TYPED_TEST(PlyOf, read_back) {
    TemporaryFolder folder;
    const Particles particles = two_particles<TypeParam>();
    ASSERT_TRUE(write_ply(folder.file("a.ply"), frame_of(particles, {})));
    const auto table = read_ply(folder.file("a.ply"));
    ASSERT_TRUE(table) << to_string(table.error());
    EXPECT_EQ(table->frame, 3);
    EXPECT_EQ(table->time, 0.125);
    EXPECT_EQ(table->rows, 2u);
    EXPECT_EQ(table->columns.size(), 20u);
    EXPECT_EQ(table->find("x")->values, (std::vector<double>{1, 101}));
    EXPECT_EQ(table->find("id")->values, (std::vector<double>{4000000000.0, 4000000001.0}));
    EXPECT_EQ(table->find("material")->values, (std::vector<double>{200, 201}));
    EXPECT_EQ(table->find("stress_yz")->values, (std::vector<double>{15, 115}));
    EXPECT_EQ(table->find("stress_yz")->unit, "Pa");
    EXPECT_EQ(table->find("direction_z")->unit, "");
    EXPECT_EQ(table->find("hidden"), nullptr);
    EXPECT_EQ(table->find("mass"), nullptr);
}

TEST(Ply, no_particles) {
    TemporaryFolder folder;
    const Particles particles(ScalarType::f32);
    ASSERT_TRUE(write_ply(folder.file("a.ply"), frame_of(particles, {})));
    const auto table = read_ply(folder.file("a.ply"));
    ASSERT_TRUE(table) << to_string(table.error());
    EXPECT_EQ(table->rows, 0u);
    EXPECT_EQ(table->columns.size(), 9u);
}

TEST(Ply, failures_to_write_say_why) {
    TemporaryFolder folder;
    Particles particles(ScalarType::f32);
    particles.resize(1000);
    const auto nowhere = write_ply(folder.file("no/a.ply"), frame_of(particles, {}));
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().code, ExitCode::file_failed);
    const TightDisk tight(20000);
    EXPECT_FALSE(write_ply(folder.file("a.ply"), frame_of(particles, {})));
    EXPECT_FALSE(std::filesystem::exists(folder.file("a.ply")));
}

TEST(Ply, reads_all_types_and_skips_what_follows) {
    TemporaryFolder folder;
    std::string file =
        "ply\r\nformat binary_little_endian 1.0\r\nobj_info any\r\ncomment\r\nelement vertex 1\r\nproperty int8 a\r\n"
        "property short b\r\nproperty ushort c\r\nproperty int32 d\r\nproperty double e\r\nelement face 1\r\n"
        "property list uchar int vertex_indices\r\nend_header\r\n";
    put<std::int8_t>(file, -5);
    put<std::int16_t>(file, -300);
    put<std::uint16_t>(file, 65000);
    put<std::int32_t>(file, -70000);
    put<double>(file, 0.1);
    file += std::string("\1\0\0\0\0", 5);
    put_content(folder.file("a.ply"), file);
    const auto table = read_ply(folder.file("a.ply"));
    ASSERT_TRUE(table) << to_string(table.error());
    const std::vector<double> expected{-5, -300, 65000, -70000, 0.1};
    for (std::size_t c = 0; c < 5; ++c) EXPECT_EQ(table->columns[c].values[0], expected[c]);
    EXPECT_EQ(table->frame, 0);
}

TEST(Ply, wrong_files_are_refused_with_a_reason) {
    TemporaryFolder folder;
    const std::string path = folder.file("a.ply");
    const auto expect_refused = [&](const std::string& content, const std::string& reason) {
        put_content(path, content);
        const auto table = read_ply(path);
        ASSERT_FALSE(table) << reason;
        EXPECT_EQ(table.error().code, ExitCode::file_failed);
        EXPECT_NE(to_string(table.error()).find(reason), std::string::npos) << to_string(table.error());
        EXPECT_NE(to_string(table.error()).find(path), std::string::npos) << to_string(table.error());
    };
    const std::string start = "ply\nformat binary_little_endian 1.0\n";
    expect_refused("", "no PLY file");
    expect_refused("solid cube\n", "no PLY file");
    expect_refused(start + "element vertex 1\n", "the header has no end");
    expect_refused("ply\nformat ascii 1.0\nend_header\n", "only the format binary_little_endian");
    expect_refused("ply\nelement vertex 1\nproperty float x\nend_header\n1234", "does not say the format");
    expect_refused(start + "end_header\n", "declares no vertices");
    expect_refused(start + "element vertex 1\nend_header\n", "declares no vertices");
    expect_refused(start + "element vertex -1\nproperty float x\nend_header\n", "cannot be read");
    expect_refused(start + "element vertex 99999999999999999999999\nproperty float x\nend_header\n", "cannot be read");
    expect_refused(start + "element vertex 18446744073709551615\nproperty float x\nend_header\n", "cut short");
    expect_refused(start + "element vertex 4611686018427387904\nproperty float x\nend_header\n", "cut short");
    expect_refused(start + "element vertex 2\nproperty float x\nend_header\n1234567", "cut short");
    expect_refused(start + "element vertex 1\nproperty float x\nend_header\n12345", "longer than its header says");
    expect_refused(start + "element vertex 1\nproperty real x\nend_header\n1234", "\"real\" is no type");
    expect_refused(start + "element vertex 1\nproperty float x\nproperty float x\nend_header\n12345678", "there twice");
    expect_refused(start + "element vertex 1\nproperty list uchar int x\nend_header\n", "lists are not supported");
    expect_refused(start + "element face 1\nproperty float x\nend_header\n1234", "stands before the vertices");
    expect_refused(start + "property float x\nend_header\n", "makes no sense");
    expect_refused(start + "rubbish\nend_header\n", "makes no sense");
    EXPECT_FALSE(read_ply(folder.file("missing.ply")));
    EXPECT_FALSE(read_ply(folder.path()));
}

TEST(Ply, damaged_files_never_crash) {
    TemporaryFolder folder;
    const std::string path = folder.file("a.ply");
    const Particles particles = two_particles<float>();
    ASSERT_TRUE(write_ply(path, frame_of(particles, {})));
    const std::string whole = content_of(path);
    for (std::size_t length = 0; length < whole.size(); length += 13) {
        put_content(path, whole.substr(0, length));
        EXPECT_FALSE(read_ply(path)) << length;
    }
    std::mt19937 random(1);
    for (int n = 0; n < 500; ++n) {
        std::string damaged = whole;
        for (int flips = 0; flips < 3; ++flips) {
            char& byte = damaged[random() % header_of_two.size()];
            byte = static_cast<char>(byte ^ (1 << random() % 8));
        }
        put_content(path, damaged);
        const auto table = read_ply(path);
        if (!table) continue;
        for (const auto& column : table->columns) EXPECT_EQ(column.values.size(), table->rows);
    }
}

}  // namespace
}  // namespace treacle
