#include <gtest/gtest.h>

#include "io/csv.h"
#include "support/temporary_folder.h"

namespace treacle {
namespace {

TEST(CsvTest, reads_numbers_and_quoted_names) {
    const TemporaryFolder folder;
    put_content(folder.file("a.csv"), "frame,body,fx\n1,\"a \"\"b\"\", c\",-2.5e3\n2,plain,none\n3,half\n");
    const auto table = read_csv(folder.file("a.csv"));
    ASSERT_TRUE(table);
    EXPECT_EQ(table->header, (std::vector<std::string>{"frame", "body", "fx"}));
    ASSERT_EQ(table->rows.size(), 2u);  // the last row is only half written
    EXPECT_EQ(table->rows[0][1], "a \"b\", c");
    EXPECT_EQ(table->column("fx"), 2u);
    EXPECT_FALSE(table->column("fy"));
    EXPECT_EQ(table->number(0, 2), -2500);
    EXPECT_FALSE(table->number(1, 2));
}

TEST(CsvTest, a_missing_file_is_an_error) { EXPECT_FALSE(read_csv("/nowhere/a.csv")); }

}  // namespace
}  // namespace treacle
