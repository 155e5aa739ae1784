#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "blocks/solids/surface_samples.h"
#include "core/parallel.h"
#include "geometry/distance_field.h"
#include "geometry/shape.h"
#include "neighbors/point_grid.h"

namespace treacle {

/// Samples of a body with an end, in its own frame.
struct BodySampleSet {
    std::vector<Vec3d> points;
    PointGrid grid;
    std::vector<double> volumes;  ///< m³ (2D: m²)
    std::vector<std::uint8_t> layers;
    Vec3d center{};  ///< of a ball around them
    double reach = 0;
};

/// The costly knowledge about the shapes of solids: distance fields and samples of meshes. It is kept for all bodies
/// that are drawn alike, by the content of their meshes, and outlives a simulation: one that is resumed, restored or
/// started again with an edited scene takes it over. Several threads may ask.
class SolidGeometry {
public:
    /// The field of a mesh within reach (m in space) of its surface, on the side of the fluid.
    std::shared_ptr<const DistanceField> field(const Shape& shape, bool invert, double spacing, double reach);

    /// How samples of a shape were laid.
    struct Sampling {
        double spacing = 0, support_radius = 0;
        int layers = 1;
        bool printed = false, lattice = false, invert = false;
        auto operator<=>(const Sampling&) const = default;
    };

    /// Samples of a shape; `lay` makes them if there are none yet. Shapes other than meshes are cheap and not kept.
    std::shared_ptr<const BodySampleSet> samples(const Shape& shape, const Sampling& sampling,
                                                 const std::function<BodySampleSet()>& lay);

    /// sample_surface. Those of a mesh are laid once for all places where it stands: a pile costs what one costs.
    std::vector<Vec3d> layer(const Shape& shape, const SurfaceSampling& sampling, const Parallel& parallel);

private:
    struct LayerKey {
        std::uint64_t mesh;
        double scale, spacing, depth;
        auto operator<=>(const LayerKey&) const = default;
    };
    struct FieldKey {
        std::uint64_t mesh;  ///< hash of its content
        double scale, spacing, reach;
        bool invert;
        auto operator<=>(const FieldKey&) const = default;
    };
    struct SampleKey {
        std::uint64_t mesh;
        std::array<double, 8> transform;
        Sampling sampling;
        auto operator<=>(const SampleKey&) const = default;
    };

    std::mutex mutex_, layer_mutex_;  ///< layers are asked for while samples are laid
    std::map<LayerKey, std::vector<Vec3d>> layers_;
    std::map<FieldKey, std::shared_ptr<const DistanceField>> fields_;
    std::map<SampleKey, std::shared_ptr<const BodySampleSet>> samples_;
};

}  // namespace treacle
