#include "blocks/elastic/shape_correction.h"
#include "blocks/elastic/shape_matching.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include <gtest/gtest.h>

#include "math/rotation.h"
#include "support/on_every_path.h"
#include "support/particle_cloud.h"

namespace treacle {
namespace {

template <class S>
struct Clusters : ParticleCloud<S> {
    using Real = typename S::Real;
    using Row = typename S::Row;
    using ParticleCloud<S>::position, ParticleCloud<S>::mass;

    explicit Clusters(int threads = 1) : threads_used(std::make_unique<Parallel>(threads)), parallel(*threads_used) {
        block.iterations = 200;  // to the last digit, whatever the start
    }

    void add(Vec3d x, double mass_here = 1) {
        if (S::dim == 2) x.z = 0;
        reference.push_back(cast<Real>(x));
        mass.push_back(static_cast<Real>(mass_here));
    }
    /// Connects particles closer than this.
    void connect(double reach) {
        ShapeMatching<S>::prepare(graph);
        graph.resize(reference.size());
        graph.rewrite(parallel, numbered(reference.size()), [&](std::size_t i, ConnectionGraph::RowDraft& row) {
            for (std::size_t j = 0; j < reference.size(); ++j) {
                const double distance = length(cast<double>(reference[j].xyz() - reference[i].xyz()));
                if (j != i && distance < reach) row.add(static_cast<std::uint32_t>(j), distance);
            }
        });
        position = reference;
        ShapeMatching<S>::set_references(this->view(), this->context(parallel), Births::all(), graph);
        rotation.assign(reference.size(), Row{});
        displacement.resize(reference.size());
    }
    template <class Map>
    void move(const Map& map) {
        for (std::size_t i = 0; i < position.size(); ++i) {
            Vec3d x = map(cast<double>(reference[i].xyz()));
            if (S::dim == 2) x.z = 0;
            position[i] = cast<Real>(x);
        }
    }
    void match() {
        block.fit(this->view(), this->context(parallel), graph, mass, rotation);
        block.gather(this->context(parallel), graph, rotation, displacement);
    }
    double largest() const {
        double size = 0;
        for (const Row& d : displacement) size = std::max(size, length(cast<double>(d.xyz())));
        return size;
    }
    Quaternion rotation_of(std::size_t i) const {
        return {static_cast<double>(rotation[i].w), static_cast<double>(rotation[i].x),
                static_cast<double>(rotation[i].y), static_cast<double>(rotation[i].z)};
    }

