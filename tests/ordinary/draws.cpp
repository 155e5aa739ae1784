#include <gtest/gtest.h>

#include <set>

#include "core/file.h"
#include "ordinary/report.h"
#include "support/temporary_folder.h"

namespace treacle::ordinary {
namespace {

TEST(OrdinaryDraw, SeedZeroIsTheMiddle) {
    Draw draw(0, "pool", 2);
    EXPECT_EQ(draw.between(1, 3), 2);
    EXPECT_EQ(draw.whole(8, 12), 10);
    EXPECT_FALSE(draw.coin());
}

TEST(OrdinaryDraw, OthersDependOnSeedCaseAndDimension) {
    std::set<double> values;
    for (const std::uint64_t seed : {1, 2}) {
        for (const char* name : {"pool", "body"}) {
            for (const int dimension : {2, 3}) values.insert(Draw(seed, name, dimension).between(0, 1));
        }
    }
    EXPECT_EQ(values.size(), 8u);
    EXPECT_EQ(Draw(7, "pool", 2).between(0, 1), Draw(7, "pool", 2).between(0, 1));
}

TEST(OrdinaryMeasurement, IsJudgedBySide) {
    EXPECT_TRUE((Measurement{"", 1, 1.02, 0.02001}).ok());
    EXPECT_FALSE((Measurement{"", 1, 1.03, 0.02}).ok());
    EXPECT_TRUE((Measurement{"", 1, -5, 0, Side::at_most}).ok());
    EXPECT_FALSE((Measurement{"", 1, 0.9, 0, Side::at_least}).ok());
    EXPECT_FALSE((Measurement{"", 0, std::nan(""), 1, Side::at_most}).ok());
}

/// Reasons stay, cured cells go, new ones come.
TEST(OrdinaryKnownFailures, AreRenewed) {
    const TemporaryFolder folder;
    const std::string file = folder.file("known.txt");
    ASSERT_TRUE(write_file_atomically(file, "# head\n\na 2D m | x 2 (1) | why so\nb 3D m | y | gone\n"));
    const auto known = KnownFailures::read(file);
    ASSERT_TRUE(known);
    CellReport a{"a", "m", 2, Verdict::failed, "", {{"x", 1, 3, 0}}, 0, 0};
    CellReport b{"b", "m", 3, Verdict::passed, "", {}, 0, 0};
    CellReport c{"c", "m", 2, Verdict::failed, "diverged", {}, 0, 0};
    EXPECT_TRUE(known->lists(a) && known->lists(b) && !known->lists(c));
    const std::vector<CellReport> reports{a, b, c};
    const std::string renewed = known->renewed(reports);
    EXPECT_NE(renewed.find("\na 2D m | x 3 (1 ± 0) | why so\nc 2D m | diverged | \n"), std::string::npos) << renewed;
    EXPECT_EQ(renewed.find("b 3D"), std::string::npos);
    EXPECT_TRUE(KnownFailures::read(folder.file("none.txt")));
}

}  // namespace
}  // namespace treacle::ordinary
