#pragma once

#include <cmath>
#include <complex>
#include <numbers>

/// An Oldroyd-B fluid in simple flows, in closed form: a Newtonian solvent and springs that move with the fluid and
/// relax. The stress of the springs is G (c - 1), where their conformation c obeys
///
///   dc/dt = L c + c Lᵀ - (c - 1)/λ,    L = ∇v,    G = η_p/λ.
///
/// In simple flows this is linear with constant coefficients, which gives everything below.

namespace treacle::test {

struct OldroydB {
    double density = 1000;           ///< kg/m³
    double solvent_viscosity = 0.4;  ///< Pa·s
    double polymer_viscosity = 3.6;  ///< Pa·s
    double relaxation_time = 0.02;   ///< s

    double viscosity() const { return solvent_viscosity + polymer_viscosity; }
    double modulus() const { return polymer_viscosity / relaxation_time; }

    /// Stress of a shear that starts at t = 0 and continues at this rate, without inertia: dc_xy/dt = rate - c_xy/λ.
    double start_up_stress(double rate, double t) const {
        return rate * (solvent_viscosity + polymer_viscosity * (1 - std::exp(-t / relaxation_time)));
    }
    /// First normal stress difference of the same: dc_xx/dt = 2 rate c_xy - (c_xx - 1)/λ, and c_yy = 1.
    double start_up_normal_difference(double rate, double t) const {
        const double s = t / relaxation_time;
        return 2 * polymer_viscosity * relaxation_time * rate * rate * (1 - std::exp(-s) * (1 + s));
    }
    /// Stress after steady shear has stopped; the solvent's stress vanishes at once.
    double cessation_stress(double rate, double t) const {
        return polymer_viscosity * rate * std::exp(-t / relaxation_time);
    }

    /// Stress of the springs after a sudden shear.
    double step_strain_stress(double strain, double t) const {
        return modulus() * strain * std::exp(-t / relaxation_time);
    }

    /// Complex viscosity of small oscillations exp(iωt).
    std::complex<double> complex_viscosity(double omega) const {
        return solvent_viscosity + polymer_viscosity / std::complex<double>(1, omega * relaxation_time);
    }
    double storage_modulus(double omega) const { return -omega * complex_viscosity(omega).imag(); }
    double loss_modulus(double omega) const { return omega * complex_viscosity(omega).real(); }

    /// Extensional viscosity of uniaxial extension (3D) that starts at t = 0, (σ_zz - σ_rr)/rate.
    double uniaxial_viscosity(double rate, double t) const {
        const double stretch = rate * relaxation_time;
        const double c_zz = grown(2 * stretch, t), c_rr = grown(-stretch, t);
        return 3 * solvent_viscosity + modulus() * (c_zz - c_rr) / rate;
    }
    /// The same for planar extension (2D), (σ_xx - σ_yy)/rate.
    double planar_viscosity(double rate, double t) const {
        const double stretch = rate * relaxation_time;
        return 4 * solvent_viscosity + modulus() * (grown(2 * stretch, t) - grown(-2 * stretch, t)) / rate;
    }

    /// Elasticity number of a channel of this half width.
    double elasticity(double half_width) const {
        return relaxation_time * viscosity() / (density * half_width * half_width);
    }
    /// Mean velocity of steady flow between plates under this acceleration along them.
    double mean_velocity(double half_width, double acceleration) const {
        return density * acceleration * half_width * half_width / (3 * viscosity());
    }
    /// Start-up of this flow (Waters and King 1970): velocity at y = -1 … 1 of the half width, in units of the mean
    /// velocity of the steady flow, at t = T λ. Each mode cos(n y/2) of the velocity and its stress are a damped
    /// oscillator.
    double channel_velocity(double half_width, double y, double t) const {
        const double share = solvent_viscosity / viscosity(), number = elasticity(half_width), s = t / relaxation_time;
        double u = 1.5 * (1 - y * y);
        for (int k = 1; k <= 200; ++k) {
            const double n = (2 * k - 1) * std::numbers::pi;
            const double damping = 1 + share * number * n * n / 4;
            const double drive = 1 - (2 - share) * number * n * n / 4;
            const std::complex<double> root = std::sqrt(std::complex<double>(damping * damping - number * n * n, 0));
            // exp(-damping s/2) [cosh(root s/2) + drive/root sinh(root s/2)], without overflow
            const auto rising = std::exp((root - damping) * (s / 2)), falling = std::exp((-root - damping) * (s / 2));
            const auto mode = 0.5 * (rising + falling) + 0.5 * drive * (rising - falling) / root;
            u -= 48 * std::sin((1 + y) * n / 2) / (n * n * n) * mode.real();
        }
        return u;
    }

private:
    /// dc/ds = w c - (c - 1) from c = 1, at s = t/λ.
    double grown(double w, double t) const { return (1 - w * std::exp(-(1 - w) * t / relaxation_time)) / (1 - w); }
};

}  // namespace treacle::test
