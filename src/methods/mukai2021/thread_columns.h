#pragma once

#include <span>
#include <vector>

#include "blocks/threads/rupture.h"
#include "methods/method.h"

namespace treacle::mukai2021 {

/// State of a thread between two solids.
struct ThreadReport {
    ThreadParts parts;
    Waist waist;
    Rupture rupture;
};

/// `number_density` as a share of the bulk's, by particle; `size` where particles differ (rupture.h).
template <class S>
ThreadReport thread_report(const PulledThread<S>& thread, const FrameContext<S>& frame,
                           std::span<const typename S::Real> number_density,
                           std::span<const typename S::Real> size = {});

/// Columns of metrics.csv for it; lengths in m, areas in m² (2D: m):
///   stretch                                    how far the solids have moved apart
///   waist_radius, waist_area_counted, waist_area_geometric, waist_area_ratio (geometric over
///   counted), waist_density                    of the thinnest slice (Waist); 0 where it is empty
///   ruptured_by_sides, sides_met_time          whether opposite sides have met, and when; -1: not yet
///   ruptured, rupture_time                     the same for the last chain of particles between the solids
///   strays                                     particles that hang on neither solid
///   lower_remnant, upper_remnant               length of what hangs on each solid after rupture; 0 before
std::vector<FrameColumn> thread_columns(int dimension);

std::vector<double> thread_values(const ThreadReport& report);

}  // namespace treacle::mukai2021
