#include "blocks/pressure/coupled_flow.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "support/particle_cloud.h"
#include "support/spaces.h"

namespace treacle {
namespace {

template <class S>
class CoupledFlowTest : public testing::Test {};
TYPED_TEST_SUITE(CoupledFlowTest, test::DoubleSpaces);

/// A block of fluid whose lattice is disturbed, in the air.
template <class S>
struct Blob : ParticleCloud<S> {
    using Row = typename S::Row;
    static constexpr double spacing = 0.01;

    /// With `halves` the particles above the middle are halved, and closer together.
    explicit Blob(int along, double jitter = 0.2, std::uint32_t seed = 1, bool halves = false)
        : geometry(2.1 * spacing, 2.1 * spacing, 3.1 * spacing, spacing) {
        this->dt = 0.01;
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> move(-jitter, jitter);
        const double half = std::pow(2, -1.0 / S::dim);
        const auto fill = [&](double step, double from, double to) {
            const int many = static_cast<int>(std::round(along / step));
            for (int z = 0; z < (S::dim == 3 ? many : 1); ++z) {
                for (double y = from + 0.5 * step; y < to; y += step) {
                    for (int x = 0; x < many; ++x) {
                        const Vec3d at{spacing * step * (x + 0.5 + move(random)), spacing * (y + step * move(random)),
                                       S::dim == 3 ? spacing * step * (z + 0.5 + move(random)) : 0};
                        this->add(at, {}, step * spacing);
                        if (halves) sizes.push_back(step);
                    }
                }
            }
        };
        fill(1, 0, halves ? 0.5 * along : along);
        if (halves) fill(half, 0.5 * along, along);
        const double first = 0.5 * spacing;  // at the origin
        for (Row& x : this->position) x = x.xyz() - Vec3d{first, first, S::dim == 3 ? first : 0};
        const std::size_t count = this->position.size();
        viscosity.assign(count, 5);
        resistance.assign(count, 50);
        divergence.assign(count, 0);
        modulus.assign(count, 0);
        strain_time.assign(count, this->dt);
        conformation.assign(count, SymMat<double>::identity());
        acceleration.resize(count);
        pressure.resize(count);
        this->boundary.emplace(
            this->bodies, typename BoundaryParticles<S>::Settings{.spacing = spacing, .support_radius = 3.1 * spacing},
            parallel);
        this->boundary->update(this->position, this->bodies, parallel);
        this->neighbors.update(this->position, 3.1 * spacing, parallel, no_period);
        geometry.update(this->view(), this->context(parallel), ParticleSizes<S>(sizes));
    }

    StressTerms<S> terms() const {
        return {.viscosity = viscosity,
                .smooth = smooth,
                .stress = stress,
                .modulus = modulus,
                .conformation = conformation,
                .strain_time = strain_time};
    }
    SolverReport step() {
        return flow.apply(this->view(), this->context(parallel), geometry, terms(),
                          {acceleration, resistance, divergence}, pressure);
    }

