#pragma once

#include <cstdint>

namespace treacle {

/// Scatters the bits of a number (the last part of splitmix64): numbers that are close become unrelated.
constexpr std::uint64_t mix64(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

/// Random numbers with the same bits on every machine (splitmix64). Different seeds give unrelated series.
class Random {
public:
    static constexpr std::uint64_t stride = 0x9E3779B97F4A7C15ull;  ///< 2^64 over the golden ratio

    explicit Random(std::uint64_t seed) : state_(seed * 0xD1342543DE82EF95ull) {}

    /// The series of a numbered thing, such as a particle.
    static Random of_number(std::uint64_t number) {
        Random random(0);
        random.state_ = (number + 1) * stride;
        return random;
    }

    /// From 0 up to, but not including, 1.
    double next() {
        state_ += stride;
        return static_cast<double>(mix64(state_) >> 11) / 9007199254740992.0;
    }

private:
    std::uint64_t state_;
};

}  // namespace treacle
