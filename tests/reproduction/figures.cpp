#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <gtest/gtest.h>

#include "claims/checklist.h"
#include "claims/cost_table.h"
#include "claims/expectation.h"
#include "support/temporary_folder.h"

/// Every figure under scenes/, reduced, run by the program: its claims hold, and its output file has the agreed form.

namespace treacle {
namespace {

namespace fs = std::filesystem;

/// "paper/figure" of all expectations of one kind, in alphabetical order.
std::vector<std::string> figures(bool slow) {
    const fs::path scenes = TREACLE_SOURCE_DIR "/scenes";
    const std::string ending = ".expect.json";
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(scenes)) {
        const std::string path = entry.path().string();
        if (!path.ends_with(ending)) continue;
        const auto expectation = read_expectation(path, FigureSize::reduced);
        if (expectation && expectation->slow != slow) continue;  // an unreadable one must fail somewhere
        const std::string name = entry.path().lexically_relative(scenes).generic_string();
        names.push_back(name.substr(0, name.size() - ending.size()));
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
}

class Figures : public testing::TestWithParam<std::string> {};

TEST_P(Figures, hold) {
    const TemporaryFolder folder;
    const std::string command = "cd " + folder.path() + " && " TREACLE_PROGRAM " reproduce " + GetParam() +
                                " --threads 1" +
                                " --scenes " TREACLE_SOURCE_DIR "/scenes --json claims.json > log.txt 2>&1";
    const int status = std::system(command.c_str());
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << content_of(folder.file("log.txt"));
    const auto claims = read_json_file(folder.file("claims.json"));
    ASSERT_TRUE(claims) << to_string(claims.error());
    ASSERT_TRUE(claims->is_array());
    EXPECT_FALSE(claims->elements.empty());
    for (const Json& claim : claims->elements) {
        for (const char* key : {"id", "claim", "paper", "unit"}) {
            EXPECT_TRUE(claim.find(key) && claim.find(key)->is_text() && !claim.find(key)->text.empty()) << key;
        }
        EXPECT_TRUE(claim.find("measured") && claim.find("measured")->is_number());
        ASSERT_TRUE(claim.find("low") && claim.find("high"));
        EXPECT_TRUE(claim.find("low")->is_number() || claim.find("high")->is_number());
        EXPECT_TRUE(claim.find("ok") && claim.find("ok")->boolean) << claim.find("id")->text;
        EXPECT_TRUE(claim.find("id")->text.starts_with(GetParam() + "/"));
    }
    const std::string file = TREACLE_SOURCE_DIR "/scenes/" + GetParam() + ".expect.json";
    const auto expectation = read_expectation(file, FigureSize::reduced);
    ASSERT_TRUE(expectation);
    for (const FigurePlot& plot : expectation->plots) {
        EXPECT_TRUE(fs::exists(folder.file("out/reproduce/" + GetParam() + "/" + plot.name + ".svg"))) << plot.name;
    }
}

/// A row that names no run of ours would be "not run" forever.
TEST(Tables, name_runs_that_there_are) {
    std::size_t rows = 0;
    for (const auto& entry : fs::recursive_directory_iterator(TREACLE_SOURCE_DIR "/scenes")) {
        if (!entry.path().string().ends_with(".table.json")) continue;
        const auto table = read_cost_table(entry.path().string());
        ASSERT_TRUE(table) << to_string(table.error());
        for (const CostRow& row : table->rows) {
            if (!row.missing.empty()) continue;
            const fs::path file = entry.path().parent_path() / (row.figure + ".expect.json");
            const auto figure = read_expectation(file.string(), FigureSize::full);
            ASSERT_TRUE(figure) << to_string(figure.error());
            EXPECT_TRUE(std::any_of(figure->runs.begin(), figure->runs.end(),
                                    [&](const FigureRun& run) { return run.name == row.run; }))
                << row.figure << " " << row.run;
            ++rows;
        }
    }
    EXPECT_GT(rows, 0u);
}

/// As with tables: an item whose claims do not exist would be "not run" forever.
TEST(Checklists, name_claims_that_there_are) {
    std::size_t items = 0;
    for (const auto& entry : fs::recursive_directory_iterator(TREACLE_SOURCE_DIR "/scenes")) {
        if (!entry.path().string().ends_with(".checklist.json")) continue;
        const auto list = read_checklist(entry.path().string());
        ASSERT_TRUE(list) << to_string(list.error());
        for (const ChecklistItem& item : list->items) {
            for (const std::string& name : item.claims) {
                const std::string figure = name.substr(0, name.find('/'));
                bool found = false;  // some claims are for one of the sizes only
                for (const FigureSize size : {FigureSize::reduced, FigureSize::full}) {
                    const auto expectation =
                        read_expectation((entry.path().parent_path() / (figure + ".expect.json")).string(), size);
                    ASSERT_TRUE(expectation) << name;
                    const auto& claims = expectation->claims;
                    found |= std::any_of(claims.begin(), claims.end(), [&](const Claim& claim) {
                        return name == figure || name == figure + "/" + claim.id;
                    });
                }
                EXPECT_TRUE(found) << name;
            }
            ++items;
        }
    }
    EXPECT_GT(items, 0u);
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Figures);
INSTANTIATE_TEST_SUITE_P(Quick, Figures, testing::ValuesIn(figures(false)), test_name);
INSTANTIATE_TEST_SUITE_P(Slow, Figures, testing::ValuesIn(figures(true)), test_name);

}  // namespace
}  // namespace treacle
