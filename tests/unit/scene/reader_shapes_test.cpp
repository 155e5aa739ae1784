#include "scene/reader.h"

#include <gtest/gtest.h>

#include "scene/scene_json.h"
#include "support/temporary_folder.h"
#include "unit/scene/scene_text.h"

/// Shapes, rotations, mouths and motion in a scene file.

namespace treacle {
namespace {

TEST(Reader, vectors_have_as_many_numbers_as_dimensions) {
    EXPECT_EQ(wrong_2d("/gravity", "[0, -9.81, 0]"),
              Texts{"/gravity: must be a list of 2 numbers in a 2D scene, unit m/s², not a list of 3 elements; leave "
                    "out the third, z is 0 anyway"});
    EXPECT_EQ(wrong_2d("/gravity", "[0, -9.81, 1]"),
              Texts{"/gravity: must be a list of 2 numbers in a 2D scene, unit m/s², not a list of 3 elements; there "
                    "is no z"});
    EXPECT_EQ(wrong_3d("/gravity", "[0, -9.81]"),
              Texts{"/gravity: must be a list of 3 numbers in a 3D scene, unit m/s², not a list of 2 elements"});
    EXPECT_EQ(wrong_3d("/gravity", "[0, \"down\", 0]"),
              Texts{"/gravity: must be a list of 3 numbers in a 3D scene, unit m/s², not a list of 3 elements"});
    EXPECT_EQ(wrong_3d("/gravity", "9.81"),
              Texts{"/gravity: must be a list of 3 numbers in a 3D scene, unit m/s², not the number 9.81"});
    EXPECT_EQ(wrong_3d("/gravity", "[0, -1e5, 0]"),
              Texts{"/gravity: every number in it must be from -10000 to 10000, unit m/s²; one is -1e+05"});
    // A wrong dimension does not make all vectors wrong.
    EXPECT_EQ(wrong_2d("/dimension", "4"), Texts{"/dimension: must be a whole number from 2 to 3; it is 4"});
}

TEST(Reader, rotations_are_one_number_in_2d) {
    EXPECT_EQ(scene_of(with(small_scene_2d, "/fluids/0/angular_velocity", "90")).fluids[0].angular_velocity,
              (Vec3d{0, 0, 90}));
    EXPECT_EQ(wrong_2d("/fluids/0/angular_velocity", "[0, 0, 90]"),
              Texts{"/fluids/0/angular_velocity: must be one number in a 2D scene, unit degrees/s, not a list of 3 "
                    "elements"});
    EXPECT_EQ(wrong_2d("/fluids/0/angular_velocity", "1e9"),
              Texts{"/fluids/0/angular_velocity: every number in it must be from -1e+06 to 1e+06, unit degrees/s; one "
                    "is 1e+09"});
    EXPECT_EQ(wrong_3d("/fluids/0/angular_velocity", "90"),
              Texts{"/fluids/0/angular_velocity: must be a list of 3 numbers in a 3D scene, unit degrees/s, not the "
                    "number 90"});
    const std::string rotate = "/fluids/0/shape/transform/rotate";
    EXPECT_EQ(scene_of(with(small_scene_2d, rotate, "30")).fluids[0].shape.transform.rotate,
              from_axis_angle({0, 0, 1}, 30));
    EXPECT_EQ(wrong_2d(rotate, R"({"axis": [0, 1], "angle": 5})"),
              Texts{rotate + ": must be one number in a 2D scene, unit degrees, not an axis and an angle"});
    EXPECT_EQ(wrong_2d(rotate, R"({"quaternion": [1, 1, 0, 0]})"),
              Texts{rotate + "/quaternion: in a 2D scene x and y must be 0: everything turns about z"});
}

TEST(Reader, rotations_in_3d) {
    const std::string rotate = "/fluids/0/shape/transform/rotate";
    const auto rotation = [&](const std::string& value) {
        return scene_of(with(small_scene_3d, rotate, value)).fluids[0].shape.transform.rotate;
    };
    EXPECT_EQ(rotation("[10, 20, 30]"), from_euler_xyz({10, 20, 30}));
    EXPECT_EQ(rotation(R"({"axis": [0, 0, 2], "angle": 45})"), from_axis_angle({0, 0, 2}, 45));
    EXPECT_EQ(rotation(R"({"quaternion": [0.6, 0, 0.8, 0]})"), (Quaternion{0.6, 0, 0.8, 0}));
    EXPECT_EQ(rotation(R"({"quaternion": [2, 0, 0, 0]})"), Quaternion{});
    EXPECT_EQ(wrong_3d(rotate, R"({"axis": [0, 0, 0], "angle": 5})"), Texts{rotate + "/axis: must not be zero"});
    EXPECT_EQ(wrong_3d(rotate, R"({"axis": [0, 0, 1]})"),
              Texts{rotate + ": must hold both \"axis\" and \"angle\", or \"quaternion\""});
    EXPECT_EQ(wrong_3d(rotate, R"({"angle": 3, "quaternion": [1, 0, 0, 0]})"),
              Texts{rotate + ": must hold \"quaternion\" alone, or \"axis\" and \"angle\""});
    EXPECT_EQ(wrong_3d(rotate, R"({"quaternion": [0, 0, 0, 0]})"),
              Texts{rotate + "/quaternion: must not be zero or enormous"});
    EXPECT_EQ(wrong_3d(rotate, R"({"quaternion": [1, 0, 0]})"),
              Texts{rotate + "/quaternion: must be a list of 4 numbers (w, x, y, z), not a list of 3 elements"});
    EXPECT_EQ(wrong_3d(rotate, R"({"axes": [1, 0, 0]})").size(), 1u);
}

TEST(Reader, degenerate_shapes) {
    const auto size_problem = [](const std::string& value) {
        return "every number in it must be from 1e-09 to 1e+06, unit m; one is " + value;
    };
    EXPECT_EQ(wrong_2d("/fluids/0/shape/box/size", "[0.1, 0]"),
              Texts{"/fluids/0/shape/box/size: " + size_problem("0")});
    EXPECT_EQ(wrong_3d("/fluids/0/shape/box/size", "[0.1, 0.1, -1]"),
              Texts{"/fluids/0/shape/box/size: " + size_problem("-1")});
    EXPECT_EQ(wrong_3d("/fluids/0/shape", R"({"sphere": {"radius": 0}})"),
              Texts{"/fluids/0/shape/sphere/radius: must be a number from 1e-09 to 1e+06, unit m; it is 0"});
    EXPECT_EQ(wrong_2d("/solids/0/shape/plane/normal", "[0, 0]"),
              Texts{"/solids/0/shape/plane/normal: must not be zero"});
    EXPECT_EQ(wrong_2d("/fluids/0/shape/transform", R"({"scale": 0})"),
              Texts{"/fluids/0/shape/transform/scale: must be a number from 1e-06 to 1e+06; it is 0"});
    EXPECT_EQ(wrong_2d("/fluids/0/shape", R"({"plane": {"normal": [0, 1]}})"),
              Texts{"/fluids/0/shape/plane: fluid cannot fill a plane, which has no end; use a box or a sphere"});
}

TEST(Reader, emitters_and_sinks) {
    const char* emitters = R"([{"material": "honey", "shape": {"disk": {"radius": 0.02}}, "position": [0, 1],
                                "direction": [1, -1], "speed": 0.5, "start": 0.25, "end": 2}])";
    const Scene scene = scene_of(with(small_scene_2d, "/emitters", emitters));
    ASSERT_EQ(scene.emitters.size(), 1u);
    EXPECT_EQ(std::get<Disk>(scene.emitters[0].mouth.form).radius, 0.02);
    EXPECT_EQ(scene.emitters[0].speed, 0.5);
    EXPECT_EQ(scene.emitters[0].start, 0.25);
    EXPECT_EQ(*scene.emitters[0].end, 2);
    EXPECT_EQ(scene_of(with(small_scene_2d, "/sinks", R"([{"shape": {"plane": {"normal": [0, 1], "offset": -1}}}])"))
                  .sinks.size(),
              1u);

    const auto wrong = [&](const std::string& pointer, const std::string& value) {
        Json root = with(small_scene_2d, "/emitters", emitters);
        EXPECT_TRUE(set_at_pointer(root, pointer, json_of(value)));
        return problems_of(root);
    };
    EXPECT_EQ(wrong("/emitters/0/end", "0.25"), Texts{"/emitters/0/end: must be later than the start, 0.25 s"});
    EXPECT_EQ(wrong("/emitters/0/direction", "[0, 0]"), Texts{"/emitters/0/direction: must not be zero"});
    EXPECT_EQ(wrong("/emitters/0/shape", R"({"star": {"radius": 1, "inner_radius": 0.5}})"),
              Texts{"/emitters/0/shape/star: a star needs a 3D scene; use a disk, which is a slit in 2D"});
    EXPECT_EQ(wrong("/emitters/0/material", "\"hony\""),
              Texts{"/emitters/0/material: there is no material \"hony\"; did you mean \"honey\"?"});
    // Predicted, not sampled: this must neither hang nor fill the memory.
    EXPECT_EQ(wrong("/emitters/0/shape/disk/radius", "1e6"),
              Texts{"/emitters/0: the mouth is 2e+08 particles wide; at most 1000 are possible"});
    EXPECT_EQ(wrong_2d("/fluids/0/shape", R"({"disk": {"radius": 1}})"),
              Texts{"/fluids/0/shape/disk: \"disk\" is flat: the mouth of an emitter"});
}

