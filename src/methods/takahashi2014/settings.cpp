#include "methods/takahashi2014/settings.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/json.h"
#include "core/text.h"
#include "laws/stable_steps.h"
#include "laws/xsph_rate.h"
#include "math/reproducible.h"
#include "methods/pair_memory.h"

namespace treacle::takahashi2014 {

const ParameterTable& settings_table() {
    using T = Settings;
    static const ParameterTable table =
        ParameterTable("takahashi2014")
            .add("coefficients", &T::coefficients,
                 {.choices = {"physical", "paper"},
                  .doc = "SI material keys, or the paper's own symbols without units (asks for fixed_dt)."})
            .add("support_radius", &T::support_radius,
                 {.symbol = "h",
                  .unit = "particle_spacing",
                  .low = 1.5,
                  .high = 4,
                  .doc =
                      "Radius of the kernel. Exactly 2 leaves to rounding which particles of a lattice are connected."})
            .add("kernel", &T::kernel,
                 {.choices = {"cubic_spline", "mueller2003"},
                  .doc = "For density and pressure: one whose gradient is its own, or poly6 with the gradient of spiky "
                         "as in the paper, by "
                         "which predicted densities are off."})
            .add("correction_scheme", &T::correction_scheme,
                 {.choices = {"position", "spring", "shape_matching"},
                  .doc = "How connections correct velocities: by a share of their stretch, as springs, or by the goals "
                         "of shape matching. "
                         "The last two need the paper's coefficients."})
            .add("pressure_solver", &T::pressure_solver,
                 {.choices = {"accelerated", "jacobi"},
                  .doc = "How the pressure is found: fast, or by relaxed Jacobi iteration as in the paper."})
            .add("tolerance", &T::tolerance,
                 {.unit = "1",
                  .low = 1e-7,
                  .high = 0.1,
                  .doc = "Mean compression at which the pressure iteration ends; 0.0001 is the paper's 0.01 %."})
            .add("max_tolerance", &T::max_tolerance,
                 {.unit = "1",
                  .low = 1e-7,
                  .high = 1,
                  .doc = "Greatest compression of any particle at which it may end; absent: the mean alone decides."})
            .add("iterations", &T::iterations,
                 {.unit = "1",
                  .low = 1,
                  .high = 10000,
                  .doc = "Pressure iterations of a step, at most; steps that end here are compressed."})
            .add("relaxation", &T::relaxation,
                 {.symbol = "ω",
                  .unit = "1",
                  .low = 0.05,
                  .high = 1,
                  .doc = "Share of each Jacobi correction that is applied."})
            .add("warm_start", &T::warm_start,
                 {.unit = "1",
                  .low = 0,
                  .high = 1,
                  .doc = "Share of the last step's pressure that the iteration starts with."})
            .add("elasticity", &T::elasticity,
                 {.choices = {"automatic", "explicit", "implicit"},
                  .doc = "Corrections from the positions at the start of a step (as in the paper; shortens the step), "
                         "at its end (no "
                         "stiffness explodes, but motion is damped), or the first as long as it is stable at a "
                         "reasonable step."})
            .add("viscosity_scheme", &T::viscosity_scheme,
                 {.choices = {"implicit", "explicit", "xsph"},
                  .doc = "Viscosity at the end of a step (stable for any), at its start (shortens the step: dt < "
                         "h²/40ν), or by drawing "
                         "velocities to those of the neighbors (cheap and stable, but bounded and not kind to angular "
                         "momentum)."})
            .add("viscosity_tolerance", &T::viscosity_tolerance,
                 {.unit = "1",
                  .low = 1e-6,
                  .high = 0.1,
                  .doc = "Error of what viscosity does within a step, as a share of it, at which the implicit scheme's "
                         "iteration ends."})
            .add("cfl", &T::cfl,
                 {.unit = "support_radius",
                  .low = 0.01,
                  .high = 1,
                  .doc =
                      "How far a particle may move within a step. At 0.4 a jelly that is crushed to a film explodes."});
    return table;
}

const ParameterTable& material_settings_table() {
    using T = MaterialSettings;
    static const ParameterTable table =
        ParameterTable("takahashi2014 material")
            .add("first_connect_distance", &T::first_connect_distance,
                 {.unit = "support_radius",
                  .low = 0,
                  .high = 1,
                  .doc = "Particles of a fluid that are closer than this at the start are connected; absent: "
                         "connect_distance."})
            .add("connect_distance", &T::connect_distance,
                 {.symbol = "α",
                  .unit = "support_radius",
                  .low = 0,
                  .high = 1,
                  .live = true,
                  .varies = true,
                  .doc = "Particles that come closer than this get connected."})
            .add("break_distance", &T::break_distance,
                 {.symbol = "β",
                  .unit = "support_radius",
                  .low = 0.5,
                  .high = 1000,
                  .live = true,
                  .doc = "Connections longer than this break."})
            .add("break_stretch", &T::break_stretch,
                 {.unit = "1",
                  .low = 1,
                  .high = 1000,
                  .live = true,
                  .doc = "Connections break when they are stretched by this factor; absent: they do not."})
            .add("self_connect", &T::self_connect,
                 {.choices = {"automatic", "always", "never"},
                  .doc = "Whether particles of the same fluid get connected when they meet; automatic: if it relaxes, "
                         "or with the "
                         "paper's coefficients. A solid that does never quite regains its shape."})
            .add("healing_time", &T::healing_time,
                 {.unit = "s",
                  .low = 0,
                  .high = 1e9,
                  .live = true,
                  .doc = "In which connections made on the way reach their strength; absent: the relaxation time, or 1 "
                         "s, and 0 "
                         "with the paper's coefficients."})
            .add("correction", &T::correction,
                 {.symbol = "c",
                  .unit = "1",
                  .low = 0,
                  .high = 1,
                  .doc = "Paper coefficient: share of a stretch that a connection takes back in one step."})
            .add("lowest_correction", &T::lowest_correction,
                 {.symbol = "l",
                  .unit = "1",
                  .low = 0,
                  .high = 1,
                  .live = true,
                  .doc = "Paper coefficient: what is left of c when a material has yielded."})
            .add("correction_decay", &T::correction_decay,
                 {.symbol = "w",
                  .unit = "1/s",
                  .low = 0,
                  .high = 1e6,
                  .live = true,
                  .doc = "Paper coefficient: loss of c for every overstretched connection."})
            .add("yield_distance", &T::yield_distance,
                 {.symbol = "γ",
                  .unit = "support_radius",
                  .low = 0,
                  .high = 1000,
                  .live = true,
                  .doc = "Paper coefficient: stretch beyond which c decays."})
            .add("spring_stiffness", &T::spring_stiffness,
                 {.unit = "N/m",
                  .low = 0,
                  .high = 1e9,
                  .live = true,
                  .doc = "Stiffness of a connection; with \"correction_scheme\": \"spring\" only."})
            .add("spring_damping", &T::spring_damping,
                 {.unit = "N s/m",
                  .low = 0,
                  .high = 1e9,
                  .live = true,
                  .doc = "Resistance of a connection to changes of its length; with \"correction_scheme\": \"spring\" "
                         "only."});
    return table;
}

double yield_strain(double yield_stress, double shear_modulus) {
    // A shear stress τ strains the connections along its diagonal by τ/2G.
    return shear_modulus > 0 ? std::min(0.9, 0.5 * yield_stress / shear_modulus) : 0;
}

double support_radius(const MethodInput& input) { return input.settings.as<Settings>().support_radius * input.spacing; }

namespace {

/// How far connections reach, m. At least a spacing: what comes closer does so by accident, and the shorter the reach
/// the stiffer a connection would be, without bound.
double reach_of(const MethodInput& input, double connect_distance) {
    return std::max(connect_distance * support_radius(input), input.spacing);
}

}  // namespace

double full_square(const MethodInput& input, const Material& material) {
    const auto& own = material.by_method.at("takahashi2014").as<MaterialSettings>();
    const double reach = reach_of(input, own.first_connect_distance.value_or(own.connect_distance));
    const double per_spacing = reach / input.spacing;
    // ∫ r² over the disc or ball of that radius, with as many particles as fill it.
    if (input.dimension == 2) return reproducible::pi / 2 * per_spacing * per_spacing * reach * reach;
    return 4 * reproducible::pi / 5 * per_spacing * per_spacing * per_spacing * reach * reach;
}

namespace {

/// Remarks about one material; pointer prefix "/materials/NAME".
class MaterialCheck {
public:
    MaterialCheck(const Material& material, std::vector<Remark>& remarks)
        : material_(material), own_(material.by_method.at("takahashi2014").as<MaterialSettings>()), remarks_(remarks) {}

