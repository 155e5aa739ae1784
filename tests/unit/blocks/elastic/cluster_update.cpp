#include "blocks/elastic/cluster_update.h"

#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

#include "math/rotation.h"
#include "support/random_fluid.h"
#include "support/spaces.h"

namespace treacle {
namespace {

constexpr double reach = 1.4;

/// A cloud of particles in a box of 5 (2D: 9), with its clusters.
template <class S>
struct Cloud : test::RandomFluid<S> {
    using Real = typename S::Real;
    using Row = typename S::Row;

    explicit Cloud(std::size_t count = 150) : test::RandomFluid<S>(count, S::dim == 3 ? 5 : 9, Real(reach), 3) {
        ShapeMatching<S>::prepare(graph);
        graph.resize(count);
        rotation.assign(count, Row{});
        update.support_radius = Real(reach);
        matching.iterations = 200;
    }
    void fit() { matching.fit(this->view(), this->context(0.01), graph, this->mass, rotation); }
    void renew(const std::vector<std::uint8_t>& chosen, bool within_fluids = false) {
        this->neighbors.update(this->position, Real(reach), this->parallel, no_period);
        fit();
        update.renew(this->view(), this->context(0.01), {chosen, within_fluids}, matching, rotation, graph);
    }
    void renew_all() { renew(std::vector<std::uint8_t>(this->position.size(), 1)); }
    /// Moves every place x to map(x).
    template <class Map>
    void move(const Map& map) {
        for (Row& x : this->position) {
            Vec3d moved = map(cast<double>(x.xyz()));
            if (S::dim == 2) moved.z = 0;
            x = cast<Real>(moved);
        }
    }
    /// Distance of a member of cluster j from its place in the cluster, with the present fit.
    double misfit(std::size_t j, std::size_t slot) const {
        const auto r = this->position[graph.others()[slot]].xyz() - this->position[j].xyz();
        const auto member = std::as_const(graph).template values<Row>("member")[slot].xyz();
        return length(cast<double>(matching.place_of(j, r, rotation[j]) - member));
    }
    double largest_goal() {
        std::vector<Row> goal(this->position.size());
        fit();
        matching.gather(this->context(0.01), graph, rotation, goal);
        double size = 0;
        for (const Row& g : goal) size = std::max(size, length(cast<double>(g.xyz())));
        return size;
    }
    void expect_symmetric() const {
        const auto member = graph.template values<Row>("member"), place = graph.template values<Row>("place");
        for (std::size_t i = 0; i < this->position.size(); ++i) {
            for (std::size_t slot = graph.begin(i); slot < graph.begin(i) + graph.count(i); ++slot) {
                const std::size_t j = graph.others()[slot];
                const auto row = graph.rows().row(j);
                const auto found = std::find(row.begin(), row.end(), i);
                ASSERT_NE(found, row.end());
                const std::size_t back = graph.begin(j) + static_cast<std::size_t>(found - row.begin());
                EXPECT_EQ(member[slot].xyz(), place[back].xyz());
                EXPECT_EQ(place[slot].xyz(), member[back].xyz());
            }
        }
    }

