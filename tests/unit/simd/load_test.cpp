#include "simd/load.h"

#include <gtest/gtest.h>

#include <array>

#include "support/on_every_path.h"
#include "simd/compress.h"

namespace treacle {
namespace {

template <class Real>
class LoadTest : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(LoadTest, Reals);

TYPED_TEST(LoadTest, RowsByIndexBecomeColumns) {
    using Real = TypeParam;
    std::mt19937 random(1);
    std::vector<Row4<Real>> rows(1000);
    std::vector<Real> column;
    for (auto& row : rows) {
        row.x = static_cast<Real>(random()), row.y = static_cast<Real>(random());
        row.z = static_cast<Real>(random()), row.w = static_cast<Real>(random());
        column.push_back(row.w);
    }
    std::vector<std::uint32_t> j(800);
    for (auto& index : j) index = static_cast<std::uint32_t>(random() % rows.size());
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        std::vector<std::array<Real, 8>> x(100), y(100), z(100), w(100), again(100);
        simd::run<Real>(0, 100, [&]<class P>(simd::Use<P>, std::size_t n) TREACLE_SIMD_INLINE_LAMBDA {
            const auto loaded = simd::load_rows<P>(rows.data(), j.data() + 8 * n);
            simd::store(loaded.x, x[n].data());
            simd::store(loaded.y, y[n].data());
            simd::store(loaded.z, z[n].data());
            simd::store(loaded.w, w[n].data());
            simd::store(simd::load_lanes<P>(column.data(), j.data() + 8 * n), again[n].data());
        });
        for (std::size_t n = 0; n < 100; ++n) {
            for (std::size_t l = 0; l < 8; ++l) {
                const auto& row = rows[j[8 * n + l]];
                EXPECT_EQ(x[n][l], row.x) << simd::name(path);
                EXPECT_EQ(y[n][l], row.y);
                EXPECT_EQ(z[n][l], row.z);
                EXPECT_EQ(w[n][l], row.w);
                EXPECT_EQ(again[n][l], row.w);
            }
        }
    }
}

TYPED_TEST(LoadTest, ColumnsBecomeRows) {
    using Real = TypeParam;
    std::mt19937 random(2);
    std::array<Row4<Real>, 8> rows{};
    for (auto& row : rows) {
        row.x = static_cast<Real>(random()), row.y = static_cast<Real>(random());
        row.z = static_cast<Real>(random()), row.w = static_cast<Real>(random());
    }
    const std::array<std::uint32_t, 8> all{0, 1, 2, 3, 4, 5, 6, 7};
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        std::array<Row4<Real>, 24> again{};
        simd::run<Real>(0, 1, [&]<class P>(simd::Use<P>, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
            simd::store_rows<P, 3>(simd::load_rows<P>(rows.data(), all.data()), again.data() + 1);
        });
        for (std::size_t n = 0; n < again.size(); ++n) {
            const Row4<Real> expected = n % 3 == 1 ? rows[n / 3] : Row4<Real>{};
            EXPECT_EQ(again[n].x, expected.x) << simd::name(path);
            EXPECT_EQ(again[n].y, expected.y);
            EXPECT_EQ(again[n].z, expected.z);
            EXPECT_EQ(again[n].w, expected.w);
        }
    }
}

TYPED_TEST(LoadTest, FourSumsAreThoseOfEachPack) {
    using Real = TypeParam;
    std::mt19937 random(3);
    std::array<std::array<Real, 8>, 4> numbers;
    for (auto& eight : numbers) {
        for (Real& x : eight) x = static_cast<Real>(random()) / Real(7e8);
    }
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        Row4<Real> sums, alone;
        simd::run<Real>(0, 1, [&]<class P>(simd::Use<P>, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
            const simd::RowPack<P> packs{simd::load<P>(numbers[0].data()), simd::load<P>(numbers[1].data()),
                                         simd::load<P>(numbers[2].data()), simd::load<P>(numbers[3].data())};
            sums = simd::row_of_sums(packs);
            alone.x = sum_of_lanes(packs.x), alone.y = sum_of_lanes(packs.y);
            alone.z = sum_of_lanes(packs.z), alone.w = sum_of_lanes(packs.w);
        });
        EXPECT_EQ(sums.x, alone.x) << simd::name(path);
        EXPECT_EQ(sums.y, alone.y);
        EXPECT_EQ(sums.z, alone.z);
        EXPECT_EQ(sums.w, alone.w);
    }
}

TYPED_TEST(LoadTest, PartOfAPackIsReadAndWrittenAnywhere) {
    using Real = TypeParam;
    std::vector<Real> numbers(40);
    for (std::size_t n = 0; n < numbers.size(); ++n) numbers[n] = static_cast<Real>(n + 1);
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        for (int count = 0; count <= 8; ++count) {
            for (std::size_t begin = 0; begin < 9; ++begin) {  // no alignment is needed
                std::vector<Real> whole(8), target(24, -1);
                unsigned mask = 0;
                simd::run<Real>(0, 1, [&]<class P>(simd::Use<P>, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
                    simd::store(simd::load_first<P>(numbers.data() + begin, count), whole.data());
                    simd::store_first(simd::load<P>(numbers.data() + begin), target.data() + begin, count);
                    mask = simd::first_lanes<P>(count).bits();
                });
                EXPECT_EQ(mask, (1u << count) - 1) << simd::name(path);
                for (std::size_t l = 0; l < 8; ++l) {
                    EXPECT_EQ(whole[l], l < static_cast<std::size_t>(count) ? numbers[begin + l] : Real(0));
                }
                for (std::size_t n = 0; n < target.size(); ++n) {
                    const bool written = n >= begin && n < begin + static_cast<std::size_t>(count);
                    EXPECT_EQ(target[n], written ? numbers[n] : Real(-1));
                }
            }
        }
    }
}

TEST(Compress, KeepsTheChosenInTheirOrder) {
    const std::array<std::uint32_t, 8> from{10, 11, 12, 13, 14, 15, 16, 17};
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        for (unsigned bits = 0; bits < 256; ++bits) {
            std::array<std::uint32_t, 16> to{};
            std::size_t count = 99;
            simd::run<float>(0, 1, [&]<class P>(simd::Use<P>, std::size_t) TREACLE_SIMD_INLINE_LAMBDA {
                count = simd::compress<P>(from.data(), bits, to.data());
            });
            std::vector<std::uint32_t> expected;
            for (unsigned l = 0; l < 8; ++l) {
                if (bits >> l & 1u) expected.push_back(from[l]);
            }
            EXPECT_EQ(std::vector<std::uint32_t>(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(count)),
                      expected);
            for (std::size_t n = 8; n < to.size(); ++n) EXPECT_EQ(to[n], 0u) << "wrote beyond its eight places";
        }
    }
}

}  // namespace
}  // namespace treacle
