#include "blocks/surface/surface_tension.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "math/reproducible.h"
#include "support/on_every_path.h"
#include "support/particle_cloud.h"
#include "support/spaces.h"

namespace treacle {
namespace {

constexpr double s = 0.01;  // spacing
constexpr double h = 2.01 * s;

/// Fluid with its solids, and the block applied to it.
template <class S>
struct Pool : ParticleCloud<S> {
    using Real = typename S::Real;
    using Row = typename S::Row;
    using ParticleCloud<S>::position, ParticleCloud<S>::velocity, ParticleCloud<S>::mass, ParticleCloud<S>::bodies;
    using ParticleCloud<S>::boundary;

    explicit Pool(int threads = 1) : parallel(std::make_unique<Parallel>(threads)) {}

    void add(Vec3d x, std::uint8_t of_material = 0) {
        if (S::dim == 2) x.z = 0;
        ParticleCloud<S>::add(x, {}, s, of_material == 0 ? 1000 : 500);
        this->material.back() = of_material;
    }
    /// Forces on all particles, N.
    std::vector<Vec3d> forces(const std::vector<Real>& tension) {
        this->neighbors.update(position, h, *parallel, no_period);
        boundary.emplace(bodies, typename BoundaryParticles<S>::Settings{s, h}, *parallel);
        boundary->update(position, bodies, *parallel);
        SurfaceTension<S> block;
        block.tension = tension;
        velocity.assign(position.size(), Row{});
        this->dt = 1;
        block.apply(this->view(), this->context(*parallel));
        std::vector<Vec3d> result;
        for (std::size_t i = 0; i < position.size(); ++i) {
            result.push_back(static_cast<double>(mass[i]) * cast<double>(velocity[i].xyz()));
        }
        return result;
    }
    Vec3d at(std::size_t i) const { return cast<double>(position[i].xyz()); }

    std::unique_ptr<Parallel> parallel;
};

template <class S, class Take>
void lattice(Pool<S>& pool, int half, double jitter, const Take& take) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> number(-jitter, jitter);
    const int deep = S::dim == 3 ? half : 0;
    for (int z = -deep; z <= deep; ++z) {
        for (int y = -half; y <= half; ++y) {
            for (int x = -half; x <= half; ++x) {
                const Vec3d at = s * Vec3d{x + number(random), y + number(random), z + number(random)};
                if (take(at)) pool.add(at, x > 1);
            }
        }
    }
}

template <class S>
Pool<S> random_pool(int threads = 1) {
    Pool<S> pool(threads);
    lattice(pool, 4, 0.3, [](Vec3d) { return true; });
    pool.add(pool.at(3));      // two at one place
    pool.add({20 * s, 0, 0});  // and one alone
    return pool;
}

double largest(const std::vector<Vec3d>& forces) {
    double most = 0;
    for (const Vec3d& f : forces) most = std::max(most, length(f));
    return most;
}

template <class S>
class SurfaceTensionTest : public testing::Test {};
TYPED_TEST_SUITE(SurfaceTensionTest, test::AllSpaces);

template <class S>
constexpr double rounding = sizeof(typename S::Real) == 4 ? 2e-5 : 1e-13;

TYPED_TEST(SurfaceTensionTest, keeps_momentum_and_angular_momentum_with_bodies_and_two_materials) {
    using S = TypeParam;
    for (const bool solid : {false, true}) {
        Pool<S> pool = random_pool<S>();
        if (solid) {
            pool.bodies.resize(1);
            pool.bodies[0].shape = {Sphere{{0, 6 * s, 0}, 2.5 * s}, {}, S::dim};
        }
        const auto forces = pool.forces({0.07f, 0.02f});
        Vec3d sum{}, moment{};
        double size = 0;
        for (std::size_t i = 0; i < forces.size(); ++i) {
            sum += forces[i];
            moment += cross(pool.at(i), forces[i]);
            size += length(forces[i]);
        }
        if (solid) {
            const Body& body = pool.bodies[0];
            EXPECT_GT(length(body.force), 1e-3 * size);
            sum += body.force;
            moment += body.torque + cross(body.pose.position, body.force);
        }
        EXPECT_GT(size, 0);
        EXPECT_LT(length(sum), rounding<S> * size);
        EXPECT_LT(length(moment), rounding<S> * size * 5 * s);
        EXPECT_EQ(length(forces.back()), 0);
    }
}

/// E of the header, without solids.
template <class S>
double energy(Pool<S>& pool, const std::vector<double>& tension) {
    const CubicSpline<S> kernel(h);
    const double wide = (S::dim == 2 ? 3 / reproducible::pi : 105 / (32 * reproducible::pi)) / cell_volume(S::dim, h);
    double sum = 0;
    for (std::size_t i = 0; i < pool.position.size(); ++i) {
        Vec3d normal{};
        double fill = 0;
        for (std::size_t j = 0; j < pool.position.size(); ++j) {
            const Vec3d r = pool.at(i) - pool.at(j);
            const double q = length(r) / h, v = pool.volume[j];
            if (q >= 1) continue;
            fill += v * wide * (1 - q * q) * (1 - q * q);
            if (q > 0) normal += (v * kernel.slope(q) / length(r)) * r;
        }
        const double lack = std::max(0.0, 1 - fill), softening = SurfaceTension<S>::normal_softening / h;
        const double over = std::max(0.0, length(normal) - SurfaceTension<S>::normal_threshold / h);
        sum += tension[pool.material[i]] * pool.volume[i] *
               (SurfaceTension<S>::area_factor * std::sqrt(over * over + softening * softening) +
                SurfaceTension<S>::hold_factor / h * lack * lack);
    }
    return sum;
}

template <class S>
void is_slope_of_energy() {
    Pool<S> pool;
    lattice(pool, 3, 0.3, [](Vec3d) { return true; });
    const std::vector<double> tension{0.07, 0.02};
    const auto forces = pool.forces(tension);
    const double step = 1e-6 * s, size = largest(forces);
    for (std::size_t i = 0; i < forces.size(); i += 7) {
        for (const Vec3d& direction : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}}) {
            const auto before = pool.position[i];
            pool.position[i] = before.xyz() + step * direction;
            const double ahead = energy(pool, tension);
            pool.position[i] = before.xyz() - step * direction;
            const double behind = energy(pool, tension);
            pool.position[i] = before;
            EXPECT_NEAR(dot(forces[i], direction), (behind - ahead) / (2 * step), 1e-5 * size) << i;
        }
    }
}

