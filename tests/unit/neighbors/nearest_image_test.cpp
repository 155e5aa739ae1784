#include "neighbors/nearest_image.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "neighbors/neighbors.h"
#include "simd/load.h"
#include "support/spaces.h"

namespace treacle {
namespace {

TEST(NearestImage, is_the_shortest_way_and_opposite_for_the_other) {
    for (const double x : {0.0, 0.1, 0.49, 0.51, 0.9, 0.999}) {
        for (const double y : {0.0, 0.2, 0.5, 0.75, 0.999}) {
            const double r = nearest_image(y - x, 1.0);
            EXPECT_LE(std::abs(r), 0.5);
            EXPECT_NEAR(r - (y - x), std::round(r - (y - x)), 1e-15);
            EXPECT_EQ(nearest_image(x - y, 1.0), -r);
        }
    }
}

TEST(NearestImage, without_a_period_not_a_bit_changes) {
    for (const double r : {0.0, -0.0, 1e-300, -3.0, 5e300, std::numeric_limits<double>::infinity()}) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(nearest_image(r, 0.0)), std::bit_cast<std::uint64_t>(r));
        EXPECT_EQ(std::bit_cast<std::uint64_t>(wrapped(r, 0.0)), std::bit_cast<std::uint64_t>(r));
    }
}

TEST(NearestImage, packs_have_the_bits_of_numbers) {
    using P = simd::Pack<simd::Sse4, double>;
    const double r[simd::lanes]{-1.9, -1.01, -0.4, -0.0, 0.3, 0.999, 1.0, 1.7};
    const Vec3<P> packs =
        nearest_image(Vec3<P>{simd::load<P>(r), simd::load<P>(r), simd::load<P>(r)}, Vec3d{2, 0, 0.7});
    for (int l = 0; l < simd::lanes; ++l) {
        EXPECT_EQ(packs.x.lane(l), nearest_image(r[l], 2.0));
        EXPECT_EQ(packs.y.lane(l), r[l]);
        EXPECT_EQ(packs.z.lane(l), nearest_image(r[l], 0.7));
    }
}

TEST(NearestImage, wrapping_stays_below_the_period) {
    EXPECT_EQ(wrapped(0.25, 1.0), 0.25);
    EXPECT_EQ(wrapped(1.25, 1.0), 0.25);
    EXPECT_EQ(wrapped(-0.25, 1.0), 0.75);
    EXPECT_EQ(wrapped(1.0, 1.0), 0.0);
    EXPECT_EQ(wrapped(7.5, 1.0), 0.5);
    EXPECT_EQ(wrapped(-1e-30, 1.0), 0.0) << "the sum would round to the border, which is not inside";
    EXPECT_EQ(wrapped(-1e-30f, 0.3f), 0.0f);
    EXPECT_TRUE(std::isnan(wrapped(std::nan(""), 1.0))) << "a diverged run must be seen as such";
}

constexpr double radius = 0.1;

template <class S>
class PeriodicNeighborsTest : public ::testing::Test {
protected:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Rows = std::vector<std::vector<std::uint32_t>>;

    /// Random points in [0, length) where there is a period, around 0 elsewhere; some exactly at the borders.
    std::vector<Row> points(int count, Vec3d period) {
        std::uniform_real_distribution<double> number(0, 1);
        std::vector<Row> all;
        for (int n = 0; n < count; ++n) {
            Vec3<Real> p;
            for (int axis = 0; axis < S::dim; ++axis) {
                const auto length = static_cast<Real>(period[axis]);
                if (!(length > 0)) {
                    p[axis] = static_cast<Real>(number(random_) - 0.5);
                } else if (n % 10 == axis) {
                    p[axis] = n % 20 < 10 ? Real(0) : std::nextafter(length, Real(0));
                } else {
                    p[axis] = wrapped(static_cast<Real>(number(random_) * period[axis]), length);
                }
            }
            all.push_back(p);
        }
        return all;
    }

