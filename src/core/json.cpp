#include "core/json.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include <nlohmann/json.hpp>

#include "core/text.h"

namespace treacle {

namespace {

constexpr std::size_t max_depth = 200;
constexpr std::size_t max_file_bytes = std::size_t{256} << 20;

/// Walks over the text and counts its lines. A newline counts only when the next character is read, because the lexer
/// looks one character ahead to find the end of a number.
class CountingIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    struct Position {
        int line = 1;
        bool line_ended = false;
    };

    CountingIterator(const char* at, Position& position) : at_(at), position_(&position) {}

    reference operator*() const { return *at_; }

    CountingIterator& operator++() {
        if (position_->line_ended) ++position_->line;
        position_->line_ended = *at_ == '\n';
        ++at_;
        return *this;
    }

    CountingIterator operator++(int) {
        const CountingIterator before = *this;
        ++*this;
        return before;
    }

    friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }

private:
    const char* at_;
    Position* position_;
};

struct LineColumn {
    int line = 1;
    int column = 1;
};

/// Line and column (in characters, not bytes) of a byte of the text.
LineColumn line_column(std::string_view text, std::size_t offset) {
    LineColumn at;
    if (text.substr(0, 3) == "\xEF\xBB\xBF") {
        text.remove_prefix(3);
        offset -= std::min<std::size_t>(offset, 3);
    }
    for (const char c : text.substr(0, offset)) {
        const bool continues_character = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
        if (c == '\n') {
            ++at.line;
            at.column = 1;
        } else if (!continues_character) {
            ++at.column;
        }
    }
    return at;
}

/// An error of the parser, in its own words.
struct SyntaxError {
    std::string what;        ///< the library's sentence
    std::string last_token;  ///< exact for texts and numbers, else everything since the last of them
    std::size_t position;    ///< bytes read so far

    bool says(const char* part) const { return what.find(part) != std::string::npos; }
};

/// The place of an error in the file.
struct Culprit {
    std::size_t offset;
    std::string token;
};

bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '+' || c == '-' || c == '\'';
}

Culprit find_culprit(const SyntaxError& error, std::string_view text) {
    const std::size_t read = std::min(error.position, text.size());
    if (error.says("unexpected end of input")) return {text.size(), "the end"};
    if (error.says("missing closing '*/'")) return {text.rfind("/*"), "/*"};
    if (error.says("invalid string") || error.says("number overflow") || error.says("unexpected string literal")) {
        // Control characters are spelled out as <U+000A> in the token.
        std::size_t bytes = 0;
        for (std::size_t n = 0; n < error.last_token.size(); ++bytes) {
            n += error.last_token.compare(n, 3, "<U+") == 0 ? 8 : 1;
        }
        return {read - std::min(read, bytes), error.last_token};
    }
    std::size_t begin = read - 1;
    std::size_t end = read;
    // A word or number that breaks off is noticed at the character after it.
    const bool broken_off = error.says("invalid literal") || error.says("invalid number");
    if (broken_off && begin > 0 && !is_word_character(text[begin]) && is_word_character(text[begin - 1])) {
        --begin;
        --end;
    }
    if (is_word_character(text[begin])) {
        while (begin > 0 && is_word_character(text[begin - 1])) --begin;
        while (end < text.size() && is_word_character(text[end])) ++end;
    }
    return {begin, std::string(text.substr(begin, end - begin))};
}

/// Builds the tree from the parser's events. Elements under construction stay where they are in memory, since a
/// container only grows after the one inside it was closed.
class TreeBuilder {
public:
    TreeBuilder(std::string file, const CountingIterator::Position& position)
        : file_(std::move(file)), position_(position) {}

    using Number = nlohmann::json;

