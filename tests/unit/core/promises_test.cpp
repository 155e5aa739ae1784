#include "core/promises.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace treacle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

struct Place {
    double x = 0, y = 0, z = 0;
};

struct Rows {
    std::vector<std::vector<std::uint32_t>> rows;
    double reach = 0;

    std::size_t size() const { return rows.size(); }
    std::span<const std::uint32_t> row(std::size_t i) const { return rows[i]; }
    double radius() const { return reach; }
};

TEST(Promises, of_sizes_are_kept_by_all_or_broken) {
    const std::vector<int> three(3), two(2), none;
    EXPECT_TRUE(promises::sized(3, three));
    EXPECT_TRUE(promises::sized(3, three, std::array{1.0, 2.0, 3.0}));
    EXPECT_TRUE(promises::sized(0, none));
    EXPECT_FALSE(promises::sized(3, three, two));
    EXPECT_FALSE(promises::sized(3, two, three));
    EXPECT_FALSE(promises::sized(3, none));
}

TEST(Promises, of_sizes_may_be_left_out_where_that_is_said) {
    const std::vector<int> three(3), two(2), none;
    EXPECT_TRUE(promises::sized_or_empty(3, three, none));
    EXPECT_TRUE(promises::sized_or_empty(0, none));
    EXPECT_FALSE(promises::sized_or_empty(3, none, two));
    EXPECT_FALSE(promises::sized_or_empty(0, two));
}

TEST(Promises, of_numbers_are_broken_by_what_is_none) {
    const std::vector<double> good{0, -1, 1e300};
    EXPECT_TRUE(promises::finite(good));
    EXPECT_TRUE(promises::finite(std::vector<double>{}));
    for (const double bad : {infinity, -infinity, nothing}) {
        EXPECT_FALSE(promises::finite(std::vector<double>{0, bad}));
        EXPECT_FALSE(promises::finite(good, std::vector<double>{bad}));
    }
}

TEST(Promises, of_vectors_are_broken_along_any_axis) {
    const std::vector<Place> good{{1, 2, 3}, {}};
    EXPECT_TRUE(promises::finite(good));
    for (const double bad : {infinity, -infinity, nothing}) {
        EXPECT_FALSE(promises::finite(std::vector<Place>{{}, {bad, 0, 0}}));
        EXPECT_FALSE(promises::finite(std::vector<Place>{{0, bad, 0}, {}}));
        EXPECT_FALSE(promises::finite(good, std::vector<Place>{{0, 0, bad}}));
    }
}

TEST(Promises, of_masses_are_broken_by_zero_and_less) {
    const std::vector<double> good{1e-300, 1};
    EXPECT_TRUE(promises::positive(good));
    EXPECT_TRUE(promises::positive(std::vector<double>{}));
    for (const double bad : {0.0, -1.0, infinity, -infinity, nothing}) {
        EXPECT_FALSE(promises::positive(std::vector<double>{1, bad}));
        EXPECT_FALSE(promises::positive(good, std::vector<double>{bad}));
    }
}

TEST(Promises, of_indices_are_broken_at_the_end) {
    EXPECT_TRUE(promises::within(3, std::vector<std::uint8_t>{0, 2}, std::vector<int>{1}));
    EXPECT_TRUE(promises::within(0, std::vector<std::uint8_t>{}));
    EXPECT_FALSE(promises::within(3, std::vector<std::uint8_t>{0, 3}));
    EXPECT_FALSE(promises::within(3, std::vector<int>{2}, std::vector<int>{-1}));
    EXPECT_FALSE(promises::within(0, std::vector<std::uint32_t>{0}));
}

TEST(Promises, of_rows_are_of_their_number_and_of_what_they_list) {
    const Rows rows{{{1, 2}, {}, {0}}};
    EXPECT_TRUE(promises::rows_within(3, rows));
    EXPECT_TRUE(promises::rows_within(0, Rows{}));
    EXPECT_FALSE(promises::rows_within(2, rows));
    EXPECT_FALSE(promises::rows_within(4, rows));
    EXPECT_FALSE(promises::rows_within(3, Rows{{{1}, {3}, {}}}));
    // Rows that do not list particles.
    EXPECT_TRUE(promises::rows_within(2, Rows{{{4}, {0}}}, 5));
    EXPECT_FALSE(promises::rows_within(2, Rows{{{4}, {0}}}, 4));
    EXPECT_FALSE(promises::rows_within(3, Rows{{{4}, {0}}}, 5));
}

TEST(Promises, of_reach_count_as_the_smaller_numbers_know_it) {
    const Rows rows{{}, 0.1};
    EXPECT_TRUE(promises::reaching(0.1, rows));
    EXPECT_TRUE(promises::reaching(0.1F, rows));  // which is more than 0.1
    EXPECT_FALSE(promises::reaching(0.1 + 1e-12, rows));
    EXPECT_FALSE(promises::reaching(0.2F, rows));
    EXPECT_FALSE(promises::reaching(nothing, rows));
}

}  // namespace
}  // namespace treacle
