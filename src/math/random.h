#pragma once

#include <cstdint>

namespace treacle {

/// Random numbers with the same bits on every machine (splitmix64). Different seeds give unrelated series.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 0xD1342543DE82EF95ull) {}

    /// From 0 to 1, 1 left out.
    double next() {
        state_ += 0x9E3779B97F4A7C15ull;
        std::uint64_t x = (state_ ^ (state_ >> 30)) * 0xBF58476D1CE4E5B9ull;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
        return static_cast<double>((x ^ (x >> 31)) >> 11) / 9007199254740992.0;
    }

private:
    std::uint64_t state_;
};

}  // namespace treacle
