#include "blocks/solids/walls.h"

#include <algorithm>
#include <cassert>
#include <optional>

namespace treacle {

BodyFaces::BodyFaces(const Body& body) : body_(&body) {
    if (!body.invert) return;
    const bool flat = body.shape.dimension == 2;
    if (const auto* box = std::get_if<Box>(&body.shape.form)) {
        for (int axis = 0; axis < body.shape.dimension; ++axis) {
            Vec3d along{};
            along[axis] = 1;
            add_faces(along, 0.5 * box->size[axis]);
        }
    } else if (const auto* cylinder = std::get_if<Cylinder>(&body.shape.form);
               cylinder && cylinder->inner_radius == 0) {
        add_faces(cylinder->axis / length(cylinder->axis), 0.5 * cylinder->height);
        if (flat) add_faces(perpendicular(cylinder->axis), cylinder->radius);
        else mantle_radius_ = body.shape.transform.scale * cylinder->radius;
    }
}

/// The two faces across an axis through the center.
void BodyFaces::add_faces(Vec3d drawn_axis, double from_center) {
    const Transform& transform = body_->shape.transform;
    center_ = body_->pose.to_world(*center(body_->shape));
    for (const double side : {-1.0, 1.0}) {
        faces_[face_count_++] = {rotate(body_->pose.rotation, rotate(transform.rotate, -side * drawn_axis)),
                                 transform.scale * from_center};
    }
}

namespace {

Bounds around(const auto& rows) {
    auto low = rows[0].xyz(), high = low;
    for (const auto& p : rows) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    return {cast<double>(low), cast<double>(high)};
}

bool apart(const Bounds& a, const Bounds& b) {
    return a.high.x < b.low.x || b.high.x < a.low.x || a.high.y < b.low.y || b.high.y < a.low.y || a.high.z < b.low.z ||
           b.high.z < a.low.z;
}

/// A body and what it takes to see that it is far away.
struct Candidate {
    BodyFaces faces;
    std::optional<Bounds> within_reach;  ///< none for a container or a plane: the solid has no end
};

/// The margins cover rounding.
std::vector<Candidate> candidates(const Bodies& bodies, double reach) {
    std::vector<Candidate> all;
    for (const Body& body : bodies) {
        std::optional<Bounds> box = body.invert ? std::nullopt : bounds(body.shape, body.pose);
        if (box) {
            const double grown = (1 + 1e-6) * reach + 1e-9 * (length(box->low) + length(box->high));
            *box = {box->low - Vec3d{grown, grown, grown}, box->high + Vec3d{grown, grown, grown}};
        }
        all.push_back({BodyFaces(body), box});
    }
    return all;
}

/// Finds the bodies that may be within reach of some particles. Where the fluid is not, a body costs the comparison of
/// two boxes. Of a solid without end, the distance of the particles' center tells: it changes by no more than a point
/// moves.
void find_near(const Bodies& bodies, const std::vector<Candidate>& all, const Bounds& particles, double reach,
               std::vector<std::uint32_t>& near) {
    near.clear();
    const Vec3d center = 0.5 * (particles.low + particles.high);
    const double needed = (0.5 * length(particles.high - particles.low) + reach) * (1 + 1e-6) + 1e-9 * length(center);
    for (std::uint32_t b = 0; b < bodies.size(); ++b) {
        const bool far = all[b].within_reach ? apart(*all[b].within_reach, particles)
                                             : bodies[b].surface_at(center).distance > needed;
        if (!far) near.push_back(b);
    }
}

}  // namespace

template <class S>
void WallRows<S>::update(std::span<const typename S::Row> position, const Bodies& bodies, double reach,
                         const Parallel& parallel) {
    // Positions may be infinite: the health check after the step reports a run that has diverged.
    assert(reach >= 0);
    constexpr std::size_t group = 16;  // particles that stand together in memory mostly stand together in space
    const std::size_t count = position.size();
    end_.resize(count);
    block_walls_.resize(std::max(block_walls_.size(), (count + block_size - 1) / block_size));
    const std::vector<Candidate> all = candidates(bodies, reach);
    parallel.for_blocks(count, block_size, [&](std::size_t first, std::size_t last, std::size_t block) {
        auto& walls = block_walls_[block];
        walls.clear();
        std::vector<std::uint32_t> near;
        for (std::size_t i = first; i < last; ++i) {
            if ((i - first) % group == 0) {
                find_near(bodies, all, around(position.subspan(i, std::min(group, last - i))), reach, near);
            }
            const Vec3d point = cast<double>(position[i].xyz());
            for (const std::uint32_t b : near) {
                if (all[b].within_reach && apart(*all[b].within_reach, {point, point})) continue;
                all[b].faces.for_each(point, reach, [&](double distance, Vec3d normal) {
                    walls.push_back({b, distance, normal, bodies[b].adhesion});
                });
            }
            end_[i] = static_cast<std::uint32_t>(walls.size());
        }
    });
}

template class WallRows<Space2f>;
template class WallRows<Space3f>;
template class WallRows<Space2d>;
template class WallRows<Space3d>;

}  // namespace treacle
