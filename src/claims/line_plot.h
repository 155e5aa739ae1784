#pragma once

#include <optional>
#include <string>
#include <vector>

namespace treacle {

/// Points of a line, in the order in which they are joined; points that are not finite interrupt it.
struct PlotCurve {
    std::string label;
    std::vector<double> x, y;  ///< as long as each other
};

/// Lines over a common axis, for the documents.
struct LinePlot {
    std::string title;
    std::string x_label, y_label;  ///< with units
    std::vector<PlotCurve> curves;
    std::optional<double> low, high;  ///< of the y axis; otherwise that of the curves
};

/// Round numbers from low to high, about `count` of them: steps of 1, 2 or 5 times a power of ten.
std::vector<double> round_ticks(double low, double high, int count);

/// The plot as a picture in SVG.
std::string to_svg(const LinePlot& plot);

}  // namespace treacle
