#include "core/text.h"

#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>

namespace treacle {
namespace {

TEST(Text, nearest_word_finds_typing_errors) {
    const std::vector<std::string> keys{"density", "viscosity", "shear_modulus", "fps", "color"};
    EXPECT_EQ(nearest_word("densty", keys), "density");
    EXPECT_EQ(nearest_word("dnesity", keys), "density");
    EXPECT_EQ(nearest_word("Viscosity", keys), "viscosity");
    EXPECT_EQ(nearest_word("shearModulus", keys), "shear_modulus");
    EXPECT_EQ(nearest_word("fsp", keys), "fps");
    EXPECT_EQ(nearest_word("colour", keys), "color");
    EXPECT_EQ(nearest_word("visc", keys), "viscosity");
    EXPECT_EQ(nearest_word("shear_modulus_in_pascal", keys), "shear_modulus");
}

TEST(Text, nearest_word_does_not_guess_wildly) {
    const std::vector<std::string> keys{"density", "viscosity", "x"};
    EXPECT_EQ(nearest_word("friction", keys), "");
    EXPECT_EQ(nearest_word("y", keys), "");
    EXPECT_EQ(nearest_word("", keys), "");
    EXPECT_EQ(nearest_word("density", {}), "");
    EXPECT_EQ(nearest_word(std::string(100000, 'd'), keys), "");
}

TEST(Text, nearest_word_prefers_the_smallest_distance) {
    EXPECT_EQ(nearest_word("max_dr", {"max_de_", "max_dt"}), "max_dt");
    EXPECT_EQ(nearest_word("radius", {"radius_inner", "radios", "radius"}), "radius");
}

TEST(Text, digits_text_has_as_many_digits_as_asked_for) {
    EXPECT_EQ(digits_text(0.0123456, 3), "0.0123");
    EXPECT_EQ(digits_text(1234.5, 2), "1.2e+03");
    EXPECT_EQ(digits_text(2, 4), "2");
}

TEST(Text, number_text_is_short_and_exact) {
    EXPECT_EQ(number_text(0.1), "0.1");
    EXPECT_EQ(number_text(1000), "1000");
    EXPECT_EQ(number_text(1e-5), "1e-05");
    EXPECT_EQ(number_text(-9.81), "-9.81");
    for (const double value : {1.0 / 3, 2e-308, 1.7976931348623157e308, 5e-324}) {
        EXPECT_EQ(std::strtod(number_text(value).c_str(), nullptr), value);
    }
}

TEST(Text, bytes) {
    EXPECT_EQ(bytes_text(0), "0 bytes");
    EXPECT_EQ(bytes_text(1), "1 byte");
    EXPECT_EQ(bytes_text(12), "12 bytes");
    EXPECT_EQ(bytes_text(999.7), "1 kB");
    EXPECT_EQ(bytes_text(1536), "1.5 kB");
    EXPECT_EQ(bytes_text(999999), "1 MB");
    EXPECT_EQ(bytes_text(123456789), "123 MB");
    EXPECT_EQ(bytes_text(4.2e9), "4.2 GB");
    EXPECT_EQ(bytes_text(std::numeric_limits<double>::infinity()), "an unknown number of bytes");
}

TEST(Text, durations) {
    EXPECT_EQ(duration_text(0), "0 s");
    EXPECT_EQ(duration_text(0.25), "0.25 s");
    EXPECT_EQ(duration_text(2.34), "2.3 s");
    EXPECT_EQ(duration_text(42.4), "42 s");
    EXPECT_EQ(duration_text(59.7), "1 min");
    EXPECT_EQ(duration_text(75), "1 min 15 s");
    EXPECT_EQ(duration_text(3599.8), "1 h");
    EXPECT_EQ(duration_text(3725), "1 h 2 min");
    EXPECT_EQ(duration_text(86400 * 3 + 3600 * 4 + 60), "3 d 4 h");
    EXPECT_EQ(duration_text(std::numeric_limits<double>::quiet_NaN()), "an unknown time");
}

TEST(Text, lists) {
    EXPECT_EQ(list_text({}), "");
    EXPECT_EQ(list_text({"a"}), "a");
    EXPECT_EQ(list_text({"a", "b"}), "a and b");
    EXPECT_EQ(list_text({"a", "b", "c"}), "a, b and c");
}

TEST(Text, columns_are_aligned_by_characters_and_not_bytes) {
    EXPECT_EQ(aligned_columns({{"a", "…", "x"}, {"bbb", "c", "y"}, {"a long end"}}),
              "a    …  x\nbbb  c  y\na long end\n");
    EXPECT_EQ(aligned_columns({}), "");
}

TEST(Text, shell_words) {
    EXPECT_EQ(shell_word("/materials/honey/viscosity=5"), "/materials/honey/viscosity=5");
    EXPECT_EQ(shell_word("my scene.json"), "'my scene.json'");
    EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
    EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace treacle
