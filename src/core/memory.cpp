#include "core/memory.h"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace treacle {

namespace {

/// What a limit of the address space (ulimit -v) leaves to this process; without one, more than any machine has.
double available_addresses() {
    std::ifstream limits("/proc/self/limits"), sizes("/proc/self/status");
    std::string line, word;
    double limit = 0, kilobytes = 0;
    while (std::getline(limits, line)) {
        if (!line.starts_with("Max address space") || !(std::istringstream(line.substr(17)) >> limit)) continue;
        while (sizes >> word) {
            if (word == "VmSize:" && sizes >> kilobytes) return std::max(0.0, limit - kilobytes * 1024);
        }
    }
    return 1e18;
}

}  // namespace

double available_memory() {
    std::ifstream file("/proc/meminfo");
    std::string word;
    double kilobytes = 0;
    while (file >> word) {
        if (word == "MemAvailable:" && file >> kilobytes) return std::min(kilobytes * 1024, available_addresses());
    }
    return 4e9;  // no /proc: a cautious guess
}

double peak_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024;
}

}  // namespace treacle
