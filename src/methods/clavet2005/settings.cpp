#include "methods/clavet2005/settings.h"

#include <algorithm>

#include "core/json.h"
#include "core/text.h"
#include "methods/clavet2005/calibration.h"
#include "methods/pair_memory.h"

namespace treacle::clavet2005 {

const ParameterTable& settings_table() {
    using T = Settings;
    static const ParameterTable table =
        ParameterTable("clavet2005")
            .add("coefficients", &T::coefficients,
                 {.choices = {"physical", "paper"},
                  .doc = "SI material keys, or the paper's own symbols without units (asks for fixed_dt)."})
            .add("equations", &T::equations,
                 {.choices = {"corrected", "printed"},
                  .doc = "The right physics, or the report's formulas as printed, for comparison."})
            .add("sweep", &T::sweep,
                 {.choices = {"jacobi", "sequential"},
                  .doc = "All pairs from the same state (parallel), or one after the other as in the original (one "
                         "thread)."})
            .add("support_radius", &T::support_radius,
                 {.symbol = "h",
                  .unit = "particle_spacing",
                  .low = 1.5,
                  .high = 6,
                  .doc = "Interaction radius; absent: 3.5 in 2D, 2.55 in 3D."})
            .add("sound_speed", &T::sound_speed,
                 {.symbol = "c",
                  .unit = "m/s",
                  .low = 0,
                  .high = 1e5,
                  .low_open = true,
                  .doc = "Decides the compression, about (speed / sound speed)²; absent: from the speeds the scene can "
                         "reach."})
            .add("near_ratio", &T::near_ratio,
                 {.symbol = "k_near/k",
                  .unit = "1",
                  .low = 0.02,
                  .high = 2,
                  .doc = "Near stiffness over stiffness; larger keeps particles apart and strengthens cohesion."})
            .add("cohesion_limit", &T::cohesion_limit,
                 {.unit = "1", .low = 0, .high = 1, .doc = "Negative pressure is limited to this times k·ρ0."})
            .add("time_step_safety", &T::time_step_safety,
                 {.unit = "1", .low = 0.01, .high = 1, .doc = "Share of the largest stable time step that is used."})
            .add("walls", &T::walls,
                 {.choices = {"half_space", "clamp"},
                  .doc =
                      "Walls complete the density sums (volume kept), or only push particles out (17 % volume loss)."})
            .add(
                "spring_start", &T::spring_start,
                {.choices = {"current_distance", "support_radius"},
                 .doc =
                     "Rest length of a new spring: stress free, or h as printed (inert until plasticity shortens it)."})
            .add("settled_start", &T::settled_start,
                 {.doc = "Loosen the sampled lattice and bring it to rest before the start; a bare lattice contracts "
                         "with a jolt."})
            .add("smallest_spring", &T::smallest_spring,
                 {.unit = "support_radius", .low = 0, .high = 0.9, .doc = "Rest lengths do not shrink below this."})
            .add("break_stretch", &T::break_stretch,
                 {.unit = "support_radius",
                  .low = 1,
                  .high = 100,
                  .doc = "A spring stretched beyond this length breaks."});
    return table;
}

const ParameterTable& material_settings_table() {
    using T = MaterialSettings;
    static const ParameterTable table =
        ParameterTable("clavet2005 material")
            .add("quadratic_viscosity", &T::quadratic_viscosity,
                 {.symbol = "β",
                  .unit = "1/m",
                  .low = 0,
                  .high = 1e6,
                  .live = true,
                  .doc = "Extra damping of fast approach, grows with the square of the speed."})
            .add("yield_compress", &T::yield_compress,
                 {.symbol = "γ",
                  .unit = "1",
                  .low = 0,
                  .high = 1,
                  .live = true,
                  .doc = "Yield ratio of compressed springs, if it differs from that of stretched ones."})
            .add("stiffness", &T::stiffness,
                 {.symbol = "k",
                  .unit = "paper",
                  .low = 0,
                  .high = 1e9,
                  .doc = "Paper coefficient: pressure per density excess."})
            .add("near_stiffness", &T::near_stiffness,
                 {.symbol = "k_near",
                  .unit = "paper",
                  .low = 0,
                  .high = 1e9,
                  .doc = "Paper coefficient: near pressure per near density."})
            .add("rest_density", &T::rest_density,
                 {.symbol = "ρ0", .unit = "1", .low = 0, .high = 1e4, .doc = "Paper coefficient: rest density."})
            .add("linear_viscosity", &T::linear_viscosity,
                 {.symbol = "σ",
                  .unit = "paper",
                  .low = 0,
                  .high = 1e9,
                  .live = true,
                  .doc = "Paper coefficient: linear viscosity."})
            .add("spring_stiffness", &T::spring_stiffness,
                 {.symbol = "k_spring",
                  .unit = "paper",
                  .low = 0,
                  .high = 1e9,
                  .live = true,
                  .doc = "Paper coefficient: spring stiffness."})
            .add("plasticity", &T::plasticity,
                 {.symbol = "α",
                  .unit = "paper",
                  .low = 0,
                  .high = 1e9,
                  .live = true,
                  .doc = "Paper coefficient: rate at which rest lengths follow."})
            .add("yield_ratio", &T::yield_ratio,
                 {.symbol = "γ",
                  .unit = "1",
                  .low = 0,
                  .high = 1,
                  .live = true,
                  .doc = "Paper coefficient: relative deformation below which rest lengths stay."})
            .add("stickiness", &T::stickiness,
                 {.symbol = "k_stick",
                  .unit = "paper",
                  .low = 0,
                  .high = 1e9,
                  .doc = "Paper coefficient: attraction to solids with adhesion 1."})
            .add("stick_distance", &T::stick_distance,
                 {.symbol = "d_stick",
                  .unit = "paper",
                  .low = 0,
                  .high = 1e9,
                  .doc = "Paper coefficient: range of the attraction to solids; absent: half the support radius."});
    return table;
}

namespace {

/// Remarks about one material; pointer prefix "/materials/NAME".
class MaterialCheck {
public:
    MaterialCheck(const MethodInput& input, const Material& material, std::vector<Remark>& remarks)
        : input_(input), material_(material), own_(material.by_method.at("clavet2005").as<MaterialSettings>()),
          remarks_(remarks) {}