    static Rows found(const std::vector<Row>& points, Vec3d period, int threads = 1) {
        Neighbors<S> neighbors;
        neighbors.update(points, radius, Parallel(threads), period);
        Rows rows(neighbors.size());
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i].assign(neighbors.row(i).begin(), neighbors.row(i).end());
        return rows;
    }

    /// Every pair compared; rows in ascending order.
    static Rows brute_force(const std::vector<Row>& points, Vec3d period) {
        const Real limit = static_cast<Real>(radius) * static_cast<Real>(radius);
        Rows rows(points.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            for (std::size_t j = 0; j < points.size(); ++j) {
                const auto r = nearest_image(points[j].xyz() - points[i].xyz(), cast<Real>(period));
                if (i != j && dot(r, r) < limit) rows[i].push_back(static_cast<std::uint32_t>(j));
            }
        }
        return rows;
    }

    static Rows sorted(Rows rows) {
        for (auto& row : rows) std::sort(row.begin(), row.end());
        return rows;
    }

    static std::vector<Vec3d> periods() {
        std::vector<Vec3d> all{{0.55, 0, 0}, {0, 0.4, 0},     {0.3, 0.77, 0}, {0.301, 0.3, 0},
                               {0.25, 0, 0}, {0.12, 0.05, 0}, {40, 0, 0}};
        if (S::dim == 3) all.insert(all.end(), {{0, 0, 0.6}, {0.5, 0.31, 0.4}, {0.33, 0.33, 0.33}});
        return all;
    }

    std::mt19937 random_{7};
};

TYPED_TEST_SUITE(PeriodicNeighborsTest, test::AllSpaces);

TYPED_TEST(PeriodicNeighborsTest, rows_are_those_of_brute_force_with_images) {
    for (const Vec3d period : this->periods()) {
        const auto points = this->points(TREACLE_SANITIZED ? 300 : 900, period);  // every pair is compared
        EXPECT_EQ(this->sorted(this->found(points, period)), this->brute_force(points, period))
            << "period " << period.x << " " << period.y << " " << period.z;
    }
}

TYPED_TEST(PeriodicNeighborsTest, hashed_cells_give_the_same_rows) {
    const Vec3d period{0.55, 0, 0};
    auto points = this->points(900, period);
    auto expected = this->found(points, period);
    points.push_back(Vec3<typename TypeParam::Real>{typename TypeParam::Real(0.3), 100000, 0});
    expected.emplace_back();
    EXPECT_EQ(this->found(points, period), expected);
}

TYPED_TEST(PeriodicNeighborsTest, rows_do_not_depend_on_threads) {
    // Enough in space for two shares of the counting sort; sanitizers have the same with fewer neighbors.
    const Vec3d period = (TREACLE_SANITIZED ? 2.0 : 1.0) * Vec3d{0.9, 0.7, 0};
    const auto points = this->points(TypeParam::dim == 3 ? 20000 : (TREACLE_SANITIZED ? 1500 : 6000), period);
    const auto one = this->found(points, period, 1);
    EXPECT_EQ(this->found(points, period, 2), one);
    EXPECT_EQ(this->found(points, period, 4), one);
}

// Cells before, of, and after that of i, across the border too; in a cell by storage index.
TYPED_TEST(PeriodicNeighborsTest, the_cells_around_the_first_begin_with_the_last) {
    std::vector<typename TypeParam::Row> points;
    for (const double x : {0.05, 0.13, 0.35, 0.02, 0.38})
        points.push_back(cast<typename TypeParam::Real>(Vec3d{x, 0, 0}));
    const auto rows = this->found(points, {0.41, 0, 0});  // four cells
    EXPECT_EQ(rows[3], (std::vector<std::uint32_t>{2, 4, 0}));
    EXPECT_EQ(rows[4], (std::vector<std::uint32_t>{2, 0, 3}));
}

TYPED_TEST(PeriodicNeighborsTest, points_that_are_no_numbers_do_no_harm) {
    using Limits = std::numeric_limits<typename TypeParam::Real>;
    const Vec3d period{0.55, 0.4, 0};
    for (const auto bad : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
        auto points = this->points(300, period);
        points[100].x = bad;
        EXPECT_EQ(this->sorted(this->found(points, period)), this->brute_force(points, period));
    }
}

}  // namespace
}  // namespace treacle
