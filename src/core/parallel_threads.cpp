#include <atomic>
#include <thread>

#include "core/parallel.h"

// Back end without oneTBB, for the thread sanitizer: Debian's oneTBB is not instrumented and would give false
// reports. Threads are started per loop; speed does not matter here.

namespace treacle {

struct Parallel::Backend {};

Parallel::Parallel(int threads) : threads_(threads > 0 ? threads : hardware_threads()) {}

Parallel::~Parallel() = default;

void Parallel::for_blocks(std::size_t count, std::size_t size, const BlockBody& body) const {
    const std::size_t blocks = (count + size - 1) / size;
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t block = next++; block < blocks; block = next++) {
            body(block * size, std::min(count, (block + 1) * size), block);
        }
    };
    std::vector<std::thread> workers;
    const std::size_t helpers = std::min<std::size_t>(static_cast<std::size_t>(threads_), blocks);
    for (std::size_t n = 1; n < helpers; ++n) workers.emplace_back(work);
    work();
    for (std::thread& worker : workers) worker.join();
}

}  // namespace treacle
