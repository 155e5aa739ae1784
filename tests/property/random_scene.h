#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "math/reproducible.h"

/// Random scenes of at most 350 particles: one to three materials in any order, one of which may be unused; columns of
/// fluid in a tank or between walls, in 2D and 3D; now and then an emitter, a sink, a fixed rock, a board that moves by
/// keyframes and a body that falls. All lengths scale with the spacing and all times with a speed, so that every scene
/// moves.

namespace treacle::test {

using SceneJson = nlohmann::ordered_json;  // materials keep their order

/// Random numbers that are the same everywhere: the standard's distributions differ between libraries, pow between
/// CPUs.
class Dice {
public:
    explicit Dice(std::uint32_t seed) : random_(seed) {}

    double uniform(double low, double high) { return low + (high - low) * (random_() / 4294967295.0); }
    /// Uniform in the logarithm.
    double spread(double low, double high) {
        return low * reproducible::exp(uniform(0, 1) * reproducible::log(high / low));
    }
    bool chance(double share) { return uniform(0, 1) < share; }
    int whole(int low, int high) { return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)); }
    template <class T>
    T one_of(std::initializer_list<T> choices) {
        return *(choices.begin() + whole(0, static_cast<int>(choices.size()) - 1));
    }

private:
    std::mt19937 random_;
};

/// Limits of a method so far. Each names the defect, and goes when that is fixed.
struct Restrictions {
    double thinnest = 1e-4;          ///< least viscosity, in ρ V d
    double thickest_for_body = 1e9;  ///< greatest viscosity of fluid in which bodies float, in the same unit
    bool bodies = true, boards = true;
    bool adhesion = true;
    bool elastic_jets = true;
};

inline Restrictions restrictions_of(const std::string& method) {
    Restrictions limits;
    if (method == "mukai2021") {
        limits.thinnest = 0.1;         // thin fluid gains energy and does not come to rest
        limits.thickest_for_body = 1;  // bodies are coupled explicitly, and thrown by thick fluid
    }
    if (method == "takahashi2014") {
        // Thin jelly boils, and does not come to rest.
        limits.thinnest = 0.03;
        // The step does not follow the pressure, and bodies are thrown out of the fluid.
        limits.bodies = false;
        // Soft jelly tears itself apart, and melts, at walls to which it sticks.
        limits.adhesion = false;
        // Elastic jets gain energy, more so with a smaller tolerance; found by these scenes.
        limits.elastic_jets = false;
    }
    if (method == "barreiro2017") {
        // Fluid that a body or a board hits is shot away, up to a thousand times too fast.
        limits.bodies = limits.boards = false;
        // Drops that hit something explode.
        limits.elastic_jets = false;
    }
    return limits;
}

/// Units of everything else.
struct Scales {
    int dimension;
    double spacing;  ///< d
    double gravity;
    double speed;  ///< V: of a fall through the tank, or any speed if there is no gravity
    double density;

    double stress() const { return density * speed * speed; }
    double time() const { return spacing / speed; }
    double viscosity() const { return stress() * time(); }
};

/// The room inside the walls, in spacings: 2 · half_width (and 2 · half_depth) by height, standing on y = 0.
struct Room {
    double half_width, half_depth, height;
};
inline Room room_of(int dimension) { return dimension == 2 ? Room{12, 0, 42} : Room{6, 4, 26}; }

inline Scales random_scales(Dice& dice) {
    Scales scales{};
    scales.dimension = dice.whole(2, 3);
    scales.spacing = dice.spread(1e-4, 1);
    scales.gravity = dice.chance(0.2) ? 0 : dice.spread(0.1, 100);
    const double height = room_of(scales.dimension).height * scales.spacing;
    scales.speed = scales.gravity > 0 ? std::sqrt(2 * scales.gravity * height) : dice.spread(0.01, 10);
    scales.density = dice.spread(10, 5000);
    return scales;
}

inline SceneJson vec(const Scales& scales, double unit, double x, double y, double z) {
    if (scales.dimension == 2) return {unit * x, unit * y};
    return {unit * x, unit * y, unit * z};
}

