#include <gtest/gtest.h>

#include "render/picture.h"
#include "support/temporary_folder.h"

namespace treacle {
namespace {

unsigned big_endian(const std::string& bytes, std::size_t at) {
    unsigned value = 0;
    for (std::size_t n = at; n < at + 4; ++n) value = 256 * value + static_cast<unsigned char>(bytes[n]);
    return value;
}

TEST(Png, has_signature_and_size) {
    const TemporaryFolder folder;
    const Picture picture(37, 21);
    ASSERT_TRUE(write_png(folder.file("a.png"), picture));
    const std::string bytes = content_of(folder.file("a.png"));
    ASSERT_GT(bytes.size(), 33u);
    EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_EQ(bytes.substr(12, 4), "IHDR");
    EXPECT_EQ(big_endian(bytes, 16), 37u);
    EXPECT_EQ(big_endian(bytes, 20), 21u);
    EXPECT_EQ(bytes[24], 8) << "bits a channel";
    EXPECT_EQ(bytes[25], 2) << "red, green, blue";
    EXPECT_NE(bytes.find("IEND"), std::string::npos);
}

TEST(Png, says_what_cannot_be_written) {
    const TemporaryFolder folder;
    const auto done = write_png(folder.file("missing/a.png"), Picture(4, 4));
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ExitCode::file_failed);
    EXPECT_NE(to_string(done.error()).find("missing/a.png"), std::string::npos);
}

TEST(Picture, colors_read_back) {
    const Color color = color_from_text("#7bc043", {});
    EXPECT_EQ(byte_from_linear(color.x), 0x7b);
    EXPECT_EQ(byte_from_linear(color.y), 0xc0);
    EXPECT_EQ(byte_from_linear(color.z), 0x43);
    for (const char* wrong : {"", "7bc043", "#7bc04", "#7bc0433", "#7bc0xx"}) {
        EXPECT_EQ(color_from_text(wrong, {1, 2, 3}), (Color{1, 2, 3})) << wrong;
    }
    EXPECT_EQ(byte_from_linear(-1), 0);
    EXPECT_EQ(byte_from_linear(7), 255);
}

}  // namespace
}  // namespace treacle