    std::unique_ptr<Parallel> threads_used;  // so that clusters can be moved
    const Parallel& parallel;
    ConnectionGraph graph{sizeof(Real) == 4 ? ScalarType::f32 : ScalarType::f64};
    std::vector<Row> reference, rotation, displacement;
    ShapeMatching<S> block;
};

/// A block of unequal particles with a surface.
template <class S>
Clusters<S> jittered(int threads = 1) {
    Clusters<S> clusters(threads);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> number(-1, 1);
    const int side = S::dim == 3 ? 6 : 12;
    for (int z = 0; z < (S::dim == 3 ? side : 1); ++z) {
        for (int y = 0; y < side; ++y) {
            for (int x = 0; x < side; ++x) {
                clusters.add({x + 0.2 * number(random), y + 0.2 * number(random), z + 0.2 * number(random)},
                             1 + 0.5 * number(random));
            }
        }
    }
    clusters.connect(2.01);
    return clusters;
}

Quaternion turn(int dimension, double degrees) {
    return from_axis_angle(dimension == 2 ? Vec3d{0, 0, 1} : Vec3d{1, 2, -0.5}, degrees);
}

template <class S>
double rounding() {
    return sizeof(typename S::Real) == 4 ? 2e-5 : 1e-13;
}

template <class S>
class ShapeMatchingTest : public testing::Test {};
using Spaces = testing::Types<Space2f, Space3f, Space2d, Space3d>;
TYPED_TEST_SUITE(ShapeMatchingTest, Spaces);

/// Velocities change by the share c of the way to the goal, within the step; turned shapes keep theirs.
TYPED_TEST(ShapeMatchingTest, corrects_velocities_by_a_share_of_the_way_to_the_goal) {
    using S = TypeParam;
    using Real = typename S::Real;
    using Row = typename S::Row;
    Clusters<S> clusters = jittered<S>();
    clusters.velocity.assign(clusters.size(), cast<Real>(Vec3d{1, 2, 0}));
    std::vector<Real> coefficient(clusters.size());
    for (std::size_t i = 0; i < coefficient.size(); ++i) coefficient[i] = Real(0.01) * static_cast<Real>(1 + i % 3);
    ConnectionGraph none(ScalarType::f32);
    clusters.dt = 0.002;
    const auto change = [&](const auto& map) {
        clusters.move(map);
        const auto before = clusters.velocity;
        std::vector<Row> rotation(clusters.size());
        ShapeCorrection<S>().correct(clusters.view(), clusters.context(clusters.parallel),
                                     {clusters.graph, none, coefficient}, rotation);
        std::vector<Vec3d> result(clusters.size());
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i] = cast<double>(clusters.velocity[i].xyz()) - cast<double>(before[i].xyz());
        return result;
    };
    const double exact = sizeof(Real) == 4 ? 2e-3 : 1e-7;  // of at most 30 iterations from no start
    const Quaternion turned = turn(S::dim, 30);
    for (const Vec3d& v : change([&](Vec3d x) { return rotate(turned, x); })) EXPECT_LT(length(v), exact);
    const auto pulled = change([](Vec3d x) { return Vec3d{1.2 * x.x, x.y, x.z}; });
    clusters.rotation.assign(clusters.size(), Row{});
    clusters.match();
    double greatest = 0;
    for (std::size_t i = 0; i < pulled.size(); ++i) {
        const Vec3d wanted =
            (static_cast<double>(coefficient[i]) / clusters.dt) * cast<double>(clusters.displacement[i].xyz());
        EXPECT_LT(length(pulled[i] - wanted), exact);
        greatest = std::max(greatest, length(wanted));
    }
    EXPECT_GT(greatest, 0.1);
}

TYPED_TEST(ShapeMatchingTest, rigid_motion_wants_nothing) {
    using S = TypeParam;
    Clusters<S> clusters = jittered<S>();
    clusters.match();
    EXPECT_LT(clusters.largest(), rounding<S>());
    for (const double degrees : {1.0, 40.0, 120.0, 179.0}) {  // each from the rotation before
        const Quaternion q = turn(S::dim, degrees);
        clusters.move([&](Vec3d x) { return rotate(q, x) + Vec3d{3, -2, 1}; });
        clusters.match();
        EXPECT_LT(clusters.largest(), 3 * rounding<S>()) << degrees;
    }
}

TYPED_TEST(ShapeMatchingTest, keeps_linear_and_angular_momentum) {
    using S = TypeParam;
    Clusters<S> clusters = jittered<S>();
    std::mt19937 random(3);
    std::uniform_real_distribution<double> number(-1, 1);
    clusters.move([&](Vec3d x) {
        return Vec3d{1.3 * x.x + 0.4 * x.y + 0.3 * number(random), 0.8 * x.y + 0.3 * number(random),
                     x.z + 0.3 * number(random)};
    });
    clusters.match();
    Vec3d momentum{}, moment{};
    double size = 0;
    for (std::size_t i = 0; i < clusters.position.size(); ++i) {
        const Vec3d change = static_cast<double>(clusters.mass[i]) * cast<double>(clusters.displacement[i].xyz());
        momentum += change;
        moment += cross(cast<double>(clusters.position[i].xyz()), change);
        size += length(change);
    }
    ASSERT_GT(clusters.largest(), 0.1);
    EXPECT_LT(length(momentum), 0.1 * rounding<S>() * size);
    EXPECT_LT(length(moment), rounding<S>() * size);
}

TYPED_TEST(ShapeMatchingTest, goals_are_those_of_the_plain_sums) {
    using S = TypeParam;
    Clusters<S> clusters = jittered<S>();
    clusters.move([](Vec3d x) { return Vec3d{1.2 * x.x + 0.3 * x.y, 0.9 * x.y - 0.1 * x.x, 1.1 * x.z + 0.2 * x.x}; });
    clusters.match();
    const auto members = [&](std::size_t j) {
        const auto row = clusters.graph.rows().row(j);
        std::vector<std::size_t> all(row.begin(), row.end());
        all.push_back(j);
        return all;
    };
    const auto mean = [&](const auto& column, std::size_t j) {
        Vec3d sum{};
        double total = 0;
        for (const std::size_t k : members(j)) {
            const double weight = static_cast<double>(clusters.mass[k]) / static_cast<double>(members(k).size());
            sum += weight * cast<double>(column[k].xyz());
            total += weight;
        }
        return sum / total;
    };
    for (std::size_t i = 0; i < clusters.position.size(); i += 7) {
        Vec3d goal{};
        for (const std::size_t j : members(i)) {
            goal += mean(clusters.position, j) +
                    rotate(clusters.rotation_of(j),
                           cast<double>(clusters.reference[i].xyz()) - mean(clusters.reference, j));
        }
        goal = goal / static_cast<double>(members(i).size()) - cast<double>(clusters.position[i].xyz());
        EXPECT_LT(length(goal - cast<double>(clusters.displacement[i].xyz())), rounding<S>());
    }
}

struct Matrix {
    Vec3d column[3];
    Vec3d operator*(Vec3d v) const { return v.x * column[0] + v.y * column[1] + v.z * column[2]; }
};

/// The rotation of a polar decomposition, by Higham's iteration R ← (R + R⁻ᵀ)/2. For positive determinants.
Matrix polar(Matrix m) {
    for (int n = 0; n < 60; ++n) {
        const auto& [a, b, c] = m.column;
        const double determinant = dot(a, cross(b, c));
        m = {{0.5 * (a + cross(b, c) / determinant), 0.5 * (b + cross(c, a) / determinant),
              0.5 * (c + cross(a, b) / determinant)}};
    }
    return m;
}

/// Six points (four) at ± the axes, each connected to all: A is a multiple of the map that moves them.
template <class S>
Clusters<S> cross_of_points() {
    Clusters<S> clusters;
    for (int axis = 0; axis < S::dim; ++axis) {
        for (const double sign : {-1.0, 1.0}) {
            Vec3d x{};
            x[axis] = sign;
            clusters.add(x);
        }
    }
    clusters.connect(3);
    return clusters;
}

TYPED_TEST(ShapeMatchingTest, rotations_are_those_of_the_polar_decomposition) {
    using S = TypeParam;
    std::mt19937 random(11);
    std::uniform_real_distribution<double> number(-1, 1);
    int compared = 0;
    for (int n = 0; n < 300; ++n) {
        Matrix m{{{number(random), number(random), 0}, {number(random), number(random), 0}, {0, 0, 1}}};
        if (S::dim == 3) {
            for (Vec3d& c : m.column) c = {number(random), number(random), number(random)};
        }
        if (dot(m.column[0], cross(m.column[1], m.column[2])) < 0.05) continue;
        Clusters<S> clusters = cross_of_points<S>();
        clusters.move([&](Vec3d x) { return m * x; });
        clusters.match();
        const Matrix expected = polar(m);
        for (int axis = 0; axis < S::dim; ++axis) {
            Vec3d unit{};
            unit[axis] = 1;
            EXPECT_LT(length(rotate(clusters.rotation_of(0), unit) - expected.column[axis]),
                      sizeof(typename S::Real) == 4 ? 1e-4 : 1e-9)
                << n;
        }
        ++compared;
    }
    EXPECT_GT(compared, 50);
}

/// With a warm start, a turn of a tenth of a radian per step takes few iterations.
TYPED_TEST(ShapeMatchingTest, a_warm_start_takes_few_iterations) {
    using S = TypeParam;
    const Matrix stretch{{{1.4, 0.1, 0}, {0.1, 0.8, 0}, {0, 0, 1}}};
    Clusters<S> clusters = cross_of_points<S>();
    clusters.block.iterations = 5;
    for (int n = 0; n < 40; ++n) {
        const Quaternion q = turn(S::dim, 5.7 * n);
        clusters.move([&](Vec3d x) { return rotate(q, stretch * x); });
        clusters.match();
        const Quaternion found = clusters.rotation_of(0);
        EXPECT_NEAR(std::abs(found.w * q.w + found.x * q.x + found.y * q.y + found.z * q.z), 1, 1e-6) << n;
    }
}

TYPED_TEST(ShapeMatchingTest, flat_straight_and_lonely_clusters_follow_as_far_as_they_can) {
    using S = TypeParam;
    const Quaternion q = turn(S::dim, 50);
    const auto moved = [&](Vec3d x) { return rotate(q, x) + Vec3d{1, 2, 3}; };
    Clusters<S> flat, straight, lonely, coincident;
    for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 4; ++x) flat.add({x + 0.1 * y, y - 0.2 * x, 0});
    }
    for (int x = 0; x < 5; ++x) straight.add({x * 0.5, x * 0.3, x * 0.2});
    lonely.add({1, 2, 3});
    for (int n = 0; n < 3; ++n) coincident.add({1, 1, 1});
    for (Clusters<S>* clusters : {&flat, &straight, &lonely, &coincident}) {
        clusters->connect(1.9);
        clusters->move(moved);
        clusters->match();
        EXPECT_LT(clusters->largest(), 3 * rounding<S>());
        for (std::size_t i = 0; i < clusters->rotation.size(); ++i) {
            const Quaternion r = clusters->rotation_of(i);
            EXPECT_NEAR(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z, 1, 1e-5);
        }
    }
    // Turned inside out: the result is still a rotation, and the goal is not the mirror image.
    if (S::dim == 3) {
        Clusters<S> inverted = cross_of_points<S>();
        inverted.move([](Vec3d x) { return Vec3d{-1.2 * x.x, x.y, 0.9 * x.z}; });
        inverted.match();
        const Quaternion r = inverted.rotation_of(0);
        EXPECT_NEAR(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z, 1, 1e-5);
        EXPECT_GT(inverted.largest(), 0.5);
    }
}

TYPED_TEST(ShapeMatchingTest, bits_do_not_depend_on_threads_nor_on_the_path) {
    using S = TypeParam;
    std::vector<typename S::Row> first;
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        for (const int threads : {1, 4}) {
            Clusters<S> clusters = jittered<S>(threads);
            clusters.move([](Vec3d x) {
                return Vec3d{1.2 * x.x + 0.3 * x.y, 0.9 * x.y - 0.7 * x.x, 1.1 * x.z + 0.2 * x.x};
            });
            clusters.match();
            std::vector<typename S::Row> all = clusters.displacement;
            all.insert(all.end(), clusters.rotation.begin(), clusters.rotation.end());
            if (first.empty()) first = all;
            for (std::size_t i = 0; i < all.size(); ++i) {
                ASSERT_EQ(test::bits_of(all[i].x), test::bits_of(first[i].x)) << simd::name(path) << " " << threads;
                ASSERT_EQ(test::bits_of(all[i].y), test::bits_of(first[i].y));
                ASSERT_EQ(test::bits_of(all[i].z), test::bits_of(first[i].z));
                ASSERT_EQ(test::bits_of(all[i].w), test::bits_of(first[i].w));
            }
        }
    }
}

}  // namespace
}  // namespace treacle
