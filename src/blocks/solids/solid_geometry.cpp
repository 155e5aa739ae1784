#include "blocks/solids/solid_geometry.h"

#include <cassert>

namespace treacle {

std::shared_ptr<const DistanceField> SolidGeometry::field(const Shape& shape, bool invert, double spacing,
                                                          double reach) {
    const auto* mesh = std::get_if<Mesh>(&shape.form);
    assert(mesh && mesh->solid && spacing > 0 && reach > 0);
    const double scale = shape.transform.scale;
    const std::lock_guard lock(mutex_);
    auto& field = fields_[{mesh->solid->content_hash(), scale, spacing, reach, invert}];
    const DistanceBand band{.spacing = spacing / scale, .reach = 1.01 * reach / scale, .inside = invert};
    if (!field) field = std::make_shared<const DistanceField>(mesh->solid, band);
    return field;
}

std::shared_ptr<const BodySampleSet> SolidGeometry::samples(const Shape& shape, const Sampling& sampling,
                                                            const std::function<BodySampleSet()>& lay) {
    assert(sampling.spacing > 0 && sampling.support_radius > 0);
    const auto* mesh = std::get_if<Mesh>(&shape.form);
    if (!mesh) return std::make_shared<const BodySampleSet>(lay());
    const auto& [translate, rotate, scale] = shape.transform;
    const std::lock_guard lock(mutex_);
    auto& set = samples_[{mesh->solid->content_hash(),
                          {translate.x, translate.y, translate.z, rotate.w, rotate.x, rotate.y, rotate.z, scale},
                          sampling}];
    if (!set) set = std::make_shared<const BodySampleSet>(lay());
    return set;
}

std::vector<Vec3d> SolidGeometry::layer(const Shape& shape, const SurfaceSampling& sampling, const Parallel& parallel) {
    assert(sampling.spacing > 0 && !sampling.count);
    const auto* mesh = std::get_if<Mesh>(&shape.form);
    if (!mesh) return sample_surface(shape, sampling, parallel);
    const auto& [translate, turn, scale] = shape.transform;
    const std::lock_guard lock(layer_mutex_);
    const LayerKey key{mesh->solid->content_hash(), scale, sampling.spacing, sampling.depth};
    auto found = layers_.find(key);
    if (found == layers_.end()) {
        Shape upright = shape;
        upright.transform.translate = {};
        upright.transform.rotate = {};
        found = layers_.emplace(key, sample_surface(upright, sampling, parallel)).first;
    }
    std::vector<Vec3d> samples = found->second;
    for (Vec3d& sample : samples) sample = translate + rotate(turn, sample);
    return samples;
}

}  // namespace treacle
