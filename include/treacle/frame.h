#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <treacle/error.h>
#include <treacle/export.h>

namespace treacle::v0 {

/// Type of the numbers of a column.
enum class Scalar { float32, float64, uint32, uint8 };

/// One quantity of all particles, as it lies in memory: row after row, without copies. Rows of vectors have four
/// numbers (x, y, z and one that fills up), those of symmetric tensors six (xx, xy, xz, yy, yz, zz).
struct TREACLE_EXPORT Column {
    std::string name;                  ///< such as "position"
    std::string unit;                  ///< such as "m/s"; "1" for plain numbers
    Scalar type = Scalar::float32;     ///< that of reals depends on the scene's precision
    int components = 1;                ///< 1, 3 or 6
    int stride = 1;                    ///< numbers from one row to the next: 1, 4 or 6
    std::size_t rows = 0;              ///< particles
    std::span<const std::byte> bytes;  ///< rows · stride numbers

    /// The numbers themselves; an Error if T is not their type.
    template <class T>
    std::span<const T> values() const;

    /// One number of one particle, whatever its type.
    double at(std::size_t row, int component = 0) const;
};

extern template TREACLE_EXPORT std::span<const float> Column::values<float>() const;
extern template TREACLE_EXPORT std::span<const double> Column::values<double>() const;
extern template TREACLE_EXPORT std::span<const std::uint32_t> Column::values<std::uint32_t>() const;
extern template TREACLE_EXPORT std::span<const std::uint8_t> Column::values<std::uint8_t>() const;

/// A solid. All vectors are x, y, z.
struct Body {
    std::string name;
    std::array<double, 3> position{};            ///< m
    std::array<double, 4> rotation{1, 0, 0, 0};  ///< quaternion w, x, y, z
    std::array<double, 3> velocity{};            ///< m/s, of the position
    std::array<double, 3> angular_velocity{};    ///< rad/s
    std::array<double, 3> force{};               ///< N, by the fluid, in the last step
    std::array<double, 3> torque{};              ///< N·m, about the position
    bool dynamic = false;                        ///< fluid and gravity move it
};

/// The particles and bodies of one moment. Columns point into the simulation or snapshot that gave it.
struct TREACLE_EXPORT Frame {
    double time = 0;         ///< s
    std::uint64_t step = 0;  ///< steps done since the start
    int number = 1;          ///< the last frame that was completed; frame 1 is the start
    int dimension = 3;       ///< 2 or 3; in 2D z is 0 and masses are per meter of depth
    std::size_t particles = 0;
    /// Who is who: particles change their rows from time to time, but never their id.
    std::span<const std::uint32_t> ids;
    std::vector<Column> columns;
    std::vector<Body> bodies;

    /// By name; an Error that lists the names there are if it is not among them.
    const Column& column(std::string_view name) const;
    const Body& body(std::string_view name) const;

    bool has(std::string_view column) const;
};

}  // namespace treacle::v0
