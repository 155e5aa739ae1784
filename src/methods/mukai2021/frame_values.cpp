#include "methods/mukai2021/mukai2021.h"

// Columns of metrics.csv for a thread between two solids; lengths in m, areas in m² (2D: m):
//   stretch                                    how far the solids have moved apart
//   waist_radius, waist_area_counted, waist_area_geometric, waist_area_ratio (geometric over
//   counted), waist_density                    of the thinnest slice (Waist); 0 where it is empty
//   ruptured_by_sides, sides_met_time          whether opposite sides have met, and when; -1: not yet
//   ruptured, rupture_time                     the same for the last chain of particles between the solids
//   strays                                     particles that hang on neither solid
//   lower_remnant, upper_remnant               length of what hangs on each solid after rupture; 0 before
//   elastic_weight, viscous_weight             beta and alpha of eq. 3 for the first material; with the paper's
//                                              coefficients only

namespace treacle::mukai2021 {

template <class S>
std::vector<FrameColumn> Mukai2021<S>::frame_columns() const {
    const char* area = S::dim == 2 ? "m" : "m^2";
    std::vector<FrameColumn> columns{{"stretch", "m"},
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
    if (paper()) columns.insert(columns.end(), {{"elastic_weight", "1"}, {"viscous_weight", "1"}});
    return columns;
}

template <class S>
std::vector<double> Mukai2021<S>::frame_values(const FrameContext<S>& frame) const {
    const auto density = frame.particles.template get<Real>("density");
    const auto material = frame.particles.template get<std::uint8_t>("material");
    std::vector<Real> number_density(density.size());
    for (std::size_t i = 0; i < density.size(); ++i) number_density[i] = density[i] / rest_density_[material[i]];
    const std::vector<Real> size =
        refinement_.active() ? ThreadRefinement<S>::sizes(frame.particles) : std::vector<Real>{};
    const ParticleSizes<S> sizes(size);
    const Rupture& rupture = frame.rupture;
    const ThreadParts parts =
        thread_.parts(frame.particles.template get<Row>("position"), frame.neighbors, frame.bodies, rupture, sizes);
    const Waist waist = thread_.waist(frame.particles, frame.parallel, number_density, parts, sizes);
    const bool sides_met = rupture.sides_met != Rupture::never, parted = rupture.parted != Rupture::never;
    std::vector<double> values{rupture.joined() ? parts.upper_face - parts.lower_face - rupture.start_distance : 0,
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
    if (paper()) {
        const auto weights = WeightedStress<S>::weights(weighted_stress_.materials.front(), waist, rupture);
        values.insert(values.end(), {weights.elastic, weights.viscous});
    }
    return values;
}

template std::vector<FrameColumn> Mukai2021<Space2d>::frame_columns() const;
template std::vector<FrameColumn> Mukai2021<Space3d>::frame_columns() const;
template std::vector<double> Mukai2021<Space2d>::frame_values(const FrameContext<Space2d>&) const;
template std::vector<double> Mukai2021<Space3d>::frame_values(const FrameContext<Space3d>&) const;

}  // namespace treacle::mukai2021
