#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/json.h"
#include "scene/reader.h"
#include "sim/simulation.h"

/// Helpers for tests of whole simulations: read a scene from text, run it, get a metric or a column.

namespace treacle::test {

inline Scene scene_from(const std::string& text) {
    auto json = parse_json(text, "test");
    if (!json) throw std::runtime_error(to_string(json.error()));
    auto scene = read_scene(*json, "test", Log{});
    if (!scene) throw std::runtime_error(to_string(scene.error()));
    return *scene;
}

class RunningScene {
public:
    explicit RunningScene(const std::string& text, int threads = 2) : RunningScene(scene_from(text), threads) {}
    explicit RunningScene(const Scene& scene, int threads = 2) {
        auto created = Simulation::create(scene, threads, Log{});
        if (!created) throw std::runtime_error(to_string(created.error()));
        simulation_ = std::move(*created);
    }

    /// False if it diverged.
    bool advance(int frames) {
        for (int n = 0; n < frames; ++n) {
            const auto outcome = simulation_->advance_frame([](const StepInfo&) { return true; });
            if (!outcome) {
                error_ = to_string(outcome.error());
                return false;
            }
        }
        return true;
    }

    double metric(const std::string& name) const {
        const auto row = simulation_->metrics(0);
        const auto names = simulation_->metrics_names();
        for (std::size_t n = 0; n < row.size(); ++n) {
            if (names[n] == name) return row[n];
        }
        throw std::runtime_error("no metric " + name);
    }

    std::vector<Vec3d> vectors(const std::string& column) const {
        const Particles& p = state().particles;
        std::vector<Vec3d> result;
        if (p.real() == ScalarType::f32) {
            for (const auto& row : p.get<Row4<float>>(column)) result.push_back(cast<double>(row.xyz()));
        } else {
            for (const auto& row : p.get<Row4<double>>(column)) result.push_back(row.xyz());
        }
        return result;
    }
    std::vector<double> scalars(const std::string& column) const {
        const Particles& p = state().particles;
        if (p.real() == ScalarType::f64) {
            const auto values = p.get<double>(column);
            return {values.begin(), values.end()};
        }
        const auto values = p.get<float>(column);
        return {values.begin(), values.end()};
    }

    const State& state() const { return simulation_->state(); }
    Simulation& simulation() { return *simulation_; }
    const std::string& error() const { return error_; }

private:
    std::unique_ptr<Simulation> simulation_;
    std::string error_;
};

}  // namespace treacle::test