    void for_paper_coefficients() {
        for (const char* key : {"shear_modulus", "relaxation_time", "yield_stress"}) {
            if (given(material_table(), &material_, key)) {
                say(Remark::Kind::error, key,
                    "an SI quantity of elasticity has no meaning with \"coefficients\": \"paper\"; give "
                    "the paper's own coefficients in the material's \"takahashi2014\" object");
            }
        }
    }

    void for_correction(Settings::Correction scheme) {
        const bool springs = scheme == Settings::Correction::spring;
        const auto needs = [&](const char* key, const char* why) {
            if (!given(material_settings_table(), &own_, key))
                say(Remark::Kind::error, std::string("takahashi2014/") + key, why);
        };
        const auto has_no_use_for = [&](std::initializer_list<const char*> keys, const char* why) {
            for (const char* key : keys) {
                if (given(material_settings_table(), &own_, key))
                    say(Remark::Kind::error, std::string("takahashi2014/") + key, why);
            }
        };
        if (springs) {
            needs("spring_stiffness", "is needed with \"correction_scheme\": \"spring\"");
            has_no_use_for(
                {"correction", "lowest_correction", "correction_decay", "yield_distance"},
                "has no meaning with \"correction_scheme\": \"spring\": give spring_stiffness and spring_damping");
        } else {
            needs("correction", "is needed with \"coefficients\": \"paper\"");
        }
    }

