#include "scene/reader.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "scene/scene_json.h"
#include "support/temporary_folder.h"
#include "unit/scene/scene_text.h"

namespace treacle {
namespace {

/// What is wrong with a 2D or 3D scene in which one value was replaced.
Texts wrong_2d(const std::string& pointer, const std::string& value) {
    return problems_of(with(small_scene_2d, pointer, value));
}
Texts wrong_3d(const std::string& pointer, const std::string& value) {
    return problems_of(with(small_scene_3d, pointer, value));
}

TEST(Reader, small_scenes_are_right_and_get_defaults) {
    const Scene scene = scene_of(json_of(small_scene_2d));
    EXPECT_EQ(scene.name, "scene");
    EXPECT_EQ(scene.file, "scene.json");
    EXPECT_EQ(scene.dimension, 2);
    EXPECT_EQ(scene.precision, Precision::single_precision);
    EXPECT_EQ(scene.gravity, (Vec3d{0, -9.81, 0}));
    EXPECT_EQ(scene.time.fps, 30);
    EXPECT_FALSE(scene.time.max_dt);
    EXPECT_TRUE(scene.output.ply);
    EXPECT_FALSE(scene.output.vtp);
    ASSERT_EQ(scene.materials.size(), 1u);
    EXPECT_EQ(scene.materials[0].name, "honey");
    EXPECT_EQ(scene.materials[0].viscosity, 5);
    EXPECT_FALSE(scene.materials[0].shear_modulus);
    EXPECT_TRUE(scene.materials[0].by_method.contains("clavet2005"));
    ASSERT_EQ(scene.fluids.size(), 1u);
    EXPECT_EQ(scene.fluids[0].shape.dimension, 2);
    EXPECT_EQ(std::get<Box>(scene.fluids[0].shape.form).size, (Vec3d{0.1, 0.2, 0}));
    ASSERT_EQ(scene.solids.size(), 1u);
    EXPECT_EQ(scene.solids[0].friction, 0.3);
    EXPECT_EQ(scene_of(json_of(small_scene_3d)).dimension, 3);
}

TEST(Reader, ten_mistakes_give_ten_messages) {
    const char* text = R"({
  "treacle": 1,
  "method": "clavet2006",
  "particle_spacing": -0.01,
  "gravity": [0, -9.81],
  "time": { "fps": "thirty" },
  "materials": {
    "honey": { "densty": 1400,
               "color": "orange" }
  },
  "fluids": [
    { "material": "hony", "shape": { "sphere": { "radius": 0 } },
      "velocity": { "keyframes": [] } }
  ],
  "solids": [
    { "name": "floor", "shape": { "plane": { "normal": [0, 0, 0] } } }
  ]
})";
    const Result<Scene> scene = read_scene(json_of(text), "ten.json", {});
    ASSERT_FALSE(scene);
    const auto& problems = scene.error().problems;
    EXPECT_EQ(scene.error().code, ExitCode::wrong_input);
    const std::vector<std::pair<int, std::string>> expected{
        {3, "/method"},
        {4, "/particle_spacing"},
        {5, "/gravity"},
        {6, "/time/fps"},
        {8, "/materials/honey/densty"},
        {9, "/materials/honey/color"},
        {12, "/fluids/0/material"},
        {12, "/fluids/0/shape/sphere/radius"},
        {13, "/fluids/0/velocity"},
        {16, "/solids/0/shape/plane/normal"}};
    ASSERT_EQ(problems.size(), 10u) << to_string(scene.error());
    std::vector<std::pair<int, std::string>> found;
    for (const Problem& problem : problems) {
        found.emplace_back(problem.line, problem.pointer);
        EXPECT_EQ(problem.file, "ten.json");
    }
    // In the order of lines; within a line any order will do.
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), [](auto& a, auto& b) { return a.first < b.first; }));
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected) << to_string(scene.error());
}

