#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/parallel.h"
#include "math/sym_mat.h"
#include "math/vec.h"

namespace treacle {

enum class ScalarType : std::uint8_t { f32, f64, u32, u8 };
enum class ColumnShape : std::uint8_t { scalar, vector, symmetric_tensor };

std::size_t scalar_bytes(ScalarType type);

/// Scalars stored per row: 1, 4 (a vector is a packed row of four) or 6.
std::size_t scalars_per_row(ColumnShape shape);

struct ColumnInfo {
    std::string name;
    std::string unit;
    ColumnShape shape = ColumnShape::scalar;
    ScalarType type = ScalarType::f32;
    bool exported = false;   ///< written to frames
    bool persistent = true;  ///< part of the state: saved, hashed, moved on re-sorting. Scratch columns are not.
    bool strain = false;     ///< a measure of deformation: at rest wherever particles move rigidly

    std::size_t row_bytes() const { return scalar_bytes(type) * scalars_per_row(shape); }
};

/// Storage that starts on a cache line, for SIMD loads. Large arrays start at different places within a page: rows of
/// the same index would otherwise share a few sets of the cache, which makes re-ordering many times slower.
template <class T>
struct CacheLineAllocator {
    using value_type = T;
    static constexpr std::size_t line = 64;
    static constexpr std::size_t large = 1 << 15;  ///< bytes; smaller arrays are not worth the room
    static constexpr std::size_t places = 61;

    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U>&) {}

    T* allocate(std::size_t n) {
        const std::size_t bytes = n * sizeof(T);
        if (bytes < large) return static_cast<T*>(::operator new (bytes, std::align_val_t{line}));
        const std::size_t shift = line * (1 + next_place());
        auto* raw = static_cast<std::byte*>(::operator new (bytes + line * (places + 1), std::align_val_t{line}));
        std::memcpy(raw + shift - sizeof shift, &shift, sizeof shift);  // for deallocate, just before the array
        return reinterpret_cast<T*>(raw + shift);
    }
    void deallocate(T* p, std::size_t n) {
        auto* raw = reinterpret_cast<std::byte*>(p);
        if (n * sizeof(T) >= large) {
            std::size_t shift;
            std::memcpy(&shift, raw - sizeof shift, sizeof shift);
            raw -= shift;
        }
        ::operator delete (raw, std::align_val_t{line});
    }
    friend bool operator==(CacheLineAllocator, CacheLineAllocator) { return true; }

private:
    static std::size_t next_place() {
        static std::atomic<std::size_t> counter{0};
        return 5 * counter.fetch_add(1, std::memory_order_relaxed) % places;
    }
};

namespace detail {
template <class T>
struct ColumnTraits;
template <>
struct ColumnTraits<float> {
    static constexpr ScalarType type = ScalarType::f32;
    static constexpr ColumnShape shape = ColumnShape::scalar;
};
template <>
struct ColumnTraits<double> {
    static constexpr ScalarType type = ScalarType::f64;
    static constexpr ColumnShape shape = ColumnShape::scalar;
};
template <>
struct ColumnTraits<std::uint32_t> {
    static constexpr ScalarType type = ScalarType::u32;
    static constexpr ColumnShape shape = ColumnShape::scalar;
};
template <>
struct ColumnTraits<std::uint8_t> {
    static constexpr ScalarType type = ScalarType::u8;
    static constexpr ColumnShape shape = ColumnShape::scalar;
};
template <class Real>
struct ColumnTraits<Row4<Real>> {
    static constexpr ScalarType type = ColumnTraits<Real>::type;
    static constexpr ColumnShape shape = ColumnShape::vector;
};
template <class Real>
struct ColumnTraits<SymMat<Real>> {
    static constexpr ScalarType type = ColumnTraits<Real>::type;
    static constexpr ColumnShape shape = ColumnShape::symmetric_tensor;
};
}  // namespace detail

/// Named columns over the same rows. Re-sorting, removal, files and hashes work on all columns at once, so a
/// quantity that is a column needs no code of its own for them.
class ColumnTable {
public:
    struct Column {
        ColumnInfo info;
        std::vector<std::byte> at_rest;  ///< the content of new rows
        std::vector<std::byte, CacheLineAllocator<std::byte>> bytes;
    };

    std::size_t size() const { return size_; }
    const std::vector<Column>& all() const { return columns_; }
    bool has(std::string_view name) const { return find(name) != nullptr; }

    /// Adds a column, at rest, unless it is there already. T gives type and shape; a column of the same name with
    /// another type or shape is a bug.
    template <class T>
    void add(std::string name, std::string unit, bool exported = false, bool persistent = true, bool strain = false,
             const T& at_rest = {}) {
        std::vector<std::byte> value(sizeof(T));
        std::memcpy(value.data(), &at_rest, sizeof(T));
        add(ColumnInfo{std::move(name), std::move(unit), detail::ColumnTraits<T>::shape, detail::ColumnTraits<T>::type,
                       exported, persistent, strain},
            value);
    }
    /// `at_rest`: the bytes of one row; empty: zeros.
    void add(ColumnInfo info, std::vector<std::byte> at_rest = {});

    /// Rows of a column as T (float, Row4<double>, SymMat<float>, std::uint32_t …).
    template <class T>
    std::span<T> get(std::string_view name) {
        using Value = std::remove_const_t<T>;
        Column& column = require(name, detail::ColumnTraits<Value>::type, detail::ColumnTraits<Value>::shape);
        return {reinterpret_cast<T*>(column.bytes.data()), size_};
    }
    template <class T>
    std::span<const T> get(std::string_view name) const {
        return const_cast<ColumnTable*>(this)->get<const T>(name);
    }

    /// A column as plain bytes, row by row, whatever its type; for reading files.
    std::span<std::byte> bytes(std::string_view name);

    /// New rows are at rest.
    void resize(std::size_t rows);

    /// New row i is old row source[i]. Scratch columns keep their size and lose their content.
    void permute(std::span<const std::uint32_t> source, const Parallel* parallel = nullptr);

    /// Takes the strain out of the rows whose flag is set.
    void relieve(std::span<const std::uint8_t> rows);

    /// Copies all persistent values of one row to another.
    void copy_row(std::size_t from, std::size_t to);

    /// Becomes a copy of the other table but for its scratch columns, unless they are exported.
    void copy_without_scratch(const ColumnTable& other);

    /// Adds the scratch columns that only the other table has, at rest.
    void add_scratch_of(const ColumnTable& other);

private:
    const Column* find(std::string_view name) const;
    Column& require(std::string_view name, ScalarType type, ColumnShape shape);

    std::vector<Column> columns_;
    std::size_t size_ = 0;
};

/// Order-dependent 64-bit hash of bytes; equal hashes stand for equal bits.
class Hash {
public:
    void add(const void* data, std::size_t bytes);
    template <class T>
    void add(const T& value) {
        add(&value, sizeof value);
    }
    std::uint64_t value() const;

private:
    std::uint64_t state_ = 0x9E3779B97F4A7C15ull;
    std::uint64_t length_ = 0;
};

}  // namespace treacle
