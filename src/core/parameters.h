#pragma once

#include <any>
#include <array>
#include <concepts>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// A parameter is declared once, in a ParameterTable beside the struct that holds it. The table feeds the scene
/// reader, the range check, keyframes, the schema, the reference docs, --set and (later) sliders and Python.

namespace treacle {

/// monostate = not given (only for optional parameters).
using ParameterValue = std::variant<std::monostate, bool, double, std::string, std::array<double, 3>>;

enum class ParameterKind { boolean, integer, number, text, choice, vector };

/// Everything that is declared of a parameter besides its key and member.
struct ParameterDetails {
    std::string symbol{};  ///< in the paper; empty if it has none
    std::string unit{};    ///< SI; "1" for pure numbers, empty for words
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool low_open = false;               ///< the low end itself is not allowed
    bool live = false;                   ///< may change while running, so may be keyframed
    bool varies = false;                 ///< may be a function of temperature or age, different for every particle
    bool required = false;               ///< must be given in the scene file
    std::vector<std::string> choices{};  ///< for enums, in the order of the enum's values
    std::vector<std::pair<std::string, double>> words{};  ///< words allowed in place of a number
    std::string doc{};                                    ///< one sentence
};

struct Parameter : ParameterDetails {
    std::string key;
    ParameterKind kind = ParameterKind::number;
    bool optional = false;  ///< the member is a std::optional: absence has a meaning of its own
    std::function<ParameterValue(const void* owner)> read;
    std::function<void(void* owner, const ParameterValue& value)> write;
};

namespace detail {

template <class T>
concept VectorLike = requires(T v) {
    { v.x } -> std::convertible_to<double>;
    { v.y } -> std::convertible_to<double>;
    { v.z } -> std::convertible_to<double>;
};

template <class T>
constexpr ParameterKind kind_of() {
    if constexpr (std::same_as<T, bool>) return ParameterKind::boolean;
    else if constexpr (std::integral<T>) return ParameterKind::integer;
    else if constexpr (std::floating_point<T>) return ParameterKind::number;
    else if constexpr (std::is_enum_v<T>) return ParameterKind::choice;
    else if constexpr (VectorLike<T>) return ParameterKind::vector;
    else return ParameterKind::text;
}

template <class T>
ParameterValue to_value(const T& member, const ParameterDetails& details) {
    if constexpr (std::same_as<T, bool>) return member;
    else if constexpr (std::is_enum_v<T>) return details.choices.at(static_cast<std::size_t>(member));
    else if constexpr (std::is_arithmetic_v<T>) return static_cast<double>(member);
    else if constexpr (VectorLike<T>) return std::array<double, 3>{member.x, member.y, member.z};
    else return std::string(member);
}

template <class T>
T from_value(const ParameterValue& value, const ParameterDetails& details) {
    if constexpr (std::same_as<T, bool>) return std::get<bool>(value);
    else if constexpr (std::is_enum_v<T>) {
        const auto& word = std::get<std::string>(value);
        for (std::size_t n = 0; n < details.choices.size(); ++n) {
            if (details.choices[n] == word) return static_cast<T>(n);
        }
        return T{};
    } else if constexpr (std::is_arithmetic_v<T>) return static_cast<T>(std::get<double>(value));
    else if constexpr (VectorLike<T>) {
        const auto& v = std::get<std::array<double, 3>>(value);
        return T{v[0], v[1], v[2]};
    } else return T(std::get<std::string>(value));
}

template <class T>
struct OptionalTraits {
    using Inner = T;
    static constexpr bool optional = false;
};
template <class T>
struct OptionalTraits<std::optional<T>> {
    using Inner = T;
    static constexpr bool optional = true;
};

}  // namespace detail

/// The parameters of one struct, in the order in which the reference lists them.
class ParameterTable {
public:
    explicit ParameterTable(std::string title) : title_(std::move(title)) {}

    template <class Owner, class Member>
    ParameterTable& add(std::string key, Member Owner::*member, ParameterDetails details) {
        using Traits = detail::OptionalTraits<Member>;
        using Inner = typename Traits::Inner;
        Parameter row;
        static_cast<ParameterDetails&>(row) = details;
        row.key = std::move(key);
        row.kind = detail::kind_of<Inner>();
        row.optional = Traits::optional;
        row.read = [member, details](const void* owner) -> ParameterValue {
            const Member& value = static_cast<const Owner*>(owner)->*member;
            if constexpr (Traits::optional) {
                if (!value) return std::monostate{};
                return detail::to_value<Inner>(*value, details);
            } else {
                return detail::to_value<Inner>(value, details);
            }
        };
        row.write = [member, details](void* owner, const ParameterValue& value) {
            Member& target = static_cast<Owner*>(owner)->*member;
            if constexpr (Traits::optional) {
                if (std::holds_alternative<std::monostate>(value)) {
                    target.reset();
                    return;
                }
            }
            target = detail::from_value<Inner>(value, details);
        };
        rows_.push_back(std::move(row));
        return *this;
    }

    const std::string& title() const { return title_; }
    const std::vector<Parameter>& rows() const { return rows_; }
    const Parameter* find(std::string_view key) const;

private:
    std::string title_;
    std::vector<Parameter> rows_;
};

/// "must be …" if the value is out of range or not an allowed word, otherwise empty. The kind was checked before.
std::string range_problem(const Parameter& parameter, const ParameterValue& value);

/// "number from 0 to 1, unit 1/s" or "one of "jacobi", "sequential"": for messages and docs.
std::string describe_allowed(const Parameter& parameter);

/// A copy of any struct together with its table. The scene holds one for every method-specific object.
class ParameterObject {
public:
    template <class T>
    static ParameterObject of(const ParameterTable& table, T value = {}) {
        ParameterObject object;
        object.table_ = &table;
        object.value_ = std::move(value);
        object.address_ = [](std::any& any) -> void* { return std::any_cast<T>(&any); };
        return object;
    }

    template <class T>
    const T& as() const {
        return std::any_cast<const T&>(value_);
    }
    template <class T>
    T& as() {
        return std::any_cast<T&>(value_);
    }

    const ParameterTable& table() const { return *table_; }
    void* address() { return address_(value_); }
    const void* address() const { return address_(const_cast<std::any&>(value_)); }

private:
    const ParameterTable* table_ = nullptr;  ///< static storage
    std::any value_;
    void* (*address_)(std::any&) = nullptr;
};

}  // namespace treacle
