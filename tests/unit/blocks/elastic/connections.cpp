#include "blocks/elastic/connection_control.h"
#include "blocks/elastic/solid_connections.h"
#include "blocks/elastic/velocity_correction.h"
#include "blocks/motion.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "math/reproducible.h"
#include "support/particle_cloud.h"
#include "support/spaces.h"

namespace treacle {
namespace {

constexpr double s = 0.05;
constexpr double h = 2.01 * s;

/// A jittered lattice with connections, in two fluids side by side.
template <class S>
struct Jelly : ParticleCloud<S> {
    using Cloud = ParticleCloud<S>;
    using Cloud::fluid, Cloud::mass, Cloud::position, Cloud::velocity, Cloud::volume;
    using typename Cloud::Real;
    using typename Cloud::Row;

    explicit Jelly(int side = S::dim == 2 ? 10 : 5, bool two_fluids = false)
        : connections(sizeof(Real) == 4 ? ScalarType::f32 : ScalarType::f64),
          anchors(sizeof(Real) == 4 ? ScalarType::f32 : ScalarType::f64, ConnectionGraph::Ends::bodies) {
        std::mt19937 random(7);
        const auto any = [&] { return 2 * (random() / 4294967295.0) - 1; };
        for (int z = 0; z < (S::dim == 3 ? side : 1); ++z) {
            for (int y = 0; y < side; ++y) {
                for (int x = 0; x < side; ++x) {
                    const Vec3d place{x + 0.2 * any(), y + 0.2 * any(), S::dim == 3 ? z + 0.2 * any() : 0};
                    this->add(s * place, Vec3d{any(), any(), S::dim == 3 ? any() : 0}, s);
                    const double share = 1 + 0.5 * any();
                    volume.back() = static_cast<Real>(share * cell_volume(S::dim, s));
                    mass.back() = 1000 * volume.back();
                    fluid.back() = two_fluids && x >= side / 2 ? 1 : 0;
                }
            }
        }
        coefficient.assign(this->size(), Real(0.01));
        connections.template add_value<Real>("strength", "1");
        connections.resize(this->size());
        anchors.resize(this->size());
        control.materials = {
            {.first_connect_distance = Real(h), .connect_distance = Real(h), .break_distance = Real(2 * h)}};
        correction.materials = {{.shear_modulus = 1000, .full_square = Real(s * s)}};
    }
    void connect_all() { connect_births(Births::all()); }
    void connect_births(const Births& births) {
        this->neighbors.update(position, h, parallel, no_period);
        control.connect_births(this->view(), context(), links(), births);
    }
    /// Connections of what has met since, at full strength.
    void connect() {
        this->neighbors.update(position, h, parallel, no_period);
        control.update(this->view(), context(), links());
        const auto strength = connections.template values<Real>("strength");
        std::fill(strength.begin(), strength.end(), Real(1));
    }
    void stretch(double share) {
        for (Row& x : position) x = Row({x.x * static_cast<Real>(1 + share), x.y, x.z});
    }
    ElasticLinks<S> links() { return {connections, anchors, coefficient}; }
    BlockContext<S> context() { return Cloud::context(parallel); }
    void measure_stiffness() { correction.measure_stiffness(this->view(), context(), links()); }
    void correct() { correction.correct(this->view(), context(), links()); }
    void correct_implicitly(const HeldRows<Real>& held = {}) {
        correction.correct_implicitly(this->view(), context(), links(), held);
    }
    void relax() { correction.relax(this->view(), context(), links()); }
    /// Σ m |v|
    double motion() const {
        double sum = 0;
        for (std::size_t i = 0; i < this->size(); ++i)
            sum += static_cast<double>(mass[i]) * length(cast<double>(velocity[i].xyz()));
        return sum;
    }

