#include "material/property_function.h"

#include <cmath>

#include <gtest/gtest.h>

namespace treacle {
namespace {

using Interpolation = PropertyFunction::Interpolation;

/// A viscosity that falls by a factor of a hundred, then rises again.
PropertyFunction with(Interpolation interpolation) {
    PropertyFunction function;
    function.key = "viscosity";
    function.interpolation = interpolation;
    function.points = {{20, 100}, {40, 1}, {50, 4}};
    return function;
}

TEST(PropertyFunction, goes_through_its_points) {
    for (const auto interpolation : {Interpolation::linear, Interpolation::logarithmic}) {
        const PropertyFunction function = with(interpolation);
        for (const auto& [x, y] : function.points) EXPECT_DOUBLE_EQ(function.at(x), y);
    }
}

TEST(PropertyFunction, is_constant_beyond_the_first_and_the_last_point) {
    for (const auto interpolation : {Interpolation::linear, Interpolation::logarithmic}) {
        const PropertyFunction function = with(interpolation);
        EXPECT_EQ(function.at(-273), 100);
        EXPECT_EQ(function.at(19.999), 100);
        EXPECT_EQ(function.at(50.001), 4);
        EXPECT_EQ(function.at(1e9), 4);
    }
}

TEST(PropertyFunction, has_the_arithmetic_mean_half_way_if_linear_and_the_geometric_one_if_logarithmic) {
    EXPECT_DOUBLE_EQ(with(Interpolation::linear).at(30), 50.5);
    EXPECT_DOUBLE_EQ(with(Interpolation::linear).at(45), 2.5);
    EXPECT_NEAR(with(Interpolation::logarithmic).at(30), 10, 1e-12);
    EXPECT_NEAR(with(Interpolation::logarithmic).at(45), 2, 1e-12);
}

TEST(PropertyFunction, is_an_exponential_between_two_points_if_logarithmic) {
    const PropertyFunction function = with(Interpolation::logarithmic);
    for (double x = 20; x < 40; x += 0.7) {
        EXPECT_NEAR(function.at(x), 100 * std::pow(0.01, (x - 20) / 20), 1e-11) << x;
    }
}

TEST(PropertyFunction, knows_its_bounds) {
    const PropertyFunction function = with(Interpolation::linear);
    EXPECT_EQ(function.least(), 1);
    EXPECT_EQ(function.greatest(), 100);
    for (double x = 0; x < 60; x += 0.37) {
        EXPECT_GE(function.at(x), function.least()) << x;
        EXPECT_LE(function.at(x), function.greatest()) << x;
    }
}

TEST(PropertyFunction, of_one_point_is_a_constant) {
    PropertyFunction function;
    function.points = {{5, 0.9}};
    for (const double x : {-1.0, 5.0, 100.0}) EXPECT_EQ(function.at(x), 0.9);
    EXPECT_EQ(function.least(), function.greatest());
}

}  // namespace
}  // namespace treacle