TEST(Reader, exact_messages) {
    EXPECT_EQ(wrong_2d("/materials/honey/densty", "3"),
              Texts{"/materials/honey/densty: unknown key \"densty\"; did you mean \"density\"?"});
    EXPECT_EQ(wrong_2d("/time/zzz", "3"),
              Texts{"/time/zzz: unknown key \"zzz\"; known here: duration, fps, max_dt and fixed_dt"});
    EXPECT_EQ(wrong_2d("/materials/honey/density", "\"heavy\""),
              Texts{"/materials/honey/density: must be a number from 0.001 to 1e+05, unit kg/m³, "
                    "not the text \"heavy\""});
    EXPECT_EQ(wrong_2d("/materials/honey/density", "-5"),
              Texts{"/materials/honey/density: must be a number from 0.001 to 1e+05, unit kg/m³; it is -5"});
    EXPECT_TRUE(wrong_2d("/method", "\"clavet\"").at(0).ends_with("it is \"clavet\"; did you mean \"clavet2005\"?"));
    EXPECT_EQ(wrong_2d("/fluids/0/material", "\"hony\""),
              Texts{"/fluids/0/material: there is no material \"hony\"; did you mean \"honey\"?"});
    EXPECT_EQ(wrong_2d("/fluids/0/material", "\"water\""),
              Texts{"/fluids/0/material: there is no material \"water\"; there is honey"});
    EXPECT_EQ(wrong_2d("/materials/honey/color", "\"#12345\""),
              Texts{"/materials/honey/color: \"#12345\" is no color; write \"#rrggbb\" with hexadecimal digits, such as "
                    "\"#d08a28\""});
    EXPECT_EQ(wrong_2d("/fluids", "[]"), Texts{": there is nothing to simulate: give \"fluids\" or \"emitters\""});
    EXPECT_EQ(wrong_2d("/fluids", "{}"), Texts{"/fluids: must be a list of fluids, not an object"});
    EXPECT_EQ(wrong_2d("/fluids/0", "5"),
              Texts{"/fluids/0: must be an object with keys such as \"velocity\", not the number 5"});
    EXPECT_EQ(wrong_2d("/dimension", "2.5"),
              Texts{"/dimension: must be a whole number from 2 to 3, not the number 2.5"});
    EXPECT_EQ(wrong_2d("/solids/0/friction", "-1"),
              Texts{"/solids/0/friction: must be a number from 0 to 1e+06, or \"no_slip\"; it is -1"});
    EXPECT_EQ(wrong_2d("/solids/0/friction", "\"noslip\""),
              Texts{"/solids/0/friction: must be a number from 0 to 1e+06, or \"no_slip\", not the text \"noslip\"; did "
                    "you mean \"no_slip\"?"});
    EXPECT_EQ(wrong_2d("/output/formats", "[\"ply\", \"vtk\"]"),
              Texts{"/output/formats/1: must be one of the formats ply and vtp, not the text \"vtk\"; did you mean "
                    "\"vtp\"?"});
}

TEST(Reader, missing_keys) {
    Texts problems = problems_of(json_of("{}"));
    ASSERT_EQ(problems.size(), 5u);
    EXPECT_TRUE(problems[1].starts_with("/method: \"method\" is missing (")) << problems[1];
    problems.erase(problems.begin() + 1);
    const Texts expected{
        "/treacle: \"treacle\" is missing (1)",
        "/particle_spacing: \"particle_spacing\" is missing (a number from 1e-09 to 1000, unit m)",
        "/materials: \"materials\" is missing (The fluids' materials by name.)",
        ": there is nothing to simulate: give \"fluids\" or \"emitters\""};
    EXPECT_EQ(problems, expected);
    EXPECT_EQ(wrong_2d("/fluids/0/shape/box", R"({"center": [0, 0]})"),
              Texts{"/fluids/0/shape/box/size: \"size\" is missing (a list of 2 numbers in a 2D scene, unit m)"});
    EXPECT_EQ(wrong_2d("/fluids/0/shape", "{}"),
              Texts{"/fluids/0/shape: must hold exactly one of \"sphere\", \"box\", \"cylinder\", \"tube\", \"capsule\" and \"mesh\""});
    EXPECT_EQ(wrong_2d("/fluids/0/shape/sphere", R"({"radius": 1})"),
              Texts{"/fluids/0/shape: must hold exactly one of \"sphere\", \"box\", \"cylinder\", \"tube\", \"capsule\" and \"mesh\""});
}

