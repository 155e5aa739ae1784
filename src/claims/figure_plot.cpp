#include "claims/figure_plot.h"

#include "core/text.h"

namespace treacle {

namespace {

/// From values in frames to their changes per second; the last frame has none.
void differentiate(std::vector<double>& y, const std::vector<RunData::Row>& rows) {
    for (std::size_t n = 0; n + 1 < y.size(); ++n) y[n] = (y[n + 1] - y[n]) / (rows[n + 1].time - rows[n].time);
    y.pop_back();
}

Result<PlotCurve> measure_curve(const FigureCurve& curve, const Runs& runs) {
    const auto found = runs.find(curve.run);
    if (found == runs.end()) return fail(ExitCode::wrong_input, "there is no run " + in_quotes(curve.run));
    if (!found->second) return tl::unexpected(found->second.error());
    const auto& rows = found->second->rows();
    PlotCurve line{curve.label, {}, {}};
    for (std::size_t n = 0; n < rows.size(); ++n) {
        const auto x = curve.x ? evaluate(*curve.x, runs, n) : Result<double>(rows[n].time);
        const auto y = evaluate(curve.y, runs, n);
        for (const auto* value : {&x, &y}) {
            if (!*value) return tl::unexpected(value->error());
        }
        line.x.push_back(*x);
        line.y.push_back(*y);
    }
    if (curve.rate) {
        differentiate(line.y, rows);
        line.x.pop_back();
    }
    return line;
}

}  // namespace

Result<LinePlot> measure_plot(const FigurePlot& plot, const Runs& runs) {
    LinePlot drawn{plot.title, plot.x_label, plot.y_label, {}, plot.low, plot.high};
    for (const FigureCurve& curve : plot.curves) {
        auto line = measure_curve(curve, runs);
        if (!line) return tl::unexpected(line.error());
        drawn.curves.push_back(std::move(*line));
    }
    return drawn;
}

}  // namespace treacle
