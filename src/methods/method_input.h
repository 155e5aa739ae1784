#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/parameters.h"
#include "material/material.h"
#include "math/vec.h"

namespace treacle {

/// All that a method may know of a scene.
struct MethodInput {
    int dimension = 3;
    bool double_precision = false;
    double spacing = 0;  ///< m
    Vec3d period{};      ///< m, after which space repeats itself, per axis; 0: it does not
    Vec3d gravity{};
    double strongest_gravity = 0;   ///< m/s², over all keyframes
    double fastest_shear_wave = 0;  ///< m/s, sqrt(G/ρ) of the stiffest material, over all keyframes
    std::optional<double> fixed_dt;
    std::optional<double> max_dt;  ///< s, of the scene
    ParameterObject settings;      ///< of this method
    std::vector<Material> materials;
    std::vector<double> fluid_temperature;  ///< °C, at which particles come into being, by number of the fluid
    double fluid_height = 0;                ///< m, extent of the fluid along gravity at the start
    double fluid_depth = 0;                 ///< m, the same without gaps: how deep a pool it can make
    double fall_height = 0;                 ///< m, how far the highest fluid can fall
    double speed = 0;                       ///< m/s, largest speed given in the scene (fluid or solid)
};

/// Two switches that mean the same in every method.
enum class Coefficients { physical, paper };
enum class Equations { corrected, printed };

/// Something about the input that a person should know.
struct Remark {
    enum class Kind { error, warning };
    Kind kind;
    std::string pointer;  ///< JSON pointer
    std::string message;
};

/// A coefficient that the method computed from the scene, for people to see.
struct DerivedValue {
    std::string name;
    double value;
    std::string unit;
};

}  // namespace treacle