    Parallel parallel{1};
    std::vector<Row> acceleration;
    std::vector<double> viscosity, resistance, divergence, modulus, strain_time, pressure;
    std::vector<double> smooth;          ///< none if empty
    std::vector<SymMat<double>> stress;  ///< none if empty
    std::vector<double> sizes;           ///< all whole if empty
    std::vector<SymMat<double>> conformation;
    MpsGeometry<S> geometry;
    CoupledFlow<S> flow;
};

TYPED_TEST(CoupledFlowTest, GradientsOfLinearFieldsAreExact) {
    for (const bool halves : {false, true}) {
        Blob<TypeParam> blob(8, 0.2, 1, halves);
        const bool flat = TypeParam::dim == 2;
        const Mat3<double> l{
            {0.3, -1, flat ? 0 : 0.7}, {2, 0.1, flat ? 0 : -0.4}, {flat ? 0 : 0.2, flat ? 0 : 1.1, flat ? 0 : -0.4}};
        for (std::size_t i = 0; i < blob.velocity.size(); ++i) blob.velocity[i] = l * blob.position[i].xyz();
        // Nothing to change: no viscosity, no resistance.
        blob.viscosity.assign(blob.mass.size(), 0);
        blob.resistance.assign(blob.mass.size(), 0);
        blob.step();
        std::size_t exact = 0;
        for (std::size_t i = 0; i < blob.mass.size(); ++i) {
            const Mat3<double> off = blob.flow.gradient()[i] - l;
            exact += std::max({length(off.x), length(off.y), length(off.z)}) < 1e-10;
        }
        // At edges and corners neighbors are too few for a correction.
        EXPECT_EQ(exact, blob.mass.size() - blob.geometry.fallbacks());
        EXPECT_LT(blob.geometry.fallbacks(), TypeParam::dim == 3 ? 12u * 8 : 5u);
    }
}

TYPED_TEST(CoupledFlowTest, RigidMotionIsLeftAlone) {
    for (const bool halves : {false, true}) {
        Blob<TypeParam> blob(8, 0.2, 1, halves);
        for (std::size_t i = 0; i < blob.velocity.size(); ++i) {
            blob.velocity[i] = Vec3d{1, 2, 0} + cross(Vec3d{0, 0, 3}, blob.position[i].xyz());
        }
        const auto before = blob.velocity;
        blob.step();
        for (std::size_t i = 0; i < before.size(); ++i)
            EXPECT_LT(length(blob.velocity[i].xyz() - before[i].xyz()), 1e-9);
    }
}

/// An elastic fluid must not feel any stress from a rotation: neither inside nor at the edges, where neighbors are too
/// few for a gradient.
TYPED_TEST(CoupledFlowTest, ElasticStressDoesNotResistRotation) {
    for (const bool halves : {false, true}) {
        for (const bool smooth : {false, true}) {
            Blob<TypeParam> blob(8, 0.2, 1, halves);
            blob.modulus.assign(blob.mass.size(), 1e5);
            if (smooth) blob.smooth = blob.viscosity;
            const Vec3d axis = TypeParam::dim == 3 ? Vec3d{1, -2, 3} : Vec3d{0, 0, 3};
            double speed = 0;
            for (std::size_t i = 0; i < blob.velocity.size(); ++i) {
                blob.velocity[i] = Vec3d{1, 2, 0} + cross(axis, blob.position[i].xyz());
                speed = std::max(speed, length(cross(axis, blob.position[i].xyz())));
            }
            const auto before = blob.velocity;
            blob.flow.rule.tolerance = 1e-12;
            blob.step();
            double off = 0;
            for (std::size_t i = 0; i < before.size(); ++i)
                off = std::max(off, length(blob.velocity[i].xyz() - before[i].xyz()));
            EXPECT_LT(off, 1e-7 * speed) << halves << smooth;
        }
    }
}

SymMat<double> random_conformation(int dim, std::mt19937& random) {
    // F Fᵀ of a rotation, three stretches, and another rotation; eigenvalues 0.05 to 20.
    std::uniform_real_distribution<double> angle(0, 6.28), exponent(std::log(0.05), std::log(20.0));
    const auto turn = [&](int a, int b) {
        Mat3<double> m = Mat3<double>::identity();
        const double t = angle(random);
        Vec3d* rows[] = {&m.x, &m.y, &m.z};
        (*rows[a])[a] = (*rows[b])[b] = std::cos(t);
        (*rows[a])[b] = -std::sin(t), (*rows[b])[a] = std::sin(t);
        return m;
    };
    Mat3<double> r = turn(0, 1);
    if (dim == 3) r = r * turn(1, 2) * turn(0, 2);
    const Mat3<double> d{{std::exp(exponent(random)), 0, 0},
                         {0, std::exp(exponent(random)), 0},
                         {0, 0, dim == 3 ? std::exp(exponent(random)) : 1}};
    return symmetric_part(r * d * r.transposed());
}

/// Random stresses and conformations, so soft that only the stress at the end of the step counts.
TYPED_TEST(CoupledFlowTest, StressHasNeitherForceNorTorque) {
    for (const bool smooth : {false, true}) {
        Blob<TypeParam> blob(8);
        std::mt19937 random(4);
        std::uniform_real_distribution<double> size(-1000, 1000);
        const bool flat = TypeParam::dim == 2;
        for (std::size_t i = 0; i < blob.mass.size(); ++i) {
            blob.conformation[i] = random_conformation(TypeParam::dim, random);
            blob.stress.push_back({size(random), size(random), flat ? 0 : size(random), size(random),
                                   flat ? 0 : size(random), flat ? 0 : size(random)});
        }
        blob.modulus.assign(blob.mass.size(), 40);
        if (smooth) blob.smooth = blob.viscosity;
        blob.flow.rule = {.tolerance = 1e-12, .max_iterations = 5000};
        blob.step();
        double linear = 0, angular = 0;
        for (std::size_t i = 0; i < blob.mass.size(); ++i) {
            linear += blob.mass[i] * length(blob.velocity[i].xyz());
            angular += blob.mass[i] * length(cross(blob.position[i].xyz(), blob.velocity[i].xyz()));
        }
        EXPECT_LT(length(blob.momentum()), 1e-9 * linear);
        EXPECT_LT(length(blob.angular_momentum()), 1e-7 * angular);
    }
}

/// With hardly any mass the system is purely elastic, and conjugate gradients stop if it is not definite.
TYPED_TEST(CoupledFlowTest, ElasticityIsDefiniteForAnyConformation) {
    for (const double modulus : {1.0, 1e4, 1e8}) {
        Blob<TypeParam> blob(6);
        std::mt19937 random(5);
        std::uniform_real_distribution<double> speed(-1, 1);
        for (std::size_t i = 0; i < blob.mass.size(); ++i) {
            blob.conformation[i] = random_conformation(TypeParam::dim, random);
            blob.velocity[i] = Vec3d{speed(random), speed(random), TypeParam::dim == 3 ? speed(random) : 0};
        }
        blob.modulus.assign(blob.mass.size(), modulus);
        blob.viscosity.assign(blob.mass.size(), 1e-9);
        blob.resistance.assign(blob.mass.size(), 0);
        blob.flow.rule = {.tolerance = 1e-6, .max_iterations = 20000};
        EXPECT_TRUE(blob.step().converged) << modulus;
    }
}

TYPED_TEST(CoupledFlowTest, MomentumStaysAndVolumeComesToRest) {
    for (const bool halves : {false, true}) {
        Blob<TypeParam> blob(8, 0.2, 1, halves);
        std::mt19937 random(2);
        std::uniform_real_distribution<double> speed(-1, 1);
        for (auto& v : blob.velocity) v = Vec3d{speed(random), speed(random), TypeParam::dim == 3 ? speed(random) : 0};
        blob.modulus.assign(blob.mass.size(), 300);
        blob.flow.rule.tolerance = 1e-9;
        const Vec3d before = blob.momentum();
        double size = 0;
        for (std::size_t i = 0; i < blob.mass.size(); ++i) size += blob.mass[i];
        EXPECT_TRUE(blob.step().converged);
        EXPECT_LT(length(blob.momentum() - before), 1e-7 * size);
        double divergence = 0;
        for (const auto& g : blob.flow.gradient()) divergence = std::max(divergence, std::abs(g.trace()));
        EXPECT_LT(divergence, 0.3 / blob.spacing);  // of velocities that differ by about 1 between neighbors
    }
}

/// The dissipation of a linear flow depends on volume and viscosity, not on the size of the particles.
TYPED_TEST(CoupledFlowTest, HalvedParticlesDissipateAsMuchAsWholeOnes) {
    for (const double along_x : {1.0, 0.0}) {
        const Mat3<double> l{{along_x, 1 - along_x, 0}, {0, -along_x, 0}, {0, 0, 0}};
        double lost[2];
        for (const bool halves : {false, true}) {
            Blob<TypeParam> blob(10, 0.1, 1, halves);
            blob.resistance.assign(blob.mass.size(), 0);
            for (std::size_t i = 0; i < blob.velocity.size(); ++i) blob.velocity[i] = l * blob.position[i].xyz();
            const auto before = blob.velocity;
            double work = 0, volume = 0;
            for (auto& m : blob.mass) m *= 1e6;  // so that the flow hardly changes
            blob.step();
            for (std::size_t i = 0; i < before.size(); ++i) {
                work -= blob.mass[i] * dot(before[i].xyz(), blob.velocity[i].xyz() - before[i].xyz());
                volume += blob.volume[i];
            }
            lost[halves] = work / (blob.dt * volume);
            // 2 η D:D; particles at the surface have fewer neighbors, which thread_viscosity makes up for.
            EXPECT_NEAR(lost[halves] / (5 * (along_x > 0 ? 4 : 1)), 1, 0.12) << halves << " " << along_x;
        }
        EXPECT_NEAR(lost[1] / lost[0], 1, 0.05) << along_x;
    }
}

TYPED_TEST(CoupledFlowTest, HalvedParticlesHaveTheDensityOfWholeOnes) {
    Blob<TypeParam> blob(12, 0.05, 1, true);
    std::size_t inside = 0;
    for (std::size_t i = 0; i < blob.mass.size(); ++i) {
        const Vec3d x = (1 / blob.spacing) * blob.position[i].xyz() + Vec3d{0.5, 0.5, 0.5};
        const double deep =
            std::min({x.x, 12 - x.x, x.y, 12 - x.y, TypeParam::dim == 3 ? std::min(x.z, 12 - x.z) : 6.0});
        if (deep < 3.2) continue;
        ++inside;
        const bool between = std::abs(x.y - 6) < 3;  // where the two lattices do not fit each other
        EXPECT_NEAR(blob.geometry.smooth_density()[i], 1, between ? 0.06 : 0.02) << x.y;
        EXPECT_NEAR(blob.geometry.density()[i], 1, between ? 0.12 : 0.05) << x.y;
        EXPECT_FALSE(blob.geometry.surface()[i]);
    }
    EXPECT_GT(inside, TypeParam::dim == 3 ? 150u : 30u);
}

/// Dashpots whose viscosity is all smooth: a linear flow continues as if there were none, and velocities that alternate
/// from particle to particle die out.
TYPED_TEST(CoupledFlowTest, SmoothDashpotsLeaveLinearFlowAlone) {
    const bool flat = TypeParam::dim == 2;
    const Mat3<double> l{{1, 3, 0}, {0.5, flat ? -1 : 1, 0}, {0, 0, flat ? 0 : -2}};
    for (const bool alternating : {false, true}) {
        Blob<TypeParam> blob(8);
        blob.smooth = blob.viscosity;
        blob.resistance.assign(blob.mass.size(), 0);
        blob.modulus.assign(blob.mass.size(), 1e-12);
        blob.flow.rule.tolerance = 1e-10;
        std::mt19937 random(3);
        std::uniform_real_distribution<double> speed(-1, 1);
        for (std::size_t i = 0; i < blob.velocity.size(); ++i) {
            blob.velocity[i] = l * blob.position[i].xyz();
            if (alternating) blob.velocity[i] = Vec3d{speed(random), speed(random), flat ? 0 : speed(random)};
        }
        const auto before = blob.velocity;
        const Vec3d momentum = blob.momentum();
        EXPECT_TRUE(blob.step().converged);
        EXPECT_LT(length(blob.momentum() - momentum), 1e-9);
        double most = 0, left = 0, first = 0;
        for (std::size_t i = 0; i < before.size(); ++i) {
            // Where neighbors are too few for a gradient, the flow around is unknown.
            const auto row = blob.geometry.close_rows().row(i);
            const bool near_edge = blob.geometry.fell_back()[i] || std::any_of(row.begin(), row.end(), [&](auto j) {
                                       return blob.geometry.fell_back()[j] != 0;
                                   });
            if (!near_edge) most = std::max(most, length(blob.velocity[i].xyz() - before[i].xyz()));
            left += dot(blob.velocity[i].xyz(), blob.velocity[i].xyz());
            first += dot(before[i].xyz(), before[i].xyz());
        }
        if (alternating) {
            EXPECT_LT(left, 0.5 * first);
        } else {
            EXPECT_LT(most, flat ? 1e-6 : 1e-3);
        }
    }
}

/// Fluid that is too dense expands.
TYPED_TEST(CoupledFlowTest, TheDivergenceThatIsWantedComesWithinSomeSteps) {
    Blob<TypeParam> blob(8, 0.05);
    blob.divergence.assign(blob.mass.size(), 2);
    for (int n = 0; n < 20; ++n) blob.step();  // pressure remembers
    double sum = 0;
    for (const auto& g : blob.flow.gradient()) sum += g.trace();
    EXPECT_NEAR(sum / static_cast<double>(blob.mass.size()), 2, 0.05);
}

/// The stress G (c - 1) that the flow builds up within a step t acts like a viscosity of G t.
TYPED_TEST(CoupledFlowTest, ElasticStressIsTakenAtTheEndOfTheStep) {
    Blob<TypeParam> stiff(8), soft(8);
    stiff.modulus.assign(stiff.mass.size(), 1e7);  // explicitly this would blow up at once
    std::mt19937 random(2);
    std::uniform_real_distribution<double> speed(-1, 1);
    for (std::size_t i = 0; i < stiff.velocity.size(); ++i) {
        stiff.velocity[i] = soft.velocity[i] =
            Vec3d{speed(random), speed(random), TypeParam::dim == 3 ? speed(random) : 0};
    }
    const auto energy = [](const auto& blob) {
        double sum = 0;
        for (std::size_t i = 0; i < blob.mass.size(); ++i)
            sum += blob.mass[i] * dot(blob.velocity[i].xyz(), blob.velocity[i].xyz());
        return sum;
    };
    const double before = energy(stiff);
    stiff.flow.rule.max_iterations = soft.flow.rule.max_iterations = 5000;
    stiff.step();
    soft.step();
    EXPECT_LT(energy(stiff), before);
    EXPECT_LT(energy(stiff), energy(soft));
}

/// A blob on a floor: with slip along it the first layer is rubbed by Coulomb's force, and by no more than stops it.
template <class S>
struct Sliding : Blob<S> {
    explicit Sliding(double friction) : Blob<S>(6, 0) {
        this->dt = 1e-4;
        this->bodies.resize(1);
        this->bodies[0].shape = Shape{.form = Plane{.normal = {0, 1, 0}, .offset = -0.5 * Blob<S>::spacing}};
        this->bodies[0].shape.dimension = S::dim;
        this->bodies[0].friction = friction;
        this->boundary.emplace(
            this->bodies,
            typename BoundaryParticles<S>::Settings{
                .spacing = Blob<S>::spacing, .support_radius = 3.1 * Blob<S>::spacing, .layers = 3, .lattice = true},
            this->parallel);
        this->boundary->update(this->position, this->bodies, this->parallel);
        this->geometry.update(this->view(), this->context(this->parallel));
        pressed.assign(this->size(), 100);
    }
    void slide(double speed) {
        for (auto& v : this->velocity) v = Vec3d{speed, 0, 0};
        this->flow.rule.tolerance = 1e-8;
        this->flow.apply(this->view(), this->context(this->parallel), this->geometry, this->terms(),
                         {.acceleration = this->acceleration,
                          .resistance = this->resistance,
                          .divergence = this->divergence,
                          .pressed = pressed},
                         this->pressure);
    }
    double first_layer() const { return this->mass[0] * (S::dim == 2 ? 6 : 36); }

