#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "methods/method.h"
#include "scene/scene.h"
#include "sim/similarity.h"

namespace treacle {

/// The cost of a scene, predicted before anything is allocated.
struct Preflight {
    struct OfFluid {
        std::string name;  ///< material and number
        double particles;
    };
    std::vector<OfFluid> fluids;
    double particles = 0;
    double memory_bytes = 0;
    double available_bytes = 0;  ///< of this machine, now
    double bytes_per_frame = 0;  ///< on disk, all formats
    int frames = 0;
    std::vector<TimeStepLimit> time_step_limits;  ///< for fluid at rest
    double steps = 0;                             ///< at the smallest of them
    std::vector<std::string> warnings;
    std::vector<DerivedValue> derived;
    std::vector<Similarity> numbers;
    std::vector<std::string> look_alikes;  ///< a sentence for each viscous material
};

Preflight predict(const Scene& scene);

/// Particles that will be left out because they stand inside a solid. It takes as long as laying them, so who is about
/// to do that need not ask; nothing if there are so many that a prediction would take too long.
std::optional<std::size_t> count_overlap(const Scene& scene);

/// Refuses what cannot fit: an error that says how much is needed, how much there is and which spacing would do.
Result<void> refuse_if_too_large(const Scene& scene, const Preflight& preflight);

}  // namespace treacle
