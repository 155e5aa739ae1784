#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>

#include "methods/registry.h"
#include "scene/scene_json.h"
#include "checkpoint/checkpoint.h"
#include "support/run_scene.h"

namespace treacle {
namespace {

/// A splashing, springy scene with enough particles for several blocks, a moving solid and keyframed parameters.
enum class Stuff {
    plain,
    varying,      ///< properties that depend on temperature and age
    remembering,  ///< a stored shape at rest, part of which breaks
};

/// Settings by which a method passes through the same blocks less often, for sanitizers.
std::string fewer_passes(const std::string& method) {
    if (method == "clavet2005") return R"(, "clavet2005": { "settled_start": false })";
    if (method == "barreiro2017") return R"(, "barreiro2017": { "velocity_iterations": 2, "position_iterations": 2 })";
    if (method == "mukai2021") return R"(, "mukai2021": { "tolerance": 0.05 })";
    return "";
}

std::string scene_text(const std::string& method, int dimension, const std::string& precision,
                       Stuff stuff = Stuff::plain) {
    const bool flat = dimension == 2, varying = stuff == Stuff::varying;
    const std::string elastic =
        varying                       ? R"("shear_modulus": { "over": "temperature", "points": [[20, 2000], [60, 0]] },
              "thermal_conductivity": 1000,
                     "heat_capacity": 1000, "relaxation_time": { "over": "age", "points": [[0, 0.02], [0.03, 0.2]] })"
        : stuff == Stuff::remembering ? R"("shear_modulus": 2000, "barreiro2017": { "break_stretch": 1.2 })"
                                      : R"("shear_modulus": 2000, "relaxation_time": 0.2)";
    return R"({ "treacle": 1, "method": ")" + method + R"(", "dimension": )" + std::to_string(dimension) +
           R"(, "precision": ")" + precision +
           R"(", "particle_spacing": 0.02, "time": { "duration": 1, "fps": 100, "max_dt": 0.0025 }, "gravity": )" +
           (flat ? "[0, -9.81]" : "[0, -9.81, 0]") +
           (stuff == Stuff::remembering ? R"(, "barreiro2017": { "incompressibility": "doubly" })" : "") +
           (stuff == Stuff::plain && TREACLE_SANITIZED ? fewer_passes(method) : "") + R"(,
      "materials": { "slime": { "viscosity": { "keyframes": [ { "time": 0, "value": 1 },
        { "time": 0.1, "value": 5 } ] },
                                )" +
           elastic + R"(, "yield_stress": 20 } },
      "fluids": [ { "material": "slime", )" +
           (varying ? R"("temperature": 65, )" : "") + R"("shape": { "box": )" +
           (flat ? R"({ "center": [0, 0.5], "size": [1.0, 0.9] })"
                 : R"({ "center": [0, 0.15, 0], "size": [0.28, 0.28, 0.28] })") +
           R"( }, "velocity": )" + (flat ? "[1, -2]" : "[1, -2, 0.5]") + R"( } ],
      "emitters": [ { "material": "slime", "speed": 3, "shape": { "disk": { "radius": 0.05 } }, "end": 0.035,
        "position": )" +
           (flat ? R"([-1, 0.8], "direction": [1, -1])" : R"([-0.4, 0.3, 0], "direction": [1, -1, 0])") + R"( } ],
      "sinks": [ { "shape": { "sphere": { "radius": 0.05, "center": )" +
           (flat ? "[0.45, 0.2]" : "[0.14, 0.05, 0]") + R"( } } } ],
      "solids": [ { "name": "floor", "shape": { "plane": { "normal": )" +
           (flat ? "[0, 1]" : "[0, 1, 0]") + R"(, "offset": 0 } })" +
           (varying ? R"(, "temperature": { "keyframes": [ { "time": 0, "value": 0 }, { "time": 1, "value": 50 } ] })"
                    : "") +
           R"( },
                  { "name": "ball", "shape": { "sphere": { "center": )" +
           (flat ? "[0.62, 0.3]" : "[0.25, 0.1, 0]") + R"(, "radius": 0.1 } },
                    "friction": "no_slip", "adhesion": 0.5,
                    "motion": { "keyframes": [ { "time": 0 }, { "time": 0.5, "position": )" +
           (flat ? "[-0.3, 0]" : "[-0.2, 0, 0]") + R"( } ] } },
                  { "name": "cork", "shape": { "box": { "center": )" +
           (flat ? "[0, 1.02]" : "[0, 0.36, 0]") + R"(, "size": )" + (flat ? "[0.1, 0.1]" : "[0.1, 0.1, 0.1]") +
           R"( } }, "motion": { "dynamic": { "density": 300, "angular_velocity": )" + (flat ? "90" : "[10, 20, 90]") +
           R"( } } },
                  { "name": "lid", "shape": { "sphere": { "center": )" +
           (flat ? "[0, 1.2]" : "[0, 0.5, 0]") + R"(, "radius": 0.08 } },
                    "motion": { "dynamic": { "density": 900, "velocity": )" +
           (flat ? "[0, -3]" : "[0, -3, 0]") + R"( } } } ] })";
}

struct Case {
    const char* method;
    int dimension;
    const char* precision;
    Stuff stuff = Stuff::plain;
};

constexpr int frames = 3;

/// A race shows in the first steps, and the thread sanitizer makes each of them slow.
void advance(test::RunningScene& run) {
    if (!TREACLE_SANITIZED) {
        ASSERT_TRUE(run.advance(frames)) << run.error();
        return;
    }
    int steps = 0;
    const auto outcome = run.simulation().advance_frame([&](const StepInfo&) { return ++steps < 2; });
    ASSERT_TRUE(outcome) << to_string(outcome.error());
}

class SameBits : public testing::TestWithParam<Case> {};

TEST_P(SameBits, ForAnyNumberOfThreads) {
    const auto text = scene_text(GetParam().method, GetParam().dimension, GetParam().precision, GetParam().stuff);
    test::RunningScene one(text, 1), two(text, 2), four(text, 4);
    ASSERT_GT(one.state().particles.size(), 2048u);  // several blocks, so that threads share the work
    for (test::RunningScene* run : {&one, &two, &four}) advance(*run);
    const bool connects =
        GetParam().method != std::string("barreiro2017") && GetParam().method != std::string("mukai2021");
    if (connects || GetParam().stuff == Stuff::remembering) { EXPECT_GT(one.metric("connections"), 1000); }
    EXPECT_GT(one.state().statistics.steps, 1u);
    if (!TREACLE_SANITIZED) { EXPECT_GT(one.state().emission.emitters[0].layers, 1u + frames); }
    EXPECT_EQ(state_hash(one.state()), state_hash(two.state()));
    EXPECT_EQ(state_hash(one.state()), state_hash(four.state()));
}

TEST_P(SameBits, ForARunThatWasStoppedAndResumed) {
    const auto text = scene_text(GetParam().method, GetParam().dimension, GetParam().precision, GetParam().stuff);
    const Scene scene = test::scene_from(text);
    test::RunningScene straight(text, 2);
    ASSERT_TRUE(straight.advance(4));

    // Stop in the middle of the third frame, save, load, continue with another number of threads.
    test::RunningScene first(text, 1);
    ASSERT_TRUE(first.advance(2));
    int steps = 0;
    const auto outcome = first.simulation().advance_frame([&](const StepInfo&) { return ++steps < 2; });
    ASSERT_TRUE(outcome);
    ASSERT_EQ(*outcome, Simulation::Outcome::stopped);
    const std::string path =
        (std::filesystem::temp_directory_path() / ("treacle_resume_" + std::to_string(getpid()) + ".h5")).string();
    ASSERT_TRUE(save_checkpoint(path, first.state(), to_text(scene_to_json(scene)), "test"));
    auto loaded = load_checkpoint(path);
    std::filesystem::remove(path);
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    EXPECT_EQ(state_hash(loaded->state), state_hash(first.state()));
    auto resumed = Simulation::resume(scene, std::move(loaded->state), 2, Log{});
    ASSERT_TRUE(resumed);
    for (int n = 0; n < 2; ++n) ASSERT_TRUE((*resumed)->advance_frame([](const StepInfo&) { return true; }));
    EXPECT_EQ((*resumed)->state().frame, straight.state().frame);
    EXPECT_EQ(state_hash((*resumed)->state()), state_hash(straight.state()));
    EXPECT_EQ((*resumed)->metrics(0), straight.simulation().metrics(0));  // including the interrupted frame
}

std::vector<Case> cases() {
    std::vector<Case> all{{"takahashi2014", 2, "float", Stuff::varying},
                          {"takahashi2014", 3, "double", Stuff::varying},
                          {"barreiro2017", 2, "float", Stuff::remembering}};
    for (const MethodRow& method : method_registry()) {
        for (const int dimension : {2, 3}) {
            if (method.single_precision) all.push_back({method.id, dimension, "float"});
            if (method.double_precision) all.push_back({method.id, dimension, "double"});
        }
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(AllSpaces, SameBits, testing::ValuesIn(cases()), [](const auto& which) {
    return std::string(which.param.method) + "_" + std::to_string(which.param.dimension) + "D_" +
           which.param.precision +
           (which.param.stuff == Stuff::varying       ? "_varying"
            : which.param.stuff == Stuff::remembering ? "_remembering"
                                                      : "");
});

TEST(Caution, HalvesTheStepUntilItsFrameAndIsKeptInCheckpoints) {
    const Scene scene = test::scene_from(scene_text("clavet2005", 2, "float"));
    const auto steps_of_frame = [](Simulation& simulation) {
        int steps = 0;
        EXPECT_TRUE(simulation.advance_frame([&](const StepInfo&) { return ++steps > 0; }));
        return steps;
    };
    test::RunningScene normal(scene), cautious(scene);
    ASSERT_TRUE(normal.advance(1));
    ASSERT_TRUE(cautious.advance(1));
    cautious.simulation().be_cautious({0.5, 4});
    const std::string path =
        (std::filesystem::temp_directory_path() / ("treacle_caution_" + std::to_string(getpid()) + ".h5")).string();
    ASSERT_TRUE(save_checkpoint(path, cautious.state(), to_text(scene_to_json(scene)), "test"));
    auto loaded = load_checkpoint(path);
    std::filesystem::remove(path);
    ASSERT_TRUE(loaded);
    auto resumed = Simulation::resume(scene, std::move(loaded->state), 2, Log{});
    ASSERT_TRUE(resumed);
    for (int frame = 3; frame <= 5; ++frame) {
        const int usual = steps_of_frame(normal.simulation());
        const int steps = steps_of_frame(**resumed);
        // Limits follow the fluid, whose way differs by the steps: not twice as many to the step.
        if (frame <= 4) EXPECT_GE(steps, 1.8 * usual) << frame;
        else EXPECT_LE(steps, usual + 1) << frame;
    }
}

TEST(StateHash, ChangeWhenTheSceneChanges) {  // the hash is not a constant
    Scene scene = test::scene_from(scene_text("clavet2005", 2, "float"));
    test::RunningScene a(scene), b(scene);
    ASSERT_TRUE(a.advance(1));
    scene.gravity.y = -9.811;
    test::RunningScene c(scene);
    ASSERT_TRUE(b.advance(1));
    ASSERT_TRUE(c.advance(1));
    EXPECT_EQ(state_hash(a.state()), state_hash(b.state()));
    EXPECT_NE(state_hash(a.state()), state_hash(c.state()));
}

}  // namespace
}  // namespace treacle
