// Fluid of mukai2021 that is thrown against plates stays on its side of them, and gains no energy.

#include <cmath>

#include "validation/pool.h"

namespace treacle::test {
namespace {

struct Throw {
    int dimension = 2;
    double spacing = 0.01;  ///< m
    double speed = 10;      ///< m/s
    double thick = 3;       ///< spacings
    bool elastic = false;
    bool loose = false;  ///< the plate is free to move
};

/// A disc or ball of 12 spacings (3D: 8) that flies at a plate so wide that nothing gets around it.
std::string scene_of(const Throw& its, double radius) {
    const bool flat = its.dimension == 2;
    const auto vector = [&](double x, double y, double z) {
        return "[" + std::to_string(x) + ", " + std::to_string(y) + (flat ? "" : ", " + std::to_string(z)) + "]";
    };
    const double width = (flat ? 60 : 30) * radius, thick = its.thick * its.spacing;
    // Momentum is kept to the tolerance of the solver, which is a thousandth by default.
    return std::string(R"({ "treacle": 1, "method": "mukai2021", )") +
           (its.loose ? R"("mukai2021": { "tolerance": 1e-6 }, )" : "") + R"("dimension": )" +
           std::to_string(its.dimension) + R"(, "particle_spacing": )" + std::to_string(its.spacing) +
           R"(, "gravity": )" + vector(0, 0, 0) + R"(, "time": { "duration": 10, "fps": )" +
           std::to_string(static_cast<int>(10 * its.speed / radius)) +
           R"( }, "materials": { "fluid": { "density": 1000, "viscosity": )" +
           (its.elastic ? R"(0.1, "shear_modulus": 5000)" : "0.001") + R"( } },
      "fluids": [ { "material": "fluid", "velocity": )" +
           vector(0, -its.speed, 0) + R"(, "shape": { "sphere": { "center": )" +
           vector(0, radius + 2 * its.spacing, 0) + R"(, "radius": )" + std::to_string(radius) + R"( } } } ],
      "solids": [ { "name": "plate", "shape": { "box": { "center": )" +
           vector(0, -0.5 * thick, 0) + R"(, "size": )" + vector(width, thick, width) + " } }" +
           (its.loose ? R"(, "motion": { "dynamic": { "density": 2000 } })" : "") + " } ] }";
}

struct Sums {
    double energy = 0;  ///< kinetic
    double momentum = 0;
    double least_distance = 0;  ///< of the plate's surface, spacings
    int behind = 0;             ///< below the middle of the plate
};

Sums sums_of(const RunningScene& run, const Throw& its) {
    const auto x = run.vectors("position"), v = run.vectors("velocity");
    const auto m = run.scalars("mass");
    const Body& plate = body_named(run, "plate");
    const double middle = its.loose ? plate.center_of_mass_in_space().y : -0.5 * its.thick * its.spacing;
    const Vec3d moves = plate.velocity_of_center();
    Sums sums{.energy = 0.5 * plate.mass * dot(moves, moves), .momentum = plate.mass * moves.y, .least_distance = 1e9};
    for (std::size_t i = 0; i < x.size(); ++i) {
        sums.energy += 0.5 * m[i] * dot(v[i], v[i]);
        sums.momentum += m[i] * v[i].y;
        sums.least_distance = std::min(sums.least_distance, plate.surface_at(x[i]).distance / its.spacing);
        sums.behind += x[i].y < middle;
    }
    return sums;
}

void is_stopped(const Throw& its) {
    const double radius = (its.dimension == 2 ? 6 : 4) * its.spacing;
    SCOPED_TRACE(std::to_string(its.dimension) + "D, " + std::to_string(its.speed) + " m/s, " +
                 std::to_string(its.thick) + " spacings of " + std::to_string(its.spacing) +
                 (its.elastic ? ", elastic" : "") + (its.loose ? ", loose" : ""));
    RunningScene run(scene_of(its, radius));
    const Sums start = sums_of(run, its);
    // Its own length passes in 20 frames.
    for (int n = 0; n < 40; ++n) {
        ASSERT_TRUE(run.advance(1)) << run.error();
        const Sums now = sums_of(run, its);
        ASSERT_EQ(now.behind, 0) << n;
        // Dynamic bodies move after the search for contacts.
        ASSERT_GT(now.least_distance, its.loose ? -0.25 : 0.0199) << n;
        // The system is dissipative, and solved to a thousandth.
        ASSERT_LT(now.energy, 1.001 * start.energy) << n;
        if (its.loose) { ASSERT_NEAR(now.momentum / start.momentum, 1, 1e-5) << n; }
    }
    EXPECT_LT(sums_of(run, its).energy, 0.95 * start.energy) << "it has hit the plate";
}

TEST(Mukai2021Impact, thin_fluid_stays_on_its_side) {
    for (const double speed : {5.0, 10.0, 20.0}) {
        for (const double thick : {1.0, 3.0, 6.0}) is_stopped({.speed = speed, .thick = thick});
    }
}

TEST(Mukai2021Impact, thin_fluid_in_finer_particles_stays_on_its_side) {
    for (const double speed : {5.0, 10.0, 20.0}) {
        for (const double thick : {1.0, 3.0, 6.0}) is_stopped({.spacing = 0.005, .speed = speed, .thick = thick});
    }
}

TEST(Mukai2021Impact, elastic_fluid_stays_on_its_side) {
    for (const double speed : {5.0, 10.0, 20.0}) {
        for (const double thick : {1.0, 3.0, 6.0}) is_stopped({.speed = speed, .thick = thick, .elastic = true});
    }
}

TEST(Mukai2021Impact, balls_stay_on_their_side) {
    is_stopped({.dimension = 3, .speed = 10, .thick = 3});
    is_stopped({.dimension = 3, .speed = 10, .thick = 1, .elastic = true});
}

TEST(Mukai2021Impact, plates_get_the_momentum_that_fluid_loses) {
    is_stopped({.speed = 10, .thick = 3, .loose = true});
    is_stopped({.speed = 20, .thick = 1, .loose = true});
}

}  // namespace
}  // namespace treacle::test
