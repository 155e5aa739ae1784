#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "state/state.h"

namespace treacle {

/// Writes a frame for ParaView: VTK XML PolyData with raw appended data, one vertex cell per particle in id order,
/// all exported columns as point data. Tensors have VTK's component order XX YY ZZ XY YZ XZ.
Result<void> write_vtp(const std::string& path, const Frame& frame);

/// Writes a ParaView time series: pairs of time (s) and file, relative to the folder of `path`.
Result<void> write_pvd(const std::string& path, const std::vector<std::pair<double, std::string>>& files);

}  // namespace treacle