TEST(Reader, what_is_no_object_at_all) {
    EXPECT_EQ(problems_of(json_of("[]")),
              Texts{": must be an object with keys such as \"treacle\", not a list of 0 elements"});
    EXPECT_EQ(wrong_2d("/treacle", "2"), Texts{"/treacle: must be 1; it is 2"});
    EXPECT_EQ(wrong_2d("/materials", "[]"),
              Texts{"/materials: must be an object that gives every material under its name, not a list of 0 elements"});
    EXPECT_EQ(wrong_2d("/materials/honey", "[]"),
              Texts{"/materials/honey: must be an object with keys such as \"density\", not a list of 0 elements"});
}

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
    // A wrong dimension does not drag all vectors along.
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
    EXPECT_EQ(wrong_2d("/fluids/0/shape/box/size", "[0.1, 0]"), Texts{"/fluids/0/shape/box/size: " + size_problem("0")});
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
    EXPECT_EQ(scene_of(with(small_scene_2d, "/sinks", R"([{"shape": {"plane": {"normal": [0, 1], "offset": -1}}}])")).sinks.size(), 1u);

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
    const auto wrong = [&](const std::string& text) { return problems_of(with(small_scene_2d, "/solids", ball + text + "}]")); };
    EXPECT_EQ(*motion(R"({"dynamic": {"density": 500, "velocity": [1, 2], "angular_velocity": 90}})").dynamic->density, 500);
    const Pose turned = pose_at(motion(R"({"velocity": [0.5, 0], "angular_velocity": 90})"), 1);
    EXPECT_NEAR(length(turned.to_world({0, 2, 0}) - Vec3d{0.5, 2, 0}), 0, 1e-12);        // spins about its center
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
    EXPECT_EQ(wrong_2d("/fluids/0/shape", R"({"capsule": {"radius": 1e-9, "height": 1e5, "axis": [1, 1]}})").size(), 1u);
    const Scene scene = scene_of(with(small_scene_2d, "/solids/0/shape", R"({"capsule": {"radius": 0.1, "height": 1}})"));
    EXPECT_EQ(std::get<Capsule>(scene.solids[0].shape.form).axis, (Vec3d{0, 1, 0}));
}

/// Filling these would take years, which is said before it begins.
TEST(Reader, a_count_in_a_thin_oblique_shape) {
    const std::string thread = R"({"capsule": {"radius": 1e-7, "height": 1, "axis": [1, 1]}})";
    for (const std::string packing : {"lattice", "relaxed"}) {
        const auto fluid = with(small_scene_2d, "/fluids/0",
                                R"({"material": "honey", "count": 1000, "packing": ")" + packing + R"(", "shape": )" + thread + "}");
        const Texts problems = problems_of(fluid);
        ASSERT_EQ(problems.size(), 1u) << packing;
        EXPECT_TRUE(problems[0].starts_with("/fluids/0/count: would be looked for among 2.5")) << problems[0];
    }
    // Along an axis there are few places to look at, and a thick shape may be oblique.
    for (const std::string shape : {R"({"capsule": {"radius": 1e-4, "height": 1}})", R"({"capsule": {"radius": 0.1, "height": 1, "axis": [1, 1]}})"}) {
        EXPECT_EQ(problems_of(with(small_scene_2d, "/fluids/0", R"({"material": "honey", "count": 100, "shape": )" + shape + "}")), Texts{}) << shape;
    }
}

TEST(Reader, a_body_inside_a_body) {
    const auto solids = [](const std::string& center) {
        return problems_of(with(small_scene_2d, "/solids", R"([
          {"name": "rock", "shape": {"sphere": {"center": [3, 0], "radius": 0.5}}},
          {"name": "cork", "shape": {"sphere": {"center": )" + center + R"(, "radius": 0.1}}, "motion": {"dynamic": {"density": 300}}}])"));
    };
    EXPECT_EQ(solids("[3.1, 0.1]"), Texts{"/solids/1: its center stands inside the solid \"rock\" at the start; contact would throw it out"});
    EXPECT_EQ(solids("[3.8, 0]"), Texts{});
}

