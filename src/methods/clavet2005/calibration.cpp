#include "methods/clavet2005/calibration.h"

#include <algorithm>
#include <cmath>

#include "math/reproducible.h"
#include "math/space.h"
#include "methods/reference_speed.h"

namespace treacle::clavet2005 {

namespace {

/// Primitive vectors of a lattice with one point per unit volume.
struct Lattice {
    Vec3d a, b, c;
};

constexpr Lattice square{{1, 0, 0}, {0, 1, 0}, {}};
constexpr double hex_edge = 1.0745699318235418;  // sqrt(2/sqrt(3))
constexpr Lattice hexagonal{{hex_edge, 0, 0}, {hex_edge / 2, 1 / hex_edge, 0}, {}};
constexpr double fcc_half = 0.7937005259840998;  // cube root of 4, halved
constexpr Lattice face_centered{{0, fcc_half, fcc_half}, {fcc_half, 0, fcc_half}, {fcc_half, fcc_half, 0}};
constexpr double bcc_half = 0.6299605249474366;  // cube root of 2, halved
constexpr Lattice body_centered{
    {-bcc_half, bcc_half, bcc_half}, {bcc_half, -bcc_half, bcc_half}, {bcc_half, bcc_half, -bcc_half}};

void add_lattice(PackingSums& sums, const Lattice& lattice, int dimension, double spacing, double h) {
    const int reach = static_cast<int>(2.5 * h / spacing) + 2;  // primitive vectors are oblique
    const int reach_c = dimension == 3 ? reach : 0;
    for (int n = -reach_c; n <= reach_c; ++n) {
        for (int m = -reach; m <= reach; ++m) {
            for (int l = -reach; l <= reach; ++l) {
                const double r =
                    spacing * length(double(l) * lattice.a + double(m) * lattice.b + double(n) * lattice.c);
                if (r < 0.1 * spacing || r >= h) continue;
                const double q = r / h, w = 1 - q, half = 0.5;  // the mean of two lattices
                sums.shells.push_back({half, w, r * r});
                sums.count += half;
                sums.density += half * w * w;
                sums.near_density += half * w * w * w;
                sums.s1 += half * q * w;
                sums.s2 += half * q * w * w;
                sums.t1 += half * q * (1 - 2 * q);
                sums.t2 += half * q * w * (1 - 3 * q);
                sums.sg += half * q * q * w;
                sums.tg += half * q * (2 * q - 3 * q * q);
                sums.weight += half * w;
                sums.weighted_square += half * w * r * r;
            }
        }
    }
}

/// Points at the same distance become one shell.
void merge_shells(PackingSums& sums) {
    std::sort(sums.shells.begin(), sums.shells.end(), [](const auto& a, const auto& b) { return a.square < b.square; });
    std::vector<PackingSums::Shell> merged;
    for (const auto& shell : sums.shells) {
        if (!merged.empty() && shell.square < merged.back().square * (1 + 1e-9)) merged.back().count += shell.count;
        else merged.push_back(shell);
    }
    sums.shells = std::move(merged);
}

double dimension_factor(int dimension) { return dimension * (dimension + 2.0); }

/// Ten times the speeds that the scene can reach. Only six times √(g H), because the pressure's own tension and yield
/// stress grow with its square and would hold bodies and levels in a fluid at rest. That loses 3 % of its volume at the
/// bottom for it.
double sound_speed_of(const MethodInput& input) {
    const auto& settings = input.settings.as<Settings>();
    if (settings.sound_speed) return *settings.sound_speed;
    const double weight = std::sqrt(input.strongest_gravity * input.fluid_height);
    if (weight == 0) return 10 * reference_speed(input);
    MethodInput without_weight = input;
    without_weight.fluid_height = 0;
    return std::max(6 * weight, 10 * reference_speed(without_weight));
}

}  // namespace

PackingSums packing_sums(int dimension, double spacing, double support_radius) {
    PackingSums sums;
    add_lattice(sums, dimension == 2 ? square : face_centered, dimension, spacing, support_radius);
    add_lattice(sums, dimension == 2 ? hexagonal : body_centered, dimension, spacing, support_radius);
    merge_shells(sums);
    return sums;
}

double support_radius(const MethodInput& input) {
    // Away from shells of the lattice, where a neighbor would count or not by rounding. In 2D a support below 3.4 lets
    // the fluid freeze into a crystal: a free square then stays a square (measured).
    const double usual = input.dimension == 2 ? 3.5 : 2.55;
    return input.settings.as<Settings>().support_radius.value_or(usual) * input.spacing;
}

// ν dt = Σ (1 - exp(-σ w dt)) r² / (8 D (D+2)): the radial dashpots of the pairs that approach, half of all in a shear
// flow. For small dt it is ν = σ Σ w r² / (8 D (D+2)).
double ViscosityCalibration::strength(double sigma_dt) const {
    double sum = 0;
    for (const auto& shell : shells_) {
        sum += shell.count * reproducible::quick_one_minus_exp_minus(sigma_dt * shell.w) * shell.square;
    }
    return sum / (8 * dimension_factor(dimension_));
}

double ViscosityCalibration::linear_viscosity(double kinematic, double dt) const {
    if (!(kinematic > 0)) return 0;
    double low = 0, high = 1;
    while (strength(high) < kinematic * dt && high < 1e12) high *= 2;
    for (int n = 0; n < 60; ++n) {
        const double middle = 0.5 * (low + high);
        (strength(middle) < kinematic * dt ? low : high) = middle;
    }
    return 0.5 * (low + high) / dt;
}

double ViscosityCalibration::longest_sweep(double kinematic) const {
    if (!(kinematic > 0)) return 1e30;
    // Measured: gathered impulses overshoot when Σ (1 - exp(-σ w dt)) exceeds 10.9 (2D), 13.6 (3D); 3 D leaves room
    // for compressed spots.
    const double limit = 3.0 * dimension_;
    double low = 0, high = 1e3;
    for (int n = 0; n < 60; ++n) {
        const double middle = 0.5 * (low + high);
        double sum = 0;
        for (const auto& shell : shells_) {
            sum += shell.count * reproducible::quick_one_minus_exp_minus(middle * shell.w);
        }
        (sum < limit ? low : high) = middle;
    }
    return strength(low) / kinematic;
}

namespace {

OwnCoefficients::OfMaterial from_paper(const Material& material) {
    const auto& own = material.by_method.at("clavet2005").as<MaterialSettings>();
    OwnCoefficients::OfMaterial c;
    c.stiffness = own.stiffness.value_or(0);
    c.near_stiffness = own.near_stiffness.value_or(0);
    c.rest_density = own.rest_density.value_or(0);
    c.lowest_pressure = -c.stiffness * c.rest_density;  // the least that ρ = 0 can give: no limit
    c.linear_viscosity = own.linear_viscosity.value_or(0);
    c.quadratic_viscosity = own.quadratic_viscosity.value_or(0);
    c.spring_stiffness = own.spring_stiffness.value_or(0);
    c.creep_rate = own.plasticity.value_or(0);
    c.yield_stretch = own.yield_ratio.value_or(0);
    c.yield_compress = own.yield_compress.value_or(c.yield_stretch);
    return c;
}

/// Attraction A of the cohesion block whose tension is `tension` more than the intrinsic one. A sharp surface of
/// pairs attracting by A q (1-q) has the tension ρ n h⁴ A/90 (2D) or π ρ n h⁵ A/336 (3D); adjusting the rest density
/// takes back most of it, 0.3 is left (measured).
double cohesion_for(double tension, double density, int dimension, double spacing, double h) {
    const double n = 1 / cell_volume(dimension, spacing);
    const double sharp =
        dimension == 2 ? density * n * h * h * h * h / 90 : reproducible::pi * density * n * h * h * h * h * h / 336;
    return tension / (0.3 * sharp);
}

/// Pressure: the fluid shall be free of pressure at the given spacing and its sound speed shall be c. Both follow
/// from the virial of the pair forces, p/ρ = (h/2D)[k (ρ-ρ0) S1 + k_near ρn S2 - A Sg], differentiated by a uniform
/// stretch.
void calibrate_pressure(OwnCoefficients::OfMaterial& c, const Settings& settings, const PackingSums& at_rest,
                        int dimension, double h, double sound_speed) {
    const double s = settings.near_ratio;
    const double per_k = 2 * at_rest.s1 * at_rest.s1 + 3 * s * at_rest.s2 * at_rest.s2 +
                         s * at_rest.near_density * (at_rest.s2 * at_rest.t1 / at_rest.s1 - at_rest.t2);
    const double by_cohesion = c.cohesion * (at_rest.tg - at_rest.sg * at_rest.t1 / at_rest.s1);
    // The amorphous packing in 3D is softer than both lattices; measured.
    const double softness = dimension == 3 ? 1.15 : 1.0;
    const double wanted = softness * 2 * dimension * dimension * sound_speed * sound_speed / h;
    c.stiffness = std::max(wanted - by_cohesion, 0.1 * wanted) / per_k;
    c.near_stiffness = s * c.stiffness;
    c.rest_density = at_rest.density + s * at_rest.near_density * at_rest.s2 / at_rest.s1 -
                     c.cohesion / c.stiffness * at_rest.sg / at_rest.s1;
    c.lowest_pressure = -settings.cohesion_limit * c.stiffness * c.rest_density;
}

OwnCoefficients::OfMaterial from_physics(const Material& material, const MethodInput& input, const PackingSums& at_rest,
                                         double h, double sound_speed) {
    const auto& settings = input.settings.as<Settings>();
    const auto& own = material.by_method.at("clavet2005").as<MaterialSettings>();
    OwnCoefficients::OfMaterial c;

    const TensionRange range = tension_range(input, material);
    c.surface_tension = std::clamp(material.surface_tension.value_or(range.intrinsic), range.least, range.most);
    c.cohesion = cohesion_for(c.surface_tension - range.intrinsic, material.density, input.dimension, input.spacing, h);
    calibrate_pressure(c, settings, at_rest, input.dimension, h, sound_speed);

    c.kinematic_viscosity = material.viscosity.value_or(0) / material.density;
    c.quadratic_viscosity = own.quadratic_viscosity.value_or(0);

    // Elasticity: an isotropic network of springs with stiffness (m/2) k_spring (1 - L/h).
    const double modulus = material.shear_modulus.value_or(0);
    c.spring_stiffness = modulus / material.density * 4 * dimension_factor(input.dimension) / at_rest.weighted_square;
    c.creep_rate = material.relaxation_time ? 1 / *material.relaxation_time : 0;
    c.renews_springs = material.relaxation_time.has_value();
    // The first springs give way at the stress 2 G γ; in steady shear 1.9 to 2.5 G γ were measured.
    c.yield_stretch = modulus > 0 ? std::min(0.9, 0.5 * material.yield_stress.value_or(0) / modulus) : 0;
    c.yield_compress = own.yield_compress.value_or(c.yield_stretch);
    return c;
}

}  // namespace

TensionRange tension_range(const MethodInput& input, const Material& material) {
    const double c = sound_speed_of(input);
    const double unit = material.density * c * c * input.spacing;
    const double s = input.settings.as<Settings>().near_ratio;
    // Measured at s = 0.2 with films and drops; grows about in proportion to s.
    const double intrinsic = (input.dimension == 2 ? 0.045 : 0.0175) * s * unit;
    return {intrinsic / 3, intrinsic, std::max(0.02 * unit, intrinsic)};
}

OwnCoefficients coefficients(const MethodInput& input) {
    const auto& settings = input.settings.as<Settings>();
    const double h = support_radius(input);
    OwnCoefficients c;
    c.dimension = input.dimension;
    c.support_radius = h;
    c.packing = packing_sums(input.dimension, input.spacing, h);
    c.contact_distance = 0.5 * input.spacing;
    c.stick_distance = 0.5 * h;
    if (settings.coefficients == Coefficients::paper) {
        for (const Material& material : input.materials) c.materials.push_back(from_paper(material));
        const auto& first = input.materials.front().by_method.at("clavet2005").as<MaterialSettings>();
        c.stick_strength = first.stickiness.value_or(0);
        c.stick_distance = first.stick_distance.value_or(c.stick_distance);
        return c;
    }
    c.sweeps_viscosity = settings.sweep == Settings::Sweep::sequential;
    c.sound_speed = sound_speed_of(input);
    c.load_time = 5 * h / c.sound_speed;  // many steps, but short against anything one sees
    for (const Material& material : input.materials) {
        c.materials.push_back(from_physics(material, input, c.packing, h, c.sound_speed));
    }
    return c;
}

std::vector<TimeStepLimit> stability_limits(const OwnCoefficients& c, double compression) {
    std::vector<TimeStepLimit> limits;
    if (!(c.sound_speed > 0)) return limits;
    // One step multiplies a mode of frequency ω by sqrt(1 - (ω dt)²) or, above 1, by up to (ω dt)² - 1: stable for
    // (ω dt)² <= 4/3. The highest frequency of the pressure was measured on lattices and packings, at rest and
    // compressed: 1.95 c/h, growing with the square of the density.
    const double dense = 1 + std::max(0.0, compression);
    const double softness = c.dimension == 3 ? 1.15 : 1.0;
    const double pressure = 1.95 * 1.95 * softness * c.sound_speed * c.sound_speed /
                            (c.support_radius * c.support_radius) * dense * dense * dense * dense;
    double springs = 0, longest_sweep = 1e30;
    const ViscosityCalibration viscosity(c.dimension, c.packing.shells);
    for (const auto& m : c.materials) {
        springs = std::max(springs, dense * c.packing.weight * (m.spring_stiffness + m.cohesion / c.support_radius) /
                                        c.dimension);
        if (c.sweeps_viscosity) longest_sweep = std::min(longest_sweep, viscosity.longest_sweep(m.kinematic_viscosity));
    }
    const double longest = std::sqrt(4.0 / 3 / (pressure + springs));
    if (springs > pressure) limits.push_back({longest, StepBound::springs});
    else limits.push_back({longest, StepBound::sound_speed, "/clavet2005/sound_speed"});
    if (longest_sweep < 1e29) limits.push_back({most_viscosity_sweeps * longest_sweep, StepBound::viscosity});
    return limits;
}

std::vector<TimeStepLimit> time_step_limits(const MethodInput& input) {
    auto limits = stability_limits(coefficients(input), 0);
    for (TimeStepLimit& limit : limits) limit.dt *= input.settings.as<Settings>().time_step_safety;
    return limits;
}

std::vector<DerivedValue> derived_values(const MethodInput& input) {
    const OwnCoefficients c = coefficients(input);
    std::vector<DerivedValue> values = {{"support radius", c.support_radius, "m"}};
    if (c.sound_speed > 0) values.push_back({"sound speed", c.sound_speed, "m/s"});
    for (std::size_t m = 0; m < c.materials.size(); ++m) {
        const auto& of = c.materials[m];
        const std::string name = input.materials[m].name + " ";
        values.push_back({name + "k", of.stiffness, "m/s²"});
        values.push_back({name + "rho0", of.rest_density, ""});
        if (of.spring_stiffness > 0) values.push_back({name + "k_spring", of.spring_stiffness, "1/s²"});
        if (c.sound_speed > 0) values.push_back({name + "tension", of.surface_tension, "N/m"});
    }
    return values;
}

}  // namespace treacle::clavet2005
