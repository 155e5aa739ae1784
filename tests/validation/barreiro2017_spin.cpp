// Elastic bodies of barreiro2017 in free flight: spin stays, and what meets does not explode.

#include "support/run_scene.h"

namespace treacle::test {
namespace {

struct Spin {
    int dimension = 2;
    double modulus = 20000;
    bool relaxed_packing = false;
    double speed = 0;       ///< m/s
    double max_dt = 0;      ///< s; 0: the method's own step
    double spacing = 0.01;  ///< m
};

std::string scene_of(const Spin& spin) {
    const bool flat = spin.dimension == 2;
    return R"({ "treacle": 1, "method": "barreiro2017", "dimension": )" + std::to_string(spin.dimension) +
           R"(, "particle_spacing": )" + std::to_string(spin.spacing) + R"(, "gravity": )" +
           (flat ? "[0, 0]" : "[0, 0, 0]") + R"(, "time": { "duration": 1, "fps": 10)" +
           (spin.max_dt > 0 ? R"(, "max_dt": )" + std::to_string(spin.max_dt) : "") +
           R"( }, "materials": { "jelly": { "density": 1000, "shear_modulus": )" + std::to_string(spin.modulus) +
           R"( } }, "fluids": [ { "material": "jelly", "packing": ")" + (spin.relaxed_packing ? "relaxed" : "lattice") +
           R"(", "velocity": [)" + std::to_string(spin.speed) + (flat ? ", 0" : ", 0, 0") +
           R"(], "angular_velocity": )" + (flat ? "720" : "[240, -480, 480]") +
           R"(, "shape": { "sphere": { "center": )" +
           (flat ? R"([0, 0], "radius": 0.06)" : R"([0, 0, 0], "radius": 0.05)") + " } } } ] }";
}

struct Motion {
    Vec3d spin{};  ///< angular momentum about the center of mass
    double kinetic = 0;
};

Motion motion_of(const RunningScene& run) {
    const auto x = run.vectors("position"), v = run.vectors("velocity");
    const auto m = run.scalars("mass");
    Vec3d middle{}, mean{};
    double mass = 0;
    for (std::size_t i = 0; i < x.size(); ++i) mass += m[i], middle += m[i] * x[i], mean += m[i] * v[i];
    middle = middle / mass, mean = mean / mass;
    Motion motion;
    for (std::size_t i = 0; i < x.size(); ++i) {
        motion.spin += m[i] * cross(x[i] - middle, v[i] - mean);
        motion.kinetic += m[i] / 2 * dot(v[i], v[i]);
    }
    return motion;
}

/// Compares the angular momentum after a second, which is two turns, with that at the start, and the kinetic energy on
/// the way with that at the start.
void turns_on(const Spin& spin) {
    RunningScene run(scene_of(spin));
    const Motion before = motion_of(run);
    const std::string which = std::to_string(spin.dimension) + "D, " + std::to_string(spin.modulus) +
                              " Pa, relaxed packing " + std::to_string(spin.relaxed_packing) + ", speed " +
                              std::to_string(spin.speed) + ", steps of " + std::to_string(spin.max_dt) + ", spacing " +
                              std::to_string(spin.spacing);
    for (int n = 0; n < 10; ++n) {
        ASSERT_TRUE(run.advance(1)) << run.error();
        EXPECT_LT(motion_of(run).kinetic, 1.02 * before.kinetic) << which << ", frame " << n;
    }
    EXPECT_LT(length(motion_of(run).spin - before.spin), 0.02 * length(before.spin)) << which;
}

TEST(Barreiro2017Spin, DiscsTurnOn) {
    for (const bool packing : {false, true}) {
        for (const double modulus : {5000.0, 50000.0}) turns_on({2, modulus, packing});
        turns_on({2, 20000, packing, 3});
        turns_on({2, 20000, packing, 0, 0.002});
        turns_on({2, 20000, packing, 0, 0, 0.007});
    }
}

TEST(Barreiro2017Spin, BallsTurnOn) {
    turns_on({3, 5000, false});
    turns_on({3, 20000, true});
    turns_on({3, 50000, false, 0, 0.005});
    turns_on({3, 20000, false, 1});
}

struct Meeting {
    int dimension = 2;
    double modulus = 20000;
    double speed = 1;  ///< of each towards the other, twice
    bool relaxed_packing = false;
    double spacing = 0.005;
};

/// Two discs or balls of 5 cm that meet: nothing but their motion can give energy.
void meets_quietly(const Meeting& meeting) {
    const bool flat = meeting.dimension == 2;
    const auto body = [&](double side) {
        const std::string x = std::to_string(side * (0.05 + 2 * meeting.spacing)), zeros = flat ? ", 0]" : ", 0, 0]";
        return R"({ "material": "jelly", "packing": ")" + std::string(meeting.relaxed_packing ? "relaxed" : "lattice") +
               R"(", "velocity": [)" + std::to_string(-side * meeting.speed / 2) + zeros +
               R"(, "shape": { "sphere": { "center": [)" + x + zeros + R"(, "radius": 0.05 } } })";
    };
    RunningScene run(R"({ "treacle": 1, "method": "barreiro2017", "dimension": )" + std::to_string(meeting.dimension) +
                     R"(, "particle_spacing": )" + std::to_string(meeting.spacing) + R"(, "gravity": )" +
                     (flat ? "[0, 0]" : "[0, 0, 0]") +
                     R"(, "time": { "duration": 1, "fps": 50 }, "materials": { "jelly": { "density": 1000,
                         "shear_modulus": )" +
                     std::to_string(meeting.modulus) + R"( } }, "fluids": [ )" + body(-1) + ", " + body(1) + " ] }");
    const double before = motion_of(run).kinetic;
    for (int n = 0; n < 15; ++n) {
        ASSERT_TRUE(run.advance(1)) << run.error();
        EXPECT_LT(motion_of(run).kinetic, 1.02 * before)
            << meeting.dimension << "D, " << meeting.modulus << " Pa at " << meeting.speed << " m/s, relaxed packing "
            << meeting.relaxed_packing << ", spacing " << meeting.spacing << ", frame " << n;
    }
}

