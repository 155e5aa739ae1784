#pragma once

#include <optional>

#include "render/sampling.h"

/// Light at a surface and on its way through a medium.

namespace treacle::tracing {

inline Vec3f mirrored(Vec3f direction, Vec3f normal) { return direction - 2 * dot(direction, normal) * normal; }

/// Share of unpolarized light that a boundary reflects (Fresnel). `cosine`: between ray and normal on the near side;
/// `ratio`: index of refraction on the near side over that on the far side.
inline float fresnel(float cosine, float ratio) {
    const float sine2 = ratio * ratio * (1 - cosine * cosine);
    if (sine2 >= 1) return 1;  // total reflection
    const float far_cosine = std::sqrt(1 - sine2);
    const float s = (ratio * cosine - far_cosine) / (ratio * cosine + far_cosine);
    const float p = (cosine - ratio * far_cosine) / (cosine + ratio * far_cosine);
    return 0.5f * (s * s + p * p);
}

/// Snell's law; nothing where all light is reflected. The normal is on the side that the ray comes from.
inline std::optional<Vec3f> refracted(Vec3f direction, Vec3f normal, float ratio) {
    const float cosine = -dot(direction, normal);
    const float sine2 = ratio * ratio * (1 - cosine * cosine);
    if (sine2 >= 1) return std::nullopt;
    return unit(ratio * direction + (ratio * cosine - std::sqrt(1 - sine2)) * normal);
}

/// Schlick's approximation for a coat that reflects the share `straight` at perpendicular incidence.
inline float coat_share(float straight, float cosine) {
    if (straight <= 0) return 0;
    const float grazing = 1 - std::clamp(cosine, 0.0f, 1.0f), square = grazing * grazing;
    return straight + (1 - straight) * square * square * grazing;
}

/// Beer-Lambert.
inline Color passed_through(const Substance& medium, float distance) {
    const Color& a = medium.absorption;
    return {std::exp(-a.x * distance), std::exp(-a.y * distance), std::exp(-a.z * distance)};
}

/// A rough mirror: facets with slopes distributed as by Trowbridge and Reitz (GGX). A facet that the ray can see
/// reflects it, and no light is lost.
class RoughMirror {
public:
    /// `toward` points back along the ray.
    RoughMirror(Vec3f normal, Vec3f toward, float roughness)
        : normal_(normal), axes_(tangents(normal)),
          alpha_(std::max(roughness * roughness, 1e-3f)), toward_{dot(toward, axes_.u), dot(toward, axes_.v),
                                                                  std::max(dot(toward, normal), 1e-3f)} {}

    /// The ray reflected at a random visible facet (Heitz 2018).
    Vec3f sample(Pair p) const {
        const Vec3f stretched = unit(Vec3f{alpha_ * toward_.x, alpha_ * toward_.y, toward_.z});
        const float flat = stretched.x * stretched.x + stretched.y * stretched.y;
        const Vec3f side = flat > 0 ? Vec3f{-stretched.y, stretched.x, 0} / std::sqrt(flat) : Vec3f{1, 0, 0};
        const Vec3f other = cross(stretched, side);
        const Pair d = disc_point(p);
        const float lean = 0.5f * (1 + stretched.z);
        const float b = (1 - lean) * std::sqrt(std::max(0.0f, 1 - d.x * d.x)) + lean * d.y;
        const Vec3f n = d.x * side + b * other + std::sqrt(std::max(0.0f, 1 - d.x * d.x - b * b)) * stretched;
        const Vec3f facet = unit(Vec3f{alpha_ * n.x, alpha_ * n.y, std::max(n.z, 1e-6f)});
        Vec3f out = 2 * dot(toward_, facet) * facet - toward_;
        out.z = std::abs(out.z);  // light that would go into the surface is reflected once more
        return out.x * axes_.u + out.y * axes_.v + out.z * normal_;
    }

    /// Probability density of `sample` for this direction, per steradian.
    float density(Vec3f out) const {
        const Vec3f local{dot(out, axes_.u), dot(out, axes_.v), dot(out, normal_)};
        if (local.z <= 0) return 0;
        return facets_toward(local) + facets_toward({local.x, local.y, -local.z});
    }

private:
    float facets_toward(Vec3f local) const {
        const Vec3f sum = local + toward_;
        if (sum.z <= 0) return 0;
        const Vec3f facet = unit(sum);
        const float a2 = alpha_ * alpha_, c2 = facet.z * facet.z;
        const float below = c2 * (a2 - 1) + 1;
        const float facets = a2 / (3.14159265f * below * below);
        const float z2 = toward_.z * toward_.z;
        const float seen = 2 * toward_.z / (toward_.z + std::sqrt(a2 + (1 - a2) * z2));
        return seen * facets / (4 * toward_.z);
    }

    Vec3f normal_;
    Tangents axes_;
    float alpha_;
    Vec3f toward_;  ///< in the axes of the surface
};

}  // namespace treacle::tracing
