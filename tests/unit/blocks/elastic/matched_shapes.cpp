#include "blocks/elastic/matched_shapes.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/random_fluid.h"
#include "support/spaces.h"

namespace treacle {
namespace {

constexpr double reach = 1.4, dt = 0.01;

/// A cloud in a box of 5 (2D: 9), all of it one elastic piece at rest. Tests of eq. 14 are due every 0.1 s.
template <class S>
struct Cloud : test::RandomFluid<S> {
    using Real = typename S::Real;
    using Row = typename S::Row;

    Cloud()
        : test::RandomFluid<S>(150, S::dim == 3 ? 5 : 9, Real(reach), 3), rotation(150), impact(150), piece(150),
          renewals(150) {
        ShapeMatching<S>::prepare(clusters);
        clusters.resize(150);
        block.settings = {.support_radius = reach, .update_interval = 0.1};
        block.settings.materials = {{.pull = Real(20), .update_threshold = 5, .break_stretch = Real(2)}};
        for (Row& v : this->velocity) v = Row{};
    }
    typename MatchedShapes<S>::State state() { return {rotation, impact, piece, renewals}; }
    BlockContext<S> context() { return test::RandomFluid<S>::context(dt); }
    void add(const Births& births = Births::all()) {
        block.add(this->view(), context(), births, state(), clusters);
        std::fill(renewals.begin(), renewals.end(), 0);
    }
    void renew_references(double now) {
        this->time = now;
        this->neighbors.update(this->position, Real(reach), this->parallel, no_period);
        block.renew_references(this->view(), context(), state(), clusters);
    }
    /// The largest change of a velocity.
    double pull() {
        const auto before = this->velocity;
        block.pull(this->view(), context(), state(), clusters);
        double largest = 0;
        for (std::size_t i = 0; i < this->size(); ++i)
            largest = std::max(largest, length(cast<double>(this->velocity[i].xyz() - before[i].xyz())));
        return largest;
    }
    void shear() {
        for (Row& x : this->position) x.x += Real(0.3) * x.y;
    }

    ConnectionGraph clusters{sizeof(Real) == 4 ? ScalarType::f32 : ScalarType::f64};
    std::vector<Row> rotation;
    std::vector<Real> impact;
    std::vector<std::uint32_t> piece, renewals;
    MatchedShapes<S> block;
};

template <class S>
double rounding() {
    return sizeof(typename S::Real) == 4 ? 1e-4 : 1e-10;
}

template <class S>
class MatchedShapesTest : public testing::Test {};
TYPED_TEST_SUITE(MatchedShapesTest, test::AllSpaces);

TYPED_TEST(MatchedShapesTest, pull_what_is_sheared_back_and_keep_momentum) {
    using S = TypeParam;
    Cloud<S> cloud;
    cloud.add();
    EXPECT_GT(cloud.clusters.connection_count(), 300u);
    EXPECT_LT(cloud.pull(), rounding<S>());
    cloud.shear();
    EXPECT_GT(cloud.pull(), 1e-3);
    const double size = cloud.size_of(cloud.velocity);
    EXPECT_LT(length(cloud.momentum_of(cloud.velocity)), rounding<S>() * size);
    double back = 0;  // along the shear, against the height that was sheared
    for (std::size_t i = 0; i < cloud.size(); ++i)
        back += static_cast<double>(cloud.mass[i] * cloud.velocity[i].x * cloud.position[i].y);
    EXPECT_LT(back, 0);
}

TYPED_TEST(MatchedShapesTest, renew_where_solids_pushed_harder_than_the_threshold) {
    using S = TypeParam;
    Cloud<S> cloud;
    cloud.add();
    cloud.shear();
    for (std::size_t i = 0; i < cloud.size(); ++i) cloud.impact[i] = i % 2 == 0 ? 6 : 4;
    cloud.renew_references(0.02);  // no test is due
    EXPECT_EQ(std::count(cloud.renewals.begin(), cloud.renewals.end(), 0u), 150);
    EXPECT_EQ(cloud.impact[0], 6);
    cloud.renew_references(0.09);  // the step ends where the interval does
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        EXPECT_EQ(cloud.renewals[i], i % 2 == 0 ? 1u : 0u);
        EXPECT_EQ(cloud.impact[i], 0);
    }
    std::fill(cloud.impact.begin(), cloud.impact.end(), typename S::Real(6));
    EXPECT_GT(cloud.pull(), 1e-3);  // of those that kept their reference
    cloud.renew_references(0.19);
    EXPECT_LT(cloud.pull(), rounding<S>());
}

TYPED_TEST(MatchedShapesTest, a_fluid_has_no_reference_and_gets_one_when_it_sets) {
    using S = TypeParam;
    using Row = typename S::Row;
    Cloud<S> cloud;
    cloud.add();
    cloud.pull();
    cloud.block.settings.materials[0].pull = 0;
    EXPECT_FALSE(cloud.block.active());
    cloud.renew_references(0.02);
    for (const Row& turned : cloud.rotation) EXPECT_EQ(turned.w, 0);
    cloud.shear();
    EXPECT_EQ(cloud.pull(), 0);
    cloud.block.settings.materials[0].pull = 20;
    cloud.renew_references(0.03);
    EXPECT_EQ(std::count(cloud.renewals.begin(), cloud.renewals.end(), 1u), 150);
    EXPECT_LT(cloud.pull(), rounding<S>());
}

TYPED_TEST(MatchedShapesTest, what_comes_into_being_is_connected_within_its_fluid) {
    using S = TypeParam;
    Cloud<S> cloud;
    std::vector<std::uint8_t> born(150);
    for (std::size_t i = 0; i < 150; ++i) cloud.fluid[i] = i % 2, born[i] = i % 4 < 2;
    cloud.add(Births(born));
    EXPECT_GT(cloud.clusters.connection_count(), 50u);
    for (std::size_t i = 0; i < 150; ++i) {
        for (const std::uint32_t j : cloud.clusters.rows().row(i)) {
            EXPECT_EQ(cloud.fluid[i], cloud.fluid[j]);
            EXPECT_TRUE(born[i] || born[j]);
            EXPECT_EQ(cloud.piece[i], cloud.piece[j]);
        }
    }
}

TYPED_TEST(MatchedShapesTest, halves_that_fly_apart_are_two_pieces) {
    using S = TypeParam;
    using Real = typename S::Real;
    Cloud<S> cloud;
    cloud.add();
    const auto pieces = cloud.piece;
    cloud.pull();
    cloud.block.cut_overstretched(cloud.view(), cloud.context(), cloud.state(), cloud.clusters);
    EXPECT_EQ(cloud.piece, pieces);
    const Real middle = S::dim == 3 ? Real(2.5) : Real(4.5);
    for (auto& x : cloud.position) x.x += x.x > middle ? Real(10) : Real(0);
    cloud.pull();
    cloud.block.cut_overstretched(cloud.view(), cloud.context(), cloud.state(), cloud.clusters);
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        for (std::size_t j = 0; j < cloud.size(); ++j) {
            if ((cloud.position[i].x > middle + 5) != (cloud.position[j].x > middle + 5)) {
                ASSERT_NE(cloud.piece[i], cloud.piece[j]);
            }
        }
    }
    EXPECT_NE(cloud.piece, pieces);
}

}  // namespace
}  // namespace treacle
