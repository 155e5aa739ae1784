#include "blocks/elastic/constitutive_response.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/particle_cloud.h"
#include "support/spaces.h"

namespace treacle {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// One particle of a material, or of several.
template <class S>
struct Sample : ParticleCloud<S> {
    using typename ParticleCloud<S>::Real;

    explicit Sample(std::vector<ElasticResponse> materials) {
        this->dt = 0.01;
        response.materials = std::move(materials);
        for (std::size_t n = 0; n < response.materials.size(); ++n) {
            this->add({}, {}, 1);
            this->material.back() = static_cast<std::uint8_t>(n);
        }
        share.assign(this->size(), 1), compliance_before.assign(this->size(), 0);
        conformation.assign(this->size(), SymMat<Real>::identity());
    }
    void update() {
        response.update(this->view(), this->context(parallel), properties, share, conformation, compliance_before);
    }
    double compliance(std::size_t i = 0) const { return static_cast<double>(response.compliance()[i]); }

    Parallel parallel{1};
    ConstitutiveResponse<S> response;
    typename ConstitutiveResponse<S>::ParticleProperties properties;
    std::vector<Real> share, compliance_before;
    std::vector<SymMat<Real>> conformation;
};

template <class S>
class Response : public testing::Test {};
TYPED_TEST_SUITE(Response, test::ConstraintSpaces);

TYPED_TEST(Response, StressThatRelaxesWithinTheStepDoesNotAct) {
    Sample<TypeParam> sample({ElasticResponse::of(1000, 0.02, 0, 0), ElasticResponse::of(1000, never, 0, 0)});
    sample.update();
    const double s = 0.01 / 0.02, share = (1 - std::exp(-s)) / s;
    EXPECT_NEAR(sample.compliance(0), 1e-3 / share, 1e-9);
    EXPECT_NEAR(sample.compliance(1), 1e-3, 1e-9);
    EXPECT_NEAR(static_cast<double>(sample.response.memory()[0].kept), std::exp(-s), 1e-6);
    EXPECT_EQ(sample.response.memory()[1].kept, 1);
    EXPECT_TRUE(sample.response.elastic());
}

TYPED_TEST(Response, AsInThePaperItActs) {
    Sample<TypeParam> sample({ElasticResponse::of(1000, 0.02, 0, 0)});
    sample.response.materials[0].as_in_paper = true;
    sample.update();
    EXPECT_NEAR(sample.compliance(), 1e-3, 1e-9);
    EXPECT_NEAR(static_cast<double>(sample.response.memory()[0].kept), std::exp(-0.5), 1e-6);
}

TYPED_TEST(Response, WhatRelaxesByStrainHasTheShareOfTheLastStep) {
    Sample<TypeParam> sample({ElasticResponse::of(1000, 0.02, 30, 0), ElasticResponse::of(1000, 0.02, 0, 0.3)});
    sample.share.assign(2, 0.5);
    sample.update();
    EXPECT_NEAR(sample.compliance(0), 2e-3, 1e-9);
    EXPECT_NEAR(sample.compliance(1), 2e-3, 1e-9);
    EXPECT_NEAR(static_cast<double>(sample.response.memory()[0].yield_strain), 0.03, 1e-8);
}

TYPED_TEST(Response, OfALiquidIsNone) {
    Sample<TypeParam> sample({ElasticResponse::of(0, never, 0, 0)});
    sample.update();
    EXPECT_LT(sample.compliance(), 0);
    EXPECT_FALSE(sample.response.elastic());
}

TYPED_TEST(Response, AMaterialThatStiffensKeepsItsStress) {
    using Real = typename TypeParam::Real;
    Sample<TypeParam> sample({ElasticResponse::of(1000, never, 0, 0)});
    sample.update();
    const SymMat<Real> strained{Real(1.4), Real(0.2), 0, Real(0.9), 0, 1};
    sample.conformation[0] = strained;
    sample.update();
    EXPECT_EQ(sample.conformation[0].xy, strained.xy);  // nothing has changed
    sample.response.materials[0] = ElasticResponse::of(4000, never, 0, 0);
    sample.update();
    EXPECT_NEAR(static_cast<double>(sample.conformation[0].xy), 0.05, 1e-7);
    EXPECT_NEAR(static_cast<double>(sample.conformation[0].xx), 1.1, 1e-6);
    EXPECT_NEAR(static_cast<double>(sample.conformation[0].yy), 0.975, 1e-6);
    sample.response.materials[0] = ElasticResponse::of(1000, never, 0, 0);  // softer: strain stays
    sample.update();
    EXPECT_NEAR(static_cast<double>(sample.conformation[0].xy), 0.05, 1e-7);
}

TYPED_TEST(Response, ALiquidThatSetsBeginsWithoutStrain) {
    using Real = typename TypeParam::Real;
    Sample<TypeParam> sample({ElasticResponse::of(0, never, 0, 0)});
    sample.update();
    sample.conformation[0] = {Real(1.4), Real(0.2), 0, Real(0.9), 0, 1};
    sample.response.materials[0] = ElasticResponse::of(1000, never, 0, 0);
    sample.update();
    EXPECT_EQ(sample.conformation[0].xx, 1);
    EXPECT_EQ(sample.conformation[0].xy, 0);
    EXPECT_EQ(sample.conformation[0].yy, 1);
}

TYPED_TEST(Response, PropertiesOfParticlesStandInPlaceOfThoseOfMaterials) {
    Sample<TypeParam> sample({ElasticResponse::of(1000, never, 0, 0), ElasticResponse::of(1000, never, 0, 0)});
    sample.response.materials[0].most_strain = 0.7;
    sample.response.materials[1].as_in_paper = true;
    sample.properties.resize(2);
    sample.properties.shear_modulus = {2000, 2000};
    sample.properties.relaxation_time = {0.02, 0.02};
    sample.properties.yield_stress = {0, 0};
    sample.update();
    const double s = 0.5, share = (1 - std::exp(-s)) / s;
    EXPECT_NEAR(sample.compliance(0), 5e-4 / share, 1e-9);
    EXPECT_NEAR(static_cast<double>(sample.response.memory()[0].kept), std::exp(-s), 1e-6);
    EXPECT_NEAR(static_cast<double>(sample.response.memory()[0].most_strain), 0.7, 1e-6);
    EXPECT_NEAR(sample.compliance(1), 1e-3, 1e-9);  // the paper's coefficients do not vary
}

}  // namespace
}  // namespace treacle
