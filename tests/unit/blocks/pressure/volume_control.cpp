#include "blocks/pressure/volume_control.h"

#include "support/mps_fluid.h"

namespace treacle {
namespace {

using namespace test;

template <class S>
class VolumeControlTest : public testing::Test {};
TYPED_TEST_SUITE(VolumeControlTest, DoubleSpaces);

/// A block of fluid with its middle at (4.5, 4.5, 4.5) spacings, and one particle far away from it.
template <class S>
struct Controlled {
    /// Lengths of the block are `scale` times those at rest.
    explicit Controlled(double scale = 1) {
        fluid.add_block(9, 9, 9);
        for (auto& x : fluid.position) x = scale * x.xyz();
        middle = fluid.nearest({4.5, 4.5, S::dim == 3 ? 4.5 : 0});
        on_top = fluid.nearest({4.5, 8.5, S::dim == 3 ? 4.5 : 0});
        alone = fluid.size();
        fluid.add({1, 1, 0}, {}, l0);
        fluid.dt = 0.001;
        viscosity.assign(fluid.size(), 5);
        volume_ratio.assign(fluid.size(), 1);
    }
    void update(const StressTerms<S>& terms) {
        const MpsGeometry<S> geometry = fluid.measured();
        control.emplace(settings);
        control->update(fluid.view(), fluid.context(), geometry, terms, volume_ratio);
    }
    void update() {
        StressTerms<S> terms;
        terms.viscosity = viscosity;
        update(terms);
    }
    double divergence(std::size_t i) const { return control->divergence()[i]; }

    MpsFluid<S> fluid;
    typename VolumeControl<S>::Settings settings{
        .spacing = l0, .resistance = 10, .density_rate = 10, .slowest_wave = 1000, .rest_density = {rest_density}};
    std::optional<VolumeControl<S>> control;
    std::vector<double> viscosity, volume_ratio;
    std::size_t middle = 0, on_top = 0, alone = 0;
};

TYPED_TEST(VolumeControlTest, ResistanceIsAMultipleOfViscosityElasticityAndInertia) {
    Controlled<TypeParam> run;
    run.update();
    const double inertia = rest_density * l0 * l0 / run.fluid.dt;
    EXPECT_NEAR(run.control->resistance()[run.middle], 10 * (5 + inertia), 1e-9);

    StressTerms<TypeParam> terms;
    const std::vector<double> modulus(run.fluid.size(), 300), time(run.fluid.size(), 0.01);
    const std::vector<SymMat<double>> conformation(run.fluid.size(), SymMat<double>::identity());
    terms.viscosity = run.viscosity;
    terms.modulus = modulus, terms.strain_time = time, terms.conformation = conformation;
    run.update(terms);
    EXPECT_NEAR(run.control->resistance()[run.middle], 10 * (5 + 3 + inertia), 1e-9);

    run.settings.weight = 1e6;  // deep fluid must not sink into itself
    run.update();
    EXPECT_NEAR(run.control->resistance()[run.middle], 100 * 1e6 * run.fluid.dt, 1e-6);
}

TYPED_TEST(VolumeControlTest, FluidThatIsTooDenseExpandsAndALatticeStays) {
    Controlled<TypeParam> lattice, dense(0.995), thin(1.005);
    for (auto* run : {&lattice, &dense, &thin}) run->update();
    EXPECT_NEAR(lattice.divergence(lattice.middle), 0, 1e-9);
    const double change = 1 - std::pow(0.995, TypeParam::dim);
    EXPECT_NEAR(dense.divergence(dense.middle), 10 * change, 2 * change);
    EXPECT_NEAR(thin.divergence(thin.middle), -10 * change, 2 * change);
}

TYPED_TEST(VolumeControlTest, CorrectionsAreSlowerThanTheStepAndTheFluidsSlowestSwing) {
    Controlled<TypeParam> run(0.9);
    run.settings.density_rate = 1e6;
    run.settings.slowest_wave = 1e6;
    run.update();
    EXPECT_NEAR(run.divergence(run.middle), 0.01 / run.fluid.dt, 1e-9);  // at most a hundredth in a step

    Controlled<TypeParam> slow(0.995);
    slow.update();
    const double before = slow.divergence(slow.middle);
    slow.settings.slowest_wave = 0.1;
    slow.update();
    const double rate = 0.3 * slow.control->resistance()[slow.middle] / rest_density * 0.01;
    ASSERT_LT(rate, 10);
    EXPECT_NEAR(slow.divergence(slow.middle), before * rate / 10, 1e-9);
}

/// At the surface small errors come from J; a particle alone is not corrected at all.
TYPED_TEST(VolumeControlTest, TheFlowTellsVolumesWhereTheDensityIsNotKnown) {
    Controlled<TypeParam> run;
    run.volume_ratio.assign(run.fluid.size(), 0.99);
    run.update();
    EXPECT_NEAR(run.divergence(run.on_top), 10 * 0.01, 1e-9);
    EXPECT_EQ(run.volume_ratio[run.on_top], 0.99);
    EXPECT_NEAR(run.divergence(run.middle), 0, 1e-9);  // where the density is known J does not count
    EXPECT_EQ(run.divergence(run.alone), 0);
    EXPECT_EQ(run.volume_ratio[run.alone], 1);

    Controlled<TypeParam> dense(0.96);
    ASSERT_TRUE(dense.fluid.measured().surface()[dense.on_top]);
    dense.volume_ratio.assign(dense.fluid.size(), 0.99);
    dense.update();
    EXPECT_EQ(dense.volume_ratio[dense.on_top], 1);  // a large error is seen even there
    EXPECT_GT(dense.divergence(dense.on_top), 0);
}

TYPED_TEST(VolumeControlTest, VolumesFollowTheFlow) {
    Controlled<TypeParam> run;
    std::vector<Mat3<double>> gradient(run.fluid.size(), Mat3<double>{{5, 1, 0}, {0, -3, 0}, {0, 0, 0}});
    gradient.at(0).x.x = 1e5;
    gradient.at(1).x.x = -1e5;
    VolumeControl<TypeParam>::deform(run.fluid.view(), run.fluid.context(), gradient, run.volume_ratio);
    EXPECT_NEAR(run.volume_ratio[run.middle], 1.002, 1e-12);
    EXPECT_EQ(run.volume_ratio[0], 2);
    EXPECT_EQ(run.volume_ratio[1], 0.5);
}

}  // namespace
}  // namespace treacle
