#include "methods/takamatsu2011/settings.h"

#include <algorithm>
#include <cmath>

#include "core/json.h"
#include "laws/stable_steps.h"
#include "methods/pair_memory.h"
#include "methods/reference_speed.h"

namespace treacle::takamatsu2011 {

namespace {

const MaterialSettings& own_of(const Material& material) {
    return material.by_method.at("takamatsu2011").as<MaterialSettings>();
}

}  // namespace

const ParameterTable& settings_table() {
    using T = Settings;
    static const ParameterTable table =
        ParameterTable("takamatsu2011")
            .add("coefficients", &T::coefficients,
                 {.choices = {"physical", "paper"},
                  .doc = "SI material keys, or the paper's response time in place of a shear modulus."})
            .add("equations", &T::equations,
                 {.choices = {"corrected", "printed"},
                  .doc = "\"printed\" keeps the paper's equations 1 to 3 and 7, which blow up; for study, and only "
                         "with its "
                         "coefficients."})
            .add("support_radius", &T::support_radius,
                 {.symbol = "σ",
                  .unit = "particle_spacing",
                  .low = 1.5,
                  .high = 8,
                  .doc = "Radius of the kernel and of clusters. Larger clusters keep coarser shapes, and cost more."})
            .add("pressure", &T::pressure,
                 {.choices = {"equation_of_state", "iisph"},
                  .doc =
                      "From the present density as in the paper, or solved for as in takahashi2014 (for comparison)."})
            .add("sound_speed", &T::sound_speed,
                 {.symbol = "√k",
                  .unit = "m/s",
                  .low = 0,
                  .high = 1e5,
                  .low_open = true,
                  .doc = "Of the equation of state. Decides the compression, about (speed / sound speed)²; absent: "
                         "from the "
                         "speeds the scene can reach."})
            .add("update_threshold", &T::update_threshold,
                 {.symbol = "γ_u",
                  .unit = "weight",
                  .low = 0,
                  .high = 1e6,
                  .live = true,
                  .doc = "A body's reference shape is renewed when solids push it harder than this times (1 - "
                         "fluidity), in "
                         "units of its weight: what rests on the floor is pushed by 1."})
            .add("update_interval", &T::update_interval,
                 {.symbol = "m_u",
                  .unit = "s",
                  .low = 0,
                  .high = 1e6,
                  .low_open = true,
                  .live = true,
                  .doc = "Time between two such tests; the strongest push since the last one counts."})
            .add("cfl", &T::cfl,
                 {.unit = "support_radius",
                  .low = 0.01,
                  .high = 1,
                  .doc = "How far a particle may move within a step; the paper has 1."});
    return table;
}

const ParameterTable& material_settings_table() {
    using T = MaterialSettings;
    static const ParameterTable table =
        ParameterTable("takamatsu2011 material")
            .add("fluidity", &T::fluidity,
                 {.symbol = "α",
                  .unit = "1",
                  .low = 0,
                  .high = 1,
                  .live = true,
                  .doc = "Share of the fluid in the blend: 0 is an elastic solid, 1 a fluid."})
            .add("break_stretch", &T::break_stretch,
                 {.unit = "1",
                  .low = 1,
                  .high = 1e6,
                  .live = true,
                  .doc = "Particles that are this many times as far apart as in the reference shape are no longer held "
                         "together; absent: 2, and never without fluidity."})
            .add("response_time", &T::response_time,
                 {.symbol = "Δt^SM",
                  .unit = "s",
                  .low = 0,
                  .high = 1e3,
                  .low_open = true,
                  .live = true,
                  .doc = "Paper coefficient: goals are reached within about this time; the stiffness is its inverse "
                         "square."});
    return table;
}

double support_radius(const MethodInput& input) { return input.settings.as<Settings>().support_radius * input.spacing; }

double sound_speed(const MethodInput& input) {
    return input.settings.as<Settings>().sound_speed.value_or(10 * reference_speed(input));
}

double pull_of(const MethodInput& input, const Material& material) {
    if (input.settings.as<Settings>().coefficients == Coefficients::paper) {
        const double time = own_of(material).response_time.value_or(1);
        return 1 / (time * time);
    }
    // G = κ ρ <x²>/2 (shape_matching.h), <x²> of a full ball (disc).
    const double sigma = support_radius(input);
    const double square = sigma * sigma / (input.dimension + 2);
    return 2 * material.shear_modulus.value_or(0) / (material.density * square);
}

std::vector<Remark> check(const MethodInput& input) {
    std::vector<Remark> remarks;
    const auto& settings = input.settings.as<Settings>();
    const bool paper = settings.coefficients == Coefficients::paper;
    if (settings.equations == Equations::printed) {
        if (!paper) {
            remarks.push_back(
                {Remark::Kind::error, "/takamatsu2011/equations", "\"printed\" needs \"coefficients\": \"paper\""});
        } else {
            remarks.push_back({Remark::Kind::warning, "/takamatsu2011/equations",
                               "the paper's equations as printed do not keep energy: expect the run to diverge"});
        }
    }
    for (const Material& material : input.materials) {
        const auto& own = own_of(material);
        const auto say = [&](Remark::Kind kind, const char* key, std::string message) {
            remarks.push_back({kind, "/materials/" + pointer_token(material.name) + "/" + key, std::move(message)});
        };
        using enum Remark::Kind;
        if (paper && material.shear_modulus) {
            say(error, "shear_modulus",
                "has no meaning with \"coefficients\": \"paper\": give takamatsu2011/response_time");
        }
        if (paper && !own.response_time && own.fluidity < 1) {
            say(error, "takamatsu2011/response_time", "is needed with \"coefficients\": \"paper\"");
        }
        if (!paper && own.response_time) {
            say(error, "takamatsu2011/response_time",
                "is one of the paper's coefficients; it needs \"takamatsu2011\": "
                "{ \"coefficients\": \"paper\" } in the scene, or give shear_modulus");
        }
        if (!paper && !material.shear_modulus && own.fluidity < 1) {
            say(warning, "shear_modulus", "is not given: nothing is elastic, whatever takamatsu2011/fluidity says");
        }
        for (const char* key : {"relaxation_time", "yield_stress"}) {
            if (!std::holds_alternative<std::monostate>(material_table().find(key)->read(&material))) {
                say(warning, key,
                    "has no effect: takamatsu2011 flows by renewing its reference shape; see "
                    "takamatsu2011/update_threshold and update_interval");
            }
        }
    }
    return remarks;
}

std::vector<TimeStepLimit> time_step_limits(const MethodInput& input) {
    const auto& settings = input.settings.as<Settings>();
    const double sigma = support_radius(input);
    std::vector<TimeStepLimit> limits;
    bool fluid = false;
    for (const Material& material : input.materials) {
        const double pull = (1 - own_of(material).fluidity) * pull_of(input, material);
        if (pull > 0)
            limits.push_back(
                {1 / std::sqrt(pull), StepBound::shape_matching,
                 material.pointer(material.shear_modulus ? "shear_modulus" : "takamatsu2011/response_time")});
        fluid |= own_of(material).fluidity > 0;
        const double tension = material.surface_tension.value_or(0);
        if (tension > 0) {
            const double longest = longest_tension_step(tension, material.density, sigma);
            limits.push_back({longest, StepBound::surface_tension, material.pointer("surface_tension")});
        }
    }
    if (fluid && settings.pressure == Settings::Pressure::equation_of_state) {
        limits.push_back({0.2 * sigma / sound_speed(input), StepBound::sound_speed, "/takamatsu2011/sound_speed"});
    } else if (input.strongest_gravity > 0) {
        limits.push_back({0.1 * std::sqrt(sigma / input.strongest_gravity), StepBound::gravity, "/gravity"});
    }
    if (limits.empty()) limits.push_back({1, StepBound::method});
    return limits;
}

std::vector<DerivedValue> derived_values(const MethodInput& input) {
    const double sigma = support_radius(input);
    std::vector<DerivedValue> values = {{"support radius", sigma, "m"}};
    if (input.settings.as<Settings>().pressure == Settings::Pressure::equation_of_state) {
        values.push_back({"sound speed", sound_speed(input), "m/s"});
    }
    for (const Material& material : input.materials) {
        const double share = 1 - own_of(material).fluidity;
        const double pull = pull_of(input, material);
        if (share * pull == 0) continue;
        values.push_back({material.name + " response time", 1 / std::sqrt(share * pull), "s"});
        values.push_back({material.name + " modulus in effect",
                          0.5 * share * pull * material.density * sigma * sigma / (input.dimension + 2), "Pa"});
    }
    return values;
}

double working_bytes(const MethodInput& input) {
    const PairMemory pairs = PairMemory::of(input, input.settings.as<Settings>().support_radius);
    // Vectors of the solvers, neighbor rows, stored gradients, connections with a rest length and two places.
    return 64 * pairs.real + pairs.rows() + pairs.vectors() + pairs.connections(9, 1.25);
}

}  // namespace treacle::takamatsu2011
