#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "claims/run_data.h"
#include "core/result.h"
#include "geometry/shape.h"

/// Measures of runs, as plain data. A measure is a number, arithmetic on other measures, a value of a scene, or a
/// series (one value per frame) from which one number is picked.

namespace treacle {

/// Column of metrics.csv, in all frames or in those in which another column is above a level.
struct MetricSeries {
    std::string column;
    std::string where{};  ///< that other column; empty: all frames
    double above = -std::numeric_limits<double>::infinity();
};

/// Column of bodies.csv for one body.
struct BodySeries {
    std::string body;
    std::string column;
};

/// Keeps particles whose column lies between the two.
struct ColumnCondition {
    std::string column;
    double above = -std::numeric_limits<double>::infinity();
    double below = std::numeric_limits<double>::infinity();
};

/// A statistic of those particles of a frame that pass every condition.
struct ParticleSeries {
    enum class Statistic { count, share, mean, min, max, range, percentile, aspect, lumps, drift };
    Statistic statistic = Statistic::count;
    std::string column;   ///< of the frame, or "speed", or "wall_distance"; not for count, share, aspect, lumps, drift
    double percent = 50;  ///< for percentile
    double link_distance = 2;      ///< for lumps: particles closer than this are connected, in particle spacings
    double smallest_share = 0.01;  ///< for lumps: smaller ones, as a share of the chosen particles, do not count
    std::string material;          ///< empty: all
    std::optional<Shape> inside;   ///< centers must be inside
    std::optional<Shape> outside;
    std::vector<ColumnCondition> conditions;
};

/// Picks one number of a series. Exactly one of at, step, take is given; in curves there may be none.
struct Pick {
    enum class Take {
        min,
        max,
        mean,
        total,
        time_of_min,
        time_of_max,
        time_below,
        time_above,
        period,
        period_deviation,
        cycles,
        fall_time
    };
    std::optional<double> at;        ///< s; -infinity is the first frame, infinity the last
    std::optional<double> step;      ///< the first frame that ends at or after this step of the run
    std::optional<Take> take;        ///< over the frames from `from` to `to`
    std::optional<double> from, to;  ///< s
    std::optional<double> share;     ///< for fall_time: of the fall from the greatest value to the last one
    std::optional<double> level;     ///< for time_below and time_above: the first time at which it is passed
};

struct Series {
    std::string run;
    std::variant<MetricSeries, BodySeries, ParticleSeries> source;
    Pick pick;
};

/// A number of the scene, or the length of one of its lists.
struct SceneValue {
    std::string run;
    std::string pointer;
    std::string with;  ///< count only elements with a value at this pointer
};

/// A number of summary.json.
struct SummaryValue {
    std::string run;
    std::string pointer;
};

struct Measure;

struct Operation {
    enum class Kind { ratio, difference, sum, product, abs, smallest, largest };
    Kind kind;
    std::vector<Measure> of;  ///< two for ratio and difference, one for abs, otherwise at least one
};

struct Measure {
    std::variant<double, Operation, SceneValue, SummaryValue, Series> form;
};

/// The runs of a figure by name, or why one failed.
using Runs = std::map<std::string, Result<RunData>, std::less<>>;

/// The number, or why it cannot be computed. A series without a pick gives its value in this row.
Result<double> evaluate(const Measure& measure, const Runs& runs, std::size_t row = 0);

}  // namespace treacle
