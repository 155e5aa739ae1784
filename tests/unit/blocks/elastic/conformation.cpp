#include "blocks/elastic/conformation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/particle_cloud.h"
#include "support/random_fluid.h"
#include "support/spaces.h"

namespace treacle {
namespace {

constexpr double s = 0.05;  // spacing
constexpr double h = 2.5 * s;
constexpr double dt = 1e-3;

/// A block of a lattice, or any other particles, with a constraint on it.
template <class S>
struct Specimen : ParticleCloud<S> {
    using typename ParticleCloud<S>::Real;
    using ParticleCloud<S>::position;

    explicit Specimen(int side, double modulus = 1000) {
        const double middle = 0.5 * (side - 1);
        for (int z = 0; z < (S::dim == 3 ? side : 1); ++z) {
            for (int y = 0; y < side; ++y) {
                for (int x = 0; x < side; ++x)
                    this->add(s * Vec3d{x - middle, y - middle, S::dim == 3 ? z - middle : 0}, {}, s);
            }
        }
        finish(modulus);
    }
    explicit Specimen(const std::vector<Vec3d>& places, double modulus = 1000) {
        for (const Vec3d& place : places) this->add(place, {}, s);
        finish(modulus);
    }
    void finish(double modulus) {
        this->dt = dt;
        compliance.assign(this->size(), static_cast<Real>(1 / modulus));
        conformation.assign(this->size(), SymMat<Real>::identity());
        block.settings.support_radius = h;
        double shape = 0;  // of a lattice, pair by pair
        const CubicSpline<Space<S::dim, double>> kernel(h);
        for (int z = S::dim == 3 ? -2 : 0; z <= (S::dim == 3 ? 2 : 0); ++z) {
            for (int y = -2; y <= 2; ++y) {
                for (int x = -2; x <= 2; ++x) {
                    const Vec3d r = s * Vec3d{x + 0.0, y + 0.0, z + 0.0};
                    const double distance = length(r);
                    if (distance > 0 && distance < h)
                        shape -= cell_volume(S::dim, s) * kernel.slope(distance / h) / distance * r.x * r.x;
                }
            }
        }
        block.settings.gradient_scale = 1 / shape;
        find_neighbors();
    }
    void find_neighbors() { this->neighbors.update(position, h, parallel, no_period); }
    typename Conformation<S>::Constraints constraints() { return {rows, compliance, conformation}; }
    void begin() { block.begin(this->view(), this->context(parallel), constraints()); }
    void project(int iterations = 1) {
        for (int n = 0; n < iterations; ++n)
            block.project_velocities(this->view(), this->context(parallel), constraints());
    }
    void solve(int iterations) {
        block.solve_velocities(this->view(), this->context(parallel), constraints(), iterations,
                               {[](auto, bool) {}, [](auto) {}, [] {}});
    }
    std::size_t center() const {
        std::size_t best = 0;
        for (std::size_t i = 0; i < position.size(); ++i) {
            if (length(position[i].xyz()) < length(position[best].xyz())) best = i;
        }
        return best;
    }

