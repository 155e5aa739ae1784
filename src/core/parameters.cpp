#include "core/parameters.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"

namespace treacle {

namespace {

/// The largest int; whole numbers beyond it could not be stored.
constexpr double largest_integer = 2147483647;

std::string range_text(const Parameter& parameter) {
    const bool has_low = std::isfinite(parameter.low);
    const bool has_high = std::isfinite(parameter.high);
    const std::string low = number_text(parameter.low);
    const std::string high = number_text(parameter.high);
    if (has_low && has_high) return (parameter.low_open ? " above " + low + " up to " : " from " + low + " to ") + high;
    if (has_low) return (parameter.low_open ? " above " : " of at least ") + low;
    if (has_high) return " of at most " + high;
    return {};
}

bool is_fixed(const Parameter& parameter) {
    const bool numeric = parameter.kind == ParameterKind::integer || parameter.kind == ParameterKind::number;
    return numeric && parameter.low == parameter.high;
}

std::string unit_text(const Parameter& parameter) {
    return parameter.unit.empty() || parameter.unit == "1" ? "" : ", unit " + parameter.unit;
}

std::string choices_text(const std::vector<std::string>& choices) {
    std::string text = choices.size() == 1 ? "" : "one of ";
    for (std::size_t n = 0; n < choices.size(); ++n) text += (n > 0 ? ", " : "") + in_quotes(choices[n]);
    return text;
}

bool is_word_value(const Parameter& parameter, double value) {
    return std::any_of(parameter.words.begin(), parameter.words.end(),
                       [&](const auto& word) { return word.second == value; });
}

bool in_range(const Parameter& parameter, double value) {
    if (is_word_value(parameter, value)) return true;
    if (!std::isfinite(value)) return false;
    if (parameter.kind == ParameterKind::integer && std::abs(value) > largest_integer) return false;
    const bool above = parameter.low_open ? value > parameter.low : value >= parameter.low;
    return above && value <= parameter.high;
}

std::string number_problem(const Parameter& parameter, double value) {
    if (in_range(parameter, value)) return {};
    if (parameter.kind == ParameterKind::vector) {
        return "every number in it must be" + range_text(parameter) + unit_text(parameter) + "; one is " +
               number_text(value);
    }
    return (is_fixed(parameter) ? "must be " : "must be a ") + describe_allowed(parameter) + "; it is " +
           number_text(value);
}

std::string text_problem(const Parameter& parameter, const std::string& word) {
    const auto& choices = parameter.choices;
    if (choices.empty() || std::find(choices.begin(), choices.end(), word) != choices.end()) return {};
    return "must be " + choices_text(choices) + "; it is " + in_quotes(word) + did_you_mean(word, choices);
}

}  // namespace

const Parameter* ParameterTable::find(std::string_view key) const {
    const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Parameter& p) { return p.key == key; });
    return row == rows_.end() ? nullptr : &*row;
}

std::string range_problem(const Parameter& parameter, const ParameterValue& value) {
    if (const auto* number = std::get_if<double>(&value)) return number_problem(parameter, *number);
    if (const auto* word = std::get_if<std::string>(&value)) return text_problem(parameter, *word);
    if (const auto* vector = std::get_if<std::array<double, 3>>(&value)) {
        for (const double component : *vector) {
            if (std::string problem = number_problem(parameter, component); !problem.empty()) return problem;
        }
    }
    return {};
}

std::string describe_allowed(const Parameter& parameter) {
    if (is_fixed(parameter)) return number_text(parameter.low) + unit_text(parameter);
    std::string text;
    switch (parameter.kind) {
        case ParameterKind::boolean: return "true or false";
        case ParameterKind::choice: return choices_text(parameter.choices);
        case ParameterKind::text: return parameter.choices.empty() ? "text" : choices_text(parameter.choices);
        case ParameterKind::integer: text = "whole number"; break;
        case ParameterKind::number: text = "number"; break;
        case ParameterKind::vector: text = "vector of numbers"; break;
    }
    text += range_text(parameter) + unit_text(parameter);
    for (const auto& word : parameter.words) text += ", or " + in_quotes(word.first);
    return text;
}

}  // namespace treacle
