#include "blocks/threads/rupture.h"

#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "neighbors/nearest_image.h"
#include "support/spaces.h"

namespace treacle {
namespace {

constexpr double s = 0.3e-3;  // m, spacing

/// A lattice of fluid with its middle above the origin, and a plate below and one above it.
template <class S>
struct Cube {
    using Real = typename S::Real;
    using Row = typename S::Row;

    explicit Cube(int n) : Cube(n, n, [](Vec3d) { return true; }) {}

    /// Particles of a lattice, `across` wide and `high` up, that `keep` accepts.
    Cube(int across, int high, const std::function<bool(Vec3d)>& keep) : top(high * s) {
        std::vector<Vec3d> points;
        for (int z = 0; z < (S::dim == 3 ? across : 1); ++z) {
            for (int y = 0; y < high; ++y) {
                for (int x = 0; x < across; ++x) {
                    const Vec3d point{(x - 0.5 * (across - 1)) * s, (y + 0.5) * s,
                                      S::dim == 3 ? (z - 0.5 * (across - 1)) * s : 0};
                    if (keep(point)) points.push_back(point);
                }
            }
        }
        particles.template add<std::uint8_t>("side", "");
        particles.resize(points.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            particles.template get<Row>("position")[i] = cast<Real>(points[i]);
            particles.template get<Real>("mass")[i] = static_cast<Real>(1160 * cell_volume(S::dim, s));
        }
        add_plate({0, -1.5 * s, 0}, 2 * across * s);
        add_plate({0, top + 1.5 * s, 0}, 1.5 * across * s);
        search();
    }

    void add_plate(Vec3d center, double width) {
        Body plate;
        plate.shape = {.form = Box{center, {width, 3 * s, width}}, .dimension = S::dim};
        plate.id = static_cast<std::uint32_t>(bodies.size());
        bodies.push_back(plate);
    }
    void search() { neighbors.update(position(), 3.1 * s, parallel, no_period); }

    /// Everything above a height goes up, with the upper plate.
    void part(double at, double by) {
        for (Row& row : particles.template get<Row>("position")) {
            if (row.y > at) row.y += static_cast<Real>(by);
        }
        bodies[1].pose.position.y += by;
        search();
    }

    std::span<const Row> position() const { return std::as_const(particles).template get<Row>("position"); }
    std::span<std::uint8_t> side() { return particles.template get<std::uint8_t>("side"); }
    FluidView<S> view() { return FluidView<S>(particles); }
    BlockContext<S> context(double end_of_step = 0) {
        return {end_of_step - dt, dt, {}, thread.period, neighbors, bodies, parallel, timer};
    }
    std::span<std::uint8_t> tag_sides() {
        thread.tag_sides(view(), side());
        return side();
    }
    bool sides_meet() { return thread.sides_meet(view(), context(), side()); }
    ThreadParts watch(double end_of_step, Rupture& rupture) {
        return thread.detect_rupture(view(), context(end_of_step), side(), {}, rupture);
    }
    Rupture join() { return thread.join(view(), context()); }
    ThreadParts parts(const Rupture& rupture) const { return thread.parts(position(), neighbors, bodies, rupture); }
    Waist waist() {
        const std::vector<Real> density(particles.size(), Real(0.75));
        return thread.waist(particles, parallel, density, parts(join()));
    }

