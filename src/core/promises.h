#pragma once

#include <cmath>
#include <cstddef>

/// Promises of callers to a block, as conditions for assert(): `dev` builds and sanitizers check them at the head of
/// the block, a release build compiles them away. They catch mistakes of programmers. Faults that a scene can cause are
/// reported in words (scene checks, health).
namespace treacle::promises {

/// Every range has one value for each of `count` particles.
template <class... Ranges>
bool sized(std::size_t count, const Ranges&... ranges) {
    return ((std::size_t(ranges.size()) == count) && ...);
}

/// The same for ranges that a caller may leave out: empty, or one value for each particle.
template <class... Ranges>
bool sized_or_empty(std::size_t count, const Ranges&... ranges) {
    return ((ranges.size() == 0 || std::size_t(ranges.size()) == count) && ...);
}

/// No value is infinite or NaN. Values are numbers, or have x, y and z.
template <class... Ranges>
bool finite(const Ranges&... ranges) {
    const auto is_finite = [](const auto& value) {
        if constexpr (requires { value.z; })
            return std::isfinite(value.x) && std::isfinite(value.y) && std::isfinite(value.z);
        else return std::isfinite(value);
    };
    const auto all_finite = [&](const auto& range) {
        for (const auto& value : range)
            if (!is_finite(value)) return false;
        return true;
    };
    return (all_finite(ranges) && ...);
}

/// No value is zero, negative, infinite or not a number.
template <class... Ranges>
bool positive(const Ranges&... ranges) {
    const auto all_positive = [](const auto& range) {
        for (const auto& value : range)
            if (!(value > 0) || !std::isfinite(value)) return false;
        return true;
    };
    return (all_positive(ranges) && ...);
}

/// Every index names one of `count`.
template <class... Ranges>
bool within(std::size_t count, const Ranges&... ranges) {
    const auto all_within = [&](const auto& range) {
        for (const auto index : range)
            if (!(static_cast<std::size_t>(index) < count)) return false;
        return true;
    };
    return (all_within(ranges) && ...);
}

/// There is a row for each of `count` particles, and every index in a row is below `below`.
template <class Rows>
bool rows_within(std::size_t count, const Rows& rows, std::size_t below) {
    if (rows.size() != count) return false;
    for (std::size_t i = 0; i < count; ++i)
        if (!within(below, rows.row(i))) return false;
    return true;
}

/// The same for rows that list particles.
template <class Rows>
bool rows_within(std::size_t count, const Rows& rows) {
    return rows_within(count, rows, count);
}

/// The radius of the rows, rounded to Real, is at least `needed`.
template <class Rows, class Real>
bool reaching(Real needed, const Rows& rows) {
    return static_cast<Real>(rows.radius()) >= needed;
}

}  // namespace treacle::promises
