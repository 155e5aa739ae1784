#pragma once

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <sys/time.h>
#include <unistd.h>

#include "support/mutator.h"

extern "C" [[gnu::weak]] void __sanitizer_set_death_callback(void (*)());

namespace treacle::test {

/// Reports the present seed if the program dies, or computes for longer than any input may take. The seconds are those
/// of the processor: on a busy machine any number of them pass on the clock. Who waits for ever is ended by ctest.
class Watch {
public:
    static constexpr int longest = TREACLE_SANITIZED ? 60 : 30;  // seconds; a mutation takes milliseconds

    explicit Watch(const char* name, int limit = longest) : limit_(limit) {
        name_ = name;
        for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF}) {
            if (!sanitized() || signal == SIGPROF)
                std::signal(signal, [](int number) {
                    tell();
                    std::signal(number, SIG_DFL);
                    raise(number);
                });
        }
        if (sanitized()) __sanitizer_set_death_callback(tell);
    }
    ~Watch() { end_after(0); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    void begin(std::uint32_t seed) {
        seed_ = seed;
        end_after(limit_);
    }

private:
    static void end_after(int seconds) {
        const itimerval timer{{0, 0}, {seconds, 0}};
        setitimer(ITIMER_PROF, &timer, nullptr);
    }
    static bool sanitized() { return __sanitizer_set_death_callback != nullptr; }
    static void tell() {
        char text[100];
        const int length =
            std::snprintf(text, sizeof text, "\n%s: died or hung with TREACLE_FUZZ_FIRST=%u\n", name_, seed_);
        [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, text, static_cast<std::size_t>(length));
    }

    int limit_;
    static inline const char* name_ = "";
    static inline std::uint32_t seed_ = 0;
};

/// Calls body(seed) for `count` seeds. TREACLE_FUZZ_TIMES multiplies the number, TREACLE_FUZZ_FIRST starts elsewhere.
template <class Body>
void fuzz(const char* name, std::uint32_t count, const Body& body) {
    const char* times = std::getenv("TREACLE_FUZZ_TIMES");
    const char* first = std::getenv("TREACLE_FUZZ_FIRST");
    const auto begin = static_cast<std::uint32_t>(first ? std::atol(first) : 0);
    count = static_cast<std::uint32_t>(count * (times ? std::atof(times) : 1.0));
    Watch watch(name);
    for (std::uint32_t seed = begin; seed < begin + count; ++seed) {
        watch.begin(seed);
        body(seed);
        if (testing::Test::HasFailure()) {
            ADD_FAILURE() << name << ": TREACLE_FUZZ_FIRST=" << seed;
            return;
        }
    }
}

}  // namespace treacle::test
