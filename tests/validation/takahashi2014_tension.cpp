#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/run_scene.h"

/// Surface tension in N/m: drops swing, have pressure and become round as they should; a wall is not a free surface.

namespace treacle {
namespace {

constexpr double size = 0.01;  // radius of drops, m
constexpr double density = 1000;

struct Drop {
    int dimension = 2;
    double radius = 10;      // in spacings
    double tension = 0.072;  // N/m
    std::string shape{};     // a sphere unless given
    std::string solids{};

    double spacing() const { return size / radius; }
    /// Frequency of the mode that makes an ellipse (Rayleigh), rad/s.
    double frequency(double of_radius) const {
        return std::sqrt((dimension == 2 ? 6 : 8) * tension / (density * of_radius * of_radius * of_radius));
    }
    double period() const { return 2 * std::numbers::pi / frequency(size); }
    double frame() const { return period() / 100; }

    Scene scene() const {
        const std::string none = dimension == 2 ? "[0, 0]" : "[0, 0, 0]";
        const std::string sphere =
            R"({ "sphere": { "center": )" + none + R"(, "radius": )" + std::to_string(size) + " } }";
        return test::scene_from(R"({ "treacle": 1, "method": "takahashi2014", "dimension": )" +
                                std::to_string(dimension) + R"(, "particle_spacing": )" + std::to_string(spacing()) +
                                R"(, "gravity": )" + none + R"(, "time": { "duration": 10, "fps": )" +
                                std::to_string(1 / frame()) + R"( }, "materials": { "water": { "density": )" +
                                std::to_string(density) + R"(, "surface_tension": )" + std::to_string(tension) +
                                R"( } },
            "fluids": [ { "material": "water", "packing": "relaxed", "shape": )" +
                                (shape.empty() ? sphere : shape) + R"( } ],
            "solids": [ )" + solids +
                                " ] }");
    }
};

/// Velocity at a point for the mode, per second.
Vec3d mode(const Drop& drop, Vec3d x) {
    if (drop.dimension == 2) return {x.x, -x.y, 0};
    return {x.x, -0.5 * x.y, -0.5 * x.z};
}

struct Swing {
    double period;    // over that of theory
    double pressure;  // of its middle over that of Laplace
};

/// Lets a drop come to rest, sets it swinging and takes the period from the zeros of its velocity in the mode.
Swing swing(const Drop& drop) {
    const Scene scene = drop.scene();
    test::RunningScene resting(scene);
    if (!resting.advance(50)) throw std::runtime_error(resting.error());
    State state = resting.state();
    const auto position = state.particles.get<Row4<float>>("position");
    const auto velocity = state.particles.get<Row4<float>>("velocity");
    const double count = static_cast<double>(position.size());
    const double radius = drop.dimension == 2 ? std::sqrt(count / std::numbers::pi) * drop.spacing()
                                              : std::cbrt(3 * count / (4 * std::numbers::pi)) * drop.spacing();
    const double frequency = drop.frequency(radius);
    for (std::size_t i = 0; i < position.size(); ++i) {
        velocity[i] = cast<float>(0.1 * frequency * mode(drop, cast<double>(position[i].xyz())));
    }
    auto resumed = Simulation::resume(scene, std::move(state), 2, Log{});
    Simulation& simulation = **resumed;

    std::vector<double> zeros;
    double last = 1, pressure = 0, samples = 0;
    for (int frame = 1; zeros.size() < 4 && frame < 400; ++frame) {
        if (!simulation.advance_frame([](const StepInfo&) { return true; })) throw std::runtime_error("diverged");
        const auto x = simulation.state().particles.get<Row4<float>>("position");
        const auto v = simulation.state().particles.get<Row4<float>>("velocity");
        const auto p = simulation.state().particles.get<float>("pressure");
        double now = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const Vec3d at = cast<double>(x[i].xyz());
            now += dot(mode(drop, at), cast<double>(v[i].xyz()));
            if (length(at) > 0.5 * radius) continue;
            pressure += static_cast<double>(p[i]);
            samples += 1;
        }
        if (now * last < 0) zeros.push_back((frame - now / (now - last)) * drop.frame());
        last = now;
    }
    if (zeros.size() < 4) return {0, 0};
    const double period = (zeros[3] - zeros[0]) / 1.5;
    const double laplace = (drop.dimension - 1) * drop.tension / radius;
    return {period * frequency / (2 * std::numbers::pi), pressure / samples / laplace};
}

/// The pressure is a mean over particles and time; single values differ by as much as the mean itself.
void expect_theory(const Drop& drop) {
    const Swing found = swing(drop);
    EXPECT_NEAR(found.period, 1, 0.15) << drop.radius;
    EXPECT_NEAR(found.pressure, 1, 0.35) << drop.radius;
}

TEST(Takahashi2014Tension, DecidesPeriodAndPressureOfADisc) {
    expect_theory({.radius = 10});
    expect_theory({.radius = 16});
}

TEST(Takahashi2014Tension, DecidesPeriodAndPressureOfABall) {
    expect_theory({.dimension = 3, .radius = 6});
    expect_theory({.dimension = 3, .radius = 8});
}

TEST(Takahashi2014Tension, GoesIntoThePeriodByItsRoot) {
    const double weak = swing({.tension = 0.02}).period, strong = swing({.tension = 0.5}).period;  // both over theory
    EXPECT_NEAR(strong / weak, 1, 0.15);
}

/// Mean extent of fluid from its center in a direction and its opposite.
double reach(const std::vector<Vec3d>& x, Vec3d direction) {
    direction = direction / length(direction);
    double least = 0, most = 0;
    for (const Vec3d& at : x) {
        least = std::min(least, dot(at, direction));
        most = std::max(most, dot(at, direction));
    }
    return 0.5 * (most - least);
}

/// Roundness of a cube and of a square: diagonals over axes, 1 for round shapes.
double roundness(const test::RunningScene& run, int dimension) {
    const auto x = run.vectors("position");
    if (dimension == 2)
        return (reach(x, {1, 1, 0}) + reach(x, {1, -1, 0})) / (reach(x, {1, 0, 0}) + reach(x, {0, 1, 0}));
    const double axes = reach(x, {1, 0, 0}) + reach(x, {0, 1, 0}) + reach(x, {0, 0, 1});
    const double diagonals = reach(x, {1, 1, 1}) + reach(x, {-1, 1, 1}) + reach(x, {1, -1, 1}) + reach(x, {1, 1, -1});
    return diagonals / 4 / (axes / 3);
}

void becomes_round(const Drop& drop, double edged) {
    test::RunningScene run(drop.scene());
    EXPECT_GT(roundness(run, drop.dimension), edged);
    double late = 0;
    ASSERT_TRUE(run.advance(150)) << run.error();
    for (int n = 0; n < 10; ++n) {
        ASSERT_TRUE(run.advance(5)) << run.error();
        late += roundness(run, drop.dimension) / 10;
    }
    EXPECT_NEAR(late, 1, 0.06);
    // No external force acts on it.
    double impulse = 0;
    Vec3d momentum{};
    for (const Vec3d& v : run.vectors("velocity")) {
        impulse += length(v);
        momentum += v;
    }
    EXPECT_LT(length(momentum), 1e-4 * impulse);
    EXPECT_NEAR(run.metric("components"), 1, 0);
}

TEST(Takahashi2014Tension, MakesASquareRound) {
    becomes_round({.radius = 10, .shape = R"({ "box": { "center": [0, 0], "size": [0.02, 0.02] } })"}, 1.3);
}

TEST(Takahashi2014Tension, MakesACubeRound) {
    becomes_round(
        {.dimension = 3, .radius = 6, .shape = R"({ "box": { "center": [0, 0, 0], "size": [0.02, 0.02, 0.02] } })"},
        1.4);
}

TEST(Takahashi2014Tension, DoesNotPullFluidOffAWall) {
    // Without gravity a puddle becomes a half disc, which meets the floor at a right angle.
    const Drop puddle{
        .radius = 10,
        .shape = R"({ "box": { "center": [0, 0.005], "size": [0.03, 0.01] } })",
        .solids = R"({ "name": "floor", "shape": { "plane": { "normal": [0, 1], "offset": 0 } }, "friction": 0 })"};
    test::RunningScene run(puddle.scene());
    ASSERT_TRUE(run.advance(250)) << run.error();
    double height = 0, width = 0, floor = 0, lowest = 1;
    for (int n = 0; n < 10; ++n) {
        ASSERT_TRUE(run.advance(10)) << run.error();
        const double s = puddle.spacing();
        double left = 0, right = 0, top = 0;
        for (const Vec3d& x : run.vectors("position")) {
            top = std::max(top, x.y);
            lowest = std::min(lowest, x.y);
            if (x.y > s) continue;
            left = std::min(left, x.x);
            right = std::max(right, x.x);
            floor += 0.1;
        }
        height += 0.1 * (top + 0.5 * s);
        width += 0.1 * (right - left + s);
    }
    const double radius = std::sqrt(2 * 0.03 * 0.01 / std::numbers::pi);
    EXPECT_NEAR(height / radius, 1, 0.15);
    EXPECT_NEAR(width / radius, 2, 0.3);
    EXPECT_GT(lowest, 0.1 * puddle.spacing());
    EXPECT_NEAR(run.metric("components"), 1, 0);
}

}  // namespace
}  // namespace treacle