    static constexpr double dt = 0.0625;  ///< s; end_of_step - dt + dt is end_of_step
    double top;
    Parallel parallel{2};
    StageTimer timer;
    Particles particles{sizeof(Real) == 4 ? ScalarType::f32 : ScalarType::f64};
    Bodies bodies;
    Neighbors<S> neighbors;
    PulledThread<S> thread{.axis = 1, .spacing = s, .link = 2.1 * s, .touch = 1.6 * s, .rest_density = {1160}};
};

template <class S>
class RuptureTest : public testing::Test {};
TYPED_TEST_SUITE(RuptureTest, test::AllSpaces);

TYPED_TEST(RuptureTest, SidesAreThreeColumnsWide) {
    using S = TypeParam;
    Cube<S> cube(31);
    const auto side = cube.tag_sides();
    const std::size_t layer = S::dim == 3 ? 31 * 31 : 31;
    std::array<std::size_t, 4> counts{};
    std::size_t corners = 0;
    for (std::size_t i = 0; i < side.size(); ++i) {
        for (std::size_t n = 0; n < 4; ++n) counts[n] += side[i] >> n & 1;
        corners += std::popcount(side[i]) == 2 ? 1 : 0;
        EXPECT_EQ((side[i] & 1) != 0, cube.position()[i].x < -12.5 * s);
        EXPECT_EQ((side[i] & 4) != 0, cube.position()[i].x > 12.5 * s);
    }
    EXPECT_EQ(counts[0], 3 * layer);  // 2,883 in 3D, as in the paper's Fig. 1b
    EXPECT_EQ(counts[2], 3 * layer);
    EXPECT_EQ(counts[1], S::dim == 3 ? 3 * layer : 0u);
    EXPECT_EQ(counts[3], S::dim == 3 ? 3 * layer : 0u);
    EXPECT_EQ(corners, S::dim == 3 ? 4u * 9 * 31 : 0u);
}

TYPED_TEST(RuptureTest, OppositeSidesMeetOnlyWhereTheyAreWithinReach) {
    using S = TypeParam;
    using Real = typename S::Real;
    Cube<S> cube(11);
    cube.tag_sides();
    EXPECT_FALSE(cube.sides_meet());
    auto& moved = cube.particles.template get<typename S::Row>("position")[0];  // a corner of S1 (and S2)
    const Real start = moved.x;
    moved.x = static_cast<Real>((3 - 2.2) * s);  // S3 begins three spacings from the middle
    cube.search();
    EXPECT_FALSE(cube.sides_meet());
    moved.x = static_cast<Real>((3 - 2.05) * s);
    cube.search();
    EXPECT_TRUE(cube.sides_meet());
    Rupture rupture;
    for (const double time : {0.5, 0.625}) cube.watch(time, rupture);
    EXPECT_EQ(rupture.sides_met, 0.5);  // once
    moved.x = start;
    cube.search();
    cube.watch(0.75, rupture);
    EXPECT_EQ(rupture.sides_met, 0.5);  // and forever
    Cube<S> narrow(8);
    for (const std::uint8_t bits : narrow.tag_sides()) EXPECT_EQ(bits, 0);
}

TYPED_TEST(RuptureTest, PartsWhenNoChainLeadsFromSolidToSolid) {
    using S = TypeParam;
    Cube<S> cube(11);
    cube.tag_sides();
    Rupture rupture = cube.join();
    EXPECT_EQ(rupture.lower, 0);
    EXPECT_EQ(rupture.upper, 1);
    EXPECT_NEAR(rupture.start_distance, 11 * s, 1e-9);
    EXPECT_TRUE(cube.watch(0.125, rupture).whole);
    cube.part(4 * s, 1.05 * s);  // a gap of 2.05 spacings: still within reach
    EXPECT_TRUE(cube.watch(0.25, rupture).whole);
    EXPECT_EQ(rupture.parted, Rupture::never);
    cube.part(4.2 * s, 0.1 * s);  // 2.15
    const ThreadParts now = cube.watch(0.375, rupture);
    EXPECT_FALSE(now.whole);
    EXPECT_EQ(rupture.parted, 0.375);
    EXPECT_EQ(now.strays, 0u);
    EXPECT_NEAR(now.lower_face, 0, 1e-9);
    EXPECT_NEAR(now.upper_face, 12.15 * s, 1e-9);
    EXPECT_NEAR(now.lower_tip, 4 * s, 1e-9);
    EXPECT_NEAR(now.upper_tip, 5.15 * s, 1e-9);
    std::size_t below = 0;
    for (const std::uint8_t part : now.part) below += part == hangs_on::lower ? 1 : 0;
    EXPECT_EQ(below, (S::dim == 3 ? 121u : 11u) * 4);
    cube.watch(0.5, rupture);
    EXPECT_EQ(rupture.parted, 0.375);
}

TYPED_TEST(RuptureTest, FluidThatLetsGoOfASolidHasParted) {
    using S = TypeParam;
    Cube<S> cube(11);
    Rupture rupture = cube.join();
    cube.bodies[1].pose.position.y += 1.05 * s;  // particles stand half a spacing below it
    EXPECT_TRUE(cube.parts(rupture).whole);
    cube.bodies[1].pose.position.y += 0.1 * s;
    const ThreadParts gone = cube.parts(rupture);
    EXPECT_FALSE(gone.whole);
    EXPECT_EQ(gone.strays, 0u);
    EXPECT_EQ(gone.upper_tip, gone.upper_face);
}

TYPED_TEST(RuptureTest, StraysHangOnNothing) {
    using S = TypeParam;
    using Real = typename S::Real;
    Cube<S> cube(11);
    const Rupture rupture = cube.join();
    for (const std::size_t i : {std::size_t(5), std::size_t(60)}) {
        cube.particles.template get<typename S::Row>("position")[i] =
            cast<Real>(Vec3d{static_cast<double>(20 + i) * s, 5 * s, 0});
    }
    cube.search();
    EXPECT_EQ(cube.parts(rupture).strays, 2u);
    EXPECT_TRUE(cube.parts(rupture).whole);
}

TYPED_TEST(RuptureTest, FluidOnOneSolidIsNeverRuptured) {
    using S = TypeParam;
    Cube<S> cube(11);
    cube.bodies.pop_back();
    EXPECT_FALSE(cube.join().joined());
    EXPECT_TRUE(cube.parts(cube.join()).whole);
    EXPECT_NEAR(cube.waist().counted_area, S::dim == 3 ? 121 * s * s : 11 * s, 2e-6 * 11 * s);
    Body floor;
    floor.shape = {.form = Plane{{0, 1, 0}, 0}, .dimension = S::dim};
    cube.bodies = {floor};
    cube.add_plate({0, cube.top + 1.5 * s, 0}, 20 * s);
    EXPECT_NEAR(cube.join().start_distance, 11 * s, 1e-9);  // a plane ends at its offset
}

TYPED_TEST(RuptureTest, EverySliceOfALatticeIsAsWideAsTheLattice) {
    using S = TypeParam;
    for (const int n : {11, 16, 31}) {
        const Waist waist = Cube<S>(n).waist();
        const double width = n * s, area = S::dim == 3 ? width * width : width;
        EXPECT_NEAR(waist.counted_area, area, 2e-6 * area);
        EXPECT_NEAR(waist.density, 0.75, 1e-6);
        EXPECT_NEAR(waist.geometric_area, S::dim == 3 ? area * std::numbers::pi / 3 : area, 1e-3 * area);
        EXPECT_NEAR(waist.radius, S::dim == 3 ? width / std::sqrt(std::numbers::pi) : width / 2, 1e-4 * width);
    }
}

/// Gaps between layers are not waists.
TYPED_TEST(RuptureTest, EverySliceOfAStretchedLatticeHasTheSameArea) {
    using S = TypeParam;
    for (const double stretch : {1.15, 1.3, 1.45}) {
        Cube<S> cube(16);
        for (auto& row : cube.particles.template get<typename S::Row>("position"))
            row.y *= static_cast<typename S::Real>(stretch);
        cube.bodies[1].pose.position.y += 16 * (stretch - 1) * s;
        cube.search();
        const double area = (S::dim == 3 ? 256 * s * s : 16 * s) / stretch;
        EXPECT_NEAR(cube.waist().counted_area, area, 0.03 * area) << stretch;
    }
}

/// A cylinder that is thinnest at 60 % of its height.
template <class S>
Cube<S> hourglass(const std::function<bool(Vec3d)>& also = [](Vec3d) { return true; }) {
    const double high = 48 * s;
    return Cube<S>(31, 48, [=](Vec3d x) {
        const double r = 5.4 * s + 8 * s * std::pow((x.y / high - 0.6) / 0.6, 2);
        return x.x * x.x + x.z * x.z < r * r && also(x);
    });
}

TYPED_TEST(RuptureTest, TheWaistIsWhereTheThreadIsThinnest) {
    using S = TypeParam;
    const Waist waist = hourglass<S>().waist();
    EXPECT_NEAR(waist.place, 0.6 * 48 * s, (S::dim == 3 ? 4 : 9) * s);  // in 2D the lattice is 11 wide for a while
    const double area = S::dim == 3 ? std::numbers::pi * 5.4 * 5.4 * s * s : 10.8 * s;
    EXPECT_NEAR(waist.counted_area, area, 0.1 * area);
    EXPECT_NEAR(waist.geometric_area / waist.counted_area, 1, 0.03);
    EXPECT_NEAR(waist.radius, 5.4 * s, 0.25 * s);
}

TYPED_TEST(RuptureTest, ThinlyPopulatedIsNotThin) {
    using S = TypeParam;
    std::mt19937 random(1);
    std::bernoulli_distribution keep(0.6);
    const Waist thinned = hourglass<S>([&](Vec3d) { return keep(random); }).waist();
    EXPECT_GT(thinned.geometric_area / thinned.counted_area, 1.4);
    const Waist hollow = hourglass<S>([](Vec3d x) { return x.x * x.x + x.z * x.z > 6 * s * s; }).waist();
    EXPECT_GT(hollow.geometric_area / hollow.counted_area, 1.25);
}

TYPED_TEST(RuptureTest, AnEmptySliceHasNoWaist) {
    using S = TypeParam;
    Cube<S> cube(11);
    const Rupture rupture = cube.join();
    cube.part(5 * s, 6 * s);
    const ThreadParts parts = cube.parts(rupture);
    const std::vector<typename S::Real> density(cube.particles.size(), 1);
    const Waist waist = cube.thread.waist(cube.particles, cube.parallel, density, parts);
    EXPECT_EQ(waist.counted_area, 0);
    EXPECT_EQ(waist.density, 0);
    EXPECT_EQ(waist.radius, 0);
    EXPECT_NEAR(waist.place, 8 * s, 3 * s);
}

TEST(PullAxis, is_that_of_gravity) {
    EXPECT_EQ(pull_axis({0, -9.81, 0}), 1);
    EXPECT_EQ(pull_axis({0, 0, -9.81}), 2);
    EXPECT_EQ(pull_axis({9.81, 1, 0}), 0);
    EXPECT_EQ(pull_axis({}), 1);
}

/// A thread in a space that is periodic across it, at a given place, which must not matter.
template <class S>
struct PeriodicThread : Cube<S> {
    using Real = typename S::Real;
    static constexpr double width = 26 * s;

