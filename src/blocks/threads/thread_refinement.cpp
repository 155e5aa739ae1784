#include "blocks/threads/thread_refinement.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/promises.h"
#include "laws/halved_size.h"
#include "math/random.h"
#include "neighbors/nearest_image.h"

namespace treacle {

namespace {

constexpr std::uint32_t first_new_id = 0x80000000u;  // beyond what fluids and emitters count to
constexpr double apart = 0.25;                       // spacings of a particle between its place and that of a half
constexpr double turned = 0.5;                       // of the way along the thread: how far sidewards, at most

/// Bounds on means of λ1 and λ2.
struct ShapeBounds {
    double along;  ///< more is a thread
    double thin;   ///< less is thin
    double thick;  ///< more is thick
};
template <class S>
constexpr ShapeBounds shape_bounds = S::dim == 3 ? ShapeBounds{2.12, 1.2, 1.75} : ShapeBounds{2.45, 1.05, 1.85};

}  // namespace

template <class S>
void ThreadRefinement<S>::add_columns(Particles& particles) {
    particles.add<std::uint8_t>("halvings", "1");
    particles.add<Real>("size", "1", true, true, false, Real(1));
}

template <class S>
auto ThreadRefinement<S>::sizes(const Particles& particles) -> std::vector<Real> {
    const auto size = particles.get<Real>("size");
    if (std::all_of(size.begin(), size.end(), [](Real s) { return s == 1; })) return {};
    return {size.begin(), size.end()};
}

template <class S>
auto ThreadRefinement<S>::shape_of(std::size_t i, std::span<const std::uint32_t> row, std::span<const Row> position,
                                   Vec period) const -> Shape {
    const Real unit = 1 / (sizes_[i] * spacing_);
    Real weight = 1;
    Vec mean{};
    SymMat<Real> square{};
    for (const std::uint32_t j : row) {
        const Vec r = unit * nearest_image(position[j].xyz() - position[i].xyz(), period);
        const Real share = sizes_.pair(i, j).share;
        weight += share;
        mean += share * r;
        square.add_square(share, r);
    }
    mean = (1 / weight) * mean;
    SymMat<Real> covariance = (1 / weight) * square;
    covariance.add_square(-1, mean);
    Mat3<Real> power = Mat3<Real>::from(covariance);  // to the 64th, in which λ1 is all that is left
    for (int n = 0; n < 6; ++n) {
        const Real trace = power.trace();
        if (!(trace > 0)) return {};
        power = (1 / trace) * power;
        power = power * power;
    }
    Shape shape;
    shape.axis = power.x.x >= power.y.y && power.x.x >= power.z.z ? power.x
                 : power.y.y >= power.z.z                         ? power.y
                                                                  : power.z;
    shape.axis = (1 / length(shape.axis)) * shape.axis;
    shape.along = dot(shape.axis, covariance * shape.axis);
    // λ2 and λ3 by their sum and product
    const SymMat<Real>& c = covariance;
    const Real sum = c.trace() - shape.along;
    const Real minors = (c.xx * c.yy - c.xy * c.xy) + (c.xx * c.zz - c.xz * c.xz) + (c.yy * c.zz - c.yz * c.yz);
    const Real product = minors - shape.along * sum;
    shape.across = Real(0.5) * (sum + std::sqrt(std::max(Real(0), sum * sum - 4 * product)));
    return shape;
}

template <class S>
void ThreadRefinement<S>::choose_by_shape(const FluidView<S>& fluid, const BlockContext<S>& context,
                                          std::span<const std::uint8_t> halvings) {
    plan_.assign(fluid.size(), Plan::keep), shape_.resize(fluid.size());
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        shape_[i] = shape_of(i, context.neighbors.row(i), fluid.position, cast<Real>(context.period));
    });
    constexpr ShapeBounds limit = shape_bounds<S>;
    context.parallel.for_each(fluid.rows(), [&](std::size_t i) {
        const auto row = context.neighbors.row(i);
        if (row.size() < 3) return;
        const auto [fewest, most] = std::minmax_element(row.begin(), row.end(), [&](std::uint32_t a, std::uint32_t b) {
            return halvings[a] < halvings[b];
        });
        const bool may_halve = halvings[i] < most_ && halvings[*fewest] >= halvings[i];
        const bool may_join = halvings[i] > 0 && halvings[*most] <= halvings[i];
        if (!may_halve && !may_join) return;
        double along = static_cast<double>(shape_[i].along), across = static_cast<double>(shape_[i].across);
        for (const std::uint32_t j : row)
            along += static_cast<double>(shape_[j].along), across += static_cast<double>(shape_[j].across);
        const auto around = static_cast<double>(row.size() + 1);
        if (may_halve && along > limit.along * around && across < limit.thin * around) plan_[i] = Plan::halve;
        else if (may_join && across > limit.thick * around) plan_[i] = Plan::join;
    });
}

