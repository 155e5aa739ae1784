#include "claims/measure_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/text.h"
#include "scene/shape_reader.h"

namespace treacle {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

const ParameterTable& series_table() {
    static const ParameterTable table = ParameterTable("series").add(
        "run", &Series::run, {.doc = "Name of the run; may be left out where there is only one."});
    return table;
}

const ParameterTable& pick_table() {
    static const ParameterTable table =
        ParameterTable("pick")
            .add("at", &Pick::at,
                 {.unit = "s",
                  .low = 0,
                  .high = 1e9,
                  .words = {{"first", -infinity}, {"last", infinity}},
                  .doc = "Time of the frame."})
            .add("step", &Pick::step,
                 {.unit = "1", .low = 0, .high = 1e12, .doc = "The frame in which this step ended."})
            .add("take", &Pick::take,
                 {.choices = {"min", "max", "mean", "total", "time_of_min", "time_of_max", "time_below", "time_above",
                              "period", "period_deviation", "cycles", "fall_time"},
                  .doc = "One number of many frames."})
            .add("from", &Pick::from, {.unit = "s", .low = 0, .high = 1e9, .doc = "Only frames from here on."})
            .add("to", &Pick::to, {.unit = "s", .low = 0, .high = 1e9, .doc = "Only frames until here."})
            .add("share", &Pick::share,
                 {.unit = "1", .low = 0.01, .high = 1, .doc = "How much of the fall fall_time waits for."})
            .add("level", &Pick::level, {.doc = "What time_below and time_above wait for."});
    return table;
}

const std::vector<std::string> pick_keys{"at", "step", "take"};

const ParameterTable& metric_table() {
    static const ParameterTable table =
        ParameterTable("metric")
            .add("metric", &MetricSeries::column, {.required = true, .doc = "Column of metrics.csv."})
            .add("where", &MetricSeries::where,
                 {.doc = "Another column: take only frames in which it is above the level."})
            .add("above", &MetricSeries::above, {.doc = "That level."});
    return table;
}

const ParameterTable& body_table() {
    static const ParameterTable table =
        ParameterTable("body")
            .add("body", &BodySeries::body, {.required = true, .doc = "Name of the body."})
            .add("column", &BodySeries::column, {.required = true, .doc = "Column of bodies.csv."});
    return table;
}

const ParameterTable& particles_table() {
    static const ParameterTable table =
        ParameterTable("particles")
            .add(
                "particles", &ParticleSeries::statistic,
                {.required = true,
                 .choices = {"count", "share", "mean", "min", "max", "range", "percentile", "aspect", "lumps", "drift"},
                 .doc = "Statistic of the particles of a frame."})
            .add("column", &ParticleSeries::column, {.doc = "Of the frame, or speed, or wall_distance."})
            .add("percent", &ParticleSeries::percent, {.unit = "1", .low = 0, .high = 100, .doc = "For percentile."})
            .add("link_distance", &ParticleSeries::link_distance,
                 {.unit = "particle_spacing",
                  .low = 0.1,
                  .high = 1000,
                  .doc = "For lumps: closer particles hang together."})
            .add("smallest_share", &ParticleSeries::smallest_share,
                 {.unit = "1",
                  .low = 0,
                  .high = 1,
                  .doc = "For lumps: of the chosen particles; smaller ones do not count."})
            .add("material", &ParticleSeries::material, {.doc = "Only particles of this material."});
    return table;
}

const ParameterTable& condition_table() {
    static const ParameterTable table = ParameterTable("condition")
                                            .add("column", &ColumnCondition::column,
                                                 {.required = true, .doc = "Of the frame, or speed, or wall_distance."})
                                            .add("above", &ColumnCondition::above, {.doc = "Keeps larger values."})
                                            .add("below", &ColumnCondition::below, {.doc = "Keeps smaller values."});
    return table;
}

const ParameterTable& scene_value_table() {
    static const ParameterTable table =
        ParameterTable("scene value")
            .add("scene", &SceneValue::pointer, {.required = true, .doc = "JSON pointer to a number or a list."})
            .add("with", &SceneValue::with, {.doc = "Counts only elements that hold something at this JSON pointer."})
            .add("run", &SceneValue::run, {.doc = "Name of the run; may be left out where there is only one."});
    return table;
}

const ParameterTable& summary_value_table() {
    static const ParameterTable table =
        ParameterTable("summary value")
            .add("summary", &SummaryValue::pointer,
                 {.required = true, .doc = "JSON pointer to a number of summary.json."})
            .add("run", &SummaryValue::run, {.doc = "Name of the run; may be left out where there is only one."});
    return table;
}

/// Kinds of a series: one from which a number must be picked, and one that may give a value per frame.
struct SeriesKinds {
    ObjectKind picked, free;

