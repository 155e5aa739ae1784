#include "core/parameters.h"

#include <cmath>

#include <gtest/gtest.h>

namespace treacle {
namespace {

enum class Sweep { jacobi, sequential };

struct Vector {
    double x = 0, y = 0, z = 0;
};

struct Settings {
    bool on = false;
    int iterations = 3;
    double tolerance = 0.5;
    std::optional<double> radius;
    Sweep sweep = Sweep::jacobi;
    Vector push{1, 2, 3};
    std::string label = "none";
    double friction = 0;
};

const ParameterTable& table() {
    static const ParameterTable rows =
        ParameterTable("settings")
            .add("on", &Settings::on, {.doc = "Switch."})
            .add("iterations", &Settings::iterations, {.unit = "1", .low = 1, .high = 10, .doc = "Rounds."})
            .add("tolerance", &Settings::tolerance,
                 {.unit = "1/s", .low = 0, .high = 1, .low_open = true, .live = true, .doc = "Stop."})
            .add("radius", &Settings::radius, {.unit = "m", .low = 0, .doc = "Reach."})
            .add("sweep", &Settings::sweep, {.choices = {"jacobi", "sequential"}, .doc = "Order."})
            .add("push", &Settings::push, {.unit = "N", .low = -5, .high = 5, .doc = "Force."})
            .add("label", &Settings::label, {.doc = "Name."})
            .add("friction", &Settings::friction,
                 {.low = 0, .words = {{"no_slip", std::numeric_limits<double>::infinity()}}, .doc = "Grip."});
    return rows;
}

const Parameter& row(std::string_view key) { return *table().find(key); }

TEST(Parameters, kinds_follow_from_members) {
    EXPECT_EQ(row("on").kind, ParameterKind::boolean);
    EXPECT_EQ(row("iterations").kind, ParameterKind::integer);
    EXPECT_EQ(row("tolerance").kind, ParameterKind::number);
    EXPECT_EQ(row("radius").kind, ParameterKind::number);
    EXPECT_EQ(row("sweep").kind, ParameterKind::choice);
    EXPECT_EQ(row("push").kind, ParameterKind::vector);
    EXPECT_EQ(row("label").kind, ParameterKind::text);
    EXPECT_TRUE(row("radius").optional);
    EXPECT_FALSE(row("tolerance").optional);
    EXPECT_EQ(table().find("nothing"), nullptr);
}

TEST(Parameters, values_go_in_and_come_out) {
    ParameterObject object = ParameterObject::of<Settings>(table());
    const auto set = [&](const char* key, const ParameterValue& value) { row(key).write(object.address(), value); };
    set("on", true);
    set("iterations", 7.0);
    set("radius", 2.5);
    set("sweep", std::string("sequential"));
    set("push", std::array<double, 3>{4, 5, -1});
    set("label", std::string("x"));
    const auto& settings = object.as<Settings>();
    EXPECT_TRUE(settings.on);
    EXPECT_EQ(settings.iterations, 7);
    EXPECT_EQ(settings.radius, 2.5);
    EXPECT_EQ(settings.sweep, Sweep::sequential);
    EXPECT_EQ(settings.push.z, -1);
    EXPECT_EQ(settings.label, "x");
    EXPECT_EQ(row("sweep").read(object.address()), ParameterValue(std::string("sequential")));
    set("radius", std::monostate{});
    EXPECT_FALSE(settings.radius);
    EXPECT_EQ(row("radius").read(object.address()), ParameterValue());
}

TEST(Parameters, a_copy_of_an_object_is_its_own) {
    ParameterObject object = ParameterObject::of<Settings>(table());
    ParameterObject copy = object;
    copy.as<Settings>().iterations = 9;
    EXPECT_EQ(object.as<Settings>().iterations, 3);
    EXPECT_NE(object.address(), copy.address());
}

TEST(Parameters, range_problems_name_unit_range_and_value) {
    EXPECT_EQ(range_problem(row("tolerance"), 0.3), "");
    EXPECT_EQ(range_problem(row("tolerance"), 1.0), "");
    EXPECT_EQ(range_problem(row("tolerance"), 0.0), "must be a number above 0 up to 1, unit 1/s; it is 0");
    EXPECT_EQ(range_problem(row("tolerance"), 1.5), "must be a number above 0 up to 1, unit 1/s; it is 1.5");
    EXPECT_EQ(range_problem(row("iterations"), 1.0), "");
    EXPECT_EQ(range_problem(row("iterations"), 0.0), "must be a whole number from 1 to 10; it is 0");
    EXPECT_EQ(range_problem(row("radius"), -1.0), "must be a number of at least 0, unit m; it is -1");
    EXPECT_EQ(range_problem(row("push"), std::array<double, 3>{1, 2, 5}), "");
    EXPECT_EQ(range_problem(row("push"), std::array<double, 3>{1, 2, 6}),
              "every number in it must be from -5 to 5, unit N; one is 6");
    EXPECT_EQ(range_problem(row("sweep"), std::string("jacobi")), "");
    EXPECT_EQ(range_problem(row("sweep"), std::string("jakobi")),
              "must be one of \"jacobi\", \"sequential\"; it is \"jakobi\"; did you mean \"jacobi\"?");
    EXPECT_EQ(range_problem(row("label"), std::string("anything")), "");
    EXPECT_EQ(range_problem(row("on"), true), "");
}

TEST(Parameters, infinity_only_where_a_word_stands_for_it) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(range_problem(row("friction"), infinity), "");
    EXPECT_NE(range_problem(row("radius"), infinity), "");
    EXPECT_NE(range_problem(row("radius"), std::nan("")), "");
}

TEST(Parameters, whole_numbers_that_no_int_holds) {
    Parameter unlimited = row("iterations");
    unlimited.low = -std::numeric_limits<double>::infinity();
    unlimited.high = std::numeric_limits<double>::infinity();
    EXPECT_EQ(range_problem(unlimited, 2147483647.0), "");
    EXPECT_NE(range_problem(unlimited, 1e30), "");
}

TEST(Parameters, allowed_values_in_words) {
    EXPECT_EQ(describe_allowed(row("on")), "true or false");
    EXPECT_EQ(describe_allowed(row("iterations")), "whole number from 1 to 10");
    EXPECT_EQ(describe_allowed(row("tolerance")), "number above 0 up to 1, unit 1/s");
    EXPECT_EQ(describe_allowed(row("sweep")), "one of \"jacobi\", \"sequential\"");
    EXPECT_EQ(describe_allowed(row("push")), "vector of numbers from -5 to 5, unit N");
    EXPECT_EQ(describe_allowed(row("friction")), "number of at least 0, or \"no_slip\"");
    EXPECT_EQ(describe_allowed(row("label")), "text");
}

}  // namespace
}  // namespace treacle
