#include <treacle/simulation.h>

#include <future>
#include <optional>
#include <set>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

// The library as another program sees it: this file includes no other header of treacle.

namespace {

using namespace treacle::v0;

const std::string jelly = R"({ "treacle": 1, "method": "takahashi2014", "dimension": 2, "particle_spacing": 0.02,
    "time": { "duration": 1, "fps": 50 },
    "materials": { "jelly": { "viscosity": 2, "shear_modulus": 2000 } },
    "fluids": [{ "material": "jelly", "shape": { "box": { "center": [0.1, 0.12], "size": [0.2, 0.2] } } }],
    "solids": [{ "name": "floor", "shape": { "plane": { "normal": [0, 1], "offset": 0 } } },
               { "name": "ball", "motion": { "dynamic": { "density": 300 } },
                 "shape": { "sphere": { "center": [0.1, 0.3], "radius": 0.05 } } }] })";

Options one_thread() {
    Options options;
    options.threads = 1;
    return options;
}

TEST(Library, ReadsAndStepsAScene) {
    Simulation simulation = Simulation::from_text(jelly, one_thread());
    EXPECT_EQ(simulation.particles(), 100u);
    EXPECT_EQ(simulation.threads(), 1);
    EXPECT_EQ(simulation.time(), 0);
    const Step step = simulation.step();
    EXPECT_GT(step.dt, 0);
    EXPECT_EQ(step.time, simulation.time());
    EXPECT_EQ(step.particles, 100u);
    EXPECT_FALSE(step.limited_by.empty());
    EXPECT_EQ(simulation.steps(), 1u);
    simulation.advance_to(0.031);
    EXPECT_EQ(simulation.time(), 0.031);
    simulation.advance_frame();
    EXPECT_EQ(simulation.time(), 0.04);
    EXPECT_EQ(simulation.frame().number, 3);
}

TEST(Library, FramesHaveColumnsOfAllParticles) {
    Simulation simulation = Simulation::from_text(jelly, one_thread());
    simulation.advance_to(0.05);
    const Frame frame = simulation.frame();
    EXPECT_EQ(frame.dimension, 2);
    EXPECT_EQ(frame.particles, 100u);
    ASSERT_EQ(frame.ids.size(), 100u);
    EXPECT_EQ(std::set<std::uint32_t>(frame.ids.begin(), frame.ids.end()).size(), 100u);

    const Column& position = frame.column("position");
    EXPECT_EQ(position.unit, "m");
    EXPECT_EQ(position.components, 3);
    EXPECT_EQ(position.stride, 4);
    EXPECT_EQ(position.type, Scalar::float32);
    const std::span<const float> numbers = position.values<float>();
    ASSERT_EQ(numbers.size(), 400u);
    double height = 0, mass = 0;
    for (std::size_t i = 0; i < frame.particles; ++i) {
        EXPECT_EQ(static_cast<double>(numbers[4 * i + 1]), position.at(i, 1));
        height += position.at(i, 1) / 100;
        mass += frame.column("mass").at(i);
    }
    EXPECT_NEAR(mass, 0.2 * 0.2 * 1000, 1e-3);
    EXPECT_NEAR(height, simulation.metric("com_y"), 1e-6);
    EXPECT_NEAR(simulation.metric("mass"), mass, 1e-6);
    EXPECT_EQ(frame.column("id").type, Scalar::uint32);
    EXPECT_TRUE(frame.has("velocity"));
    EXPECT_FALSE(frame.has("speed"));

    EXPECT_THROW(position.values<double>(), Error);
    EXPECT_THROW(position.at(100, 0), Error);
    EXPECT_THROW(position.at(0, 3), Error);
    EXPECT_THROW(simulation.metric("happiness"), Error);
    try {
        frame.column("speed");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("velocity"), std::string::npos) << error.what();
    }
}

TEST(Library, BodiesHavePosesAndForces) {
    Simulation simulation = Simulation::from_text(jelly, one_thread());
    simulation.advance_to(0.05);
    const Frame frame = simulation.frame();
    ASSERT_EQ(frame.bodies.size(), 2u);
    const Body& ball = frame.body("ball");
    EXPECT_TRUE(ball.dynamic);
    EXPECT_FALSE(frame.body("floor").dynamic);
    EXPECT_LT(ball.velocity[1], -0.1);
    EXPECT_NE(ball.position[1], 0);
    EXPECT_THROW(frame.body("roof"), Error);
}

TEST(Library, SnapshotsBringTheSameBitsBack) {
    Simulation simulation = Simulation::from_text(jelly, one_thread());
    simulation.advance_frame();
    const Snapshot before = simulation.snapshot();
    const std::uint64_t hash = simulation.state_hash();
    EXPECT_EQ(before.time(), 0.02);
    EXPECT_EQ(before.step(), simulation.steps());
    simulation.set("/materials/jelly/viscosity", 50);
    simulation.advance_frame();
    const std::uint64_t thick = simulation.state_hash();

    simulation.restore(before);
    EXPECT_EQ(simulation.state_hash(), hash);
    EXPECT_NE(simulation.scene().find("\"viscosity\": 2"), std::string::npos) << simulation.scene();
    simulation.advance_frame();
    EXPECT_NE(simulation.state_hash(), thick);

    simulation.restore(before);
    simulation.set("/materials/jelly/viscosity", "50");
    simulation.advance_frame();
    EXPECT_EQ(simulation.state_hash(), thick);

    Simulation other = Simulation::from_text(jelly, one_thread());
    EXPECT_THROW(other.restore(before), Error);
}

