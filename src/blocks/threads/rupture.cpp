#include "blocks/threads/rupture.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/promises.h"
#include "math/reproducible.h"
#include "neighbors/nearest_image.h"
#include "neighbors/pieces.h"

namespace treacle {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double columns_per_side = 3;
constexpr double slice_height = 1.5;  // spacings
constexpr double spread = 2;          // spacings, up and down

/// Share of a particle below a height above it, in units of its spread: the integral of 1 - |u|.
double share_below(double u) {
    if (u <= -1) return 0;
    if (u >= 1) return 1;
    return u < 0 ? 0.5 * (1 + u) * (1 + u) : 1 - 0.5 * (1 - u) * (1 - u);
}

/// S1 to S4 are bits 0 to 3, opposite sides are two bits apart.
std::uint8_t opposite(std::uint8_t side) { return static_cast<std::uint8_t>((side << 2 | side >> 2) & 15); }

/// The ends of a fluid along an axis. What lies beyond the border of a periodic space is counted on from there: the
/// fluid begins after the widest gap.
struct Ends {
    Ends(std::vector<double> places, double repeats_after) : period(repeats_after) {
        std::sort(places.begin(), places.end());
        low = places.front(), high = places.back();
        if (!(period > 0)) return;
        double widest = low + period - high;
        for (std::size_t n = 1; n < places.size(); ++n) {
            if (places[n] - places[n - 1] <= widest) continue;
            widest = places[n] - places[n - 1];
            low = places[n], high = places[n - 1] + period;
        }
        gap = widest;
    }
    double counted_on(double x) const { return x < low ? x + period : x; }

    double low, high;
    double gap = infinity;  ///< m, from its end to its beginning, where space repeats itself
    double period;
};

/// Where a solid ends along an axis, seen from above (sign 1) or below (-1).
double face(const Body& body, int axis, int sign) {
    if (const auto box = bounds(body.shape, body.pose)) return sign > 0 ? box->high[axis] : box->low[axis];
    const SurfacePoint plane = body.surface_at({});
    return -plane.distance * plane.normal[axis];
}

template <class S>
std::vector<std::uint32_t> pieces_of(std::span<const typename S::Row> position, const Neighbors<S>& neighbors,
                                     double link, Vec3d period, std::span<const typename S::Real> size) {
    using Real = typename S::Real;
    const auto repeats = cast<Real>(period);
    return find_pieces(
        position.size(), [&](std::size_t i) { return neighbors.row(i); },
        [&](std::uint32_t i, std::uint32_t j) {
            const auto apart = nearest_image(position[j].xyz() - position[i].xyz(), repeats);
            const Real reach = static_cast<Real>(link) * (size.empty() ? Real(1) : Real(0.5) * (size[i] + size[j]));
            return dot(apart, apart) < reach * reach;
        });
}

}  // namespace

int pull_axis(Vec3d gravity) {
    int axis = 1;
    for (const int other : {0, 2}) {
        if (std::abs(gravity[other]) > std::abs(gravity[axis])) axis = other;
    }
    return axis;
}

template <class S>
void PulledThread<S>::tag_sides(Particles& particles) const {
    assert(axis >= 0 && axis < S::dim && spacing > 0);
    particles.add<std::uint8_t>("side", "", true);
    const auto position = particles.get<Row>("position");
    const auto fluid = particles.get<std::uint32_t>("fluid");
    const auto side = particles.get<std::uint8_t>("side");
    std::fill(side.begin(), side.end(), std::uint8_t{0});
    std::uint8_t low_side = 1;  // S1 and S3 for the first lateral axis, S2 and S4 for the second
    for (int lateral = 0; lateral < S::dim; ++lateral) {
        if (lateral == axis) continue;
        std::map<std::uint32_t, std::vector<double>> places;  // by fluid
        for (std::size_t i = 0; i < position.size(); ++i) places[fluid[i]].push_back(position[i].xyz()[lateral]);
        std::map<std::uint32_t, Ends> ends;
        for (auto& [number, of_fluid] : places) ends.emplace(number, Ends(std::move(of_fluid), period[lateral]));
        const double width = (columns_per_side - 0.5) * spacing;
        for (std::size_t i = 0; i < position.size(); ++i) {
            const Ends& end = ends.at(fluid[i]);
            const double x = end.counted_on(position[i].xyz()[lateral]);
            if (end.high - end.low < (3 * columns_per_side - 1.5) * spacing) continue;
            if (end.gap < 1.5 * spacing) continue;  // it closes on itself
            if (x < end.low + width) side[i] |= low_side;
            if (x > end.high - width) side[i] |= opposite(low_side);
        }
        low_side = 2;
    }
}

