#include "math/mass_properties.h"

#include "math/reproducible.h"

namespace treacle {

namespace {

std::optional<MassProperties> drawn(const Plane&, int) { return std::nullopt; }

std::optional<MassProperties> drawn(const Sphere& sphere, int dimension) {
    const double r = sphere.radius;
    if (dimension == 2) {
        const double area = reproducible::pi * r * r;
        return MassProperties{area, 2 * reproducible::pi * r, sphere.center, {}, {0, 0, area * r * r / 2}};
    }
    const double volume = 4.0 / 3 * reproducible::pi * r * r * r;
    const double moment = 0.4 * volume * r * r;
    return MassProperties{volume, 4 * reproducible::pi * r * r, sphere.center, {}, {moment, moment, moment}};
}

std::optional<MassProperties> drawn(const Box& box, int dimension) {
    const auto [x, y, z] = box.size;
    if (dimension == 2) return MassProperties{x * y, 2 * (x + y), box.center, {}, {0, 0, x * y * (x * x + y * y) / 12}};
    const double volume = x * y * z;
    return MassProperties{volume, 2 * (x * y + y * z + z * x), box.center, {},
                          (volume / 12) * Vec3d{y * y + z * z, z * z + x * x, x * x + y * y}};
}

}  // namespace

std::optional<MassProperties> mass_properties(const Shape& shape) {
    auto properties = std::visit([&](const auto& form) { return drawn(form, shape.dimension); }, shape.form);
    if (!properties) return std::nullopt;
    const double s = shape.transform.scale;
    const double volume_scale = shape.dimension == 2 ? s * s : s * s * s;
    properties->volume *= volume_scale;
    properties->surface *= volume_scale / s;
    properties->inertia = (volume_scale * s * s) * properties->inertia;
    properties->center = shape.transform.apply(properties->center);
    properties->principal_axes = shape.transform.rotate * properties->principal_axes;
    return properties;
}

}  // namespace treacle
