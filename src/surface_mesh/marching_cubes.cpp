#include "surface_mesh/marching_cubes.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace treacle {

namespace {

constexpr int edge_count = 12;

/// Corners of the faces, counterclockwise seen from outside the cube.
constexpr std::array<std::array<int, 4>, 6> face_corners{
    {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};

int edge_between(int a, int b) {
    const int low = std::min(a, b), axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2;
    const int others = axis == 0 ? low >> 1 : axis == 1 ? (low & 1) | (low >> 1 & 2) : low & 3;
    return 4 * axis + others;
}

bool on_a_common_face(int a, int b) {
    const auto ends_a = cube_edge_corners(a), ends_b = cube_edge_corners(b);
    const int all_one = ends_a[0] & ends_a[1] & ends_b[0] & ends_b[1];
    const int any = ends_a[0] | ends_a[1] | ends_b[0] | ends_b[1];
    return all_one != 0 || any != 7;
}

using Triangles = std::vector<std::array<std::uint8_t, 3>>;

/// Cuts the part of a polygon from corner `first` to `last`, closed by a line between the two, into triangles. False if
/// a diagonal would have to run along a face.
bool cut(const std::vector<int>& polygon, std::size_t first, std::size_t last, Triangles& triangles) {
    if (last - first < 2) return true;
    const auto allowed = [&](std::size_t a, std::size_t b) {
        return b - a == 1 || !on_a_common_face(polygon[a], polygon[b]);
    };
    for (std::size_t middle = first + 1; middle < last; ++middle) {
        if (!allowed(first, middle) || !allowed(middle, last)) continue;
        const std::size_t before = triangles.size();
        const auto corner = [&](std::size_t n) { return static_cast<std::uint8_t>(polygon[n]); };
        triangles.push_back({corner(first), corner(last), corner(middle)});
        if (cut(polygon, first, middle, triangles) && cut(polygon, middle, last, triangles)) return true;
        triangles.resize(before);
    }
    return false;
}

CubeCase make_case(int inside) {
    const auto is_inside = [&](int corner) { return (inside >> corner & 1) != 0; };
    // On every face a line runs from the edge where a walk around it leaves the inside to the edge where it comes back:
    // the inside part of the face stays in one piece.
    std::array<int, edge_count> next;
    next.fill(-1);
    for (const auto& corners : face_corners) {
        for (std::size_t n = 0; n < 4; ++n) {
            if (!is_inside(corners[n]) || is_inside(corners[(n + 1) % 4])) continue;
            std::size_t m = n + 1;
            while (!is_inside(corners[(m + 1) % 4])) ++m;
            next[static_cast<std::size_t>(edge_between(corners[n], corners[(n + 1) % 4]))] =
                edge_between(corners[m % 4], corners[(m + 1) % 4]);
        }
    }
    CubeCase result;
    for (int start = 0; start < edge_count; ++start) {
        std::vector<int> polygon;
        for (int edge = start; next[static_cast<std::size_t>(edge)] >= 0;) {
            polygon.push_back(edge);
            edge = std::exchange(next[static_cast<std::size_t>(edge)], -1);
        }
        if (!polygon.empty()) cut(polygon, 0, polygon.size() - 1, result.triangles);
    }
    return result;
}

/// Lowest and highest value.
struct Range {
    float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();

    void add(const Range& other) { low = std::min(low, other.low), high = std::max(high, other.high); }
};

/// The points of a block and one layer more on the high sides.
class Corners {
public:
    explicit Corners(const BlockGrid& grid)
        : grid_(grid), side_(grid.side + 1), values_(static_cast<std::size_t>(side_ * side_ * side_)),
          inside_(values_.size()) {}

    /// Looks up the blocks on the high sides; false if the surface passes neither the block nor the gap to them.
    bool find(std::size_t block, const std::vector<Range>& ranges, float level) {
        const BlockPlace place = grid_.index.place(block);
        for (int octant = 0; octant < 8; ++octant) {
            blocks_[static_cast<std::size_t>(octant)] =
                octant == 0 ? static_cast<std::uint32_t>(block)
                            : grid_.index.find(
                                  {place[0] + (octant & 1), place[1] + (octant >> 1 & 1), place[2] + (octant >> 2)});
        }
        Range range;
        for (const std::uint32_t b : blocks_) range.add(b == BlockIndex::none ? Range{0, 0} : ranges[b]);
        return range.low <= level && level < range.high;
    }

    /// Loads the block that was looked up last.
    void load(float level) {
        const int n = grid_.side;
        float* to = values_.data();
        for (int z = 0; z <= n; ++z) {
            for (int y = 0; y <= n; ++y) {
                const std::size_t octant = octant_of(0, y, z), row = point_in_block(0, y, z);
                const auto from = [&](std::size_t o) {
                    return blocks_[o] == BlockIndex::none ? nullptr : grid_.block(blocks_[o]) + row;
                };
                if (const float* own = from(octant)) to = std::copy(own, own + n, to);
                else to = std::fill_n(to, n, 0.0f);
                const float* next = from(octant | 1);
                *to++ = next ? *next : 0;
            }
        }
        for (std::size_t k = 0; k < values_.size(); ++k) inside_[k] = values_[k] > level;
    }

    float at(int x, int y, int z) const { return values_[number(x, y, z)]; }
    bool inside(int x, int y, int z) const { return inside_[number(x, y, z)] != 0; }

    /// Which corners of the cube at a point are inside.
    unsigned cube(int x, int y, int z) const {
        const std::uint8_t* at = &inside_[number(x, y, z)];
        const auto up = static_cast<std::size_t>(side_), over = up * up;
        const auto pair = [](const std::uint8_t* p) { return static_cast<unsigned>(p[0] | p[1] << 1); };
        return pair(at) | pair(at + up) << 2 | pair(at + over) << 4 | pair(at + over + up) << 6;
    }

    /// The block that holds a point, and the number of the point in it.
    std::uint32_t block_of(int x, int y, int z) const { return blocks_[octant_of(x, y, z)]; }
    std::size_t point_in_block(int x, int y, int z) const {
        const int n = grid_.side;
        const auto wrapped = [n](int c) { return c == n ? 0 : c; };
        return static_cast<std::size_t>((wrapped(z) * n + wrapped(y)) * n + wrapped(x));
    }

private:
    std::size_t number(int x, int y, int z) const { return static_cast<std::size_t>((z * side_ + y) * side_ + x); }
    std::size_t octant_of(int x, int y, int z) const {
        const int n = grid_.side;
        return static_cast<std::size_t>((x == n) | (y == n) << 1 | (z == n) << 2);
    }

    const BlockGrid& grid_;
    int side_;
    std::vector<float> values_;
    std::vector<std::uint8_t> inside_;
    std::array<std::uint32_t, 8> blocks_{};
};

/// Vertices lie on edges of the grid; an edge belongs to the block of its lower end.
struct BlockVertices {
    std::vector<std::uint32_t> number;  ///< in the block, per point and axis; empty for a block without vertices
    std::vector<Vec3f> points;
};

BlockVertices find_vertices(const BlockGrid& grid, const Corners& corners, std::size_t block, float level) {
    BlockVertices result;
    const int n = grid.side;
    const BlockPlace place = grid.index.place(block);
    result.number.assign(3 * grid.points_per_block(), BlockIndex::none);
    for (int z = 0; z < n; ++z) {
        for (int y = 0; y < n; ++y) {
            for (int x = 0; x < n; ++x) {
                if (const unsigned cube = corners.cube(x, y, z); cube == 0 || cube == 255) continue;
                for (const int axis : {0, 1, 2}) {
                    const int x1 = x + (axis == 0), y1 = y + (axis == 1), z1 = z + (axis == 2);
                    if (corners.inside(x, y, z) == corners.inside(x1, y1, z1)) continue;
                    const float here = corners.at(x, y, z), there = corners.at(x1, y1, z1);
                    Vec3f p{static_cast<float>(place[0] * n + x), static_cast<float>(place[1] * n + y),
                            static_cast<float>(place[2] * n + z)};
                    p[axis] += (level - here) / (there - here);
                    result.number[3 * corners.point_in_block(x, y, z) + static_cast<std::size_t>(axis)] =
                        static_cast<std::uint32_t>(result.points.size());
                    result.points.push_back(p);
                }
            }
        }
    }
    return result;
}

/// The triangles in the cubes of the block that `corners` holds. `first` are the numbers of the first vertices of
/// blocks.
void add_triangles(const Corners& corners, int side, const std::vector<BlockVertices>& vertices,
                   const std::vector<std::uint32_t>& first, std::vector<std::array<std::uint32_t, 3>>& triangles) {
    const auto& cases = cube_cases();
    const auto vertex_on = [&](int edge, int x, int y, int z) {
        const int low = cube_edge_corners(edge)[0];
        x += low & 1, y += low >> 1 & 1, z += low >> 2;
        const std::uint32_t owner = corners.block_of(x, y, z);
        const auto axis = static_cast<std::size_t>(edge / 4);
        return first[owner] + vertices[owner].number[3 * corners.point_in_block(x, y, z) + axis];
    };
    for (int z = 0; z < side; ++z) {
        for (int y = 0; y < side; ++y) {
            for (int x = 0; x < side; ++x) {
                const unsigned inside = corners.cube(x, y, z);
                if (inside == 0 || inside == 255) continue;
                for (const auto& [a, b, c] : cases[inside].triangles) {
                    triangles.push_back({vertex_on(a, x, y, z), vertex_on(b, x, y, z), vertex_on(c, x, y, z)});
                }
            }
        }
    }
}

}  // namespace

std::array<std::uint8_t, 2> cube_edge_corners(int edge) {
    const int axis = edge / 4, others = edge % 4;
    const int low = axis == 0 ? others << 1 : axis == 1 ? (others & 1) | (others & 2) << 1 : others;
    return {static_cast<std::uint8_t>(low), static_cast<std::uint8_t>(low | 1 << axis)};
}

const std::array<CubeCase, 256>& cube_cases() {
    static const std::array<CubeCase, 256> cases = [] {
        std::array<CubeCase, 256> all;
        for (int inside = 0; inside < 256; ++inside) all[static_cast<std::size_t>(inside)] = make_case(inside);
        return all;
    }();
    return cases;
}

GridSurface march_cubes(const BlockGrid& grid, float level, const Parallel& parallel) {
    constexpr std::size_t batch = 64;  // blocks
    const std::size_t count = grid.index.size();
    std::vector<Range> ranges(count);
    parallel.for_each(count, [&](std::size_t b) {
        const auto [low, high] = std::minmax_element(grid.block(b), grid.block(b) + grid.points_per_block());
        ranges[b] = {*low, *high};
    });
    std::vector<BlockVertices> vertices(count);
    parallel.for_blocks(count, batch, [&](std::size_t begin, std::size_t end, std::size_t) {
        Corners corners(grid);
        for (std::size_t b = begin; b < end; ++b) {
            if (!corners.find(b, ranges, level)) continue;
            corners.load(level);
            vertices[b] = find_vertices(grid, corners, b, level);
        }
    });

    GridSurface surface;
    std::vector<std::uint32_t> first(count);
    for (std::size_t b = 0; b < count; ++b) {
        first[b] = static_cast<std::uint32_t>(surface.points.size());
        surface.points.insert(surface.points.end(), vertices[b].points.begin(), vertices[b].points.end());
    }

    std::vector<std::vector<std::array<std::uint32_t, 3>>> triangles((count + batch - 1) / batch);
    parallel.for_blocks(count, batch, [&](std::size_t begin, std::size_t end, std::size_t part) {
        Corners corners(grid);
        for (std::size_t b = begin; b < end; ++b) {
            if (vertices[b].number.empty() || !corners.find(b, ranges, level)) continue;
            corners.load(level);
            add_triangles(corners, grid.side, vertices, first, triangles[part]);
        }
    });
    for (const auto& part : triangles) surface.triangles.insert(surface.triangles.end(), part.begin(), part.end());
    return surface;
}

}  // namespace treacle