    void without_springs() {
        for (const char* key : {"spring_stiffness", "spring_damping"}) {
            if (given(material_settings_table(), &own_, key)) {
                say(Remark::Kind::error, std::string("takahashi2014/") + key,
                    "needs \"takahashi2014\": { \"coefficients\": \"paper\", "
                    "\"correction_scheme\": \"spring\" } in the scene");
            }
        }
    }

    void for_shape_matching() {
        if (own_.self_connect == MaterialSettings::SelfConnect::always) {
            say(Remark::Kind::error, "takahashi2014/self_connect",
                "cannot be with \"correction_scheme\": \"shape_matching\": clusters "
                "are those of the start");
        }
    }

    void for_physical_coefficients() {
        for (const char* key : {"correction", "lowest_correction", "correction_decay", "yield_distance"}) {
            if (given(material_settings_table(), &own_, key)) {
                say(Remark::Kind::error, std::string("takahashi2014/") + key,
                    "is one of the paper's coefficients; it needs "
                    "\"takahashi2014\": { \"coefficients\": \"paper\" } in the scene, or use the SI keys of the "
                    "material");
            }
        }
        if (material_.shear_modulus.value_or(0) > 0) return;
        for (const char* key : {"relaxation_time", "yield_stress"}) {
            if (given(material_table(), &material_, key))
                say(Remark::Kind::warning, key, "has no effect without a shear_modulus");
        }
    }

    /// `support_radius` in spacings.
    void for_reach(double support_radius) {
        if (!(material_.shear_modulus.value_or(0) > 0)) return;
        const double farthest = std::max(own_.first_connect_distance.value_or(0), own_.connect_distance);
        if (farthest * support_radius >= 1) return;
        say(Remark::Kind::warning, "takahashi2014/connect_distance",
            "reaches less than a particle_spacing: fluid at rest has no connections and is not elastic; take " +
                number_text(std::ceil(100 / support_radius) / 100) + " or more");
    }

    /// `rate` is that of a unit of kinematic viscosity, 1/m².
    void for_xsph(double rate, double dt) {
        const double a = rate * material_.viscosity.value_or(0) / material_.density * dt;
        const double share = a > 0 ? reproducible::one_minus_exp_minus(a) / a : 1;
        if (share >= 0.9) return;
        const auto in_microseconds = [](double seconds) { return number_text(std::round(1e6 * seconds) / 1e6); };
        say(Remark::Kind::warning, "viscosity",
            "\"viscosity_scheme\": \"xsph\" shows " + number_text(std::round(100 * share)) + " % of it in steps of " +
                in_microseconds(dt) + " s; give a shorter /time/max_dt (" + in_microseconds(0.2 / a * dt) +
                " s for 90 %) or take \"implicit\"");
    }

