// Tests of the formulas by which simulations are judged: against the equations that they solve, integrated
// numerically, against limits, and against published values.

#include "support/oldroyd_b.h"

#include <array>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

namespace treacle::test {
namespace {

/// c_xx, c_xy, c_yy, c_zz after a time of constant velocity gradient (dvx/dx, dvx/dy, dvy/dy, dvz/dz), by Runge-Kutta.
using Conformation = std::array<double, 4>;

Conformation integrated(const OldroydB& fluid, std::array<double, 4> gradient, double time,
                        Conformation c = {1, 0, 1, 1}) {
    const auto rate = [&](const Conformation& at) {
        const auto& [xx, xy, yy, zz] = gradient;
        const double relax = 1 / fluid.relaxation_time;
        return Conformation{2 * (xx * at[0] + xy * at[1]) - (at[0] - 1) * relax,
                            xx * at[1] + xy * at[2] + yy * at[1] - at[1] * relax, 2 * yy * at[2] - (at[2] - 1) * relax,
                            2 * zz * at[3] - (at[3] - 1) * relax};
    };
    const int steps = 2000;
    const double dt = time / steps;
    const auto moved = [](Conformation from, const Conformation& by, double share) {
        for (std::size_t n = 0; n < 4; ++n) from[n] += share * by[n];
        return from;
    };
    for (int n = 0; n < steps; ++n) {
        const Conformation a = rate(c), b = rate(moved(c, a, dt / 2)), d = rate(moved(c, b, dt / 2)),
                           e = rate(moved(c, d, dt));
        for (std::size_t m = 0; m < 4; ++m) c[m] += dt / 6 * (a[m] + 2 * b[m] + 2 * d[m] + e[m]);
    }
    return c;
}

TEST(OldroydBFormulas, shear) {
    const OldroydB fluid;
    const double rate = 50;
    for (const double t : {0.002, 0.02, 0.05, 0.2}) {
        const Conformation c = integrated(fluid, {0, rate, 0, 0}, t);
        EXPECT_NEAR(fluid.start_up_stress(rate, t), fluid.solvent_viscosity * rate + fluid.modulus() * c[1], 1e-8);
        EXPECT_NEAR(fluid.start_up_normal_difference(rate, t), fluid.modulus() * (c[0] - c[2]), 1e-8);
        const Conformation steady{1 + 2, 1, 1, 1};  // λ rate = 1
        EXPECT_NEAR(fluid.cessation_stress(rate, t), fluid.modulus() * integrated(fluid, {}, t, steady)[1], 1e-8);
        EXPECT_NEAR(fluid.step_strain_stress(0.3, t), fluid.modulus() * integrated(fluid, {}, t, {1.09, 0.3, 1, 1})[1],
                    1e-8);
    }
    EXPECT_DOUBLE_EQ(fluid.start_up_stress(rate, 0), fluid.solvent_viscosity * rate);
    EXPECT_NEAR(fluid.start_up_stress(rate, 1), fluid.viscosity() * rate, 1e-8);
}

TEST(OldroydBFormulas, oscillation) {
    const OldroydB fluid;
    for (const double reduced : {0.1, 1.0, 10.0}) {
        const double omega = reduced / fluid.relaxation_time;
        EXPECT_NEAR(fluid.storage_modulus(omega), fluid.modulus() * reduced * reduced / (1 + reduced * reduced), 1e-9);
        EXPECT_NEAR(fluid.loss_modulus(omega),
                    fluid.solvent_viscosity * omega + fluid.modulus() * reduced / (1 + reduced * reduced), 1e-9);
    }
    OldroydB bare = fluid;
    bare.solvent_viscosity = 0;
    EXPECT_NEAR(bare.storage_modulus(50), bare.loss_modulus(50), 1e-9) << "they cross at ω λ = 1";
}

TEST(OldroydBFormulas, extension) {
    const OldroydB fluid;
    for (const double stretch : {0.1, 0.2, 0.4}) {
        const double rate = stretch / fluid.relaxation_time;
        for (const double t : {0.01, 0.1}) {
            const Conformation c = integrated(fluid, {rate, 0, -rate / 2, -rate / 2}, t);
            EXPECT_NEAR(fluid.uniaxial_viscosity(rate, t),
                        3 * fluid.solvent_viscosity + fluid.modulus() * (c[0] - c[2]) / rate, 1e-8);
            const Conformation flat = integrated(fluid, {rate, 0, -rate, 0}, t);
            EXPECT_NEAR(fluid.planar_viscosity(rate, t),
                        4 * fluid.solvent_viscosity + fluid.modulus() * (flat[0] - flat[2]) / rate, 1e-8);
        }
        EXPECT_NEAR(fluid.uniaxial_viscosity(rate, 100),
                    3 * fluid.solvent_viscosity + fluid.polymer_viscosity * (2 / (1 - 2 * stretch) + 1 / (1 + stretch)),
                    1e-8);
    }
    EXPECT_NEAR(fluid.uniaxial_viscosity(1e-4, 100), 3 * fluid.viscosity(), 1e-4) << "Trouton";
    EXPECT_NEAR(fluid.planar_viscosity(1e-4, 100), 4 * fluid.viscosity(), 1e-4);
}

/// A fluid and a channel with elasticity number 1 and a ninth of the viscosity in the solvent.
const OldroydB waters_king{
    .density = 1000, .solvent_viscosity = 4.0 / 9, .polymer_viscosity = 32.0 / 9, .relaxation_time = 0.02};
const double half_width = std::sqrt(0.02 * 4 / 1000);

TEST(OldroydBFormulas, channel_has_the_published_values) {
    ASSERT_NEAR(waters_king.elasticity(half_width), 1, 1e-12);
    const std::vector<std::array<double, 2>> published{{0.4, 1.1983}, {0.8, 2.2070}, {1.2, 2.5507}, {2.0, 2.0580},
                                                       {3.4, 1.2465}, {5.6, 1.5628}, {100, 1.5}};
    for (const auto& [t, u] : published)
        EXPECT_NEAR(waters_king.channel_velocity(half_width, 0, 0.02 * t), u, 6e-5) << t;
}

TEST(OldroydBFormulas, channel_solves_its_equations) {
    // ρ ∂u/∂t = ρ g + η_s u'' + τ', λ ∂τ/∂t + τ = η_p u' on a staggered grid.
    const int cells = 100;
    const double width = 2 * half_width / cells, dt = 0.02 / 40000, acceleration = 1;
    const OldroydB& f = waters_king;
    std::vector<double> u(cells), tau(cells + 1);
    const double mean = f.mean_velocity(half_width, acceleration);
    int step = 0;
    for (const double t : {0.3, 1.2, 2.5}) {
        for (; step * dt < t * f.relaxation_time - dt / 2; ++step) {
            std::vector<double> slope(cells + 1);
            for (std::size_t n = 1; n < cells; ++n) slope[n] = (u[n] - u[n - 1]) / width;
            slope.front() = 2 * u.front() / width;
            slope.back() = -2 * u.back() / width;
            for (std::size_t n = 0; n <= cells; ++n)
                tau[n] += dt / f.relaxation_time * (f.polymer_viscosity * slope[n] - tau[n]);
            for (std::size_t n = 0; n < cells; ++n) {
                const double stress = f.solvent_viscosity * (slope[n + 1] - slope[n]) + tau[n + 1] - tau[n];
                u[n] += dt * (acceleration + stress / (width * f.density));
            }
        }
        for (const std::size_t n : {std::size_t{5}, std::size_t{30}, std::size_t{50}}) {
            const double y = -1 + (static_cast<double>(n) + 0.5) * width / half_width;
            EXPECT_NEAR(u[n] / mean, f.channel_velocity(half_width, y, t * f.relaxation_time), 2e-3) << t << " " << y;
        }
    }
}

}  // namespace
}  // namespace treacle::test
