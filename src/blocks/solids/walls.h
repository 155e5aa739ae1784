#pragma once

#include <array>
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
    double distance;  ///< to the surface, negative inside the solid
    Vec3d normal;     ///< out of the solid
    double adhesion;  ///< of the body
};

/// The flat or curved faces of a body. A container (inverted box or cylinder) shows each of its faces, so that a
/// particle in a corner feels all of them; every other shape shows its nearest point. Prepared once for many points.
class BodyFaces {
public:
    explicit BodyFaces(const Body& body);

    /// visit(distance, normal) for the faces within reach of a point.
    template <class Visit>
    void for_each(Vec3d point, double reach, const Visit& visit) const {
        if (face_count_ == 0) {
            const SurfacePoint hit = body_->surface_at(point);
            if (hit.distance < reach) visit(hit.distance, hit.normal);
            return;
        }
        const Vec3d from_center = point - center_;
        for (std::size_t n = 0; n < face_count_; ++n) {
            const double distance = faces_[n].from_center + dot(from_center, faces_[n].inward);
            if (distance < reach) visit(distance, faces_[n].inward);
        }
        if (mantle_radius_ == 0) return;
        const Vec3d off_axis = from_center - dot(from_center, faces_[0].inward) * faces_[0].inward;
        const double across = length(off_axis);
        if (mantle_radius_ - across < reach && across > 0) visit(mantle_radius_ - across, off_axis / -across);
    }

private:
    struct Face {
        Vec3d inward;        ///< normal, out of the solid
        double from_center;  ///< distance between the container's center and the face
    };
    void add_faces(Vec3d drawn_axis, double from_center);

    const Body* body_;
    Vec3d center_{};
    std::array<Face, 6> faces_{};
    std::size_t face_count_ = 0;  ///< none: not a container
    double mantle_radius_ = 0;    ///< of a round container, whose first face looks along its axis
};

/// Per particle, the walls within reach. Built once per stage; most particles have none.
template <class S>
class WallRows {
public:
    void update(std::span<const typename S::Row> position, const Bodies& bodies, double reach,
                const Parallel& parallel);
    std::size_t size() const { return end_.size(); }
    std::span<const Wall> row(std::size_t i) const {
        return {block_walls_[i / block_size].data() + begin_of(i), end_[i] - begin_of(i)};
    }

    /// visit(i, row) for the particles that have any, on all threads.
    template <class Visit>
    void for_each(const Parallel& parallel, const Visit& visit) const {
        parallel.for_blocks(end_.size(), block_size, [&](std::size_t first, std::size_t last, std::size_t block) {
            if (block_walls_[block].empty()) return;
            for (std::size_t i = first; i < last; ++i) {
                if (const auto walls = row(i); !walls.empty()) visit(i, walls);
            }
        });
    }

    /// Whether all walls are those of that many bodies.
    bool of_bodies(std::size_t bodies) const {
        for (std::size_t i = 0; i < size(); ++i) {
            for (const Wall& wall : row(i))
                if (wall.body >= bodies) return false;
        }
        return true;
    }

    /// A value for each wall, in rows as long as those of the walls.
    template <class T>
    class Values {
    public:
        void assign(const WallRows& walls, const T& value) {
            blocks_.resize(walls.block_walls_.size());
            for (std::size_t b = 0; b < blocks_.size(); ++b) blocks_[b].assign(walls.block_walls_[b].size(), value);
        }
        T* row(const WallRows& walls, std::size_t i) { return blocks_[i / block_size].data() + walls.begin_of(i); }

    private:
        std::vector<std::vector<T>> blocks_;
    };

private:
    static constexpr std::size_t block_size = Parallel::small_block;

    std::size_t begin_of(std::size_t i) const { return i % block_size == 0 ? 0 : end_[i - 1]; }

    std::vector<std::uint32_t> end_;              ///< per particle, where its walls end in its block
    std::vector<std::vector<Wall>> block_walls_;  ///< of each block of particles, row by row
};

}  // namespace treacle
