#include "viscous_flow.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "packing/even_points.h"

/// Exact flows on the places of particles beside walls: what they dissipate, and how walls pull.

namespace treacle {
namespace {

using namespace test;

template <class S>
class Strength : public testing::Test {};
TYPED_TEST_SUITE(Strength, AllSpaces);

constexpr double viscosity = 2, dt = 1e-3;

/// Power (W) that pairs and walls take from the flow, without and with the strength, and the moment about the origin
/// (N m) that the first body gets.
struct Loss {
    double plain = 0, strong = 0;
    Vec3d force{}, moment{};
};

template <class S>
Loss loss_of(Flow<S>& flow) {
    using Real = typename S::Real;
    flow.ready();
    const BlockContext<S> now = flow.context(dt);
    Loss loss;
    for (const bool strong : {false, true}) {
        WallDrag<S> walls;
        walls.update(flow.view(), now, flow.viscosity, {});
        const std::vector<double> motions = walls.motions(now);
        ViscousStrength<S> strength;
        strength.measure(flow.view(), now, h, flow.viscosity, walls, motions);
        std::vector<Real> factor(strength.by_particle().begin(), strength.by_particle().end());
        if (!strong) factor.assign(factor.size(), Real(1));
        std::vector<typename S::Row> acceleration(flow.position.size());
        ExplicitViscosity<S>{h}.add(flow.view(), now, flow.viscosity, factor, acceleration);
        double power = 0;
        for (std::size_t i = 0; i < flow.position.size(); ++i) {
            const auto v = flow.velocity[i].xyz();
            power -= static_cast<double>(flow.mass[i] * dot(v, acceleration[i].xyz()));
            walls.for_each_contact(i, flow.position[i].xyz(), v, motions,
                                   [&](auto, auto relative, auto, const auto& drag) {
                                       power += static_cast<double>(dot(relative, drag * relative)) / dt;
                                   });
        }
        (strong ? loss.strong : loss.plain) = power;
        std::vector<double> gains(motions.size());
        walls.gains(flow.position, flow.velocity, motions, true, flow.parallel, gains);
        if (gains.empty()) continue;
        loss.force = (1 / dt) * Vec3d{gains[0], gains[1], gains[2]};
        loss.moment = (1 / dt) * Vec3d{gains[3], gains[4], gains[5]};
    }
    return loss;
}

/// Shear along the floor, extension along the axes and along their diagonals, of a block with free surfaces.
TYPED_TEST(Strength, makes_linear_flows_of_a_lattice_dissipate_what_they_should) {
    using S = TypeParam;
    const int reach = S::dim == 3 ? 5 : 12, deep = S::dim == 3 ? 5 : 0;
    const auto block = [&](const auto& velocity_at) {
        Flow<S> flow;
        for (int z = -deep; z <= deep; ++z) {
            for (int y = -reach; y <= reach; ++y) {
                for (int x = -reach; x <= reach; ++x) {
                    const Vec3d at = s * Vec3d{1.0 * x, 1.0 * y, 1.0 * z};
                    flow.add(at, velocity_at(at), viscosity);
                }
            }
        }
        return flow;
    };
    const double volume = std::pow((2 * reach + 1) * s, 2) * (S::dim == 3 ? (2 * deep + 1) * s : 1);
    Flow<S> shear = block([](Vec3d x) { return Vec3d{x.y, 0, 0}; });
    Flow<S> extension = block([](Vec3d x) { return Vec3d{x.x, -x.y, 0}; });
    const Loss sheared = loss_of(shear), extended = loss_of(extension);
    EXPECT_NEAR(sheared.strong / (viscosity * volume), 1, S::dim == 3 ? 0.12 : 0.06)
        << sheared.plain / (viscosity * volume);
    EXPECT_NEAR(extended.strong / (4 * viscosity * volume), 1, S::dim == 3 ? 0.12 : 0.06)
        << extended.plain / (4 * viscosity * volume);
    EXPECT_LT(sheared.plain / (viscosity * volume), 0.7) << "nothing to be mended";
    Flow<S> spin = block([](Vec3d x) { return Vec3d{-x.y, x.x, 0}; });
    EXPECT_LT(loss_of(spin).strong, 1e-5 * viscosity * volume);
}

/// Motions too slow for a reciprocal, and the rounding of a fast spin: pools at rest are full of both.
TYPED_TEST(Strength, is_finite_when_a_flow_has_all_but_stopped) {
    using S = TypeParam;
    using Real = typename S::Real;
    const double least = static_cast<double>(std::numeric_limits<Real>::denorm_min());
    for (const double spin : {0.0, 1e3}) {
        Flow<S> flow;
        for (int y = 0; y < 8; ++y)
            for (int x = -4; x <= 4; ++x)
                flow.add(s * Vec3d{1.0 * x, y + 0.5, 0}, {20 * least * x - spin * y, 30 * least * y + spin * x, 0},
                         viscosity);
        flow.bodies.resize(1);
        flow.bodies[0].shape = {Plane{{0, 1, 0}, 0}, {}, S::dim};
        flow.bodies[0].friction = std::numeric_limits<double>::infinity();
        flow.ready();
        const BlockContext<S> now = flow.context(dt);
        WallDrag<S> walls;
        walls.update(flow.view(), now, flow.viscosity, {});
        ViscousStrength<S> strength;
        strength.measure(flow.view(), now, h, flow.viscosity, walls, walls.motions(now));
        for (const Real factor : strength.by_particle()) {
            EXPECT_GE(factor, Real(0.5)) << spin;
            EXPECT_LE(factor, Real(2)) << spin;
        }
    }
}

/// Linear shear over a floor, as far as nothing else is near.
TYPED_TEST(Strength, lets_a_floor_pull_as_a_newtonian_fluid_does) {
    using S = TypeParam;
    const int reach = 14, deep = S::dim == 3 ? 6 : 0;
    for (const double height : {0.3, 0.5, 0.8, 1.0}) {  // of the first layer
        Flow<S> flow;
        for (int z = -deep; z <= deep; ++z) {
            for (int y = 0; y < 8; ++y) {
                for (int x = -reach; x <= reach; ++x) {
                    const Vec3d at = s * Vec3d{1.0 * x, y + height, 1.0 * z};
                    flow.add(at, {at.y, 0, 0}, viscosity);
                }
            }
        }
        flow.bodies.resize(1);
        flow.bodies[0].shape = {Plane{{0, 1, 0}, 0}, {}, S::dim};
        flow.bodies[0].friction = std::numeric_limits<double>::infinity();
        const Loss loss = loss_of(flow);
        const double area = (2 * reach + 1) * s * (S::dim == 3 ? (2 * deep + 1) * s : 1);
        EXPECT_NEAR(loss.force.x / (viscosity * area), 1, 0.01) << height;
    }
}

/// Couette flow between a still cup and a turning bob of five spacings radius, on an even packing without rows.
TYPED_TEST(Strength, of_couette_flow_around_a_bob) {
    using S = TypeParam;
    if (S::dim == 3) return;  // the same in every plane
    const double pi = std::numbers::pi, inner = 5 * s, outer = 13 * s, turn = 2;
    const double b = turn * inner * inner * outer * outer / (outer * outer - inner * inner);
    const auto speed = [&](double r) { return b / r - b * r / (outer * outer); };
    for (const unsigned seed : {1u, 2u, 3u}) {
        Flow<S> flow;
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> share(0, 1);
        std::vector<Vec3d> points(static_cast<std::size_t>(pi * (outer * outer - inner * inner) / (s * s)));
        for (Vec3d& x : points) {
            const double r = std::sqrt(inner * inner + share(random) * (outer * outer - inner * inner));
            const double angle = 2 * pi * share(random);
            x = {r * std::cos(angle), r * std::sin(angle), 0};
        }
        const auto keep = [&](std::size_t, Vec3d wanted) {
            const double r = std::clamp(length(wanted), inner + 0.3 * s, outer - 0.3 * s);
            const Vec3d out = wanted / length(wanted);
            const bool near_bob = r - inner < outer - r;
            return KeptPoint{r * out, near_bob ? r - inner : outer - r, near_bob ? -1.0 * out : out};
        };
        Spreading{2, s, 1.5 * s, 100}.spread(points, keep, flow.parallel);
        for (const Vec3d& x : points) {
            const double r = length(x);
            flow.add(x, speed(r) / r * Vec3d{-x.y, x.x, 0}, viscosity);
        }
        flow.bodies.resize(2);
        flow.bodies[0].shape = {Sphere{{}, inner}, {}, 2};
        flow.bodies[0].angular_velocity = {0, 0, turn};
        flow.bodies[1].shape = {Sphere{{}, outer}, {}, 2};
        flow.bodies[1].invert = true;
        for (Body& body : flow.bodies) body.friction = std::numeric_limits<double>::infinity();
        const Loss loss = loss_of(flow);
        const double torque = 4 * pi * viscosity * b;
        EXPECT_NEAR(loss.strong / (torque * turn), 1, 0.05) << loss.plain / (torque * turn);
        EXPECT_NEAR(-loss.moment.z / torque, 1, 0.2) << "the first layer is a tenth of the radius away";
    }
}

}  // namespace
}  // namespace treacle