    ConnectionGraph graph{sizeof(Real) == 4 ? ScalarType::f32 : ScalarType::f64};
    std::vector<Row> rotation;
    ClusterUpdate<S> update;
    ShapeMatching<S> matching;
};

Vec3d bent(Vec3d x) { return {0.8 * x.x + 0.05 * x.y * x.y, x.y - 0.1 * x.x, x.z + 0.05 * x.x * x.y}; }

template <class S>
double rounding() {
    return sizeof(typename S::Real) == 4 ? 1e-4 : 1e-10;
}

template <class S>
class ClusterUpdateTest : public testing::Test {};
TYPED_TEST_SUITE(ClusterUpdateTest, test::AllSpaces);

TYPED_TEST(ClusterUpdateTest, what_is_renewed_is_at_rest_in_its_present_shape) {
    using S = TypeParam;
    Cloud<S> cloud;
    cloud.renew_all();
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < cloud.position.size(); ++i) pairs += cloud.neighbors.row(i).size();
    EXPECT_EQ(2 * cloud.graph.connection_count(), pairs);
    EXPECT_GT(pairs, 1000u);
    EXPECT_LT(cloud.largest_goal(), rounding<S>());
    cloud.move(bent);
    EXPECT_GT(cloud.largest_goal(), 0.1);
    cloud.renew_all();
    cloud.expect_symmetric();
    EXPECT_LT(cloud.largest_goal(), rounding<S>());
    const Quaternion q = from_axis_angle(S::dim == 2 ? Vec3d{0, 0, 1} : Vec3d{1, 2, 3}, 20);
    cloud.move([&](Vec3d x) { return rotate(q, x); });
    EXPECT_LT(cloud.largest_goal(), 3 * rounding<S>());
}

TYPED_TEST(ClusterUpdateTest, a_cluster_that_is_not_chosen_keeps_its_places_and_feels_no_new_member) {
    using S = TypeParam;
    using Row = typename S::Row;
    Cloud<S> cloud;
    cloud.renew_all();
    cloud.move(bent);
    std::vector<std::uint8_t> chosen(cloud.position.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = cloud.position[i].x > (S::dim == 3 ? 3 : 5);
    const auto places_of = [&] {
        std::vector<std::vector<std::pair<std::uint32_t, Row>>> all(chosen.size());
        const auto member = std::as_const(cloud.graph).template values<Row>("member");
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            for (std::size_t slot = cloud.graph.begin(i); slot < cloud.graph.begin(i) + cloud.graph.count(i); ++slot) {
                all[i].emplace_back(cloud.graph.others()[slot], member[slot]);
            }
        }
        return all;
    };
    const auto before = places_of();
    cloud.renew(chosen);  // places of new members come from the fit before
    cloud.expect_symmetric();
    const auto after = places_of();
    int kept = 0, joined = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (chosen[i]) continue;
        std::size_t slot = cloud.graph.begin(i);
        for (const auto& [other, place] : after[i]) {
            const auto same = [&, id = other](const auto& entry) { return entry.first == id; };
            const auto found = std::find_if(before[i].begin(), before[i].end(), same);
            if (found != before[i].end()) {
                EXPECT_EQ(found->second.xyz(), place.xyz());
                ++kept;
            } else {
                EXPECT_TRUE(chosen[other]);
                EXPECT_LT(cloud.misfit(i, slot), rounding<S>());
                ++joined;
            }
            ++slot;
        }
    }
    EXPECT_GT(kept, 100);
    EXPECT_GT(joined, 0);
}

TYPED_TEST(ClusterUpdateTest, connects_within_a_fluid_only_if_told_so) {
    using S = TypeParam;
    Cloud<S> cloud;
    std::vector<std::uint32_t>& fluid = cloud.fluid;
    for (std::size_t i = 0; i < fluid.size(); ++i) fluid[i] = i % 2;
    const std::vector<std::uint8_t> all(fluid.size(), 1);
    cloud.renew(all, true);
    const std::size_t apart = cloud.graph.connection_count();
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        for (const std::uint32_t j : cloud.graph.rows().row(i)) EXPECT_EQ(fluid[i], fluid[j]);
    }
    cloud.renew(all);
    EXPECT_GT(cloud.graph.connection_count(), 3 * apart / 2);
}

TYPED_TEST(ClusterUpdateTest, cuts_what_is_stretched_and_labels_the_pieces) {
    using S = TypeParam;
    using Real = typename S::Real;
    Cloud<S> cloud;
    cloud.renew_all();
    std::vector<std::uint32_t> piece(cloud.position.size());
    const std::vector<Real> stretch = {2};
    const auto cut = [&] {
        cloud.matching.break_stretch = 2;
        cloud.fit();
        return ClusterUpdate<S>::cut_overstretched(cloud.view(), cloud.context(0.01), cloud.matching.stretched(),
                                                   stretch, cloud.graph);
    };
    EXPECT_FALSE(cut());
    ClusterUpdate<S>::label_pieces(cloud.view(), cloud.graph, piece);
    const std::uint32_t whole = *std::min_element(cloud.id.begin(), cloud.id.end());
    EXPECT_GT(std::count(piece.begin(), piece.end(), whole), 100);
    // The right half flies away.
    const double middle = S::dim == 3 ? 2.5 : 4.5;
    std::vector<bool> right;
    for (const auto& x : cloud.position) right.push_back(static_cast<double>(x.x) > middle);
    cloud.move([&](Vec3d x) { return x.x > middle ? x + Vec3d{10, 0, 0} : x; });
    EXPECT_TRUE(cut());
    cloud.expect_symmetric();
    ClusterUpdate<S>::label_pieces(cloud.view(), cloud.graph, piece);
    for (std::size_t i = 0; i < piece.size(); ++i) {
        for (const std::uint32_t j : cloud.graph.rows().row(i)) {
            EXPECT_EQ(right[i], right[j]);
            EXPECT_EQ(piece[i], piece[j]);
        }
        EXPECT_LE(piece[i], cloud.id[i]);
    }
    std::fill(cloud.rotation.begin(), cloud.rotation.end(),
              typename S::Row{});                    // the fit across the gap has turned them
    EXPECT_LT(cloud.largest_goal(), rounding<S>());  // each half has its shape
}

}  // namespace
}  // namespace treacle
