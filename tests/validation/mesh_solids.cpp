#include <algorithm>

#include "support/run_scene.h"
#include "support/temporary_folder.h"

/// Fluid and rigid bodies with solids of all shapes: nothing leaks, nothing gets deep into a solid.

namespace treacle {
namespace {

const char* cube_obj =
    "v -0.5 -0.5 -0.5\nv 0.5 -0.5 -0.5\nv 0.5 0.5 -0.5\nv -0.5 0.5 -0.5\nv -0.5 -0.5 0.5\nv 0.5 -0.5 0.5\n"
    "v 0.5 0.5 0.5\nv -0.5 0.5 0.5\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
const char* wedge_obj =
    "v 0 0.5 -0.5\nv -0.1 -0.5 -0.5\nv 0.1 -0.5 -0.5\nv 0 0.5 0.5\nv -0.1 -0.5 0.5\nv 0.1 -0.5 0.5\n"
    "f 1 3 2\nf 4 5 6\nf 1 2 5 4\nf 2 3 6 5\nf 3 1 4 6\n";

Scene scene_in(const TemporaryFolder& folder, const std::string& fluid, const std::string& solids) {
    put_content(folder.file("cube.obj"), cube_obj);
    put_content(folder.file("wedge.obj"), wedge_obj);
    const std::string text =
        R"({ "treacle": 1, "method": "clavet2005", "particle_spacing": 0.02, "time": { "duration": 10, "fps": 30 },
      "clavet2005": { "sound_speed": 8 }, "materials": { "water": { "viscosity": 2 } },
        "fluids": [ { "material": "water", "shape": )" +
        fluid + R"( } ], "solids": [ )" + solids + " ] }";
    const auto json = parse_json(text, "test");
    if (!json) throw std::runtime_error(to_string(json.error()));
    auto scene = read_scene(*json, folder.file("scene.json"), Log{});
    if (!scene) throw std::runtime_error(to_string(scene.error()));
    return *scene;
}

/// Depth of particles in the solids: of the deepest, and the share of those deeper than half a spacing.
struct Depth {
    double deepest = 0;
    std::size_t deep = 0, all = 0;

    void add(const test::RunningScene& run) {
        for (const Vec3d& x : run.vectors("position")) {
            double depth = 0;
            for (const Body& body : run.state().bodies) depth = std::max(depth, -body.surface_at(x).distance);
            deepest = std::max(deepest, depth);
            deep += depth > 0.01;
            ++all;
        }
    }
};

Depth depth_after(test::RunningScene& run, int frames) {
    Depth depth;
    for (int n = 0; n < frames; ++n) {
        if (!run.advance(1)) throw std::runtime_error(run.error());
        depth.add(run);
    }
    return depth;
}

TEST(MeshSolids, ContainersOfEveryShapeHoldTheirFluid) {
    for (const std::string shape :
         {R"({ "sphere": { "radius": 0.2 } })", R"({ "cylinder": { "radius": 0.15, "height": 0.3 } })",
          R"({ "capsule": { "radius": 0.15, "height": 0.1, "axis": [1, 0.5, 0] } })",
          R"({ "mesh": "cube.obj", "transform": { "scale": 0.3, "rotate": [0, 0, 30] } })"}) {
        TemporaryFolder folder;
        test::RunningScene run(scene_in(folder, R"({ "box": { "size": [0.16, 0.16, 0.16] } })",
                                        R"({ "name": "pot", "invert": true, "shape": )" + shape + " }"));
        const Depth depth = depth_after(run, 20);
        EXPECT_EQ(depth.deep, 0u) << shape;
        EXPECT_LT(depth.deepest, 0.01) << shape;
        RecordProperty("deepest", std::to_string(depth.deepest));
    }
}

/// A pipe turned inside out is the space in its wall: a ring that holds its content.
TEST(MeshSolids, AnInvertedTubeHoldsItsFluid) {
    TemporaryFolder folder;
    test::RunningScene run(
        scene_in(folder, R"({ "box": { "center": [0.2, 0, 0], "size": [0.1, 0.1, 0.1] } })",
                 R"({ "name": "ring", "invert": true, "shape": { "tube": { "radius": 0.3, "inner_radius": 0.1,
          "height": 0.3 } } })"));
    const Depth depth = depth_after(run, 30);
    EXPECT_EQ(depth.deep, 0u) << depth.deepest;
}

/// A plate of one spacing, made of triangles, carries a pool: it is the bottom of a shaft.
TEST(MeshSolids, AThinMeshPlateLetsNothingThrough) {
    TemporaryFolder folder;
    put_content(
        folder.file("plate.obj"),
        "v -0.3 0.14 -0.3\nv 0.3 0.14 -0.3\nv 0.3 0.16 -0.3\nv -0.3 0.16 -0.3\nv -0.3 0.14 0.3\nv 0.3 0.14 0.3\n"
        "v 0.3 0.16 0.3\nv -0.3 0.16 0.3\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    test::RunningScene run(scene_in(folder, R"({ "box": { "center": [0, 0.4, 0], "size": [0.3, 0.2, 0.3] } })", R"(
      { "name": "shaft", "invert": true, "shape": { "box": { "center": [0, 0.4, 0], "size": [0.4, 1.6, 0.4] } } },
      { "name": "plate", "shape": { "mesh": "plate.obj" } })"));
    const Depth depth = depth_after(run, 30);
    EXPECT_EQ(depth.deep, 0u) << depth.deepest;
    for (const Vec3d& x : run.vectors("position")) ASSERT_GT(x.y, 0.15);
}

TEST(MeshSolids, FluidFillsAMeshAndStaysInItsTank) {
    TemporaryFolder folder;
    const std::string fluid =
        R"({ "mesh": "wedge.obj", "transform": { "scale": 0.4, "translate": [0, 0.25, 0], "rotate": [0, 30, 0] } })";
    test::RunningScene run(scene_in(folder, fluid,
                                    R"({ "name": "tank", "invert": true, "shape": { "box": { "center": [0, 0.4, 0],
          "size": [0.5, 0.8, 0.5] } } })"));
    // The wedge has half the volume of its box, 0.2 × 1 × 1 before scaling.
    EXPECT_NEAR(run.metric("mass"), 1000 * 0.1 * 0.4 * 0.4 * 0.4, 1e-3);
    const Depth depth = depth_after(run, 20);
    EXPECT_EQ(depth.deep, 0u) << depth.deepest;
    EXPECT_LT(run.metric("max_y"), 0.4);
}

