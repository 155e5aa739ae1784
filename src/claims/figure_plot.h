#pragma once

#include <optional>
#include <string>
#include <vector>

#include "claims/measure.h"
#include "claims/line_plot.h"

namespace treacle {

/// A line of a plot with a point per frame of a run.
struct FigureCurve {
    std::string label;
    std::string run;           ///< whose frames are the points
    std::optional<Measure> x;  ///< absent: the time of the frame
    Measure y;
    bool rate = false;  ///< draw the change of y until the next frame, per second
};

/// A plot of the runs of a figure.
struct FigurePlot {
    std::string name;  ///< of the file, without .svg
    std::string title;
    std::string x_label = "time / s";
    std::string y_label;
    std::optional<double> low, high;
    std::vector<FigureCurve> curves;
};

/// The plot with its numbers, or why it cannot be made.
Result<LinePlot> measure_plot(const FigurePlot& plot, const Runs& runs);

}  // namespace treacle