TEST(Reader, motion_of_solids) {
    const std::string ball = R"([{"name": "ball", "shape": {"sphere": {"center": [0, 2], "radius": 0.1}}, "motion": )";
    const auto motion = [&](const std::string& text) {
        return scene_of(with(small_scene_2d, "/solids", ball + text + "}]")).solids[0].motion;
    };
    const auto wrong = [&](const std::string& text) {
        return problems_of(with(small_scene_2d, "/solids", ball + text + "}]"));
    };
    EXPECT_EQ(*motion(R"({"dynamic": {"density": 500, "velocity": [1, 2], "angular_velocity": 90}})").dynamic->density,
              500);
    const Pose turned = pose_at(motion(R"({"velocity": [0.5, 0], "angular_velocity": 90})"), 1);
    EXPECT_NEAR(length(turned.to_world({0, 2, 0}) - Vec3d{0.5, 2, 0}), 0, 1e-12);  // spins about its center
    EXPECT_NEAR(length(turned.to_world({0.1, 2, 0}) - Vec3d{0.5, 2.1, 0}), 0, 1e-12);

    EXPECT_EQ(wrong(R"({"dynamic": {}})"), Texts{"/solids/0/motion/dynamic: must hold \"density\" or \"mass\""});
    EXPECT_EQ(wrong(R"({"dynamic": {"density": 1, "mass": 1}})"),
              Texts{"/solids/0/motion/dynamic: must hold \"density\" or \"mass\", not both"});
    EXPECT_EQ(wrong(R"({"dynamic": {"density": 0}})"),
              Texts{"/solids/0/motion/dynamic/density: must be a number from 0.001 to 1e+06, unit kg/m³; it is 0"});
    EXPECT_EQ(wrong(R"({"dynamic": {"density": 1}, "keyframes": [{"time": 0}]})"),
              Texts{"/solids/0/motion: must hold \"dynamic\" alone: such a solid moves by itself"});
    EXPECT_EQ(wrong(R"({"velocity": [1, 0], "keyframes": [{"time": 0}]})"),
              Texts{"/solids/0/motion: must hold keyframes or a constant velocity, not both"});
    EXPECT_EQ(problems_of(with(small_scene_2d, "/solids/0/motion", R"({"dynamic": {"density": 1}})")),
              Texts{"/solids/0/motion: a plane has no end and so no mass"});
}

