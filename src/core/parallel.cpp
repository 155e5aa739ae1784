#include "core/parallel.h"

#include <thread>

namespace treacle {

int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace treacle
