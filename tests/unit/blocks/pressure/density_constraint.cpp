#include "blocks/pressure/density_constraint.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "support/particle_cloud.h"
#include "support/spaces.h"

namespace treacle {
namespace {

constexpr double s = 0.05;  // spacing
constexpr double h = 2.5 * s;
constexpr double dt = 0.004;

template <class S>
struct Block : ParticleCloud<S> {
    using typename ParticleCloud<S>::Real;
    using typename ParticleCloud<S>::Row;
    using ParticleCloud<S>::position;

    Block(int side, double squeeze, double jitter, Bodies solids = {}) {
        this->bodies = std::move(solids);
        this->dt = dt;
        std::mt19937 random(1);
        const auto any = [&] { return 2 * (random() / 4294967295.0) - 1; };
        for (int z = 0; z < (S::dim == 3 ? side : 1); ++z) {
            for (int y = 0; y < side; ++y) {
                for (int x = 0; x < side; ++x) {
                    const Vec3d off{any(), any(), S::dim == 3 ? any() : 0};
                    this->add((1 - squeeze) * s * (Vec3d{x + 0.0, y + 0.0, z + 0.0} + jitter * off), {}, s);
                    const double weight = 1 + 0.5 * any();
                    this->mass.back() = static_cast<Real>(1000 * weight * cell_volume(S::dim, s));
                }
            }
        }
        block.longest_start = 0.2 * s;
        block.rest_density = {1000};
        compliance.assign(this->size(), -1), ratio.resize(this->size()), pressure.resize(this->size()),
            walls.resize(this->size());
        this->boundary.emplace(this->bodies, typename BoundaryParticles<S>::Settings{.spacing = s, .support_radius = h},
                               parallel);
        this->boundary->update(position, this->bodies, parallel);
        this->neighbors.update(position, 1.2 * h, parallel, no_period);
    }
    void begin() {
        moving.begin(position);
        block.begin_positions(this->view(), this->context(parallel), {pressure, ratio, compliance}, moving, walls);
    }
    typename DensityConstraint<S>::Report project() {
        block.project_positions(this->view(), this->context(parallel), moving, walls, ratio);
        return block.end(this->view(), this->context(parallel), ratio, pressure);
    }
    Vec3d center() const {
        Vec3d sum{};
        for (std::size_t i = 0; i < position.size(); ++i)
            sum += static_cast<double>(this->mass[i]) * cast<double>(position[i].xyz());
        return sum;
    }