    PeriodicThread(double place, const std::function<bool(Vec3d)>& keep) : Cube<S>(11, 14, keep) {
        this->thread.period = {width, 0, S::dim == 3 ? width : 0};
        for (auto& row : this->particles.template get<typename S::Row>("position")) {
            const Vec3d x = cast<double>(row.xyz());
            row = cast<Real>(wrapped(Vec3d{x.x + place, x.y, x.z + (S::dim == 3 ? place : 0)}, this->thread.period));
        }
        for (Body& body : this->bodies) {
            auto& plate = std::get<Box>(body.shape.form);
            plate.size = {4 * width, plate.size.y, 4 * width};
        }
        this->neighbors.update(this->position(), 3.1 * s, this->parallel, this->thread.period);
    }
};

TYPED_TEST(RuptureTest, AThreadMayCrossTheBorderOfAPeriodicSpace) {
    using S = TypeParam;
    // Its lower half is left and its upper half right of the middle, so that only the border joins them there.
    const auto slanted = [](Vec3d x) { return x.y < 7.1 * s ? x.x < 0.6 * s : x.x > -0.6 * s; };
    PeriodicThread<S> inside(13 * s, slanted), across(26 * s, slanted);
    const Rupture here = inside.join(), there = across.join();
    ASSERT_TRUE(here.joined());
    EXPECT_EQ(there.lower, here.lower);
    EXPECT_EQ(there.upper, here.upper);
    EXPECT_TRUE(across.parts(there).whole);
    EXPECT_EQ(across.parts(there).part, inside.parts(here).part);
    const Waist one = inside.waist(), other = across.waist();
    EXPECT_NEAR(other.counted_area, one.counted_area, 1e-5 * one.counted_area);
    EXPECT_NEAR(other.geometric_area, one.geometric_area, 1e-4 * one.geometric_area);
    const auto side = inside.tag_sides(), other_side = across.tag_sides();
    EXPECT_GT(std::count_if(side.begin(), side.end(), [](std::uint8_t n) { return n != 0; }), 0);
    EXPECT_TRUE(std::equal(side.begin(), side.end(), other_side.begin()));
    EXPECT_FALSE(across.sides_meet());
}

TYPED_TEST(RuptureTest, SidesMeetAcrossTheBorderToo) {
    using S = TypeParam;
    using Real = typename S::Real;
    PeriodicThread<S> across(26 * s, [](Vec3d) { return true; });
    const auto side = across.tag_sides();
    auto& moved = across.particles.template get<typename S::Row>("position")[0];  // of the low side
    ASSERT_EQ(side[0] & 1, 1);
    // The high side begins three spacings right of the border.
    moved.x = static_cast<Real>((3 - 2.05) * s);
    const auto meet = [&] {
        across.neighbors.update(across.position(), 3.1 * s, across.parallel, across.thread.period);
        return across.sides_meet();
    };
    EXPECT_TRUE(meet());
    moved.x = static_cast<Real>(25.9 * s);
    EXPECT_FALSE(meet());
    // A particle of the high side that has crossed the border to the left is seen from the right of it.
    auto& last = across.particles.template get<typename S::Row>("position")[10];
    ASSERT_EQ(side[10] & 4, 4);
    moved.x = static_cast<Real>(0.5 * s), last.x = static_cast<Real>(25.5 * s);
    EXPECT_TRUE(meet());
}

/// Fluid that fills the period has no sides.
TYPED_TEST(RuptureTest, FluidThatClosesOnItselfHasNoSides) {
    using S = TypeParam;
    PeriodicThread<S> ring(8 * s, [](Vec3d) { return true; });
    ring.thread.period = {11 * s, 0, S::dim == 3 ? 11 * s : 0};
    for (const std::uint8_t side : ring.tag_sides()) EXPECT_EQ(side, 0);
}

}  // namespace
}  // namespace treacle
