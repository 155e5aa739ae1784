#include "blocks/elastic/impacts.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>
#include <vector>

#include "core/promises.h"
#include "math/reproducible.h"

namespace treacle {

namespace {

struct Mean {
    double sum = 0, count = 0;
};

/// Mean of value(i) over every piece, by its number. A block of rows gives a sum for each piece that it meets.
template <class Value>
std::vector<Mean> means_of_pieces(Rows rows, const Parallel& parallel, std::span<const std::uint32_t> piece,
                                  const Value& value) {
    struct Shares {
        std::vector<std::pair<std::uint32_t, Mean>> of_pieces;
        Shares& operator+=(const Shares& other) {
            of_pieces.insert(of_pieces.end(), other.of_pieces.begin(), other.of_pieces.end());
            return *this;
        }
    };
    const Shares shares = parallel.fold_blocks(rows, Shares{}, [&](Shares& block, std::size_t begin, std::size_t end) {
        std::vector<std::uint32_t> by_piece(end - begin);
        std::iota(by_piece.begin(), by_piece.end(), static_cast<std::uint32_t>(begin));
        std::ranges::stable_sort(by_piece, {}, [&](std::uint32_t i) { return piece[i]; });
        for (const std::uint32_t i : by_piece) {
            if (block.of_pieces.empty() || block.of_pieces.back().first != piece[i])
                block.of_pieces.push_back({piece[i], {}});
            block.of_pieces.back().second.sum += value(i);
            block.of_pieces.back().second.count += 1;
        }
    });
    std::vector<Mean> means(
        parallel.max(rows, std::size_t{0}, [&](std::size_t i) { return piece[i] + std::size_t{1}; }));
    for (const auto& [number, share] : shares.of_pieces) {
        means[number].sum += share.sum;
        means[number].count += share.count;
    }
    return means;
}

}  // namespace

template <class S>
void Impacts<S>::record(const FluidView<S>& fluid, const BlockContext<S>& context,
                        std::span<const Row> wall_displacement, std::span<const std::uint32_t> piece,
                        std::span<Real> push, std::span<Real> impact) const {
    assert(promises::sized(fluid.size(), wall_displacement, piece, push, impact));
    assert(promises::finite(wall_displacement) && averaging_time > 0 && context.dt > 0);
    const auto stage = context.timer.stage("references");
    const std::vector<Mean> pieces = means_of_pieces(fluid.rows(), context.parallel, piece, [&](std::size_t i) {
        return static_cast<double>(length(wall_displacement[i].xyz()));
    });
    const double square = context.dt * context.dt;
    const Real share = static_cast<Real>(reproducible::one_minus_exp_minus(context.dt / averaging_time));
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const Mean& mean = pieces[piece[i]];
        push[i] += share * (static_cast<Real>(mean.sum / mean.count / square) - push[i]);
        impact[i] = std::max(impact[i], push[i]);
    });
}

template struct Impacts<Space2f>;
template struct Impacts<Space3f>;
template struct Impacts<Space2d>;
template struct Impacts<Space3d>;

}  // namespace treacle