TEST(Reader, meshes) {
    TemporaryFolder folder;
    const auto problems = [&](const std::string& pointer, const std::string& shape) {
        const Result<Scene> scene = read_scene(with(small_scene_3d, pointer, shape), folder.file("scene.json"), {});
        Texts texts;
        if (!scene) {
            for (const Problem& problem : scene.error().problems) texts.push_back(problem.pointer + ": " + problem.message);
        }
        return texts;
    };
    EXPECT_EQ(wrong_2d("/solids/0/shape", R"({"mesh": "a.obj"})"),
              Texts{"/solids/0/shape/mesh: a mesh needs a 3D scene; in 2D use boxes, spheres or capsules"});
    EXPECT_EQ(problems("/solids/0/shape", R"({"mesh": 5})"), Texts{"/solids/0/shape/mesh: must be the path of a mesh file, not the number 5"});
    const Texts missing = problems("/solids/0/shape", R"({"mesh": "none.obj"})");
    ASSERT_EQ(missing.size(), 1u);
    EXPECT_TRUE(missing[0].starts_with("/solids/0/shape/mesh: " + folder.file("none.obj"))) << missing[0];
    put_content(folder.file("open.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const Texts open = problems("/fluids/0/shape", R"({"mesh": "open.obj"})");
    ASSERT_EQ(open.size(), 1u);
    EXPECT_TRUE(open[0].starts_with("/fluids/0/shape/mesh: " + folder.file("open.obj") + ": the mesh is not closed: 3 edges are open")) << open[0];
    put_content(folder.file("tetra.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    const Json root = with(small_scene_3d, "/solids/0/shape", R"({"mesh": "tetra.obj", "transform": {"scale": 0.1}})");
    const Result<Scene> scene = read_scene(root, folder.file("scene.json"), {});
    ASSERT_TRUE(scene) << to_string(scene.error());
    EXPECT_NEAR(*volume(scene->solids[0].shape), 1e-3 / 6, 1e-12);
    const Result<Scene> again = read_scene(scene_to_json(*scene), folder.file("scene.json"), {});
    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_TRUE(differing_keys(scene_to_json(*again), scene_to_json(*scene)).empty());
}

TEST(Reader, what_this_version_lacks_is_said_clearly) {
    const auto unavailable = [](const std::string& pointer, const std::string& word) {
        return Texts{pointer + ": \"" + word + "\" is not available in this version yet"};
    };
    for (const char* key : {"joints", "probes", "view"}) {
        EXPECT_EQ(wrong_2d(std::string("/") + key, "[]"), unavailable(std::string("/") + key, key));
    }
}

TEST(Reader, names_of_solids) {
    const char* second = R"({"name": "floor", "shape": {"sphere": {"radius": 0.01}}})";
    EXPECT_EQ(wrong_2d("/solids/-", second), Texts{"/solids/1/name: there is another solid named \"floor\""});
    for (const char* bad : {"\"\"", "\"a/b\"", "\"../x\"", "\"a,b\"", "\".hidden\"", "\"a\\nb\"", "\" a\""}) {
        EXPECT_EQ(wrong_2d("/solids/0/name", bad).size(), 1u) << bad;
    }
    for (const char* good : {"\"spoon 2\"", "\"Löffel\"", "\"a.b_c-d\""}) {
        EXPECT_EQ(wrong_2d("/solids/0/name", good), Texts{}) << good;
    }
}

TEST(Reader, time) {
    EXPECT_EQ(wrong_2d("/time", R"({"fps": 30, "fixed_dt": 0.0011})"),
              Texts{"/time/fixed_dt: must divide the time of a frame, 1/fps = 0.03333 s; 0.0011111111111111111 does"});
    EXPECT_EQ(wrong_2d("/time", R"({"fps": 30, "fixed_dt": 0.05})").size(), 1u);
    EXPECT_EQ(wrong_2d("/time", R"({"fps": 25, "fixed_dt": 0.001})"), Texts{});
    EXPECT_EQ(wrong_2d("/time", R"({"fps": 30, "fixed_dt": 0.00333333333})"), Texts{});
    EXPECT_EQ(wrong_2d("/time", R"({"fps": 30, "fixed_dt": 0.0333334})").size(), 1u);
    EXPECT_EQ(wrong_2d("/time", R"({"fps": 50, "fixed_dt": 0.02, "max_dt": 0.01})"),
              Texts{"/time/fixed_dt: is longer than max_dt, 0.01 s"});
    EXPECT_EQ(wrong_2d("/time", R"({"duration": 1e6, "fps": 1e6})"),
              Texts{"/time: duration × fps gives 1e+12 frames; at most 1e+07 are possible"});
    // A wrong fps must not drag the step along.
    EXPECT_EQ(wrong_2d("/time", R"({"fps": 0, "fixed_dt": 0.001})"),
              Texts{"/time/fps: must be a number above 0 up to 1e+06, unit 1/s; it is 0"});
}

TEST(Reader, particles) {
    EXPECT_EQ(wrong_3d("/particle_spacing", "1e-9"),
              Texts{"/particle_spacing: gives about 2e+24 particles; at most 1e+09 are possible"});
    EXPECT_EQ(wrong_2d("/solids/0/shape/plane/offset", "2"),
              Texts{"/fluids/0: this fluid has no particles: all of it is inside solids"});
}

TEST(Reader, doubtful_things_are_warned_of) {
    Texts warnings;
    Log log;
    log.warning = [&](const std::string& text) { warnings.push_back(text); };
    const auto read = [&](const std::string& pointer, const std::string& value) {
        warnings.clear();
        EXPECT_TRUE(read_scene(with(small_scene_2d, pointer, value), "scene.json", log)) << pointer;
        return warnings;
    };
    EXPECT_EQ(read("/name", "\"x\""), Texts{});
    EXPECT_EQ(read("/materials/water", "{}"),
              Texts{"scene.json:1: /materials/water: no fluid is made of this material"});
    EXPECT_EQ(read("/fluids/0/count", "50"),
              Texts{"scene.json:4: /fluids/0: each particle stands for 4 times the volume of a cell of "
                    "particle_spacing; change \"count\" or particle_spacing"});
    EXPECT_EQ(read("/fluids/0/shape/box/size", "[0.1, 0.005]").size(), 1u);
}

TEST(Reader, the_method_is_asked) {
    // A coefficient of the paper without "coefficients": "paper".
    const Texts problems = wrong_2d("/materials/honey/clavet2005", R"({"stiffness": 3})");
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_TRUE(problems[0].starts_with("/materials/honey/clavet2005/stiffness: "));
    Texts warnings;
    Log log;
    log.warning = [&](const std::string& text) { warnings.push_back(text); };
    Json root = json_of(small_scene_2d);
    root.find("materials")->find("honey")->set("relaxation_time", 1);
    EXPECT_TRUE(read_scene(root, "scene.json", log));
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_TRUE(warnings[0].starts_with("scene.json:")) << warnings[0];
    EXPECT_NE(warnings[0].find("/materials/honey/relaxation_time"), std::string::npos);
}

TEST(Reader, settings_of_methods_are_validated) {
    EXPECT_EQ(wrong_2d("/clavet2005", R"({"swep": 1})").front(),
              "/clavet2005/swep: unknown key \"swep\"; did you mean \"sweep\"?");
    EXPECT_EQ(wrong_2d("/materials/honey/clavet2005", R"({"stifness": 1})").front(),
              "/materials/honey/clavet2005/stifness: unknown key \"stifness\"; did you mean \"stiffness\"?");
    EXPECT_EQ(wrong_2d("/clavet2005", "7").size(), 1u);
}

TEST(Reader, words_and_formats) {
    EXPECT_TRUE(std::isinf(scene_of(with(small_scene_2d, "/solids/0/friction", "\"no_slip\"")).solids[0].friction));
    const Scene scene = scene_of(with(small_scene_2d, "/output/formats", "[\"vtp\"]"));
    EXPECT_FALSE(scene.output.ply);
    EXPECT_TRUE(scene.output.vtp);
    EXPECT_EQ(scene_of(with(small_scene_2d, "/precision", "\"double\"")).precision, Precision::double_precision);
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
    const char* turn_and_move = R"({"keyframes": [{"time": 0, "rotation": 90}, {"time": 1, "position": [1, 2]}]})";
    const Scene scene = scene_of(with(small_scene_2d, "/solids/0/motion", turn_and_move));
    const auto& keyframes = scene.solids[0].motion.keyframes;
    ASSERT_EQ(keyframes.size(), 2u);
    EXPECT_EQ(keyframes[0].pose.position, Vec3d{});
    EXPECT_EQ(keyframes[0].pose.rotation, from_axis_angle({0, 0, 1}, 90));
    EXPECT_EQ(keyframes[1].pose.position, (Vec3d{1, 2, 0}));
    EXPECT_EQ(keyframes[1].pose.rotation, Quaternion{});
}

/// Pointers of everything that a JSON value holds.
void collect_pointers(const Json& json, const std::string& pointer, Texts& pointers) {
    pointers.push_back(pointer);
    for (const auto& [key, member] : json.members) {
        collect_pointers(member, pointer + "/" + pointer_token(key), pointers);
    }
    for (std::size_t n = 0; n < json.elements.size(); ++n) {
        collect_pointers(json.elements[n], pointer + "/" + std::to_string(n), pointers);
    }
}

TEST(Reader, no_value_anywhere_does_harm) {
    const std::vector<const char*> values{
        "null", "true", "-1", "0", "0.5", "1e300", "-1e-300", "\"x\"", "\"\"", "[]", "{}", "[1]", "[[[]]]",
        "[1, 2, 3, 4]", "[\"a\", null]",
        "{\"keyframes\": {}}", "{\"keyframes\": [{}]}", "{\"keyframes\": [null, {\"time\": 0}]}",
        "{\"axis\": [0, 0, 1], \"angle\": null}", "{\"\": {\"a/b~\": 1}}"};
    for (const int dimension : {2, 3}) {
        const Json scene = full_scene(dimension);
        Texts pointers;
        collect_pointers(scene, "", pointers);
        EXPECT_GT(pointers.size(), 100u);
        for (const std::string& pointer : pointers) {
            for (const char* value : values) {
                Json changed = scene;
                ASSERT_TRUE(set_at_pointer(changed, pointer, json_of(value)));
                const Result<Scene> result = read_scene(changed, "scene.json", {});
                if (result) continue;
                ASSERT_FALSE(result.error().problems.empty());
                for (const Problem& problem : result.error().problems) {
                    ASSERT_FALSE(problem.message.empty()) << pointer << " = " << value;
                    ASSERT_GT(problem.line, 0) << pointer << " = " << value << ": " << to_string(problem);
                }
            }
        }
    }
}

class SceneFile : public testing::Test {
protected:
    SceneFile() : path_(folder_.file("pour.json")) { put_content(path_, small_scene_2d); }

    Texts problems(const std::vector<SceneOverride>& overrides, const std::optional<std::string>& method = {}) {
        const Result<Scene> scene = read_scene_file(path_, overrides, method);
        Texts texts;
        if (scene) return texts;
        for (const Problem& problem : scene.error().problems) {
            EXPECT_EQ(problem.file, path_);
            texts.push_back(problem.pointer + ": " + problem.message);
        }
        return texts;
    }

    TemporaryFolder folder_;
    std::string path_;
};

TEST_F(SceneFile, takes_its_name_from_the_file) {
    const Result<Scene> scene = read_scene_file(path_);
    ASSERT_TRUE(scene);
    EXPECT_EQ(scene->name, "pour");
    EXPECT_EQ(scene->file, path_);
}

TEST_F(SceneFile, overrides_are_json_or_text) {
    const Result<Scene> scene =
        read_scene_file(path_, {{"/materials/honey/density", "1200"}, {"/name", "two words"}, {"/time/fps", "25"},
                                {"/solids/0/friction", "no_slip"}, {"/gravity", "[0, -1]"},
                                {"/solids/0/invert", "false"}});
    ASSERT_TRUE(scene) << to_string(scene.error());
    EXPECT_EQ(scene->materials[0].density, 1200);
    EXPECT_EQ(scene->name, "two words");
    EXPECT_EQ(scene->time.fps, 25);
    EXPECT_TRUE(std::isinf(scene->solids[0].friction));
    EXPECT_EQ(scene->gravity, (Vec3d{0, -1, 0}));
}

TEST_F(SceneFile, wrong_overrides_are_all_reported) {
    const Texts expected{"density: \"density\" is no JSON pointer; write it like /materials/honey/density",
                         "/materials/hony/density: there is no material \"hony\"; did you mean \"honey\"?",
                         "/solids/3/friction: /solids has 1 element, counted from 0; there is no number 3",
                         "/time/fps: must be a number above 0 up to 1e+06, unit 1/s, not the text \"fast\""};
    EXPECT_EQ(problems({{"density", "3"},
                        {"/materials/hony/density", "3"},
                        {"/solids/3/friction", "1"},
                        {"/time/fps", "fast"}}),
              expected);
}

TEST_F(SceneFile, method_from_outside) {
    EXPECT_EQ(problems({}, "clavet2005"), Texts{});
    EXPECT_EQ(problems({}, "magic").size(), 1u);
}

TEST_F(SceneFile, missing_file) {
    const Result<Scene> scene = read_scene_file(folder_.file("other.json"));
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().code, ExitCode::wrong_input);
}

}  // namespace
}  // namespace treacle