inline SceneJson random_settings(const std::string& method, Dice& dice) {
    if (method == "clavet2005")
        // Documented: below a near_ratio of 0.15 particles clump, walls that clamp lose a sixth of the volume, springs
        // of the support radius start under stress, and strong cohesion contracts sheets of a few layers.
        return {{"near_ratio", dice.spread(0.15, 2)},
                {"cohesion_limit", dice.uniform(0, 0.3)},
                {"time_step_safety", dice.uniform(0.1, 0.6)},
                {"support_radius", dice.uniform(1.6, 4)},
                {"sweep", dice.one_of({"jacobi", "jacobi", "jacobi", "sequential"})},
                {"break_stretch", dice.uniform(1, 3)}};
    if (method == "barreiro2017")
        return {{"support_radius", dice.uniform(1.6, 3)},
                {"velocity_iterations", static_cast<int>(dice.spread(10, 30))},
                {"position_iterations", static_cast<int>(dice.spread(10, 30))},  // fewer: drops explode at times
                {"velocity_solver", dice.one_of({"jacobi", "conjugate_gradients"})},
                {"projection", "doubly"},  // "position_only" exists to show that it is less stable
                {"strain", dice.one_of({"full", "full", "full", "shear"})},
                {"incompressibility", dice.one_of({"positions", "positions", "doubly"})},
                {"combine", dice.one_of({"staggered", "staggered", "staggered", "simultaneous"})},
                {"density_relaxation", dice.uniform(0.1, 0.25)},  // above this, drops explode now and then
                {"warm_start", dice.uniform(0, 1)},
                {"gradient_floor", dice.uniform(0, 1)},
                {"cfl", dice.uniform(0.1, 0.6)}};
    if (method == "takamatsu2011")
        return {{"support_radius", dice.uniform(1.6, 3)},
                {"pressure", dice.one_of({"equation_of_state", "equation_of_state", "equation_of_state", "iisph"})},
                {"update_threshold", dice.spread(0.1, 100)},
                {"update_interval", dice.spread(1e-4, 1)},
                {"cfl", dice.uniform(0.1, 1)}};
    if (method == "mukai2021")
        return {{"support_radius", dice.uniform(1.9, 2.6)},
                {"viscous_radius", dice.uniform(2.6, 3.5)},
                {"resistance", dice.spread(2, 50)},
                {"density_rate", dice.spread(1, 100)},  // at 0 nothing preserves the volume
                {"shift_rate", dice.chance(0.2) ? 0 : dice.spread(1, 1000)},
                {"thread_viscosity", dice.chance(0.7)},
                {"tolerance", dice.spread(1e-6, 1e-2)},
                {"cfl", dice.uniform(0.1, 0.4)},
                {"halvings", dice.chance(0.5) ? 0 : dice.whole(1, 6)}};
    return {{"support_radius", dice.uniform(1.6, 2.3)},  // elastic fluid boils with wider radii
            {"tolerance", dice.spread(1e-5, 1e-2)},
            {"pressure_solver", dice.one_of({"accelerated", "accelerated", "accelerated", "jacobi"})},
            {"iterations", static_cast<int>(dice.spread(3, 200))},
            {"relaxation", dice.uniform(0.1, 0.5)},
            {"cfl", dice.uniform(0.1, 0.5)}};
}

/// The method's own part of a material.
inline SceneJson random_own_material(const std::string& method, Dice& dice, const Scales& scales) {
    // At twenty times the density, fluid gains energy, because the step does not depend on it; found by these scenes.
    if (method == "clavet2005")
        return {{"quadratic_viscosity", dice.chance(0.3) ? scales.density * dice.spread(1e-3, 1) : 0}};
    if (method == "takamatsu2011")
        // Fluid that hardly flows has hardly any pressure, and loses up to a third of its volume.
        return {{"fluidity", dice.one_of({0.3, 1.0, dice.uniform(0.3, 1), dice.uniform(0.3, 1)})},
                {"break_stretch", dice.uniform(1, 4)}};
    if (method == "mukai2021")
        return {{"law", dice.one_of({"oldroyd_b", "fene_p", "giesekus"})},
                {"extensibility", dice.spread(5, 1000)},
                {"mobility", dice.uniform(0, 0.5)}};
    if (method == "takahashi2014")
        return {{"connect_distance", dice.uniform(0, 1)},
                {"break_distance", dice.uniform(1, 3)},
                // "always" gains energy with the method's own step.
                {"self_connect", "automatic"},
                {"healing_time", scales.time() * dice.spread(0.1, 1000)}};
    // If a material tears at small stretches, single particles are shot away.
    return dice.chance(0.4) ? SceneJson{{"break_stretch", dice.uniform(1.5, 3)}} : SceneJson::object();
}

inline SceneJson random_material(const std::string& method, Dice& dice, const Scales& scales) {
    const double thinnest = restrictions_of(method).thinnest;
    SceneJson material{{"density", scales.density * dice.uniform(0.5, 2)}};
    const double viscosity = scales.viscosity() * dice.spread(thinnest, 1e3);
    if (dice.chance(0.8) || thinnest > 1e-3) material["viscosity"] = std::min(1e6, viscosity);
    // Stiffer ones need steps so short that nothing would move during the test.
    if (dice.chance(0.6)) material["shear_modulus"] = std::min(1e9, scales.stress() * dice.spread(1e-3, 10));
    if (dice.chance(0.6)) material["relaxation_time"] = scales.time() * dice.spread(0.01, 1e4);
    if (dice.chance(0.4)) material["yield_stress"] = scales.stress() * dice.spread(1e-4, 100);
    if (dice.chance(0.4))
        material["surface_tension"] = std::min(100.0, scales.stress() * scales.spacing * dice.spread(1e-4, 0.3));
    material[method] = random_own_material(method, dice, scales);
    return material;
}

