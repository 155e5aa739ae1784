#pragma once

#include <string_view>
#include <vector>

#include "methods/method_input.h"
#include "methods/time_step_limit.h"

namespace treacle {

/// One method as scenes know it: its tables, checks and limits, without the code that computes. A new method is a new
/// row, and a line in create_method (method.cpp).
struct MethodRow {
    const char* id;
    const char* paper;    ///< citation
    const char* summary;  ///< one sentence
    bool single_precision;
    bool double_precision;
    const char* double_option = nullptr;  ///< option of CMake that adds double precision, where it is not always built
    bool varying_properties;              ///< conducts heat; properties may depend on temperature and age
    bool adhesion;                        ///< fluid sticks to solids that have it
    bool periodic = false;                ///< space may repeat itself
    const ParameterTable& (*settings_table)();
    const ParameterTable& (*material_table)();  ///< coefficients only this method has
    ParameterObject (*default_settings)();
    ParameterObject (*default_material)();
    std::vector<Remark> (*check)(const MethodInput&);                    ///< everything wrong or doubtful, at once
    double (*search_radius)(const MethodInput&);                         ///< how far neighbor rows reach at rest, m
    std::vector<TimeStepLimit> (*time_step_limits)(const MethodInput&);  ///< for fluid at rest
    std::vector<DerivedValue> (*derived_values)(const MethodInput&);
    double (*working_bytes)(const MethodInput&);  ///< memory per particle besides columns, an upper estimate
    bool detects_rupture = false;                 ///< notices when a fluid between two solids tears
    /// Whether fluid slides along solids with any friction; else freely (0) or not. None: it does.
    bool (*coulomb)(const MethodInput&) = nullptr;
    /// Whether its pressure gives way, as that of a paper with numbers of its own does. None: it keeps the volume.
    bool (*compressible)(const MethodInput&) = nullptr;
};

const std::vector<MethodRow>& method_registry();
const MethodRow* find_method(std::string_view id);

}  // namespace treacle
