#include <gtest/gtest.h>

#include "methods/registry.h"
#include "support/on_every_path.h"
#include "support/run_scene.h"

namespace treacle {
namespace {

/// Fluid that splashes into a corner, with springs that break and form, on every path of SIMD and several threads.
std::string scene_text(const char* method, int dimension, const char* precision) {
    const bool flat = dimension == 2;
    return std::string(R"({ "treacle": 1, "method": ")") + method + R"(", "dimension": )" + std::to_string(dimension) +
           R"(, "precision": ")" + precision + R"(", "particle_spacing": 0.02, "time": { "duration": 1, "fps": 100 },
      "materials": { "slime": { "viscosity": 2, "shear_modulus": 500, "relaxation_time": 0.05,
        "surface_tension": 0.03 } },
      "fluids": [ { "material": "slime", "velocity": )" +
           (flat ? "[2, -3]" : "[2, -3, 1]") + R"(, "shape": { "box": )" +
           (flat ? R"({ "center": [0.3, 0.3], "size": [0.5, 0.5] })"
                 : R"({ "center": [0.13, 0.13, 0.13], "size": [0.2, 0.2, 0.2] })") +
           R"( } } ],
      "solids": [ { "name": "tank", "invert": true, "shape": { "box": )" +
           (flat ? R"({ "center": [0.3, 0.3], "size": [0.6, 0.6] })"
                 : R"({ "center": [0.15, 0.15, 0.15], "size": [0.3, 0.3, 0.3] })") +
           " } } ] }";
}

class SimdPaths : public testing::TestWithParam<std::tuple<const char*, int, const char*>> {};

TEST_P(SimdPaths, GiveTheSameState) {
    const auto [method, dimension, precision] = GetParam();
    std::vector<std::uint64_t> hashes;
    int threads = 1;
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        test::RunningScene run(scene_text(method, dimension, precision), threads++);
        ASSERT_TRUE(run.advance(4)) << run.error();
        if (method != std::string("barreiro2017") && method != std::string("mukai2021")) {  // these have no connections
            EXPECT_GT(run.metric("connections"), 500);
        }
        hashes.push_back(state_hash(run.state()));
        EXPECT_EQ(hashes.back(), hashes.front()) << simd::name(path);
    }
}

/// Particles of several sizes: a thread of elastic fluid with surface tension that is too thin for whole particles.
TEST(SimdPathsOfHalves, GiveTheSameBits) {
    std::vector<std::uint64_t> hashes;
    int threads = 1;
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        test::RunningScene run(R"({ "treacle": 1, "method": "mukai2021", "dimension": 3, "particle_spacing": 0.001,
          "time": { "duration": 1, "fps": 100 }, "mukai2021": { "halvings": 3 },
          "materials": { "gum": { "density": 1000, "viscosity": 2, "shear_modulus": 300, "relaxation_time": 0.05,
            "surface_tension": 0.07 } },
          "fluids": [ { "material": "gum", "shape": { "cylinder": { "center": [0, 0.01, 0], "axis": [0, 1, 0],
            "radius": 0.0018, "height": 0.02 } } } ],
          "solids": [ { "name": "floor", "friction": "no_slip", "shape": { "plane": { "normal": [0, 1, 0] } } } ] })",
                               threads++);
        const std::size_t before = run.state().particles.size();
        ASSERT_TRUE(run.advance(6)) << run.error();
        EXPECT_GT(run.state().particles.size(), before);
        hashes.push_back(state_hash(run.state()));
        EXPECT_EQ(hashes.back(), hashes.front()) << simd::name(path);
    }
}

std::vector<std::tuple<const char*, int, const char*>> cases() {
    std::vector<std::tuple<const char*, int, const char*>> all;
    for (const MethodRow& method : method_registry()) {
        for (const int dimension : {2, 3}) {
            if (method.single_precision) all.push_back({method.id, dimension, "float"});
            if (method.double_precision) all.push_back({method.id, dimension, "double"});
        }
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Spaces, SimdPaths, testing::ValuesIn(cases()), [](const auto& which) {
    return std::string(std::get<0>(which.param)) + "_" + std::to_string(std::get<1>(which.param)) + "D_" +
           std::get<2>(which.param);
});

}  // namespace
}  // namespace treacle
