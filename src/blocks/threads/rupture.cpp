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
#include "core/pieces.h"

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

/// The ends of a fluid along an axis. Fluid that crosses the border of a periodic space is counted on beyond it: it
/// begins after the widest gap.
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
                                     double link, Vec3d period, const ParticleSizes<S>& sizes) {
    using Real = typename S::Real;
    const auto repeats = cast<Real>(period);
    return find_pieces(
        position.size(), [&](std::size_t i) { return neighbors.row(i); },
        [&](std::uint32_t i, std::uint32_t j) {
            const auto apart = nearest_image(position[j].xyz() - position[i].xyz(), repeats);
            const Real reach = static_cast<Real>(link) * sizes.mean(i, j);
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
void PulledThread<S>::tag_sides(const FluidView<S>& fluid, std::span<std::uint8_t> side) const {
    assert(promises::sized(fluid.size(), fluid.fluid, side) && axis >= 0 && axis < S::dim && spacing > 0);
    std::fill(side.begin(), side.end(), std::uint8_t{0});
    std::uint8_t low_side = 1;  // S1 and S3 for the first lateral axis, S2 and S4 for the second
    for (int lateral = 0; lateral < S::dim; ++lateral) {
        if (lateral == axis) continue;
        std::map<std::uint32_t, std::vector<double>> places;  // by fluid
        for (std::size_t i = 0; i < fluid.size(); ++i)
            places[fluid.fluid[i]].push_back(fluid.position[i].xyz()[lateral]);
        std::map<std::uint32_t, Ends> ends;
        for (auto& [number, of_fluid] : places) ends.emplace(number, Ends(std::move(of_fluid), period[lateral]));
        const double width = (columns_per_side - 0.5) * spacing;
        for (std::size_t i = 0; i < fluid.size(); ++i) {
            const Ends& end = ends.at(fluid.fluid[i]);
            const double x = end.counted_on(fluid.position[i].xyz()[lateral]);
            if (end.high - end.low < (3 * columns_per_side - 1.5) * spacing) continue;
            if (end.gap < 1.5 * spacing) continue;  // it closes on itself
            if (x < end.low + width) side[i] |= low_side;
            if (x > end.high - width) side[i] |= opposite(low_side);
        }
        low_side = 2;
    }
}

template <class S>
Rupture PulledThread<S>::join(const FluidView<S>& fluid, const BlockContext<S>& context) const {
    assert(fluid.size() == context.neighbors.size() && promises::reaching(link, context.neighbors));
    assert(axis >= 0 && axis < S::dim && promises::finite(fluid.position));
    const std::span<const Row> position = fluid.position;
    const Bodies& bodies = context.bodies;
    const std::vector<std::uint32_t> piece = pieces_of<S>(position, context.neighbors, link, period, {});
    const auto touches = [&](std::size_t i, const Body& body) {
        return body.surface_at(cast<double>(position[i].xyz())).distance < touch;
    };
    struct Touching {
        double count = 0, height = 0;
        Touching& operator+=(const Touching& other) {
            count += other.count, height += other.height;
            return *this;
        }
        double mean_height() const { return height / count; }
    };
    int lower = -1, upper = -1;
    Touching lowest, highest;
    for (int b = 0; b < static_cast<int>(bodies.size()); ++b) {
        const Body& body = bodies[static_cast<std::size_t>(b)];
        const auto touching = context.parallel.template sum<Touching>(fluid.rows(), [&](std::size_t i) {
            return touches(i, body) ? Touching{1, static_cast<double>(position[i].xyz()[axis])} : Touching{};
        });
        if (touching.count == 0) continue;
        if (lower < 0 || touching.mean_height() < lowest.mean_height()) lower = b, lowest = touching;
        if (upper < 0 || touching.mean_height() > highest.mean_height()) upper = b, highest = touching;
    }
    if (lower == upper) return {};
    const Body& below = bodies[static_cast<std::size_t>(lower)];
    const Body& above = bodies[static_cast<std::size_t>(upper)];
    std::vector<std::uint8_t> of_piece(position.size(), hangs_on::none);  // by root
    for (std::size_t i = 0; i < position.size(); ++i) {
        if (touches(i, below)) of_piece[piece[i]] |= hangs_on::lower;
        if (touches(i, above)) of_piece[piece[i]] |= hangs_on::upper;
    }
    if (std::ranges::find(of_piece, hangs_on::both) == of_piece.end()) return {};
    return {.lower = static_cast<int>(below.id),
            .upper = static_cast<int>(above.id),
            .start_distance = face(above, axis, -1) - face(below, axis, 1)};
}

template <class S>
ThreadParts PulledThread<S>::parts(std::span<const Row> position, const Neighbors<S>& neighbors, const Bodies& bodies,
                                   const Rupture& rupture, const ParticleSizes<S>& sizes) const {
    assert(position.size() == neighbors.size() && promises::sized_or_empty(position.size(), sizes));
    assert(promises::reaching(link, neighbors) && axis >= 0 && axis < S::dim && promises::finite(position));
    const std::size_t count = position.size();
    ThreadParts result;
    result.part.assign(count, hangs_on::both);
    result.whole = true;
    const Body* below = find_body(bodies, static_cast<std::uint32_t>(rupture.lower));
    const Body* above = find_body(bodies, static_cast<std::uint32_t>(rupture.upper));
    if (!rupture.joined() || !below || !above) {
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
    result.lower_face = result.lower_tip = face(*below, axis, 1);
    result.upper_face = result.upper_tip = face(*above, axis, -1);
    const std::vector<std::uint32_t> piece = pieces_of<S>(position, neighbors, link, period, sizes);
    std::vector<std::uint8_t> of_piece(count, hangs_on::none);  // by root
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d x = cast<double>(position[i].xyz());
        if (below->surface_at(x).distance < touch) of_piece[piece[i]] |= hangs_on::lower;
        if (above->surface_at(x).distance < touch) of_piece[piece[i]] |= hangs_on::upper;
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
bool PulledThread<S>::sides_meet(const FluidView<S>& fluid, const BlockContext<S>& context,
                                 std::span<const std::uint8_t> side) const {
    assert(promises::sized(fluid.size(), context.neighbors, side) && promises::reaching(link, context.neighbors));
    const auto reach = static_cast<Real>(link);
    const auto repeats = cast<Real>(period);
    return context.parallel.template sum<std::size_t>(fluid.rows(), [&](std::size_t i) -> std::size_t {
        const std::uint8_t wanted = opposite(side[i]);
        if (wanted == 0) return 0;
        for (const std::uint32_t j : context.neighbors.row(i)) {
            const auto apart = nearest_image(fluid.position[j].xyz() - fluid.position[i].xyz(), repeats);
            if ((side[j] & wanted) != 0 && dot(apart, apart) < reach * reach) return 1;
        }
        return 0;
    }) > 0;
}

template <class S>
ThreadParts PulledThread<S>::detect_rupture(const FluidView<S>& fluid, const BlockContext<S>& context,
                                            std::span<const std::uint8_t> side, const ParticleSizes<S>& sizes,
                                            Rupture& rupture) const {
    assert(promises::sized(fluid.size(), context.neighbors, side) && promises::sized_or_empty(fluid.size(), sizes));
    const auto stage = context.timer.stage("rupture");
    const double end_of_step = context.time + context.dt;
    if (rupture.sides_met == Rupture::never && sides_meet(fluid, context, side)) rupture.sides_met = end_of_step;
    ThreadParts now = parts(fluid.position, context.neighbors, context.bodies, rupture, sizes);
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

    Slice& operator+=(const Slice& other) {
        weight += other.weight, volume += other.volume, density += other.density, own += other.own;
        for (std::size_t n = 0; n < first.size(); ++n) first[n] += other.first[n];
        for (std::size_t n = 0; n < second.size(); ++n) second[n] += other.second[n];
        return *this;
    }
};

/// The first particle of a slice.
struct FirstPlace {
    std::optional<Vec3d> place;
    FirstPlace& operator+=(const FirstPlace& other) {
        if (!place) place = other.place;
        return *this;
    }
};

/// A value for each slice.
template <class Value>
struct BySlice {
    std::vector<Value> values;
    BySlice& operator+=(const BySlice& other) {
        for (std::size_t n = 0; n < values.size(); ++n) values[n] += other.values[n];
        return *this;
    }
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
Waist PulledThread<S>::waist(const Particles& particles, const Parallel& parallel, std::span<const Real> number_density,
                             const ThreadParts& parts, const ParticleSizes<S>& sizes) const {
    assert(promises::sized(particles.size(), number_density, parts.part));
    assert(promises::sized_or_empty(particles.size(), sizes) && axis >= 0 && axis < S::dim);
    assert(promises::within(rest_density.size(), particles.get<std::uint8_t>("material")));
    const auto position = particles.get<Row>("position");
    const auto mass = particles.get<Real>("mass");
    const auto material = particles.get<std::uint8_t>("material");
    const Rows rows = Rows::of(particles.size());
    Waist result;
    result.place = 0.5 * (parts.lower_tip + parts.upper_tip);
    if (!parts.whole && parts.upper_tip > parts.lower_tip) return result;
    const double length = parts.upper_face - parts.lower_face, reach = spread * spacing;
    const auto count = static_cast<std::ptrdiff_t>(std::max(1.0, std::floor(length / (slice_height * spacing))));
    const double height = length / static_cast<double>(count);
    if (!(height > 0)) return {};
    const int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    // visit(slice, share of the particle that is in it)
    const auto for_slices = [&](std::size_t i, const auto& visit) {
        if (parts.part[i] == hangs_on::none) return;
        const double y = position[i].xyz()[axis] - parts.lower_face;
        const auto first = std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(std::floor((y - reach) / height)));
        for (std::ptrdiff_t n = first; n < count && static_cast<double>(n) * height < y + reach; ++n) {
            const double begin = static_cast<double>(n) * height - y;
            visit(static_cast<std::size_t>(n), share_below((begin + height) / reach) - share_below(begin / reach));
        }
    };
    const auto place = [&](std::size_t i) { return cast<double>(position[i].xyz()); };
    const auto slice_count = static_cast<std::size_t>(count);
    // Moments are about the middle of the space, or about the first particle of a slice where space repeats itself.
    BySlice<FirstPlace> origins{std::vector<FirstPlace>(slice_count)};
    if (period != Vec3d{}) {
        origins = parallel.fold(rows, origins, [&](auto& firsts, std::size_t i) {
            for_slices(i, [&](std::size_t n, double) { firsts.values[n] += FirstPlace{place(i)}; });
        });
    }
    const auto add = [&](BySlice<Slice>& sums, std::size_t i) {
        const double width = static_cast<double>(sizes[i]);
        const double bulk = S::dim == 2 ? width * width : width * width * width;
        for_slices(i, [&](std::size_t n, double passing) {
            const double share = passing * bulk;
            const Vec3d r = nearest_image(place(i) - origins.values[n].place.value_or(Vec3d{}), period);
            sums.values[n] += {.weight = share,
                               .volume = passing * mass[i] / rest_density[material[i]],
                               .density = share * number_density[i],
                               .own = share * (width * spacing) * (width * spacing),
                               .first = {share * r[a], share * r[b]},
                               .second = {share * r[a] * r[a], share * r[b] * r[b], share * r[a] * r[b]}};
        });
    };
    const auto [slices] = parallel.fold(rows, BySlice<Slice>{std::vector<Slice>(slice_count)}, add);
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
