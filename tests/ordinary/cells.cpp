#include <gtest/gtest.h>

#include <algorithm>

#include "ordinary/report.h"

/// The quick battery of ordinary scenes: what is not listed in known_failures.txt holds, and what is listed fails.

namespace treacle::ordinary {
namespace {

class Ordinary : public testing::TestWithParam<Cell> {};

std::string cell_name(const testing::TestParamInfo<Cell>& info) {
    std::string name = info.param.ordinary->name;
    std::replace(name.begin(), name.end(), '.', '_');
    return name + "_" + std::to_string(info.param.dimension) + "d_" + info.param.method;
}

TEST_P(Ordinary, Holds) {
    const auto known = KnownFailures::read(TREACLE_SOURCE_DIR "/tests/ordinary/known_failures.txt");
    ASSERT_TRUE(known) << to_string(known.error());
    const CellReport report = run_cell(GetParam(), {});
    if (known->lists(report)) {
        EXPECT_EQ(report.verdict, Verdict::failed) << report.id() << " does not fail any more: take out its line";
    } else {
        EXPECT_NE(report.verdict, Verdict::failed) << report.id() << ": " << report.failures();
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Ordinary, testing::ValuesIn(cells({})), cell_name);

}  // namespace
}  // namespace treacle::ordinary
