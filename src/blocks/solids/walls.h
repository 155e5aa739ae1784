#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "math/space.h"
#include "state/bodies.h"

namespace treacle {

/// One solid surface near a particle.
struct Wall {
    std::uint32_t body;
    double distance;     ///< to the surface, negative inside the solid
    Vec3d normal;        ///< out of the solid
    double adhesion;     ///< of the body
};

/// The flat or curved faces of a body within reach of a point. A container (inverted box) shows each of its faces,
/// so that a particle in a corner feels all of them; every other shape shows its nearest point.
template <class Visit>
void for_each_face(const Body& body, Vec3d point, double reach, const Visit& visit);

/// Per particle, the walls within reach. Built once per stage; most particles have none.
template <class S>
class WallRows {
public:
    void update(std::span<const typename S::Row> position, const Bodies& bodies, double reach, const Parallel& parallel);
    std::span<const Wall> row(std::size_t i) const {
        const std::size_t begin = i % block_size == 0 ? 0 : end_[i - 1];
        return {block_walls_[i / block_size].data() + begin, end_[i] - begin};
    }

private:
    static constexpr std::size_t block_size = Parallel::small_block;

    std::vector<std::uint32_t> end_;                ///< per particle, where its walls end in its block
    std::vector<std::vector<Wall>> block_walls_;    ///< of each block of particles, row by row
};

template <class Visit>
void for_each_face(const Body& body, Vec3d point, double reach, const Visit& visit) {
    const auto* box = std::get_if<Box>(&body.shape.form);
    if (!box || !body.invert) {
        const SurfacePoint hit = body.surface_at(point);
        if (hit.distance < reach) visit(hit.distance, hit.normal);
        return;
    }
    const Transform& transform = body.shape.transform;
    const Vec3d local = transform.invert(body.pose.to_local(point)) - box->center;
    for (int axis = 0; axis < body.shape.dimension; ++axis) {
        for (const double side : {-1.0, 1.0}) {
            const double distance = transform.scale * (0.5 * box->size[axis] - side * local[axis]);
            if (!(distance < reach)) continue;
            Vec3d inward{};
            inward[axis] = -side;
            visit(distance, rotate(body.pose.rotation, rotate(transform.rotate, inward)));
        }
    }
}

}  // namespace treacle