/// Columns of fluid side by side, each of one of the materials, some above the ground and some moving.
inline SceneJson random_fluids(Dice& dice, const Scales& scales, const std::vector<std::string>& materials) {
    const double d = scales.spacing;
    const Room room = room_of(scales.dimension);
    const bool flat = scales.dimension == 2;
    const int columns = static_cast<int>(materials.size());
    const double width = 2 * room.half_width / columns;
    SceneJson fluids = SceneJson::array();
    for (int n = 0; n < columns; ++n) {
        const double height = dice.whole(2, flat ? 12 : 4), lift = dice.one_of({0.0, 0.0, dice.uniform(0, 4)});
        const double x = -room.half_width + (n + 0.5) * width;
        const double vx = dice.uniform(-0.2, 0.2), vy = dice.uniform(-0.3, 0.1), vz = dice.uniform(-0.2, 0.2);
        fluids.push_back({{"material", materials[static_cast<std::size_t>(n)]},
                          {"packing", dice.one_of({"lattice", "lattice", "relaxed"})},
                          {"velocity", vec(scales, scales.speed, vx, vy, vz)},
                          {"shape",
                           {{"box",
                             {{"center", vec(scales, d, x, 0.5 * height + lift, 0)},
                              {"size", vec(scales, d, width - 1, height, 2 * room.half_depth - 1)}}}}}});
    }
    return fluids;
}

inline SceneJson random_friction(Dice& dice) {
    return dice.chance(0.3) ? SceneJson("no_slip") : SceneJson(dice.uniform(0, 2));
}

/// A closed tank, or planes around the same room without a lid.
inline void add_walls(SceneJson& solids, Dice& dice, const Scales& scales, bool sticky) {
    const double d = scales.spacing;
    const Room room = room_of(scales.dimension);
    const SceneJson friction = random_friction(dice);
    const double adhesion = dice.chance(0.3) && sticky ? dice.uniform(0, 3) : 0;
    if (dice.chance(0.5)) {
        solids.push_back({{"name", "tank"},
                          {"invert", true},
                          {"friction", friction},
                          {"adhesion", adhesion},
                          {"shape",
                           {{"box",
                             {{"center", vec(scales, d, 0, 0.5 * room.height, 0)},
                              {"size", vec(scales, 2 * d, room.half_width, 0.5 * room.height, room.half_depth)}}}}}});
        return;
    }
    const auto wall = [&](const char* name, double x, double y, double z, double offset) {
        solids.push_back({{"name", name},
                          {"friction", friction},
                          {"adhesion", adhesion},
                          {"shape", {{"plane", {{"normal", vec(scales, 1, x, y, z)}, {"offset", offset * d}}}}}});
    };
    wall("floor", 0, 1, 0, 0);
    wall("left", 1, 0, 0, -room.half_width);
    wall("right", -1, 0, 0, -room.half_width);
    if (scales.dimension == 2) return;
    wall("back", 0, 0, 1, -room.half_depth);
    wall("front", 0, 0, -1, -room.half_depth);
}

/// A quarter or an eighth of a ball in the left corner: no narrow gaps.
inline SceneJson random_rock(Dice& dice, const Scales& scales) {
    const Room room = room_of(scales.dimension);
    return {{"name", "rock"},
            {"friction", random_friction(dice)},
            {"shape",
             {{"sphere",
               {{"center", vec(scales, scales.spacing, -room.half_width, 0, -room.half_depth)},
                {"radius", scales.spacing * (scales.dimension == 2 ? 4 : 3)}}}}}};
}

/// A board on the right that reaches into the ground and goes to and fro, never near a wall.
inline SceneJson random_board(Dice& dice, const Scales& scales) {
    const double d = scales.spacing, way = 1.5 * (dice.chance(0.5) ? 1 : -1);
    const double time = std::abs(way) * scales.time() / dice.uniform(0.05, 0.3);
    const bool flat = scales.dimension == 2;
    return {
        {"name", "board"},
        {"friction", random_friction(dice)},
        {"shape",
         {{"box", {{"center", vec(scales, d, flat ? 5 : 1.5, 3, 0)}, {"size", vec(scales, d, flat ? 3 : 2, 8, 4)}}}}},
        {"motion",
         {{"interpolation", dice.one_of({"linear", "smooth"})},
          {"keyframes",
           {{{"time", 0}},
            {{"time", time}, {"position", vec(scales, d, way, 0, 0)}},
            {{"time", 2 * time}, {"position", vec(scales, d, 0, 0, 0)}}}}}}};
}

