#include "neighbors/neighbors.h"

#include <algorithm>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "neighbors/row_pack.h"
#include "support/spaces.h"

namespace treacle {
namespace {

constexpr double radius = 0.1;

/// Comparing every pair takes minutes under sanitizers; a third of the points has all kinds of cells too.
constexpr int share = TREACLE_SANITIZED ? 3 : 1;

/// Point sets that a neighbor search may find difficult. Places are fractions of meters.
enum class Arrangement {
    lattice,  ///< distances exactly equal to the radius
    jittered,
    clustered,  ///< many points in few cells
    coincident,
    far_from_origin,
    two_far_clusters,  ///< far more cells than points: hashed cells
    lost_drop,         ///< one point beyond 2^30 cells
    single,
    none,
};

template <class S>
class NeighborsTest : public ::testing::Test {
protected:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Rows = std::vector<std::vector<std::uint32_t>>;

    static constexpr bool is_float = std::is_same_v<Real, float>;

    Row at(double x, double y, double z) {
        return Row(
            Vec3<Real>{static_cast<Real>(x), static_cast<Real>(y), S::dim == 3 ? static_cast<Real>(z) : Real{0}});
    }

    Row random_point(Vec3d center, double reach) {
        std::uniform_real_distribution<double> number(-reach, reach);
        const double x = number(random_), y = number(random_), z = number(random_);
        return at(center.x + x, center.y + y, center.z + z);
    }

    void add_cloud(std::vector<Row>& points, int count, Vec3d center, double reach) {
        for (int n = 0; n < count; ++n) points.push_back(random_point(center, reach));
    }

    std::vector<Row> points(Arrangement arrangement) {
        std::vector<Row> all;
        const double away = is_float ? 1e3 : 1e4;
        switch (arrangement) {
            case Arrangement::lattice:
                for (int n = 0; n < 1728 / share; ++n)
                    all.push_back(at(0.05 * (n % 12), 0.05 * (n / 12 % 12), 0.05 * (n / 144)));
                if (S::dim == 2) all.resize(144);
                break;
            case Arrangement::jittered:
                add_cloud(all, (S::dim == 3 ? 3000 : 1500) / share, {0.3, -0.2, 0.1}, 0.5);
                break;
            case Arrangement::clustered:
                add_cloud(all, 300 / share, {0, 0, 0}, 0.12);
                add_cloud(all, 300 / share, {0.7, 0.1, 0}, 0.03);
                add_cloud(all, 100, {-0.5, 0.9, 0.3}, 0.5);
                break;
            case Arrangement::coincident:
                for (int n = 0; n < 50; ++n) all.push_back(at(0.25, 0.5, 0.75));
                for (int n = 0; n < 50; ++n) all.push_back(at(0.25, 0.5 + (n % 2) * 0.05, 0.75));
                break;
            case Arrangement::far_from_origin: add_cloud(all, 800, {away, -away, away}, 0.4); break;
            case Arrangement::two_far_clusters:
                add_cloud(all, 500, {0, 0, 0}, 0.3);
                add_cloud(all, 500, {300, 200, -400}, 0.3);
                break;
            case Arrangement::lost_drop:
                add_cloud(all, 400, {0, 0, 0}, 0.3);
                add_cloud(all, 1, {3e12, 0, 0}, 0);
                add_cloud(all, 1, {4e12, 1e15, 0}, 0);
                break;
            case Arrangement::single: all.push_back(at(1, 2, 3)); break;
            case Arrangement::none: break;
        }
        std::shuffle(all.begin(), all.end(), random_);
        return all;
    }

    static Rows rows_of(const Neighbors<S>& neighbors) {
        Rows rows(neighbors.size());
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i].assign(neighbors.row(i).begin(), neighbors.row(i).end());
        return rows;
    }

    static Rows found(const std::vector<Row>& points, int threads = 1) {
        Neighbors<S> neighbors;
        neighbors.update(points, radius, Parallel(threads), no_period);
        EXPECT_EQ(neighbors.size(), points.size());
        EXPECT_EQ(neighbors.radius(), radius);
        return rows_of(neighbors);
    }

    /// Every pair compared; rows in ascending order.
    static Rows brute_force(const std::vector<Row>& points) {
        const Real limit = static_cast<Real>(radius) * static_cast<Real>(radius);
        Rows rows(points.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            for (std::size_t j = 0; j < points.size(); ++j) {
                const auto r = points[j].xyz() - points[i].xyz();
                if (i != j && dot(r, r) < limit) rows[i].push_back(static_cast<std::uint32_t>(j));
            }
        }
        return rows;
    }

    /// The documented order: the cells around i with x running fastest, then y, then z; in a cell by storage index.
    static Rows in_documented_order(Rows rows, const std::vector<Row>& points) {
        Vec3d low = points.empty() ? Vec3d{} : cast<double>(points[0].xyz());
        for (const Row& p : points) {
            for (int axis = 0; axis < 3; ++axis) low[axis] = std::min<double>(low[axis], p.xyz()[axis]);
        }
        const auto cell = [&](std::uint32_t i) {
            std::array<double, 3> c;
            for (int axis = 0; axis < 3; ++axis) {  // z first: it changes most slowly
                const double place = points[i].xyz()[2 - axis];
                const double number = std::floor((place - low[2 - axis]) / (radius * (1 + 1e-6)));
                c[static_cast<std::size_t>(axis)] = std::min(number, 1073741824.0);
            }
            return c;
        };
        for (auto& row : rows) {
            std::sort(row.begin(), row.end(),
                      [&](std::uint32_t a, std::uint32_t b) { return cell(a) != cell(b) ? cell(a) < cell(b) : a < b; });
        }
        return rows;
    }

