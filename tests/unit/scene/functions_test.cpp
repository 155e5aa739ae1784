#include <cmath>

#include "scene/scene_json.h"
#include "unit/scene/scene_text.h"

/// Properties that are functions of temperature or age, and the temperatures of a scene.

namespace treacle {
namespace {

Json warm_scene() {
    return json_of(R"({
      "treacle": 1, "method": "takahashi2014", "dimension": 2, "particle_spacing": 0.01,
      "materials": { "wax": { "shear_modulus": { "over": "temperature", "points": [[20, 400], [60, 20], [80, 0]] },
                              "relaxation_time": { "over": "age", "points": [[0, 0.01], [5, 10]],
                                "interpolation": "logarithmic" },
                              "thermal_conductivity": 0.2, "heat_capacity": 2000,
                              "takahashi2014": { "connect_distance": { "over": "age", "points": [[1, 0.9]] } } } },
      "fluids": [ { "material": "wax", "temperature": 75.5, "shape": { "box": { "center": [0, 0.5],
        "size": [0.1, 0.2] } } } ],
      "solids": [ { "name": "floor", "temperature": -10, "shape": { "plane": { "normal": [0, 1] } } } ]
    })");
}

Json with_modulus(const std::string& function) {
    Json root = warm_scene();
    EXPECT_TRUE(set_at_pointer(root, "/materials/wax/shear_modulus", json_of(function)));
    return root;
}

TEST(Functions, are_read_and_interpolated) {
    const Scene scene = scene_of(warm_scene());
    const Material& wax = scene.materials[0];
    EXPECT_EQ(wax.functions.size(), 3u);
    EXPECT_EQ(wax.shear_modulus, 400);  // the greatest
    EXPECT_EQ(wax.relaxation_time, 10);
    const PropertyFunction& modulus = *wax.function("shear_modulus");
    EXPECT_EQ(modulus.at(-100), 400);
    EXPECT_EQ(modulus.at(20), 400);
    EXPECT_DOUBLE_EQ(modulus.at(40), 210);
    EXPECT_DOUBLE_EQ(modulus.at(70), 10);
    EXPECT_EQ(modulus.at(500), 0);
    const PropertyFunction& relaxation = *wax.function("relaxation_time");
    EXPECT_EQ(relaxation.over, PropertyFunction::Over::age);
    EXPECT_NEAR(relaxation.at(2.5), std::sqrt(0.01 * 10), 1e-12);
    EXPECT_EQ(wax.function("takahashi2014/connect_distance")->at(0), 0.9);
    EXPECT_EQ(wax.function("viscosity"), nullptr);
    EXPECT_EQ(scene.fluids[0].temperature, 75.5);
    EXPECT_EQ(scene.solids[0].temperature, -10);
}

TEST(Functions, survive_writing_and_reading) {
    const Json once = scene_to_json(scene_of(warm_scene()));
    const Json twice = scene_to_json(scene_of(once));
    EXPECT_EQ(to_text(once), to_text(twice));
    EXPECT_NE(to_text(once).find("logarithmic"), std::string::npos);
    const Json other =
        scene_to_json(scene_of(with_modulus(R"({ "over": "temperature", "points": [[20, 400], [61, 20], [80, 0]] })")));
    EXPECT_EQ(differing_keys(once, other), Texts{"/materials/wax/shear_modulus/points/1/0"});
}

TEST(Functions, say_what_is_wrong_and_where) {
    const std::string at = "/materials/wax/shear_modulus";
    const auto problem = [](const std::string& function) {
        const Texts all = problems_of(with_modulus(function));
        return all.size() == 1 ? all[0] : std::to_string(all.size()) + " problems";
    };
    EXPECT_EQ(problem(R"({ "over": "temperature", "points": [[60, 20], [20, 400]] })"),
              at + "/points/1/0: must be more than at the point before, 60");
    EXPECT_EQ(problem(R"({ "over": "temperature", "points": [[60, -1]] })"),
              at + "/points/0/1: must be a number from 0 to 1e+09, unit Pa; it is -1");
    EXPECT_EQ(problem(R"({ "over": "age", "points": [[-1, 5]] })"), at + "/points/0/0: an age cannot be negative");
    EXPECT_EQ(problem(R"({ "over": "temperature", "points": [[-300, 5]] })"),
              at + "/points/0/0: nothing is colder than -273.15 °C");
    EXPECT_EQ(problem(R"({ "over": "age", "points": [] })"), at + "/points: there must be at least one point");
    EXPECT_EQ(problem(R"({ "over": "age", "points": [[1, 2, 3]] })"),
              at + "/points/0: must be a pair [age in s, shear_modulus], not a list of 3 elements");
    EXPECT_EQ(problem(R"({ "over": "age", "points": [[1, 2], [2, 0]], "interpolation": "logarithmic" })"),
              at + "/points/1/1: must be above 0 for logarithmic interpolation; use \"linear\"");
    EXPECT_EQ(problem(R"({ "over": "pressure", "points": [[1, 2]] })"),
              at + "/over: must be one of \"temperature\", \"age\"; it is \"pressure\"");
    EXPECT_EQ(problem(R"({ "over": "age" })").substr(0, at.size() + 7), at + "/points");
}

TEST(Functions, are_refused_where_a_constant_is_needed) {
    const std::string function = R"({ "over": "age", "points": [[0, 1000]] })";
    Json root = warm_scene();
    ASSERT_TRUE(set_at_pointer(root, "/materials/wax/density", json_of(function)));
    EXPECT_EQ(problems_of(root),
              Texts{"/materials/wax/density: \"density\" is the same for all particles, so it cannot be a function"});
    root = warm_scene();
    ASSERT_TRUE(set_at_pointer(root, "/method", Json("clavet2005")));
    EXPECT_EQ(problems_of(root), (Texts{"/materials/wax/shear_modulus: the properties of clavet2005 do not vary from "
                                        "particle to particle; give a number",
                                        "/materials/wax/relaxation_time: the properties of clavet2005 do not vary from "
                                        "particle to particle; give a number"}));
}

Texts warnings_of(const Json& root) {
    Texts all;
    const Log log{.warning = [&](const std::string& text) { all.push_back(text); }};
    EXPECT_TRUE(read_scene(root, "scene.json", log));
    return all;
}

TEST(Temperature, asks_for_what_it_needs_and_warns_of_what_has_no_effect) {
    EXPECT_EQ(warnings_of(warm_scene()), Texts{});
    Json root = warm_scene();
    ASSERT_TRUE(set_at_pointer(root, "/materials/wax", json_of(R"({ "thermal_conductivity": 1 })")));
    EXPECT_EQ(problems_of(root),
              Texts{"/materials/wax/heat_capacity: is needed with a thermal_conductivity; water has 4200"});
    ASSERT_TRUE(set_at_pointer(root, "/materials/wax", json_of(R"({ "heat_capacity": 4200 })")));
    EXPECT_EQ(warnings_of(root).size(), 2u);  // for the fluid and for the floor: nothing conducts
    ASSERT_TRUE(set_at_pointer(root, "/method", Json("clavet2005")));
    const Texts all = warnings_of(root);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_NE(all[0].find("/materials/wax/heat_capacity: has no effect: clavet2005 does not know temperature"),
              std::string::npos);
}

TEST(Adhesion, is_known_to_every_method) {
    Json root = json_of(R"({ "treacle": 1, "dimension": 2, "particle_spacing": 0.01,
      "time": { "duration": 1, "fps": 10 }, "materials": { "oil": { "viscosity": 1, "shear_modulus": 100 } },
      "fluids": [ { "material": "oil", "shape": { "box": { "center": [0, 0.1], "size": [0.1, 0.1] } } } ],
      "solids": [ { "name": "floor", "adhesion": 2, "shape": { "plane": { "normal": [0, 1] } } } ] })");
    for (const char* method : {"clavet2005", "takahashi2014", "barreiro2017", "takamatsu2011", "mukai2021"}) {
        ASSERT_TRUE(set_at_pointer(root, "/method", Json(method)));
        EXPECT_EQ(warnings_of(root), Texts{}) << method;
    }
}

