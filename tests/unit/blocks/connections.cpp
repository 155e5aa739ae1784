#include "blocks/elastic/connection_control.h"
#include "blocks/elastic/solid_connections.h"
#include "blocks/elastic/velocity_correction.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "math/reproducible.h"

namespace treacle {
namespace {

constexpr double s = 0.05;
constexpr double h = 2.01 * s;

/// A jittered lattice with connections, in two fluids side by side.
template <class S>
struct Jelly {
    using Real = typename S::Real;
    using Row = typename S::Row;

    explicit Jelly(int side = S::dim == 2 ? 10 : 5, bool two_fluids = false)
        : connections(sizeof(Real) == 4 ? ScalarType::f32 : ScalarType::f64),
          anchors(sizeof(Real) == 4 ? ScalarType::f32 : ScalarType::f64, ConnectionGraph::Ends::bodies) {
        std::mt19937 random(7);
        const auto any = [&] { return 2 * (random() / 4294967295.0) - 1; };
        for (int z = 0; z < (S::dim == 3 ? side : 1); ++z) {
            for (int y = 0; y < side; ++y) {
                for (int x = 0; x < side; ++x) {
                    const Vec3d place{x + 0.2 * any(), y + 0.2 * any(), S::dim == 3 ? z + 0.2 * any() : 0};
                    position.push_back(cast<Real>(s * place));
                    velocity.push_back(cast<Real>(Vec3d{any(), any(), S::dim == 3 ? any() : 0}));
                    const double share = 1 + 0.5 * any();
                    volume.push_back(static_cast<Real>(share * cell_volume(S::dim, s)));
                    mass.push_back(1000 * volume.back());
                    material.push_back(0);
                    fluid.push_back(two_fluids && x >= side / 2 ? 1 : 0);
                }
            }
        }
        coefficient.assign(position.size(), Real(0.01));
        connections.template add_value<Real>("strength", "1");
        connections.resize(position.size());
        anchors.resize(position.size());
        control.materials = {
            {.first_connect_distance = Real(h), .connect_distance = Real(h), .break_distance = Real(2 * h)}};
        correction.materials = {{.shear_modulus = 1000, .full_square = Real(s * s)}};
    }
    void connect(const Births& births) {
        neighbors.update(position, h, parallel, no_period);
        control.update(connections, neighbors, {position, material, fluid}, births, parallel);
        const auto strength = connections.template values<Real>("strength");
        std::fill(strength.begin(), strength.end(), Real(1));
    }
    void stretch(double share) {
        for (Row& x : position) x = Row({x.x * static_cast<Real>(1 + share), x.y, x.z});
    }
    typename VelocityCorrection<S>::Fluid view() const { return {position, mass, volume, material, fluid}; }
    Vec3d momentum() const {
        Vec3d sum{};
        for (std::size_t i = 0; i < position.size(); ++i)
            sum += static_cast<double>(mass[i]) * cast<double>(velocity[i].xyz());
        return sum;
    }
    Vec3d moment() const {
        Vec3d sum{};
        for (std::size_t i = 0; i < position.size(); ++i) {
            sum +=
                static_cast<double>(mass[i]) * cross(cast<double>(position[i].xyz()), cast<double>(velocity[i].xyz()));
        }
        return sum;
    }
    double size() const {
        double sum = 0;
        for (std::size_t i = 0; i < position.size(); ++i)
            sum += static_cast<double>(mass[i]) * length(cast<double>(velocity[i].xyz()));
        return sum;
    }

