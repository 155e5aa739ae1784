#include "blocks/solids/boundary_particles.h"

#include <algorithm>
#include <cassert>

#include "blocks/solids/body_loads.h"
#include "blocks/solids/lattice_samples.h"
#include "core/promises.h"
#include "kernels/lattice_sums.h"
#include "neighbors/neighbors.h"

namespace treacle {

namespace {

/// Where a body's samples are, prepared for many points.
struct BodyFrame {
    Vec3d center;   ///< of the samples, in space
    Vec3d x, y, z;  ///< axes of the body, in space

    BodyFrame(const Pose& pose, Vec3d local_center)
        : center(pose.to_world(local_center)), x(rotate(pose.rotation, {1, 0, 0})), y(rotate(pose.rotation, {0, 1, 0})),
          z(rotate(pose.rotation, {0, 0, 1})) {}

    Vec3d to_local(Vec3d offset) const { return {dot(offset, x), dot(offset, y), dot(offset, z)}; }
};

}  // namespace

template <class S>
BoundaryParticles<S>::BoundaryParticles(const Bodies& bodies, const Settings& settings, const Parallel& parallel,
                                        SolidGeometry* geometry)
    : settings_(settings), kernel_(settings.support_radius) {
    const double s = settings.spacing;
    const CubicSpline<Space<S::dim, double>> fine(settings.support_radius);
    const auto sheet = [&](int layers_away) { return sheet_sum(fine, S::dim, s, s * layers_away); };
    double there = 0, wanted = 0;
    for (int layer = 0; layer < settings.layers; ++layer) {
        double sum = 0;
        for (int other = 0; other < settings.layers; ++other) sum += sheet(std::abs(layer - other));
        depths_.push_back((layer + (settings.printed ? 0 : 0.5)) * s);
        flat_volumes_.push_back(1 / sum);
        there += sheet(layer + 1) / sum;
    }
    for (int layer = 1; layer * s < settings.support_radius; ++layer) wanted += sheet(layer) * cell_volume(S::dim, s);
    if (!settings.printed && there > 0) volume_scale_ = wanted / there;

    SolidGeometry alone;
    SolidGeometry& known = geometry ? *geometry : alone;
    const auto shared = [&](const Body& body) {
        const SolidGeometry::Sampling sampling{
            s, settings.support_radius, settings.layers, settings.printed, settings.lattice, body.invert};
        return known.samples(body.shape, sampling, [&] { return lay(body, known, parallel); });
    };
    samples_.resize(bodies.size());
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        if (bounds(bodies[b].shape)) samples_[b].set = shared(bodies[b]);
        else samples_[b].plane.emplace(bodies[b].shape, s, depths_of(bodies[b]));
    }
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        if (samples_[b].set) append(b, samples_[b], samples_[b].set->volumes, samples_[b].set->layers);
    }
    end_of_bodies_ = size();
}

/// Of the layers below the surface that fluid touches; negative for containers.
template <class S>
std::vector<double> BoundaryParticles<S>::depths_of(const Body& body) const {
    std::vector<double> depths;
    for (const double depth : depths_) depths.push_back(body.invert ? -depth : depth);
    return depths;
}

template <class S>
BodySampleSet BoundaryParticles<S>::lay(const Body& body, SolidGeometry& geometry, const Parallel& parallel) const {
    const double into_solid = body.invert ? -1 : 1;
    const std::vector<double> depths = depths_of(body);
    const Shape shape = without_field(body.shape);
    BodySampleSet samples;
    const auto add_layer = [&](double depth) {
        const auto points =
            geometry.layer(shape, {.spacing = settings_.spacing, .depth = depth, .count = {}}, parallel);
        samples.points.insert(samples.points.end(), points.begin(), points.end());
        return !points.empty();
    };
    if (settings_.lattice) {
        samples.points = lattice_samples(shape, body.invert, settings_.spacing, settings_.layers * settings_.spacing);
    }
    if (samples.points.empty()) {
        // Thin bodies have no place for deeper layers, very thin ones not even for the first.
        double first = depths.front();
        while (!add_layer(first) && first != 0) first = std::abs(first) > 0.1 * settings_.spacing ? 0.5 * first : 0;
        for (std::size_t layer = 1; layer < depths.size(); ++layer) add_layer(depths[layer]);
    }

    samples.grid = PointGrid(samples.points, settings_.support_radius);
    for (const Vec3d& p : samples.points) {
        const double below_first = -into_solid * surface_point(shape, p).distance - depths_.front();
        samples.layers.push_back(
            static_cast<std::uint8_t>(std::max(0.0, std::floor(below_first / settings_.spacing + 0.5))));
    }
    measure(samples, parallel);
    const Bounds box = *bounds(shape);
    samples.center = 0.5 * (box.low + box.high);
    for (const Vec3d& p : samples.points) samples.reach = std::max(samples.reach, length(p - samples.center));
    return samples;
}

