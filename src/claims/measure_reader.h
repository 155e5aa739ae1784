#pragma once

#include <string>
#include <vector>

#include "claims/measure.h"
#include "scene/object_reader.h"

namespace treacle {

/// Whether one number of a series must be picked, or it may stay a series: curves have a point per frame.
enum class SeriesUse { number, curve };

/// Reads a measure; `runs` are the names that it may use. If there is only one, the measure need not name it. Problems
/// are left with the reader, and then the measure must not be used.
///
///     1008                                                               a number
///     { "metric": "com_y", "at": "last" }                                metrics.csv
///     { "body": "ball", "column": "fy", "take": "max", "from": 0.5 }     bodies.csv
///     { "particles": "count", "inside": { "box": … }, "at": 0.4 }        frames
///     { "scene": "/solids", "with": "/shape/sphere" }                    the scene that was run
///     { "summary": "/wall_seconds" }                                     summary.json
///     { "ratio": [ A, B ] }
///       also difference sum product abs smallest largest
Measure read_measure(ObjectReader& reader, const Place& at, const std::vector<std::string>& runs,
                     SeriesUse series = SeriesUse::number);

}  // namespace treacle