TEST(Reader, round_shapes) {
    EXPECT_EQ(wrong_2d("/solids/0/shape", R"({"cylinder": {"radius": 0.1, "height": 1, "axis": [0, 0]}})"),
              Texts{"/solids/0/shape/cylinder/axis: must not be zero"});
    EXPECT_EQ(wrong_2d("/solids/0/shape", R"({"tube": {"radius": 0.1, "height": 1, "inner_radius": 0.1}})"),
              Texts{"/solids/0/shape/tube/inner_radius: must be less than the radius, 0.1 m"});
    EXPECT_EQ(wrong_2d("/fluids/0/shape", R"({"tube": {"radius": 0.1, "height": 1, "inner_radius": 0.0995}})"),
              Texts{"/fluids/0: this fluid has no particles: its shape is thinner than particle_spacing"});
    EXPECT_EQ(wrong_2d("/fluids/0/shape", R"({"capsule": {"radius": 1e-9, "height": 1e5, "axis": [1, 1]}})").size(),
              1u);
    const Scene scene =
        scene_of(with(small_scene_2d, "/solids/0/shape", R"({"capsule": {"radius": 0.1, "height": 1}})"));
    EXPECT_EQ(std::get<Capsule>(scene.solids[0].shape.form).axis, (Vec3d{0, 1, 0}));
}

