#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "claims/figure_plot.h"
#include "claims/measure.h"
#include "core/json.h"

/// Claims of a paper's figure, as a file beside its scene: the runs to make, and the bands for their results.

namespace treacle {

/// Figures are made small unless the full size is wanted.
enum class FigureSize { reduced, full };

struct FigureRun {
    std::string name;
    std::string scene;                                     ///< path of the scene file
    std::string method;                                    ///< empty: the scene's own
    std::vector<std::pair<std::string, std::string>> set;  ///< JSON pointer and value as JSON text
    std::optional<double> duration;                        ///< s; absent: the scene's own
    bool may_diverge = false;                              ///< then the frames written before are measured
};

struct Claim {
    std::string id;     ///< unique in its figure
    std::string claim;  ///< one sentence
    std::string paper;  ///< words of the paper, and their place
    std::string unit;
    std::optional<double> low, high;  ///< the band, ends included; one-sided if one of them is absent, never both
    Measure measure;
};

struct Expectation {
    std::string title;
    bool slow = false;  ///< even the reduced runs are for the full test suite only
    std::vector<FigureRun> runs;
    std::vector<Claim> claims;
    std::vector<FigurePlot> plots;
};

/// The expectation for one size, or all problems of the file. Scene files are not checked.
Result<Expectation> read_expectation(const std::string& path, FigureSize size);

}  // namespace treacle