    Parallel parallel{1};
    std::vector<Row> position, velocity;
    std::vector<Real> mass, volume, coefficient;
    std::vector<std::uint8_t> material;
    std::vector<std::uint32_t> fluid;
    ConnectionGraph connections, anchors;
    Neighbors<S> neighbors;
    ConnectionControl<S> control;
    VelocityCorrection<S> correction;
};

template <class S>
class ConnectionsTest : public testing::Test {};
using Spaces = testing::Types<Space2f, Space3f, Space2d, Space3d>;
TYPED_TEST_SUITE(ConnectionsTest, Spaces);

TYPED_TEST(ConnectionsTest, are_made_at_the_start_within_a_fluid_only) {
    Jelly<TypeParam> jelly(6, true);
    jelly.connect(Births::all());
    EXPECT_GT(jelly.connections.connection_count(), 50u);
    for (std::size_t i = 0; i < jelly.position.size(); ++i) {
        for (const std::uint32_t j : jelly.connections.rows().row(i)) {
            EXPECT_EQ(jelly.fluid[i], jelly.fluid[j]);
            EXPECT_LT(length(jelly.position[i].xyz() - jelly.position[j].xyz()), h);
            const auto back = jelly.connections.rows().row(j);
            EXPECT_NE(std::find(back.begin(), back.end(), i), back.end());
        }
    }
    const std::size_t within = jelly.connections.connection_count();
    jelly.connect(Births::none());  // later the two fluids meet
    EXPECT_GT(jelly.connections.connection_count(), within);
}

TYPED_TEST(ConnectionsTest, are_refused_within_a_fluid_that_does_not_want_them) {
    Jelly<TypeParam> jelly;
    jelly.control.materials[0].connects_within = false;
    jelly.connect(Births::none());
    EXPECT_EQ(jelly.connections.connection_count(), 0u);
}

TYPED_TEST(ConnectionsTest, break_by_distance_and_by_stretch) {
    using Real = typename TypeParam::Real;
    Jelly<TypeParam> far, stretched;
    for (Jelly<TypeParam>* jelly : {&far, &stretched}) {
        jelly->connect(Births::all());
        jelly->control.materials[0].connects_within = false;
    }
    const std::size_t before = far.connections.connection_count();
    far.stretch(0.5);
    far.connect(Births::none());
    EXPECT_EQ(far.connections.connection_count(), before);  // none is longer than 2 h
    far.stretch(1.0);
    far.connect(Births::none());
    EXPECT_LT(far.connections.connection_count(), before);
    EXPECT_GT(far.connections.connection_count(), before / 10);  // those across the stretch hold
    stretched.control.materials[0].break_stretch = Real(1.2);
    stretched.stretch(0.5);
    stretched.connect(Births::none());
    EXPECT_LT(stretched.connections.connection_count(), before);
    EXPECT_GT(stretched.connections.connection_count(), before / 10);
}

TYPED_TEST(ConnectionsTest, correct_velocities_by_equation_6) {
    using S = TypeParam;
    using Real = typename S::Real;
    Jelly<S> jelly;
    jelly.connect(Births::all());
    jelly.stretch(0.1);
    jelly.correction.as_in_paper = true;
    for (std::size_t i = 0; i < jelly.coefficient.size(); ++i)
        jelly.coefficient[i] = Real(0.01) * static_cast<Real>(1 + i % 3);
    const auto before = jelly.velocity;
    const double dt = 2e-3;
    jelly.correction.correct(jelly.connections, jelly.view(), jelly.coefficient, static_cast<Real>(dt), jelly.parallel,
                             jelly.velocity);
    const auto rest = jelly.connections.template values<Real>("rest_length");
    for (std::size_t i = 0; i < jelly.position.size(); ++i) {
        Vec3d wanted{};
        const auto row = jelly.connections.rows().row(i);
        for (std::size_t n = 0; n < row.size(); ++n) {
            const std::size_t j = row[n];
            const Vec3d r = cast<double>(jelly.position[i].xyz()) - cast<double>(jelly.position[j].xyz());
            const double d = std::max(0.0, length(r) - static_cast<double>(rest[jelly.connections.begin(i) + n]));
            const double c = 0.5 * static_cast<double>(jelly.coefficient[i] + jelly.coefficient[j]);
            const double share = static_cast<double>(jelly.mass[j] / (jelly.mass[i] + jelly.mass[j]));
            wanted -= (c * share * d / dt / length(r)) * r;
        }
        EXPECT_LT(length(cast<double>(jelly.velocity[i].xyz()) - cast<double>(before[i].xyz()) - wanted), 1e-4) << i;
    }
}

TYPED_TEST(ConnectionsTest, keep_momentum_explicitly_and_implicitly) {
    using S = TypeParam;
    using Real = typename S::Real;
    for (const bool paper : {false, true}) {
        for (const bool implicit : {false, true}) {
            Jelly<S> jelly;
            jelly.connect(Births::all());
            jelly.stretch(0.1);
            jelly.correction.as_in_paper = paper;
            if (!paper) jelly.correction.measure(jelly.connections, jelly.view(), jelly.parallel);
            const Vec3d momentum = jelly.momentum(), moment = jelly.moment();
            const double size = jelly.size();
            const auto before = jelly.velocity;
            if (implicit)
                jelly.correction.correct_implicitly(jelly.connections, jelly.view(), jelly.coefficient, Real(0.01), {},
                                                    jelly.parallel, jelly.velocity);
            else
                jelly.correction.correct(jelly.connections, jelly.view(), jelly.coefficient, Real(0.002),
                                         jelly.parallel, jelly.velocity);
            const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;
            EXPECT_LT(length(jelly.momentum() - momentum), exact * size);
            EXPECT_LT(length(jelly.moment() - moment), exact * size);
            EXPECT_FALSE(before.front().xyz() == jelly.velocity.front().xyz());
        }
    }
}

TYPED_TEST(ConnectionsTest, are_the_same_implicitly_and_explicitly_in_short_steps) {
    using S = TypeParam;
    using Real = typename S::Real;
    Jelly<S> now, then;
    for (Jelly<S>* jelly : {&now, &then}) {
        jelly->connect(Births::all());
        jelly->stretch(0.1);
        std::fill(jelly->velocity.begin(), jelly->velocity.end(), typename S::Row{});
        jelly->correction.measure(jelly->connections, jelly->view(), jelly->parallel);
    }
    const Real dt(2e-4);
    now.correction.correct(now.connections, now.view(), now.coefficient, dt, now.parallel, now.velocity);
    then.correction.correct_implicitly(then.connections, then.view(), then.coefficient, dt, {}, then.parallel,
                                       then.velocity);
    double change = 0, difference = 0;
    for (std::size_t i = 0; i < now.velocity.size(); ++i) {
        change = std::max(change, static_cast<double>(length(now.velocity[i].xyz())));
        difference = std::max(difference, static_cast<double>(length(now.velocity[i].xyz() - then.velocity[i].xyz())));
    }
    EXPECT_GT(change, 0);
    EXPECT_LT(difference, 0.01 * change);
}

TYPED_TEST(ConnectionsTest, stay_bounded_implicitly_at_any_stiffness) {
    using S = TypeParam;
    using Real = typename S::Real;
    Jelly<S> jelly;
    jelly.connect(Births::all());
    jelly.stretch(0.1);
    jelly.correction.materials[0].shear_modulus = Real(1e9);
    jelly.correction.measure(jelly.connections, jelly.view(), jelly.parallel);
    const Real dt(0.01);
    jelly.correction.correct_implicitly(jelly.connections, jelly.view(), jelly.coefficient, dt, {}, jelly.parallel,
                                        jelly.velocity);
    for (const auto& v : jelly.velocity) {  // about enough to take the stretch back within the step
        EXPECT_LT(length(v.xyz()), 3 * 0.1 * 10 * s / static_cast<double>(dt));
    }
}

TYPED_TEST(ConnectionsTest, push_less_and_less_when_pressed_to_nothing) {
    using S = TypeParam;
    using Real = typename S::Real;
    const auto push = [](double size) {
        Jelly<S> jelly;
        jelly.connect(Births::all());
        for (auto& x : jelly.position) x = static_cast<Real>(size) * x.xyz();
        std::fill(jelly.velocity.begin(), jelly.velocity.end(), typename S::Row{});
        jelly.correction.measure(jelly.connections, jelly.view(), jelly.parallel);
        jelly.correction.correct(jelly.connections, jelly.view(), jelly.coefficient, Real(1e-3), jelly.parallel,
                                 jelly.velocity);
        return jelly.size();
    };
    EXPECT_LT(push(0.01), 0.05 * push(0.5));
}

/// A free chain, swinging lengthwise in its slowest mode: ω = 2 √(k/m) sin(π/2n).
template <class S>
struct Chain {
    using Real = typename S::Real;