TEST(Friction, warns_where_fluid_cannot_slide_with_it) {
    const auto warned = [](const char* method, const Json& friction, const char* scheme = "coupled") {
        Json root = json_of(R"({ "treacle": 1, "dimension": 2, "particle_spacing": 0.01,
          "time": { "duration": 1, "fps": 10 }, "materials": { "oil": { "viscosity": 1 } },
          "fluids": [ { "material": "oil", "shape": { "box": { "center": [0, 0.1], "size": [0.1, 0.1] } } } ],
          "solids": [ { "name": "floor", "shape": { "plane": { "normal": [0, 1] } } } ] })");
        EXPECT_TRUE(set_at_pointer(root, "/method", Json(method)));
        EXPECT_TRUE(set_at_pointer(root, "/mukai2021", json_of(std::string(R"({ "scheme": ")") + scheme + "\" }")));
        if (friction.type != Json::Type::null) { EXPECT_TRUE(set_at_pointer(root, "/solids/0/friction", friction)); }
        std::string all;
        for (const std::string& text : warnings_of(root)) all += text + "\n";
        return all.find("/solids/0/friction: is taken for \"no_slip\"") != std::string::npos;
    };
    EXPECT_FALSE(warned("mukai2021", Json(0.3)));
    EXPECT_TRUE(warned("mukai2021", Json(0.3), "projection"));
    EXPECT_FALSE(warned("mukai2021", Json(0), "projection"));
    EXPECT_FALSE(warned("mukai2021", Json("no_slip"), "projection"));
    EXPECT_FALSE(warned("mukai2021", Json(), "projection"));  // the default, which the scene does not give
    EXPECT_FALSE(warned("takahashi2014", Json(0.3)));
}

TEST(MotionStop, warns_where_the_method_never_detects_rupture) {
    Json root = warm_scene();
    ASSERT_TRUE(set_at_pointer(root, "/solids/0/motion", json_of(R"({ "velocity": [0, 0.1], "stop": "rupture" })")));
    const Texts all = warnings_of(root);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_NE(all[0].find("/solids/0/motion/stop: has no effect: takahashi2014 does not notice rupture"),
              std::string::npos)
        << all[0];
}

}  // namespace
}  // namespace treacle
