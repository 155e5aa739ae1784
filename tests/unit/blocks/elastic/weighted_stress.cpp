#include "blocks/elastic/weighted_stress.h"

#include <gtest/gtest.h>

#include "support/particle_cloud.h"
#include "support/spaces.h"

namespace treacle {
namespace {

template <class S>
struct Sample : ParticleCloud<S> {
    Sample() {
        this->dt = 0.01;
        this->add({}, {}, 0.01);
        stress.materials = {{.viscosity = 28,
                             .modulus = 350,
                             .elastic_coefficient = 0.05,
                             .viscous_weight = 0.97,
                             .viscous_weight_after_rupture = 0.95}};
        distortion.resize(1);
    }
    void deform(const Mat3<double>& gradient) {
        const std::vector<Mat3<double>> all(1, gradient);
        stress.deform(this->view(), this->context(parallel), all, distortion);
    }

    Parallel parallel{1};
    WeightedStress<S> stress;
    std::vector<SymMat<double>> distortion;
};

template <class S>
class WeightedStressTest : public testing::Test {};
TYPED_TEST_SUITE(WeightedStressTest, test::DoubleSpaces);

/// Eq. 9 with the numbers of the paper's section 6.
TYPED_TEST(WeightedStressTest, WeightsGoByTheDensityOfTheWaistAndByRupture) {
    const auto material = Sample<TypeParam>().stress.materials[0];
    const auto weights = [&](double density, const Rupture& rupture) {
        return WeightedStress<TypeParam>::weights(material, Waist{.density = density}, rupture);
    };
    EXPECT_NEAR(weights(0.4, {}).elastic, 0.03, 1e-15);
    EXPECT_EQ(weights(0, {}).elastic, 0.05);
    EXPECT_EQ(weights(1.1, {}).elastic, 0);
    EXPECT_EQ(weights(0.4, {}).viscous, 0.97);
    EXPECT_EQ(weights(0.4, {.sides_met = 1}).viscous, 0.95);
    EXPECT_EQ(weights(0.4, {.parted = 1}).viscous, 0.95);
}

TYPED_TEST(WeightedStressTest, ComplementaryWeightsAddUpToOne) {
    auto material = Sample<TypeParam>().stress.materials[0];
    material.complementary = true;
    const auto weights = WeightedStress<TypeParam>::weights(material, Waist{.density = 0.4}, {.parted = 1});
    EXPECT_NEAR(weights.elastic + weights.viscous, 1, 1e-15);
}

/// Eqs. 3, 4 and 8: α 2 η0 D + β 2 μ ε at the end of the step.
TYPED_TEST(WeightedStressTest, StressIsTheWeightedSumAtTheEndOfTheStep) {
    Sample<TypeParam> sample;
    sample.distortion[0] = {0.1, 0.02, 0, -0.1, 0, 0};
    sample.stress.set_weights(Waist{.density = 0.4}, {});
    const auto terms = sample.stress.stress(sample.view(), sample.context(sample.parallel), sample.distortion);
    EXPECT_TRUE(terms.complete(1));
    EXPECT_FALSE(terms.elastic());
    EXPECT_NEAR(terms.viscosity[0], 0.97 * 28 + 0.03 * 350 * 0.01, 1e-12);
    EXPECT_NEAR(terms.stress[0].xx, 2 * 0.03 * 350 * 0.1, 1e-12);
    EXPECT_NEAR(terms.stress[0].xy, 2 * 0.03 * 350 * 0.02, 1e-12);
}

TYPED_TEST(WeightedStressTest, DistortionAddsUpStrainWithoutItsIsotropicPart) {
    Sample<TypeParam> sample;
    const bool flat = TypeParam::dim == 2;
    for (int n = 0; n < 10; ++n) sample.deform({{2, 0, 0}, {0, 1, 0}, {0, 0, flat ? 0.0 : 3.0}});
    const SymMat<double>& e = sample.distortion[0];
    EXPECT_NEAR(e.trace(), 0, 1e-15);
    EXPECT_NEAR(e.xx, flat ? 0.05 : 0, 1e-12);
    EXPECT_NEAR(e.yy, flat ? -0.05 : -0.1, 1e-12);
    EXPECT_NEAR(e.zz, flat ? 0 : 0.1, 1e-12);
}

/// A quarter of a turn takes what is along x along y.
TYPED_TEST(WeightedStressTest, DistortionTurnsWithTheFluid) {
    Sample<TypeParam> sample;
    sample.distortion[0] = {0.1, 0, 0, -0.1, 0, 0};
    const int steps = 2000;
    const double rate = std::acos(0.0) / (steps * sample.dt);
    for (int n = 0; n < steps; ++n) sample.deform({{0, -rate, 0}, {rate, 0, 0}, {0, 0, 0}});
    EXPECT_NEAR(sample.distortion[0].xx, -0.1, 1e-3);
    EXPECT_NEAR(sample.distortion[0].yy, 0.1, 1e-3);
    EXPECT_NEAR(sample.distortion[0].xy, 0, 1e-3);
}

}  // namespace
}  // namespace treacle