/// Volumes of a body with an end.
template <class S>
void BoundaryParticles<S>::measure(BodySampleSet& samples, const Parallel& parallel) const {
    using Fine = Space<S::dim, double>;
    const CubicSpline<Fine> fine(settings_.support_radius);
    const std::vector<Row4<double>> rows(samples.points.begin(), samples.points.end());
    Neighbors<Fine> neighbors;
    neighbors.update(rows, settings_.support_radius, parallel, no_period);
    samples.volumes.resize(rows.size());
    parallel.for_each(rows.size(), [&](std::size_t k) {
        double sum = fine.value(0.0);
        for (const std::uint32_t l : neighbors.row(k)) {
            sum += fine.value(length(samples.points[k] - samples.points[l]) / settings_.support_radius);
        }
        samples.volumes[k] = volume_scale_ / sum;
    });
}

/// Adds a body's samples to the columns; position and velocity follow in place().
template <class S>
void BoundaryParticles<S>::append(std::size_t body, BodySamples& samples, std::span<const double> volumes,
                                  std::span<const std::uint8_t> layers) {
    samples.first = size();
    samples.placed = false;
    const std::size_t end = samples.first + samples.local().size();
    position_.resize(end);
    velocity_.resize(end);
    body_.resize(end, static_cast<std::uint32_t>(body));
    for (const double volume : volumes) volume_.push_back(static_cast<Real>(volume));
    layer_.insert(layer_.end(), layers.begin(), layers.end());
}

template <class S>
void BoundaryParticles<S>::place(const Body& body, BodySamples& samples, const Parallel& parallel) {
    if (samples.placed && samples.pose == body.pose && samples.velocity == body.velocity &&
        samples.angular_velocity == body.angular_velocity) {
        return;
    }
    const std::vector<Vec3d>& points = samples.local();
    parallel.for_each(points.size(), [&](std::size_t n) {
        const Vec3d p = body.pose.to_world(points[n]);
        position_[samples.first + n] = cast<Real>(p);
        velocity_[samples.first + n] = cast<Real>(body.velocity_at(p));
    });
    samples.placed = true;
    samples.pose = body.pose;
    samples.velocity = body.velocity;
    samples.angular_velocity = body.angular_velocity;
}

template <class S>
void BoundaryParticles<S>::lay_planes(std::span<const Row> fluid, const Bodies& bodies, const Parallel& parallel) {
    bool changed = false;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        if (!samples_[b].plane) continue;
        std::vector<std::vector<PlaneSamples::Tile>> by_block(Parallel::block_count(fluid.size()));
        parallel.for_blocks(fluid.size(), [&](std::size_t first, std::size_t last, std::size_t block) {
            for (std::size_t i = first; i < last; ++i) {
                samples_[b].plane->need(bodies[b].pose.to_local(cast<double>(fluid[i].xyz())), settings_.support_radius,
                                        by_block[block]);
            }
            auto& tiles = by_block[block];
            std::sort(tiles.begin(), tiles.end());
            tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
        });
        std::vector<PlaneSamples::Tile> tiles;
        for (const auto& some : by_block) tiles.insert(tiles.end(), some.begin(), some.end());
        changed |= samples_[b].plane->lay(std::move(tiles));
    }
    if (!changed) return;
    position_.resize(end_of_bodies_);
    body_.resize(end_of_bodies_);
    volume_.resize(end_of_bodies_);
    layer_.resize(end_of_bodies_);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        BodySamples& samples = samples_[b];
        if (!samples.plane) continue;
        std::vector<double> volumes;
        std::vector<std::uint8_t> layers;
        for (std::size_t n = 0; n < samples.local().size(); ++n) {
            layers.push_back(static_cast<std::uint8_t>(samples.plane->layer_of(n)));
            volumes.push_back(volume_scale_ * flat_volumes_[layers.back()]);
        }
        append(b, samples, volumes, layers);
    }
}

