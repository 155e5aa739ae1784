#include "state/column_list.h"

#include <vector>

#include <gtest/gtest.h>

#include "math/sym_mat.h"
#include "state/births.h"

namespace treacle {
namespace {

struct Listed {
    std::span<float> pressure, scratch;
    std::span<SymMat<float>> conformation;
    std::span<std::uint8_t> near_wall;

    void list(const auto& column) {
        column(pressure, "pressure", "Pa", ColumnUse::exported);
        column(scratch, "scratch", "1", ColumnUse::scratch);
        column(conformation, "conformation", "1", ColumnUse::strain, SymMat<float>::identity());
        column(near_wall, "near_wall", "", ColumnUse::state, std::uint8_t{1});
    }
};

const ColumnInfo& info_of(const Particles& particles, std::string_view name) {
    for (const auto& column : particles.all()) {
        if (column.info.name == name) return column.info;
    }
    throw std::logic_error("no such column");
}

TEST(ColumnList, says_once_what_is_added_and_found) {
    Particles particles(ScalarType::f32);
    particles.resize(2);
    add_columns(Listed{}, particles);
    Listed columns;
    find_columns(columns, particles);
    EXPECT_EQ(columns.pressure.data(), particles.get<float>("pressure").data());
    EXPECT_EQ(columns.near_wall.size(), 2u);
    EXPECT_TRUE(info_of(particles, "pressure").exported && info_of(particles, "pressure").persistent);
    EXPECT_TRUE(!info_of(particles, "scratch").exported && !info_of(particles, "scratch").persistent);
    EXPECT_TRUE(info_of(particles, "conformation").exported && info_of(particles, "conformation").strain);
    EXPECT_TRUE(!info_of(particles, "near_wall").exported && info_of(particles, "near_wall").persistent);
}

TEST(ColumnList, gives_new_rows_their_values_at_rest) {
    Particles particles(ScalarType::f32);
    particles.resize(1);
    add_columns(Listed{}, particles);
    particles.get<std::uint8_t>("near_wall")[0] = 0;
    particles.resize(3);
    EXPECT_EQ(particles.get<std::uint8_t>("near_wall")[0], 0);
    EXPECT_EQ(particles.get<std::uint8_t>("near_wall")[2], 1);
    EXPECT_EQ(particles.get<float>("pressure")[2], 0);
    for (const auto& c : particles.get<SymMat<float>>("conformation")) EXPECT_EQ(c.xx + c.yy + c.zz, 3);
}

TEST(ColumnList, knows_what_is_at_rest_after_a_file_was_read) {
    Particles particles(ScalarType::f32);
    particles.add<std::uint8_t>("near_wall", "");  // as from a checkpoint
    particles.resize(1);
    add_columns(Listed{}, particles);
    particles.resize(2);
    EXPECT_EQ(particles.get<std::uint8_t>("near_wall")[0], 0);
    EXPECT_EQ(particles.get<std::uint8_t>("near_wall")[1], 1);
}

TEST(ColumnList, only_strain_is_relieved_and_only_where_asked) {
    Particles particles(ScalarType::f32);
    particles.resize(2);
    add_columns(Listed{}, particles);
    const auto conformation = particles.get<SymMat<float>>("conformation");
    const auto pressure = particles.get<float>("pressure");
    conformation[0].xy = conformation[1].xy = 5;
    pressure[0] = pressure[1] = 7;
    particles.relieve(std::vector<std::uint8_t>{1, 0});
    EXPECT_EQ(conformation[0].xy, 0);
    EXPECT_EQ(conformation[1].xy, 5);
    EXPECT_EQ(pressure[0], 7);
}

TEST(Births, are_none_all_or_those_that_are_marked) {
    EXPECT_FALSE(Births::none().any());
    EXPECT_FALSE(Births::none()[3]);
    EXPECT_TRUE(Births::all().any());
    EXPECT_TRUE(Births::all()[3]);
    const std::vector<std::uint8_t> marks{0, 1};
    EXPECT_TRUE(Births(marks).any());
    EXPECT_FALSE(Births(marks)[0]);
    EXPECT_TRUE(Births(marks)[1]);
}

}  // namespace
}  // namespace treacle
