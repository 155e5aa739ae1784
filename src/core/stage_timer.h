#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace treacle {

/// Wall seconds spent in each named stage of the steps, in order of first use.
class StageTimer {
public:
    /// Adds the time from its construction to its destruction to one stage.
    class Scope {
    public:
        Scope(StageTimer& timer, const char* stage) : timer_(timer), stage_(stage) {}
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        StageTimer& timer_;
        const char* stage_;
        std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    };

    [[nodiscard]] Scope stage(const char* name) { return Scope(*this, name); }
    void add(const std::string& stage, double seconds);
    const std::vector<std::pair<std::string, double>>& seconds() const { return seconds_; }

private:
    std::vector<std::pair<std::string, double>> seconds_;
};

}  // namespace treacle
