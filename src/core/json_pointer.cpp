#include <algorithm>
#include <optional>

#include "core/json.h"

namespace treacle {

namespace {

/// The keys of a JSON pointer with their escapes resolved (RFC 6901), or none if it is malformed.
std::optional<std::vector<std::string>> pointer_keys(std::string_view pointer) {
    std::vector<std::string> keys;
    if (pointer.empty()) return keys;
    if (pointer.front() != '/') return std::nullopt;
    for (std::size_t n = 0; n < pointer.size(); ++n) {
        if (pointer[n] == '/') {
            keys.emplace_back();
        } else if (pointer[n] == '~') {
            if (++n == pointer.size() || (pointer[n] != '0' && pointer[n] != '1')) return std::nullopt;
            keys.back() += pointer[n] == '0' ? '~' : '/';
        } else {
            keys.back() += pointer[n];
        }
    }
    return keys;
}

bool is_index(const std::string& key) {
    constexpr std::size_t most_digits = 9;
    const bool digits = !key.empty() && key.size() <= most_digits &&
                        std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits && (key.size() == 1 || key[0] != '0');
}

Result<Json*> step_into_array(Json& array, const std::string& key, const std::string& where) {
    if (key == "-") return &array.push({});
    if (!is_index(key)) {
        return fail(ExitCode::wrong_input,
                    where + " is a list; its elements are numbered from 0, and \"" + key + "\" is no such number");
    }
    const std::size_t index = std::stoul(key);
    const std::size_t size = array.elements.size();
    if (index < size) return &array.elements[index];
    return fail(ExitCode::wrong_input, where + " has " + std::to_string(size) + (size == 1 ? " element" : " elements") +
                                           ", counted from 0; there is no number " + key);
}

}  // namespace

Result<void> set_at_pointer(Json& root, std::string_view pointer, Json value) {
    const auto keys = pointer_keys(pointer);
    if (!keys) {
        return fail(ExitCode::wrong_input,
                    "\"" + std::string(pointer) + "\" is no JSON pointer; write it like /materials/honey/density");
    }
    Json* at = &root;
    std::string where;
    for (const std::string& key : *keys) {
        const std::string name = where.empty() ? "the scene" : where;
        if (at->type == Json::Type::null) *at = Json::object();
        if (at->is_array()) {
            const Result<Json*> element = step_into_array(*at, key, name);
            if (!element) return tl::unexpected<Error>(element.error());
            at = *element;
        } else if (at->is_object()) {
            Json* member = at->find(key);
            at = member ? member : &at->set(key, {});
        } else {
            return fail(ExitCode::wrong_input, name + " is a plain value; it holds no \"" + key + "\"");
        }
        where += "/" + pointer_token(key);
    }
    *at = std::move(value);
    return {};
}

const Json* find_at_pointer(const Json& root, std::string_view pointer) {
    const auto keys = pointer_keys(pointer);
    const Json* at = keys ? &root : nullptr;
    for (std::size_t n = 0; at && n < keys->size(); ++n) {
        const std::string& key = (*keys)[n];
        if (at->is_array()) {
            const bool there = is_index(key) && std::stoul(key) < at->elements.size();
            at = there ? &at->elements[std::stoul(key)] : nullptr;
        } else {
            at = at->find(key);
        }
    }
    return at;
}

std::string pointer_token(std::string_view key) {
    std::string token;
    for (const char c : key) {
        if (c == '~') token += "~0";
        else if (c == '/') token += "~1";
        else token += c;
    }
    return token;
}

}  // namespace treacle