    std::mt19937 random_{5};
};

TYPED_TEST_SUITE(NeighborsTest, test::AllSpaces);

constexpr std::array<Arrangement, 9> all_arrangements{
    Arrangement::lattice,    Arrangement::jittered,        Arrangement::clustered,
    Arrangement::coincident, Arrangement::far_from_origin, Arrangement::two_far_clusters,
    Arrangement::lost_drop,  Arrangement::single,          Arrangement::none};

TYPED_TEST(NeighborsTest, rows_are_those_of_brute_force_in_the_documented_order) {
    for (const Arrangement arrangement : all_arrangements) {
        const auto points = this->points(arrangement);
        const auto expected = this->in_documented_order(this->brute_force(points), points);
        EXPECT_EQ(this->found(points), expected) << "arrangement " << static_cast<int>(arrangement);
    }
}

TYPED_TEST(NeighborsTest, rows_are_symmetric) {
    for (const Arrangement arrangement : all_arrangements) {
        const auto rows = this->found(this->points(arrangement));
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs, swapped;
        for (std::uint32_t i = 0; i < rows.size(); ++i) {
            for (const std::uint32_t j : rows[i]) {
                pairs.emplace_back(i, j);
                swapped.emplace_back(j, i);
            }
        }
        std::sort(pairs.begin(), pairs.end());
        std::sort(swapped.begin(), swapped.end());
        EXPECT_EQ(pairs, swapped) << "arrangement " << static_cast<int>(arrangement);
        EXPECT_EQ(std::adjacent_find(pairs.begin(), pairs.end()), pairs.end()) << "a neighbor was listed twice";
    }
}

TYPED_TEST(NeighborsTest, rows_are_filled_up_with_their_particle) {
    for (const Arrangement arrangement : all_arrangements) {
        const auto points = this->points(arrangement);
        Neighbors<TypeParam> neighbors;
        neighbors.update(points, radius, Parallel(2), no_period);
        for (std::uint32_t i = 0; i < points.size(); ++i) {
            std::vector<std::uint32_t> seen;
            for_each_filled_eight(neighbors.row(i), [&](const std::uint32_t* j) { seen.insert(seen.end(), j, j + 8); });
            const auto row = neighbors.row(i);
            ASSERT_EQ(seen.size(), (row.size() + 7) / 8 * 8);
            for (std::size_t n = 0; n < seen.size(); ++n) EXPECT_EQ(seen[n], n < row.size() ? row[n] : i);
        }
    }
}

TYPED_TEST(NeighborsTest, rows_do_not_depend_on_threads) {
    for (const Arrangement arrangement : {Arrangement::jittered, Arrangement::two_far_clusters}) {
        auto points = this->points(arrangement);
        this->add_cloud(points, 4000, {0.3, 0.3, 0}, 0.5);  // several blocks of work
        const auto one = this->found(points, 1);
        EXPECT_EQ(this->found(points, 2), one);
        EXPECT_EQ(this->found(points, 4), one);
    }
}

// A lost point far away causes hashing of cells and must change nothing else.
TYPED_TEST(NeighborsTest, hashed_cells_give_the_same_rows) {
    for (const Arrangement arrangement : {Arrangement::lattice, Arrangement::jittered, Arrangement::clustered}) {
        auto points = this->points(arrangement);
        auto expected = this->found(points);
        points.push_back(this->at(1e5, 1e5, 1e5));
        expected.emplace_back();
        EXPECT_EQ(this->found(points), expected);
    }
}

TYPED_TEST(NeighborsTest, an_update_forgets_the_last_one) {
    Neighbors<TypeParam> neighbors;
    const Parallel parallel(1);
    for (const Arrangement arrangement : {Arrangement::jittered, Arrangement::single, Arrangement::two_far_clusters,
                                          Arrangement::none, Arrangement::clustered}) {
        const auto points = this->points(arrangement);
        neighbors.update(points, radius, parallel, no_period);
        const auto expected = this->found(points);
        EXPECT_EQ(this->rows_of(neighbors), expected);
        std::size_t entries = 0;
        for (const auto& row : expected) entries += row.size();
        EXPECT_EQ(neighbors.pair_entries(), entries);
    }
}

// A diverged simulation must be reported elsewhere, not crash here.
TYPED_TEST(NeighborsTest, points_that_are_no_numbers_do_no_harm) {
    using Limits = std::numeric_limits<typename TypeParam::Real>;
    for (const auto bad : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
        for (const std::size_t place : {std::size_t{0}, std::size_t{100}}) {
            auto points = this->points(Arrangement::clustered);
            points[place].x = bad;
            const auto rows = this->found(points);
            EXPECT_TRUE(rows[place].empty());
            auto expected = this->brute_force(points);
            for (std::size_t i = 0; i < rows.size(); ++i) {
                auto row = rows[i];
                std::sort(row.begin(), row.end());
                EXPECT_EQ(row, expected[i]);
            }
        }
    }
}

}  // namespace
}  // namespace treacle