    const ObjectKind& of(SeriesUse use) const { return use == SeriesUse::number ? picked : free; }
};

template <class Source>
SeriesKinds series_kinds(const char* title, const ParameterTable& table, std::vector<StructuredKey> structured = {}) {
    const ObjectKind free{title,
                          "",
                          {ParameterObject::of<Source>(table), ParameterObject::of<Series>(series_table()),
                           ParameterObject::of<Pick>(pick_table())},
                          std::move(structured),
                          {}};
    ObjectKind picked = free;
    picked.exactly_one_of = pick_keys;
    return {picked, free};
}

const SeriesKinds& metric_kinds() {
    static const SeriesKinds kinds = series_kinds<MetricSeries>("metric", metric_table());
    return kinds;
}

const SeriesKinds& body_kinds() {
    static const SeriesKinds kinds = series_kinds<BodySeries>("body", body_table());
    return kinds;
}

const ObjectKind& condition_kind() {
    static const ObjectKind kind{"condition", "", {ParameterObject::of<ColumnCondition>(condition_table())}, {}, {}};
    return kind;
}

const SeriesKinds& particles_kinds() {
    static const SeriesKinds kinds =
        series_kinds<ParticleSeries>("particles", particles_table(),
                                     {{"inside", Form::object, "Only particles inside this shape.", solid_shape_kind},
                                      {"outside", Form::object, "Only particles outside this shape.", solid_shape_kind},
                                      {"where", Form::list, "Conditions on columns.", condition_kind}});
    return kinds;
}

const ObjectKind& scene_value_kind() {
    static const ObjectKind kind{"scene value", "", {ParameterObject::of<SceneValue>(scene_value_table())}, {}, {}};
    return kind;
}

const ObjectKind& summary_value_kind() {
    static const ObjectKind kind{
        "summary value", "", {ParameterObject::of<SummaryValue>(summary_value_table())}, {}, {}};
    return kind;
}

/// Operations by key, with the number of measures they take (0: any, but at least one).
struct OperationKey {
    const char* key;
    Operation::Kind kind;
    std::size_t count;
};

constexpr std::array<OperationKey, 7> operations{{{"ratio", Operation::Kind::ratio, 2},
                                                  {"difference", Operation::Kind::difference, 2},
                                                  {"sum", Operation::Kind::sum, 0},
                                                  {"product", Operation::Kind::product, 0},
                                                  {"abs", Operation::Kind::abs, 1},
                                                  {"smallest", Operation::Kind::smallest, 0},
                                                  {"largest", Operation::Kind::largest, 0}}};

std::vector<std::string> measure_keys() {
    std::vector<std::string> keys{"metric", "body", "particles", "scene", "summary"};
    for (const OperationKey& operation : operations) keys.emplace_back(operation.key);
    return keys;
}

/// Runs that a measure may name, and whether series are allowed.
struct Use {
    const std::vector<std::string>& runs;
    SeriesUse series;
};

void resolve_run(ObjectReader& reader, const Place& at, std::string& run, const std::vector<std::string>& runs) {
    if (run.empty() && runs.size() == 1) {
        run = runs.front();
    } else if (run.empty()) {
        reader.problem(at, "\"run\" is missing: there are " + list_text(runs));
    } else if (std::find(runs.begin(), runs.end(), run) == runs.end()) {
        reader.problem(at.member("run"), "there is no run " + in_quotes(run) + did_you_mean(run, runs));
    }
}

void check_pick(ObjectReader& reader, const Place& at, const Pick& pick) {
    const bool waits = pick.take == Pick::Take::time_below || pick.take == Pick::Take::time_above;
    if (waits != pick.level.has_value()) {
        reader.problem(at, "\"level\" goes with time_below and time_above, and they with it");
    }
    if ((pick.take == Pick::Take::fall_time) != pick.share.has_value()) {
        reader.problem(at, "\"share\" goes with fall_time, and it with \"share\"");
    }
    if (!pick.take && (pick.from || pick.to)) reader.problem(at, "\"from\" and \"to\" go with \"take\"");
}

template <class Source>
Series read_series(ObjectReader& reader, const Place& at, const SeriesKinds& kinds, const Use& use) {
    const ObjectKind& kind = kinds.of(use.series);
    Series series;
    if (!reader.is_object(at, kind)) return series;
    Source source;
    reader.read(at, kind.parameters[0].table(), &source);
    reader.read(at, kind.parameters[1].table(), &series);
    reader.read(at, kind.parameters[2].table(), &series.pick);
    resolve_run(reader, at, series.run, use.runs);
    check_pick(reader, at, series.pick);
    series.source = std::move(source);
    return series;
}

void check_statistic(ObjectReader& reader, const Place& at, const ParticleSeries& source) {
    using Statistic = ParticleSeries::Statistic;
    constexpr std::array without{Statistic::count, Statistic::share, Statistic::aspect, Statistic::lumps,
                                 Statistic::drift};
    const bool of_column = std::find(without.begin(), without.end(), source.statistic) == without.end();
    if (of_column == source.column.empty()) {
        reader.problem(at, of_column ? "\"column\" is missing"
                                     : "\"column\" has no meaning here; conditions go into \"where\"");
    }
}

Series read_particles(ObjectReader& reader, const Place& at, const Use& use) {
    Series series = read_series<ParticleSeries>(reader, at, particles_kinds(), use);
    auto& source = std::get<ParticleSeries>(series.source);
    check_statistic(reader, at, source);
    if (const Place inside = at.member("inside")) source.inside = read_shape(reader, inside, solid_shape_kind());
    if (const Place outside = at.member("outside")) source.outside = read_shape(reader, outside, solid_shape_kind());
    const Place where = at.member("where");
    if (!where || !reader.is_list(where, "conditions")) return series;
    for (std::size_t n = 0; n < where.json->elements.size(); ++n) {
        const Place here = where.element(n);
        ColumnCondition condition;
        if (reader.is_object(here, condition_kind())) { reader.read(here, condition_table(), &condition); }
        source.conditions.push_back(condition);
    }
    return series;
}

Measure read_operation(ObjectReader& reader, const Place& at, const OperationKey& key, const Use& use) {
    Operation operation{key.kind, {}};
    const Place parts = at.member(key.key);
    if (at.json->members.size() > 1) reader.problem(at, in_quotes(key.key) + " must stand alone");
    if (!reader.is_list(parts, "measures")) return {0.0};
    const std::size_t count = parts.json->elements.size();
    if (key.count > 0 ? count != key.count : count == 0) {
        reader.problem(parts, "must be a list of " + (key.count > 0 ? std::to_string(key.count) : "at least one") +
                                  (key.count == 1 ? " measure" : " measures") + ", not of " + std::to_string(count));
        return {0.0};
    }
    for (std::size_t n = 0; n < count; ++n) {
        operation.of.push_back(read_measure(reader, parts.element(n), use.runs, use.series));
    }
    return {std::move(operation)};
}

}  // namespace

