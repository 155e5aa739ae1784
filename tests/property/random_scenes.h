#pragma once

#include <cstdint>
#include <string>

#include "random_run.h"
#include "support/every_method.h"

namespace treacle::test {

/// Random scenes of a method by their seeds, and the frames that each of them runs.
struct SceneRange {
    std::uint32_t first, last;  ///< the last one is left out
    int frames;
};

class RandomScenes : public testing::TestWithParam<std::string> {
protected:
    void run(SceneRange scenes) const {
        for (std::uint32_t seed = scenes.first; seed < scenes.last && !HasFailure(); ++seed) {
            run_random_scene(GetParam(), seed, scenes.frames);
        }
    }
};

}  // namespace treacle::test
