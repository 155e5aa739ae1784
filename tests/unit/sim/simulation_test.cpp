#include "sim/simulation.h"

#include <gtest/gtest.h>

#include "support/run_scene.h"

namespace treacle {
namespace {

const std::string pool = R"({ "treacle": 1, "method": "takahashi2014", "dimension": 2, "particle_spacing": 0.02,
    "time": { "duration": 1, "fps": 50 },
    "materials": { "honey": { "viscosity": 10 },
                   "warm": { "viscosity": { "over": "temperature", "points": [[0, 2], [50, 1]] } },
                   "drying": { "viscosity": { "keyframes": [{ "time": 0, "value": 1 }, { "time": 1, "value": 9 }] } } },
    "fluids": [{ "material": "honey", "shape": { "box": { "center": [0.1, 0.1], "size": [0.2, 0.2] } } }],
    "solids": [{ "name": "floor", "shape": { "plane": { "normal": [0, 1] } } }] })";

TEST(Simulation, StepsOneByOneAreThoseOfAFrame) {
    test::RunningScene by_steps(pool), by_frames(pool);
    int frames = 0;
    while (frames < 3) {
        const auto step = by_steps.simulation().step();
        ASSERT_TRUE(step) << to_string(step.error());
        EXPECT_GT(step->dt, 0);
        EXPECT_EQ(step->time, by_steps.state().time);
        frames += step->frame_done;
    }
    ASSERT_TRUE(by_frames.advance(3));
    EXPECT_EQ(by_steps.state().frame, 4);
    EXPECT_EQ(state_hash(by_steps.state()), state_hash(by_frames.state()));
}

TEST(Simulation, EndsAtExactlyTheTimeAsked) {
    test::RunningScene run(pool);
    for (const double time : {0.013, 0.02, 0.0201, 0.0777}) {
        ASSERT_TRUE(run.simulation().advance_to(time));
        EXPECT_EQ(run.state().time, time);
    }
    EXPECT_EQ(run.state().frame, 4);  // frame 4 is t = 0.06
    const std::uint64_t steps = run.state().step;
    ASSERT_TRUE(run.simulation().advance_to(0.05)) << "the past is no error, and nothing happens";
    EXPECT_EQ(run.state().step, steps);
}

/// Fluid that falls freely has the speed of the time that has passed.
TEST(Simulation, ShortensAFixedStepThatWouldPassTheTime) {
    const std::string falling = R"({ "treacle": 1, "method": "takahashi2014", "dimension": 2, "particle_spacing": 0.02,
        "time": { "duration": 1, "fps": 50, "fixed_dt": 0.01 }, "materials": { "water": {} },
        "fluids": [{ "material": "water", "shape": { "box": { "center": [0, 0], "size": [0.1, 0.1] } } }] })";
    test::RunningScene run(falling);
    for (const double time : {0.013, 0.02, 0.025}) {
        ASSERT_TRUE(run.simulation().advance_to(time));
        double sum = 0;
        for (const Vec3d& velocity : run.vectors("velocity")) sum += velocity.y;
        EXPECT_NEAR(sum / static_cast<double>(run.state().particles.size()), -9.81 * time, 1e-6);
    }
}

/// A paddle that strikes between 0.04 and 0.05 s shortens steps in the frames of its stroke, and no others.
TEST(Simulation, SolidsShortenStepsOnlyWhileTheyMove) {
    const std::string paddle = R"({ "treacle": 1, "method": "takahashi2014", "dimension": 2, "particle_spacing": 0.02,
        "time": { "duration": 1, "fps": 50 }, "materials": { "honey": { "viscosity": 10 } },
        "fluids": [{ "material": "honey", "shape": { "box": { "center": [0.1, 0.1], "size": [0.2, 0.2] } } }],
        "solids": [{ "name": "floor", "shape": { "plane": { "normal": [0, 1] } } },
                   { "name": "paddle", "shape": { "box": { "center": [1, 1], "size": [0.1, 0.1] } },
                     "motion": { "keyframes": [{ "time": 0.04 }, { "time": 0.05, "position": [0.5, 0] }] } }] })";
    test::RunningScene run(paddle);
    for (int frame = 1; frame <= 5; ++frame) {
        bool by_solid = false;
        for (bool done = false; !done;) {
            const auto step = run.simulation().step();
            ASSERT_TRUE(step) << to_string(step.error());
            by_solid = by_solid || std::string_view(step->limited_by) == text_of(StepBound::solid_speed);
            done = step->frame_done;
        }
        EXPECT_EQ(by_solid, frame == 3) << "frame " << frame;
    }
}

