#include "scene/reader.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "methods/registry.h"
#include "scene/tables.h"
#include "support/temporary_folder.h"
#include "unit/scene/scene_text.h"

namespace treacle {
namespace {

TEST(Reader, small_scenes_are_right_and_get_defaults) {
    const Scene scene = scene_of(json_of(small_scene_2d));
    EXPECT_EQ(scene.name, "scene");
    EXPECT_EQ(scene.file, "scene.json");
    EXPECT_EQ(scene.dimension, 2);
    EXPECT_EQ(scene.precision, Precision::single_precision);
    EXPECT_EQ(scene.gravity, (Vec3d{0, -9.81, 0}));
    EXPECT_EQ(scene.time.fps, 30);
    EXPECT_FALSE(scene.time.max_dt);
    EXPECT_EQ(scene.output.formats, (Texts{"ply"}));
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
    const std::vector<std::pair<int, std::string>> expected{{3, "/method"},
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
              Texts{
                  "/materials/honey/color: \"#12345\" is no color; write \"#rrggbb\" with hexadecimal digits, such as "
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
              Texts{
                  "/solids/0/friction: must be a number from 0 to 1e+06, or \"no_slip\", not the text \"noslip\"; did "
                  "you mean \"no_slip\"?"});
    EXPECT_EQ(
        wrong_2d("/output/formats", "[\"ply\", \"vtk\"]"),
        Texts{"/output/formats/1: must be one of the formats ply, vtp, vtkhdf, bgeo, vdb, csv, npz, usda and mitsuba, "
              "not the text \"vtk\"; did you mean \"vtp\"?"});
}

TEST(Reader, missing_keys) {
    Texts problems = problems_of(json_of("{}"));
    ASSERT_EQ(problems.size(), 5u);
    EXPECT_TRUE(problems[1].starts_with("/method: \"method\" is missing (")) << problems[1];
    problems.erase(problems.begin() + 1);
    const Texts expected{"/treacle: \"treacle\" is missing (1)",
                         "/particle_spacing: \"particle_spacing\" is missing (a number from 1e-09 to 1000, unit m)",
                         "/materials: \"materials\" is missing (The fluids' materials by name.)",
                         ": there is nothing to simulate: give \"fluids\" or \"emitters\""};
    EXPECT_EQ(problems, expected);
    EXPECT_EQ(wrong_2d("/fluids/0/shape/box", R"({"center": [0, 0]})"),
              Texts{"/fluids/0/shape/box/size: \"size\" is missing (a list of 2 numbers in a 2D scene, unit m)"});
    EXPECT_EQ(wrong_2d("/fluids/0/shape", "{}"), Texts{"/fluids/0/shape: must hold exactly one of \"sphere\", \"box\", "
                                                       "\"cylinder\", \"tube\", \"capsule\" and \"mesh\""});
    EXPECT_EQ(wrong_2d("/fluids/0/shape/sphere", R"({"radius": 1})"),
              Texts{"/fluids/0/shape: must hold exactly one of \"sphere\", \"box\", \"cylinder\", \"tube\", "
                    "\"capsule\" and \"mesh\""});
}

TEST(Reader, what_is_no_object_at_all) {
    EXPECT_EQ(problems_of(json_of("[]")),
              Texts{": must be an object with keys such as \"treacle\", not a list of 0 elements"});
    EXPECT_EQ(wrong_2d("/treacle", "2"), Texts{"/treacle: must be 1; it is 2"});
    EXPECT_EQ(
        wrong_2d("/materials", "[]"),
        Texts{"/materials: must be an object that gives every material under its name, not a list of 0 elements"});
    EXPECT_EQ(wrong_2d("/materials/honey", "[]"),
              Texts{"/materials/honey: must be an object with keys such as \"density\", not a list of 0 elements"});
}

TEST(Reader, what_this_version_lacks_is_said_clearly) {
    const auto unavailable = [](const std::string& pointer, const std::string& word) {
        return Texts{pointer + ": \"" + word + "\" is not available in this version yet"};
    };
    for (const char* key : {"joints", "probes"}) {
        EXPECT_EQ(wrong_2d(std::string("/") + key, "[]"), unavailable(std::string("/") + key, key));
    }
}

TEST(Reader, the_view_is_whole_and_fits_the_dimension) {
    EXPECT_EQ(wrong_2d("/view", R"({"target": [0, 0]})"),
              Texts{"/view: target and distance belong together: give both, or none to see all of the fluid"});
    EXPECT_EQ(wrong_2d("/view", R"({"azimuth": 20})"),
              Texts{"/view: a 2D scene is seen from the front; leave azimuth and elevation out"});
    EXPECT_TRUE(wrong_2d("/view", R"({"target": [0, 0], "distance": 1})").empty());
    EXPECT_EQ(wrong_2d("/materials/honey/look", "\"hony\"").size(), 1u);
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
    // A wrong fps must not make the step wrong too.
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
    const Scene scene = scene_of(with(small_scene_2d, "/output/formats", "[\"bgeo\", \"vtp\", \"bgeo\"]"));
    EXPECT_EQ(scene.output.formats, (Texts{"vtp", "bgeo"}));
    EXPECT_TRUE(scene_of(with(small_scene_2d, "/output/formats", "[]")).output.formats.empty());
    EXPECT_EQ(scene_of(with(small_scene_2d, "/precision", "\"double\"")).precision, Precision::double_precision);
}

TEST(Reader, a_precision_that_a_method_lacks_is_refused_with_a_word_that_is_read) {
    const Texts words{precision_word(Precision::single_precision), precision_word(Precision::double_precision)};
    for (const MethodRow& method : method_registry()) {
        if (method.single_precision) continue;
        Json scene = with(small_scene_2d, "/method", "\"" + std::string(method.id) + "\"");
        scene.set("precision", words[0]);
        EXPECT_EQ(problems_of(scene), Texts{"/precision: \"float\" is not what " + std::string(method.id) +
                                            " is built for; use \"double\""});
        scene.set("precision", words[1]);
        EXPECT_TRUE(problems_of(scene).empty()) << method.id;
    }
    EXPECT_FALSE(wrong_2d("/precision", "\"single\"").empty());
}

TEST(Reader, methods_that_cannot_repeat_space_say_so) {
    EXPECT_EQ(wrong_2d("/periodic", "[0.2, 0]"),
              Texts{"/periodic: space does not repeat itself in clavet2005; leave it out"});
    EXPECT_EQ(wrong_3d("/periodic", "[0, 0, 0.2]").size(), 1u);
    EXPECT_TRUE(wrong_2d("/periodic", "[0, 0]").empty()) << "which is what is done without it";
    EXPECT_EQ(wrong_2d("/periodic", "[-1, 0]").size(), 1u);
    EXPECT_EQ(wrong_2d("/periodic", "0.2").size(), 1u);
}

/// Pointers to everything in a JSON value.
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
    const std::vector<const char*> values{"null",
                                          "true",
                                          "-1",
                                          "0",
                                          "0.5",
                                          "1e300",
                                          "-1e-300",
                                          "\"x\"",
                                          "\"\"",
                                          "[]",
                                          "{}",
                                          "[1]",
                                          "[[[]]]",
                                          "[1, 2, 3, 4]",
                                          "[\"a\", null]",
                                          "{\"keyframes\": {}}",
                                          "{\"keyframes\": [{}]}",
                                          "{\"keyframes\": [null, {\"time\": 0}]}",
                                          "{\"axis\": [0, 0, 1], \"angle\": null}",
                                          "{\"\": {\"a/b~\": 1}}"};
    for (const int dimension : {2, 3}) {
        const Json scene = full_scene(dimension);
        Texts pointers;
        collect_pointers(scene, "", pointers);
        EXPECT_GT(pointers.size(), 100u);
        std::size_t next = 0;
        for (const std::string& pointer : pointers) {
            for (const char* value : values) {
                if (TREACLE_SANITIZED && ++next % 7 != 0) continue;  // another value for each pointer, as 20 = 6 mod 7
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
    const Result<Scene> scene = read_scene_file(path_, {{"/materials/honey/density", "1200"},
                                                        {"/name", "two words"},
                                                        {"/time/fps", "25"},
                                                        {"/solids/0/friction", "no_slip"},
                                                        {"/gravity", "[0, -1]"},
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
    EXPECT_EQ(
        problems(
            {{"density", "3"}, {"/materials/hony/density", "3"}, {"/solids/3/friction", "1"}, {"/time/fps", "fast"}}),
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