    bool null() { return add(Json()); }
    bool boolean(bool value) { return add(Json(value)); }
    bool number_integer(Number::number_integer_t value) { return add_number(static_cast<double>(value), true); }
    bool number_unsigned(Number::number_unsigned_t value) { return add_number(static_cast<double>(value), true); }
    bool number_float(double value, const std::string& written) {
        return add_number(value, written.find_first_of(".eE") == std::string::npos);
    }
    bool string(std::string& value) { return add(Json(std::move(value))); }
    bool binary(Number::binary_t&) { return false; }
    bool start_object(std::size_t) { return open(Json::object()); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(std::string& key) {
        Level& level = levels_.back();
        const auto [first, is_new] = level.key_lines.try_emplace(key, position_.line);
        if (!is_new) {
            problems.push_back(
                {"the key " + in_quotes(key) + " is given twice (first on line " + std::to_string(first->second) + ")",
                 file_, pointer() + "/" + pointer_token(key), position_.line});
        }
        level.json->members.emplace_back(std::move(key), Json());
        return true;
    }

    bool parse_error(std::size_t position, const std::string& last_token, const nlohmann::detail::exception& error) {
        syntax_error = SyntaxError{error.what(), last_token, position};
        return false;
    }

    bool inside_object() const { return !levels_.empty() && levels_.back().json->is_object(); }
    bool inside_array() const { return !levels_.empty() && levels_.back().json->is_array(); }
    int innermost_line() const { return levels_.back().json->line; }

    Json root;
    std::vector<Problem> problems;
    std::optional<SyntaxError> syntax_error;

private:
    struct Level {
        Json* json;
        std::map<std::string, int> key_lines;
    };

    Json* place(Json value) {
        value.line = position_.line;
        if (levels_.empty()) {
            root = std::move(value);
            return &root;
        }
        Json& parent = *levels_.back().json;
        if (parent.is_array()) return &parent.push(std::move(value));
        parent.members.back().second = std::move(value);
        return &parent.members.back().second;
    }

    bool add(Json value) {
        place(std::move(value));
        return true;
    }

    bool add_number(double value, bool integral) {
        Json json(value);
        json.integral = integral;
        return add(std::move(json));
    }

    bool open(Json container) {
        if (levels_.size() == max_depth) {
            problems.push_back({"lists and objects are nested more than " + std::to_string(max_depth) + " deep",
                                file_,
                                {},
                                position_.line});
            return false;
        }
        levels_.push_back({place(std::move(container)), {}});
        return true;
    }

    bool close() {
        levels_.pop_back();
        return true;
    }

    std::string pointer() const {
        std::string text;
        for (std::size_t n = 0; n + 1 < levels_.size(); ++n) {
            const Json& parent = *levels_[n].json;
            text += "/" + (parent.is_array() ? std::to_string(parent.elements.size() - 1)
                                             : pointer_token(parent.members.back().first));
        }
        return text;
    }

    std::string file_;
    const CountingIterator::Position& position_;
    std::vector<Level> levels_;
};

/// Errors inside one token.
std::string plain_token_error(const SyntaxError& error, const std::string& token) {
    if (error.says("number overflow")) return "the number " + token + " is too large";
    if (error.says("missing closing quote") || error.says("control character")) {
        return "a text that begins here is not closed with a double quote on its line";
    }
    if (error.says("ill-formed UTF-8") || error.says("invalid BOM")) return "the text is not valid UTF-8";
    if (error.says("invalid string")) {
        return "a text holds an escape that JSON does not know (a backslash is written \\\\)";
    }
    if (error.says("invalid number")) return "a digit is missing in the number " + token;
    if (error.says("missing closing '*/'")) return "a comment that begins here is not closed with */";
    if (error.says("invalid comment")) return "a comment begins with // or /*";
    if (error.says("invalid literal")) return "cannot read " + token + "; keys and texts stand in double quotes";
    return {};
}

/// Errors in the order of tokens.
std::string plain_order_error(const TreeBuilder& builder, const SyntaxError& error, const std::string& token) {
    const bool in_list = builder.inside_array();
    const bool in_object = builder.inside_object();
    const std::string close = in_list ? "]" : "}";
    if (error.says("unexpected end of input")) {
        if (!in_list && !in_object) return "the file is empty";
        return std::string("the file ends too early: the ") + (in_list ? "list" : "object") + " that begins on line " +
               std::to_string(builder.innermost_line()) + " is not closed with " + in_quotes(close);
    }
    if (error.says("; expected end of input")) return "something follows after the end of the JSON value: " + token;
    if (error.says("; expected ':'")) return "a colon is missing between key and value";
    if (error.says("; expected '}'") || error.says("; expected ']'")) {
        return "a comma or " + in_quotes(close) + " is missing before " + token;
    }
    const bool key_expected = error.says("object key");
    if (token == close && (in_list || key_expected)) return "the comma before " + in_quotes(close) + " is too much";
    return (key_expected ? "a key in double quotes is missing before " : "a value is missing before ") + token;
}

Problem plain_problem(const TreeBuilder& builder, std::string_view text, const std::string& file) {
    const SyntaxError& error = *builder.syntax_error;
    const Culprit culprit = find_culprit(error, text);
    std::string message = plain_token_error(error, culprit.token);
    if (message.empty()) message = plain_order_error(builder, error, culprit.token);
    const LineColumn at = line_column(text, culprit.offset);
    return {message + " (column " + std::to_string(at.column) + ")", file, {}, at.line};
}

/// Why the file is not UTF-8 text, or empty if it is.
std::string binary_reason(std::string_view text) {
    if (text.substr(0, 2) == "\xFF\xFE" || text.substr(0, 2) == "\xFE\xFF") {
        return "the file is UTF-16 text; save it as UTF-8";
    }
    const bool has_control = std::any_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f';
    });
    return has_control ? "this is not a text file" : "";
}