/// Filling these would take years, which is reported at once.
TEST(Reader, a_count_in_a_thin_oblique_shape) {
    const std::string thread = R"({"capsule": {"radius": 1e-7, "height": 1, "axis": [1, 1]}})";
    for (const std::string packing : {"lattice", "relaxed"}) {
        const auto fluid =
            with(small_scene_2d, "/fluids/0",
                 R"({"material": "honey", "count": 1000, "packing": ")" + packing + R"(", "shape": )" + thread + "}");
        const Texts problems = problems_of(fluid);
        ASSERT_EQ(problems.size(), 1u) << packing;
        EXPECT_TRUE(problems[0].starts_with("/fluids/0/count: would be looked for among 2.5")) << problems[0];
    }
    // A thin shape along an axis has few places to search, and a thick shape may be oblique.
    for (const std::string shape : {R"({"capsule": {"radius": 1e-4, "height": 1}})",
                                    R"({"capsule": {"radius": 0.1, "height": 1, "axis": [1, 1]}})"}) {
        EXPECT_EQ(problems_of(with(small_scene_2d, "/fluids/0",
                                   R"({"material": "honey", "count": 100, "shape": )" + shape + "}")),
                  Texts{})
            << shape;
    }
}

TEST(Reader, a_body_inside_a_body) {
    const auto solids = [](const std::string& center) {
        return problems_of(with(small_scene_2d, "/solids",
                                R"([
          {"name": "rock", "shape": {"sphere": {"center": [3, 0], "radius": 0.5}}},
          {"name": "cork", "shape": {"sphere": {"center": )" +
                                    center + R"(, "radius": 0.1}}, "motion": {"dynamic": {"density": 300}}}])"));
    };
    EXPECT_EQ(solids("[3.1, 0.1]"),
              Texts{"/solids/1: its center stands inside the solid \"rock\" at the start; contact would throw it out"});
    EXPECT_EQ(solids("[3.8, 0]"), Texts{});
}

TEST(Reader, meshes) {
    TemporaryFolder folder;
    const auto problems = [&](const std::string& pointer, const std::string& shape) {
        const Result<Scene> scene = read_scene(with(small_scene_3d, pointer, shape), folder.file("scene.json"), {});
        Texts texts;
        if (!scene) {
            for (const Problem& problem : scene.error().problems)
                texts.push_back(problem.pointer + ": " + problem.message);
        }
        return texts;
    };
    EXPECT_EQ(wrong_2d("/solids/0/shape", R"({"mesh": "a.obj"})"),
              Texts{"/solids/0/shape/mesh: a mesh needs a 3D scene; in 2D use boxes, spheres or capsules"});
    EXPECT_EQ(problems("/solids/0/shape", R"({"mesh": 5})"),
              Texts{"/solids/0/shape/mesh: must be the path of a mesh file, not the number 5"});
    const Texts missing = problems("/solids/0/shape", R"({"mesh": "none.obj"})");
    ASSERT_EQ(missing.size(), 1u);
    EXPECT_TRUE(missing[0].starts_with("/solids/0/shape/mesh: " + folder.file("none.obj"))) << missing[0];
    put_content(folder.file("open.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const Texts open = problems("/fluids/0/shape", R"({"mesh": "open.obj"})");
    ASSERT_EQ(open.size(), 1u);
    EXPECT_TRUE(open[0].starts_with("/fluids/0/shape/mesh: " + folder.file("open.obj") +
                                    ": the mesh is not closed: 3 edges are open"))
        << open[0];
    put_content(folder.file("tetra.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    const Json root = with(small_scene_3d, "/solids/0/shape", R"({"mesh": "tetra.obj", "transform": {"scale": 0.1}})");
    const Result<Scene> scene = read_scene(root, folder.file("scene.json"), {});
    ASSERT_TRUE(scene) << to_string(scene.error());
    EXPECT_NEAR(*volume(scene->solids[0].shape), 1e-3 / 6, 1e-12);
    const Result<Scene> again = read_scene(scene_to_json(*scene), folder.file("scene.json"), {});
    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_TRUE(differing_keys(scene_to_json(*again), scene_to_json(*scene)).empty());
}

TEST(Reader, motion_keyframes) {
    const auto wrong = [](const std::string& value) { return wrong_2d("/solids/0/motion", value); };
    EXPECT_EQ(wrong("{}"), Texts{"/solids/0/motion: must hold keyframes, a velocity or \"dynamic\""});
    EXPECT_EQ(wrong(R"({"keyframes": [{"time": 1}, {"time": 1}]})"),
              Texts{"/solids/0/motion/keyframes/1/time: must be later than the keyframe before, which is at 1 s"});
    EXPECT_EQ(wrong(R"({"keyframes": [{"position": [0, 0]}]})"),
              Texts{"/solids/0/motion/keyframes/0/time: \"time\" is missing (a number from 0 to 1e+09, unit s)"});
    EXPECT_EQ(wrong(R"({"keyframes": [{"time": 0}, {"time": 1, "rotation": 360}]})"),
              Texts{"/solids/0/motion/keyframes/1/rotation: turns by 360 degrees since the keyframe before; put "
                    "keyframes in between, less than 180 degrees apart"});
    EXPECT_EQ(wrong(R"({"keyframes": [{"time": 0}, {"time": -1}, {"time": "x"}]})").size(), 2u);
    EXPECT_EQ(wrong(R"({"keyframes": [{"time": 0}], "interpolation": "cubic"})").size(), 1u);
    EXPECT_EQ(wrong(R"({"dynamic": {"density": 1}, "stop": "rupture"})").at(0),
              "/solids/0/motion/stop: ends a scripted motion; this solid moves by itself");
    const char* turn_and_move = R"({"keyframes": [{"time": 0, "rotation": 90}, {"time": 1, "position": [1, 2]}]})";
    const Scene scene = scene_of(with(small_scene_2d, "/solids/0/motion", turn_and_move));
    const auto& keyframes = scene.solids[0].motion.keyframes;
    ASSERT_EQ(keyframes.size(), 2u);
    EXPECT_EQ(keyframes[0].pose.position, Vec3d{});
    EXPECT_EQ(keyframes[0].pose.rotation, from_axis_angle({0, 0, 1}, 90));
    EXPECT_EQ(keyframes[1].pose.position, (Vec3d{1, 2, 0}));
    EXPECT_EQ(keyframes[1].pose.rotation, Quaternion{});
}

}  // namespace
}  // namespace treacle
