#include <cmath>
#include <map>

#include "state/state.h"
#include "support/run_scene.h"

namespace treacle::test {
namespace {

/// A block of elastic fluid that slides along a floor through the border, from a given place along x.
std::string sliding_block(double x) {
    return R"({ "treacle": 1, "method": "mukai2021", "dimension": 2, "particle_spacing": 0.01, "periodic": [0.2, 0],
      "gravity": [0.5, -1],
      "time": { "duration": 1, "fps": 50 }, "materials": { "jelly": { "viscosity": 2, "shear_modulus": 50,
        "relaxation_time": 0.5 } },
      "fluids": [ { "material": "jelly", "velocity": [0.4, 0], "shape": { "box": { "center": [)" +
           std::to_string(x) + R"(, 0.03], "size": [0.1, 0.06] } } } ],
      "solids": [ { "name": "floor", "friction": 0, "shape": { "plane": { "normal": [0, 1] } } } ] })";
}

TEST(PeriodicSpace, particles_stay_in_the_box_and_keep_their_momentum) {
    RunningScene run(sliding_block(0.1));
    const double mass = run.metric("mass");
    ASSERT_TRUE(run.advance(20)) << run.error();  // 0.16 m and more: all have crossed the border
    for (const Vec3d& p : run.vectors("position")) {
        EXPECT_GE(p.x, 0);
        EXPECT_LT(p.x, 0.2);
    }
    EXPECT_NEAR(run.metric("momentum_x"), mass * (0.4 + 0.5 * 0.4), 1e-3 * mass);
    EXPECT_EQ(run.metric("components"), 1);
}

TEST(PeriodicSpace, the_border_is_nowhere) {
    RunningScene here(sliding_block(0.06)), there(sliding_block(0.14));
    ASSERT_TRUE(here.advance(5)) << here.error();  // through the border there, not here
    ASSERT_TRUE(there.advance(5)) << there.error();
    std::map<std::uint32_t, Vec3d> velocity;
    const auto ids = here.state().particles.get<std::uint32_t>("id"),
               other_ids = there.state().particles.get<std::uint32_t>("id");
    const auto v = here.vectors("velocity"), other = there.vectors("velocity");
    for (std::size_t i = 0; i < ids.size(); ++i) velocity[ids[i]] = v[i];
    for (std::size_t i = 0; i < other_ids.size(); ++i) EXPECT_NEAR(length(other[i] - velocity[other_ids[i]]), 0, 1e-4);
}

TEST(PeriodicSpace, bits_do_not_depend_on_threads) {
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2, 4}) {
        RunningScene run(sliding_block(0.14), threads);
        ASSERT_TRUE(run.advance(5)) << run.error();
        hashes.push_back(state_hash(run.state()));
    }
    EXPECT_EQ(hashes, std::vector<std::uint64_t>(3, hashes.front()));
}

}  // namespace
}  // namespace treacle::test
