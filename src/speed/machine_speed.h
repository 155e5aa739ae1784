#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"

namespace treacle {

/// How long to measure: best of `rounds`, each at least `seconds` of wall time.
struct BenchEffort {
    int warm_up_steps = 20;
    int rounds = 5;
    double seconds = 0.5;
};

/// A scene of the benchmark: fluid in a tank, falling over.
struct BenchScene {
    const char* name;
    int dimension;
    std::size_t particles;  ///< approximate number
    bool springs;
};

/// One scene on a number of threads; times are those of the best round.
struct BenchRun {
    std::string scene;
    std::string method;
    int dimension = 3;
    std::size_t particles = 0;
    int threads = 1;
    std::size_t steps = 0;                               ///< in the best round
    double step_seconds = 0;                             ///< wall time of a step
    double cpu_seconds = 0;                              ///< of all threads per step: holds on a busy machine too
    double memory_per_particle = 0;                      ///< bytes that the simulation holds
    std::vector<std::pair<std::string, double>> stages;  ///< ns per particle and step

    double nanoseconds() const { return step_seconds / static_cast<double>(particles) * 1e9; }
    double cpu_nanoseconds() const { return cpu_seconds / static_cast<double>(particles) * 1e9; }
    double steps_per_second() const { return 1 / step_seconds; }
    double particle_steps_per_second() const { return static_cast<double>(particles) / step_seconds; }
};

Result<BenchRun> measure_scene(const BenchScene& scene, int threads, const BenchEffort& effort);

/// A pass on its own on one core: CPU time.
struct BenchPass {
    std::string name;
    std::size_t particles = 0;
    double neighbors = 0;    ///< mean per particle
    double nanoseconds = 0;  ///< per particle
};

/// Neighbor search and density pass over 100k particles in 3D, with 29 neighbors and with the number of clavet2005.
std::vector<BenchPass> measure_passes(const BenchEffort& effort);

}  // namespace treacle
