#include "methods/registry.h"

#include "methods/barreiro2017.h"
#include "methods/clavet2005.h"
#include "methods/mukai2021.h"
#include "methods/takahashi2014.h"
#include "methods/takamatsu2011.h"

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
         .settings_table = clavet2005_settings_table,
         .material_table = clavet2005_material_table,
         .default_settings = [] { return ParameterObject::of(clavet2005_settings_table(), Clavet2005Settings{}); },
         .default_material = [] { return ParameterObject::of(clavet2005_material_table(), Clavet2005Material{}); },
         .check = clavet2005_check,
         .time_step_limits = clavet2005_time_step_limits,
         .derived_values = clavet2005_derived_values,
         .bytes_per_particle = clavet2005_bytes_per_particle},
        {.id = "takahashi2014",
         .paper =
             "T. Takahashi, Y. Dobashi, I. Fujishiro, T. Nishita: Volume preserving viscoelastic fluids with large "
             "deformations using position-based velocity corrections. The Visual Computer, 2014",
         .summary = "Implicit incompressible SPH with velocities corrected by connections",
         .single_precision = true,
         .double_precision = true,
         .varying_properties = true,
         .adhesion = true,
         .settings_table = takahashi2014_settings_table,
         .material_table = takahashi2014_material_table,
         .default_settings =
             [] { return ParameterObject::of(takahashi2014_settings_table(), Takahashi2014Settings{}); },
         .default_material =
             [] { return ParameterObject::of(takahashi2014_material_table(), Takahashi2014Material{}); },
         .check = takahashi2014_check,
         .time_step_limits = takahashi2014_time_step_limits,
         .derived_values = takahashi2014_derived_values,
         .bytes_per_particle = takahashi2014_bytes_per_particle},
        {.id = "barreiro2017",
         .paper = "H. Barreiro, I. García-Fernández, I. Alduán, M. A. Otaduy: Conformation Constraints for Efficient "
                  "Viscoelastic "
                  "Fluid Simulation. ACM Transactions on Graphics 36(6), 2017",
         .summary = "Position-based fluids with constraints on the conformation tensor",
         .single_precision = true,
         .double_precision = TREACLE_DOUBLE,
         .double_option = "-DTREACLE_DOUBLE=ON",
         .varying_properties = true,
         .adhesion = false,
         .settings_table = barreiro2017_settings_table,
         .material_table = barreiro2017_material_table,
         .default_settings = [] { return ParameterObject::of(barreiro2017_settings_table(), Barreiro2017Settings{}); },
         .default_material = [] { return ParameterObject::of(barreiro2017_material_table(), Barreiro2017Material{}); },
         .check = barreiro2017_check,
         .time_step_limits = barreiro2017_time_step_limits,
         .derived_values = barreiro2017_derived_values,
         .bytes_per_particle = barreiro2017_bytes_per_particle},
        {.id = "takamatsu2011",
         .paper =
             "K. Takamatsu, T. Kanai: A Fast and Practical Method for Animating Particle-Based Viscoelastic Fluids. "
             "International Journal of Virtual Reality 10(1), 2011",
         .summary = "SPH with an equation of state, blended with shape matching",
         .single_precision = true,
         .double_precision = true,
         .varying_properties = false,
         .adhesion = false,
         .settings_table = takamatsu2011_settings_table,
         .material_table = takamatsu2011_material_table,
         .default_settings =
             [] { return ParameterObject::of(takamatsu2011_settings_table(), Takamatsu2011Settings{}); },
         .default_material =
             [] { return ParameterObject::of(takamatsu2011_material_table(), Takamatsu2011Material{}); },
         .check = takamatsu2011_check,
         .time_step_limits = takamatsu2011_time_step_limits,
         .derived_values = takamatsu2011_derived_values,
         .bytes_per_particle = takamatsu2011_bytes_per_particle},
        {.id = "mukai2021",
         .paper = "N. Mukai, R. Morooka, T. Natsume, Y. Chang: Viscoelastic Fluid Simulation based on the Combination "
                  "of Viscous "
                  "and Elastic Stresses. SIMULTECH 2021",
         .summary = "Moving particle semi-implicit method with Cauchy's equation of motion",
         .single_precision = false,
         .double_precision = true,
         .varying_properties = false,
         .adhesion = true,
         .coulomb = false,
         .periodic = true,
         .settings_table = mukai2021_settings_table,
         .material_table = mukai2021_material_table,
         .default_settings = [] { return ParameterObject::of(mukai2021_settings_table(), Mukai2021Settings{}); },
         .default_material = [] { return ParameterObject::of(mukai2021_material_table(), Mukai2021Material{}); },
         .check = mukai2021_check,
         .time_step_limits = mukai2021_time_step_limits,
         .derived_values = mukai2021_derived_values,
         .bytes_per_particle = mukai2021_bytes_per_particle,
         .tells_rupture = true},
    };
    return rows;
}

const MethodRow* find_method(std::string_view id) {
    for (const MethodRow& row : method_registry()) {
        if (row.id == id) return &row;
    }
    return nullptr;
}

template <class S>
std::unique_ptr<Method<S>> create_method(std::string_view id, const MethodInput& input) {
    if (id == "clavet2005") return std::make_unique<Clavet2005<S>>(input);
    if (id == "takahashi2014") return std::make_unique<Takahashi2014<S>>(input);
    if (id == "takamatsu2011") return std::make_unique<Takamatsu2011<S>>(input);
    constexpr bool in_double = sizeof(typename S::Real) == sizeof(double);
    if constexpr (!in_double || TREACLE_DOUBLE) {
        if (id == "barreiro2017") return std::make_unique<Barreiro2017<S>>(input);
    }
    if constexpr (in_double) {
        if (id == "mukai2021") return std::make_unique<Mukai2021<S>>(input);
    }
    return nullptr;
}

template std::unique_ptr<Method<Space2f>> create_method<Space2f>(std::string_view, const MethodInput&);
template std::unique_ptr<Method<Space3f>> create_method<Space3f>(std::string_view, const MethodInput&);
template std::unique_ptr<Method<Space2d>> create_method<Space2d>(std::string_view, const MethodInput&);
template std::unique_ptr<Method<Space3d>> create_method<Space3d>(std::string_view, const MethodInput&);

}  // namespace treacle
