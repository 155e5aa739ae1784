#pragma once

#include <array>
#include <charconv>
#include <string>

namespace treacle {

/// Appends a number to a text, in the shortest form that reads back to the same value of its type.
template <class Number>
void append_number(std::string& text, Number value) {
    std::array<char, 32> digits{};
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    text.append(digits.data(), written.ptr);
}

}  // namespace treacle