    Chain(int n, double stiffness, double damping) {
        std::vector<double> mode(static_cast<std::size_t>(n));
        for (int i = 0; i < n; ++i) mode[static_cast<std::size_t>(i)] = std::cos(reproducible::pi * (i + 0.5) / n);
        connections.template add_value<Real>("strength", "1");
        connections.resize(static_cast<std::size_t>(n));
        connections.rewrite(parallel, [&](std::size_t i, ConnectionGraph::RowDraft& row) {
            if (i > 0) row.add(static_cast<std::uint32_t>(i - 1), s);
            if (i + 1 < static_cast<std::size_t>(n)) row.add(static_cast<std::uint32_t>(i + 1), s);
        });
        for (int i = 0; i < n; ++i) {
            position.push_back(cast<Real>(Vec3d{i * s + 0.02 * s * mode[static_cast<std::size_t>(i)], 0, 0}));
        }
        velocity.resize(position.size());
        mass.assign(position.size(), Real(2));
        volume.assign(position.size(), Real(0.002));
        material.resize(position.size());
        fluid.resize(position.size());
        correction.springs = true;
        correction.materials = {
            {.spring_stiffness = static_cast<Real>(stiffness), .spring_damping = static_cast<Real>(damping)}};
    }
    double stretch() const { return static_cast<double>(position[1].x - position[0].x) - s; }
    void step(double dt) {
        const Real step = static_cast<Real>(dt);
        const typename VelocityCorrection<S>::Fluid view{position, mass, volume, material, fluid};
        if (correction.damped()) correction.correct_implicitly(connections, view, {}, step, {}, parallel, velocity);
        else correction.correct(connections, view, {}, step, parallel, velocity);
        for (std::size_t i = 0; i < position.size(); ++i) position[i] = position[i].xyz() + step * velocity[i].xyz();
    }

