#include <cstdio>

#include "core/parallel.h"
#include "scene/reader.h"
#include "scene/sampling.h"

// Links the scene and nothing above it, as an editor or a converter of scenes would: reads a scene, samples its fluids
// and says how many particles there are.

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    const treacle::Result<treacle::Scene> scene = treacle::read_scene_file(argv[1]);
    if (!scene) {
        std::printf("%s", to_string(scene.error()).c_str());
        return 2;
    }
    std::size_t particles = 0;
    for (const treacle::Fluid& fluid : scene->fluids) {
        particles += sample_fluid(fluid, *scene, treacle::Parallel(1)).positions.size();
    }
    std::printf("%s %zu\n", scene->method.c_str(), particles);
}
