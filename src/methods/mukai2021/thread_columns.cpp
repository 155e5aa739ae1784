#include "methods/mukai2021/thread_columns.h"

namespace treacle::mukai2021 {

template <class S>
ThreadReport thread_report(const PulledThread<S>& thread, const FrameContext<S>& frame,
                           std::span<const typename S::Real> number_density, std::span<const typename S::Real> size) {
    const auto position = frame.particles.template get<typename S::Row>("position");
    ThreadReport report{.parts = thread.parts(position, frame.neighbors, frame.bodies, frame.rupture, size),
                        .waist = {},
                        .rupture = frame.rupture};
    report.waist = thread.waist(frame.particles, number_density, report.parts, size);
    return report;
}

std::vector<FrameColumn> thread_columns(int dimension) {
    const char* area = dimension == 2 ? "m" : "m^2";
    return {{"stretch", "m"},
            {"waist_radius", "m"},
            {"waist_area_counted", area},
            {"waist_area_geometric", area},
            {"waist_area_ratio", "1"},
            {"waist_density", "1"},
            {"ruptured_by_sides", "1"},
            {"sides_met_time", "s"},
            {"ruptured", "1"},
            {"rupture_time", "s"},
            {"strays", "1"},
            {"lower_remnant", "m"},
            {"upper_remnant", "m"}};
}

std::vector<double> thread_values(const ThreadReport& report) {
    const auto& [parts, waist, rupture] = report;
    const bool sides_met = rupture.sides_met != Rupture::never, parted = rupture.parted != Rupture::never;
    return {rupture.joined() ? parts.upper_face - parts.lower_face - rupture.start_distance : 0,
            waist.radius,
            waist.counted_area,
            waist.geometric_area,
            waist.counted_area > 0 ? waist.geometric_area / waist.counted_area : 0,
            waist.density,
            sides_met ? 1.0 : 0.0,
            sides_met ? rupture.sides_met : -1,
            parted ? 1.0 : 0.0,
            parted ? rupture.parted : -1,
            static_cast<double>(parts.strays),
            parted ? parts.lower_tip - parts.lower_face : 0,
            parted ? parts.upper_face - parts.upper_tip : 0};
}

template ThreadReport thread_report<Space2f>(const PulledThread<Space2f>&, const FrameContext<Space2f>&,
                                             std::span<const float>, std::span<const float>);
template ThreadReport thread_report<Space3f>(const PulledThread<Space3f>&, const FrameContext<Space3f>&,
                                             std::span<const float>, std::span<const float>);
template ThreadReport thread_report<Space2d>(const PulledThread<Space2d>&, const FrameContext<Space2d>&,
                                             std::span<const double>, std::span<const double>);
template ThreadReport thread_report<Space3d>(const PulledThread<Space3d>&, const FrameContext<Space3d>&,
                                             std::span<const double>, std::span<const double>);

}  // namespace treacle::mukai2021
