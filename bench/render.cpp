// Pictures: a heap of balls at preview quality, and a surface of honey at normal quality, 640 × 360 pixels each.

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "render/render.h"

namespace treacle {
namespace {

RenderScene on_a_table() {
    RenderScene scene;
    scene.width = 640;
    scene.height = 360;
    scene.denoise = true;
    scene.film_curve = true;
    scene.camera = oriented_camera({30, 20}, {0, 1, 0});
    scene.camera.eye = Vec3d{0, 0.3, 0} - 4.5 * scene.camera.forward;
    scene.light.direction = {-0.41f, 0.82f, 0.4f};
    scene.grounds.push_back({{0, 0, 0}, {0, 1, 0}, {0.8f, 0.8f, 0.8f}, 0.2f, 20});
    return scene;
}

/// A heap of about this many particles, half of which are hidden inside.
RenderScene heap(int count) {
    RenderScene scene = on_a_table();
    scene.samples = 6;
    scene.bounces = 1;
    const double spacing = std::cbrt(2.0 / 3 * 3.14159265 / count);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> jitter(-0.2, 0.2);
    const int half = static_cast<int>(1 / spacing) + 1;
    for (int z = -half; z <= half; ++z) {
        for (int y = 0; y <= half; ++y) {
            for (int x = -half; x <= half; ++x) {
                const Vec3d p = spacing * Vec3d{x + jitter(random), y + 0.5 + jitter(random), z + jitter(random)};
                if (length(p) < 1)
                    scene.balls.push_back({cast<float>(p), static_cast<float>(0.56 * spacing), {0.6f, 0.3f, 0.05f}});
            }
        }
    }
    return scene;
}

/// A bumpy drop of this many triangles that hangs over the table.
RenderScene honey(int triangles) {
    RenderScene scene = on_a_table();
    scene.samples = 32;
    scene.bounces = 3;
    scene.substances.push_back(clear_substance(Look::honey, {0.75f, 0.32f, 0.012f}, 0.2));
    RenderMesh mesh;
    mesh.substance = 2;
    mesh.smooth = true;
    const auto rings = static_cast<std::uint32_t>(std::lround(0.5 * std::sqrt(triangles)));
    const std::uint32_t around = 2 * rings;
    for (std::uint32_t i = 0; i <= rings; ++i) {
        for (std::uint32_t j = 0; j < around; ++j) {
            const double a = 3.14159265358979 * i / rings, b = 2 * 3.14159265358979 * j / around;
            const double r = 0.8 + 0.03 * std::sin(9 * a) * std::sin(11 * b);
            mesh.vertices.push_back(cast<float>(
                Vec3d{r * std::sin(a) * std::cos(b), 0.85 + r * std::cos(a), -r * std::sin(a) * std::sin(b)}));
        }
    }
    for (std::uint32_t i = 0; i < rings; ++i) {
        for (std::uint32_t j = 0; j < around; ++j) {
            const std::uint32_t p = i * around + j, q = i * around + (j + 1) % around;
            mesh.triangles.push_back({p, p + around, q + around});
            mesh.triangles.push_back({p, q + around, q});
        }
    }
    scene.meshes.push_back(std::move(mesh));
    return scene;
}

void draw(benchmark::State& state, const RenderScene& scene, double things) {
    const Parallel parallel(static_cast<int>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(render(scene, parallel).rgb.data());
    state.counters["things"] = things;
}

void balls_at_preview_quality(benchmark::State& state) {
    const RenderScene scene = heap(100000);
    draw(state, scene, static_cast<double>(scene.balls.size()));
}

void honey_at_normal_quality(benchmark::State& state) {
    const RenderScene scene = honey(300000);
    draw(state, scene, static_cast<double>(scene.meshes.front().triangles.size()));
}

BENCHMARK(balls_at_preview_quality)->Arg(1)->Arg(2)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kSecond);
BENCHMARK(honey_at_normal_quality)->Arg(1)->Arg(2)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kSecond);

}  // namespace
}  // namespace treacle

BENCHMARK_MAIN();
