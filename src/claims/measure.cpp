#include "claims/measure.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "claims/particle_statistic.h"
#include "core/text.h"

namespace treacle {

namespace {

Result<const RunData*> find_run(const std::string& name, const Runs& runs) {
    const auto found = runs.find(name);
    if (found == runs.end()) return fail(ExitCode::wrong_input, "there is no run " + in_quotes(name));
    if (!found->second) return tl::unexpected(found->second.error());
    return &*found->second;
}

Result<double> value_in(const RunData& run, const Series& series, std::size_t row) {
    if (const auto* metric = std::get_if<MetricSeries>(&series.source)) return run.metric(row, metric->column);
    if (const auto* body = std::get_if<BodySeries>(&series.source)) return run.body(row, body->body, body->column);
    return particle_statistic(std::get<ParticleSeries>(series.source), run, row);
}

Result<std::size_t> row_at_time(const RunData& run, double time) {
    const auto& rows = run.rows();
    if (time == -std::numeric_limits<double>::infinity()) return 0;
    if (time == std::numeric_limits<double>::infinity()) return rows.size() - 1;
    const auto nearest = std::min_element(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
        return std::abs(a.time - time) < std::abs(b.time - time);
    });
    if (std::abs(nearest->time - time) > 0.51 / run.scene().time.fps) {
        return fail(ExitCode::wrong_input, "the run has no frame at " + number_text(time) + " s; it ends at " +
                                               number_text(rows.back().time) + " s");
    }
    return static_cast<std::size_t>(nearest - rows.begin());
}

Result<std::size_t> row_at_step(const RunData& run, double step) {
    const auto& rows = run.rows();
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.steps >= step; });
    if (found == rows.end()) {
        return fail(ExitCode::wrong_input, "the run has no step " + number_text(step) + "; it ends with step " +
                                               number_text(rows.back().steps));
    }
    return static_cast<std::size_t>(found - rows.begin());
}

Result<bool> row_counts(const RunData& run, const Series& series, std::size_t row) {
    const auto* metric = std::get_if<MetricSeries>(&series.source);
    if (!metric || metric->where.empty()) return true;
    const auto other = run.metric(row, metric->where);
    if (!other) return tl::unexpected(other.error());
    return *other > metric->above;
}

/// The part of a series within a window of time.
struct Window {
    std::vector<double> times, values;
};

Result<Window> window_of(const RunData& run, const Series& series) {
    constexpr double slack = 1e-9;  // times of frames are rounded
    Window window;
    for (std::size_t row = 0; row < run.rows().size(); ++row) {
        const double time = run.rows()[row].time;
        if (time < series.pick.from.value_or(time) - slack || time > series.pick.to.value_or(time) + slack) continue;
        const auto counts = row_counts(run, series, row);
        if (!counts) return tl::unexpected(counts.error());
        if (!*counts) continue;
        const auto value = value_in(run, series, row);
        if (!value) return tl::unexpected(value.error());
        window.times.push_back(time);
        window.values.push_back(*value);
    }
    if (window.values.empty())
        return fail(ExitCode::wrong_input,
                    "the run has no frame between \"from\" and \"to\", or none that \"where\" leaves");
    return window;
}

Result<double> first_time(const Window& window, double level, bool below) {
    for (std::size_t n = 0; n < window.values.size(); ++n) {
        if (below ? window.values[n] < level : window.values[n] > level) return window.times[n];
    }
    return fail(ExitCode::claim_failed, std::string("never ") + (below ? "below " : "above ") + number_text(level));
}

/// Time from the greatest value until this share of the fall to the last value is done.
Result<double> fall_time(const Window& window, double share) {
    const auto highest = std::max_element(window.values.begin(), window.values.end());
    const double level = *highest - share * (*highest - window.values.back());
    if (*highest == window.values.back())
        return fail(ExitCode::claim_failed, "it does not fall after its greatest value");
    auto n = static_cast<std::size_t>(highest - window.values.begin());
    const double start = window.times[n];
    while (window.values[n] > level) ++n;
    const double before = window.values[n - 1], part = (before - level) / (before - window.values[n]);
    return window.times[n - 1] + part * (window.times[n] - window.times[n - 1]) - start;
}

/// Times between two upward passes of the mean. A pass counts only if the series has been below the mean by half its
/// standard deviation since the last one, so that noise about the mean does not count.
Result<std::vector<double>> periods(const Window& window) {
    const auto count = static_cast<double>(window.values.size());
    const double mean = std::accumulate(window.values.begin(), window.values.end(), 0.0) / count;
    double square = 0;
    for (const double value : window.values) square += (value - mean) * (value - mean);
    const double low = mean - 0.5 * std::sqrt(square / count);
    std::vector<double> passes, lengths;
    bool ready = false;
    for (std::size_t n = 0; n < window.values.size(); ++n) {
        ready = ready || window.values[n] < low;
        if (!ready || window.values[n] < mean) continue;
        const double before = window.values[n - 1], share = (mean - before) / (window.values[n] - before);
        passes.push_back(window.times[n - 1] + share * (window.times[n] - window.times[n - 1]));
        ready = false;
    }
    for (std::size_t n = 1; n < passes.size(); ++n) lengths.push_back(passes[n] - passes[n - 1]);
    if (lengths.empty())
        return fail(ExitCode::claim_failed, "no full cycle: it passes its mean upward less than twice");
    return lengths;
}