    void for_all() {
        if (material_.yield_stress && material_.shear_modulus.value_or(0) > 0 && !material_.relaxation_time) {
            say(Remark::Kind::warning, "yield_stress",
                "has no effect without a relaxation_time: the material never flows");
        }
    }

    /// Heat goes by parts of a step, and many of them take longer than all the rest.
    void conduction(double support_radius, double dt) {
        if (!(material_.thermal_conductivity.value_or(0) > 0) || !material_.heat_capacity) return;
        const double diffusivity = *material_.thermal_conductivity / (material_.density * *material_.heat_capacity);
        const double parts = std::ceil(dt / longest_conduction_step(diffusivity, support_radius));
        if (parts <= 20) return;
        say(Remark::Kind::warning, "thermal_conductivity",
            "is so great that every step conducts heat in " + number_text(parts) +
                " parts, which is slow; a lower one, a greater heat_capacity or a smaller time/max_dt helps");
    }

private:
    static bool given(const ParameterTable& table, const void* owner, std::string_view key) {
        return !std::holds_alternative<std::monostate>(table.find(key)->read(owner));
    }
    void say(Remark::Kind kind, std::string key, std::string message) {
        remarks_.push_back({kind, "/materials/" + pointer_token(material_.name) + "/" + key, std::move(message)});
    }

