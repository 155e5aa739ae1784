#include <cmath>

#include <gtest/gtest.h>

#include "fuzz/fuzz.h"
#include "io/ply.h"
#include "mesh_files/svg_outline.h"
#include "support/temporary_folder.h"
#include "unit/io/small_frame.h"

/// Foreign files with damage of every kind: read or refused with a reason, never a crash or a hang.

namespace treacle {
namespace {

template <class T>
void expect_reason(const Result<T>& result) {
    ASSERT_FALSE(result.error().problems.empty());
    EXPECT_FALSE(result.error().problems.front().message.empty());
}

TEST(Fuzz, PlyReader) {
    const std::vector<std::string> words{"ply\n",
                                         "format binary_little_endian 1.0\n",
                                         "format ascii 1.0\n",
                                         "comment ",
                                         "comment unit x ",
                                         "comment time 1e999 s\n",
                                         "comment frame 99999999999\n",
                                         "element vertex ",
                                         "element face 1\n",
                                         "property ",
                                         "property list uchar int vertex_indices\n",
                                         "float ",
                                         "double ",
                                         "uchar ",
                                         "int8 ",
                                         "end_header\n",
                                         "0",
                                         "-1",
                                         "18446744073709551615",
                                         "4611686018427387904",
                                         "\r\n",
                                         "\n",
                                         " "};
    TemporaryFolder folder(memory_folder());
    const std::string path = folder.file("frame.ply");
    const Particles particles = two_particles<float>();
    ASSERT_TRUE(write_ply(path, frame_of(particles, {})));
    const std::vector<std::string> corpus{
        content_of(path),
        "ply\nformat binary_little_endian 1.0\nelement vertex 2\nproperty double x\nproperty short s\n"
        "element face 1\nproperty list uchar int vertex_indices\nend_header\n" +
            std::string(33, 'x')};
    std::size_t accepted = 0;
    test::fuzz("Fuzz.PlyReader", 30000, [&](std::uint32_t seed) {
        test::Mutator mutator(seed, words);
        put_content(path, mutator.bytes(corpus[mutator.below(2)], corpus[mutator.below(2)]));
        const auto table = read_ply(path);
        if (!table) return expect_reason(table);
        ++accepted;
        for (const PlyTable::Column& column : table->columns) EXPECT_EQ(column.values.size(), table->rows);
    });
    EXPECT_GT(accepted, 0u);
}

TEST(Fuzz, SvgReader) {
    const std::vector<std::string> words{"<path d=\"",
                                         "<path ",
                                         " d='",
                                         "<polyline points=\"",
                                         "<polygon points=\"",
                                         "\"/>",
                                         "M",
                                         "m",
                                         "L",
                                         "l",
                                         "H",
                                         "V",
                                         "Z",
                                         "z ",
                                         "C",
                                         "S",
                                         "Q",
                                         "T",
                                         "A",
                                         "1e308",
                                         "-1e308",
                                         "1e-320",
                                         "inf",
                                         "nan",
                                         "0",
                                         "-",
                                         "+",
                                         ".",
                                         ",",
                                         " 5",
                                         "1e",
                                         "x"};
    const std::vector<std::string> corpus{
        R"(<svg><path d="M0,0 h10 v10 H0 z m20 0 l5 5 5-5"/><path d='M 1 1 L 2 2'/></svg>)",
        R"(<path fill="none" d="M 0 0 C 0 5.5 4.5 10 10 10 S 20 5.5 20 0 Q 20 -10 10 -10 T 0 0 A 1 1 0 0 1 3 3 V 2"/>)",
        R"(<polyline points="0,0 1,1 2,0"/><polygon points='0,0 1,0 1,1'/>)"};
    std::size_t accepted = 0;
    test::fuzz("Fuzz.SvgReader", 100000, [&](std::uint32_t seed) {
        test::Mutator mutator(seed, words);
        const std::string text = mutator.bytes(corpus[mutator.below(3)], corpus[mutator.below(3)]);
        const auto outline = read_svg_outline(text, "drawing.svg");
        if (!outline) return expect_reason(outline);
        ++accepted;
        const auto points = points_along(*outline, 1, 0.05);
        if (!points) return expect_reason(points);
        for (const Vec3d& p : *points) EXPECT_TRUE(std::isfinite(p.x) && std::isfinite(p.y));
    });
    EXPECT_GT(accepted, 0u);
}

}  // namespace
}  // namespace treacle
