#include <cstdio>
#include <memory>

#include "core/text.h"
#include "scene/tables.h"
#include "options.h"
#include "sim/preflight.h"

namespace treacle {

namespace {

void print(const Scene& scene, const Preflight& p) {
    std::printf("%s: %s in %dD, %s precision\n", scene.file.c_str(), scene.method.c_str(), scene.dimension,
                precision_word(scene.precision));
    for (const auto& fluid : p.fluids) std::printf("  %12.0f particles of %s\n", fluid.particles, fluid.name.c_str());
    std::printf("particles         %.0f, spacing %s m\n", p.particles, number_text(scene.particle_spacing).c_str());
    std::printf("memory            about %s of %s available\n", bytes_text(p.memory_bytes).c_str(),
                bytes_text(p.available_bytes).c_str());
    std::printf("frames            %d at %s per second, %s each, %s in all\n", p.frames,
                number_text(scene.time.fps).c_str(), bytes_text(p.bytes_per_frame).c_str(),
                bytes_text(p.bytes_per_frame * p.frames).c_str());
    for (const std::string& warning : p.warnings) std::printf("warning: %s\n", warning.c_str());
    for (const TimeStepLimit& limit : p.time_step_limits) {
        const std::string place = limit.pointer.empty() ? "" : " (" + limit.pointer + ")";
        std::printf("dt limit          %.3g s by %s%s\n", limit.dt, text_of(limit.bound), place.c_str());
    }
    std::printf("steps             about %.0f\n", p.steps);
    for (const auto& [name, value, unit] : p.derived) {
        std::printf("%-17s %.4g%s%s\n", name.c_str(), value, unit.empty() ? "" : " ", unit.c_str());
    }
    for (const Similarity& number : p.numbers) {
        std::printf("%-17s %.3g  %s\n", number.name.c_str(), number.value, number.meaning.c_str());
    }
    for (const std::string& text : p.look_alikes) std::printf("look              %s\n", text.c_str());
}

}  // namespace

Action add_check(CLI::App& app) {
    auto options = std::make_shared<SceneOptions>();
    options->declare(app);
    return [options]() -> int {
        auto scene = options->read(stderr_log());
        if (!scene) return report(scene.error());
        Preflight preflight = predict(*scene);
        if (const std::size_t overlap = count_overlap(*scene).value_or(0); overlap > 0) {
            preflight.warnings.push_back(std::to_string(overlap) +
                                         " fluid particles overlap a solid at the start and will be left out");
        }
        print(*scene, preflight);
        if (auto fits = refuse_if_too_large(*scene, preflight); !fits) return report(fits.error());
        return 0;
    };
}

}  // namespace treacle