    const Material& material_;
    const MaterialSettings& own_;
    std::vector<Remark>& remarks_;
};

}  // namespace

std::vector<Remark> check(const MethodInput& input) {
    std::vector<Remark> remarks;
    const auto& settings = input.settings.as<Settings>();
    const bool paper = settings.coefficients == Coefficients::paper;
    double dt = input.max_dt.value_or(std::numeric_limits<double>::infinity());
    for (const TimeStepLimit& limit : time_step_limits(input)) dt = std::min(dt, limit.dt);
    if (input.fixed_dt) dt = *input.fixed_dt;
    using Correction = Settings::Correction;
    const bool springs = settings.correction_scheme == Correction::spring;
    if (!paper && settings.correction_scheme != Correction::position) {
        remarks.push_back(
            {Remark::Kind::error, "/takahashi2014/correction_scheme",
             springs
                 ? "with SI coefficients a correction is one step of a spring already: leave this out, or give "
                   "\"coefficients\": \"paper\" and spring_stiffness"
                 : "shape matching is here with the paper's c only: give \"coefficients\": \"paper\" and correction"});
    }
    if (paper && !springs && !input.fixed_dt) {
        remarks.push_back(
            {Remark::Kind::error, "/time/fixed_dt",
             "is needed with \"coefficients\": \"paper\", because c changes its meaning with the time step"});
    }
    for (const Material& material : input.materials) {
        MaterialCheck check(material, remarks);
        if (paper) check.for_correction(settings.correction_scheme);
        if (!paper || !springs) check.without_springs();
        if (settings.correction_scheme == Correction::shape_matching) check.for_shape_matching();
        if (paper) check.for_paper_coefficients();
        else check.for_physical_coefficients();
        if (!paper) check.for_reach(settings.support_radius);
        if (settings.viscosity_scheme == ViscosityScheme::xsph) {
            check.for_xsph(xsph_rate(input.dimension, 1, support_radius(input)), dt);
        }
        check.for_all();
        check.conduction(support_radius(input), dt);
    }
    return remarks;
}

std::vector<TimeStepLimit> time_step_limits(const MethodInput& input) {
    std::vector<TimeStepLimit> limits = limits_without_pressure(input);
    const double at_rest = pressure_at_rest(input);
    if (at_rest > 0) limits.push_back(pressure_limit(input.spacing, at_rest));
    return limits;
}

/// The solve knows how density changes, but pushes in the directions that the step starts with. What moves without a
/// change of density feels pressure like a spring of stiffness p/(ρ d²) that is stepped explicitly; pools at rest
/// explode beyond dt √(p/ρ)/d = 0.85, with p the greatest pressure (docs/decisions/pressure-step.md). 0.7 leaves room
/// for half again as much.
TimeStepLimit pressure_limit(double spacing, double pressure_over_density) {
    return {0.7 * spacing / std::sqrt(pressure_over_density), StepBound::pressure};
}

/// Corners are pressed by more than the weight above them: 2.2 times in 2D, 3 times in 3D.
double pressure_at_rest(const MethodInput& input) {
    return (input.dimension == 2 ? 2.2 : 3) * input.strongest_gravity * input.fluid_depth;
}

std::vector<TimeStepLimit> limits_without_pressure(const MethodInput& input) {
    const auto& settings = input.settings.as<Settings>();
    const double h = support_radius(input);
    std::vector<TimeStepLimit> limits;
    // Longer steps take as many more iterations, so nothing is gained; and those that the cap cuts short explode.
    if (input.strongest_gravity > 0)
        limits.push_back({0.1 * std::sqrt(h / input.strongest_gravity), StepBound::gravity, "/gravity"});
    const double by_gravity = limits.empty() ? 0.01 : limits.front().dt;
    const double by_elasticity = explicit_step(input);
    const bool elastic = std::isfinite(by_elasticity);
    if (elastic && settings.elasticity == ElasticSteps::explicit_steps)
        limits.push_back({by_elasticity, StepBound::elasticity});
    // Steps shorter than a quarter of what gravity asks for are not worth it; there the implicit form takes over.
    if (elastic && settings.elasticity == ElasticSteps::automatic) {
        limits.push_back({std::max(by_elasticity, 0.25 * by_gravity), StepBound::elasticity});
    }
    for (const Material& material : input.materials) {
        const double viscosity = material.viscosity.value_or(0);
        if (viscosity > 0 && settings.viscosity_scheme == ViscosityScheme::explicit_steps) {
            limits.push_back({longest_viscous_step(viscosity / material.density, h), StepBound::viscosity,
                              material.pointer("viscosity")});
        }
        const double tension = material.surface_tension.value_or(0);
        if (tension > 0)
            limits.push_back({longest_tension_step(tension, material.density, h), StepBound::surface_tension,
                              material.pointer("surface_tension")});
    }
    if (limits.empty()) limits.push_back({1, StepBound::method});
    return limits;
}

double explicit_step(const MethodInput& input) {
    double longest = std::numeric_limits<double>::infinity();
    if (input.settings.as<Settings>().coefficients == Coefficients::paper) return longest;
    for (const Material& material : input.materials) {
        const double wave = std::sqrt(material.shear_modulus.value_or(0) / material.density);
        const auto& own = material.by_method.at("takahashi2014").as<MaterialSettings>();
        const PropertyFunction* varying = material.function("takahashi2014/connect_distance");
        const double connect_distance = varying ? varying->least() : own.connect_distance;
        const double reach = reach_of(input, std::max(own.first_connect_distance.value_or(0), connect_distance));
        // Measured with connections that reach h: they explode beyond G dt²/(ρ h²) = 0.08. Shorter ones are stiffer.
        if (wave > 0) longest = std::min(longest, 0.2 * reach / wave);
    }
    return longest;
}

std::vector<DerivedValue> derived_values(const MethodInput& input) {
    std::vector<DerivedValue> values = {{"support radius", support_radius(input), "m"}};
    if (input.settings.as<Settings>().coefficients == Coefficients::paper) return values;
    for (const Material& material : input.materials) {
        const double modulus = material.shear_modulus.value_or(0);
        if (modulus == 0) continue;
        // The paper's coefficient for the same material at a time step of one millisecond (two-sided connections).
        const double factor = input.dimension == 3 ? 60 : 32;
        values.push_back({material.name + " c at 1 ms",
                          factor * modulus * 1e-6 / (material.density * full_square(input, material)), ""});
    }
    return values;
}

double working_bytes(const MethodInput& input) {
    const PairMemory pairs = PairMemory::of(input, input.settings.as<Settings>().support_radius);
    const bool viscous =
        std::ranges::any_of(input.materials, [](const Material& m) { return m.viscosity.value_or(0) > 0; });
    // Vectors of the solvers, neighbor rows, gradients of the pressure and pairs of the viscosity, connections with
    // rest length and strength.
    return 85 * pairs.real + pairs.rows() + (viscous ? 2 : 1) * pairs.vectors() + pairs.connections(2);
}

}  // namespace treacle::takahashi2014
