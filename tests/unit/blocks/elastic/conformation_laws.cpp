#include "blocks/elastic/conformation_laws.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace treacle {
namespace {

/// Mean stress over G in the steps of a steady simple shear, after it has become steady.
template <class Real>
SymMat<double> sheared(double rate, double dt, const ConformationMemory<Real>& memory, int steps) {
    auto q = SymMat<Real>::identity();
    SymMat<double> stress;
    for (int n = 0; n < steps; ++n) {
        Mat3<Real> f = Mat3<Real>::identity();
        f.x.y = static_cast<Real>(rate * dt);
        const SymMat<Real> moved = symmetric_part(f * Mat3<Real>::from(q) * f.transposed());
        const Forgotten<Real> left = forget<3>(moved, memory);
        const auto x = moved - SymMat<Real>::identity();
        const double share = static_cast<double>(left.share);
        stress = {share * static_cast<double>(x.xx),
                  share * static_cast<double>(x.xy),
                  0,
                  share * static_cast<double>(x.yy),
                  0,
                  0};
        q = left.conformation;
    }
    return stress;
}

template <class Real>
ConformationMemory<Real> memory_of(double dt, double tau, double yield_strain, double mobility) {
    const double s = dt / tau;
    return {static_cast<Real>(std::exp(-s)), static_cast<Real>((1 - std::exp(-s)) / s), static_cast<Real>(yield_strain),
            static_cast<Real>(mobility)};
}

template <class Real>
class ConformationLaws : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(ConformationLaws, Reals);

TYPED_TEST(ConformationLaws, PlainRelaxationHasTheViscosityOfMaxwell) {
    for (const double s : {0.02, 0.2, 2.0}) {  // exact for any step
        EXPECT_NEAR(sheared<TypeParam>(3, s, memory_of<TypeParam>(s, 1, 0, 0), 2000).xy / 3, 1, 1e-3) << s;
    }
}

/// Viscosity of a Giesekus fluid in steady shear, over that at rest; w is τ times the rate.
double giesekus(double mobility, double w) {
    const double a = 16 * mobility * (1 - mobility) * w * w;
    const double chi = std::sqrt((std::sqrt(1 + a) - 1) / (a / 2));
    const double f = (1 - chi) / (1 + (1 - 2 * mobility) * chi);
    return (1 - f) * (1 - f) / (1 + (1 - 2 * mobility) * f);
}

TYPED_TEST(ConformationLaws, MobilityThinsAsGiesekusSays) {
    for (const double mobility : {0.05, 0.2, 0.5}) {
        for (const double w : {0.1, 1.0, 3.0, 10.0}) {
            const double dt = 0.1 / (1 + w);
            const double ratio =
                sheared<TypeParam>(w, dt, memory_of<TypeParam>(dt, 1, 0, mobility), static_cast<int>(30 / dt)).xy / w;
            EXPECT_NEAR(ratio / giesekus(mobility, w), 1, 0.02) << mobility << " " << w;
        }
    }
}

/// Steady shear of Saramito's model: T = G τ' rate with τ' = τ/(1 - y/|X|), a Maxwell fluid of its own.
double saramito(double yield_strain, double w) {
    double low = 1, high = 1 + 2 * yield_strain / w;  // of τ'/τ
    for (int n = 0; n < 100; ++n) {
        const double longer = (low + high) / 2, shear = longer * w, normal = 2 * shear * shear;
        const double size = std::sqrt(shear * shear + normal * normal / 3);
        (longer * (1 - yield_strain / size) < 1 ? low : high) = longer;
    }
    return low * w;
}

TYPED_TEST(ConformationLaws, WhatYieldsFlowsWithItsYieldStressAndItsViscosity) {
    for (const double w : {0.05, 0.3, 1.0}) {
        const double dt = 0.02;
        const double stress = sheared<TypeParam>(w, dt, memory_of<TypeParam>(dt, 1, 0.2, 0), 20000).xy;
        EXPECT_NEAR(stress / saramito(0.2, w), 1, 0.02) << w;
    }
    // A slow flow of small strain: Bingham's yield stress + viscosity · rate.
    EXPECT_NEAR(sheared<TypeParam>(0.001, 0.5, memory_of<TypeParam>(0.5, 1, 0.02, 0), 2000).xy / 0.021, 1, 0.02);
}

TYPED_TEST(ConformationLaws, BelowItsYieldStressItForgetsNothing) {
    using Real = TypeParam;
    const SymMat<Real> q{Real(1.08), Real(0.05), 0, Real(0.95), 0, 1};
    const auto memory = memory_of<Real>(1, 1e-3, 0.1, 0);
    const Forgotten<Real> left = forget<3>(q, memory);
    EXPECT_EQ(left.conformation.xx, q.xx);
    EXPECT_EQ(left.conformation.xy, q.xy);
    EXPECT_EQ(left.share, Real(1));
    // Above the yield stress, the result lies on the yield surface, however long the step.
    const SymMat<Real> more = SymMat<Real>::identity() + Real(3) * (q - SymMat<Real>::identity());
    EXPECT_NEAR(static_cast<double>(shear_of<3>(forget<3>(more, memory).conformation - SymMat<Real>::identity())), 0.1,
                1e-6);
}

TYPED_TEST(ConformationLaws, ConformationStaysPositiveDefinite) {
    using Real = TypeParam;
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    for (int n = 0; n < 20000; ++n) {
        Mat3<Real> f;
        for (auto* row : {&f.x, &f.y, &f.z}) *row = {Real(normal(random)), Real(normal(random)), Real(normal(random))};
        const double s = std::exp(2 * normal(random));
        const auto memory = memory_of<Real>(s, 1, n % 3 == 0 ? 0.3 : 0, 0.5 * (n % 2));
        const SymMat<Real> q = forget<3>(symmetric_part(f * f.transposed()), memory).conformation;
        const Real tiny = -Real(1e-5) * q.trace();
        EXPECT_GT(q.xx, tiny);
        EXPECT_GT(q.xx * q.yy - q.xy * q.xy, tiny * q.trace());
        EXPECT_GT(dot(Vec3<Real>{q.xx, q.xy, q.xz}, cross(Vec3<Real>{q.xy, q.yy, q.yz}, Vec3<Real>{q.xz, q.yz, q.zz})),
                  tiny * q.trace() * q.trace());
    }
}

/// A FENE-P fluid that is stretched at a constant rate, in steps like those of mukai2021: first it relaxes, then it is
/// deformed.
double stretched(double rate, double longest, double dt, double time) {
    SymMat<double> q = SymMat<double>::identity();
    double stress = 0;
    for (int n = 0; n < static_cast<int>(time / dt + 0.5); ++n) {
        const Fene<double> fene = forget_fene<3>(q, longest, 1.0, dt);
        const double along = 1 + fene.strain_time * rate, across = 1 - fene.strain_time * rate / 2;
        q = {along * along * fene.conformation.xx,   0, 0,
             across * across * fene.conformation.yy, 0, across * across * fene.conformation.zz};
        EXPECT_LT(q.trace(), 1.02 * longest);
        stress = fene.spring * (q.xx - q.yy);
    }
    return stress;
}

/// Steady: dQ/dt = 0 gives Q_xx = 1/(f - 2 rate), Q_yy = 1/(f + rate) with f = (L² - 3)/(L² - tr Q); solved by
/// bisection of f.
double steady_stretch(double rate, double longest) {
    double low = 2 * rate + 1e-9, high = 1e4;
    for (int n = 0; n < 200; ++n) {
        const double f = 0.5 * (low + high), trace = 1 / (f - 2 * rate) + 2 / (f + rate);
        ((longest - 3) / (longest - trace) > f || trace > longest ? low : high) = f;
    }
    return low * (1 / (low - 2 * rate) - 1 / (low + rate));
}

TEST(FeneLaw, StretchesNoFartherThanItsLongestAndPullsAsHardAsItShould) {
    for (const double rate : {0.3, 1.0, 3.0}) {
        const double exact = steady_stretch(rate, 60);
        for (const double dt : {0.01, 0.001}) {  // of first order
            EXPECT_NEAR(stretched(rate, 60, dt, 20) / exact, 1, 4 * rate * dt) << rate << " " << dt;
        }
    }
}

TEST(FeneLaw, WithoutAnEndIsOldroydB) {
    const SymMat<double> q{3, 0.5, 0, 1, 0, 0.7};
    const Fene<double> fene = forget_fene<3>(q, 1e9, 0.5, 0.1);
    const double kept = std::exp(-0.2);
    EXPECT_NEAR(fene.spring, 1, 1e-8);
    EXPECT_NEAR(fene.conformation.xx, 1 + kept * 2, 1e-7);
    EXPECT_NEAR(fene.strain_time, 0.5 * (1 - kept), 1e-7);
}

}  // namespace
}  // namespace treacle
