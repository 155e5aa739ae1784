#include <gtest/gtest.h>

#include "claims/expectation.h"
#include "support/temporary_folder.h"

namespace treacle {
namespace {

class ExpectationTest : public testing::Test {
protected:
    Result<Expectation> read(const std::string& text, FigureSize size = FigureSize::reduced) const {
        put_content(folder_.file("figure.expect.json"), text);
        return read_expectation(folder_.file("figure.expect.json"), size);
    }

    std::string problems(const std::string& text) const {
        const auto expectation = read(text);
        return expectation ? "" : to_string(expectation.error());
    }

    TemporaryFolder folder_;
};

const char* two_sizes = R"({
  "title": "Fig. 1",
  "runs": { "drop": { "scene": "drop.json", "set": { "/particle_spacing": 0.1, "/gravity": [0, -1] },
                      "reduced": { "duration": 0.5, "set": { "/particle_spacing": 0.2 } } } },
  "claims": [
    { "id": "a", "claim": "A.", "paper": "p", "unit": "m", "low": 1, "high": 2, "measure": 1.5 },
    { "id": "b", "claim": "B, small.", "paper": "p", "unit": "m", "low": 1, "high": 2, "measure": 1.5,
      "only": "reduced" },
    { "id": "b", "claim": "B, large.", "paper": "p", "unit": "m", "low": 1, "high": 1, "measure": 1.5,
      "only": "full" } ]
})";

TEST_F(ExpectationTest, the_reduced_size_changes_runs_and_claims) {
    const auto reduced = read(two_sizes, FigureSize::reduced);
    ASSERT_TRUE(reduced) << to_string(reduced.error());
    ASSERT_EQ(reduced->runs.size(), 1u);
    EXPECT_EQ(reduced->runs[0].name, "drop");
    EXPECT_EQ(reduced->runs[0].scene, folder_.file("drop.json"));
    EXPECT_EQ(reduced->runs[0].duration, 0.5);
    ASSERT_EQ(reduced->runs[0].set.size(), 3u);  // the later of two values counts
    EXPECT_EQ(reduced->runs[0].set[2].first, "/particle_spacing");
    EXPECT_EQ(reduced->runs[0].set[2].second, "0.2");
    ASSERT_EQ(reduced->claims.size(), 2u);
    EXPECT_EQ(reduced->claims[1].claim, "B, small.");

    const auto full = read(two_sizes, FigureSize::full);
    ASSERT_TRUE(full);
    EXPECT_FALSE(full->runs[0].duration);
    EXPECT_EQ(full->runs[0].set.size(), 2u);
    ASSERT_EQ(full->claims.size(), 2u);
    EXPECT_EQ(full->claims[1].claim, "B, large.");
}

TEST_F(ExpectationTest, all_mistakes_are_told_at_once_with_their_place) {
    const std::string all = problems(R"({
  "titel": "Fig. 1",
  "runs": { "Drop!": { "scene": "drop.json", "set": { "particle_spacing": 1 }, "reduced": { "duratoin": 1 } } },
  "claims": [
    { "id": "a", "claim": "A.", "paper": "p", "unit": "m", "low": 3, "high": 2, "measure": { "metrik": "x" } },
    { "id": "a", "claim": "B.", "paper": "p", "unit": "m", "low": 3, "high": "many", "only": "half" },
    { "id": "c", "claim": "C.", "paper": "p", "unit": "m", "measure": 1 } ]
})");
    for (const char* part :
         {"/titel: unknown key \"titel\"; did you mean \"title\"?", "/title: \"title\" is missing",
          "/runs/Drop!: the name of a run", "/runs/Drop!/set/particle_spacing: must be a JSON pointer",
          "/runs/Drop!/reduced/duratoin: unknown key", "/claims/0/low: must not be above",
          "/claims/0/measure: is no measure", "/claims/1/measure: \"measure\" is missing",
          "/claims/1/high: must be a number", "/claims/1/only: must be one of \"reduced\", \"full\"",
          "/claims/1/id: \"a\" is the id of an earlier claim",
          "/claims/2: \"low\", \"high\" or both must say what is expected"}) {
        EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
    }
}

TEST_F(ExpectationTest, a_claim_may_have_one_end_only) {
    const auto expectation = read(R"({ "title": "t", "runs": { "a": { "scene": "a.json" } }, "claims": [
    { "id": "a", "claim": "A.", "paper": "p", "unit": "m", "low": 14, "measure": 1 },
    { "id": "b", "claim": "B.", "paper": "p", "unit": "m", "high": 0, "measure": 1 } ] })");
    ASSERT_TRUE(expectation) << to_string(expectation.error());
    EXPECT_EQ(expectation->claims[0].low, 14);
    EXPECT_FALSE(expectation->claims[0].high);
    EXPECT_FALSE(expectation->claims[1].low);
    EXPECT_EQ(expectation->claims[1].high, 0);
}

TEST_F(ExpectationTest, nothing_to_do_is_a_mistake) {
    EXPECT_NE(
        problems(R"({ "title": "t", "runs": {}, "claims": [] })").find("/runs: must be an object with a run or more"),
        std::string::npos);
    EXPECT_NE(problems(R"({ "title": "t", "runs": { "a": { "scene": "a.json" } }, "claims": [] })")
                  .find("at least one claim"),
              std::string::npos);
    EXPECT_NE(problems("[]").find("must be an object"), std::string::npos);
    EXPECT_FALSE(read_expectation(folder_.file("missing.expect.json"), FigureSize::full));
}

}  // namespace
}  // namespace treacle