    Parallel parallel{1};
    std::vector<typename S::Row> position, velocity;
    std::vector<Real> mass, volume;
    std::vector<std::uint8_t> material;
    std::vector<std::uint32_t> fluid;
    ConnectionGraph connections{sizeof(Real) == 4 ? ScalarType::f32 : ScalarType::f64};
    VelocityCorrection<S> correction;
};

TYPED_TEST(ConnectionsTest, as_springs_swing_with_the_period_of_a_chain) {
    const double stiffness = 50, mass = 2;
    for (const int n : {2, 5}) {
        const double frequency = 2 * std::sqrt(stiffness / mass) * std::sin(reproducible::pi / (2 * n));
        for (const int steps : {100, 400}) {  // a period
            Chain<TypeParam> chain(n, stiffness, 0);
            const double dt = 2 * reproducible::pi / frequency / steps, before = chain.stretch();
            EXPECT_LT(before, 0);  // pressed together: springs push as well
            for (int step = 0; step < steps; ++step) chain.step(dt);
            EXPECT_NEAR(chain.stretch() / before, 1, 0.02) << n << " " << steps;
            for (int step = 0; step < steps / 2; ++step) chain.step(dt);
            EXPECT_NEAR(chain.stretch() / before, -1, 0.02) << n << " " << steps;
        }
    }
}

TYPED_TEST(ConnectionsTest, as_springs_are_damped_as_they_should) {
    // Two of mass m: amplitudes fall by exp(-d t/m), to first order in dt.
    const double stiffness = 50, mass = 2, damping = 1.5;
    const double frequency = std::sqrt(2 * stiffness / mass - damping * damping / (mass * mass));
    double error[2];
    for (int fine = 0; fine < 2; ++fine) {
        const int steps = fine ? 8000 : 4000;
        Chain<TypeParam> chain(2, stiffness, damping);
        const double period = 2 * reproducible::pi / frequency, before = chain.stretch();
        for (int step = 0; step < steps; ++step) chain.step(period / steps);
        // Starting at rest, there is no phase error after whole periods: cos and its damped part.
        error[fine] = chain.stretch() / before / std::exp(-damping * period / mass) - 1;
    }
    EXPECT_NEAR(error[1], 0, 0.01);
    if (sizeof(typename TypeParam::Real) == 8) { EXPECT_NEAR(error[0] / error[1], 2, 0.1); }
}

TYPED_TEST(ConnectionsTest, of_newcomers_can_be_kept_among_themselves) {
    Jelly<TypeParam> jelly;
    jelly.control.newcomers_among_themselves = true;
    jelly.control.materials[0].connects_within = false;
    const std::size_t first_new = jelly.position.size() / 2;
    std::vector<std::uint8_t> born(jelly.position.size());
    std::fill(born.begin() + static_cast<std::ptrdiff_t>(first_new), born.end(), std::uint8_t{1});
    jelly.connect(Births(born));
    EXPECT_GT(jelly.connections.connection_count(), 0u);
    for (std::size_t i = 0; i < jelly.position.size(); ++i) {
        for (const std::uint32_t j : jelly.connections.rows().row(i)) EXPECT_TRUE(i >= first_new && j >= first_new);
    }
}

TYPED_TEST(ConnectionsTest, relax_as_fast_as_they_should_and_not_below_the_yield) {
    using S = TypeParam;
    using Real = typename S::Real;
    Jelly<S> jelly;
    jelly.connect(Births::all());
    const auto rest = [&] { return jelly.connections.template values<Real>("rest_length"); };
    const std::vector<Real> before(rest().begin(), rest().end());
    jelly.correction.materials[0].relaxation_rate = 2;  // 1/s
    jelly.correction.materials[0].yield_strain = Real(0.05);
    jelly.stretch(0.2);
    for (int n = 0; n < 100; ++n)
        jelly.correction.relax(jelly.connections, jelly.view(), Real(0.005), jelly.parallel, jelly.coefficient);
    const double left = std::exp(-1.0);  // after 0.5 s
    for (std::size_t i = 0; i < jelly.position.size(); ++i) {
        const auto row = jelly.connections.rows().row(i);
        for (std::size_t n = 0; n < row.size(); ++n) {
            const std::size_t slot = jelly.connections.begin(i) + n;
            const double length_now =
                static_cast<double>(length(jelly.position[i].xyz() - jelly.position[row[n]].xyz()));
            const double yielded = length_now / 1.05, start = static_cast<double>(before[slot]);
            const double wanted = yielded > start ? yielded - left * (yielded - start) : start;
            EXPECT_NEAR(static_cast<double>(rest()[slot]), wanted, 2e-4 * s);
        }
    }
}

TYPED_TEST(ConnectionsTest, decay_by_equation_7_down_to_the_lowest) {
    using S = TypeParam;
    using Real = typename S::Real;
    Jelly<S> jelly;
    jelly.connect(Births::all());
    jelly.stretch(0.3);
    jelly.correction.as_in_paper = true;
    jelly.correction.materials[0] = {
        .lowest_coefficient = Real(0.004), .decay = Real(0.1), .yield_distance = Real(0.2 * h)};
    const auto before = jelly.coefficient;
    jelly.correction.relax(jelly.connections, jelly.view(), Real(0.001), jelly.parallel, jelly.coefficient);
    const auto rest = jelly.connections.template values<Real>("rest_length");
    int decayed = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const auto row = jelly.connections.rows().row(i);
        int stretched = 0;
        for (std::size_t n = 0; n < row.size(); ++n) {
            stretched +=
                length(jelly.position[i].xyz() - jelly.position[row[n]].xyz()) - rest[jelly.connections.begin(i) + n] >
                Real(0.2 * h);
        }
        EXPECT_NEAR(static_cast<double>(jelly.coefficient[i]), std::max(0.004, 0.01 - 1e-4 * stretched), 1e-8);
        decayed += stretched > 0;
    }
    EXPECT_GT(decayed, 5);
    for (int n = 0; n < 1000; ++n)
        jelly.correction.relax(jelly.connections, jelly.view(), Real(0.001), jelly.parallel, jelly.coefficient);
    EXPECT_FLOAT_EQ(static_cast<float>(*std::min_element(jelly.coefficient.begin(), jelly.coefficient.end())), 0.004f);
}

/// Fluid above a plate, whose particles hang on it.
template <class S>
Body plate(double mass) {
    Body body;
    body.shape = {Box{{0, 0, 0}, {12 * s, 2 * s, S::dim == 3 ? 12 * s : 0}}};
    body.shape.dimension = S::dim;
    body.pose.position = {4 * s, -1.5 * s, S::dim == 3 ? 2 * s : 0};
    body.adhesion = 1;
    body.mass = mass;
    body.inertia = mass * s * s * Vec3d{12, 24, 12};
    return body;
}

TYPED_TEST(ConnectionsTest, to_solids_pull_both_with_equal_force) {
    using S = TypeParam;
    using Real = typename S::Real;
    for (const bool implicit : {false, true}) {
        for (const double mass : {0.0, 5.0}) {
            Jelly<S> jelly;
            jelly.connect(Births::all());
            Bodies bodies{plate<S>(mass)};
            BoundaryParticles<S> boundary(bodies, {.spacing = s, .support_radius = h}, jelly.parallel);
            boundary.update(jelly.position, bodies, jelly.parallel);
            jelly.correction.measure(jelly.connections, jelly.view(), jelly.parallel);
            SolidConnections<S> adhesion;
            adhesion.materials = {{.connect_distance = Real(h), .break_distance = Real(2 * h)}};
            const typename SolidConnections<S>::Fluid fluid{jelly.position, jelly.mass, jelly.material,
                                                            jelly.correction.stiffness()};
            adhesion.update(jelly.anchors, boundary, bodies, fluid, jelly.parallel);
            ASSERT_GT(jelly.anchors.connection_count(), 10u);
            const std::size_t anchored = jelly.anchors.connection_count();
            adhesion.update(jelly.anchors, boundary, bodies, fluid, jelly.parallel);  // each sample once
            EXPECT_EQ(jelly.anchors.connection_count(), anchored);

            bodies[0].pose.position.y -= 0.3 * s;  // pulled away: fluid must follow
            std::fill(jelly.velocity.begin(), jelly.velocity.end(), typename S::Row{});
            const Real dt(1e-3);
            if (implicit) {
                HeldRows<Real> held;
                adhesion.hold(jelly.anchors, fluid, jelly.coefficient, dt, jelly.parallel, bodies, jelly.velocity,
                              held);
                jelly.correction.correct_implicitly(jelly.connections, jelly.view(), jelly.coefficient, dt, held,
                                                    jelly.parallel, jelly.velocity);
                adhesion.react(jelly.anchors, fluid, jelly.coefficient, dt, jelly.parallel, jelly.velocity, bodies);
            } else {
                adhesion.correct(jelly.anchors, fluid, jelly.coefficient, dt, jelly.parallel, bodies, jelly.velocity);
            }
            const Vec3d given = static_cast<double>(dt) * bodies[0].force;
            EXPECT_LT(jelly.momentum().y, 0);
            EXPECT_GT(given.y, 0);
            // The implicit form is exact to its tolerance.
            EXPECT_LT(length(jelly.momentum() + given), (implicit ? 2e-3 : 1e-5) * length(given));

            bodies[0].pose.position.y -= 2.5 * h;
            adhesion.update(jelly.anchors, boundary, bodies, fluid, jelly.parallel);
            EXPECT_LT(jelly.anchors.connection_count(), anchored / 10);  // torn; the samples are still the same
        }
    }
}

}  // namespace
}  // namespace treacle
