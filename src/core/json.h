#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"

namespace treacle {

/// A JSON value that knows where it stood in its file. Members keep their order.
struct Json {
    enum class Type { null, boolean, number, text, array, object };

    Type type = Type::null;
    bool boolean = false;
    double number = 0;
    bool integral = false;  ///< the number was written without fraction or exponent
    std::string text;
    std::vector<Json> elements;
    std::vector<std::pair<std::string, Json>> members;
    int line = 0;  ///< 1-based; 0 = not from a file

    Json() = default;
    Json(bool value) : type(Type::boolean), boolean(value) {}
    Json(double value) : type(Type::number), number(value) {}
    Json(int value) : type(Type::number), number(value), integral(true) {}
    Json(long value) : type(Type::number), number(static_cast<double>(value)), integral(true) {}
    Json(unsigned long value) : type(Type::number), number(static_cast<double>(value)), integral(true) {}
    Json(std::string value) : type(Type::text), text(std::move(value)) {}
    Json(const char* value) : type(Type::text), text(value) {}

    static Json array() {
        Json j;
        j.type = Type::array;
        return j;
    }
    static Json object() {
        Json j;
        j.type = Type::object;
        return j;
    }

    bool is_object() const { return type == Type::object; }
    bool is_array() const { return type == Type::array; }
    bool is_number() const { return type == Type::number; }
    bool is_text() const { return type == Type::text; }

    /// Member of an object, or null if there is none (or this is not an object).
    const Json* find(std::string_view key) const;
    Json* find(std::string_view key);

    /// Adds or replaces a member; returns it.
    Json& set(std::string key, Json value);
    Json& push(Json value);
};

/// Parses JSON with // and /* */ comments. Syntax errors and duplicate keys come back with their line.
Result<Json> parse_json(std::string_view text, const std::string& file);

/// Reads and parses a file. A missing or unreadable file is wrong input.
Result<Json> read_json_file(const std::string& path);

/// Text with two-space indentation; short arrays of numbers stay on one line; numbers round-trip to the bit.
std::string to_text(const Json& json);

/// Sets the value that a JSON pointer names ("/materials/honey/density"); objects on the way are created when missing,
/// array elements must exist ("-" appends).
Result<void> set_at_pointer(Json& root, std::string_view pointer, Json value);

/// The value that a JSON pointer names, or null if there is none (or the pointer is malformed).
const Json* find_at_pointer(const Json& root, std::string_view pointer);

/// Escapes a key for use inside a JSON pointer.
std::string pointer_token(std::string_view key);

}  // namespace treacle
