#include <algorithm>
#include <cstdio>
#include <memory>

#include "commands.h"
#include "core/json.h"
#include "core/text.h"
#include "io/ply.h"
#include "io/run_record.h"

namespace treacle {

namespace {

void print_member(const Json& object, const char* key, const char* unit = "") {
    const Json* value = object.find(key);
    if (!value) return;
    const std::string text = value->is_text() ? value->text : number_text(value->number);
    std::printf("%-26s %s%s%s\n", key, text.c_str(), *unit ? " " : "", unit);
}

int show(const std::string& path) {
    const auto run = RunRecord::open(path);
    if (!run) return report(run.error());
    print_member(run->manifest(), "version");
    print_member(run->manifest(), "method");
    print_member(run->scene(), "name");
    print_member(run->scene(), "dimension");
    print_member(run->scene(), "particle_spacing", "m");
    auto frames = run->folder().frames("ply");
    if (frames.empty()) frames = run->folder().frames("vtp");
    std::printf("%-26s %zu\n", "frames on disk", frames.size());
    std::printf("%-26s %zu\n", "checkpoints", run->folder().checkpoints().size());
    if (const Json summary = run->summary(); summary.is_object()) {
        for (const char* key :
             {"status", "simulated_seconds", "steps", "particles", "boundary_particles", "wall_seconds", "cpu_seconds",
              "particle_steps_per_second", "peak_memory_bytes", "threads", "state_hash"}) {
            print_member(summary, key);
        }
    } else {
        std::printf("%-26s %s\n", "status", "not finished (no summary.json)");
    }
    if (frames.empty()) return 0;
    const auto last = read_ply(frames.back().path);
    if (!last) return report(last.error());
    std::printf("\nframe %d: column, lowest, highest\n", frames.back().frame);
    for (const PlyTable::Column& column : last->columns) {
        if (column.values.empty()) continue;
        const auto [low, high] = std::minmax_element(column.values.begin(), column.values.end());
        std::printf("  %-16s %12.5g %12.5g %s\n", column.name.c_str(), *low, *high, column.unit.c_str());
    }
    return 0;
}

}  // namespace

Action add_info(CLI::App& app) {
    auto folder = std::make_shared<std::string>();
    app.add_option("run", *folder, "run folder")->required();
    return [folder] { return show(*folder); };
}

}  // namespace treacle
