#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace treacle {

/// Parallel loops and ordered reductions. The work is cut into blocks whose size does not depend on the number of
/// threads, each block is done by one thread in index order, and partial results are added in block order: the
/// bits are the same for any number of threads. This is the only place that names the threading library.
class Parallel {
public:
    static constexpr std::size_t block_size = 1024;  ///< of reductions: changing it changes bits
    static constexpr std::size_t small_block =
        256;  ///< of loops without sums: a thousand rows already occupy all cores

    /// 0 = as many threads as the machine has cores.
    explicit Parallel(int threads = 0);
    ~Parallel();
    Parallel(const Parallel&) = delete;
    Parallel& operator=(const Parallel&) = delete;

    int threads() const { return threads_; }

    static std::size_t block_count(std::size_t count) { return (count + block_size - 1) / block_size; }

    using BlockBody = std::function<void(std::size_t begin, std::size_t end, std::size_t block)>;

    /// body(begin, end, block) for every block of `size` indices.
    void for_blocks(std::size_t count, std::size_t size, const BlockBody& body) const;

    /// The same for blocks of 1024.
    void for_blocks(std::size_t count, const BlockBody& body) const { for_blocks(count, block_size, body); }

    /// body(i) for every i < count; it may write row i only.
    template <class Body>
    void for_each(std::size_t count, const Body& body) const {
        for_blocks(count, small_block, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t i = begin; i < end; ++i) body(i);
        });
    }

    /// Sum of term(i), in double (or any type with +=), in block order.
    template <class Sum, class Term>
    Sum sum(std::size_t count, const Term& term) const {
        std::vector<Sum> partial(block_count(count), Sum{});
        for_blocks(count, [&](std::size_t begin, std::size_t end, std::size_t block) {
            Sum local{};
            for (std::size_t i = begin; i < end; ++i) local += term(i);
            partial[block] = local;
        });
        Sum total{};
        for (const Sum& part : partial) total += part;
        return total;
    }

    /// Largest of term(i), or `lowest` if count is 0.
    template <class Value, class Term>
    Value max(std::size_t count, Value lowest, const Term& term) const {
        std::vector<Value> partial(block_count(count), lowest);
        for_blocks(count, [&](std::size_t begin, std::size_t end, std::size_t block) {
            Value local = lowest;
            for (std::size_t i = begin; i < end; ++i) local = std::max(local, term(i));
            partial[block] = local;
        });
        for (const Value& part : partial) lowest = std::max(lowest, part);
        return lowest;
    }

private:
    struct Backend;
    int threads_;
    std::unique_ptr<Backend> backend_;
};

/// Threads the machine offers to this process.
int hardware_threads();

}  // namespace treacle