template <class S>
Rupture PulledThread<S>::join(std::span<const Row> position, const Neighbors<S>& neighbors,
                              const Bodies& bodies) const {
    assert(position.size() == neighbors.size() && promises::reaching(link, neighbors));
    assert(axis >= 0 && axis < S::dim && promises::finite(position));
    const std::vector<std::uint32_t> piece = pieces_of<S>(position, neighbors, link, period, {});
    struct Touch {
        std::size_t count = 0;
        double height = 0;
        std::vector<std::uint8_t> pieces;  // by root, whether the piece touches
    };
    std::vector<Touch> touches(bodies.size());
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        Touch& touching = touches[b];
        touching.pieces.resize(position.size());
        for (std::size_t i = 0; i < position.size(); ++i) {
            const Vec3d x = cast<double>(position[i].xyz());
            if (bodies[b].surface_at(x).distance >= touch) continue;
            ++touching.count;
            touching.height += x[axis];
            touching.pieces[piece[i]] = 1;
        }
    }
    int lower = -1, upper = -1;
    const auto height = [&](int b) {
        const Touch& touching = touches[static_cast<std::size_t>(b)];
        return touching.height / static_cast<double>(touching.count);
    };
    for (int b = 0; b < static_cast<int>(bodies.size()); ++b) {
        if (touches[static_cast<std::size_t>(b)].count == 0) continue;
        if (lower < 0 || height(b) < height(lower)) lower = b;
        if (upper < 0 || height(b) > height(upper)) upper = b;
    }
    if (lower == upper) return {};
    const Body& below = bodies[static_cast<std::size_t>(lower)];
    const Body& above = bodies[static_cast<std::size_t>(upper)];
    for (std::size_t root = 0; root < position.size(); ++root) {
        if (touches[static_cast<std::size_t>(lower)].pieces[root] &&
            touches[static_cast<std::size_t>(upper)].pieces[root]) {
            return {.lower = lower, .upper = upper, .start_distance = face(above, axis, -1) - face(below, axis, 1)};
        }
    }
    return {};
}

template <class S>
ThreadParts PulledThread<S>::parts(std::span<const Row> position, const Neighbors<S>& neighbors, const Bodies& bodies,
                                   const Rupture& rupture, std::span<const Real> size) const {
    assert(position.size() == neighbors.size() && promises::sized_or_empty(position.size(), size));
    assert(promises::reaching(link, neighbors) && axis >= 0 && axis < S::dim && promises::finite(position));
    assert(!rupture.joined() || promises::within(bodies.size(), std::array{rupture.lower, rupture.upper}));
    const std::size_t count = position.size();
    ThreadParts result;
    result.part.assign(count, hangs_on::both);
    result.whole = true;
    if (!rupture.joined()) {
        if (count == 0) return result;
        result.lower_face = infinity;
        result.upper_face = -infinity;
        for (const Row& row : position) {
            result.lower_face = std::min(result.lower_face, row.xyz()[axis] - 0.5 * spacing);
            result.upper_face = std::max(result.upper_face, row.xyz()[axis] + 0.5 * spacing);
        }
        result.lower_tip = result.upper_face;
        result.upper_tip = result.lower_face;
        return result;
    }
    const Body& below = bodies[static_cast<std::size_t>(rupture.lower)];
    const Body& above = bodies[static_cast<std::size_t>(rupture.upper)];
    result.lower_face = result.lower_tip = face(below, axis, 1);
    result.upper_face = result.upper_tip = face(above, axis, -1);
    const std::vector<std::uint32_t> piece = pieces_of<S>(position, neighbors, link, period, size);
    std::vector<std::uint8_t> of_piece(count, hangs_on::none);  // by root
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d x = cast<double>(position[i].xyz());
        if (below.surface_at(x).distance < touch) of_piece[piece[i]] |= hangs_on::lower;
        if (above.surface_at(x).distance < touch) of_piece[piece[i]] |= hangs_on::upper;
    }
    result.whole = std::find(of_piece.begin(), of_piece.end(), hangs_on::both) != of_piece.end();
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t part = result.part[i] = of_piece[piece[i]];
        const double x = position[i].xyz()[axis];
        if (part == hangs_on::none) ++result.strays;
        if (part & hangs_on::lower) result.lower_tip = std::max(result.lower_tip, x + 0.5 * spacing);
        if (part & hangs_on::upper) result.upper_tip = std::min(result.upper_tip, x - 0.5 * spacing);
    }
    return result;
}

template <class S>
bool PulledThread<S>::sides_meet(std::span<const Row> position, std::span<const std::uint8_t> side,
                                 const Neighbors<S>& neighbors, const Parallel& parallel) const {
    assert(promises::sized(neighbors.size(), position, side) && promises::reaching(link, neighbors));
    const auto reach = static_cast<Real>(link);
    const auto repeats = cast<Real>(period);
    return parallel.sum<std::size_t>(Rows::of(position.size()), [&](std::size_t i) -> std::size_t {
        const std::uint8_t wanted = opposite(side[i]);
        if (wanted == 0) return 0;
        for (const std::uint32_t j : neighbors.row(i)) {
            const auto apart = nearest_image(position[j].xyz() - position[i].xyz(), repeats);
            if ((side[j] & wanted) != 0 && dot(apart, apart) < reach * reach) return 1;
        }
        return 0;
    }) > 0;
}