TEST(SurfaceTension, is_the_slope_of_its_energy) {
    is_slope_of_energy<Space2d>();
    is_slope_of_energy<Space3d>();
}

TYPED_TEST(SurfaceTensionTest, does_nothing_within_an_even_fluid) {
    using S = TypeParam;
    Pool<S> pool;
    lattice(pool, 6, 0, [](Vec3d) { return true; });
    const auto forces = pool.forces({0.07f, 0.07f});
    const double size = largest(forces);
    EXPECT_GT(size, 0);
    for (std::size_t i = 0; i < forces.size(); ++i) {
        const Vec3d x = pool.at(i);
        if (std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)}) < 2.5 * s) {
            EXPECT_LT(length(forces[i]), 10 * rounding<S> * size);
        }
    }
}

TYPED_TEST(SurfaceTensionTest, a_wall_is_no_free_surface) {
    using S = TypeParam;
    const auto on_the_lowest_layer = [](bool wall) {
        Pool<S> pool;
        if (wall) {
            pool.bodies.resize(1);
            pool.bodies[0].shape = {Plane{{0, 1, 0}, -6.5 * s}, {}, S::dim};
        }
        lattice(pool, 6, 0, [](Vec3d) { return true; });
        const auto forces = pool.forces({0.07f, 0.07f});
        double most = 0;
        for (std::size_t i = 0; i < forces.size(); ++i) {
            const Vec3d x = pool.at(i);
            if (x.y < -5.5 * s && std::abs(x.x) < 3 * s && std::abs(x.z) < 3 * s)
                most = std::max(most, length(forces[i]));
        }
        return most;
    };
    EXPECT_LT(on_the_lowest_layer(true), 0.01 * on_the_lowest_layer(false));
}

TYPED_TEST(SurfaceTensionTest, gives_the_same_bits_on_every_path_and_any_number_of_threads) {
    using S = TypeParam;
    const auto run = [](int threads) {
        Pool<S> pool = random_pool<S>(threads);
        pool.bodies.resize(1);
        pool.bodies[0].shape = {Plane{{0, 1, 0}, -4 * s}, {}, S::dim};
        pool.forces({0.07f, 0.02f});
        return std::pair{pool.velocity, pool.bodies[0].force};
    };
    const auto expected = run(1);
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        for (const int threads : {1, 3}) {
            const auto found = run(threads);
            EXPECT_EQ(
                std::memcmp(found.first.data(), expected.first.data(), found.first.size() * sizeof found.first[0]), 0);
            EXPECT_EQ(std::memcmp(&found.second, &expected.second, sizeof expected.second), 0);
        }
    }
}

TYPED_TEST(SurfaceTensionTest, is_proportional_to_the_tension) {
    using S = TypeParam;
    Pool<S> pool;
    lattice(pool, 4, 0.2, [](Vec3d) { return true; });
    const auto once = pool.forces({0.07f, 0.07f}), twice = pool.forces({0.14f, 0.14f});
    for (std::size_t i = 0; i < once.size(); ++i)
        EXPECT_LT(length(twice[i] - 2.0 * once[i]), rounding<S> * largest(once));
    EXPECT_EQ(largest(pool.forces({0, 0})), 0);
    EXPECT_FALSE(SurfaceTension<S>().active());
}

}  // namespace
}  // namespace treacle