template <class S>
void BoundaryParticles<S>::find_rows(std::span<const Row> fluid, const Bodies& bodies, const Parallel& parallel) {
    row_end_.resize(fluid.size());
    block_entries_.resize((fluid.size() + block_size - 1) / block_size);
    std::vector<BodyFrame> frames;
    for (std::size_t b = 0; b < bodies.size(); ++b)
        frames.emplace_back(bodies[b].pose, samples_[b].set ? samples_[b].set->center : Vec3d{});
    const double radius = settings_.support_radius;
    const Real limit = kernel_.support_radius() * kernel_.support_radius();
    parallel.for_blocks(fluid.size(), block_size, [&](std::size_t first, std::size_t last, std::size_t block) {
        auto& entries = block_entries_[block];
        std::size_t used = 0;
        for (std::size_t i = first; i < last; ++i) {
            const Vec x = fluid[i].xyz();
            const auto add_near = [&](std::size_t begin, std::size_t end) {
                if (entries.size() < used + (end - begin)) entries.resize(2 * (used + (end - begin)));
                for (std::size_t k = begin; k < end; ++k) {  // written always, kept if near: no branch to predict
                    const Vec offset = x - position_[k].xyz();
                    entries[used] = static_cast<std::uint32_t>(k);
                    used += dot(offset, offset) < limit;
                }
            };
            for (std::size_t b = 0; b < bodies.size(); ++b) {
                const BodySamples& samples = samples_[b];
                const Vec3d from_center = cast<double>(x) - frames[b].center;
                const double reach = samples.set ? samples.set->reach + radius : 0;
                if (samples.set && !(dot(from_center, from_center) < reach * reach)) continue;
                const Vec3d center = samples.set ? samples.set->center : Vec3d{};
                const Vec3d local = center + frames[b].to_local(from_center);
                const auto add_run = [&](std::size_t begin, std::size_t end) {
                    add_near(samples.first + begin, samples.first + end);
                };
                if (samples.plane) samples.plane->for_each_run(local, radius, add_run);
                else samples.set->grid.for_each_run(local, add_run);
            }
            row_end_[i] = static_cast<std::uint32_t>(used);
        }
    });
}

template <class S>
void BoundaryParticles<S>::update(std::span<const Row> fluid, const Bodies& bodies, const Parallel& parallel) {
    // Positions may be infinite: the health check after the step reports a run that has diverged.
    assert(bodies.size() == samples_.size());
    lay_planes(fluid, bodies, parallel);
    for (std::size_t b = 0; b < bodies.size(); ++b) place(bodies[b], samples_[b], parallel);
    find_rows(fluid, bodies, parallel);
}

template <class S>
void BoundaryParticles<S>::add_density(const FluidView<S>& fluid, const BlockContext<S>& context,
                                       std::span<const Real> rest_density) const {
    assert(promises::sized(fluid_size(), fluid.position, fluid.material, fluid.density));
    assert(promises::within(rest_density.size(), fluid.material) && promises::finite(fluid.position));
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        Real sum = 0;
        for_each_pair(i, fluid.position[i].xyz(),
                      [&](const BoundaryPair<S>& pair) { sum += volume_[pair.k] * kernel_.value(pair.q); });
        fluid.density[i] += rest_density[fluid.material[i]] * sum;
    });
}

template <class S>
void BoundaryParticles<S>::add_density_ratio(std::span<const Row> fluid, const Parallel& parallel,
                                             std::span<Real> ratio) const {
    assert(promises::sized(fluid_size(), fluid, ratio) && promises::finite(fluid));
    parallel.for_each(Rows::of(fluid.size()), [&](std::size_t i) {
        for_each_pair(i, fluid[i].xyz(),
                      [&](const BoundaryPair<S>& pair) { ratio[i] += volume_[pair.k] * kernel_.value(pair.q); });
    });
}

/// Adds pull_of(i, pair), the acceleration of i by one sample, and the opposite force on the sample's body.
template <class S>
template <class Pull>
void BoundaryParticles<S>::pull(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<Row> acceleration,
                                const Pull& pull_of) const {
    const Bodies& bodies = context.bodies;
    push_bodies(fluid.rows(), 1, context.parallel, context.bodies, [&](std::size_t i, BodyLoads& loads) {
        Vec sum{};
        for_each_pair(i, fluid.position[i].xyz(), [&](const BoundaryPair<S>& pair) {
            const Vec change = pull_of(i, pair);
            sum += change;
            const std::uint32_t b = body_[pair.k];
            loads.add(b, bodies[b], cast<double>(position_[pair.k].xyz()),
                      -static_cast<double>(fluid.mass[i]) * cast<double>(change));
        });
        acceleration[i] = acceleration[i].xyz() + sum;
    });
}

template <class S>
void BoundaryParticles<S>::add_pressure(const FluidView<S>& fluid, const BlockContext<S>& context,
                                        std::span<const Real> rest_density, std::span<const Real> pressure,
                                        std::span<Row> acceleration) const {
    assert(promises::sized(fluid_size(), fluid.position, fluid.mass, fluid.material, fluid.density));
    assert(promises::sized(fluid_size(), pressure, acceleration) && context.bodies.size() == samples_.size());
    assert(promises::within(rest_density.size(), fluid.material) && promises::finite(fluid.position));
    assert(promises::positive(fluid.mass, fluid.density));
    pull(fluid, context, acceleration, [&](std::size_t i, const BoundaryPair<S>& pair) {
        const Real mirrored = rest_density[fluid.material[i]] * pressure[i] / (fluid.density[i] * fluid.density[i]);
        return (-mirrored * volume_[pair.k]) * gradient(pair);
    });
}

template class BoundaryParticles<Space2f>;
template class BoundaryParticles<Space3f>;
template class BoundaryParticles<Space2d>;
template class BoundaryParticles<Space3d>;

}  // namespace treacle
