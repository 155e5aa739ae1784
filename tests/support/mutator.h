#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/json.h"

namespace treacle::test {

/// Damages texts, files and JSON values. The same seed gives the same damage everywhere, so that fuzzing is repeatable.
class Mutator {
public:
    Mutator(std::uint32_t seed, std::span<const std::string> dictionary) : random_(seed), dictionary_(dictionary) {}

    std::size_t below(std::size_t count) { return count == 0 ? 0 : random_() % count; }
    bool one_in(std::size_t count) { return below(count) == 0; }

    /// Changes a few bytes, cuts, repeats, inserts words of the dictionary, or continues with a part of `other`.
    std::string bytes(std::string text, const std::string& other) {
        for (std::size_t n = 0, count = 1 + below(4); n < count; ++n) change_bytes(text, other);
        return text;
    }

    /// Changes a few values, keys or lists somewhere in the tree; it stays JSON.
    Json json(Json root) {
        for (std::size_t n = 0, count = 1 + below(4); n < count; ++n) {
            std::vector<Json*> all;
            collect(root, all);
            change_value(*all[below(all.size())], all);
        }
        return root;
    }

private:
    static void collect(Json& json, std::vector<Json*>& all) {
        all.push_back(&json);
        for (Json& element : json.elements) collect(element, all);
        for (auto& member : json.members) collect(member.second, all);
    }

    const std::string& word() {
        static const std::string empty;
        return dictionary_.empty() ? empty : dictionary_[below(dictionary_.size())];
    }

    void change_bytes(std::string& text, const std::string& other) {
        const std::size_t at = below(text.size() + 1), length = std::min(text.size() - at, 1 + below(16));
        switch (below(9)) {
            case 0:
                if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
                break;
            case 1:
                if (at < text.size()) text[at] = static_cast<char>(below(256));
                break;
            case 2: text.resize(at); break;
            case 3: text.erase(at, length); break;
            case 4: text.insert(below(text.size() + 1), text.substr(at, length)); break;
            case 5: text.insert(at, word()); break;
            case 6: text.replace(at, length, word()); break;
            case 7: text.replace(at, std::string::npos, other.substr(below(other.size() + 1))); break;
            default: text.insert(at, 1 + below(3), static_cast<char>(below(256))); break;
        }
    }

    double number(double before) {
        constexpr double values[] = {0.0,
                                     -0.0,
                                     1,
                                     -1,
                                     2,
                                     3,
                                     0.5,
                                     1e-9,
                                     1e-30,
                                     5e-324,
                                     1e-308,
                                     1e9,
                                     1e18,
                                     1e30,
                                     1e300,
                                     1.7976931348623157e308,
                                     -1e300,
                                     255,
                                     256,
                                     65536,
                                     2147483647,
                                     2147483648.0,
                                     4294967296.0,
                                     9007199254740993.0,
                                     1e19};
        switch (below(6)) {
            case 0: return -before;
            case 1: return before * (1 + 1e-9);
            case 2: return before * (one_in(2) ? 10 : 0.1);
            case 3: return before * (one_in(2) ? 1e6 : 1e-6);
            default: return values[below(std::size(values))];
        }
    }

    Json any_value(const std::vector<Json*>& all) {
        switch (below(8)) {
            case 0: return Json();
            case 1: return Json(one_in(2));
            case 2: return Json(number(1));
            case 3: return Json(word());
            case 4: return Json::array();
            case 5: return Json::object();
            default: return *all[below(all.size())];  // something from another place
        }
    }

    void change_value(Json& json, const std::vector<Json*>& all) {
        if (json.is_number() && !one_in(4)) {
            json.number = number(json.number);
            json.integral = json.integral && one_in(2);
        } else if (json.is_text() && one_in(2)) {
            json.text = one_in(2) ? word() : bytes(json.text, word());
        } else if (json.is_array() && !json.elements.empty() && !one_in(3)) {
            const std::size_t n = below(json.elements.size());
            const auto at = json.elements.begin() + static_cast<std::ptrdiff_t>(n);
            if (one_in(2)) json.elements.erase(at);
            else json.elements.insert(at, Json(*at));
        } else if (json.is_object() && !json.members.empty() && !one_in(4)) {
            change_members(json, all);
        } else {
            Json value = any_value(all);  // a copy first: it may hold the value that it replaces
            json = std::move(value);
        }
    }

    void change_members(Json& json, const std::vector<Json*>& all) {
        const std::size_t n = below(json.members.size());
        switch (below(4)) {
            case 0: json.members.erase(json.members.begin() + static_cast<std::ptrdiff_t>(n)); break;
            case 1: json.members[n].first = word(); break;
            case 2: json.members.push_back(std::pair(json.members[n])); break;
            default: json.members.emplace_back(word(), any_value(all)); break;
        }
    }

    std::mt19937 random_;
    std::span<const std::string> dictionary_;
};

}  // namespace treacle::test