/// A body that was thrown and has come to rest.
TEST(Simulation, SolidsShortenStepsOnlyWhileTheyAreFast) {
    const std::string thrown = R"({ "treacle": 1, "method": "takahashi2014", "dimension": 2, "particle_spacing": 0.02,
        "time": { "duration": 1, "fps": 50 }, "materials": { "honey": { "viscosity": 10 } },
        "fluids": [{ "material": "honey", "shape": { "box": { "center": [0.1, 0.1], "size": [0.2, 0.2] } } }],
        "solids": [{ "name": "floor", "shape": { "plane": { "normal": [0, 1] } } },
                   { "name": "ball", "shape": { "sphere": { "center": [1, 0.1], "radius": 0.08 } },
                     "motion": { "dynamic": { "density": 2000, "velocity": [0, -40] } } }] })";
    test::RunningScene run(thrown);
    const auto first = run.simulation().step();
    ASSERT_TRUE(first);
    EXPECT_STREQ(first->limited_by, text_of(StepBound::solid_speed));
    ASSERT_TRUE(run.advance(5));
    const auto later = run.simulation().step();
    ASSERT_TRUE(later);
    EXPECT_STRNE(later->limited_by, text_of(StepBound::solid_speed));
    EXPECT_GT(later->dt, 4 * first->dt);
}

TEST(Simulation, SetsLiveParameters) {
    test::RunningScene run(pool);
    ASSERT_TRUE(run.advance(1));
    const auto fall = [&](double gravity) {
        test::RunningScene other(pool);
        Json down = Json::array();
        down.push(0);
        down.push(-gravity);
        EXPECT_TRUE(other.simulation().set("/gravity", down));
        EXPECT_TRUE(other.advance(2));
        return other.metric("momentum_y");
    };
    EXPECT_LT(std::abs(fall(0)), 1e-3 * std::abs(fall(9.81)) + 1e-6);
    ASSERT_TRUE(run.simulation().set("/solids/0/friction", Json("no_slip")));
    EXPECT_TRUE(std::isinf(run.state().bodies[0].friction));
}

std::string refusal(Simulation& simulation, const std::string& pointer, const Json& value) {
    const std::uint64_t before = state_hash(simulation.state());
    const auto done = simulation.set(pointer, value);
    EXPECT_EQ(state_hash(simulation.state()), before);
    return done ? "" : done.error().problems.front().message;
}

TEST(Simulation, SaysWhyAParameterCannotBeSet) {
    test::RunningScene run(pool);
    Simulation& simulation = run.simulation();
    const auto expect = [&](const std::string& pointer, const Json& value, const std::string& part) {
        const std::string message = refusal(simulation, pointer, value);
        EXPECT_NE(message.find(part), std::string::npos) << pointer << ": " << message;
    };
    expect("/materials/honey/viscosity", -1.0, "must be");
    expect("/materials/honey/viscosity", "thick", "must be");
    expect("/materials/honey/viscositi", 1.0, "viscosity");
    expect("/materials/hony/viscosity", 1.0, "nothing that can change");
    expect("/materials/drying/viscosity", 1.0, "keyframes");
    expect("/materials/warm/viscosity", 1.0, "function");
    expect("/particle_spacing", 0.01, "restart");
    expect("/fluids", 0.01, "restart");
    expect("/solids/1/friction", 0.5, "nothing that can change");
    expect("/solids/x/friction", 0.5, "nothing that can change");
    expect("viscosity", 0.5, "begins with");
    expect("", 0.5, "begins with");
    EXPECT_EQ(*simulation.scene().materials.front().viscosity, 10);
}

}  // namespace
}  // namespace treacle
