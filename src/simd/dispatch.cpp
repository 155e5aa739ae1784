#include "simd/dispatch.h"

#include <atomic>
#include <cstdlib>

namespace treacle::simd {

namespace {

Choice at_start() {
    const char* wish = std::getenv("TREACLE_SIMD");
    if (wish) {
        for (const Choice c : {Choice::scalar, Choice::sse4, Choice::avx2}) {
            if (std::string_view(wish) == name(c) && available(c)) return c;
        }
    }
    return available(Choice::avx2) ? Choice::avx2 : Choice::sse4;
}

std::atomic<Choice>& current() {
    static std::atomic<Choice> value{at_start()};
    return value;
}

}  // namespace

const char* name(Choice choice) {
    switch (choice) {
        case Choice::scalar: return "scalar";
        case Choice::sse4: return "sse4";
        case Choice::avx2: return "avx2";
    }
    return "";
}

// The whole program is built for x86-64-v2, which has SSE4.
bool available(Choice choice) { return choice != Choice::avx2 || __builtin_cpu_supports("avx2"); }

Choice choice() { return current().load(std::memory_order_relaxed); }

bool choose(Choice choice) {
    if (!available(choice)) return false;
    current().store(choice, std::memory_order_relaxed);
    return true;
}

}  // namespace treacle::simd
