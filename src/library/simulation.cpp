#include <treacle/simulation.h>

#include <algorithm>
#include <optional>

#include "core/json.h"
#include "library/error.h"
#include "library/frame.h"
#include "scene/reader.h"
#include "scene/scene_json.h"
#include "sim/simulation.h"

namespace treacle::v0 {

/// Both know the simulation they belong to by an object that they share.
struct Snapshot::Inside {
    std::shared_ptr<const treacle::Snapshot> moment;
    std::shared_ptr<const int> origin;
};

struct Simulation::Inside {
    std::unique_ptr<treacle::Simulation> simulation;
    std::shared_ptr<const int> origin = std::make_shared<const int>();
};

namespace {

Log log_of(const Options& options) {
    Log log;
    if (options.warning) log.warning = options.warning;
    return log;
}

std::optional<std::string> method_of(const Options& options) {
    return options.method.empty() ? std::nullopt : std::optional(options.method);
}

std::unique_ptr<treacle::Simulation> started(const Scene& scene, const Options& options) {
    return value_of(treacle::Simulation::create(scene, options.threads, log_of(options)));
}

}  // namespace

const char* version() { return TREACLE_VERSION; }

Snapshot::Snapshot(std::shared_ptr<const Inside> inside) : inside_(std::move(inside)) {}
Snapshot::Snapshot(const Snapshot&) = default;
Snapshot::Snapshot(Snapshot&&) noexcept = default;
Snapshot& Snapshot::operator=(const Snapshot&) = default;
Snapshot& Snapshot::operator=(Snapshot&&) noexcept = default;
Snapshot::~Snapshot() = default;

double Snapshot::time() const { return inside_->moment->state.time; }
std::uint64_t Snapshot::step() const { return inside_->moment->state.step; }
Frame Snapshot::frame() const { return frame_of(inside_->moment->state, inside_->moment->scene.dimension); }

Simulation::Simulation(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

Simulation Simulation::from_file(const std::string& path, const Options& options) {
    const Scene scene = value_of(read_scene_file(path, options.overrides, method_of(options), log_of(options)));
    return Simulation(std::make_unique<Inside>(Inside{started(scene, options)}));
}

Simulation Simulation::from_text(std::string_view text, const Options& options, const std::string& file) {
    const Scene scene = value_of(read_scene_text(text, file, options.overrides, method_of(options), log_of(options)));
    return Simulation(std::make_unique<Inside>(Inside{started(scene, options)}));
}

Step Simulation::step() {
    const StepInfo info = value_of(inside_->simulation->step());
    return {.time = info.time,
            .dt = info.dt,
            .limited_by = info.limited_by,
            .iterations = info.iterations,
            .particles = info.particles,
            .frame_done = info.frame_done};
}

void Simulation::advance_to(double time) { value_of(inside_->simulation->advance_to(time)); }

void Simulation::advance_frame() {
    value_of(inside_->simulation->advance_frame([](const StepInfo&) { return true; }));
}

void Simulation::set(const std::string& pointer, double value) {
    value_of(inside_->simulation->set(pointer, Json(value)));
}

void Simulation::set(const std::string& pointer, const std::string& value) {
    value_of(inside_->simulation->set(pointer, override_value(value)));
}

Snapshot Simulation::snapshot() const {
    return Snapshot(
        std::make_shared<const Snapshot::Inside>(Snapshot::Inside{inside_->simulation->snapshot(), inside_->origin}));
}

void Simulation::restore(const Snapshot& snapshot) {
    if (snapshot.inside_->origin != inside_->origin) {
        throw wrong_input("the snapshot belongs to another simulation");
    }
    inside_->simulation->restore(*snapshot.inside_->moment);
}

double Simulation::time() const { return inside_->simulation->state().time; }
std::uint64_t Simulation::steps() const { return inside_->simulation->state().step; }
std::size_t Simulation::particles() const { return inside_->simulation->state().particles.size(); }
int Simulation::threads() const { return inside_->simulation->threads(); }

Frame Simulation::frame() const {
    return frame_of(inside_->simulation->state(), inside_->simulation->scene().dimension);
}

std::vector<Metric> Simulation::metrics() {
    const std::vector<std::string> names = inside_->simulation->metrics_names();
    const std::vector<double> row = inside_->simulation->metrics(0);
    std::vector<Metric> metrics;
    for (std::size_t n = 0; n < names.size(); ++n) {
        if (names[n] != "wall_seconds") metrics.push_back({names[n], row[n]});  // only a run knows its time
    }
    return metrics;
}

double Simulation::metric(std::string_view name) {
    const std::vector<Metric> all = metrics();
    const auto at = std::find_if(all.begin(), all.end(), [&](const Metric& metric) { return metric.name == name; });
    if (at != all.end()) return at->value;
    std::vector<std::string> known;
    for (const Metric& metric : all) known.push_back(metric.name);
    throw unknown_name("metric", name, known);
}

std::string Simulation::scene() const { return to_text(scene_to_json(inside_->simulation->scene())); }

std::uint64_t Simulation::state_hash() const { return treacle::state_hash(inside_->simulation->state()); }

}  // namespace treacle::v0