bool is_short_row(const Json& json) {
    constexpr std::size_t widest = 100;
    std::size_t width = 0;
    for (const Json& element : json.elements) {
        if (element.is_array() || element.is_object()) return false;
        width += element.is_text() ? element.text.size() + 4 : number_text(element.number).size() + 2;
    }
    return width <= widest;
}

std::string text_of_string(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string text_of_number(double number) {
    if (!std::isfinite(number)) return "null";
    // "-0" would be read back as the integer 0 and lose its sign.
    if (number == 0 && std::signbit(number)) return "-0.0";
    return number_text(number);
}

void write(const Json& json, std::size_t depth, std::string& out);

/// Writes one element or member per line between the brackets.
template <class Items, class WriteItem>
void write_lines(const Items& items, char open, char close, std::size_t depth, std::string& out,
                 const WriteItem& write_item) {
    out += open;
    bool first = true;
    for (const auto& item : items) {
        out += first ? "\n" : ",\n";
        out.append(2 * (depth + 1), ' ');
        write_item(item);
        first = false;
    }
    if (!first) out.append("\n").append(2 * depth, ' ');
    out += close;
}

void write_array(const Json& json, std::size_t depth, std::string& out) {
    if (is_short_row(json)) {
        out += '[';
        for (std::size_t n = 0; n < json.elements.size(); ++n) {
            if (n > 0) out += ", ";
            write(json.elements[n], depth, out);
        }
        out += ']';
        return;
    }
    write_lines(json.elements, '[', ']', depth, out, [&](const Json& element) { write(element, depth + 1, out); });
}

void write(const Json& json, std::size_t depth, std::string& out) {
    switch (json.type) {
        case Json::Type::null: out += "null"; break;
        case Json::Type::boolean: out += json.boolean ? "true" : "false"; break;
        case Json::Type::number: out += text_of_number(json.number); break;
        case Json::Type::text: out += text_of_string(json.text); break;
        case Json::Type::array: write_array(json, depth, out); break;
        case Json::Type::object:
            write_lines(json.members, '{', '}', depth, out, [&](const auto& member) {
                out += text_of_string(member.first) + ": ";
                write(member.second, depth + 1, out);
            });
            break;
    }
}

}  // namespace

const Json* Json::find(std::string_view key) const {
    for (const auto& [name, value] : members) {
        if (name == key) return &value;
    }
    return nullptr;
}

Json* Json::find(std::string_view key) { return const_cast<Json*>(std::as_const(*this).find(key)); }

Json& Json::set(std::string key, Json value) {
    if (Json* existing = find(key)) {
        *existing = std::move(value);
        return *existing;
    }
    members.emplace_back(std::move(key), std::move(value));
    return members.back().second;
}

Json& Json::push(Json value) {
    elements.push_back(std::move(value));
    return elements.back();
}

Result<Json> parse_json(std::string_view text, const std::string& file) {
    if (std::string reason = binary_reason(text); !reason.empty()) {
        return fail(ExitCode::wrong_input, std::move(reason), file);
    }
    CountingIterator::Position position;
    TreeBuilder builder(file, position);
    const CountingIterator begin(text.data(), position);
    const CountingIterator end(text.data() + text.size(), position);
    const bool strict = true;
    const bool comments = true;
    nlohmann::json::sax_parse(begin, end, &builder, nlohmann::json::input_format_t::json, strict, comments);
    if (builder.syntax_error) builder.problems.push_back(plain_problem(builder, text, file));
    if (!builder.problems.empty()) return fail(std::move(builder.problems));
    return std::move(builder.root);
}

Result<Json> read_json_file(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        return fail(ExitCode::wrong_input, "this is a folder, not a file", path);
    }
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        const bool exists = std::filesystem::exists(path, error);
        return fail(ExitCode::wrong_input, exists ? "the file cannot be opened" : "there is no such file", path);
    }
    std::string text;
    std::vector<char> chunk(1 << 16);
    while (stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) || stream.gcount() > 0) {
        text.append(chunk.data(), static_cast<std::size_t>(stream.gcount()));
        if (text.size() > max_file_bytes) {
            return fail(ExitCode::wrong_input, "the file is larger than " + bytes_text(max_file_bytes), path);
        }
    }
    if (stream.bad()) return fail(ExitCode::wrong_input, "the file cannot be read", path);
    return parse_json(text, path);
}

std::string to_text(const Json& json) {
    std::string out;
    write(json, 0, out);
    return out;
}

}  // namespace treacle
