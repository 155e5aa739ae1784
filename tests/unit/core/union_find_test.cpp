#include "core/union_find.h"

#include <gtest/gtest.h>

namespace treacle {
namespace {

TEST(UnionFind, knows_sets_by_their_smallest_member) {
    UnionFind sets(6);
    sets.unite(5, 3);
    sets.unite(4, 5);
    sets.unite(2, 0);
    EXPECT_EQ(sets.find(4), 3u);
    EXPECT_EQ(sets.sets(), (std::vector<std::uint32_t>{0, 1, 0, 3, 3, 3}));
    sets.unite(4, 2);
    EXPECT_EQ(sets.sets(), (std::vector<std::uint32_t>{0, 1, 0, 0, 0, 0}));
}

TEST(UnionFind, does_not_care_for_the_order) {
    UnionFind forth(100), back(100);
    for (std::uint32_t n = 0; n + 7 < 100; ++n) {
        forth.unite(n, n + 7);
        back.unite(99 - n, 92 - n);
    }
    EXPECT_EQ(forth.sets(), back.sets());
    EXPECT_EQ(forth.find(98), 0u);
    EXPECT_EQ(forth.find(99), 1u);
}

TEST(UnionFind, may_be_empty) { EXPECT_TRUE(UnionFind(0).sets().empty()); }

}  // namespace
}  // namespace treacle