/// A fluid falls on a wedge, a plate of one spacing, a paddle that turns and a board that moves.
TEST(MeshSolids, AStressSceneLetsNothingThrough) {
    TemporaryFolder folder;
    test::RunningScene run(scene_in(folder, R"({ "box": { "center": [0, 0.5, 0], "size": [0.3, 0.2, 0.3] } })", R"(
      { "name": "tank", "invert": true, "shape": { "box": { "center": [0, 0.4, 0], "size": [0.5, 0.8, 0.5] } } },
      { "name": "wedge", "shape": { "mesh": "wedge.obj", "transform": { "scale": 0.3, "translate": [0, 0.2, 0] } } },
      { "name": "plate", "shape": { "box": { "center": [0.15, 0.15, 0], "size": [0.15, 0.02, 0.4] } } },
      { "name": "paddle", "shape": { "mesh": "cube.obj", "transform": { "scale": 0.12,
        "translate": [-0.15, 0.12, 0] } },
        "motion": { "angular_velocity": [0, 0, 180] } },
      { "name": "board", "shape": { "box": { "center": [0, 0.04, -0.2], "size": [0.4, 0.08, 0.04] } },
        "motion": { "keyframes": [ { "time": 0.2 }, { "time": 1, "position": [0, 0, 0.3] } ],
          "interpolation": "smooth" } })"));
    const Depth depth = depth_after(run, 30);
    EXPECT_LT(static_cast<double>(depth.deep), 0.001 * static_cast<double>(depth.all)) << "deepest " << depth.deepest;
    std::printf("deeper than half a spacing: %zu of %zu, deepest %g m\n", depth.deep, depth.all, depth.deepest);
}

TEST(MeshSolids, AMeshCubeFloatsAsABoxDoes) {
    double heights[2];
    for (const bool mesh : {false, true}) {
        TemporaryFolder folder;
        const std::string shape =
            mesh ? R"({ "mesh": "cube.obj", "transform": { "scale": 0.12, "translate": [0, 0.27, 0] } })"
                 : R"({ "box": { "center": [0, 0.27, 0], "size": [0.12, 0.12, 0.12] } })";
        test::RunningScene run(scene_in(folder, R"({ "box": { "center": [0, 0.1, 0], "size": [0.3, 0.2, 0.3] } })", R"(
          { "name": "tank", "invert": true, "shape": { "box": { "center": [0, 0.5, 0], "size": [0.3, 1, 0.3] } } },
          { "name": "cube", "shape": )" + shape + R"(, "motion": { "dynamic": { "density": 500 } } })"));
        ASSERT_TRUE(run.advance(30)) << run.error();
        heights[mesh] = run.state().bodies[1].center_of_mass_in_space().y;
    }
    EXPECT_NEAR(heights[0], heights[1], 0.01);
    EXPECT_GT(heights[1], 0.15);
    EXPECT_LT(heights[1], 0.27);
}

/// A ball and a capsule fall into a round pot, a short pipe and a bar onto its bottom.
TEST(MeshSolids, RigidBodiesStayInRoundContainers) {
    TemporaryFolder folder;
    test::RunningScene run(
        scene_in(folder, R"({ "box": { "center": [-0.2, 0.05, 0], "size": [0.04, 0.04, 0.04] } })", R"(
      { "name": "pot", "invert": true, "shape": { "cylinder": { "center": [0, 0.5, 0], "radius": 0.3, "height": 1 } } },
      { "name": "ball", "shape": { "sphere": { "center": [0.1, 0.4, 0], "radius": 0.05 } },
        "motion": { "dynamic": { "density": 500 } } },
      { "name": "pill", "shape": { "capsule": { "center": [-0.1, 0.5, 0], "radius": 0.04, "height": 0.1 } },
        "motion": { "dynamic": { "density": 500 } } },
      { "name": "pipe", "shape": { "tube": { "center": [0, 0.7, 0.1], "radius": 0.06, "inner_radius": 0.04,
        "height": 0.1 } }, "motion": { "dynamic": { "density": 500 } } },
      { "name": "bar", "shape": { "cylinder": { "center": [0, 0.9, 0], "axis": [1, 0.2, 0], "radius": 0.03,
        "height": 0.2 } }, "motion": { "dynamic": { "density": 500 } } })"));
    ASSERT_TRUE(run.advance(45)) << run.error();
    for (const char* name : {"ball", "pill", "pipe", "bar"}) {
        const Bodies& bodies = run.state().bodies;
        const Body& body = *std::find_if(bodies.begin(), bodies.end(), [&](const Body& b) { return b.name == name; });
        const Bounds box = *bounds(body.shape, body.pose);
        EXPECT_GT(box.low.y, -0.01) << name;
        EXPECT_LT(box.low.y, 0.2) << name;
        EXPECT_LT(std::max({box.high.x, -box.low.x, box.high.z, -box.low.z}), 0.31) << name;
    }
}

/// In 2D a round container is a disc or a stadium, and a bar is a rectangle.
TEST(MeshSolids, RigidBodiesStayInRoundContainers2D) {
    for (const std::string shape :
         {R"({ "sphere": { "center": [0, 0.4], "radius": 0.4 } })",
          R"({ "capsule": { "center": [0, 0.4], "axis": [1, 0], "radius": 0.4, "height": 0.2 } })",
          R"({ "cylinder": { "center": [0, 0.4], "radius": 0.4, "height": 0.8 } })"}) {
        test::RunningScene run(
            R"({ "treacle": 1, "method": "clavet2005", "dimension": 2, "particle_spacing": 0.02, "gravity": [0, -9.81],
          "time": { "duration": 10, "fps": 30 }, "materials": { "water": { "viscosity": 2 } },
          "fluids": [ { "material": "water", "shape": { "box": { "center": [0, 0.1], "size": [0.1, 0.1] } } } ],
          "solids": [ { "name": "pot", "invert": true, "shape": )" +
            shape + R"( },
            { "name": "ball", "shape": { "sphere": { "center": [0.2, 0.5], "radius": 0.05 } },
              "motion": { "dynamic": { "density": 500 } } },
            { "name": "box", "shape": { "box": { "center": [-0.2, 0.5], "size": [0.1, 0.08] } },
              "motion": { "dynamic": { "density": 500 } } } ] })");
        ASSERT_TRUE(run.advance(60)) << run.error();
        const Bodies& bodies = run.state().bodies;
        for (const std::size_t n : {1u, 2u}) {
            const Vec3d center = bodies[n].center_of_mass_in_space();
            EXPECT_GT(bodies[0].surface_at(center).distance, 0.035) << shape << bodies[n].name;
            EXPECT_LT(center.y, 0.4) << shape << bodies[n].name;
        }
    }
}

}  // namespace
}  // namespace treacle