TEST(Library, SnapshotsAreReadWhileTheSimulationRuns) {
    std::optional<Simulation> simulation = Simulation::from_text(jelly, one_thread());
    simulation->advance_frame();
    const Snapshot moment = simulation->snapshot();
    const auto sum = [](const Frame& frame) {
        double total = 0;
        for (std::size_t i = 0; i < frame.particles; ++i) total += frame.column("position").at(i, 1);
        return total;
    };
    const double expected = sum(simulation->frame());
    std::future<double> reader = std::async(std::launch::async, [&] {
        double last = 0;
        for (int n = 0; n < 200; ++n) last = sum(moment.frame());
        return last;
    });
    for (int n = 0; n < 3; ++n) simulation->advance_frame();
    EXPECT_EQ(reader.get(), expected);
    simulation.reset();
    EXPECT_EQ(sum(moment.frame()), expected) << "a snapshot outlives its simulation";
}

TEST(Library, OptionsReachTheScene) {
    Options options = one_thread();
    options.overrides = {{"/particle_spacing", "0.04"}, {"/solids/0/friction", "no_slip"}};
    options.method = "clavet2005";
    std::vector<std::string> warnings;
    options.warning = [&](const std::string& text) { warnings.push_back(text); };
    Simulation simulation = Simulation::from_text(jelly, options);
    EXPECT_EQ(simulation.particles(), 25u);
    const std::string scene = simulation.scene();
    EXPECT_NE(scene.find("\"method\": \"clavet2005\""), std::string::npos);
    EXPECT_NE(scene.find("\"friction\": \"no_slip\""), std::string::npos);

    options.overrides.push_back({"/materials/jelly/yield_stress", "10"});  // without a relaxation time
    Simulation::from_text(jelly, options);
    EXPECT_FALSE(warnings.empty());
}

TEST(Library, FilesAreReadWithPathsBesideThem) {
    const treacle::TemporaryFolder folder;
    treacle::put_content(folder.file("jelly.json"), jelly);
    Simulation from_file = Simulation::from_file(folder.file("jelly.json"), one_thread());
    Simulation from_text = Simulation::from_text(jelly, one_thread());
    from_file.advance_frame(), from_text.advance_frame();
    EXPECT_EQ(from_file.state_hash(), from_text.state_hash());
    EXPECT_THROW(Simulation::from_file(folder.file("none.json")), Error);
}

TEST(Library, ErrorsHaveAllProblemsWithTheirPlaces) {
    Options options = one_thread();
    options.overrides = {{"/materials/jelly/viscosity", "-1"}, {"/particle_spacng", "1"}};
    try {
        Simulation::from_text(jelly, options, "goo.json");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::wrong_input);
        ASSERT_EQ(error.problems().size(), 2u) << error.what();
        EXPECT_EQ(error.problems()[0].file, "goo.json");
        const std::set<std::string> pointers{error.problems()[0].pointer, error.problems()[1].pointer};
        EXPECT_EQ(pointers, (std::set<std::string>{"/materials/jelly/viscosity", "/particle_spacng"}));
        EXPECT_NE(std::string(error.what()).find("goo.json"), std::string::npos);
    }
    EXPECT_THROW(Simulation::from_text("{ no scene"), Error);

    Simulation simulation = Simulation::from_text(jelly, one_thread());
    const std::uint64_t hash = simulation.state_hash();
    EXPECT_THROW(simulation.set("/materials/jelly/viscosity", -1), Error);
    EXPECT_THROW(simulation.set("/materials/honey/viscosity", 1), Error);
    EXPECT_THROW(simulation.set("/particle_spacing", 0.01), Error);
    EXPECT_EQ(simulation.state_hash(), hash);
}

TEST(Library, DivergenceIsAnErrorFromWhichASnapshotSaves) {
    Options options = one_thread();
    options.overrides = {{"/time/fixed_dt", "0.02"},
                         {"/materials/jelly/shear_modulus", "1e6"},
                         {"/takahashi2014", R"({ "elasticity": "explicit" })"}};
    Simulation simulation = Simulation::from_text(jelly, options);
    const Snapshot start = simulation.snapshot();
    try {
        for (int n = 0; n < 50; ++n) simulation.advance_frame();
        FAIL() << "steps that are far too long went well";
    } catch (const Error& error) { EXPECT_EQ(error.kind(), Error::Kind::diverged) << error.what(); }
    simulation.restore(start);
    EXPECT_EQ(simulation.time(), 0);
    EXPECT_EQ(simulation.state_hash(), Simulation::from_text(jelly, options).state_hash());
}

TEST(Library, SaysItsVersion) { EXPECT_STREQ(version(), TREACLE_VERSION); }

}  // namespace
