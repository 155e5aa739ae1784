#include "core/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace treacle {

namespace {

std::string lower_case(std::string_view word) {
    std::string lower(word);
    for (char& c : lower) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return lower;
}

/// Least number of insertions, deletions, replacements and swaps of neighboring letters between two words.
std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t n = 0; n <= b.size(); ++n) last[n] = n;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
        before_last.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

/// One of the words is the beginning of the other, as in "visc" for "viscosity".
bool begins_alike(const std::string& a, const std::string& b) {
    const std::size_t shorter = std::min(a.size(), b.size());
    return shorter >= 3 && a.compare(0, shorter, b, 0, shorter) == 0;
}

std::string rounded_text(double value, int decimals) {
    std::array<char, 64> buffer;
    std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
    std::string text = buffer.data();
    if (decimals > 0) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') text.pop_back();
    }
    return text;
}

}  // namespace

std::string digits_text(double value, int digits) {
    std::array<char, 64> buffer;
    std::snprintf(buffer.data(), buffer.size(), "%.*g", digits, value);
    return buffer.data();
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates) {
    // Longer words are not worth comparing; nobody mistypes a key into a paragraph.
    constexpr std::size_t longest = 100;
    if (word.size() > longest) return {};
    const std::string meant = lower_case(word);
    std::string best;
    std::size_t best_distance = 0;
    for (const std::string& candidate : candidates) {
        const std::string lower = lower_case(candidate);
        const std::size_t longer = std::max(meant.size(), lower.size());
        const std::size_t allowed = longer < 2 ? 0 : std::clamp<std::size_t>(longer / 3, 1, 4);
        const std::size_t distance = edit_distance(meant, lower);
        if (distance <= allowed && (best.empty() || distance < best_distance)) {
            best = candidate;
            best_distance = distance;
        }
    }
    if (!best.empty()) return best;
    const auto alike = std::find_if(candidates.begin(), candidates.end(), [&](const std::string& candidate) {
        return begins_alike(meant, lower_case(candidate));
    });
    return alike == candidates.end() ? std::string() : *alike;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
    const std::string meant = nearest_word(word, candidates);
    return meant.empty() ? "" : "; did you mean " + in_quotes(meant) + "?";
}

std::string number_text(double value) {
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

std::string bytes_text(double bytes) {
    if (!std::isfinite(bytes)) return "an unknown number of bytes";
    if (std::abs(bytes) < 999.5) return rounded_text(bytes, 0) + (std::round(bytes) == 1 ? " byte" : " bytes");
    static const std::array<const char*, 6> units{"kB", "MB", "GB", "TB", "PB", "EB"};
    std::size_t unit = 0;
    double scaled = bytes / 1000;
    while (std::abs(scaled) >= 999.5 && unit + 1 < units.size()) {
        scaled /= 1000;
        ++unit;
    }
    return rounded_text(scaled, std::abs(scaled) < 99.95 ? 1 : 0) + " " + units[unit];
}

std::string duration_text(double seconds) {
    if (!std::isfinite(seconds)) return "an unknown time";
    if (seconds < 0.95) return rounded_text(seconds, 2) + " s";
    if (seconds < 9.95) return rounded_text(seconds, 1) + " s";
    struct Unit {
        double seconds;
        const char* name;
    };
    static const std::array<Unit, 4> units{{{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}}};
    // The two largest units that apply; the smaller one is rounded first, so that 59.7 s is 1 min, not 60 s.
    for (std::size_t n = 0; n + 1 < units.size(); ++n) {
        const double small = units[n + 1].seconds;
        const double total = std::round(seconds / small) * small;
        if (total < units[n].seconds) continue;
        const double large_count = std::floor(total / units[n].seconds);
        const double small_count = std::round((total - large_count * units[n].seconds) / small);
        std::string text = rounded_text(large_count, 0) + " " + units[n].name;
        if (small_count > 0) text += " " + rounded_text(small_count, 0) + " " + units[n + 1].name;
        return text;
    }
    return rounded_text(seconds, 0) + " s";
}

std::string aligned_columns(const std::vector<std::vector<std::string>>& rows) {
    // Characters, not bytes: "…" and units take more bytes than columns.
    const auto width = [](const std::string& text) {
        return static_cast<std::size_t>(
            std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
    };
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t n = 0; n + 1 < row.size(); ++n) widths[n] = std::max(widths[n], width(row[n]));
    }
    std::string text;
    for (const auto& row : rows) {
        for (std::size_t n = 0; n + 1 < row.size(); ++n)
            text += row[n] + std::string(widths[n] - width(row[n]) + 2, ' ');
        text += (row.empty() ? "" : row.back()) + "\n";
    }
    return text;
}

std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }

std::string shell_word(std::string_view text) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
    if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) return std::string(text);
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'') quoted += "'\\''";
        else quoted += c;
    }
    return quoted + "'";
}

std::string list_text(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t n = 0; n < words.size(); ++n) {
        if (n > 0) text += n + 1 == words.size() ? " and " : ", ";
        text += words[n];
    }
    return text;
}

}  // namespace treacle