    std::vector<double> pressed;
};

TYPED_TEST(CoupledFlowTest, FrictionIsCoulombs) {
    for (const double friction : {0.05, 0.3}) {
        for (const double modulus : {0.0, 1e4}) {
            Sliding<TypeParam> block(friction);
            block.modulus.assign(block.size(), modulus);
            block.slide(1);
            const double taken = block.mass[0] * static_cast<double>(block.size()) - block.momentum().x;
            const double most = friction * 100 * block.dt * block.first_layer();
            EXPECT_NEAR(taken, most, 0.02 * most) << friction << " " << modulus;
            EXPECT_NEAR(block.bodies[0].force.x * block.dt, taken, 1e-9);
        }
    }
}

TYPED_TEST(CoupledFlowTest, FrictionNeverPushes) {
    for (const double modulus : {0.0, 1e4}) {
        Sliding<TypeParam> block(5);
        block.dt = 0.01;
        block.modulus.assign(block.size(), modulus);
        block.slide(1e-3);
        EXPECT_LT(block.momentum().x, 1e-3 * block.mass[0] * static_cast<double>(block.size()));
        for (std::size_t i = 0; i < block.size(); ++i) EXPECT_GT(block.velocity[i].x, -1e-9);
        Sliding<TypeParam> at_rest(5);
        at_rest.modulus.assign(at_rest.size(), modulus);
        at_rest.slide(0);
        for (std::size_t i = 0; i < at_rest.size(); ++i) EXPECT_EQ(length(at_rest.velocity[i].xyz()), 0);
    }
}

/// A float in the middle of a blob, so light that fluid that took it for immovable would throw it.
template <class S>
struct WithFloat : Blob<S> {
    explicit WithFloat(double body_density) : Blob<S>(11, 0.1) {
        const Vec3d center{5 * Blob<S>::spacing, 5 * Blob<S>::spacing, S::dim == 3 ? 5 * Blob<S>::spacing : 0};
        const double radius = 2.5 * Blob<S>::spacing;
        Body body;
        body.shape = Shape{.form = Sphere{.center = {}, .radius = radius}};
        body.shape.dimension = S::dim;
        body.pose.position = center;
        body.friction = std::numeric_limits<double>::infinity();
        const double r2 = radius * radius;
        body.mass = body_density * std::numbers::pi * r2 * (S::dim == 3 ? 4 * radius / 3 : 1);
        body.inertia = body.mass * r2 * (S::dim == 3 ? 0.4 : 0.5) * Vec3d{1, 1, 1};
        this->bodies.push_back(body);
        for (std::size_t i = this->size(); i-- > 0;) {
            if (length(this->position[i].xyz() - center) >= radius + 0.3 * Blob<S>::spacing) continue;
            const auto at = static_cast<std::ptrdiff_t>(i);
            this->position.erase(this->position.begin() + at);
            this->velocity.pop_back(), this->mass.pop_back(), this->volume.pop_back(), this->density.pop_back();
            this->material.pop_back(), this->fluid.pop_back(), this->id.pop_back();
            for (auto* column : {&this->viscosity, &this->resistance, &this->divergence, &this->modulus,
                                 &this->strain_time, &this->pressure})
                column->pop_back();
            this->conformation.pop_back(), this->acceleration.pop_back();
        }
        this->boundary.emplace(
            this->bodies,
            typename BoundaryParticles<S>::Settings{
                .spacing = Blob<S>::spacing, .support_radius = 3.1 * Blob<S>::spacing, .layers = 3, .lattice = true},
            this->parallel);
        this->boundary->update(this->position, this->bodies, this->parallel);
        this->neighbors.update(this->position, 3.1 * Blob<S>::spacing, this->parallel, no_period);
        this->geometry.update(this->view(), this->context(this->parallel));
        this->flow.rule.tolerance = 1e-10;
    }
    /// As the simulation moves it.
    Vec3d velocity_at_end() const {
        const Body& body = this->bodies[0];
        return body.velocity + body.speed_up(this->dt * body.force);
    }
    Vec3d spin_at_end() const {
        const Body& body = this->bodies[0];
        return body.angular_velocity + body.spin_up(this->dt * body.torque);
    }
};

TYPED_TEST(CoupledFlowTest, LightBodiesMoveWithTheFluid) {
    for (const double density : {0.1, 50.0, 8000.0}) {
        for (const double modulus : {0.0, 1e4}) {
            WithFloat<TypeParam> blob(density);
            blob.modulus.assign(blob.size(), modulus);
            for (auto& v : blob.velocity) v = Vec3d{0, 1, 0};
            const Vec3d before = blob.momentum();
            blob.step();
            const Vec3d speed = blob.velocity_at_end();
            EXPECT_GT(speed.y, 0) << density;
            EXPECT_LT(speed.y, 1.1) << density;
            const Vec3d after = blob.momentum() + blob.bodies[0].mass * speed;
            EXPECT_LT(length(after - before), 1e-6 * length(before)) << density << " " << modulus;
        }
    }
}

TYPED_TEST(CoupledFlowTest, FluidAndBodyMoveAsOneRigidBody) {
    for (const double modulus : {0.0, 1e4}) {
        WithFloat<TypeParam> blob(50);
        blob.modulus.assign(blob.size(), modulus);
        Body& body = blob.bodies[0];
        body.velocity = {0.2, -1, 0};
        body.angular_velocity = TypeParam::dim == 3 ? Vec3d{1, -2, 3} : Vec3d{0, 0, 3};
        for (std::size_t i = 0; i < blob.size(); ++i) blob.velocity[i] = body.velocity_at(blob.position[i].xyz());
        const auto before = blob.velocity;
        blob.step();
        for (std::size_t i = 0; i < before.size(); ++i)
            EXPECT_LT(length(blob.velocity[i].xyz() - before[i].xyz()), 1e-7);
        EXPECT_LT(length(blob.velocity_at_end() - body.velocity), 1e-7);
        EXPECT_LT(length(blob.spin_at_end() - body.angular_velocity), 1e-5);
    }
}

}  // namespace
}  // namespace treacle
