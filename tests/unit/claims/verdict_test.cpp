#include <limits>

#include <gtest/gtest.h>

#include "claims/verdict.h"

namespace treacle {
namespace {

Claim claim(double measured, std::optional<double> low, std::optional<double> high) {
    return {"id", "Something holds.", "Fig. 1", "m", low, high, Measure{measured}};
}

TEST(VerdictTest, the_ends_of_the_band_belong_to_it) {
    EXPECT_TRUE(judge("paper/figure", claim(1, 1, 2), {}).ok);
    EXPECT_TRUE(judge("paper/figure", claim(2, 1, 2), {}).ok);
    EXPECT_FALSE(judge("paper/figure", claim(0.999, 1, 2), {}).ok);
    EXPECT_FALSE(judge("paper/figure", claim(2.001, 1, 2), {}).ok);
    EXPECT_FALSE(judge("paper/figure", claim(std::numeric_limits<double>::quiet_NaN(), 1, 2), {}).ok);
    EXPECT_EQ(judge("paper/figure", claim(1, 1, 2), {}).id, "paper/figure/id");
}

TEST(VerdictTest, a_claim_may_have_one_end_only) {
    EXPECT_TRUE(judge("paper/figure", claim(1, 1, {}), {}).ok);
    EXPECT_TRUE(judge("paper/figure", claim(1e300, 1, {}), {}).ok);
    EXPECT_FALSE(judge("paper/figure", claim(0.999, 1, {}), {}).ok);
    EXPECT_TRUE(judge("paper/figure", claim(2, {}, 2), {}).ok);
    EXPECT_TRUE(judge("paper/figure", claim(-1e300, {}, 2), {}).ok);
    EXPECT_FALSE(judge("paper/figure", claim(2.001, {}, 2), {}).ok);
    EXPECT_FALSE(judge("paper/figure", claim(std::numeric_limits<double>::infinity(), 1, {}), {}).ok);
    EXPECT_FALSE(judge("paper/figure", claim(std::numeric_limits<double>::quiet_NaN(), {}, 2), {}).ok);
}

TEST(VerdictTest, an_absent_end_is_null_in_json) {
    const std::vector<Verdict> verdicts{judge("p/f", claim(1.5, 1, {}), {}), judge("p/f", claim(1.5, {}, 2), {})};
    const Json json = to_json(verdicts);
    EXPECT_EQ(json.elements[0].find("low")->number, 1);
    EXPECT_EQ(json.elements[0].find("high")->type, Json::Type::null);
    EXPECT_EQ(json.elements[1].find("low")->type, Json::Type::null);
    EXPECT_EQ(json.elements[1].find("high")->number, 2);
}

TEST(VerdictTest, json_has_the_agreed_members) {
    Claim failing = claim(0, 1, 2);
    failing.measure = Measure{SceneValue{"run", "/a", ""}};
    const std::vector<Verdict> verdicts{judge("p/f", claim(1.5, 1, 2), {}), judge("p/f", failing, {})};
    const Json json = to_json(verdicts);
    ASSERT_EQ(json.elements.size(), 2u);
    for (const Json& entry : json.elements) {
        for (const char* key : {"id", "claim", "paper", "unit"})
            EXPECT_TRUE(entry.find(key) && entry.find(key)->is_text());
        for (const char* key : {"low", "high"}) EXPECT_TRUE(entry.find(key) && entry.find(key)->is_number());
    }
    EXPECT_EQ(json.elements[0].find("measured")->number, 1.5);
    EXPECT_TRUE(json.elements[0].find("ok")->boolean);
    EXPECT_FALSE(json.elements[0].find("problem"));
    EXPECT_EQ(json.elements[1].find("measured")->type, Json::Type::null);
    EXPECT_FALSE(json.elements[1].find("ok")->boolean);
    EXPECT_NE(json.elements[1].find("problem")->text.find("no run"), std::string::npos);
}

TEST(VerdictTest, the_table_is_aligned) {
    const std::vector<Verdict> verdicts{judge("p/f", claim(1.5, 1, 2), {}), judge("p/f", claim(1234.5, 3, 3), {}),
                                        judge("p/f", claim(14, 14, {}), {}), judge("p/f", claim(1, {}, 0.5), {})};
    EXPECT_EQ(to_table(verdicts),
              "        measured  expected     unit  claim\n"
              "ok      1.5       1 … 2        m     p/f/id: Something holds.\n"
              "NOT OK  1234      3            m     p/f/id: Something holds.\n"
              "ok      14        at least 14  m     p/f/id: Something holds.\n"
              "NOT OK  1         at most 0.5  m     p/f/id: Something holds.\n"
              "2 of 4 claims hold\n");
}

}  // namespace
}  // namespace treacle
