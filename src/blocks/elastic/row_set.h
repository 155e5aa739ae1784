#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace treacle {

/// Which particles stand in one row, each asked in a single step. Every thread has its own memory and never clears it:
/// an entry counts only if the row confirms it.
class RowSet {
public:
    RowSet(std::span<const std::uint32_t> row, std::vector<std::uint32_t>& place_of) : row_(row), place_of_(place_of) {
        for (std::size_t n = 0; n < row.size(); ++n) place_of_[row[n]] = static_cast<std::uint32_t>(n);
    }
    bool has(std::uint32_t j) const {
        const std::uint32_t place = place_of_[j];
        return place < row_.size() && row_[place] == j;
    }

    static std::vector<std::uint32_t>& memory(std::size_t particles) {
        thread_local std::vector<std::uint32_t> place_of;
        if (place_of.size() < particles) place_of.resize(particles);
        return place_of;
    }

private:
    std::span<const std::uint32_t> row_;
    std::vector<std::uint32_t>& place_of_;
};

}  // namespace treacle
