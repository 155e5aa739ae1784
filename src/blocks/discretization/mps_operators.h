#pragma once

#include <span>
#include <vector>

#include "blocks/discretization/mps_cloud.h"
#include "math/mat3.h"

namespace treacle {

/// The differential operators of MPS on the rows of a cloud (numbers of equations are those of Mukai et al. 2021):
///
///   <∇P>_i = d/n0 Σ_j (P_j - P̂_i) r_ij w_ij/r²                        (12), Koshizuka & Oka 1996
///   <∇P>_i = M_i⁻¹ 1/n0 Σ_j (P_j - P̂_i) r_ij w_ij/r²                  (13), Iribe & Nakaza 2011
///   M_i = 1/n0 Σ_j r̂_ij r̂_ijᵀ w_ij
///   <∇·u>_i, <∇u>_i   the same sums with u_j - u_i
///   <∇²f>_i = 2d/(n0 λ) Σ_j (f_j - f_i) w_ij
///   <∇·τ>_i = d/n0 Σ_j (τ_i + τ_j) r_ij w_ij/r²,    τ_j = τ_i for walls
///
/// With P̂_i = P_i and M_i gradients of linear fields are exact wherever the particles are. On the full lattice M_i⁻¹ =
/// d I and (13) is (12). (The paper says it is the unit matrix there.) Gradients, divergence and M_i take particles
/// that carry a pressure, so that one matrix serves all; the second layer of a wall would add a weight of 0.05.
///
/// The stress divergence has (τ_i + τ_j) and not (τ_j - τ_i), so that pair forces are opposite: it conserves momentum,
/// and a free surface is free of traction.
///
/// Where M_i is close to singular (det M_i below 0.108 of that of the lattice, which is 0.004 in 3D; fewer than three
/// neighbors that span the space) d I takes its place; how often is counted.
template <class S>
class MpsOperators {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    /// `corrected` = (13), else (12). The cloud has to stay while the operators are used.
    void update(const MpsCloud<S>& cloud, bool corrected, const Parallel& parallel);

    const MpsCloud<S>& cloud() const { return *cloud_; }
    /// M_i⁻¹, or d I.
    const SymMat<Real>& correction(std::size_t i) const { return correction_[i]; }
    /// Fluid particles whose matrix was close to singular.
    std::size_t fallbacks() const { return fallbacks_; }

    /// Σ_j (f_j - reference) r_ij w_ij/r² /n0, times M_i⁻¹. With reference f_i it is exact for linear f.
    Vec gradient(std::size_t i, std::span<const Real> f, Real reference) const {
        Vec sum{};
        for (const MpsPair<S>& pair : cloud_->carriers(i)) sum += ((f[pair.j] - reference) * slope(pair)) * pair.r;
        return correction_[i] * sum;
    }
    Vec gradient(std::size_t i, std::span<const Real> f) const { return gradient(i, f, f[i]); }

    Real divergence(std::size_t i, std::span<const Row> u) const { return velocity_gradient(i, u).trace(); }

    /// L_ab = ∂u_a/∂x_b
    Mat3<Real> velocity_gradient(std::size_t i, std::span<const Row> u) const {
        Mat3<Real> sum{};
        const Vec u_i = u[i].xyz();
        for (const MpsPair<S>& pair : cloud_->carriers(i))
            sum = sum + Mat3<Real>::outer(slope(pair) * (u[pair.j].xyz() - u_i), pair.r);
        return sum * Mat3<Real>::from(correction_[i]);
    }

    /// Of anything that particles which carry a pressure have.
    Real laplacian(std::size_t i, std::span<const Real> f) const {
        Real sum = 0;
        for (const MpsPair<S>& pair : cloud_->carriers(i)) sum += pair.weight * (f[pair.j] - f[i]);
        return laplacian_factor() * sum;
    }
    /// 2d/(n0 λ), 1/m²
    Real laplacian_factor() const {
        return static_cast<Real>(2 * S::dim / (cloud_->weight().lattice_sum() * cloud_->weight().mean_square()));
    }

    /// `stress` is of the fluid.
    Vec stress_divergence(std::size_t i, std::span<const SymMat<Real>> stress) const {
        Vec sum{};
        for (const MpsPair<S>& pair : cloud_->row(i)) {
            const SymMat<Real>& other = stress[cloud_->is_fluid(pair.j) ? pair.j : i];
            sum += slope(pair) * ((stress[i] + other) * pair.r);
        }
        return static_cast<Real>(S::dim) * sum;
    }

    /// w/(r² n0), the factor of r_ij in sums of first order.
    Real slope(const MpsPair<S>& pair) const { return inverse_full_ * pair.weight * pair.inverse_square; }

private:
    const MpsCloud<S>* cloud_ = nullptr;
    Real inverse_full_ = 0;  ///< 1/n0
    std::vector<SymMat<Real>> correction_;
    std::size_t fallbacks_ = 0;
};

}  // namespace treacle