    Parallel parallel{1};
    std::vector<Row> walls;
    MovingPositions<S> moving;
    std::vector<Real> compliance, ratio, pressure;
    DensityConstraint<S> block;
};

template <class S>
class Density : public testing::Test {};
TYPED_TEST_SUITE(Density, test::ConstraintSpaces);

TYPED_TEST(Density, OfACompressedBlockFalls) {
    Block<TypeParam> block(10, 0.04, 0.05);
    block.begin();
    const double before = block.project().error_mean;
    double after = 0;
    for (int n = 0; n < 60; ++n) after = block.project().error_mean;
    EXPECT_GT(before, 0.02);
    EXPECT_LT(after, 0.1 * before);
}

TYPED_TEST(Density, KeepsTheCenterOfMass) {
    Block<TypeParam> block(8, 0.06, 0.2);
    const Vec3d before = block.center();
    const double size = static_cast<double>(block.mass[0]) * s * static_cast<double>(block.position.size());
    block.begin();
    for (int n = 0; n < 20; ++n) block.project();
    EXPECT_LT(length(block.center() - before), (sizeof(typename TypeParam::Real) == 4 ? 1e-4 : 1e-12) * size);
}

/// Velocities are displacements over the step: pushes must have no moment about the places at the start of the step.
TYPED_TEST(Density, KeepsAngularMomentumOfATurn) {
    using Real = typename TypeParam::Real;
    Block<TypeParam> block(8, 0.06, 0.2);
    const auto start = block.position;
    block.moving.begin(block.position);
    const double c = std::cos(0.3), n = std::sin(0.3);
    for (std::size_t i = 0; i < start.size(); ++i) {
        const Vec3d x = cast<double>(start[i].xyz());
        block.moving.move(i, cast<Real>(Vec3d{(c - 1) * x.x - n * x.y, n * x.x + (c - 1) * x.y, 0}));
    }
    const std::vector<typename TypeParam::Row> before(block.moving.displacement().begin(),
                                                      block.moving.displacement().end());
    std::fill(block.pressure.begin(), block.pressure.end(), Real(1000));
    block.block.begin_positions(block.view(), block.context(block.parallel),
                                {block.pressure, block.ratio, block.compliance}, block.moving, block.walls);
    for (int k = 0; k < 20; ++k) block.project();
    Vec3d moment{};
    double moved = 0;
    for (std::size_t i = 0; i < start.size(); ++i) {
        const Vec3d by =
            static_cast<double>(block.mass[i]) * cast<double>(block.moving.displacement()[i].xyz() - before[i].xyz());
        moment += cross(cast<double>(start[i].xyz()), by), moved += length(by);
    }
    ASSERT_GT(moved, 0);
    EXPECT_LT(length(moment), (sizeof(Real) == 4 ? 1e-5 : 1e-12) * moved);
}

/// Squeezed between a floor and a lid so close that some particles feel both.
TYPED_TEST(Density, GivesEveryBodyWhatItTookFromTheFluid) {
    using Real = typename TypeParam::Real;
    Body floor, lid;
    const double middle = TypeParam::dim == 3 ? 2 * s : 0, long_way = TypeParam::dim == 3 ? 20 * s : 0;
    floor.shape.form = Box{{2 * s, -1.5 * s, middle}, {20 * s, 2 * s, long_way}};
    lid.shape.form =
        Box{{2 * s, 5.1 * s, middle}, {20 * s, 2 * s, long_way}};  // from 4.1 s on, the fluid ends at 3.7 s
    floor.shape.dimension = lid.shape.dimension = TypeParam::dim;
    Block<TypeParam> block(5, 0.08, 0.1, {floor, lid});
    const Vec3d before = block.center();
    block.begin();
    for (int n = 0; n < 5; ++n) block.project();
    EXPECT_LT(block.bodies[0].force.y, 0);
    EXPECT_GT(block.bodies[1].force.y, 0);
    Vec3d by_walls{};
    double size = 0;
    for (std::size_t i = 0; i < block.walls.size(); ++i) {
        by_walls += static_cast<double>(block.mass[i]) * cast<double>(block.walls[i].xyz());
        size += static_cast<double>(block.mass[i]) * length(cast<double>(block.walls[i].xyz()));
    }
    const Vec3d given = dt * dt * (block.bodies[0].force + block.bodies[1].force);
    const double rounding = sizeof(Real) == 4 ? 1e-5 : 1e-12;
    ASSERT_GT(size, 0);
    EXPECT_LT(length(given + by_walls), rounding * size);
    const double whole = static_cast<double>(block.mass[0]) * s * static_cast<double>(block.position.size());
    EXPECT_LT(length(given + block.center() - before), (sizeof(Real) == 4 ? 1e-4 : 1e-12) * whole);
}

TYPED_TEST(Density, LeavesAloneWhatIsThin) {
    Block<TypeParam> block(8, -0.05, 0);
    const auto before = block.position;
    block.begin();
    for (int n = 0; n < 3; ++n) block.project();
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(block.position[i].xyz(), before[i].xyz());
}

TYPED_TEST(Density, ArtificialPressureDrivesAPairApart) {
    const auto distance_after = [](double k) {
        Block<TypeParam> block(6, 0, 0);
        block.block.artificial_pressure = k;
        const std::size_t first = block.position.size() / 2 + (TypeParam::dim == 3 ? 20 : 2);
        block.position[first].x += static_cast<typename TypeParam::Real>(0.6 * s);  // toward the next
        const Vec3d before = block.center();
        block.begin();
        for (int n = 0; n < 10; ++n) block.project();
        const double size = static_cast<double>(block.mass[0]) * s * static_cast<double>(block.position.size());
        EXPECT_LT(length(block.center() - before), (sizeof(typename TypeParam::Real) == 4 ? 1e-4 : 1e-12) * size);
        return static_cast<double>(length(block.position[first + 1].xyz() - block.position[first].xyz()));
    };
    EXPECT_GT(distance_after(0.1), 1.1 * distance_after(0));
}

TYPED_TEST(Density, TakesBackAPushThatWentTooFar) {
    // A pressure that is far too high has thrown the block apart; the iteration finds that none was needed.
    Block<TypeParam> block(8, 0, 0);
    const auto before = block.position;
    const auto away = [&] {
        double sum = 0;
        for (std::size_t i = 0; i < before.size(); ++i)
            sum += length(cast<double>(block.position[i].xyz() - before[i].xyz()));
        return sum / static_cast<double>(before.size());
    };
    std::fill(block.pressure.begin(), block.pressure.end(), static_cast<typename TypeParam::Real>(1500));
    block.begin();
    const double thrown = away();
    for (int n = 0; n < 100; ++n) block.project();
    EXPECT_GT(thrown, 0.003 * s);
    EXPECT_LT(thrown, 0.2 * s);
    EXPECT_LT(away(), 0.2 * thrown);
}

TYPED_TEST(Density, OfWhatVelocitiesLeadToFallsToo) {
    using Real = typename TypeParam::Real;
    Block<TypeParam> block(8, 0, 0.1);
    for (std::size_t i = 0; i < block.size(); ++i)
        block.velocity[i] = Real(-3) * block.position[i].xyz();  // presses it together by 1.2 %
    const auto compression = [&] {
        auto moved = block.position;
        for (std::size_t i = 0; i < moved.size(); ++i) moved[i] = moved[i].xyz() + Real(dt) * block.velocity[i].xyz();
        std::vector<Real> ratio(moved.size());
        DensityConstraint<TypeParam> gauge;
        gauge.rest_density = {1000};
        auto view = block.view();
        view.position = moved;
        gauge.measure(view, block.context(block.parallel), ratio);
        double sum = 0;
        for (const Real r : ratio) sum += std::max(0.0, static_cast<double>(r) - 1);
        return sum / static_cast<double>(ratio.size());
    };
    const double before = compression();
    const Vec3d at_start = block.momentum();
    const auto positions = block.position;
    block.block.begin_velocities(block.view(), block.context(block.parallel),
                                 {block.pressure, block.ratio, block.compliance}, block.walls);
    block.block.measure(block.view(), block.context(block.parallel), block.ratio);
    for (int n = 0; n < 200; ++n)
        block.block.project_velocities(block.view(), block.context(block.parallel), block.ratio, block.walls);
    EXPECT_GT(before, 0.008);
    EXPECT_LT(compression(), 0.25 * before);
    EXPECT_LT(length(block.momentum() - at_start), (sizeof(Real) == 4 ? 1e-4 : 1e-12) * length(at_start));
    for (std::size_t i = 0; i < positions.size(); ++i) EXPECT_EQ(block.position[i].xyz(), positions[i].xyz());
}

// What is denser than at rest when a step starts gives no pressure and no speed; it is moved apart, and momentum stays.
TYPED_TEST(Density, ErrorsMovePositionsWithoutASpeed) {
    using Real = typename TypeParam::Real;
    Block<TypeParam> block(8, 0.06, 0.2);
    block.block.return_time = 1e9;
    block.block.relaxation = 0.3;
    block.block.measure(block.view(), block.context(block.parallel), block.ratio);
    const double before = static_cast<double>(*std::max_element(block.ratio.begin(), block.ratio.end()));
    ASSERT_GT(before, 1.02);
    block.begin();
    block.project();
    for (const auto& by : block.moving.displacement())
        EXPECT_LT(static_cast<double>(length(by.xyz())), sizeof(Real) == 4 ? 1e-6 * s : 1e-12 * s);
    const Vec3d center = block.center();
    const std::vector<Real> jelly(block.size(), 1);
    block.block.correct_errors(block.view(), block.context(block.parallel), jelly, block.moving, block.ratio);
    for (const auto& by : block.moving.displacement())
        EXPECT_LT(static_cast<double>(length(by.xyz())), sizeof(Real) == 4 ? 1e-6 * s : 1e-12 * s);
    for (int n = 0; n < 20; ++n)
        block.block.correct_errors(block.view(), block.context(block.parallel), block.compliance, block.moving,
                                   block.ratio);
    const double after = static_cast<double>(*std::max_element(block.ratio.begin(), block.ratio.end()));
    EXPECT_LT(after - 1, 0.5 * (before - 1));
    EXPECT_LT(length(block.center() - center),
              (sizeof(Real) == 4 ? 1e-5 : 1e-12) * s * 1000 * std::pow(8 * s, TypeParam::dim));
}

TYPED_TEST(Density, AStepStartsWithItsShareOfTheLastPressure) {
    using Real = typename TypeParam::Real;
    const auto moved = [](double pressure, double share) {
        Block<TypeParam> block(6, 0, 0);
        const auto before = block.position;
        std::fill(block.pressure.begin(), block.pressure.end(), static_cast<Real>(pressure));
        block.block.warm_start = share;
        block.begin();
        double sum = 0;
        for (std::size_t i = 0; i < before.size(); ++i)
            sum += length(cast<double>(block.moving.displacement()[i].xyz()));
        return sum;
    };
    EXPECT_GT(moved(500, 1), 0);
    EXPECT_EQ(moved(1000, 0.5), moved(500, 1));
    EXPECT_EQ(moved(1000, 0), 0);
}

TYPED_TEST(Density, IsTheRestDensityOfTheMaterialTimesTheRatio) {
    using Real = typename TypeParam::Real;
    Block<TypeParam> block(6, 0.03, 0.1);
    block.block.rest_density = {1000, 500};
    block.material[0] = 1;
    block.block.measure(block.view(), block.context(block.parallel), block.ratio);
    for (std::size_t i = 0; i < block.size(); ++i) {
        EXPECT_GT(block.ratio[i], Real(0));
        EXPECT_EQ(block.density[i], block.ratio[i] * Real(i == 0 ? 500 : 1000));
    }
}

}  // namespace
}  // namespace treacle
