#include <gtest/gtest.h>

#include "claims/checklist.h"
#include "support/temporary_folder.h"

namespace treacle {
namespace {

Verdict verdict(const std::string& id, double measured, bool ok) {
    Verdict made;
    made.id = id;
    made.claim.unit = "m";
    made.measured = measured;
    made.ok = ok;
    return made;
}

Result<Checklist> read(const std::string& items) {
    const TemporaryFolder folder;
    put_content(folder.file("list.checklist.json"), R"({ "title": "List", "items": [ )" + items + " ] }");
    return read_checklist(folder.file("list.checklist.json"));
}

TEST(ChecklistTest, every_item_has_what_was_measured_for_it_or_the_reason) {
    const auto list = read(
        R"({ "item": "1 falls", "claims": [ "fig1" ] }, { "item": "2 rises", "claims": [ "fig2/up" ],
          "reason": "weakly" },
                              { "item": "3 flies", "reason": "no wings" },
                                { "item": "4 sinks", "claims": [ "fig4" ] })");
    ASSERT_TRUE(list) << to_string(list.error());
    std::vector<Verdict> verdicts{verdict("paper/fig1/low", 0.5, true), verdict("paper/fig2/up", 2, false),
                                  verdict("paper/fig2/down", 3, true), verdict("paper/fig10/low", 7, true)};
    verdicts[0].claim.paper = "Fig. 1: “0.4 m”";
    EXPECT_EQ(to_text(*list, verdicts),
              "List\n1 falls\n    ok      fig1/low 0.5 m; paper: Fig. 1: “0.4 m”\n2 rises\n    NOT OK  fig2/up 2 m\n   "
              " weakly\n"
              "3 flies\n    no wings\n4 sinks\n    not run\n");
}

TEST(ChecklistTest, an_item_needs_claims_or_a_reason) {
    const auto list = read(R"({ "item": "1 falls" }, { "item": "2", "claims": [ 3 ] })");
    ASSERT_FALSE(list);
    EXPECT_NE(to_string(list.error()).find("/items/0: needs \"claims\" or a \"reason\""), std::string::npos);
    EXPECT_NE(to_string(list.error()).find("/items/1/claims/0: must be text"), std::string::npos);
}

}  // namespace
}  // namespace treacle
