#include "scene/schema.h"

#include <set>

#include <gtest/gtest.h>

#include "methods/registry.h"
#include "scene/tables.h"
#include "unit/scene/scene_text.h"

namespace treacle {
namespace {

const Json& at(const Json& json, std::initializer_list<const char*> keys) {
    static const Json nothing;
    const Json* here = &json;
    for (const char* key : keys) {
        here = here->find(key);
        if (!here) {
            ADD_FAILURE() << "no " << key;
            return nothing;
        }
    }
    return *here;
}

/// The place of each kind of object in a scene file, and of its schema.
struct KindPlace {
    std::string name;
    std::string pointer;            ///< in a 2D scene
    std::string rest;               ///< a valid object of the kind
    std::vector<std::string> path;  ///< of keys below "properties" of the schema
};

std::vector<KindPlace> kind_places() {
    const std::string box = R"({"size": [0.1, 0.1]})";
    const std::string solid = R"({"name": "x", "shape": {"plane": {"normal": [0, 1], "offset": -9}}})";
    const std::string keyframes = R"({"keyframes": [{"time": 0}]})";
    return {
        {"scene", "", small_scene_2d, {}},
        {"time", "/time", "{}", {"time"}},
        {"output", "/output", "{}", {"output"}},
        {"material", "/materials/honey", "{}", {"materials", "*"}},
        {"fluid", "/fluids/0", R"({"material": "honey", "shape": {"box": )" + box + "}}", {"fluids", "[]"}},
        {"fluid shape", "/fluids/0/shape", "{\"box\": " + box + "}", {"fluids", "[]", "shape"}},
        {"box", "/fluids/0/shape/box", box, {"fluids", "[]", "shape", "box"}},
        {"sphere", "/solids/0/shape/sphere", R"({"radius": 0.01})", {"solids", "[]", "shape", "sphere"}},
        {"plane", "/solids/0/shape/plane", R"({"normal": [0, 1]})", {"solids", "[]", "shape", "plane"}},
        {"transform", "/fluids/0/shape/transform", "{}", {"fluids", "[]", "shape", "transform"}},
        {"solid", "/solids/0", solid, {"solids", "[]"}},
        {"solid shape", "/solids/0/shape", R"({"plane": {"normal": [0, 1]}})", {"solids", "[]", "shape"}},
        {"motion", "/solids/0/motion", keyframes, {"solids", "[]", "motion"}},
        {"pose keyframe",
         "/solids/0/motion/keyframes/0",
         R"({"time": 0})",
         {"solids", "[]", "motion", "keyframes", "[]"}},
    };
}

const Json& schema_at(const Json& schema, const std::vector<std::string>& path) {
    const Json* here = &schema;
    for (const std::string& key : path) {
        if (key == "*") here = &at(*here, {"additionalProperties"});
        else if (key == "[]") here = &at(*here, {"items"});
        else here = &at(*here, {"properties", key.c_str()});
    }
    return *here;
}

bool says_unknown(const Texts& problems) {
    return std::any_of(problems.begin(), problems.end(),
                       [](const std::string& text) { return text.find("unknown key") != std::string::npos; });
}

/// A 2D scene with an object of the kind in its place.
Json scene_for(const KindPlace& place, const Json& object) {
    Json root = json_of(small_scene_2d);
    if (place.pointer.find("motion") != std::string::npos) {
        EXPECT_TRUE(set_at_pointer(root, "/solids/0/motion", json_of(R"({"keyframes": [{"time": 0}]})")));
    }
    EXPECT_TRUE(set_at_pointer(root, place.pointer, object));
    return root;
}

TEST(Schema, reader_and_schema_know_the_same_keys) {
    const Json schema = scene_schema();
    for (const KindPlace& place : kind_places()) {
        const Json& kind = schema_at(schema, place.path);
        EXPECT_FALSE(at(kind, {"additionalProperties"}).boolean);
        EXPECT_EQ(at(kind, {"additionalProperties"}).type, Json::Type::boolean);
        // Every key of the schema is known to the reader …
        for (const auto& [key, property] : at(kind, {"properties"}).members) {
            Json object = json_of(place.rest);
            object.set(key, Json());
            const Texts problems = problems_of(scene_for(place, object));
            EXPECT_FALSE(says_unknown(problems)) << place.name << " " << key;
            EXPECT_FALSE(problems.empty()) << place.name << " " << key << " was ignored";
            EXPECT_NE(property.find("description"), nullptr) << place.name << " " << key;
        }
        // … and the reader lists no other when it finds an unknown one.
        Json object = json_of(place.rest);
        object.set("qqqqqqqqqqqq", 1);
        const Texts problems = problems_of(scene_for(place, object));
        ASSERT_EQ(problems.empty(), false) << place.name;
        const std::string& message = problems.front();
        EXPECT_TRUE(says_unknown({message})) << message;
        std::set<std::string> listed;
        std::string word;
        for (const char c : message.substr(message.find("known here: ") + 12) + " ") {
            if (c != ' ' && c != ',') word += c;
            else if (!word.empty()) listed.insert(std::exchange(word, ""));
        }
        listed.erase("and");
        std::set<std::string> in_schema;
        for (const auto& [key, property] : at(kind, {"properties"}).members) {
            if (!property.find("not")) in_schema.insert(key);
        }
        EXPECT_EQ(listed, in_schema) << place.name;
    }
}

TEST(Schema, knows_the_contract) {
    const Json schema = scene_schema();
    EXPECT_EQ(at(schema, {"$schema"}).text, "https://json-schema.org/draft/2020-12/schema");
    for (const char* key :
         {"treacle",       "name",          "method",       "dimension", "precision", "particle_spacing",
          "gravity",       "time",          "materials",    "fluids",    "emitters",  "sinks",
          "solids",        "joints",        "probes",       "output",    "view",      "clavet2005",
          "takamatsu2011", "takahashi2014", "barreiro2017", "mukai2021"}) {
        EXPECT_NE(at(schema, {"properties"}).find(key), nullptr) << key;
        EXPECT_FALSE(says_unknown(problems_of(with(small_scene_2d, std::string("/") + key, "null")))) << key;
    }
    for (const char* key : {"duration", "fps", "max_dt", "fixed_dt"}) {
        at(schema, {"properties", "time", "properties", key});
    }
    for (const char* key :
         {"density", "viscosity", "shear_modulus", "relaxation_time", "yield_stress", "surface_tension", "color"}) {
        at(schema, {"properties", "materials", "additionalProperties", "properties", key});
    }
    for (const char* key : {"shape", "material", "velocity", "angular_velocity", "count", "packing"}) {
        at(schema, {"properties", "fluids", "items", "properties", key});
    }
    for (const char* key : {"name", "shape", "motion", "friction", "adhesion", "invert"}) {
        at(schema, {"properties", "solids", "items", "properties", key});
    }
    for (const char* key :
         {"disk", "star", "sphere", "box", "cylinder", "tube", "capsule", "plane", "mesh", "transform"}) {
        at(schema, {"properties", "solids", "items", "properties", "shape", "properties", key});
    }
}

TEST(Schema, methods_come_from_the_registry) {
    const Json schema = scene_schema();
    for (const MethodRow& row : method_registry()) {
        for (const Parameter& parameter : row.settings_table().rows()) {
            at(schema, {"properties", row.id, "properties", parameter.key.c_str()});
        }
        for (const Parameter& parameter : row.material_table().rows()) {
            at(schema, {"properties", "materials", "additionalProperties", "properties", row.id, "properties",
                        parameter.key.c_str()});
        }
    }
}

TEST(Schema, ranges_units_and_keyframes) {
    const Json schema = scene_schema();
    const Json& spacing = at(schema, {"properties", "particle_spacing"});
    EXPECT_EQ(at(spacing, {"type"}).text, "number");
    EXPECT_EQ(at(spacing, {"maximum"}).number, 1000);
    EXPECT_NE(at(spacing, {"description"}).text.find("Unit: m."), std::string::npos);
    EXPECT_EQ(at(schema, {"properties", "time", "properties", "fps", "exclusiveMinimum"}).number, 0);
    EXPECT_EQ(at(schema, {"properties", "time", "properties", "fps", "default"}).number, 30);
    const Json& material = at(schema, {"properties", "materials", "additionalProperties", "properties"});
    const Json& viscosity = at(material, {"viscosity", "anyOf"});
    ASSERT_EQ(viscosity.elements.size(), 3u);  // a number, keyframes, a function
    const Json& keyframe = at(viscosity.elements[1], {"properties", "keyframes", "items"});
    EXPECT_EQ(at(keyframe, {"properties", "value", "maximum"}).number, 1e6);
    const Json& point = at(viscosity.elements[2], {"properties", "points", "items", "prefixItems"});
    ASSERT_EQ(point.elements.size(), 2u);
    EXPECT_EQ(at(point.elements[1], {"maximum"}).number, 1e6);
    EXPECT_EQ(material.find("density")->find("anyOf"), nullptr) << "not live";
    EXPECT_EQ(at(material, {"color", "pattern"}).text, color_pattern);
}

TEST(Reference, lists_every_parameter_once_per_object) {
    const std::string text = parameter_reference_markdown();
    const auto contains = [&](const std::string& part) { return text.find(part) != std::string::npos; };
    for (const char* title : {"## scene", "## time", "## material", "## fluid", "## solid", "## motion", "## transform",
                              "## rotation", "## keyframes"}) {
        EXPECT_TRUE(contains(std::string("\n") + title + "\n")) << title;
    }
    for (const MethodRow& row : method_registry()) {
        EXPECT_TRUE(contains(std::string("\n## ") + row.id + " settings\n"));
        for (const Parameter& parameter : row.settings_table().rows()) {
            EXPECT_TRUE(contains("| `" + parameter.key + "` |"));
        }
    }
    EXPECT_TRUE(contains("| `density` |  | kg/m³ | `1000` | ≥ 0.001, ≤ 1e+05 |  | Mass per volume at rest. |"));
    EXPECT_TRUE(contains("| `friction` | μ | 1 | `0.3` | ≥ 0, ≤ 1e+06, `\"no_slip\"` | yes |"));
    // Every row of a table has as many cells as its head.
    std::size_t begin = 0;
    while ((begin = text.find("\n|", begin)) != std::string::npos) {
        const std::size_t end = text.find('\n', begin + 1);
        std::size_t bars = 0;
        for (std::size_t n = begin + 1; n < end; ++n) bars += text[n] == '|' && text[n - 1] != '\\';
        EXPECT_EQ(bars, 8u) << text.substr(begin, end - begin);
        begin = end;
    }
}

}  // namespace
}  // namespace treacle