TEST(Barreiro2017Spin, JelliesThatMeetGainNoEnergy) {
    for (const double modulus : {5000.0, 20000.0, 100000.0}) {
        for (const double speed : {0.3, 1.0}) meets_quietly({2, modulus, speed});
    }
    meets_quietly({2, 20000, 1, true});
    meets_quietly({2, 100000, 1, true});
    meets_quietly({2, 20000, 1, false, 0.008});
    meets_quietly({3, 20000, 1, false, 0.01});
    meets_quietly({3, 100000, 1, true, 0.0125});
}

/// A drop of elastic goo falls onto a floor and a step that it sticks to. Kinetic and potential energy together never
/// exceed what it had at first.
void falls_quietly(const std::string& friction, double spacing, bool relaxed_packing) {
    RunningScene run(R"({ "treacle": 1, "method": "barreiro2017", "dimension": 2, "particle_spacing": )" +
                     std::to_string(spacing) + R"(, "time": { "duration": 1, "fps": 20 },
      "materials": { "goo": { "density": 1000, "viscosity": 4, "shear_modulus": 600, "relaxation_time": 0.5 } },
      "fluids": [ { "material": "goo", "packing": ")" +
                     (relaxed_packing ? "relaxed" : "lattice") +
                     R"(", "shape": { "sphere": { "center": [0, 0.4], "radius": 0.15 } } } ],
      "solids": [ { "name": "floor", "friction": )" +
                     friction + R"(, "shape": { "plane": { "normal": [0, 1] } } },
                  { "name": "step", "friction": )" +
                     friction + R"(, "shape": { "box": { "center": [0.15, 0.04], "size": [0.15, 0.08] } } } ] })");
    const auto energy = [&] {
        double sum = motion_of(run).kinetic;
        const auto x = run.vectors("position");
        const auto m = run.scalars("mass");
        for (std::size_t i = 0; i < x.size(); ++i) sum += m[i] * 9.81 * x[i].y;
        return sum;
    };
    const double before = energy();
    for (int n = 0; n < 16; ++n) {
        ASSERT_TRUE(run.advance(1)) << run.error();
        EXPECT_LT(energy(), 1.02 * before) << friction << ", spacing " << spacing << ", frame " << n;
    }
    EXPECT_LT(motion_of(run).kinetic, 0.02 * before) << friction << ", spacing " << spacing;
}

TEST(Barreiro2017Spin, ADropOfGooComesToRest) {
    falls_quietly(R"("no_slip")", 0.015, false);
    falls_quietly(R"("no_slip")", 0.015, true);
    falls_quietly("0.3", 0.018, false);
}

}  // namespace
}  // namespace treacle::test