Result<double> of_periods(const Window& window, Pick::Take take) {
    const auto lengths = periods(window);
    if (take == Pick::Take::cycles) return lengths ? static_cast<double>(lengths->size()) : 0.0;
    if (!lengths) return tl::unexpected(lengths.error());
    const auto count = static_cast<double>(lengths->size());
    const double mean = std::accumulate(lengths->begin(), lengths->end(), 0.0) / count;
    if (take == Pick::Take::period) return mean;
    if (lengths->size() < 2) return fail(ExitCode::claim_failed, "a single cycle does not show whether it is regular");
    double square = 0;
    for (const double length : *lengths) square += (length - mean) * (length - mean);
    return std::sqrt(square / count) / mean;
}

Result<double> take(const Window& window, const Pick& pick) {
    const auto lowest = std::min_element(window.values.begin(), window.values.end());
    const auto highest = std::max_element(window.values.begin(), window.values.end());
    const double total = std::accumulate(window.values.begin(), window.values.end(), 0.0);
    const auto time_of = [&](auto place) {
        return window.times[static_cast<std::size_t>(place - window.values.begin())];
    };
    switch (*pick.take) {
        case Pick::Take::min: return *lowest;
        case Pick::Take::max: return *highest;
        case Pick::Take::mean: return total / static_cast<double>(window.values.size());
        case Pick::Take::total: return total;
        case Pick::Take::time_of_min: return time_of(lowest);
        case Pick::Take::time_of_max: return time_of(highest);
        case Pick::Take::time_below: return first_time(window, *pick.level, true);
        case Pick::Take::time_above: return first_time(window, *pick.level, false);
        case Pick::Take::period:
        case Pick::Take::period_deviation:
        case Pick::Take::cycles: return of_periods(window, *pick.take);
        case Pick::Take::fall_time: return fall_time(window, *pick.share);
    }
    return 0.0;
}

Result<double> evaluate_series(const Series& series, const Runs& runs, std::size_t current) {
    const auto run = find_run(series.run, runs);
    if (!run) return tl::unexpected(run.error());
    if (series.pick.take) {
        const auto window = window_of(**run, series);
        if (!window) return tl::unexpected(window.error());
        return take(*window, series.pick);
    }
    if (!series.pick.at && !series.pick.step) {
        if (current < (*run)->rows().size()) return value_in(**run, series, current);
        return fail(ExitCode::wrong_input,
                    "the run " + in_quotes(series.run) + " has fewer frames than another of the curve");
    }
    const auto row = series.pick.at ? row_at_time(**run, *series.pick.at) : row_at_step(**run, *series.pick.step);
    if (!row) return tl::unexpected(row.error());
    return value_in(**run, series, *row);
}

Result<double> evaluate_scene_value(const SceneValue& value, const Runs& runs) {
    const auto run = find_run(value.run, runs);
    if (!run) return tl::unexpected(run.error());
    const Json* json = find_at_pointer((*run)->scene_json(), value.pointer);
    if (!json) return fail(ExitCode::wrong_input, "the scene has no " + value.pointer);
    if (json->is_number()) return json->number;
    if (!json->is_array())
        return fail(ExitCode::wrong_input, value.pointer + " of the scene is neither a number nor a list");
    return static_cast<double>(std::count_if(json->elements.begin(), json->elements.end(), [&](const Json& element) {
        return find_at_pointer(element, value.with) != nullptr;  // an empty pointer names the element itself
    }));
}

Result<double> evaluate_summary_value(const SummaryValue& value, const Runs& runs) {
    const auto run = find_run(value.run, runs);
    if (!run) return tl::unexpected(run.error());
    const Json* json = find_at_pointer((*run)->summary(), value.pointer);
    if (json && json->is_number()) return json->number;
    return fail(ExitCode::wrong_input, "the summary of the run has no number at " + value.pointer);
}

Result<double> evaluate_operation(const Operation& operation, const Runs& runs, std::size_t row) {
    std::vector<double> v;
    for (const Measure& part : operation.of) {
        const auto value = evaluate(part, runs, row);
        if (!value) return value;
        v.push_back(*value);
    }
    switch (operation.kind) {
        case Operation::Kind::ratio:
            if (v[1] == 0) return fail(ExitCode::claim_failed, "a ratio to 0 is asked for");
            return v[0] / v[1];
        case Operation::Kind::difference: return v[0] - v[1];
        case Operation::Kind::sum: return std::accumulate(v.begin(), v.end(), 0.0);
        case Operation::Kind::product: return std::accumulate(v.begin(), v.end(), 1.0, std::multiplies<>());
        case Operation::Kind::abs: return std::abs(v[0]);
        case Operation::Kind::smallest: return *std::min_element(v.begin(), v.end());
        case Operation::Kind::largest: return *std::max_element(v.begin(), v.end());
    }
    return 0.0;
}

}  // namespace

Result<double> evaluate(const Measure& measure, const Runs& runs, std::size_t row) {
    if (const auto* number = std::get_if<double>(&measure.form)) return *number;
    if (const auto* operation = std::get_if<Operation>(&measure.form)) return evaluate_operation(*operation, runs, row);
    if (const auto* value = std::get_if<SceneValue>(&measure.form)) return evaluate_scene_value(*value, runs);
    if (const auto* value = std::get_if<SummaryValue>(&measure.form)) return evaluate_summary_value(*value, runs);
    return evaluate_series(std::get<Series>(measure.form), runs, row);
}

}  // namespace treacle
