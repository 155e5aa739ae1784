#include "claims/cost_table.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/text.h"
#include "scene/object_reader.h"

namespace treacle {

namespace {

const ParameterTable& cost_table_table() {
    static const ParameterTable table = ParameterTable("cost table")
        .add("title", &CostTable::title, {.required = true, .doc = "Which table it is and what it shows."})
        .add("machine", &CostTable::machine, {.required = true, .doc = "What the paper measured on."});
    return table;
}

const ParameterTable& cost_row_table() {
    static const ParameterTable table = ParameterTable("cost row")
        .add("row", &CostRow::row, {.required = true, .doc = "Name of the row in the paper."})
        .add("figure", &CostRow::figure, {.doc = "Our figure."})
        .add("run", &CostRow::run, {.doc = "Run of our figure."})
        .add("missing", &CostRow::missing, {.doc = "Why there is no figure of ours."})
        .add("fluid", &CostRow::fluid, {.low = 0, .high = 1e9, .required = true, .doc = "Its fluid particles."})
        .add("solid", &CostRow::solid, {.low = 0, .high = 1e9, .doc = "Its solid particles, if it tells."})
        .add("steps", &CostRow::steps, {.low = 0, .high = 1e9, .doc = "Its steps a frame, if it tells."})
        .add("iterations", &CostRow::iterations, {.low = 0, .high = 1e9, .doc = "Its iterations a step, if it tells."})
        .add("seconds", &CostRow::seconds,
             {.unit = "s", .low = 0, .high = 1e9, .required = true, .doc = "Time of a frame in the paper."});
    return table;
}

const ObjectKind& cost_row_kind() {
    static const ObjectKind kind{"cost row", "", {ParameterObject::of<CostRow>(cost_row_table())}, {},
                                 {"figure", "missing"}, {}};
    return kind;
}

const ObjectKind& cost_table_kind() {
    static const ObjectKind kind{"cost table", "", {ParameterObject::of<CostTable>(cost_table_table())},
                                 {{"rows", Form::list, "rows of the table", cost_row_kind, true}}, {}, {}};
    return kind;
}

std::optional<double> number_in(const Json& json, const char* key) {
    const Json* member = json.is_object() ? json.find(key) : nullptr;
    return member && member->is_number() ? std::optional(member->number) : std::nullopt;
}

std::optional<double> correction_share(const Json& summary) {
    const Json* stages = summary.is_object() ? summary.find("seconds_by_stage") : nullptr;
    if (!stages) return {};
    double all = 0, ours = 0;
    for (const auto& [stage, seconds] : stages->members) {
        all += seconds.number;
        if (stage == "connections" || stage == "velocity correction") ours += seconds.number;
    }
    return all > 0 ? std::optional(ours / all) : std::nullopt;
}

std::string digits(std::optional<double> value, int digits = 3) {
    if (!value) return "–";
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*g", digits, *value);
    return text.data();
}

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
    for (const auto* value : {&particles, &connections}) {
        if (!*value) return tl::unexpected(value->error());
    }
    cost.fluid = *particles;
    cost.connections = *particles > 0 ? *connections / *particles : 0;
    cost.solid = number_in(run.summary(), "boundary_particles");
    cost.cpu_seconds = number_in(run.summary(), "cpu_seconds");
    cost.wall_seconds = number_in(run.summary(), "wall_seconds");
    cost.correction_share = correction_share(run.summary());
    return cost;
}

Result<CostTable> read_cost_table(const std::string& path) {
    const auto root = read_json_file(path);
    if (!root) return tl::unexpected(root.error());
    ObjectReader reader(path, 0);
    CostTable table;
    const Place top{&*root, ""};
    if (reader.is_object(top, cost_table_kind())) {
        reader.read(top, cost_table_kind(), cost_table_table(), &table);
        if (const Place rows = top.member("rows"); rows && reader.is_list(rows, "rows")) {
            for (std::size_t n = 0; n < rows.json->elements.size(); ++n) {
                const Place here = rows.element(n);
                if (!reader.is_object(here, cost_row_kind())) continue;
                CostRow& row = table.rows.emplace_back();
                reader.read(here, cost_row_kind(), cost_row_table(), &row);
                if (row.figure.empty() != row.run.empty()) reader.problem(here, "\"figure\" and \"run\" go together");
            }
        }
    }
    if (!reader.problems().empty()) return fail(reader.problems());
    return table;
}

std::string to_text(const CostTable& table, const std::map<std::string, RunCost, std::less<>>& costs) {
    const auto tells = [&](std::optional<double> CostRow::* number) {
        return std::any_of(table.rows.begin(), table.rows.end(), [&](const CostRow& row) { return (row.*number).has_value(); });
    };
    // Papers that count solid particles are those whose methods connect fluid to them.
    const bool solid = tells(&CostRow::solid), steps = tells(&CostRow::steps), iterations = tells(&CostRow::iterations);
    std::vector<std::vector<std::string>> lines(3);
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
        const auto found = costs.find(row.figure + "/" + row.run);
        if (!row.missing.empty()) {
            line.push_back(row.missing);
        } else if (found == costs.end()) {
            line.push_back("not run");
        } else {
            const RunCost& cost = found->second;
            const auto share = times(cost.correction_share, 100);
            line.push_back(whole(cost.fluid));
            line.push_back(whole(cost.solid));
            if (solid) line.push_back(digits(cost.connections));
            line.push_back(digits(cost.iterations));
            line.push_back(digits(times(per(cost.cpu_seconds, cost.steps), 1000)));
            line.push_back(digits(per(cost.cpu_seconds, cost.frames)));
            line.push_back(digits(per(cost.wall_seconds, cost.frames)));
            if (solid) line.push_back(share ? digits(share, 2) + " %" : "–");
        }
        lines.push_back(std::move(line));
    }
    return table.title + " (the paper's on " + table.machine + ")\n" + aligned_columns(lines);
}

}  // namespace treacle
