#include "methods/mukai2021/settings.h"

#include <algorithm>
#include <cmath>

#include "core/json.h"
#include "core/text.h"
#include "laws/halved_size.h"
#include "laws/stable_steps.h"
#include "methods/pair_memory.h"

namespace treacle::mukai2021 {

namespace {

const MaterialSettings& own_of(const Material& material) {
    return material.by_method.at("mukai2021").as<MaterialSettings>();
}

/// ν dt/l0² up to which explicit viscosity is stable.
double largest_explicit(const MethodInput& input, const Settings& settings) {
    return largest_laplacian_number(input.dimension, settings.support_radius * input.spacing, input.spacing);
}

/// Viscosity between particles, Pa·s: that of the solvent, and in the coupled scheme that of dashpots with a smooth
/// part.
double resisting_viscosity(const Material& material, const Settings& settings) {
    const double solvent = material.viscosity.value_or(0);
    const double polymer = material.shear_modulus.value_or(0) * material.relaxation_time.value_or(0);
    return settings.projects() ? solvent : std::max(solvent, settings.smooth_viscosity * (solvent + polymer));
}

void check_projection(const MethodInput& input, std::vector<Remark>& remarks) {
    using enum Remark::Kind;
    const auto& settings = input.settings.as<Settings>();
    if (!settings.projects()) {
        const auto idle = [&](bool given, const char* key) {
            if (given)
                remarks.push_back({error, std::string("/mukai2021/") + key, "belongs to \"scheme\": \"projection\""});
        };
        const Settings plain;
        idle(settings.viscosity.has_value(), "viscosity");
        idle(settings.pressure_source != plain.pressure_source, "pressure_source");
        idle(settings.pressure_gradient != plain.pressure_gradient, "pressure_gradient");
        idle(settings.pressure_reference.has_value(), "pressure_reference");
        idle(settings.repulsion, "repulsion");
        return;
    }
    if (settings.halvings > 0) {
        remarks.push_back(
            {error, "/mukai2021/halvings", "a projection has particles of one size: take \"scheme\": \"coupled\""});
    }
    if (input.period.x > 0 || input.period.y > 0 || input.period.z > 0) {
        remarks.push_back({error, settings.printed() ? "/mukai2021/equations" : "/mukai2021/scheme",
                           "a projection has no periodic space: take \"scheme\": \"coupled\""});
    }
    if (settings.viscous_operator() != Settings::Viscosity::explicit_laplacian) return;
    const double largest = largest_explicit(input, settings);
    for (const Material& material : input.materials) {
        const double kinematic = material.viscosity.value_or(0) / material.density;
        const double dt = input.fixed_dt.value_or(0), number = kinematic * dt / (input.spacing * input.spacing);
        if (number <= largest) continue;
        remarks.push_back({error, "/mukai2021/viscosity",
                           "explicit viscosity cannot work: ν dt/l0² is " + digits_text(number, 3) + " for " +
                               material.name + " and must not exceed " + digits_text(largest, 3) +
                               ", that is a step of " +
                               digits_text(largest * input.spacing * input.spacing / kinematic, 3) +
                               " s; take \"laplacian\" or \"dashpot\""});
    }
}

}  // namespace

const ParameterTable& settings_table() {
    using T = Settings;
    static const ParameterTable table =
        ParameterTable("mukai2021")
            .add("coefficients", &T::coefficients,
                 {.choices = {"physical", "paper"},
                  .doc = "SI material keys and a law of rheology, or the paper's weighted sum of viscous and elastic "
                         "stress."})
            .add("equations", &T::equations,
                 {.choices = {"corrected", "printed"},
                  .doc = "\"printed\" keeps the paper's pressure equation and gradient; for study."})
            .add("support_radius", &T::support_radius,
                 {.symbol = "r_e",
                  .unit = "particle_spacing",
                  .low = 1.5,
                  .high = 4,
                  .doc = "Radius of gradients and number densities."})
            .add("viscous_radius", &T::viscous_radius,
                 {.unit = "particle_spacing",
                  .low = 1.5,
                  .high = 5,
                  .doc = "Radius of the dashpots that make viscosity; 3.1 has four times as many of them as 2.1."})
            .add("resistance", &T::resistance,
                 {.symbol = "κ/η",
                  .unit = "1",
                  .low = 0.1,
                  .high = 1e4,
                  .doc =
                      "Resistance to a change of volume, as a multiple of the viscosity; pressure remembers the rest."})
            .add("density_rate", &T::density_rate,
                 {.unit = "1/s",
                  .low = 0,
                  .high = 1e6,
                  .doc =
                      "Rate at which errors of the number density are taken back, at most a fifth of them per step."})
            .add("shift_rate", &T::shift_rate,
                 {.unit = "1/s",
                  .low = 0,
                  .high = 1e6,
                  .doc =
                      "Rate at which particles move to where there is room, at least; those of elastic solids do not."})
            .add("shift_per_strain", &T::shift_per_strain,
                 {.unit = "1",
                  .low = 0,
                  .high = 1e4,
                  .doc = "The same as a multiple of the local rate of strain, by which flow makes them uneven."})
            .add("smooth_viscosity", &T::smooth_viscosity,
                 {.unit = "1",
                  .low = 0,
                  .high = 10,
                  .doc = "Of elastic fluids: viscosity by which particles resist alternating motion, which elastic "
                         "stress cannot see, at "
                         "least, as a share of the steady viscosity; linear flow does not feel it."})
            .add("thread_viscosity", &T::thread_viscosity,
                 {.doc = "Strengthens the viscous operator where neighbors are missing, as in thin threads."})
            .add("halvings", &T::halvings,
                 {.low = 0,
                  .high = 15,
                  .doc = "How often a particle may be halved where a thread is fewer than five particles thick; halves "
                         "are joined again where it is "
                         "thick. Three halvings halve the spacing."})
            .add("tolerance", &T::tolerance,
                 {.unit = "1",
                  .low = 1e-12,
                  .high = 0.1,
                  .doc = "Of the solver, as a share of what viscosity dissipates within a step, and of the change of "
                         "velocity."})
            .add("max_iterations", &T::max_iterations, {.low = 1, .high = 100000, .doc = "Of the solver."})
            .add("cfl", &T::cfl,
                 {.unit = "particle_spacing",
                  .low = 0.01,
                  .high = 1,
                  .doc = "How far a particle may move within a step."})
            .add("scheme", &T::scheme,
                 {.choices = {"coupled", "projection"},
                  .doc = "Viscosity and incompressibility in one system, or one after the other with a pressure "
                         "Poisson equation. "
                         "\"equations\": \"printed\" is always the latter."})
            .add("viscosity", &T::viscosity,
                 {.choices = {"dashpot", "laplacian", "explicit"},
                  .doc =
                      "Of the projection: implicit central dashpots (default), the implicit Laplacian (default with "
                      "the printed "
                      "equations), or the Laplacian at the start of the step, which needs steps of 0.5 l0²/ν or so."})
            .add("pressure_source", &T::pressure_source,
                 {.choices = {"divergence", "number_density"},
                  .doc = "Of the projection: eq. 11 with γ = 0.2, or eq. 10."})
            .add("pressure_gradient", &T::pressure_gradient,
                 {.choices = {"corrected", "original"}, .doc = "Of the projection: eq. 13 or eq. 12."})
            .add("pressure_reference", &T::pressure_reference,
                 {.symbol = "P̂",
                  .choices = {"own", "minimum", "symmetric"},
                  .doc =
                      "Of the projection: what a particle's pressure gradient is taken from: its own pressure "
                      "(default), the lowest "
                      "around it (default with the printed equations), or the sum of both, which conserves momentum."})
            .add("repulsion", &T::repulsion,
                 {.doc = "Of the projection: Monaghan's pressure between particles that come too close."});
    return table;
}

const ParameterTable& material_settings_table() {
    using T = MaterialSettings;
    static const ParameterTable table =
        ParameterTable("mukai2021 material")
            .add("law", &T::law,
                 {.choices = {"oldroyd_b", "fene_p", "giesekus"},
                  .doc =
                      "How elastic stress relaxes: without limit, with a largest extension, or thinning when sheared."})
            .add("extensibility", &T::extensibility,
                 {.symbol = "L²",
                  .unit = "1",
                  .low = 3.1,
                  .high = 1e9,
                  .live = true,
                  .doc = "Of \"fene_p\": the square of the longest extension, that of rest being the number of "
                         "dimensions."})
            .add("mobility", &T::mobility,
                 {.unit = "1",
                  .low = 0,
                  .high = 0.5,
                  .live = true,
                  .doc = "Of \"giesekus\": thinning under shear; 0 is Oldroyd-B."})
            .add("young_modulus", &T::young_modulus,
                 {.symbol = "E",
                  .unit = "Pa",
                  .low = 0,
                  .high = 1e12,
                  .live = true,
                  .doc = "Paper coefficient: of the elastic stress."})
            .add("poisson_ratio", &T::poisson_ratio,
                 {.symbol = "ν",
                  .unit = "1",
                  .low = -0.99,
                  .high = 0.5,
                  .live = true,
                  .doc = "Paper coefficient: gives the shear modulus E/(2(1 + ν))."})
            .add("elastic_coefficient", &T::elastic_coefficient,
                 {.symbol = "C",
                  .unit = "1",
                  .low = 0,
                  .high = 1,
                  .live = true,
                  .doc =
                      "Paper coefficient: weight of the elastic stress where nothing is left of the narrowest part."})
            .add(
                "weights", &T::weights,
                {.choices = {"experimental", "complementary"},
                 .doc =
                     "Paper coefficient: the viscous weight as given, or 1 minus the elastic one (Mukai et al. 2019)."})
            .add("viscous_weight", &T::viscous_weight,
                 {.symbol = "α",
                  .unit = "1",
                  .low = 0,
                  .high = 2,
                  .live = true,
                  .doc = "Paper coefficient: weight of the viscous stress before rupture."})
            .add("viscous_weight_after_rupture", &T::viscous_weight_after_rupture,
                 {.symbol = "α",
                  .unit = "1",
                  .low = 0,
                  .high = 2,
                  .live = true,
                  .doc = "Paper coefficient: weight of the viscous stress after rupture."});
    return table;
}

bool coulomb(const MethodInput& input) { return !input.settings.as<Settings>().projects(); }

double search_radius(const MethodInput& input) { return input.settings.as<Settings>().wide_radius() * input.spacing; }

double shear_modulus(const MaterialSettings& own) {
    return own.young_modulus.value_or(0) / (2 * (1 + own.poisson_ratio));
}

std::vector<Remark> check(const MethodInput& input) {
    std::vector<Remark> remarks;
    const auto& settings = input.settings.as<Settings>();
    const bool paper = settings.coefficients == Coefficients::paper;
    using enum Remark::Kind;
    if (settings.viscous_radius < settings.support_radius) {
        remarks.push_back({error, "/mukai2021/viscous_radius", "must not be smaller than support_radius"});
    }
    check_projection(input, remarks);
    for (const Material& material : input.materials) {
        const auto& own = own_of(material);
        const auto say = [&](Remark::Kind kind, const char* key, std::string message) {
            remarks.push_back({kind, "/materials/" + pointer_token(material.name) + "/" + key, std::move(message)});
        };
        if (paper && material.shear_modulus) {
            say(error, "shear_modulus",
                "has no meaning with \"coefficients\": \"paper\": give mukai2021/young_modulus");
        }
        if (paper && material.relaxation_time) {
            say(error, "relaxation_time",
                "has no meaning with \"coefficients\": \"paper\", whose elastic stress never relaxes");
        }
        if (!paper && own.young_modulus) {
            say(error, "mukai2021/young_modulus",
                "is one of the paper's coefficients; it needs \"mukai2021\": "
                "{ \"coefficients\": \"paper\" } in the scene, or give shear_modulus");
        }
        if (paper && material.yield_stress) {
            say(warning, "yield_stress", "is not part of the paper's law and has no effect");
        }
        if (!paper && own.law != RelaxationLaw::oldroyd_b && !material.relaxation_time) {
            say(warning, "relaxation_time", "is not given: elastic stress never relaxes, whatever mukai2021/law says");
        }
    }
    return remarks;
}

std::vector<TimeStepLimit> time_step_limits(const MethodInput& input) {
    std::vector<TimeStepLimit> limits;
    const auto& settings = input.settings.as<Settings>();
    const double g = input.strongest_gravity;
    if (g > 0) limits.push_back({0.75 * std::sqrt(input.spacing / g), StepBound::gravity, "/gravity"});
    for (const Material& material : input.materials) {
        if (g * input.fluid_height > 0 && !settings.projects()) {
            // A pressure that the fluid has to build up costs it volume, as if it had the bulk modulus κ/dt with
            // κ = resistance (η + ρ l0²/dt): that of its depth may cost a hundredth.
            const double inertia = material.density * input.spacing * input.spacing,
                         viscosity = resisting_viscosity(material, settings);
            const double wanted = 100 * material.density * g * input.fluid_height / settings.resistance;
            const double steps =
                (std::sqrt(viscosity * viscosity + 4 * inertia * wanted) - viscosity) / (2 * inertia);  // 1/dt
            limits.push_back({1 / steps, StepBound::depth_pressure, "/gravity"});
        }
        const double tension = material.surface_tension.value_or(0);
        if (tension <= 0) continue;
        // Capillary waves of two spacings, or, where viscosity damps them, the time in which it gives way.
        const double wave = 0.4 * std::sqrt(material.density * input.spacing * input.spacing * input.spacing / tension);
        const double creep = 0.2 * resisting_viscosity(material, settings) * input.spacing / tension;
        limits.push_back({std::max(wave, creep), StepBound::surface_tension, material.pointer("surface_tension")});
    }
    if (settings.projects() && settings.viscous_operator() == Settings::Viscosity::explicit_laplacian) {
        for (const Material& material : input.materials) {
            const double kinematic = material.viscosity.value_or(0) / material.density;
            if (kinematic > 0)
                limits.push_back({largest_explicit(input, settings) * input.spacing * input.spacing / kinematic,
                                  StepBound::viscosity, material.pointer("viscosity")});
        }
    }
    if (limits.empty()) limits.push_back({1, StepBound::method});
    return limits;
}

std::vector<DerivedValue> derived_values(const MethodInput& input) {
    const auto& settings = input.settings.as<Settings>();
    std::vector<DerivedValue> values = {{"support radius", settings.support_radius * input.spacing, "m"}};
    if (settings.halvings > 0) {
        const double size = halved_size(input.dimension, settings.halvings);
        values.push_back({"spacing of the smallest particles", size * input.spacing, "m"});
    }
    for (const Material& material : input.materials) {
        const double kinematic = material.viscosity.value_or(0) / material.density;
        const double dt = input.fixed_dt.value_or(input.max_dt.value_or(0));
        if (dt > 0)
            values.push_back({material.name + " ν dt/l0²", kinematic * dt / (input.spacing * input.spacing), "1"});
        if (settings.coefficients == Coefficients::paper) {
            values.push_back({material.name + " shear modulus", shear_modulus(own_of(material)), "Pa"});
        } else if (material.shear_modulus && material.relaxation_time) {
            values.push_back({material.name + " zero-shear viscosity",
                              material.viscosity.value_or(0) + *material.shear_modulus * *material.relaxation_time,
                              "Pa·s"});
        }
    }
    return values;
}

double working_bytes(const MethodInput& input) {
    const auto& settings = input.settings.as<Settings>();
    const double wide = std::max({3.1, settings.support_radius, settings.viscous_radius});
    const PairMemory close = PairMemory::of(input, settings.support_radius);
    const double dashpots = PairMemory::of(input, settings.viscous_radius).neighbors;
    const double rows = 4 * 1.33 * (close.neighbors + PairMemory::of(input, wide).neighbors);
    // Arrays of the solver in double; three vectors for every close pair and one for every dashpot, with an index.
    return 280 * 8 + rows + 28 * 1.25 * (3 * close.neighbors + dashpots);
}

}  // namespace treacle::mukai2021
