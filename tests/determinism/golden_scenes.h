#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

/// The scenes whose hashes are in golden_hashes.txt: every method, both dimensions, every kind of object in a scene.
/// They are small and short, so that all of them run on every SIMD path within seconds.

namespace treacle::test {

struct GoldenScene {
    std::string name;  ///< method_dimension_kind
    std::string kind;
    int frames = 0;
    nlohmann::json text;
};

inline void PrintTo(const GoldenScene& scene, std::ostream* out) { *out << scene.name; }

namespace golden {

using nlohmann::json;

/// x, y and, in 3D, z.
inline json place(int dimension, double x, double y, double z = 0) {
    return dimension == 2 ? json{x, y} : json{x, y, z};
}

inline json box(int dimension, json center, json size) {
    if (dimension == 2) { center.erase(2), size.erase(2); }
    return {{"box", {{"center", center}, {"size", size}}}};
}

inline json sphere(json center, double radius) { return {{"sphere", {{"center", center}, {"radius", radius}}}}; }

inline json slime() { return {{"viscosity", 1}, {"shear_modulus", 800}, {"relaxation_time", 0.2}}; }

/// A block of slime that falls into the corner of a tank.
inline json splash(const std::string& method, int dimension) {
    const double width = dimension == 2 ? 0.4 : 0.2;
    return {
        {"treacle", 1},
        {"method", method},
        {"dimension", dimension},
        {"particle_spacing", 0.02},
        {"time", {{"duration", 1}, {"fps", 100}, {"max_dt", 0.0025}}},
        {"materials", {{"slime", slime()}}},
        {"fluids",
         {{{"material", "slime"},
           {"shape", box(dimension, {width / 2, 0.12, 0.1}, {width - 0.02, 0.18, 0.14})},
           {"velocity", place(dimension, 0.5, -1, 0.3)}}}},
        {"solids",
         {{{"name", "tank"}, {"invert", true}, {"shape", box(dimension, {width / 2, 0.3, 0.1}, {width, 0.6, 0.2})}}}}};
}

/// A light body that tumbles into the fluid, a heavy one, and a paddle on keyframes.
inline json with_bodies(json scene, int dimension) {
    const json turning = dimension == 2 ? json(400) : json{100, 50, 400};
    scene["solids"].push_back(
        {{"name", "cork"},
         {"shape", box(dimension, {0.09, 0.26, 0.12}, {0.06, 0.05, 0.06})},
         {"motion",
          {{"dynamic", {{"density", 300}, {"velocity", place(dimension, 0, -1)}, {"angular_velocity", turning}}}}}});
    scene["solids"].push_back({{"name", "stone"},
                               {"shape", sphere(place(dimension, 0.16, 0.26, 0.06), 0.03)},
                               {"friction", "no_slip"},
                               {"motion", {{"dynamic", {{"density", 2500}}}}}});
    scene["solids"].push_back(
        {{"name", "paddle"},
         {"shape", box(dimension, {0.03, 0.33, 0.1}, {0.02, 0.1, 0.1})},
         {"motion", {{"keyframes", {{{"time", 0}}, {{"time", 0.1}, {"position", place(dimension, 0.02, -0.15)}}}}}}});
    return scene;
}

/// A jet into the fluid, and a drain.
inline json with_emitters(json scene, int dimension) {
    scene["emitters"] = {{{"material", "slime"},
                          {"speed", 2},
                          {"end", 0.04},
                          {"shape", {{"disk", {{"radius", 0.04}}}}},
                          {"position", place(dimension, 0.1, 0.4, 0.1)},
                          {"direction", place(dimension, 0.3, -1)}}};
    scene["sinks"] = {{{"shape", sphere(place(dimension, 0.15, 0.05, 0.1), 0.03)}}};
    return scene;
}

/// Three materials: one thin, one elastic with a yield stress, one with surface tension. The viscosity of one changes
/// over time.
inline json with_materials(json scene, int dimension) {
    scene["materials"]["water"] = {{"density", 1000}, {"viscosity", 0.05}, {"surface_tension", 0.07}};
    scene["materials"]["cream"] = {{"density", 800},
                                   {"viscosity",
                                    {{"keyframes", {{{"time", 0}, {"value", 1}}, {{"time", 0.1}, {"value", 5}}}}}},
                                   {"shear_modulus", 2000},
                                   {"yield_stress", 40}};
    scene["fluids"].push_back({{"material", "water"}, {"shape", box(dimension, {0.1, 0.26, 0.1}, {0.12, 0.08, 0.1})}});
    scene["fluids"].push_back({{"material", "cream"}, {"shape", sphere(place(dimension, 0.1, 0.36, 0.1), 0.05)}});
    return scene;
}

/// The same with more particles than one block of a sum has. Only in 2D.
inline json with_blocks(json scene) {
    scene["particle_spacing"] = 0.006;
    return scene;
}

/// Fluid on a mesh. Only in 3D.
inline json with_mesh(json scene) {
    scene["solids"].push_back({{"name", "cone"},
                               {"shape",
                                {{"mesh", TREACLE_SOURCE_DIR "/scenes/barreiro2017/cone.obj"},
                                 {"transform", {{"scale", 0.1}, {"translate", {0.1, 0.02, 0.1}}}}}}});
    return scene;
}

}  // namespace golden

inline std::vector<GoldenScene> golden_scenes() {
    std::vector<GoldenScene> scenes;
    const auto add = [&](const std::string& method, int dimension, const std::string& kind, nlohmann::json text) {
        const int frames = kind == "blocks" ? 2 : 5;
        scenes.push_back({method + "_" + std::to_string(dimension) + "d_" + kind, kind, frames, std::move(text)});
    };
    for (const std::string method : {"clavet2005", "takamatsu2011", "takahashi2014", "barreiro2017", "mukai2021"}) {
        for (const int dimension : {2, 3}) {
            const nlohmann::json splash = golden::splash(method, dimension);
            add(method, dimension, "splash", splash);
            add(method, dimension, "bodies", golden::with_bodies(splash, dimension));
            add(method, dimension, "emitters", golden::with_emitters(splash, dimension));
            add(method, dimension, "materials", golden::with_materials(splash, dimension));
            if (dimension == 3) add(method, dimension, "mesh", golden::with_mesh(splash));
            if (dimension == 2)
                add(method, dimension, "blocks", golden::with_blocks(golden::with_bodies(splash, dimension)));
        }
    }
    return scenes;
}

}  // namespace treacle::test