template <class S>
ThreadParts PulledThread<S>::watch(std::span<const Row> position, std::span<const std::uint8_t> side,
                                   const Neighbors<S>& neighbors, const Bodies& bodies, double end_of_step,
                                   const Parallel& parallel, Rupture& rupture, std::span<const Real> size) const {
    assert(promises::sized(neighbors.size(), position, side) && promises::sized_or_empty(position.size(), size));
    if (rupture.sides_met == Rupture::never && sides_meet(position, side, neighbors, parallel)) {
        rupture.sides_met = end_of_step;
    }
    ThreadParts now = parts(position, neighbors, bodies, rupture, size);
    if (rupture.parted == Rupture::never && !now.whole) rupture.parted = end_of_step;
    return now;
}

namespace {

/// Sums over a slice, weighted by the volume of a particle over that of a whole one.
struct Slice {
    double weight = 0, volume = 0, density = 0;
    double own = 0;                  ///< square of the widths of the particles
    std::array<double, 2> first{};   ///< moments about the axis along the lateral axes
    std::array<double, 3> second{};  ///< aa, bb, ab
    std::optional<Vec3d> origin;     ///< where space repeats itself: moments are about the first particle
};

/// Spread of the particles as an area (2D: a width).
double geometric_area(const Slice& slice, int dimension) {
    const double own = slice.own / slice.weight / 12;
    const double a = slice.first[0] / slice.weight, b = slice.first[1] / slice.weight;
    const double aa = slice.second[0] / slice.weight - a * a + own;
    const double bb = slice.second[1] / slice.weight - b * b + own;
    const double ab = slice.second[2] / slice.weight - a * b;
    if (dimension == 2) return std::sqrt(12 * aa);
    return 4 * reproducible::pi * std::sqrt(std::max(0.0, aa * bb - ab * ab));
}

}  // namespace

template <class S>
Waist PulledThread<S>::waist(const Particles& particles, std::span<const Real> number_density, const ThreadParts& parts,
                             std::span<const Real> size) const {
    assert(promises::sized(particles.size(), number_density, parts.part));
    assert(promises::sized_or_empty(particles.size(), size) && axis >= 0 && axis < S::dim);
    assert(promises::within(rest_density.size(), particles.get<std::uint8_t>("material")));
    const auto position = particles.get<Row>("position");
    const auto mass = particles.get<Real>("mass");
    const auto material = particles.get<std::uint8_t>("material");
    Waist result;
    result.place = 0.5 * (parts.lower_tip + parts.upper_tip);
    if (!parts.whole && parts.upper_tip > parts.lower_tip) return result;
    const double length = parts.upper_face - parts.lower_face, reach = spread * spacing;
    const auto count = static_cast<std::ptrdiff_t>(std::max(1.0, std::floor(length / (slice_height * spacing))));
    const double height = length / static_cast<double>(count);
    if (!(height > 0)) return {};
    const int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    const bool repeats = period != Vec3d{};
    std::vector<Slice> slices(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < position.size(); ++i) {
        if (parts.part[i] == hangs_on::none) continue;
        const Vec3d x = cast<double>(position[i].xyz());
        const double y = x[axis] - parts.lower_face, width = size.empty() ? 1.0 : static_cast<double>(size[i]);
        const double bulk = S::dim == 2 ? width * width : width * width * width;
        const auto first = std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(std::floor((y - reach) / height)));
        for (std::ptrdiff_t n = first; n < count && static_cast<double>(n) * height < y + reach; ++n) {
            const double begin = static_cast<double>(n) * height - y;
            const double passing = share_below((begin + height) / reach) - share_below(begin / reach),
                         share = passing * bulk;
            Slice& slice = slices[static_cast<std::size_t>(n)];
            slice.weight += share;
            slice.own += share * (width * spacing) * (width * spacing);
            slice.volume += passing * mass[i] / rest_density[material[i]];
            slice.density += share * number_density[i];
            if (!slice.origin) slice.origin = repeats ? x : Vec3d{};
            const Vec3d r = nearest_image(x - *slice.origin, period);
            slice.first[0] += share * r[a];
            slice.first[1] += share * r[b];
            slice.second[0] += share * r[a] * r[a];
            slice.second[1] += share * r[b] * r[b];
            slice.second[2] += share * r[a] * r[b];
        }
    }
    const std::ptrdiff_t skip = std::min<std::ptrdiff_t>(2, (count - 1) / 2);  // at the solids
    const auto thinnest =
        std::min_element(slices.begin() + skip, slices.end() - skip,
                         [](const Slice& one, const Slice& other) { return one.volume < other.volume; });
    result.place = parts.lower_face + (static_cast<double>(thinnest - slices.begin()) + 0.5) * height;
    if (thinnest->weight == 0) return result;
    result.density = thinnest->density / thinnest->weight;
    result.counted_area = thinnest->volume / height;
    result.geometric_area = geometric_area(*thinnest, S::dim);
    result.radius = S::dim == 2 ? 0.5 * result.counted_area : std::sqrt(result.counted_area / reproducible::pi);
    return result;
}

template struct PulledThread<Space2f>;
template struct PulledThread<Space3f>;
template struct PulledThread<Space2d>;
template struct PulledThread<Space3d>;

}  // namespace treacle