    Parallel parallel{1};
    std::vector<Real> coefficient;
    ConnectionGraph connections, anchors;
    ConnectionControl<S> control;
    VelocityCorrection<S> correction;
};

template <class S>
class ConnectionsTest : public testing::Test {};
TYPED_TEST_SUITE(ConnectionsTest, test::AllSpaces);

TYPED_TEST(ConnectionsTest, are_made_at_the_start_within_a_fluid_only) {
    Jelly<TypeParam> jelly(6, true);
    jelly.connect_all();
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
    jelly.connect();  // later the two fluids meet
    EXPECT_GT(jelly.connections.connection_count(), within);
}

TYPED_TEST(ConnectionsTest, are_refused_within_a_fluid_that_does_not_want_them) {
    Jelly<TypeParam> jelly;
    jelly.control.materials[0].connects_within = false;
    jelly.connect();
    EXPECT_EQ(jelly.connections.connection_count(), 0u);
}

TYPED_TEST(ConnectionsTest, break_by_distance_and_by_stretch) {
    using Real = typename TypeParam::Real;
    Jelly<TypeParam> far, stretched;
    for (Jelly<TypeParam>* jelly : {&far, &stretched}) {
        jelly->connect_all();
        jelly->control.materials[0].connects_within = false;
    }
    const std::size_t before = far.connections.connection_count();
    far.stretch(0.5);
    far.connect();
    EXPECT_EQ(far.connections.connection_count(), before);  // none is longer than 2 h
    far.stretch(1.0);
    far.connect();
    EXPECT_LT(far.connections.connection_count(), before);
    EXPECT_GT(far.connections.connection_count(), before / 10);  // those across the stretch hold
    stretched.control.materials[0].break_stretch = Real(1.2);
    stretched.stretch(0.5);
    stretched.connect();
    EXPECT_LT(stretched.connections.connection_count(), before);
    EXPECT_GT(stretched.connections.connection_count(), before / 10);
}

TYPED_TEST(ConnectionsTest, correct_velocities_by_equation_6) {
    using S = TypeParam;
    using Real = typename S::Real;
    Jelly<S> jelly;
    jelly.connect_all();
    jelly.stretch(0.1);
    jelly.correction.as_in_paper = true;
    for (std::size_t i = 0; i < jelly.coefficient.size(); ++i)
        jelly.coefficient[i] = Real(0.01) * static_cast<Real>(1 + i % 3);
    const auto before = jelly.velocity;
    const double dt = jelly.dt = 2e-3;
    jelly.correct();
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

/// A particle with n connections rattles from c n = 3 on.
TYPED_TEST(ConnectionsTest, are_stepped_implicitly_where_explicit_steps_would_overshoot) {
    using Real = typename TypeParam::Real;
    using Steps = typename VelocityCorrection<TypeParam>::Steps;
    Jelly<TypeParam> jelly;
    jelly.connect_all();
    const auto implicit = [&] {
        return jelly.correction.needs_implicit_steps(jelly.view(), jelly.context(), jelly.links());
    };
    jelly.correction.explicit_step = 1e-3;
    jelly.dt = 0.9e-3;
    EXPECT_FALSE(implicit());
    jelly.dt = 1.1e-3;
    EXPECT_TRUE(implicit());

    jelly.correction.as_in_paper = true;  // c knows of no step
    std::size_t most = 0;
    for (std::size_t i = 0; i < jelly.size(); ++i) most = std::max<std::size_t>(most, jelly.connections.count(i));
    std::fill(jelly.coefficient.begin(), jelly.coefficient.end(), Real(2.9) / static_cast<Real>(most));
    EXPECT_FALSE(implicit());
    std::fill(jelly.coefficient.begin(), jelly.coefficient.end(), Real(3.1) / static_cast<Real>(most));
    EXPECT_TRUE(implicit());
    jelly.correction.steps = Steps::explicit_steps;
    EXPECT_FALSE(implicit());
    jelly.correction.springs = true;
    jelly.correction.materials[0].spring_damping = 1;
    EXPECT_TRUE(implicit());  // damping is that of the end of the step
}

TYPED_TEST(ConnectionsTest, have_full_strength_from_birth_and_none_when_they_are_made_later) {
    using Real = typename TypeParam::Real;
    Jelly<TypeParam> jelly(6, true);
    jelly.connect_all();
    const auto strengths = [&] { return jelly.connections.template values<Real>("strength"); };
    const auto strength_of = [&](std::size_t i, std::size_t n) { return strengths()[jelly.connections.begin(i) + n]; };
    jelly.control.update(jelly.view(), jelly.context(), jelly.links());  // two fluids meet
    std::size_t within = 0, between = 0;
    for (std::size_t i = 0; i < jelly.size(); ++i) {
        const auto row = jelly.connections.rows().row(i);
        for (std::size_t n = 0; n < row.size(); ++n) {
            const bool same = jelly.fluid[i] == jelly.fluid[row[n]];
            EXPECT_EQ(strength_of(i, n), same ? Real(1) : Real(0));
            ++(same ? within : between);
        }
    }
    EXPECT_GT(within, 50u);
    EXPECT_GT(between, 5u);
}

TYPED_TEST(ConnectionsTest, keep_momentum_explicitly_and_implicitly) {
    using S = TypeParam;
    using Real = typename S::Real;
    for (const bool paper : {false, true}) {
        for (const bool implicit : {false, true}) {
            Jelly<S> jelly;
            jelly.connect_all();
            jelly.stretch(0.1);
            jelly.correction.as_in_paper = paper;
            if (!paper) jelly.measure_stiffness();
            const Vec3d momentum = jelly.momentum(), moment = jelly.angular_momentum();
            const double size = jelly.motion();
            const auto before = jelly.velocity;
            jelly.dt = implicit ? 0.01 : 0.002;
            if (implicit) jelly.correct_implicitly();
            else jelly.correct();
            const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;
            EXPECT_LT(length(jelly.momentum() - momentum), exact * size);
            EXPECT_LT(length(jelly.angular_momentum() - moment), exact * size);
            EXPECT_FALSE(before.front().xyz() == jelly.velocity.front().xyz());
        }
    }
}

TYPED_TEST(ConnectionsTest, are_the_same_implicitly_and_explicitly_in_short_steps) {
    using S = TypeParam;
    Jelly<S> now, then;
    for (Jelly<S>* jelly : {&now, &then}) {
        jelly->connect_all();
        jelly->stretch(0.1);
        std::fill(jelly->velocity.begin(), jelly->velocity.end(), typename S::Row{});
        jelly->measure_stiffness();
    }
    now.dt = then.dt = 2e-4;
    now.correct();
    then.correct_implicitly();
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
    jelly.connect_all();
    jelly.stretch(0.1);
    jelly.correction.materials[0].shear_modulus = Real(1e9);
    jelly.measure_stiffness();
    const double dt = jelly.dt = 0.01;
    jelly.correct_implicitly();
    for (const auto& v : jelly.velocity) {  // about enough to take the stretch back within the step
        EXPECT_LT(length(v.xyz()), 3 * 0.1 * 10 * s / dt);
    }
}

TYPED_TEST(ConnectionsTest, push_less_and_less_when_pressed_to_nothing) {
    using S = TypeParam;
    using Real = typename S::Real;
    const auto push = [](double size) {
        Jelly<S> jelly;
        jelly.connect_all();
        for (auto& x : jelly.position) x = static_cast<Real>(size) * x.xyz();
        std::fill(jelly.velocity.begin(), jelly.velocity.end(), typename S::Row{});
        jelly.measure_stiffness();
        jelly.dt = 1e-3;
        jelly.correct();
        return jelly.motion();
    };
    EXPECT_LT(push(0.01), 0.05 * push(0.5));
}

/// A free chain, swinging lengthwise in its slowest mode: ω = 2 √(k/m) sin(π/2n).
template <class S>
struct Chain {
    using Real = typename S::Real;

    Chain(int n, double stiffness, double damping) {
        for (int i = 0; i < n; ++i) {
            const double mode = std::cos(reproducible::pi * (i + 0.5) / n);
            cloud.add({i * s + 0.02 * s * mode, 0, 0}, {}, s);
        }
        cloud.mass.assign(cloud.size(), Real(2));
        coefficient.resize(cloud.size());
        anchors.resize(cloud.size());
        connections.template add_value<Real>("strength", "1");
        connections.resize(cloud.size());
        connections.rewrite(parallel, cloud.id, [&](std::size_t i, ConnectionGraph::RowDraft& row) {
            if (i > 0) row.add(static_cast<std::uint32_t>(i - 1), s);
            if (i + 1 < cloud.size()) row.add(static_cast<std::uint32_t>(i + 1), s);
        });
        correction.springs = true;
        correction.materials = {
            {.spring_stiffness = static_cast<Real>(stiffness), .spring_damping = static_cast<Real>(damping)}};
    }
    double stretch() const { return static_cast<double>(cloud.position[1].x - cloud.position[0].x) - s; }
    void step(double dt) {
        cloud.dt = dt;
        const ElasticLinks<S> links{connections, anchors, coefficient};
        if (correction.damped()) correction.correct_implicitly(cloud.view(), cloud.context(parallel), links, {});
        else correction.correct(cloud.view(), cloud.context(parallel), links);
        drift(cloud.view(), dt, parallel);
    }

    Parallel parallel{1};
    ParticleCloud<S> cloud;
    std::vector<Real> coefficient;
    ConnectionGraph connections{sizeof(Real) == 4 ? ScalarType::f32 : ScalarType::f64};
    ConnectionGraph anchors{sizeof(Real) == 4 ? ScalarType::f32 : ScalarType::f64, ConnectionGraph::Ends::bodies};
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
    jelly.connect_births(Births(born));
    EXPECT_GT(jelly.connections.connection_count(), 0u);
    for (std::size_t i = 0; i < jelly.position.size(); ++i) {
        for (const std::uint32_t j : jelly.connections.rows().row(i)) EXPECT_TRUE(i >= first_new && j >= first_new);
    }
}

TYPED_TEST(ConnectionsTest, relax_as_fast_as_they_should_and_not_below_the_yield) {
    using S = TypeParam;
    using Real = typename S::Real;
    Jelly<S> jelly;
    jelly.connect_all();
    const auto rest = [&] { return jelly.connections.template values<Real>("rest_length"); };
    const std::vector<Real> before(rest().begin(), rest().end());
    jelly.correction.materials[0].relaxation_rate = 2;  // 1/s
    jelly.correction.materials[0].yield_strain = Real(0.05);
    jelly.stretch(0.2);
    jelly.dt = 0.005;
    for (int n = 0; n < 100; ++n) jelly.relax();
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
    jelly.connect_all();
    jelly.stretch(0.3);
    jelly.correction.as_in_paper = true;
    jelly.correction.materials[0] = {
        .lowest_coefficient = Real(0.004), .decay = Real(0.1), .yield_distance = Real(0.2 * h)};
    const auto before = jelly.coefficient;
    jelly.dt = 0.001;
    jelly.relax();
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
    for (int n = 0; n < 1000; ++n) jelly.relax();
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
            jelly.connect_all();
            jelly.bodies = {plate<S>(mass)};
            jelly.boundary.emplace(jelly.bodies,
                                   typename BoundaryParticles<S>::Settings{.spacing = s, .support_radius = h},
                                   jelly.parallel);
            jelly.boundary->update(jelly.position, jelly.bodies, jelly.parallel);
            jelly.measure_stiffness();
            SolidConnections<S> adhesion;
            adhesion.materials = {{.connect_distance = Real(h), .break_distance = Real(2 * h)}};
            const auto update = [&] { adhesion.update(jelly.view(), jelly.context(), jelly.links()); };
            update();
            ASSERT_GT(jelly.anchors.connection_count(), 10u);
            const std::size_t anchored = jelly.anchors.connection_count();
            update();  // each sample once
            EXPECT_EQ(jelly.anchors.connection_count(), anchored);

            jelly.bodies[0].pose.position.y -= 0.3 * s;  // pulled away: fluid must follow
            std::fill(jelly.velocity.begin(), jelly.velocity.end(), typename S::Row{});
            jelly.dt = 1e-3;
            const auto stiffness = jelly.correction.stiffness();
            if (implicit) {
                HeldRows<Real> held;
                adhesion.measure_hold(jelly.view(), jelly.context(), jelly.links(), stiffness, held);
                jelly.correct_implicitly(held);
                adhesion.add_reaction(jelly.view(), jelly.context(), jelly.links(), stiffness);
            } else {
                adhesion.correct(jelly.view(), jelly.context(), jelly.links(), stiffness);
            }
            const Vec3d given = jelly.dt * jelly.bodies[0].force;
            EXPECT_LT(jelly.momentum().y, 0);
            EXPECT_GT(given.y, 0);
            // The implicit form is exact to its tolerance.
            EXPECT_LT(length(jelly.momentum() + given), (implicit ? 2e-3 : 1e-5) * length(given));

            jelly.bodies[0].pose.position.y -= 2.5 * h;
            update();
            EXPECT_LT(jelly.anchors.connection_count(), anchored / 10);  // torn; the samples are still those of before
        }
    }
}

}  // namespace
}  // namespace treacle
