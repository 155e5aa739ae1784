#include "blocks/elastic/constitutive_law.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/particle_cloud.h"
#include "support/spaces.h"

namespace treacle {
namespace {

constexpr double spacing = 0.01;

/// One particle per material, all in the same flow.
template <class S>
struct Sample : ParticleCloud<S> {
    explicit Sample(std::vector<typename ConstitutiveLaw<S>::Material> materials) {
        this->dt = 0.02;
        for (std::size_t m = 0; m < materials.size(); ++m) {
            this->add({static_cast<double>(m) * spacing, 0, 0}, {}, spacing);
            this->material[m] = static_cast<std::uint8_t>(m);
        }
        law.materials = std::move(materials);
        conformation.assign(this->size(), SymMat<double>::identity());
    }
    StressTerms<S> relax() { return law.relax(this->view(), this->context(parallel), conformation); }
    void step(const Mat3<double>& gradient) {
        relax();
        const std::vector<Mat3<double>> all(this->size(), gradient);
        law.deform(this->view(), this->context(parallel), all, conformation);
    }

    Parallel parallel{1};
    ConstitutiveLaw<S> law;
    std::vector<SymMat<double>> conformation;
};

template <class S>
class ConstitutiveLawTest : public testing::Test {};
TYPED_TEST_SUITE(ConstitutiveLawTest, test::DoubleSpaces);

Mat3<double> shear(double rate) { return {{0, rate, 0}, {0, 0, 0}, {0, 0, 0}}; }

/// c of a steady shear is that of Oldroyd-B: λ γ̇ and 1 + 2 (λ γ̇)².
TYPED_TEST(ConstitutiveLawTest, SteadyShearHasTheViscosityOfThePolymerHoweverLongTheStepIs) {
    for (const double dt : {0.001, 0.1, 1.0}) {
        Sample<TypeParam> sample({{.modulus = 100, .relaxation_time = 0.2}});
        sample.dt = dt;
        for (int n = 0; n < static_cast<int>(10 / dt); ++n) sample.step(shear(3));
        EXPECT_NEAR(sample.conformation[0].xy, 0.6, 1e-9) << dt;
        if (dt < 0.01) { EXPECT_NEAR(sample.conformation[0].xx, 1 + 2 * 0.36, 0.01); }
        EXPECT_NEAR(sample.conformation[0].yy, 1, 1e-12);
    }
}

TYPED_TEST(ConstitutiveLawTest, ConformationsRelaxExactlyAndSolidsNever) {
    Sample<TypeParam> sample({{.modulus = 100, .relaxation_time = 0.2}, {.modulus = 100}});
    for (auto& c : sample.conformation) c.xy = 0.3;
    const StressTerms<TypeParam> terms = sample.relax();
    EXPECT_NEAR(sample.conformation[0].xy, 0.3 * std::exp(-0.1), 1e-12);
    EXPECT_NEAR(terms.strain_time[0], 0.2 * (1 - std::exp(-0.1)), 1e-12);
    EXPECT_EQ(sample.conformation[1].xy, 0.3);
    EXPECT_EQ(terms.strain_time[1], sample.dt);
    EXPECT_FALSE(sample.law.materials[0].solid());
    EXPECT_TRUE(sample.law.materials[1].solid());
}

TYPED_TEST(ConstitutiveLawTest, TermsAreThereOnlyIfAMaterialHasThem) {
    const typename ConstitutiveLaw<TypeParam>::Material water{.viscosity = 3};
    Sample<TypeParam> plain(std::vector{water});
    const auto newtonian = plain.relax();
    EXPECT_TRUE(newtonian.complete(1));
    EXPECT_FALSE(newtonian.elastic());
    EXPECT_TRUE(newtonian.stress.empty());

    Sample<TypeParam> mixed({{.viscosity = 3}, {.viscosity = 3, .modulus = 100, .relaxation_time = 0.2}});
    const auto terms = mixed.relax();
    EXPECT_TRUE(terms.complete(2));
    EXPECT_TRUE(terms.elastic());
    EXPECT_TRUE(terms.stress.empty());
    EXPECT_EQ(terms.modulus[0], 0);
    EXPECT_EQ(terms.modulus[1], 100);
    EXPECT_EQ(terms.viscosity[0], 3);
    // The smooth part brings the viscosity of dashpots up to η + G λ.
    EXPECT_NEAR(terms.smooth[1], 20, 1e-12);
    EXPECT_NEAR(terms.viscosity[1], 23, 1e-12);
    mixed.law.smooth_viscosity = 0;
    EXPECT_TRUE(mixed.relax().smooth.empty());
}

/// A Newtonian fluid beside an elastic one keeps its conformation at rest.
TYPED_TEST(ConstitutiveLawTest, OnlyElasticMaterialsAreStrained) {
    Sample<TypeParam> sample({{.viscosity = 3}, {.modulus = 100, .relaxation_time = 0.2}});
    sample.step(shear(1));
    EXPECT_EQ(sample.conformation[0].xy, 0);
    EXPECT_GT(sample.conformation[1].xy, 0);
}

/// G f (c - 1) and the isotropic rest are G (f c - 1) together.
TYPED_TEST(ConstitutiveLawTest, FeneSpringsStiffenTowardsTheirGreatestLength) {
    const double longest = 20, d = TypeParam::dim;
    Sample<TypeParam> sample(
        {{.modulus = 100, .relaxation_time = 1e9, .law = RelaxationLaw::fene_p, .extensibility = longest}});
    sample.conformation[0].xx = 11;
    const auto terms = sample.relax();
    const double f = (longest - d) / (longest - (10 + d));
    EXPECT_NEAR(terms.modulus[0], 100 * f, 1e-6);
    EXPECT_NEAR(terms.stress[0].xx, 100 * (f - 1), 1e-6);
    EXPECT_EQ(terms.stress[0].xy, 0);
    const double xx = terms.modulus[0] * (terms.conformation[0].xx - 1) + terms.stress[0].xx;
    EXPECT_NEAR(xx, 100 * (f * 11 - 1), 1e-4);
}

/// Giesekus: strained material forgets faster than Oldroyd-B, material at rest alike.
TYPED_TEST(ConstitutiveLawTest, MobilityThinsOnlyGiesekus) {
    Sample<TypeParam> sample(
        {{.modulus = 100, .relaxation_time = 0.2, .mobility = 0.4},
         {.modulus = 100, .relaxation_time = 0.2, .law = RelaxationLaw::giesekus, .mobility = 0.4}});
    for (auto& c : sample.conformation) c.xx = 5;
    sample.relax();
    EXPECT_NEAR(sample.conformation[0].xx, 1 + 4 * std::exp(-0.1), 1e-12);
    EXPECT_LT(sample.conformation[1].xx, sample.conformation[0].xx - 0.1);
}

TYPED_TEST(ConstitutiveLawTest, MaterialsWithAYieldStressAreElasticBelowIt) {
    Sample<TypeParam> sample({{.modulus = 100, .relaxation_time = 0.2, .yield_strain = 0.5}});
    sample.conformation[0].xy = 0.4;
    sample.relax();
    EXPECT_EQ(sample.conformation[0].xy, 0.4);
    sample.conformation[0].xy = 2;
    sample.relax();
    EXPECT_NEAR(sample.conformation[0].xy, 0.5 + 1.5 * std::exp(-0.1), 1e-12);
}

/// A solver that takes stress as it is gets G (c - 1), and G t as viscosity, without a smooth part.
TYPED_TEST(ConstitutiveLawTest, ExplicitStressIsThatOfTheConformation) {
    Sample<TypeParam> sample({{.viscosity = 3, .modulus = 100, .relaxation_time = 0.2}});
    sample.law.explicit_stress = true;
    sample.conformation[0].xy = 0.3;
    const auto terms = sample.relax();
    EXPECT_FALSE(terms.elastic());
    EXPECT_TRUE(terms.smooth.empty());
    EXPECT_NEAR(terms.stress[0].xy, 100 * sample.conformation[0].xy, 1e-12);
    EXPECT_NEAR(terms.viscosity[0], 3 + 100 * 0.2 * (1 - std::exp(-0.1)), 1e-12);
}

}  // namespace
}  // namespace treacle
