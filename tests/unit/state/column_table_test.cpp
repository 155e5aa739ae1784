#include "state/column_table.h"

#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

#include "state/particles.h"

namespace treacle {
namespace {

TEST(ColumnTable, new_columns_and_rows_are_zero) {
    ColumnTable columns;
    columns.resize(3);
    columns.add<float>("density", "kg/m^3");
    columns.add<Row4<double>>("position", "m");
    columns.add<SymMat<float>>("stress", "Pa");
    EXPECT_EQ(columns.size(), 3u);
    EXPECT_EQ(columns.get<float>("density")[2], 0);
    EXPECT_EQ(columns.get<SymMat<float>>("stress")[2].zz, 0);
    columns.get<float>("density")[2] = 5;
    columns.resize(1);
    columns.resize(4);
    EXPECT_EQ(columns.get<float>("density")[2], 0);
    EXPECT_EQ(columns.get<Row4<double>>("position").size(), 4u);
}

TEST(ColumnTable, storage_starts_on_a_cache_line) {
    ColumnTable columns;
    columns.add<Row4<double>>("position", "m");
    columns.add<std::uint8_t>("material", "");
    for (const std::size_t rows : {1u, 7u, 1000u}) {
        columns.resize(rows);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(columns.get<Row4<double>>("position").data()) % 64, 0u);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(columns.get<std::uint8_t>("material").data()) % 64, 0u);
    }
}

TEST(ColumnTable, errors_of_the_program_are_thrown) {
    ColumnTable columns;
    columns.add<float>("density", "kg/m^3");
    EXPECT_THROW(columns.add<double>("density", "kg/m^3"), std::logic_error);
    EXPECT_THROW(columns.add<Row4<float>>("density", "kg/m^3"), std::logic_error);
    EXPECT_THROW(columns.get<float>("pressure"), std::logic_error);
    EXPECT_THROW(columns.get<double>("density"), std::logic_error);
    EXPECT_THROW(columns.get<Row4<float>>("density"), std::logic_error);
    EXPECT_THROW(columns.get<SymMat<float>>("density"), std::logic_error);
    EXPECT_THROW(columns.bytes("pressure"), std::logic_error);
    EXPECT_TRUE(columns.has("density"));
    EXPECT_FALSE(columns.has("dens"));
}

// A method also adds its columns to a state from a checkpoint.
TEST(ColumnTable, adding_again_keeps_the_values) {
    ColumnTable columns;
    columns.resize(2);
    columns.add<float>("density", "kg/m^3");
    columns.get<float>("density")[1] = 7;
    columns.add<float>("density", "kg/m^3");
    EXPECT_EQ(columns.all().size(), 1u);
    EXPECT_EQ(columns.get<float>("density")[1], 7);
}

TEST(ColumnTable, bytes_show_the_stored_values) {
    ColumnTable columns;
    columns.add<std::uint32_t>("id", "");
    columns.resize(2);
    columns.get<std::uint32_t>("id")[1] = 0x01020304;
    const auto bytes = columns.bytes("id");
    ASSERT_EQ(bytes.size(), 8u);
    EXPECT_EQ(bytes[4], std::byte{4});
    EXPECT_EQ(bytes[7], std::byte{1});
}

TEST(ColumnTable, permute_moves_whole_rows) {
    ColumnTable columns;
    columns.add<std::uint32_t>("id", "");
    columns.add<Row4<double>>("position", "m");
    columns.add<std::uint8_t>("material", "");
    columns.add<float>("scratch", "", false, false);
    columns.resize(4);
    for (std::uint32_t i = 0; i < 4; ++i) {
        columns.get<std::uint32_t>("id")[i] = i;
        columns.get<Row4<double>>("position")[i] = Vec3d{1.0 * i, 2.0 * i, 3.0 * i};
        columns.get<std::uint8_t>("material")[i] = static_cast<std::uint8_t>(i);
    }
    const std::vector<std::uint32_t> source{2, 0, 3, 1};
    columns.permute(source);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(columns.get<std::uint32_t>("id")[i], source[i]);
        const Vec3d expected{1.0 * source[i], 2.0 * source[i], 3.0 * source[i]};
        EXPECT_EQ(columns.get<Row4<double>>("position")[i].xyz(), expected);
        EXPECT_EQ(columns.get<std::uint8_t>("material")[i], source[i]);
    }
    EXPECT_EQ(columns.get<float>("scratch").size(), 4u);
}

TEST(ColumnTable, copy_row_copies_all_that_persists) {
    ColumnTable columns;
    columns.add<std::uint32_t>("id", "");
    columns.add<float>("scratch", "", false, false);
    columns.resize(2);
    columns.get<std::uint32_t>("id")[0] = 7;
    columns.get<float>("scratch")[0] = 7;
    columns.copy_row(0, 1);
    EXPECT_EQ(columns.get<std::uint32_t>("id")[1], 7u);
    EXPECT_EQ(columns.get<float>("scratch")[1], 0);
}

TEST(ColumnTable, a_copy_is_independent) {
    ColumnTable columns;
    columns.add<float>("a", "");
    columns.resize(2);
    ColumnTable copy = columns;
    copy.get<float>("a")[0] = 1;
    EXPECT_EQ(columns.get<float>("a")[0], 0);
}

TEST(Particles, common_columns_have_the_precision_of_the_run) {
    Particles single(ScalarType::f32), twice(ScalarType::f64);
    single.resize(2);
    twice.resize(2);
    EXPECT_EQ(single.get<Row4<float>>("position").size(), 2u);
    EXPECT_EQ(twice.get<Row4<double>>("velocity").size(), 2u);
    EXPECT_EQ(twice.get<double>("mass").size(), 2u);
    EXPECT_EQ(single.get<float>("density").size(), 2u);
    EXPECT_EQ(single.real(), ScalarType::f32);
}

TEST(Particles, removal_keeps_the_order_of_the_rest) {
    Particles particles(ScalarType::f32);
    particles.resize(6);
    const auto id = particles.get<std::uint32_t>("id");
    for (std::uint32_t i = 0; i < 6; ++i) {
        id[i] = 100 + i;
        particles.get<float>("mass")[i] = static_cast<float>(i);
    }
    const std::vector<std::uint8_t> doomed{1, 0, 0, 1, 0, 1};
    const auto new_index = particles.remove(doomed);
    constexpr auto gone = Particles::gone;
    EXPECT_EQ(new_index, (std::vector<std::uint32_t>{gone, 0, 1, gone, 2, gone}));
    ASSERT_EQ(particles.size(), 3u);
    EXPECT_EQ(particles.get<std::uint32_t>("id")[0], 101u);
    EXPECT_EQ(particles.get<std::uint32_t>("id")[1], 102u);
    EXPECT_EQ(particles.get<std::uint32_t>("id")[2], 104u);
    EXPECT_EQ(particles.get<float>("mass")[2], 4);
    particles.remove(std::vector<std::uint8_t>(3, 1));
    EXPECT_EQ(particles.size(), 0u);
}

TEST(Particles, id_order_lists_ascending_ids) {
    Particles particles(ScalarType::f64);
    particles.resize(4);
    const auto id = particles.get<std::uint32_t>("id");
    id[0] = 30, id[1] = 10, id[2] = 40, id[3] = 20;
    EXPECT_EQ(particles.id_order(), (std::vector<std::uint32_t>{1, 3, 0, 2}));
}

}  // namespace
}  // namespace treacle
