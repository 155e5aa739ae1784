#include "simd/dispatch.h"

#include <atomic>
#include <cstdlib>

namespace treacle::simd {

namespace {

Choice at_start() {
    const char* wish = std::getenv("TREACLE_SIMD");
    if (wish) {
        for (const Choice c : {Choice::scalar, Choice::sse4, Choice::avx2, Choice::avx512}) {
            if (std::string_view(wish) == name(c) && available(c)) return c;
        }
    }
    for (const Choice c : {Choice::avx512, Choice::avx2, Choice::sse4}) {
        if (available(c)) return c;
    }
    return Choice::scalar;
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
        case Choice::avx512: return "avx512";
    }
    return "";
}

bool available(Choice choice) {
    if (TREACLE_SCALAR_ONLY) return choice == Choice::scalar;
    switch (choice) {
        case Choice::scalar:
        case Choice::sse4: return true;  // the whole program is built for x86-64-v2, which has SSE4
        case Choice::avx2: return __builtin_cpu_supports("avx2");
        case Choice::avx512:
            return available(Choice::avx2) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                   __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
    }
    return false;
}

Choice choice() { return current().load(std::memory_order_relaxed); }

bool choose(Choice choice) {
    if (!available(choice)) return false;
    current().store(choice, std::memory_order_relaxed);
    return true;
}

}  // namespace treacle::simd