    Parallel parallel{1};
    std::vector<Real> compliance;
    std::vector<SymMat<Real>> conformation;
    ConformationRows<S> rows{this->neighbors};
    Conformation<S> block;
};

template <class S>
class ConformationBlock : public testing::Test {};
TYPED_TEST_SUITE(ConformationBlock, test::ConstraintSpaces);

TYPED_TEST(ConformationBlock, DoesNotSeeARotation) {
    using Real = typename TypeParam::Real;
    for (const bool corotational : {true, false}) {
        Specimen<TypeParam> specimen(6);
        specimen.block.settings.corotational = corotational;
        std::fill(specimen.compliance.begin(), specimen.compliance.end(), Real(0));
        const Vec3d spin = TypeParam::dim == 3 ? Vec3d{1, -2, 3} : Vec3d{0, 0, 3};
        for (std::size_t i = 0; i < specimen.position.size(); ++i) {
            specimen.velocity[i] = cast<Real>(cross(spin, cast<double>(specimen.position[i].xyz())) + Vec3d{1, 2, 0});
        }
        const double before = length(specimen.angular_momentum());
        specimen.begin();
        specimen.project(20);
        double worst = 0;
        for (std::size_t i = 0; i < specimen.position.size(); ++i) {
            const Vec3d expected = cross(spin, cast<double>(specimen.position[i].xyz())) + Vec3d{1, 2, 0};
            worst = std::max(worst, length(cast<double>(specimen.velocity[i].xyz()) - expected));
        }
        if (corotational) {
            EXPECT_LT(worst, 2e-4);
            EXPECT_NEAR(length(specimen.angular_momentum()) / before, 1, 1e-5);
        } else {
            EXPECT_GT(worst, 0.01);  // the surface is seen to be strained
        }
    }
}

TYPED_TEST(ConformationBlock, KeepsMomentumAndAngularMomentumOfAnyMotion) {
    using Real = typename TypeParam::Real;
    test::RandomFluid<TypeParam> cloud(300, TypeParam::dim == 3 ? Real(0.3) : Real(0.8), Real(h), 5);
    Specimen<TypeParam> specimen(2);
    specimen.position = cloud.position;
    specimen.velocity = cloud.velocity;
    specimen.mass = cloud.mass;
    specimen.volume.clear(), specimen.compliance.clear();
    for (const Real m : cloud.mass) {
        specimen.volume.push_back(m * Real(1e-4));
        specimen.compliance.push_back(m > Real(1.5) ? Real(-1) : Real(1e-4) * m);  // some do not take part
    }
    specimen.conformation.assign(cloud.mass.size(), {Real(1.3), Real(0.2), 0, Real(0.9), 0, 1});
    specimen.find_neighbors();
    const Vec3d momentum = specimen.momentum(), moment = specimen.angular_momentum();
    specimen.begin();
    const auto velocity = specimen.velocity;
    specimen.project(5);
    double moved = 0;
    for (std::size_t i = 0; i < velocity.size(); ++i) {
        moved += static_cast<double>(specimen.mass[i]) *
                 length(cast<double>(specimen.velocity[i].xyz() - velocity[i].xyz()));
    }
    ASSERT_GT(moved, 0.1);
    const double rounding = sizeof(Real) == 4 ? 2e-5 : 1e-12;
    EXPECT_LT(length(specimen.momentum() - momentum), rounding * moved);
    EXPECT_LT(length(specimen.angular_momentum() - moment),
              (10 * rounding + 1e-6) * moved);  // the safeguard that keeps ω finite costs this much
}

/// Velocities are displacements over the step, so that angular momentum is Σ m x0 × Δx/dt: what moves positions must
/// have no moment about the places at the start of the step, wherever particles have gone since.
TYPED_TEST(ConformationBlock, PositionsKeepAngularMomentumOfAnyMotion) {
    using Real = typename TypeParam::Real;
    const test::RandomFluid<TypeParam> cloud(300, TypeParam::dim == 3 ? Real(0.3) : Real(0.8), Real(h), 5);
    Specimen<TypeParam> specimen(2);
    specimen.position = cloud.position;
    specimen.velocity = cloud.velocity;
    specimen.mass = cloud.mass;
    specimen.volume.clear(), specimen.compliance.clear();
    for (const Real m : cloud.mass) {
        specimen.volume.push_back(m * Real(1e-4));
        specimen.compliance.push_back(m > Real(1.5) ? Real(-1) : Real(1e-4) * m);  // some do not take part
    }
    specimen.conformation.assign(cloud.mass.size(), {Real(1.3), Real(0.2), 0, Real(0.9), 0, 1});
    specimen.find_neighbors();
    specimen.dt = 0.1;  // so that particles go far, compared with the rounding of what they have gone before
    specimen.begin();
    const auto start = specimen.position;
    MovingPositions<TypeParam> moving(specimen.position);
    for (std::size_t i = 0; i < start.size(); ++i) {  // a turn by a fifth, and some disorder
        const Vec3d x = cast<double>(start[i].xyz()), turned{-0.2 * x.y, 0.2 * x.x, 0};
        moving.move(i, cast<Real>(turned + 0.01 * cast<double>(cloud.velocity[i].xyz())));
    }
    const std::vector<typename TypeParam::Row> before(moving.displacement().begin(), moving.displacement().end());
    for (int n = 0; n < 5; ++n) {
        specimen.block.project_positions(specimen.view(), specimen.context(specimen.parallel), specimen.constraints(),
                                         moving);
    }
    Vec3d momentum{}, moment{};
    double moved = 0;
    for (std::size_t i = 0; i < start.size(); ++i) {
        const Vec3d by =
            static_cast<double>(specimen.mass[i]) * cast<double>(moving.displacement()[i].xyz() - before[i].xyz());
        momentum += by, moment += cross(cast<double>(start[i].xyz()), by), moved += length(by);
    }
    ASSERT_GT(moved, 1);
    const double rounding = sizeof(Real) == 4 ? 2e-5 : 1e-12;
    EXPECT_LT(length(momentum), rounding * moved);
    EXPECT_LT(length(moment), (10 * rounding + 1e-6) * moved);
}

TYPED_TEST(ConformationBlock, ConjugateGradientsLeadToWhereJacobiLeads) {
    using Real = typename TypeParam::Real;
    constexpr int across = TREACLE_SANITIZED ? 4 : 6, sweeps = TREACLE_SANITIZED ? 1000 : 3000;
    Specimen<TypeParam> slow(across, 1e6), fast(across, 1e6);
    const test::RandomFluid<TypeParam> cloud(slow.position.size(), 1, Real(h), 3);
    slow.velocity = fast.velocity = cloud.velocity;
    const Vec3d momentum = fast.momentum(), moment = fast.angular_momentum();
    slow.begin(), fast.begin();
    slow.project(sweeps);
    for (int n = 0; n < 12; ++n) fast.solve(5);
    const double rounding = sizeof(Real) == 4 ? 1e-4 : 1e-6;
    for (std::size_t i = 0; i < slow.position.size(); ++i) {
        EXPECT_LT(length(cast<double>(slow.velocity[i].xyz() - fast.velocity[i].xyz())), 20 * rounding) << i;
    }
    const double size = static_cast<double>(fast.mass[0]) * static_cast<double>(fast.mass.size());
    EXPECT_LT(length(fast.momentum() - momentum), rounding * size);
    EXPECT_LT(length(fast.angular_momentum() - moment), rounding * size);
}

TYPED_TEST(ConformationBlock, StressIsModulusTimesStrain) {
    using Real = typename TypeParam::Real;
    const double rate = 2;
    for (const double floor : {0.3, 0.0}) {
        Specimen<TypeParam> specimen(7, 1);  // so soft that the stress does not move anything
        specimen.block.settings.correction_floor = floor;
        for (std::size_t i = 0; i < specimen.position.size(); ++i)
            specimen.velocity[i] = {{Real(rate) * specimen.position[i].y, 0, 0}};
        specimen.begin();
        specimen.project(2);
        const auto share = [&](std::size_t i) {
            return static_cast<double>(specimen.block.stress(i).xy) / (1 * dt * rate);
        };
        double least = 1, most = 0;
        for (std::size_t i = 0; i < specimen.position.size(); ++i)
            least = std::min(least, share(i)), most = std::max(most, share(i));
        EXPECT_NEAR(share(specimen.center()), 1, 0.01);
        EXPECT_LT(most, 1.05);
        // Most of the loss at corners is made up for.
        EXPECT_GT(least, floor > 0 ? 0.6 : 0.0);
        EXPECT_LT(least, floor > 0 ? 1.0 : 0.45);
    }
}

TYPED_TEST(ConformationBlock, ConformationFollowsDeformationAndForgets) {
    using Real = typename TypeParam::Real;
    Specimen<TypeParam> specimen(7);
    const auto start = specimen.position;
    specimen.begin();
    // Stretched by 10 % along x and turned by 30 degrees.
    const double c = std::cos(std::numbers::pi / 6), n = std::sin(std::numbers::pi / 6);
    for (auto& row : specimen.position) {
        const double x = 1.1 * static_cast<double>(row.x), y = static_cast<double>(row.y);
        row = cast<Real>(Vec3d{c * x - n * y, n * x + c * y, static_cast<double>(row.z)});
    }
    const std::vector<ConformationMemory<Real>> memory(start.size(), {.kept = Real(0.5)});
    auto places = start;
    MovingPositions<TypeParam> moving(places);
    for (std::size_t i = 0; i < start.size(); ++i) moving.move(i, specimen.position[i].xyz() - start[i].xyz());
    std::vector<Real> share(start.size());
    for (int repeat = 0; repeat < 20; ++repeat) {  // lets the rotation converge
        std::fill(specimen.conformation.begin(), specimen.conformation.end(), SymMat<Real>::identity());
        specimen.block.update(specimen.view(), specimen.context(specimen.parallel), specimen.constraints(), moving,
                              memory, share);
    }
    // Q - 1 = (1.1² - 1) e eᵀ / 2 along the turned axis.
    const SymMat<Real> q = specimen.conformation[specimen.center()];
    EXPECT_NEAR(static_cast<double>(q.xx), 1 + 0.105 * c * c, 0.01);
    EXPECT_NEAR(static_cast<double>(q.xy), 0.105 * c * n, 0.01);
    EXPECT_NEAR(static_cast<double>(q.yy), 1 + 0.105 * n * n, 0.01);
    EXPECT_NEAR(static_cast<double>(q.zz), 1, 1e-5);
}

/// One particle without neighbors must not spoil the sums over all.
TYPED_TEST(ConformationBlock, ALonelyParticleDoesNotStopConjugateGradients) {
    using Real = typename TypeParam::Real;
    std::vector<Vec3d> places{{-10, 0, 0}};
    for (int n = 0; n < 16; ++n) places.push_back(s * Vec3d{n % 4 + 0.0, n / 4 + 0.0, 0});
    Specimen<TypeParam> specimen(places);
    std::fill(specimen.compliance.begin(), specimen.compliance.end(), Real(0));
    for (std::size_t i = 0; i < specimen.position.size(); ++i)
        specimen.velocity[i] = {{Real(10) * specimen.position[i].y, 0, 0}};
    const auto before = specimen.velocity;
    specimen.begin();
    specimen.solve(5);
    EXPECT_EQ(specimen.velocity[0].x, before[0].x);
    EXPECT_GT(std::abs(specimen.velocity[16].x - before[16].x), Real(0.1));
}

TYPED_TEST(ConformationBlock, ThinAndLonelyThingsStayFinite) {
    using Real = typename TypeParam::Real;
    // One alone, two, three in a line, two at the same place.
    Specimen<TypeParam> specimen(
        std::vector<Vec3d>{
            {0, 0, 0}, {1, 0, 0}, {1.03, 0, 0}, {2, 0, 0}, {2.04, 0, 0}, {2.08, 0, 0}, {3, 0, 0}, {3, 0, 0}},
        1e12);
    for (std::size_t i = 0; i < specimen.position.size(); ++i)
        specimen.velocity[i] = {{Real(0.1 * (i % 3)), Real(0.3 * (i % 2)), 0}};
    specimen.conformation.assign(specimen.position.size(), {Real(1.5), Real(0.1), 0, Real(0.7), 0, 1});
    specimen.begin();
    specimen.project(50);
    const auto start = specimen.position;
    MovingPositions<TypeParam> moving(specimen.position);
    for (int n = 0; n < 50; ++n) {
        specimen.block.project_positions(specimen.view(), specimen.context(specimen.parallel), specimen.constraints(),
                                         moving);
    }
    for (std::size_t i = 0; i < start.size(); ++i) {
        EXPECT_LT(length(specimen.velocity[i].xyz()), 100) << i;
        EXPECT_LT(length(specimen.position[i].xyz() - start[i].xyz()), 0.1) << i;
    }
    EXPECT_EQ(specimen.velocity[0].x, Real(0));  // no neighbor to strain against
}

}  // namespace
}  // namespace treacle
