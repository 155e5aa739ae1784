#include "claims/cost_table.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/text.h"
#include "scene/object_reader.h"

namespace treacle {

namespace {

const ParameterTable& cost_table_table() {
    static const ParameterTable table =
        ParameterTable("cost table")
            .add("title", &CostTable::title, {.required = true, .doc = "Which table it is and what it shows."})
            .add("machine", &CostTable::machine, {.required = true, .doc = "What the paper measured on."});
    return table;
}

const ParameterTable& cost_row_table() {
    static const ParameterTable table =
        ParameterTable("cost row")
            .add("row", &CostRow::row, {.required = true, .doc = "Name of the row in the paper."})
            .add("figure", &CostRow::figure, {.doc = "Our figure."})
            .add("run", &CostRow::run, {.doc = "Run of our figure."})
            .add("missing", &CostRow::missing, {.doc = "Why there is no figure of ours."})
            .add("fluid", &CostRow::fluid, {.low = 0, .high = 1e9, .required = true, .doc = "Its fluid particles."})
            .add("solid", &CostRow::solid, {.low = 0, .high = 1e9, .doc = "Its solid particles, if it tells."})
            .add("steps", &CostRow::steps, {.low = 0, .high = 1e9, .doc = "Its steps a frame, if it tells."})
            .add("iterations", &CostRow::iterations,
                 {.low = 0, .high = 1e9, .doc = "Its iterations a step, if it tells."})
            .add("neighbors", &CostRow::neighbors,
                 {.low = 0, .high = 1e9, .doc = "Its neighbors of a particle, itself included."})
            .add("seconds", &CostRow::seconds,
                 {.unit = "s", .low = 0, .high = 1e9, .doc = "Time of a frame in the paper."})
            .add("frames_per_second", &CostRow::frames_per_second,
                 {.unit = "1/s",
                  .low = 0,
                  .high = 1e9,
                  .low_open = true,
                  .doc = "Instead, where a frame is a step in the paper."});
    return table;
}

const ObjectKind& cost_row_kind() {
    static const ObjectKind kind{
        "cost row", "", {ParameterObject::of<CostRow>(cost_row_table())}, {}, {"figure", "missing"}};
    return kind;
}

const ObjectKind& cost_table_kind() {
    static const ObjectKind kind{"cost table",
                                 "",
                                 {ParameterObject::of<CostTable>(cost_table_table())},
                                 {{"rows", Form::list, "rows of the table", cost_row_kind, true}},
                                 {}};
    return kind;
}

std::optional<double> number_in(const Json& json, const char* key) {
    const Json* member = json.is_object() ? json.find(key) : nullptr;
    return member && member->is_number() ? std::optional(member->number) : std::nullopt;
}

void add_stages(const Json& summary, RunCost& cost) {
    const Json* stages = summary.is_object() ? summary.find("seconds_by_stage") : nullptr;
    if (!stages) return;
    double all = 0, ours = 0;
    for (const auto& [stage, seconds] : stages->members) {
        all += seconds.number;
        if (stage == "connections" || stage == "velocity correction") ours += seconds.number;
    }
    if (!(all > 0)) return;
    cost.stage_seconds = all;
    cost.correction_share = ours / all;
}

std::string digits(std::optional<double> value, int digits = 3) { return value ? digits_text(*value, digits) : "–"; }

std::string whole(std::optional<double> value) {
    if (!value) return "–";
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.0f", *value);
    return text.data();
}

std::optional<double> per(std::optional<double> seconds, double count) {
    return seconds && count > 0 ? std::optional(*seconds / count) : std::nullopt;
}

std::optional<double> times(std::optional<double> value, double factor) {
    return value ? std::optional(*value * factor) : std::nullopt;
}

}  // namespace

Result<RunCost> cost_of(const RunData& run) {
    RunCost cost;
    const std::size_t last = run.rows().size() - 1;
    cost.frames = static_cast<double>(last);
    double iterations = 0;
    for (std::size_t row = 1; row <= last; ++row) {
        const auto mean = run.metric(row, "iterations_mean"), steps = run.metric(row, "steps");
        for (const auto* value : {&mean, &steps}) {
            if (!*value) return tl::unexpected(value->error());
        }
        iterations += *mean * *steps;
        cost.steps += *steps;
    }
    if (cost.steps > 0) cost.iterations = iterations / cost.steps;
    const auto particles = run.metric(last, "particles"), connections = run.metric(last, "connections");
    const auto particles_before = run.metric(0, "particles"), connections_before = run.metric(0, "connections");
    for (const auto* value : {&particles, &connections, &particles_before, &connections_before}) {
        if (!*value) return tl::unexpected(value->error());
    }
    if (*particles_before > 0) cost.neighbors = 1 + 2 * *connections_before / *particles_before;
    cost.fluid = *particles;
    cost.connections = *particles > 0 ? *connections / *particles : 0;
    cost.solid = number_in(run.summary(), "boundary_particles");
    cost.cpu_seconds = number_in(run.summary(), "cpu_seconds");
    cost.wall_seconds = number_in(run.summary(), "wall_seconds");
    add_stages(run.summary(), cost);
    return cost;
}

Result<CostTable> read_cost_table(const std::string& path) {
    const auto root = read_json_file(path);
    if (!root) return tl::unexpected(root.error());
    ObjectReader reader(path, 0);
    CostTable table;
    const Place top{&*root, ""};
    if (reader.is_object(top, cost_table_kind())) {
        reader.read(top, cost_table_table(), &table);
        if (const Place rows = top.member("rows"); rows && reader.is_list(rows, "rows")) {
            for (std::size_t n = 0; n < rows.json->elements.size(); ++n) {
                const Place here = rows.element(n);
                if (!reader.is_object(here, cost_row_kind())) continue;
                CostRow& row = table.rows.emplace_back();
                reader.read(here, cost_row_table(), &row);
                if (row.figure.empty() != row.run.empty()) reader.problem(here, "\"figure\" and \"run\" go together");
                if ((row.seconds > 0) == (row.frames_per_second > 0)) {
                    reader.problem(here, "give \"seconds\" or \"frames_per_second\"");
                }
                if (table.by_rate() != (row.frames_per_second > 0)) {
                    reader.problem(here, "all rows give \"seconds\", or all give \"frames_per_second\"");
                }
            }
        }
    }
    if (!reader.problems().empty()) return fail(reader.problems());
    return table;
}

namespace {

using Costs = std::map<std::string, RunCost, std::less<>>;
using Lines = std::vector<std::vector<std::string>>;

/// The cost of our run; if there is none, adds the reason to the line.
const RunCost* find_cost(const CostRow& row, const Costs& costs, std::vector<std::string>& line) {
    const auto found = costs.find(row.figure + "/" + row.run);
    if (row.missing.empty() && found != costs.end()) return &found->second;
    line.push_back(row.missing.empty() ? "not run" : row.missing);
    return nullptr;
}

Lines lines_by_seconds(const CostTable& table, const Costs& costs) {
    const auto tells = [&](std::optional<double> CostRow::*number) {
        return std::any_of(table.rows.begin(), table.rows.end(),
                           [&](const CostRow& row) { return (row.*number).has_value(); });
    };
    // A paper counts solid particles if its method connects fluid to them.
    const bool solid = tells(&CostRow::solid), steps = tells(&CostRow::steps), iterations = tells(&CostRow::iterations);
    Lines lines(3);
    const auto head = [&](const char* first, const char* second, const char* third) {
        lines[0].emplace_back(first), lines[1].emplace_back(second), lines[2].emplace_back(third);
    };
    head("", "figure", "");
    head("paper:", "fluid", "");
    if (solid) head("", "solid", "");
    if (steps) head("", "steps", "/frame");
    if (iterations) head("", "iterations", "/step");
    head("", "s/frame", "");
    head("ours:", "fluid", "");
    head("", "solid", "");
    if (solid) head("", "connections", "/particle");
    head("", "iterations", "/step");
    head("", "CPU ms", "/step");
    head("", "CPU s", "/frame");
    head("", "wall s", "/frame");
    if (solid) head("", "share of", "correction");
    for (const CostRow& row : table.rows) {
        std::vector<std::string> line{row.row, whole(row.fluid)};
        if (solid) line.push_back(whole(row.solid));
        if (steps) line.push_back(whole(row.steps));
        if (iterations) line.push_back(whole(row.iterations));
        line.push_back(digits(row.seconds, 4));
        if (const RunCost* cost = find_cost(row, costs, line)) {
            const auto share = times(cost->correction_share, 100);
            line.push_back(whole(cost->fluid));
            line.push_back(whole(cost->solid));
            if (solid) line.push_back(digits(cost->connections));
            line.push_back(digits(cost->iterations));
            line.push_back(digits(times(per(cost->cpu_seconds, cost->steps), 1000)));
            line.push_back(digits(per(cost->cpu_seconds, cost->frames)));
            line.push_back(digits(per(cost->wall_seconds, cost->frames)));
            if (solid) line.push_back(share ? digits(share, 2) + " %" : "–");
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

Lines lines_by_rate(const CostTable& table, const Costs& costs) {
    Lines lines{{"", "paper:", "", "", "ours:"},
                {"figure", "particles", "neighbors", "frames/s", "particles", "neighbors", "steps/s", "over paper"}};
    for (const CostRow& row : table.rows) {
        const auto given = row.neighbors > 0 ? std::optional(row.neighbors) : std::nullopt;
        std::vector<std::string> line{row.row, whole(row.fluid), digits(given, 4), digits(row.frames_per_second)};
        if (const RunCost* cost = find_cost(row, costs, line)) {
            if (cost->fluid != row.fluid) {
                line.push_back("run with " + whole(cost->fluid) + " only");
            } else {
                std::optional<double> rate;
                if (cost->stage_seconds) rate = cost->steps / *cost->stage_seconds;
                for (const std::string& text : {whole(cost->fluid), digits(cost->neighbors, 4), digits(rate),
                                                digits(times(rate, 1 / row.frames_per_second))}) {
                    line.push_back(text);
                }
            }
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace

std::string to_text(const CostTable& table, const Costs& costs) {
    return table.title + " (the paper's on " + table.machine + ")\n" +
           aligned_columns(table.by_rate() ? lines_by_rate(table, costs) : lines_by_seconds(table, costs));
}

}  // namespace treacle
