#include "methods/barreiro2017/settings.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/json.h"
#include "kernels/cubic_spline.h"
#include "laws/stable_steps.h"
#include "math/reproducible.h"
#include "methods/pair_memory.h"

namespace treacle::barreiro2017 {

const ParameterTable& settings_table() {
    using T = Settings;
    static const ParameterTable table =
        ParameterTable("barreiro2017")
            .add("coefficients", &T::coefficients,
                 {.choices = {"physical", "paper"},
                  .doc = "SI material keys, or the paper's compliance and relaxation time."})
            .add("support_radius", &T::support_radius,
                 {.symbol = "h",
                  .unit = "particle_spacing",
                  .low = 1.5,
                  .high = 4,
                  .doc = "Radius of the kernel. The work grows with its cube (2D: square)."})
            .add("projection", &T::projection,
                 {.choices = {"doubly", "position_only"},
                  .doc = "Constraints on velocities and then on positions, or on positions alone as in ordinary "
                         "position-based dynamics."})
            .add("velocity_solver", &T::velocity_solver,
                 {.choices = {"automatic", "jacobi", "conjugate_gradients"},
                  .doc = "How velocities are projected: as in the paper, or by conjugate gradients, which leave less "
                         "drift at the same "
                         "cost; automatic: the first with the paper's coefficients, else the second."})
            .add("velocity_iterations", &T::velocity_iterations,
                 {.unit = "1", .low = 0, .high = 10000, .doc = "Iterations of a step that project velocities."})
            .add("position_iterations", &T::position_iterations,
                 {.unit = "1",
                  .low = 1,
                  .high = 10000,
                  .doc = "Iterations of a step that project positions, each of density and conformation."})
            .add("corotational", &T::corotational,
                 {.doc = "Measure strain apart from rotation; false stops what turns, as the paper shows."})
            .add("gradients", &T::gradients,
                 {.choices = {"automatic", "start", "present"},
                  .doc = "Positions are pushed by the gradients of the start of the step, which keeps energy and "
                         "angular momentum, or by present ones, as in the paper; automatic: present with the paper's "
                         "coefficients, else start."})
            .add("strain", &T::strain,
                 {.choices = {"full", "shear"},
                  .doc = "Constrain all of the strain, or its shear alone and leave volume to the density constraint."})
            .add("hydrostatic_ratio", &T::hydrostatic_ratio,
                 {.unit = "1",
                  .low = 1e-3,
                  .high = 1e3,
                  .doc = "Stiffness against change of volume, in units of that against shear; absent: 5, and 1 with "
                         "the paper's "
                         "coefficients. Without effect on \"strain\": \"shear\"."})
            .add("combine", &T::combine,
                 {.choices = {"staggered", "simultaneous"},
                  .doc = "Density and conformation one after the other in every iteration, or both from the same "
                         "positions."})
            .add("incompressibility", &T::incompressibility,
                 {.choices = {"positions", "doubly"},
                  .doc = "Constrain density by positions alone, as the paper does, or by velocities as well: then an "
                         "iteration of "
                         "velocities also takes out of them what would compress."})
            .add("density_relaxation", &T::density_relaxation,
                 {.symbol = "ω",
                  .unit = "1",
                  .low = 0,
                  .high = 1,
                  .doc = "Share of each correction of density that is applied; 0 lets the material be compressed; "
                         "absent: 4/3 over the greatest eigenvalue of the iteration on a lattice (with the default "
                         "radius 0.50 in 2D, 0.30 in 3D), and 0.5 with the paper's coefficients."})
            .add("artificial_pressure", &T::artificial_pressure,
                 {.symbol = "k",
                  .unit = "1",
                  .low = 0,
                  .high = 1,
                  .doc =
                      "Keeps close neighbors apart (s_corr of Macklin and Müller 2013); acts once in every iteration."})
            .add("warm_start", &T::warm_start,
                 {.unit = "1",
                  .low = 0,
                  .high = 1,
                  .doc = "Share of the last step's pressure that a step starts with; absent: 0.9, and 1 with elastic "
                         "fluid or the paper's coefficients."})
            .add("gradient_floor", &T::gradient_floor,
                 {.symbol = "ε",
                  .unit = "1",
                  .low = 0,
                  .high = 10,
                  .doc = "Strain at surfaces is corrected for missing neighbors as far as they are not fewer than this "
                         "share; 0: not at all."})
            .add("viscosity_tolerance", &T::viscosity_tolerance,
                 {.unit = "1",
                  .low = 1e-6,
                  .high = 0.1,
                  .doc = "Error of what viscosity does within a step, as a share of it, at which its iteration ends."})
            .add("cfl", &T::cfl,
                 {.unit = "support_radius",
                  .low = 0.01,
                  .high = 10,
                  .doc = "How far a particle may move within a step."});
    return table;
}

const ParameterTable& material_settings_table() {
    using T = MaterialSettings;
    static const ParameterTable table =
        ParameterTable("barreiro2017 material")
            .add("compliance", &T::compliance,
                 {.symbol = "α",
                  .unit = "1",
                  .low = 0,
                  .high = 1e9,
                  .live = true,
                  .doc = "Paper coefficient, for particles of mass one: 0 is as stiff as the iterations allow; absent: "
                         "a liquid."})
            .add("relaxation", &T::relaxation,
                 {.symbol = "τ",
                  .unit = "s",
                  .low = 0,
                  .high = 1e9,
                  .live = true,
                  .doc = "Paper coefficient: 0 is viscous, long times are elastic; absent: never relaxes."})
            .add("mobility", &T::mobility,
                 {.unit = "1",
                  .low = 0,
                  .high = 0.5,
                  .live = true,
                  .doc = "Shear thinning (Giesekus): the faster it is sheared, the less viscous is the polymer; "
                         "absent: not at all."})
            .add("extensibility", &T::extensibility,
                 {.symbol = "L",
                  .unit = "1",
                  .low = 1.1,
                  .high = 1e6,
                  .doc = "How many times its length a polymer is stretched at most, with SI coefficients; what goes "
                         "beyond is forgotten."})
            .add("break_stretch", &T::break_stretch,
                 {.unit = "1",
                  .low = 1,
                  .high = 1000,
                  .doc = "Given for a material that never relaxes: it remembers the shape in which it began, however "
                         "far it is strained, "
                         "except where neighbors are this many times as far apart as they were; absent: strain is "
                         "added up."});
    return table;
}

double support_radius(const MethodInput& input) { return input.settings.as<Settings>().support_radius * input.spacing; }

ElasticResponse response_of(const MethodInput& input, const Material& material) {
    constexpr double never = std::numeric_limits<double>::infinity();
    const auto& own = material.by_method.at("barreiro2017").as<MaterialSettings>();
    ElasticResponse response;
    if (input.settings.as<Settings>().coefficients == Coefficients::physical) {
        response = ElasticResponse::of(material.shear_modulus.value_or(0), material.relaxation_time.value_or(never),
                                       material.yield_stress.value_or(0), own.mobility.value_or(0));
        response.most_strain = (own.extensibility * own.extensibility - 1) / std::sqrt(2.0);
        return response;
    }
    response.as_in_paper = true;
    response.elastic = own.compliance.has_value();
    // The energy of a constraint is C²/2α per unit of mass; with stress = modulus · C that is modulus/4 per volume and
    // C².
    response.compliance = own.compliance.value_or(0) / (2 * material.density);
    response.relaxation_rate = 1 / own.relaxation.value_or(never);
    response.mobility = own.mobility.value_or(0);
    // A strain that a few iterations cannot undo would come back as speed: a jet that is pushed against a floor blows
    // up.
    response.most_strain = response.compliance > 0 ? 0.5 : 0.2;
    return response;
}

double break_stretch_of(const MethodInput& input, const Material& material) {
    const auto& own = material.by_method.at("barreiro2017").as<MaterialSettings>();
    const ElasticResponse response = response_of(input, material);
    const bool stores = response.as_in_paper ? response.elastic && !own.relaxation : response.relaxation_rate == 0;
    return stores ? own.break_stretch.value_or(0) : 0;
}

namespace {

/// Of pressures p_i = sin k·x_i, density within a lattice changes by |Σ g sin k·x|² p_i, and Jacobi divides that by
/// Σ |g|². The greatest ratio lies on an axis or a diagonal.
double greatest_eigenvalue(const std::vector<std::pair<Vec3d, Vec3d>>& gradients, int dimension, double spacing) {
    constexpr int waves = 60;
    double squares = 0, greatest = 0;
    for (const auto& [x, g] : gradients) squares += dot(g, g);
    for (const Vec3d direction : {Vec3d{1, 0, 0}, Vec3d{1, 1, 0}, Vec3d{1, 1, 1}}) {
        if (dimension == 2 && direction.z > 0) continue;
        for (int n = 1; n <= waves; ++n) {
            const Vec3d k = (n * reproducible::pi / (waves * spacing)) * direction;
            Vec3d sum{};
            for (const auto& [x, g] : gradients) sum += reproducible::sin(dot(k, x)) * g;
            greatest = std::max(greatest, dot(sum, sum) / squares);
        }
    }
    return greatest;
}

}  // namespace

Lattice lattice(int dimension, double spacing, double support_radius) {
    Lattice sums{0, 0, 0};
    std::vector<std::pair<Vec3d, Vec3d>> gradients;  // x_ji and its V_j ∇W, up to a factor
    const auto add = [&](auto space) {
        using S = decltype(space);
        const CubicSpline<S> kernel(support_radius);
        const double volume = cell_volume(dimension, spacing);
        const int reach = static_cast<int>(support_radius / spacing) + 1, out = dimension == 3 ? reach : 0;
        for (int a = -reach; a <= reach; ++a) {
            for (int b = -reach; b <= reach; ++b) {
                for (int c = -out; c <= out; ++c) {
                    const Vec3d x{a * spacing, b * spacing, c * spacing};
                    const double distance = length(x), q = distance / support_radius;
                    if (q >= 1) continue;
                    sums.density += volume * kernel.value(q);
                    if (!(distance > 0)) continue;
                    sums.shape -= volume * kernel.slope(q) / distance * x.x * x.x;
                    sums.weight -= kernel.slope(q) / distance;
                    gradients.emplace_back(x, kernel.slope(q) / distance * x);
                }
            }
        }
    };
    if (dimension == 2) add(Space2d{});
    else add(Space3d{});
    sums.stiffest = greatest_eigenvalue(gradients, dimension, spacing);
    return sums;
}

namespace {

bool given(const ParameterTable& table, const void* owner, std::string_view key) {
    return !std::holds_alternative<std::monostate>(table.find(key)->read(owner));
}

void check_material(const Material& material, bool paper, std::vector<Remark>& remarks) {
    const auto& own = material.by_method.at("barreiro2017").as<MaterialSettings>();
    const auto say = [&](Remark::Kind kind, const std::string& key, std::string message) {
        remarks.push_back({kind, "/materials/" + pointer_token(material.name) + "/" + key, std::move(message)});
    };
    if (paper) {
        for (const char* key : {"shear_modulus", "relaxation_time", "yield_stress"}) {
            if (given(material_table(), &material, key)) {
                say(Remark::Kind::error, key,
                    "an SI quantity of elasticity has no meaning with \"coefficients\": \"paper\"; give "
                    "\"compliance\" and \"relaxation\" in the material's \"barreiro2017\" object");
            }
        }
        if (own.relaxation && !own.compliance)
            say(Remark::Kind::warning, "barreiro2017/relaxation", "has no effect without a compliance");
    } else {
        for (const char* key : {"compliance", "relaxation"}) {
            if (given(material_settings_table(), &own, key)) {
                say(Remark::Kind::error, std::string("barreiro2017/") + key,
                    "is one of the paper's coefficients; it needs "
                    "\"barreiro2017\": { \"coefficients\": \"paper\" } in the scene, or use the SI keys of the "
                    "material");
            }
        }
        if (material.relaxation_time && !(material.shear_modulus.value_or(0) > 0)) {
            say(Remark::Kind::warning, "relaxation_time", "has no effect without a shear_modulus");
        }
        if (material.yield_stress && !(material.shear_modulus.value_or(0) > 0)) {
            say(Remark::Kind::warning, "yield_stress", "has no effect without a shear_modulus");
        } else if (material.yield_stress && !material.relaxation_time) {
            say(Remark::Kind::warning, "yield_stress",
                "has no effect without a relaxation_time: the material never flows");
        }
    }
    const bool forgets = paper ? own.compliance && own.relaxation : material.shear_modulus && material.relaxation_time;
    if (own.mobility && !forgets) {
        say(Remark::Kind::warning, "barreiro2017/mobility",
            "has no effect on a material that is not elastic or never relaxes");
    }
    const bool elastic = paper ? own.compliance.has_value() : material.shear_modulus.value_or(0) > 0;
    if (own.break_stretch && (forgets || !elastic)) {
        say(Remark::Kind::warning, "barreiro2017/break_stretch",
            "has no effect on a material that relaxes or is not elastic: there is "
            "no shape at rest to remember");
    }
}

}  // namespace

std::vector<Remark> check(const MethodInput& input) {
    std::vector<Remark> remarks;
    const auto& settings = input.settings.as<Settings>();
    for (const Material& material : input.materials) {
        check_material(material, settings.coefficients == Coefficients::paper, remarks);
    }
    return remarks;
}

std::vector<TimeStepLimit> time_step_limits(const MethodInput& input) {
    const double h = support_radius(input);
    std::vector<TimeStepLimit> limits;
    if (input.strongest_gravity > 0)
        limits.push_back({0.04 * std::sqrt(h / input.strongest_gravity), StepBound::gravity, "/gravity"});
    for (const Material& material : input.materials) {
        const double tension = material.surface_tension.value_or(0);
        if (tension > 0)
            limits.push_back({longest_tension_step(tension, material.density, h), StepBound::surface_tension,
                              material.pointer("surface_tension")});
    }
    if (limits.empty()) limits.push_back({1, StepBound::method});
    return limits;
}

std::vector<DerivedValue> derived_values(const MethodInput& input) {
    std::vector<DerivedValue> values = {{"support radius", support_radius(input), "m"}};
    for (const Material& material : input.materials) {
        const ElasticResponse response = response_of(input, material);
        if (!response.elastic) continue;
        if (response.compliance > 0)
            values.push_back({material.name + " shear modulus", 1 / response.compliance, "Pa"});
        if (response.compliance > 0 && response.relaxation_rate > 0 && std::isfinite(response.relaxation_rate)) {
            values.push_back(
                {material.name + " polymer viscosity", 1 / (response.compliance * response.relaxation_rate), "Pa s"});
        }
    }
    return values;
}

double working_bytes(const MethodInput& input) {
    const PairMemory pairs = PairMemory::of(input, input.settings.as<Settings>().support_radius);
    const bool viscous = std::ranges::any_of(input.materials, [](const Material& material) {
        return material.viscosity.value_or(0) > 0;
    });
    // Tensors of the constraint; neighbor rows of start and end, which are filled up to whole packs, with a number for
    // every pair; where there is a solvent, the vectors of its viscosity. Pairs have a third to spare.
    const double places = 1.3 * (pairs.neighbors + 3.5);
    return 220 * pairs.real + (12 + pairs.real) * places + (viscous ? 4.1 * pairs.real * places : 0);
}

}  // namespace treacle::barreiro2017
