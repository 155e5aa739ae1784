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

std::optional<MassProperties> drawn(const Cylinder& cylinder, int dimension) {
    const double outer = cylinder.radius, inner = cylinder.inner_radius, h = cylinder.height;
    const Quaternion axes = facing(cylinder.axis, dimension);
    if (dimension == 2) {
        const double area = 2 * (outer - inner) * h, ends = 4 * (outer - inner), sides = (inner > 0 ? 4 : 2) * h;
        const double from_axis = 4 * (outer * outer + outer * inner + inner * inner);
        return MassProperties{area, ends + sides, cylinder.center, axes, {0, 0, area * (h * h + from_axis) / 12}};
    }
    const double squares = outer * outer + inner * inner, ring = reproducible::pi * (outer * outer - inner * inner);
    const double volume = ring * h, across = volume * (3 * squares + h * h) / 12;
    return MassProperties{volume, 2 * reproducible::pi * (outer + inner) * h + 2 * ring, cylinder.center, axes,
                          {across, across, 0.5 * volume * squares}};
}

/// A cylinder (2D: rectangle) and a ball (disc) whose halves stand at its ends.
std::optional<MassProperties> drawn(const Capsule& capsule, int dimension) {
    const double r = capsule.radius, h = capsule.height;
    const Quaternion axes = facing(capsule.axis, dimension);
    if (dimension == 2) {
        const double bar = 2 * r * h, disc = reproducible::pi * r * r;
        const double inertia = bar * (h * h + 4 * r * r) / 12 +
                               disc * (0.5 * r * r + 0.25 * h * h + 4 * r * h / (3 * reproducible::pi));
        return MassProperties{bar + disc, 2 * (h + reproducible::pi * r), capsule.center, axes, {0, 0, inertia}};
    }
    const double bar = reproducible::pi * r * r * h, ball = 4.0 / 3 * reproducible::pi * r * r * r;
    const double along = (0.5 * bar + 0.4 * ball) * r * r;
    const double across = bar * (3 * r * r + h * h) / 12 + ball * (0.4 * r * r + 0.25 * h * h + 0.375 * r * h);
    return MassProperties{bar + ball, 2 * reproducible::pi * r * (h + 2 * r), capsule.center, axes, {across, across, along}};
}

}  // namespace

std::optional<double> volume(const Shape& shape) {
    const auto properties = mass_properties(shape);
    return properties ? std::optional(properties->volume) : std::nullopt;
}

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
