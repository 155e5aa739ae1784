#include "mesh_files/mesh_file.h"

#include <algorithm>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "mesh_files/closed_mesh.h"
#include "geometry/mass_properties.h"
#include "support/temporary_folder.h"

namespace treacle {
namespace {

TriangleMesh cube() { return tessellate(Shape{Box{{}, {1, 1, 1}}}); }

template <class Number>
std::string raw(Number value, bool big_endian = false) {
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    if (big_endian) std::reverse(bytes.begin(), bytes.end());
    return bytes;
}

std::string obj() {
    return "# a cube\nmtllib x.mtl\nv -0.5 -0.5 -0.5\nv 0.5 -0.5 -0.5 1 0 0\nv 0.5 0.5 -0.5\r\nv -0.5 0.5 -0.5\nvt 0 "
           "0\nvn 0 0 1\n"
           "v -0.5 -0.5 +0.5\nv 0.5 -0.5 5e-1\nv 0.5 0.5 0.5\nv -0.5 0.5 0.5\no cube\ns off\n"
           "f 1 4 3 2\nf 5/1 6/1 7/1 8/1\nf 1//1 2//1 6//1 5//1\nf 2/1/1 3/1/1 7/1/1 6/1/1\nf -6 -5 -1 -2\nf 4 1 5 8\n";
}

std::string ply(const std::string& format) {
    const TriangleMesh mesh = cube();
    std::string text = "ply\nformat " + format +
                       " 1.0\ncomment made by a test\nelement vertex 8\nproperty float x\nproperty double y\n"
                       "property float z\nproperty uchar red\nelement face 12\nproperty list uchar int "
                       "vertex_indices\nproperty short extra\nend_header\n";
    const bool ascii = format == "ascii", big = format == "binary_big_endian";
    for (const Vec3d& v : mesh.vertices) {
        if (ascii) text += std::to_string(v.x) + " " + std::to_string(v.y) + "\n" + std::to_string(v.z) + " 255\n";
        else text += raw(static_cast<float>(v.x), big) + raw(v.y, big) + raw(static_cast<float>(v.z), big) + "\x80";
    }
    for (const auto& t : mesh.triangles) {
        text += ascii ? "3" : "\x03";
        for (const std::uint32_t corner : t)
            text += ascii ? " " + std::to_string(corner) : raw(static_cast<std::int32_t>(corner), big);
        text += ascii ? " 7\n" : raw(std::int16_t{7}, big);
    }
    return text;
}

std::string stl(bool ascii) {
    const TriangleMesh mesh = cube();
    std::string text = "solid cube";
    if (!ascii) {
        text.resize(80, ' ');  // begins with "solid" all the same
        text += raw(std::uint32_t{12});
    }
    for (const auto& t : mesh.triangles) {
        text += ascii ? "\nfacet normal 0 0 0\n outer loop\n" : std::string(12, '\0');
        for (const std::uint32_t corner : t) {
            const Vec3d v = mesh.vertices[corner];
            if (ascii)
                text +=
                    "  vertex " + std::to_string(v.x) + " " + std::to_string(v.y) + " " + std::to_string(v.z) + "\n";
            else text += raw(static_cast<float>(v.x)) + raw(static_cast<float>(v.y)) + raw(static_cast<float>(v.z));
        }
        text += ascii ? " endloop\nendfacet" : std::string(2, '\0');
    }
    return text + (ascii ? "\nendsolid cube\n" : "");
}

Result<TriangleMesh> read(const std::string& name, const std::string& content) {
    TemporaryFolder folder;
    put_content(folder.file(name), content);
    return read_mesh_file(folder.file(name));
}

const std::vector<std::pair<std::string, std::string>>& good_files() {
    static const std::vector<std::pair<std::string, std::string>> files{{"a.obj", obj()},
                                                                        {"a.ply", ply("ascii")},
                                                                        {"b.ply", ply("binary_little_endian")},
                                                                        {"C.PLY", ply("binary_big_endian")},
                                                                        {"a.stl", stl(true)},
                                                                        {"b.stl", stl(false)}};
    return files;
}

TEST(MeshFile, EveryFormatHoldsTheSameCube) {
    for (const auto& [name, content] : good_files()) {
        const auto mesh = read(name, content);
        ASSERT_TRUE(mesh) << name << ": " << to_string(mesh.error());
        EXPECT_EQ(mesh->triangles.size(), 12u) << name;
        const auto closed = closed_mesh(*mesh);
        ASSERT_TRUE(closed) << name << ": " << to_string(closed.error());
        EXPECT_EQ(closed->vertices.size(), 8u) << name;
        EXPECT_NEAR(mass_properties(*closed).volume, 1, 1e-12) << name;
    }
}

TEST(MeshFile, ErrorsTellWhere) {
    const auto problem = [](const std::string& name, const std::string& content) {
        const auto mesh = read(name, content);
        if (mesh) return std::string("none");
        const Problem& first = mesh.error().problems.front();
        return std::to_string(first.line) + " " + first.message;
    };
    EXPECT_EQ(problem("a.obj", "v 0 0 0\nv 1 nan 0\n"), "2 a vertex must have three finite numbers");
    EXPECT_EQ(problem("a.obj", "v 0 0 0\nv 1 1e999 0\n"), "2 a vertex must have three finite numbers");
    EXPECT_EQ(problem("a.obj", "v 0 0 0\n\nf 1 1 2\n"), "3 there is no vertex 2; there are 1");
    EXPECT_EQ(problem("a.obj", "v 0 0 0\nf 1 1 -2\n"), "2 \"-2\" is no corner of a face");
    EXPECT_EQ(problem("a.obj", "v 0 0 0\nf 1 1\n"), "2 a face must have three corners or more");
    EXPECT_EQ(problem("a.ply", "plx\n"), "1 a PLY file must begin with a line \"ply\"");
    EXPECT_EQ(problem("a.ply", "ply\nformat ascii 1.0\nelement vertex 99999999999\n"),
              "3 an element must have a name and a number of rows that the file can hold");
    EXPECT_EQ(
        problem("a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0 0 0").substr(0, 4),
        "none");
    const std::string binary = ply("binary_little_endian");
    EXPECT_EQ(problem("a.ply", binary.substr(0, binary.size() - 1)).substr(0, 7), "0 byte ");
    EXPECT_EQ(problem("a.stl", stl(false).substr(0, 300)),
              "0 byte 300: the file ends before the last of its 12 triangles");
    EXPECT_EQ(problem("a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n"),
              "4 a vertex must have three finite numbers");
    EXPECT_EQ(problem("a.step", ""), "0 is no mesh that this program can read; use .obj, .ply or .stl");
    EXPECT_FALSE(read_mesh_file("/no/such/file.obj"));
}

/// Files cut anywhere and with bytes changed anywhere: an error or a mesh, never a crash or a hang.
TEST(MeshFile, DamagedFilesAreSurvived) {
    std::mt19937 random{9};
    for (const auto& [name, content] : good_files()) {
        for (int n = 0; n < 200; ++n) {
            std::string damaged = content;
            if (n % 2) damaged.resize(random() % damaged.size());
            for (int k = 0; k < 3 && !damaged.empty(); ++k)
                damaged[random() % damaged.size()] = static_cast<char>(random());
            const auto mesh = read(name, damaged);
            if (mesh) {
                for (const auto& t : mesh->triangles) {
                    for (const std::uint32_t corner : t) ASSERT_LT(corner, mesh->vertices.size());
                }
                (void)closed_mesh(*mesh);
            }
        }
    }
}

}  // namespace
}  // namespace treacle
