#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "core/parallel.h"

namespace treacle {

struct Parallel::Backend {
    explicit Backend(int threads) : arena(threads) {}

    // oneTBB caps its workers at the number of cores; more threads than cores must really run when a test asks for
    // them. The smallest of all living limits counts, so every one is large; the arena sets the real number.
    tbb::global_control limit{tbb::global_control::max_allowed_parallelism, 256};
    tbb::task_arena arena;
};

Parallel::Parallel(int threads)
    : threads_(threads > 0 ? threads : hardware_threads()), backend_(std::make_unique<Backend>(threads_)) {}

Parallel::~Parallel() = default;

void Parallel::for_blocks(std::size_t count, std::size_t size, const BlockBody& body) const {
    const std::size_t blocks = (count + size - 1) / size;
    const auto run_block = [&](std::size_t block) { body(block * size, std::min(count, (block + 1) * size), block); };
    if (threads_ == 1 || blocks <= 1) {
        for (std::size_t block = 0; block < blocks; ++block) run_block(block);
        return;
    }
    backend_->arena.execute([&] {
        tbb::parallel_for(tbb::blocked_range<std::size_t>(0, blocks, 1), [&](const auto& range) {
            for (std::size_t block = range.begin(); block != range.end(); ++block) run_block(block);
        });
    });
}

}  // namespace treacle
