#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace treacle {

/// Rows of a table of particles. This process computes the first `own` of them. The others, up to `all`, are copies of
/// rows that another process computes; a process alone has none.
struct Rows {
    std::size_t own = 0, all = 0;

    /// `count` rows, all of them ours.
    static Rows of(std::size_t count) { return {count, count}; }
};

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

    /// body(i) for every row of ours; it may write row i only.
    template <class Body>
    void for_each(Rows rows, const Body& body) const {
        for_each(rows.own, body);
    }

    /// The one way to add up over particles: body(sum, begin, end) adds the rows of one block of 1024 to its sum, which
    /// starts at `zero`, and the sums of the blocks are added in their order.
    template <class Sum, class Body>
    Sum fold_blocks(Rows rows, const Sum& zero, const Body& body) const {
        std::vector<Sum> partial(block_count(rows.own), zero);
        for_blocks(rows.own, [&](std::size_t begin, std::size_t end, std::size_t block) {
            Sum local = zero;
            body(local, begin, end);
            partial[block] = std::move(local);
        });
        Sum total = zero;
        for (const Sum& part : partial) total += part;
        return total;
    }

    /// The same with body(sum, i), row by row.
    template <class Sum, class Body>
    Sum fold(Rows rows, const Sum& zero, const Body& body) const {
        return fold_blocks(rows, zero, [&](Sum& local, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) body(local, i);
        });
    }

    /// Sum of term(i), in double (or any type with +=).
    template <class Sum, class Term>
    Sum sum(Rows rows, const Term& term) const {
        return fold(rows, Sum{}, [&](Sum& partial, std::size_t i) { partial += term(i); });
    }

    /// Mean of term(i) over all particles; 0 if there are none.
    template <class Term>
    double mean(Rows rows, const Term& term) const {
        return sum<double>(rows, term) / static_cast<double>(std::max<std::size_t>(1, rows.own));
    }

    /// Largest of term(i), or `lowest` if there are no rows.
    template <class Value, class Term>
    Value max(Rows rows, Value lowest, const Term& term) const {
        std::vector<Value> partial(block_count(rows.own), lowest);
        for_blocks(rows.own, [&](std::size_t begin, std::size_t end, std::size_t block) {
            Value local = lowest;
            for (std::size_t i = begin; i < end; ++i) local = std::max(local, term(i));
            partial[block] = local;
        });
        for (const Value& part : partial) lowest = std::max(lowest, part);
        return lowest;
    }

    /// Whether value(i) is equal for all particles.
    template <class Value>
    bool all_equal(Rows rows, const Value& value) const {
        struct Seen {
            std::optional<decltype(value(std::size_t{}))> first{};
            bool equal = true;
            Seen& operator+=(const Seen& other) {
                if (!first) first = other.first;
                equal = equal && other.equal && (!other.first || *first == *other.first);
                return *this;
            }
        };
        const auto look = [&](Seen& seen, std::size_t begin, std::size_t end) {
            seen.first = value(begin);
            for (std::size_t i = begin; i < end && seen.equal; ++i) seen.equal = value(i) == *seen.first;
        };
        return fold_blocks(rows, Seen{}, look).equal;
    }

private:
    struct Backend;
    int threads_;
    std::unique_ptr<Backend> backend_;
};

/// Threads the machine offers to this process.
int hardware_threads();

}  // namespace treacle
