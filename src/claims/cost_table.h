#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "claims/measure.h"

/// A paper's table of particles and times beside those of our runs, as a file <name>.table.json beside the figures.

namespace treacle {

/// The cost of a run, from its metrics and summary.
struct RunCost {
    double fluid = 0;                   ///< particles at the end
    std::optional<double> solid;        ///< particles that stand for solids, at the end
    double connections = 0;             ///< per particle, at the end
    double neighbors = 0;               ///< connected to a particle at the start, itself included
    double iterations = 0;              ///< pressure iterations a step, mean of the run
    double steps = 0, frames = 0;       ///< without the first frame, which is the start
    std::optional<double> cpu_seconds;  ///< of all threads
    std::optional<double> wall_seconds;
    std::optional<double> stage_seconds;     ///< of wall time, all stages of all steps
    std::optional<double> correction_share;  ///< connections and velocity correction, of all stages
};

Result<RunCost> cost_of(const RunData& run);

/// A row of the paper's table.
struct CostRow {
    std::string row;                          ///< as the paper calls it
    std::string figure, run;                  ///< ours; empty where there is none
    std::string missing;                      ///< why there is none
    double fluid = 0;                         ///< particles in the paper
    std::optional<double> solid;              ///< if the paper gives it
    std::optional<double> steps, iterations;  ///< per frame and per step, if the paper gives them
    double neighbors = 0;                     ///< in the paper, itself included
    double seconds = 0;                       ///< per frame in the paper
    double frames_per_second = 0;             ///< in the paper, where a frame is a step; instead of seconds
};

struct CostTable {
    std::string title;
    std::string machine;  ///< that the paper used
    std::vector<CostRow> rows;

    bool by_rate() const { return !rows.empty() && rows.front().frames_per_second > 0; }
};

/// The table, or all problems of the file.
Result<CostTable> read_cost_table(const std::string& path);

/// For people: the paper's numbers and ours in aligned columns. Rows that were not run say so; in a table of rates, so
/// do rows that were run with another number of particles. Costs by "figure/run".
std::string to_text(const CostTable& table, const std::map<std::string, RunCost, std::less<>>& costs);

}  // namespace treacle
