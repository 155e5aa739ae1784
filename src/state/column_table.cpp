#include "state/column_table.h"

#include <algorithm>
#include <stdexcept>

#include "math/random.h"

namespace treacle {

std::size_t scalar_bytes(ScalarType type) {
    switch (type) {
        case ScalarType::f32: return 4;
        case ScalarType::f64: return 8;
        case ScalarType::u32: return 4;
        case ScalarType::u8: return 1;
    }
    return 0;
}

std::size_t scalars_per_row(ColumnShape shape) {
    switch (shape) {
        case ColumnShape::scalar: return 1;
        case ColumnShape::vector: return 4;
        case ColumnShape::symmetric_tensor: return 6;
    }
    return 0;
}

const ColumnTable::Column* ColumnTable::find(std::string_view name) const {
    for (const Column& column : columns_) {
        if (column.info.name == name) return &column;
    }
    return nullptr;
}

ColumnTable::Column& ColumnTable::require(std::string_view name, ScalarType type, ColumnShape shape) {
    auto* column = const_cast<Column*>(find(name));
    if (!column) throw std::logic_error("no column named " + std::string(name));
    if (column->info.type != type || column->info.shape != shape) {
        throw std::logic_error("column " + std::string(name) + " is of another type");
    }
    return *column;
}

namespace {

void resize_rows(ColumnTable::Column& column, std::size_t rows) {
    const std::size_t row = column.info.row_bytes(), before = column.bytes.size();
    column.bytes.resize(row * rows);
    if (std::ranges::all_of(column.at_rest, [](std::byte b) { return b == std::byte{0}; })) return;
    for (std::size_t at = before; at < column.bytes.size(); at += row)
        std::memcpy(&column.bytes[at], column.at_rest.data(), row);
}

}  // namespace

void ColumnTable::add(ColumnInfo info, std::vector<std::byte> at_rest) {
    if (has(info.name)) {
        Column& column = require(info.name, info.type, info.shape);
        column.info.strain = info.strain;
        column.at_rest = std::move(at_rest);
        return;
    }
    Column column{std::move(info), std::move(at_rest), {}};
    resize_rows(column, size_);
    columns_.push_back(std::move(column));
}

std::span<std::byte> ColumnTable::bytes(std::string_view name) {
    auto* column = const_cast<Column*>(find(name));
    if (!column) throw std::logic_error("no column named " + std::string(name));
    return column->bytes;
}

void ColumnTable::resize(std::size_t rows) {
    for (Column& column : columns_) resize_rows(column, rows);
    size_ = rows;
}

namespace {

/// Rows of a size known at compile time are moved without any call.
template <std::size_t Bytes>
void move_rows(std::span<const std::uint32_t> source, const std::byte* from, std::byte* to, std::size_t first,
               std::size_t last) {
    for (std::size_t i = first; i < last; ++i) std::memcpy(to + i * Bytes, from + source[i] * Bytes, Bytes);
}

void move_rows(std::size_t bytes, std::span<const std::uint32_t> source, const std::byte* from, std::byte* to,
               std::size_t first, std::size_t last) {
    switch (bytes) {
        case 1: return move_rows<1>(source, from, to, first, last);
        case 4: return move_rows<4>(source, from, to, first, last);
        case 8: return move_rows<8>(source, from, to, first, last);
        case 16: return move_rows<16>(source, from, to, first, last);
        case 24: return move_rows<24>(source, from, to, first, last);
        case 32: return move_rows<32>(source, from, to, first, last);
        case 48: return move_rows<48>(source, from, to, first, last);
        default:
            for (std::size_t i = first; i < last; ++i) std::memcpy(to + i * bytes, from + source[i] * bytes, bytes);
    }
}

}  // namespace

void ColumnTable::permute(std::span<const std::uint32_t> source, const Parallel* parallel) {
    assert(source.size() == size_);
    for (Column& column : columns_) {
        if (!column.info.persistent) continue;
        decltype(column.bytes) sorted(column.bytes.size());
        const auto move = [&](std::size_t first, std::size_t last, std::size_t) {
            move_rows(column.info.row_bytes(), source, column.bytes.data(), sorted.data(), first, last);
        };
        if (parallel) parallel->for_blocks(size_, move);
        else move(0, size_, 0);
        column.bytes.swap(sorted);
    }
}

void ColumnTable::relieve(std::span<const std::uint8_t> rows) {
    assert(rows.size() == size_);
    for (Column& column : columns_) {
        if (!column.info.strain) continue;
        const std::size_t row = column.info.row_bytes();
        for (std::size_t i = 0; i < size_; ++i) {
            if (rows[i]) std::memcpy(&column.bytes[i * row], column.at_rest.data(), row);
        }
    }
}

void ColumnTable::copy_without_scratch(const ColumnTable& other) {
    columns_.clear();
    size_ = other.size_;
    for (const Column& column : other.columns_) {
        if (column.info.persistent || column.info.exported) columns_.push_back(column);
    }
}

void ColumnTable::add_scratch_of(const ColumnTable& other) {
    for (const Column& column : other.columns_) {
        if (!column.info.persistent) add(column.info, column.at_rest);
    }
}

void ColumnTable::copy_row(std::size_t from, std::size_t to) {
    for (Column& column : columns_) {
        if (!column.info.persistent) continue;
        const std::size_t row = column.info.row_bytes();
        std::memmove(&column.bytes[to * row], &column.bytes[from * row], row);
    }
}

void Hash::add(const void* data, std::size_t bytes) {
    const auto* p = static_cast<const unsigned char*>(data);
    length_ += bytes;
    while (bytes > 0) {
        std::uint64_t word = 0;
        const std::size_t n = bytes < 8 ? bytes : 8;
        std::memcpy(&word, p, n);
        state_ = mix64(state_ ^ word) + Random::stride;
        p += n;
        bytes -= n;
    }
}

std::uint64_t Hash::value() const { return mix64(state_ ^ length_); }

}  // namespace treacle
