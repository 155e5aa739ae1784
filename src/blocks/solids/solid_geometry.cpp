#include "blocks/solids/solid_geometry.h"

#include <cassert>

namespace treacle {

std::shared_ptr<const DistanceField> SolidGeometry::field(const Shape& shape, bool invert, double spacing, double reach,
                                                          const Parallel& parallel) {
    const auto* mesh = std::get_if<Mesh>(&shape.form);
    assert(mesh && mesh->solid && spacing > 0 && reach > 0);
    const double scale = shape.transform.scale;
    const std::lock_guard lock(mutex_);
    auto& field = fields_[{mesh->solid->content_hash(), scale, spacing, reach, invert}];
    const DistanceBand band{.spacing = spacing / scale, .reach = 1.01 * reach / scale, .inside = invert};
    if (!field) field = std::make_shared<const DistanceField>(mesh->solid, band, parallel);
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
                          mesh->field.get(),
                          {translate.x, translate.y, translate.z, rotate.w, rotate.x, rotate.y, rotate.z, scale},
                          sampling}];
    if (!set) set = std::make_shared<const BodySampleSet>(lay());
    return set;
}

}  // namespace treacle
