#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

/// Helpers of tests that read our own sources.

namespace treacle {

inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The same text with blanks in place of comments and literals; line breaks stay.
inline std::string code_of(const std::string& text) {
    std::string code = text;
    const auto blank = [&](std::size_t from, std::size_t to) {
        for (std::size_t n = from; n < std::min(to, code.size()); ++n)
            if (code[n] != '\n') code[n] = ' ';
    };
    std::size_t at = 0;
    while (at < text.size()) {
        const std::string_view rest = std::string_view(text).substr(at);
        std::size_t length = 1;
        if (rest.starts_with("//")) {
            length = std::min(rest.find('\n'), rest.size());
        } else if (rest.starts_with("/*")) {
            length = std::min(rest.find("*/", 2), rest.size() - 2) + 2;
        } else if (rest.starts_with("R\"") && (at == 0 || !is_word(text[at - 1]))) {
            const std::string end = ")" + std::string(rest.substr(2, rest.find('(') - 2)) + "\"";
            length = std::min(rest.find(end), rest.size() - end.size()) + end.size();
        } else if (rest[0] == '"' || (rest[0] == '\'' && (at == 0 || !is_word(text[at - 1])))) {  // 1'000 is a number
            while (length < rest.size() && rest[length] != rest[0]) length += rest[length] == '\\' ? 2 : 1;
            ++length;
        } else {
            ++at;
            continue;
        }
        blank(at, at + length);
        at += length;
    }
    return code;
}

}  // namespace treacle
