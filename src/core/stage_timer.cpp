#include "core/stage_timer.h"

namespace treacle {

StageTimer::Scope::~Scope() {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    timer_.add(stage_, elapsed.count());
}

void StageTimer::add(const std::string& stage, double seconds) {
    for (auto& [name, total] : seconds_) {
        if (name == stage) {
            total += seconds;
            return;
        }
    }
    seconds_.emplace_back(stage, seconds);
}

}  // namespace treacle
