// Elastic bodies of mukai2021 that turn freely keep their angular momentum; those that rest keep their shape.

#include "support/run_scene.h"

namespace treacle::test {
namespace {

struct Spin {
    int dimension = 2;
    double modulus = 5000;
    bool relaxes = false;
    bool relaxed_packing = false;
    double max_dt = 0;  ///< s; 0: the method's own step
};

std::string scene_of(const Spin& spin) {
    const bool flat = spin.dimension == 2;
    return R"({ "treacle": 1, "method": "mukai2021", "dimension": )" + std::to_string(spin.dimension) +
           R"(, "particle_spacing": 0.01, "gravity": )" + (flat ? "[0, 0]" : "[0, 0, 0]") +
           R"(, "time": { "duration": 1, "fps": 10)" +
           (spin.max_dt > 0 ? R"(, "max_dt": )" + std::to_string(spin.max_dt) : "") +
           R"( }, "materials": { "jelly": { "density": 1000, "shear_modulus": )" + std::to_string(spin.modulus) +
           (spin.relaxes ? R"(, "relaxation_time": 0.2)" : "") + R"( } },
      "fluids": [ { "material": "jelly", "packing": ")" +
           (spin.relaxed_packing ? "relaxed" : "lattice") + R"(", "angular_velocity": )" +
           (flat ? "720" : "[240, -480, 480]") + R"(, "shape": { "sphere": { "center": )" +
           (flat ? R"([0, 0], "radius": 0.06)" : R"([0, 0, 0], "radius": 0.04)") + " } } } ] }";
}

Vec3d angular_momentum(const RunningScene& run) {
    const auto x = run.vectors("position"), v = run.vectors("velocity");
    const auto m = run.scalars("mass");
    Vec3d sum{};
    for (std::size_t i = 0; i < x.size(); ++i) sum += m[i] * cross(x[i], v[i]);
    return sum;
}

/// Compares the angular momentum after half a second, which is a whole turn, with that at the start.
void turns_on(const Spin& spin) {
    RunningScene run(scene_of(spin));
    const Vec3d before = angular_momentum(run);
    ASSERT_TRUE(run.advance(5)) << run.error();
    // The system of equations for velocities has no torque. The remaining error comes from spreading, which moves
    // particles but does not change their velocities.
    EXPECT_LT(length(angular_momentum(run) - before), 0.05 * length(before))
        << spin.dimension << "D, " << spin.modulus << " Pa, relaxes " << spin.relaxes << ", relaxed packing "
        << spin.relaxed_packing << ", steps of " << spin.max_dt;
}

TEST(Mukai2021Spin, discs_turn_on) {
    for (const double modulus : {500.0, 5000.0, 50000.0}) {
        for (const bool relaxes : {false, true}) {
            for (const bool packing : {false, true}) {
                for (const double max_dt : {0.0, 0.001}) turns_on({2, modulus, relaxes, packing, max_dt});
            }
        }
    }
}

TEST(Mukai2021Spin, balls_turn_on) {
    turns_on({3, 500, false, false, 0});
    turns_on({3, 5000, true, false, 0});
    turns_on({3, 5000, false, true, 0.001});
    turns_on({3, 50000, false, false, 0});
    turns_on({3, 50000, true, true, 0});
}

/// On a rough floor, after it has sagged.
TEST(Mukai2021Spin, a_block_at_rest_stays_as_it_is) {
    RunningScene run(R"({ "treacle": 1, "method": "mukai2021", "dimension": 2, "particle_spacing": 0.01,
      "time": { "duration": 20, "fps": 10 },
      "materials": { "jelly": { "density": 1000, "viscosity": 0.1, "shear_modulus": 5000 } },
      "fluids": [ { "material": "jelly", "shape": { "box": { "center": [0, 0.06], "size": [0.16, 0.12] } } } ],
      "solids": [ { "name": "floor", "friction": "no_slip", "shape": { "plane": { "normal": [0, 1] } } } ] })");
    const auto size = [&] {
        Vec3d sum{};
        double far = 0;
        const auto x = run.vectors("position");
        for (const Vec3d& at : x) sum += at / static_cast<double>(x.size()), far = std::max(far, std::abs(at.x));
        return Vec3d{far, sum.y, 0};
    };
    ASSERT_TRUE(run.advance(25)) << run.error();
    const Vec3d before = size();
    ASSERT_TRUE(run.advance(50)) << run.error();
    EXPECT_NEAR(size().x / before.x, 1, 0.005);
    EXPECT_NEAR(size().y / before.y, 1, 0.005);
    double fastest = 0;
    for (const Vec3d& v : run.vectors("velocity")) fastest = std::max(fastest, length(v));
    EXPECT_LT(fastest, 1e-3);
}

}  // namespace
}  // namespace treacle::test
