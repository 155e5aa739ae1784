#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "claims/figure_plot.h"
#include "claims/measure.h"
#include "core/json.h"

/// What a figure of a paper shows, as a file beside its scene: which runs to make, and what must come out of them.

namespace treacle {

/// Figures are made small unless the whole is asked for.
enum class FigureSize { reduced, full };

struct FigureRun {
    std::string name;
    std::string scene;                                     ///< path of the scene file
    std::string method;                                    ///< empty: the scene's own
    std::vector<std::pair<std::string, std::string>> set;  ///< JSON pointer and value as JSON text
    std::optional<double> duration;                        ///< s; absent: the scene's own
    bool may_diverge = false;                              ///< then what was written before is measured
};

struct Claim {
    std::string id;     ///< unique in its figure
    std::string claim;  ///< one sentence
    std::string paper;  ///< what the paper says, and where
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

/// The expectation for one size, or everything that is wrong with the file. Scene files are not looked at.
Result<Expectation> read_expectation(const std::string& path, FigureSize size);

}  // namespace treacle