/// A ball or box above the fluid that falls into it.
inline SceneJson random_float(Dice& dice, const Scales& scales) {
    const double d = scales.spacing, height = scales.dimension == 2 ? 20 : 10, size = dice.uniform(4, 6);
    const SceneJson center = vec(scales, d, dice.uniform(-2, 0), height, 0);
    SceneJson shape;
    if (dice.chance(0.5)) shape["sphere"] = {{"center", center}, {"radius", 0.5 * size * d}};
    else shape["box"] = {{"center", center}, {"size", vec(scales, size * d, 1, 0.75, 1)}};
    return {{"name", "float"},
            {"friction", random_friction(dice)},
            {"shape", shape},
            {"motion",
             {{"dynamic",
               {{"density", scales.density * dice.spread(0.3, 5)},
                {"velocity", vec(scales, scales.speed, 0, dice.uniform(-0.5, 0), 0)}}}}}};
}

inline SceneJson random_emitter(Dice& dice, const Scales& scales, const std::string& material) {
    const double d = scales.spacing;
    return {{"material", material},
            {"shape", {{"disk", {{"radius", d * dice.uniform(1.5, 2.5)}}}}},
            {"position", vec(scales, d, dice.uniform(-1, 1), room_of(scales.dimension).height - 8, 0)},
            {"direction", vec(scales, 1, 0, -1, 0)},
            {"speed", scales.speed * dice.uniform(0.1, 0.5)}};
}

/// A sink low in the right corner, where columns stand.
inline SceneJson random_sink(const Scales& scales) {
    const Room room = room_of(scales.dimension);
    return {{"shape",
             {{"box",
               {{"center", vec(scales, scales.spacing, room.half_width, 0, 0)},
                {"size", vec(scales, scales.spacing, 6, 4, 6)}}}}}};
}

inline const char* random_precision(const std::string& method, Dice& dice) {
    if (method == "mukai2021") return "double";  // its only precision
    const bool twice = dice.chance(0.3);
    if (method == "barreiro2017") return "float";  // double is an option of the build
    return twice ? "double" : "float";
}

inline SceneJson random_scene(const std::string& method, std::uint32_t seed) {
    Dice dice(seed);
    const Scales scales = random_scales(dice);
    const Restrictions limits = restrictions_of(method);

    std::vector<std::string> names{"honey", "slime", "jelly"};
    names.resize(static_cast<std::size_t>(dice.whole(1, 3)));
    std::vector<std::string> listed = names;
    if (dice.chance(0.3)) listed.push_back("unused");
    for (std::size_t n = listed.size(); n > 1; --n)
        std::swap(listed[n - 1], listed[static_cast<std::size_t>(dice.whole(0, static_cast<int>(n) - 1))]);

    const bool emitters = dice.chance(0.4);
    SceneJson scene{{"treacle", 1},
                    {"method", method},
                    {"dimension", scales.dimension},
                    {"precision", random_precision(method, dice)},
                    {"particle_spacing", scales.spacing},
                    {"gravity", vec(scales, scales.gravity, 0, -1, 0)},
                    {"time", {{"duration", 1000 * scales.time()}, {"fps", 0.5 / scales.time()}}},
                    {method, random_settings(method, dice)}};
    for (const std::string& name : listed) scene["materials"][name] = random_material(method, dice, scales);
    scene["fluids"] = random_fluids(dice, scales, names);
    scene["solids"] = SceneJson::array();
    add_walls(scene["solids"], dice, scales, limits.adhesion);
    if (dice.chance(0.3)) scene["solids"].push_back(random_rock(dice, scales));
    if (dice.chance(0.3)) {
        const SceneJson board = random_board(dice, scales);
        if (limits.boards) scene["solids"].push_back(board);
    }
    const SceneJson body = random_float(dice, scales);
    double thickest = 0;
    for (const SceneJson& material : scene["materials"])
        thickest = std::max(thickest, material.value("viscosity", 0.0));
    if (dice.chance(0.4) && limits.bodies && thickest <= limits.thickest_for_body * scales.viscosity())
        scene["solids"].push_back(body);
    if (emitters) {
        const std::string material = dice.chance(0.5) ? names[0] : listed.back();
        if (!limits.elastic_jets) scene["materials"][material].erase("shear_modulus");
        scene["emitters"].push_back(random_emitter(dice, scales, material));
    }
    if (dice.chance(0.3)) scene["sinks"].push_back(random_sink(scales));
    return scene;
}

}  // namespace treacle::test