Measure read_measure(ObjectReader& reader, const Place& at, const std::vector<std::string>& runs, SeriesUse series) {
    const Use use{runs, series};
    if (at.json->is_number()) return {at.json->number};
    if (!at.json->is_object()) {
        reader.problem(at, "must be a measure: a number or an object, not " + describe(*at.json));
        return {0.0};
    }
    if (at.json->find("metric")) {
        Series metric = read_series<MetricSeries>(reader, at, metric_kinds(), use);
        if (at.json->find("where") && !metric.pick.take) reader.problem(at, "\"where\" goes with \"take\"");
        if ((at.json->find("where") == nullptr) != (at.json->find("above") == nullptr)) {
            reader.problem(at, "\"where\" goes with \"above\", and \"above\" with it");
        }
        return {std::move(metric)};
    }
    if (at.json->find("body")) return {read_series<BodySeries>(reader, at, body_kinds(), use)};
    if (at.json->find("particles")) return {read_particles(reader, at, use)};
    if (at.json->find("scene")) {
        SceneValue value;
        if (reader.is_object(at, scene_value_kind())) {
            reader.read(at, scene_value_table(), &value);
            resolve_run(reader, at, value.run, runs);
        }
        return {value};
    }
    if (at.json->find("summary")) {
        SummaryValue value;
        if (reader.is_object(at, summary_value_kind())) {
            reader.read(at, summary_value_table(), &value);
            resolve_run(reader, at, value.run, runs);
        }
        return {value};
    }
    for (const OperationKey& operation : operations) {
        if (at.json->find(operation.key)) return read_operation(reader, at, operation, use);
    }
    const std::string hint =
        at.json->members.empty() ? "" : did_you_mean(at.json->members.front().first, measure_keys());
    reader.problem(at, "is no measure; it must hold one of " + list_text(measure_keys()) + hint);
    return {0.0};
}

}  // namespace treacle
