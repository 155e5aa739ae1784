#include "neighbors/morton_order.h"

#include <bit>
#include <numeric>

namespace treacle {

namespace {

int bits_for(std::uint32_t cells) { return cells <= 1 ? 0 : std::bit_width(cells - 1); }

}  // namespace

std::uint64_t MortonTables::code_count(const std::array<std::uint32_t, 3>& cells) {
    return std::uint64_t{1} << std::min(63, bits_for(cells[0]) + bits_for(cells[1]) + bits_for(cells[2]));
}

void MortonTables::build(const std::array<std::uint32_t, 3>& cells) {
    std::array<int, 3> bits;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        bits[axis] = bits_for(cells[axis]);
        table_[axis].assign(cells[axis], 0);
    }
    int position = 0;
    for (int level = 0; level < 32; ++level) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (level >= bits[axis]) continue;
            for (std::uint32_t c = 0; c < cells[axis]; ++c) {
                table_[axis][c] |= static_cast<std::uint64_t>((c >> level) & 1u) << position;
            }
            ++position;
        }
    }
    code_count_ = std::uint64_t{1} << position;
}

namespace {

/// Spreads the low 21 bits so that two free bits follow each.
std::uint64_t spread(std::uint64_t x) {
    x &= 0x1FFFFF;
    x = (x | x << 32) & 0x1F00000000FFFFull;
    x = (x | x << 16) & 0x1F0000FF0000FFull;
    x = (x | x << 8) & 0x100F00F00F00F00Full;
    x = (x | x << 4) & 0x10C30C30C30C30C3ull;
    return (x | x << 2) & 0x1249249249249249ull;
}

}  // namespace

template <class Real>
std::vector<std::uint32_t> morton_order(std::span<const Row4<Real>> positions, std::span<const std::uint32_t> id,
                                        double cell_side) {
    const auto bounds = bounds_of(positions);
    const CellFrame frame{cast<double>(bounds.low), {cell_side, cell_side, cell_side}};
    std::vector<std::uint64_t> code(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const auto cell = frame.cell(positions[i].xyz());
        const auto axis = [&](std::size_t a) {  // beyond 2^21 cells the order gets coarse, which is only slower
            return spread(static_cast<std::uint64_t>(std::min(cell[a], 0x1FFFFF)));
        };
        code[i] = axis(0) | axis(1) << 1 | axis(2) << 2;
    }
    std::vector<std::uint32_t> order(positions.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return code[a] != code[b] ? code[a] < code[b] : id[a] < id[b]; });
    return order;
}

template std::vector<std::uint32_t> morton_order<float>(std::span<const Row4<float>>, std::span<const std::uint32_t>,
                                                        double);
template std::vector<std::uint32_t> morton_order<double>(std::span<const Row4<double>>, std::span<const std::uint32_t>,
                                                         double);

}  // namespace treacle