    void for_paper_coefficients() {
        for (const char* key : {"viscosity", "shear_modulus", "relaxation_time", "yield_stress", "surface_tension"}) {
            if (given(material_table(), &material_, key)) {
                error(key,
                      "an SI quantity has no meaning with \"coefficients\": \"paper\"; give the paper's own "
                      "coefficients in the material's \"clavet2005\" object");
            }
        }
        for (const char* key : {"stiffness", "near_stiffness", "rest_density"}) {
            if (!given(material_settings_table(), &own_, key)) {
                error(std::string("clavet2005/") + key, "is needed with \"coefficients\": \"paper\"");
            }
        }
    }

    void for_physical_coefficients() {
        for (const Parameter& parameter : material_settings_table().rows()) {
            if (parameter.key == "quadratic_viscosity" || parameter.key == "yield_compress") continue;
            if (given(material_settings_table(), &own_, parameter.key)) {
                error(
                    "clavet2005/" + parameter.key,
                    "is one of the paper's coefficients; it needs "
                    "\"clavet2005\": { \"coefficients\": \"paper\" } in the scene, or use the SI keys of the material");
            }
        }
        const double modulus = material_.shear_modulus.value_or(0);
        if (material_.relaxation_time && modulus == 0) {
            warning("relaxation_time", "has no effect without a shear_modulus");
        }
        if (material_.yield_stress && modulus == 0) warning("yield_stress", "has no effect without a shear_modulus");
        check_tension();
        if (material_.yield_stress && modulus > 0 && !material_.relaxation_time) {
            warning("yield_stress", "has no effect without a relaxation_time: the material never flows");
        }
    }

private:
    void check_tension() {
        if (!material_.surface_tension) return;
        const TensionRange range = tension_range(input_, material_);
        const double asked = *material_.surface_tension;
        if (asked >= range.least && asked <= range.most) return;
        warning("surface_tension", "clavet2005 can represent " + digits_text(range.least, 2) + " to " +
                                       digits_text(range.most, 2) +
                                       " N/m at this particle_spacing and sound speed; the nearest of these "
                                       "is used instead of " +
                                       number_text(asked) + ". A finer spacing reaches lower values");
    }
    static bool given(const ParameterTable& table, const void* owner, std::string_view key) {
        return !std::holds_alternative<std::monostate>(table.find(key)->read(owner));
    }
    void error(std::string key, std::string message) {
        remarks_.push_back(
            {Remark::Kind::error, "/materials/" + pointer_token(material_.name) + "/" + key, std::move(message)});
    }
    void warning(std::string key, std::string message) {
        remarks_.push_back(
            {Remark::Kind::warning, "/materials/" + pointer_token(material_.name) + "/" + key, std::move(message)});
    }

    const MethodInput& input_;
    const Material& material_;
    const MaterialSettings& own_;
    std::vector<Remark>& remarks_;
};

}  // namespace

std::vector<Remark> check(const MethodInput& input) {
    std::vector<Remark> remarks;
    const auto& settings = input.settings.as<Settings>();
    const bool paper = settings.coefficients == Coefficients::paper;
    if (paper && !input.fixed_dt) {
        remarks.push_back(
            {Remark::Kind::error, "/time/fixed_dt",
             "is needed with \"coefficients\": \"paper\", because those coefficients change with the time step"});
    }
    if (!paper && settings.equations == Equations::printed) {
        remarks.push_back({Remark::Kind::error, "/clavet2005/equations",
                           "the printed formulas have no units: \"printed\" needs \"coefficients\": \"paper\""});
    }
    for (std::size_t m = 1; paper && m < input.materials.size(); ++m) {
        const auto& own = input.materials[m].by_method.at("clavet2005").as<MaterialSettings>();
        if (!own.stickiness && !own.stick_distance) continue;
        remarks.push_back({Remark::Kind::error,
                           "/materials/" + pointer_token(input.materials[m].name) + "/clavet2005/stickiness",
                           "stickiness and stick_distance are the same for all materials; give them in the first one"});
    }
    for (const Material& material : input.materials) {
        MaterialCheck check(input, material, remarks);
        if (paper) check.for_paper_coefficients();
        else check.for_physical_coefficients();
    }
    return remarks;
}

double working_bytes(const MethodInput& input) {
    const double neighbors = packing_sums(input.dimension, input.spacing, support_radius(input)).count;
    const PairMemory pairs = PairMemory::with_neighbors(input, neighbors);
    const bool springs = std::ranges::any_of(input.materials, [](const Material& m) {
        const auto& own = m.by_method.at("clavet2005").as<MaterialSettings>();
        return m.shear_modulus.value_or(0) > 0 || own.spring_stiffness.value_or(0) > 0;
    });
    const bool dashpots =
        input.settings.as<Settings>().coefficients == Coefficients::physical &&
        std::ranges::any_of(input.materials, [](const Material& m) { return m.viscosity.value_or(0) > 0; });
    // With dashpots the rows of their vectors and those of the solver.
    return 22 * pairs.real + pairs.rows() + (dashpots ? pairs.vectors() + 25 * pairs.real : 0) +
           (springs ? pairs.connections(1, 1.25) : 0);
}

}  // namespace treacle::clavet2005
