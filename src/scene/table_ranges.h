#pragma once

namespace treacle::table_ranges {

inline constexpr double smallest = 1e-9;                   ///< m; keeps volumes within the range of double
inline constexpr double farthest = 1e6;                    ///< m
inline constexpr double fastest = 1e5;                     ///< m/s
inline constexpr double most_turned = 1e6;                 ///< degrees; far within the range of reproducible::sin
inline constexpr double coldest = -273.15, hottest = 1e5;  ///< °C

}  // namespace treacle::table_ranges