/// Joins two and two. Of each pair one keeps its row; the others are flagged.
template <class S>
std::vector<std::uint8_t> ThreadRefinement<S>::join_pairs(const BlockContext<S>& context, Particles& particles) const {
    const Vec period = cast<Real>(context.period);
    const auto position = particles.get<Row>("position");
    const auto mass = particles.get<Real>("mass");
    const auto id = particles.get<std::uint32_t>("id");
    const auto halvings = particles.get<std::uint8_t>("halvings");
    const auto material = particles.get<std::uint8_t>("material");
    const auto size = particles.get<Real>("size");
    const std::size_t count = plan_.size();
    const auto nobody = static_cast<std::uint32_t>(count);
    const auto nearest = [&](std::uint32_t i) {
        std::uint32_t best = nobody;
        Real least = Real(2.25) * (sizes_[i] * spacing_) * (sizes_[i] * spacing_);
        for (const std::uint32_t j : context.neighbors.row(i)) {
            if (plan_[j] != Plan::join || halvings[j] != halvings[i] || material[j] != material[i]) continue;
            const Vec r = nearest_image(position[j].xyz() - position[i].xyz(), period);
            const Real square = dot(r, r);
            if (square < least || (square == least && best != nobody && id[j] < id[best])) least = square, best = j;
        }
        return best;
    };
    std::vector<std::uint32_t> partner(count, nobody);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (plan_[i] == Plan::join) partner[i] = nearest(i);
    }
    std::vector<std::uint8_t> doomed(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t j = partner[i];
        if (j == nobody || j < i || partner[j] != i) continue;
        const std::uint32_t keeps = id[i] < id[j] ? i : j, goes = keeps == i ? j : i;
        const Vec middle =
            position[keeps].xyz() + Real(0.5) * nearest_image(position[goes].xyz() - position[keeps].xyz(), period);
        const Real both = mass[keeps] + mass[goes];
        for (const auto& column : particles.all()) {
            if (!column.info.persistent || column.info.type != particles.real()) continue;
            auto* values = reinterpret_cast<Real*>(particles.bytes(column.info.name).data());
            const std::size_t width = scalars_per_row(column.info.shape);
            for (std::size_t n = 0; n < width; ++n) {
                values[keeps * width + n] = Real(0.5) * (values[keeps * width + n] + values[goes * width + n]);
            }
        }
        position[keeps] = middle;
        mass[keeps] = both;
        --halvings[keeps];
        size[keeps] = static_cast<Real>(halved_size(S::dim, halvings[keeps]));
        doomed[goes] = 1;
    }
    return doomed;
}

template <class S>
bool ThreadRefinement<S>::apply(const BlockContext<S>& context, std::span<const Mat3<Real>> gradient,
                                Particles& particles, ConnectionGraph& connections, ConnectionGraph& anchors) const {
    assert(promises::sized(plan_.size(), context.neighbors, particles, gradient));
    const std::size_t count = plan_.size();
    std::vector<std::uint8_t> doomed = join_pairs(context, particles);
    std::vector<std::size_t> halved;
    for (std::size_t i = 0; i < count; ++i) {
        if (plan_[i] == Plan::halve) halved.push_back(i);
    }
    const auto gone = static_cast<std::size_t>(std::count(doomed.begin(), doomed.end(), 1));
    if (halved.empty() && gone == 0) return false;

    std::uint32_t next_id = first_new_id;
    for (const std::uint32_t id : particles.get<std::uint32_t>("id")) next_id = std::max(next_id, id + 1);
    particles.resize(count + halved.size());
    for (std::size_t n = 0; n < halved.size(); ++n) particles.copy_row(halved[n], count + n);
    const auto position = particles.get<Row>("position"), velocity = particles.get<Row>("velocity");
    const auto mass = particles.get<Real>("mass"), size = particles.get<Real>("size");
    const auto id = particles.get<std::uint32_t>("id");
    const auto halvings = particles.get<std::uint8_t>("halvings");
    for (std::size_t n = 0; n < halved.size(); ++n) {
        const std::size_t i = halved[n], other = count + n;
        Random random(id[i] + (std::uint64_t{halvings[i]} << 32));
        const auto side = [&] { return static_cast<Real>(turned * (2 * random.next() - 1)); };
        const Real x = side(), y = side(), z = S::dim == 3 ? side() : Real(0);
        Vec way = shape_[i].axis + Vec{x, y, z};
        way = (static_cast<Real>(apart) * sizes_[i] * spacing_ / length(way)) * way;
        const Vec change = gradient[i] * way;
        position[other] = position[i].xyz() - way, position[i] = position[i].xyz() + way;
        velocity[other] = velocity[i].xyz() - change, velocity[i] = velocity[i].xyz() + change;
        mass[i] = mass[other] = Real(0.5) * mass[i];
        halvings[i] = halvings[other] = static_cast<std::uint8_t>(halvings[i] + 1);
        size[i] = size[other] = static_cast<Real>(halved_size(S::dim, halvings[i]));
        id[other] = next_id++;
    }
    connections.resize(particles.size());
    anchors.resize(particles.size());
    if (gone > 0) {
        doomed.resize(particles.size());
        const auto new_index = particles.remove(doomed);
        connections.remap(new_index, particles.size());
        anchors.remap(new_index, particles.size());
    }
    return true;
}

template class ThreadRefinement<Space2d>;
template class ThreadRefinement<Space3d>;

}  // namespace treacle
