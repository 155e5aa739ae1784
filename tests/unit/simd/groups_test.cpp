#include "simd/groups.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "support/on_every_path.h"

namespace treacle {
namespace {

template <class Real>
class GroupsTest : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(GroupsTest, Reals);

TYPED_TEST(GroupsTest, SumsOfEightPacksAreThoseOfEachOnEveryPath) {
    using Real = TypeParam;
    std::mt19937 random(1);
    std::normal_distribution<Real> number(0, 1);
    std::vector<Real> numbers(64);
    for (Real& n : numbers) n = number(random);
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        std::vector<Real> together(8), one_by_one(8);
        simd::run<Real>(0, 1, [&]<class P>(simd::Use<P>, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
            const auto pack = [&](int l) TREACLE_SIMD_INLINE_LAMBDA { return simd::load<P>(numbers.data() + 8 * l); };
            simd::store(simd::sums_of_lanes<P>(pack), together.data());
            for (int l = 0; l < 8; ++l) one_by_one[static_cast<std::size_t>(l)] = sum_of_lanes(pack(l));
        });
        EXPECT_EQ(together, one_by_one) << simd::name(path);
    }
}

TYPED_TEST(GroupsTest, VisitsEveryGroupWithItsMembersAndWritesNoRowBesides) {
    using Real = TypeParam;
    const Parallel parallel(3);
    for (const std::size_t count : {0u, 1u, 8u, 13u, 1000u}) {
        std::vector<Real> column(count);
        std::vector<SymMat<Real>> tensors(count);
        for (std::size_t i = 0; i < count; ++i) column[i] = tensors[i].yz = static_cast<Real>(i);
        std::vector<Row4<Real>> rows(2 * count + 1);
        std::vector<SymMat<simd::Lanes<Real>>> kept(simd::groups_of(count));
        simd::for_each_group<Real>(
            parallel, count, [&]<class P>(simd::Use<P>, std::size_t g, int members) TREACLE_SIMD_INLINE_LAMBDA {
                const P own = simd::load_group<P>(std::span<const Real>(column), g, members);
                simd::store_group<P, 2>(Vec3<P>{own, P(1), P(2)}, g, members, std::span<Row4<Real>>(rows));
                simd::store(simd::load_group<P>(std::span<const SymMat<Real>>(tensors), g, members), kept[g]);
            });
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_EQ(rows[2 * i].x, static_cast<Real>(i));
            EXPECT_EQ(rows[2 * i].z, Real(2));
            EXPECT_EQ(rows[2 * i + 1].y, Real(0));
            EXPECT_EQ(kept[i / 8].yz.lane[i % 8], static_cast<Real>(i));
        }
        EXPECT_EQ(rows.back().y, Real(0));
    }
}

}  // namespace
}  // namespace treacle
