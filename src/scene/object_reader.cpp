#include "scene/object_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.h"
#include "scene/table_ranges.h"

namespace treacle {

namespace {

std::string with_article(const std::string& allowed) {
    const bool counted = allowed.starts_with("number") || allowed.starts_with("whole") || allowed.starts_with("text");
    return counted ? "a " + allowed : allowed;
}

std::string unit_text(const Parameter& parameter) {
    return parameter.unit.empty() || parameter.unit == "1" ? "" : ", unit " + parameter.unit;
}

std::string vector_text(const Parameter& parameter, int dimension) {
    if (dimension == 0) return "a list of 2 numbers (2D) or 3 numbers (3D)" + unit_text(parameter);
    if (dimension == 2 && is_rotation_vector(parameter)) return "one number in a 2D scene" + unit_text(parameter);
    const std::string count = std::to_string(dimension);
    return "a list of " + count + " numbers in a " + count + "D scene" + unit_text(parameter);
}

bool are_numbers(const Json& list) {
    return list.is_array() &&
           std::all_of(list.elements.begin(), list.elements.end(), [](const Json& j) { return j.is_number(); });
}

/// Long texts are cut, between characters.
std::string shortened(const std::string& text) {
    std::size_t length = 60;
    if (text.size() <= length) return text;
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
    return text.substr(0, length) + "…";
}

std::string quoted_list(const std::vector<std::string>& words) {
    std::vector<std::string> quoted_words;
    for (const std::string& word : words) quoted_words.push_back(in_quotes(word));
    return list_text(quoted_words);
}

}  // namespace

Place Place::member(std::string_view key) const { return {json->find(key), pointer + "/" + pointer_token(key)}; }

Place Place::element(std::size_t index) const {
    return {&json->elements[index], pointer + "/" + std::to_string(index)};
}

std::string describe(const Json& json) {
    switch (json.type) {
        case Json::Type::null: return "null";
        case Json::Type::boolean: return json.boolean ? "true" : "false";
        case Json::Type::number: return "the number " + number_text(json.number);
        case Json::Type::text: return "the text " + in_quotes(shortened(json.text));
        case Json::Type::array: {
            const std::size_t size = json.elements.size();
            return "a list of " + std::to_string(size) + (size == 1 ? " element" : " elements");
        }
        case Json::Type::object: return "an object";
    }
    return {};
}

void ObjectReader::problem(const Place& at, std::string message) {
    problems_.push_back({std::move(message), file_, at.pointer, at.json ? at.json->line : 0});
}

void ObjectReader::missing(const Place& at, const std::string& key, const std::string& what) {
    problems_.push_back({in_quotes(key) + " is missing" + (what.empty() ? "" : " (" + what + ")"), file_,
                         at.pointer + "/" + pointer_token(key), at.json->line});
}

bool ObjectReader::is_object(const Place& at, const ObjectKind& kind) {
    if (!at.json->is_object()) {
        problem(at, "must be an object with keys such as " + in_quotes(kind.keys().front()) + ", not " +
                        describe(*at.json));
        return false;
    }
    check_keys(at, kind);
    return true;
}

bool ObjectReader::is_list(const Place& at, const std::string& content) {
    if (at.json->is_array()) return true;
    problem(at, "must be a list of " + content + ", not " + describe(*at.json));
    return false;
}

void ObjectReader::check_keys(const Place& at, const ObjectKind& kind) {
    bool refused = false;
    for (const auto& [key, member] : at.json->members) {
        const Place here{&member, at.pointer + "/" + pointer_token(key)};
        const StructuredKey* structured = kind.find_structured(key);
        if (structured && structured->form == Form::refused) {
            problem(here, structured->doc);
            refused = true;
        } else if (!structured && !kind.find_parameter(key)) {
            const std::vector<std::string> known = kind.keys();
            const std::string hint = did_you_mean(key, known);
            problem(here,
                    "unknown key " + in_quotes(key) + (hint.empty() ? "; known here: " + list_text(known) : hint));
        }
    }
    // A refused key was meant in place of a required one, so that one has not been forgotten.
    if (!refused) check_required(at, kind);
}

void ObjectReader::check_required(const Place& at, const ObjectKind& kind) {
    for (const ParameterObject& object : kind.parameters) {
        for (const Parameter& parameter : object.table().rows()) {
            if (!parameter.required || at.json->find(parameter.key)) continue;
            const bool vector = parameter.kind == ParameterKind::vector;
            missing(at, parameter.key,
                    vector ? vector_text(parameter, dimension_) : with_article(describe_allowed(parameter)));
        }
    }
    for (const StructuredKey& structured : kind.structured) {
        if (structured.required && !at.json->find(structured.key)) missing(at, structured.key, structured.doc);
    }
    const auto given = std::count_if(kind.exactly_one_of.begin(), kind.exactly_one_of.end(),
                                     [&](const std::string& key) { return at.json->find(key) != nullptr; });
    if (!kind.exactly_one_of.empty() && given != 1) {
        problem(at, "must hold exactly one of " + quoted_list(kind.exactly_one_of));
    }
}

void ObjectReader::read(const Place& at, const ParameterTable& table, void* target,
                        const std::optional<TrackOwner>& owner) {
    for (const Parameter& parameter : table.rows()) {
        const Place here = at.member(parameter.key);
        if (!here) continue;
        if (here.json->is_object() && here.json->find("keyframes")) {
            if (!parameter.live || !owner) {
                problem(here, in_quotes(parameter.key) + " cannot change during a run, so it takes no keyframes");
            } else {
                read_track(here, parameter, *owner);
            }
        } else if (here.json->is_object() && (here.json->find("over") || here.json->find("points"))) {
            if (!parameter.varies || !owner) {
                problem(here, in_quotes(parameter.key) + " is the same for all particles, so it cannot be a function");
            } else {
                read_function(here, parameter, *owner, target);
            }
        } else if (const auto read_value = value(here, parameter)) {
            parameter.write(target, *read_value);
        }
    }
}

std::optional<ParameterValue> ObjectReader::value(const Place& at, const Parameter& parameter) {
    std::optional<ParameterValue> result = unchecked_value(at, parameter);
    if (!result) return std::nullopt;
    std::string out_of_range;
    if (const auto* vector = std::get_if<std::array<double, 3>>(&*result)) {
        // Only written components are checked: a missing z is 0, which may be out of range.
        const std::size_t given = at.json->is_array() ? at.json->elements.size() : 0;
        for (std::size_t axis = 0; axis < vector->size() && out_of_range.empty(); ++axis) {
            const bool single_angle = given == 0 && axis == 2;
            if (axis < given || single_angle) out_of_range = range_problem(parameter, (*vector)[axis]);
        }
    } else if (is_color_parameter(parameter) && !is_color(at.json->text)) {
        out_of_range = in_quotes(shortened(at.json->text)) +
                       " is no color; write \"#rrggbb\" with hexadecimal digits, "
                       "such as \"#d08a28\"";
    } else {
        out_of_range = range_problem(parameter, *result);
    }
    if (out_of_range.empty()) return result;
    problem(at, out_of_range);
    return std::nullopt;
}

std::optional<ParameterValue> ObjectReader::unchecked_value(const Place& at, const Parameter& parameter) {
    switch (parameter.kind) {
        case ParameterKind::vector: return vector_value(at, parameter);
        case ParameterKind::number:
        case ParameterKind::integer: return number_value(at, parameter);
        case ParameterKind::boolean:
            if (at.json->type == Json::Type::boolean) return at.json->boolean;
            break;
        case ParameterKind::text:
        case ParameterKind::choice:
            if (at.json->is_text()) return at.json->text;
            break;
    }
    wrong_type(at, parameter);
    return std::nullopt;
}

std::optional<ParameterValue> ObjectReader::number_value(const Place& at, const Parameter& parameter) {
    const bool whole = at.json->number == std::floor(at.json->number);
    if (at.json->is_number() && (whole || parameter.kind == ParameterKind::number)) return at.json->number;
    if (at.json->is_text()) {
        for (const auto& [word, meaning] : parameter.words) {
            if (at.json->text == word) return meaning;
        }
    }
    wrong_type(at, parameter);
    return std::nullopt;
}

std::optional<ParameterValue> ObjectReader::vector_value(const Place& at, const Parameter& parameter) {
    const Json& json = *at.json;
    if (dimension_ != 3 && is_rotation_vector(parameter) && json.is_number()) {
        return std::array<double, 3>{0, 0, json.number};
    }
    const bool one_number = dimension_ == 2 && is_rotation_vector(parameter);
    const std::size_t size = json.elements.size();
    const bool fits = dimension_ == 0 ? size == 2 || size == 3 : size == static_cast<std::size_t>(dimension_);
    if (are_numbers(json) && fits && !one_number) {
        return std::array<double, 3>{json.elements[0].number, json.elements[1].number,
                                     size == 3 ? json.elements[2].number : 0.0};
    }
    std::string message = "must be " + vector_text(parameter, dimension_) + ", not " + describe(json);
    if (dimension_ == 2 && are_numbers(json) && size == 3 && !one_number) {
        message += json.elements[2].number == 0 ? "; leave out the third, z is 0 anyway" : "; there is no z";
    }
    problem(at, message);
    return std::nullopt;
}

void ObjectReader::wrong_type(const Place& at, const Parameter& parameter) {
    std::string message = "must be " + with_article(describe_allowed(parameter)) + ", not " + describe(*at.json);
    if (at.json->is_text()) {
        std::vector<std::string> words;
        for (const auto& word : parameter.words) words.push_back(word.first);
        message += did_you_mean(at.json->text, words);
    }
    problem(at, message);
}

void ObjectReader::read_track(const Place& at, const Parameter& parameter, const TrackOwner& owner) {
    if (!is_object(at, track_kind())) return;
    const Place keyframes = at.member("keyframes");
    if (!is_list(keyframes, "keyframes")) return;
    if (keyframes.json->elements.empty()) problem(keyframes, "there must be at least one keyframe");
    Track track{{at.pointer, owner.target, owner.index, owner.method, &parameter}, {}};
    std::vector<double> times;
    for (std::size_t n = 0; n < keyframes.json->elements.size(); ++n) {
        const Place here = keyframes.element(n);
        if (!is_object(here, value_keyframe_kind())) continue;
        KeyframeTime key{std::numeric_limits<double>::quiet_NaN()};
        read(here, value_keyframe_kind().parameters.front().table(), &key);
        times.push_back(key.time);
        const Place value_place = here.member("value");
        if (!value_place) continue;
        if (const auto read_value = value(value_place, parameter)) track.keyframes.emplace_back(key.time, *read_value);
    }
    if (times.size() == keyframes.json->elements.size()) check_ascending(keyframes, times);
    tracks_.push_back(std::move(track));
}

void ObjectReader::read_function(const Place& at, const Parameter& parameter, const TrackOwner& owner, void* target) {
    const std::size_t problems_before = problems_.size();
    if (!is_object(at, function_kind())) return;
    PropertyFunction function;
    function.key = owner.method.empty() ? parameter.key : owner.method + "/" + parameter.key;
    read(at, function_kind().parameters.front().table(), &function);
    if (const Place points = at.member("points"); points && !read_points(points, parameter, function)) return;
    if (problems_.size() > problems_before) return;
    parameter.write(target, function.greatest());
    functions_.emplace_back(owner.index, std::move(function));
}

/// False if there is no point.
bool ObjectReader::read_points(const Place& at, const Parameter& parameter, PropertyFunction& function) {
    if (!is_list(at, "points")) return false;
    if (at.json->elements.empty()) problem(at, "there must be at least one point");
    const bool age = function.over == PropertyFunction::Over::age;
    for (std::size_t n = 0; n < at.json->elements.size(); ++n) {
        const Place here = at.element(n);
        if (!are_numbers(*here.json) || here.json->elements.size() != 2) {
            problem(here, std::string("must be a pair [") + (age ? "age in s" : "temperature in °C") + ", " +
                              parameter.key + "], not " + describe(*here.json));
            continue;
        }
        const double x = here.json->elements[0].number;
        const auto y = value(here.element(1), parameter);
        if (x < (age ? 0 : table_ranges::coldest)) {
            problem(here.element(0), age ? "an age cannot be negative" : "nothing is colder than -273.15 °C");
        } else if (!function.points.empty() && x <= function.points.back().first) {
            problem(here.element(0),
                    "must be more than at the point before, " + number_text(function.points.back().first));
        } else if (y && function.interpolation == PropertyFunction::Interpolation::logarithmic &&
                   !(std::get<double>(*y) > 0)) {
            problem(here.element(1), "must be above 0 for logarithmic interpolation; use \"linear\"");
        }
        if (y) function.points.emplace_back(x, std::get<double>(*y));
    }
    return !function.points.empty();
}

void ObjectReader::check_ascending(const Place& keyframes, const std::vector<double>& times) {
    for (std::size_t n = 1; n < times.size(); ++n) {
        // False for the NaN of times that could not be read.
        if (times[n] <= times[n - 1]) {
            problem(keyframes.element(n).member("time"),
                    "must be later than the keyframe before, which is at " + number_text(times[n - 1]) + " s");
        }
    }
}

}  // namespace treacle
