#include "blocks/solids/solids.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "blocks/solids/solid_geometry.h"
#include "support/run_scene.h"

namespace treacle {
namespace {

/// Slime that sticks to two of three plates.
std::string plates(const std::string& names) {
    std::string solids;
    for (const char c : names) {
        const std::string name(1, c);
        const double x = c == 'a' ? 0.05 : c == 'b' ? 0.15 : 0.9;
        solids += (solids.empty() ? "" : ",") + std::string(R"({ "name": ")") + name +
                  R"(", "adhesion": 1, "shape": { "box": { "center": [)" + std::to_string(x) +
                  R"(, -0.01], "size": [0.1, 0.02] } } })";
    }
    return R"({ "treacle": 1, "method": "takahashi2014", "dimension": 2, "particle_spacing": 0.01,
        "time": { "duration": 1, "fps": 100 },
        "materials": { "slime": { "viscosity": 1, "shear_modulus": 2000 } },
        "fluids": [{ "material": "slime", "shape": { "box": { "center": [0.1, 0.05], "size": [0.2, 0.1] } } }],
        "solids": [)" +
           solids + "] }";
}

std::map<std::string, std::size_t> anchors_by_name(const State& state) {
    std::map<std::string, std::size_t> counts;
    const auto rows = state.anchors.rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (const std::uint32_t body : rows.row(i)) ++counts[state.bodies[body].name];
    }
    return counts;
}

TEST(Solids, KeepTheirIdsAndConnectionsWhenOthersComeAndGo) {
    test::RunningScene run(plates("abc"));
    ASSERT_TRUE(run.advance(2)) << run.error();
    const auto before = anchors_by_name(run.state());
    ASSERT_GT(before.at("a"), 0u);
    ASSERT_GT(before.at("b"), 0u);
    EXPECT_EQ(before.count("c"), 0u);

    for (const std::string names : {"cba", "bca", "dabc", "b"}) {
        auto resumed = Simulation::resume(test::scene_from(plates(names)), run.state(), 1, Log{});
        ASSERT_TRUE(resumed);
        const State& state = (*resumed)->state();
        const auto after = anchors_by_name(state);
        std::set<std::uint32_t> ids;
        for (const Body& body : state.bodies) {
            EXPECT_TRUE(ids.insert(body.id).second) << names;
            const auto old = std::find_if(run.state().bodies.begin(), run.state().bodies.end(),
                                          [&](const Body& other) { return other.name == body.name; });
            if (old == run.state().bodies.end()) {
                EXPECT_GT(body.id, 2u) << "an id that was taken";
                continue;
            }
            EXPECT_EQ(body.id, old->id);
            if (before.count(body.name)) { EXPECT_EQ(after.at(body.name), before.at(body.name)) << names; }
        }
        const auto ends = state.anchors.other_ids();
        const auto others = state.anchors.others();
        for (std::size_t i = 0; i < state.anchors.particle_count(); ++i) {
            for (std::size_t slot = state.anchors.begin(i); slot < state.anchors.begin(i) + state.anchors.count(i);
                 ++slot)
                ASSERT_EQ(state.bodies[others[slot]].id, ends[slot]);
        }
        if (names == "b") { EXPECT_EQ(after.size(), 1u); }
        ASSERT_TRUE((*resumed)->advance_frame([](const StepInfo&) { return true; })) << names;
    }
}

TEST(Solids, GoOnToTheSameBitsWhenTheyAreFoundByName) {
    test::RunningScene run(plates("abc"));
    ASSERT_TRUE(run.advance(1));
    auto same = Simulation::resume(test::scene_from(plates("abc")), run.state(), 1, Log{});
    ASSERT_TRUE(run.advance(2));
    ASSERT_TRUE(same);
    for (int n = 0; n < 2; ++n) ASSERT_TRUE((*same)->advance_frame([](const StepInfo&) { return true; }));
    EXPECT_EQ(state_hash((*same)->state()), state_hash(run.state()));
}

const std::string cone = R"({ "treacle": 1, "method": "takahashi2014", "particle_spacing": 0.03,
    "time": { "duration": 1, "fps": 100 }, "materials": { "honey": { "viscosity": 10 } },
    "fluids": [{ "material": "honey", "shape": { "sphere": { "center": [0, 0.3, 0], "radius": 0.08 } } }],
    "solids": [{ "name": "cone", "shape": { "mesh": ")" TREACLE_SOURCE_DIR
                         R"(/scenes/barreiro2017/cone.obj", "transform": { "scale": 0.2 } } }] })";

/// A file that is read again has another mesh in memory, but of the same content.
TEST(SolidGeometry, IsTakenOverByASimulationOfTheSameMeshes) {
    test::RunningScene first(cone);
    const Scene again = test::scene_from(cone);
    auto second = Simulation::create(again, 1, Log{}, first.simulation().geometry());
    ASSERT_TRUE(second);
    const auto field = [](const State& state) { return std::get<Mesh>(state.bodies[0].shape.form).field; };
    EXPECT_NE(std::get<Mesh>(again.solids[0].shape.form).solid,
              std::get<Mesh>(first.state().bodies[0].shape.form).solid);
    EXPECT_EQ(field((*second)->state()), field(first.state()));

    auto alone = Simulation::create(again, 1, Log{});
    ASSERT_TRUE(alone);
    EXPECT_NE(field((*alone)->state()), field(first.state()));
    for (auto* simulation : {second->get(), alone->get()})
        ASSERT_TRUE(simulation->advance_frame([](const StepInfo&) { return true; }));
    EXPECT_EQ(state_hash((*second)->state()), state_hash((*alone)->state()));
}

TEST(SolidGeometry, LaysSamplesOfAMeshOnce) {
    const Scene scene = test::scene_from(cone);
    SolidGeometry geometry;
    int laid = 0;
    const auto lay = [&] {
        ++laid;
        return BodySampleSet{};
    };
    const Shape& shape = scene.solids[0].shape;
    const SolidGeometry::Sampling sampling{.spacing = 0.03, .support_radius = 0.06};
    const auto set = geometry.samples(shape, sampling, lay);
    EXPECT_EQ(geometry.samples(shape, sampling, lay), set);
    EXPECT_EQ(laid, 1);
    SolidGeometry::Sampling finer = sampling, inverted = sampling;
    finer.spacing = 0.02;
    inverted.invert = true;
    geometry.samples(shape, finer, lay);
    geometry.samples(shape, inverted, lay);
    Shape moved = shape;
    moved.transform.translate.x = 1;
    geometry.samples(moved, sampling, lay);
    EXPECT_EQ(laid, 4);
}

TEST(SolidGeometry, LaysTheLayersOfAMeshOnceForAllPlaces) {
    const Scene scene = test::scene_from(cone);
    SolidGeometry geometry;
    const Shape& shape = scene.solids[0].shape;
    Shape moved = shape;
    moved.transform.translate = {1, 2, 3};
    moved.transform.rotate = from_axis_angle({1, 2, 3}, 40);
    const SurfaceSampling sampling{.spacing = 0.03, .depth = 0.015, .count = {}};
    const Parallel parallel(1);
    const auto here = geometry.layer(shape, sampling, parallel), there = geometry.layer(moved, sampling, parallel);
    ASSERT_GT(here.size(), 20u);
    EXPECT_EQ(there, sample_surface(moved, sampling, parallel));
    EXPECT_EQ(here, sample_surface(shape, sampling, parallel));
    SurfaceSampling deeper = sampling;
    deeper.depth = 0.03;
    EXPECT_NE(geometry.layer(shape, deeper, parallel), here);
}

}  // namespace
}  // namespace treacle
