#include "blocks/solids/walls.h"

#include <algorithm>

namespace treacle {

BodyFaces::BodyFaces(const Body& body) : body_(&body) {
    const auto* box = std::get_if<Box>(&body.shape.form);
    if (!box || !body.invert) return;
    const Transform& transform = body.shape.transform;
    center_ = body.pose.to_world(transform.apply(box->center));
    for (int axis = 0; axis < body.shape.dimension; ++axis) {
        for (const double side : {-1.0, 1.0}) {
            Vec3d inward{};
            inward[axis] = -side;
            faces_[face_count_++] = {rotate(body.pose.rotation, rotate(transform.rotate, inward)),
                                     0.5 * transform.scale * box->size[axis]};
        }
    }
}

namespace {

/// A ball around some particles.
struct Ball {
    Vec3d center;
    double radius;
};

template <class Row>
Ball ball_around(std::span<const Row> positions) {
    auto low = positions[0].xyz(), high = low;
    for (const Row& p : positions) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    return {0.5 * (cast<double>(low) + cast<double>(high)), 0.5 * length(cast<double>(high) - cast<double>(low))};
}

/// Bodies that may be within reach of the ball. Distances change by no more than a point moves; the margin covers
/// rounding.
void find_near(const Bodies& bodies, const Ball& ball, double reach, std::vector<std::uint32_t>& near) {
    near.clear();
    const double needed = (ball.radius + reach) * (1 + 1e-6) + 1e-9 * length(ball.center);
    for (std::uint32_t b = 0; b < bodies.size(); ++b) {
        const bool far = bodies[b].surface_at(ball.center).distance > needed;
        if (!far) near.push_back(b);
    }
}

}  // namespace

template <class S>
void WallRows<S>::update(std::span<const typename S::Row> position, const Bodies& bodies, double reach,
                         const Parallel& parallel) {
    constexpr std::size_t group = 16;   // particles that stand together in memory mostly stand together in space
    const std::size_t count = position.size();
    end_.resize(count);
    block_walls_.resize(std::max(block_walls_.size(), (count + block_size - 1) / block_size));
    const std::vector<BodyFaces> faces(bodies.begin(), bodies.end());
    parallel.for_blocks(count, block_size, [&](std::size_t first, std::size_t last, std::size_t block) {
        auto& walls = block_walls_[block];
        walls.clear();
        std::vector<std::uint32_t> near;
        for (std::size_t i = first; i < last; ++i) {
            if ((i - first) % group == 0) {
                find_near(bodies, ball_around(position.subspan(i, std::min(group, last - i))), reach, near);
            }
            const Vec3d point = cast<double>(position[i].xyz());
            for (const std::uint32_t b : near) {
                faces[b].for_each(point, reach, [&](double distance, Vec3d normal) {
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
