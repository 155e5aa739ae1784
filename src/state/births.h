#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace treacle {

/// Marks the particles that have just come into being.
class Births {
public:
    static Births none() { return Births(false); }
    static Births all() { return Births(true); }

    /// One mark per particle, 1: it has just come into being.
    explicit Births(std::span<const std::uint8_t> marks) : marks_(marks) {}

    /// Whether there is a mark for each of `particles`, or none is needed.
    bool of(std::size_t particles) const { return marks_.empty() || marks_.size() == particles; }
    bool any() const { return every_one_ || !marks_.empty(); }
    bool operator[](std::size_t i) const { return every_one_ || (!marks_.empty() && marks_[i] != 0); }

private:
    explicit Births(bool every_one) : every_one_(every_one) {}

    std::span<const std::uint8_t> marks_;
    bool every_one_ = false;
};

}  // namespace treacle
