#include "methods/registry.h"

#include "methods/barreiro2017/settings.h"
#include "methods/clavet2005/calibration.h"
#include "methods/clavet2005/settings.h"
#include "methods/mukai2021/settings.h"
#include "methods/takahashi2014/settings.h"
#include "methods/takamatsu2011/settings.h"

namespace treacle {

const std::vector<MethodRow>& method_registry() {
    static const std::vector<MethodRow> rows = {
        {.id = "clavet2005",
         .paper = "S. Clavet, P. Beaudoin, P. Poulin: Particle-based Viscoelastic Fluid Simulation. SCA 2005; as "
                  "reported by A. Tang: Implementing Particle-based Viscoelastic Fluid Simulation",
         .summary = "Double density relaxation with plastic springs",
         .single_precision = true,
         .double_precision = true,
         .varying_properties = false,
         .adhesion = true,
         .settings_table = clavet2005::settings_table,
         .material_table = clavet2005::material_settings_table,
         .default_settings = [] { return ParameterObject::of(clavet2005::settings_table(), clavet2005::Settings{}); },
         .default_material =
             [] { return ParameterObject::of(clavet2005::material_settings_table(), clavet2005::MaterialSettings{}); },
         .check = clavet2005::check,
         .search_radius = clavet2005::support_radius,
         .time_step_limits = clavet2005::time_step_limits,
         .derived_values = clavet2005::derived_values,
         .working_bytes = clavet2005::working_bytes,
         .compressible =
             [](const MethodInput& input) {
                 return input.settings.as<clavet2005::Settings>().coefficients == Coefficients::paper;
             }},
        {.id = "takahashi2014",
         .paper =
             "T. Takahashi, Y. Dobashi, I. Fujishiro, T. Nishita: Volume preserving viscoelastic fluids with large "
             "deformations using position-based velocity corrections. The Visual Computer, 2014",
         .summary = "Implicit incompressible SPH with velocities corrected by connections",
         .single_precision = true,
         .double_precision = true,
         .varying_properties = true,
         .adhesion = true,
         .settings_table = takahashi2014::settings_table,
         .material_table = takahashi2014::material_settings_table,
         .default_settings =
             [] { return ParameterObject::of(takahashi2014::settings_table(), takahashi2014::Settings{}); },
         .default_material =
             [] {
                 return ParameterObject::of(takahashi2014::material_settings_table(),
                                            takahashi2014::MaterialSettings{});
             },
         .check = takahashi2014::check,
         .search_radius = takahashi2014::support_radius,
         .time_step_limits = takahashi2014::time_step_limits,
         .derived_values = takahashi2014::derived_values,
         .working_bytes = takahashi2014::working_bytes},
        {.id = "barreiro2017",
         .paper = "H. Barreiro, I. García-Fernández, I. Alduán, M. A. Otaduy: Conformation Constraints for Efficient "
                  "Viscoelastic "
                  "Fluid Simulation. ACM Transactions on Graphics 36(6), 2017",
         .summary = "Position-based fluids with constraints on the conformation tensor",
         .single_precision = true,
         .double_precision = TREACLE_DOUBLE,
         .double_option = "-DTREACLE_DOUBLE=ON",
         .varying_properties = true,
         .adhesion = true,
         .settings_table = barreiro2017::settings_table,
         .material_table = barreiro2017::material_settings_table,
         .default_settings =
             [] { return ParameterObject::of(barreiro2017::settings_table(), barreiro2017::Settings{}); },
         .default_material =
             [] {
                 return ParameterObject::of(barreiro2017::material_settings_table(), barreiro2017::MaterialSettings{});
             },
         .check = barreiro2017::check,
         .search_radius = barreiro2017::support_radius,
         .time_step_limits = barreiro2017::time_step_limits,
         .derived_values = barreiro2017::derived_values,
         .working_bytes = barreiro2017::working_bytes},
        {.id = "takamatsu2011",
         .paper =
             "K. Takamatsu, T. Kanai: A Fast and Practical Method for Animating Particle-Based Viscoelastic Fluids. "
             "International Journal of Virtual Reality 10(1), 2011",
         .summary = "SPH with an equation of state, blended with shape matching",
         .single_precision = true,
         .double_precision = true,
         .varying_properties = false,
         .adhesion = true,
         .settings_table = takamatsu2011::settings_table,
         .material_table = takamatsu2011::material_settings_table,
         .default_settings =
             [] { return ParameterObject::of(takamatsu2011::settings_table(), takamatsu2011::Settings{}); },
         .default_material =
             [] {
                 return ParameterObject::of(takamatsu2011::material_settings_table(),
                                            takamatsu2011::MaterialSettings{});
             },
         .check = takamatsu2011::check,
         .search_radius = takamatsu2011::support_radius,
         .time_step_limits = takamatsu2011::time_step_limits,
         .derived_values = takamatsu2011::derived_values,
         .working_bytes = takamatsu2011::working_bytes,
         .compressible =
             [](const MethodInput& input) {
                 return input.settings.as<takamatsu2011::Settings>().coefficients == Coefficients::paper;
             }},
        {.id = "mukai2021",
         .paper = "N. Mukai, R. Morooka, T. Natsume, Y. Chang: Viscoelastic Fluid Simulation based on the Combination "
                  "of Viscous "
                  "and Elastic Stresses. SIMULTECH 2021",
         .summary = "Moving particle semi-implicit method with Cauchy's equation of motion",
         .single_precision = false,
         .double_precision = true,
         .varying_properties = false,
         .adhesion = true,
         .periodic = true,
         .settings_table = mukai2021::settings_table,
         .material_table = mukai2021::material_settings_table,
         .default_settings = [] { return ParameterObject::of(mukai2021::settings_table(), mukai2021::Settings{}); },
         .default_material =
             [] { return ParameterObject::of(mukai2021::material_settings_table(), mukai2021::MaterialSettings{}); },
         .check = mukai2021::check,
         .search_radius = mukai2021::search_radius,
         .time_step_limits = mukai2021::time_step_limits,
         .derived_values = mukai2021::derived_values,
         .working_bytes = mukai2021::working_bytes,
         .detects_rupture = true,
         .coulomb = mukai2021::coulomb},
    };
    return rows;
}

const MethodRow* find_method(std::string_view id) {
    for (const MethodRow& row : method_registry()) {
        if (row.id == id) return &row;
    }
    return nullptr;
}

}  // namespace treacle
