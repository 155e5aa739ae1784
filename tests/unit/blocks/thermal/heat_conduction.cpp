#include "blocks/thermal/heat_conduction.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "math/reproducible.h"
#include "support/on_every_path.h"
#include "support/particle_cloud.h"
#include "support/spaces.h"

namespace treacle {
namespace {

constexpr double s = 0.01;  // spacing
constexpr double h = 2.01 * s;
constexpr double heat = 4e6;          // ρ c, J/(m³ K)
constexpr double conductivity = 0.6;  // W/(m K)

/// A bar of `length` by 9 (by 9) particles from x = 0 on.
template <class S>
struct Bar : ParticleCloud<S> {
    using Real = typename S::Real;
    using ParticleCloud<S>::position, ParticleCloud<S>::bodies, ParticleCloud<S>::boundary;

    Bar(int length, double jitter, int threads = 1, int width = 9) : parallel(threads) {
        std::mt19937 random(5);
        std::uniform_real_distribution<double> number(-jitter, jitter);
        for (int z = 0; z < (S::dim == 3 ? width : 1); ++z) {
            for (int y = 0; y < width; ++y) {
                for (int x = 0; x < length; ++x) {
                    Vec3d at = s * Vec3d{x + 0.5 + number(random), y + number(random), z + number(random)};
                    if (S::dim == 2) at.z = 0;
                    this->add(at, {}, s);
                    capacity.push_back(static_cast<Real>(heat * cell_volume(S::dim, s)));
                    conducts.push_back(static_cast<Real>(conductivity));
                    temperature.push_back(300);
                }
            }
        }
    }
    int conduct(double step, const std::vector<double>& of_bodies = {}) {
        this->neighbors.update(position, h, parallel, no_period);
        boundary.emplace(bodies, typename BoundaryParticles<S>::Settings{s, h}, parallel);
        boundary->update(position, bodies, parallel);
        block.body_temperature = of_bodies;
        this->dt = step;
        return block.apply(this->view(), this->context(parallel), capacity, conducts, temperature);
    }
    double energy() const {
        double sum = 0;
        for (std::size_t i = 0; i < temperature.size(); ++i) {
            sum += static_cast<double>(capacity[i]) * static_cast<double>(temperature[i]);
        }
        return sum;
    }

    Parallel parallel;
    std::vector<Real> capacity, conducts, temperature;
    HeatConduction<S> block;
};

template <class S>
void make_uneven(Bar<S>& bar) {
    for (std::size_t i = 0; i < bar.temperature.size(); ++i) {
        bar.temperature[i] = static_cast<typename S::Real>(i % 3 == 0 ? 400 : 280);
        if (i % 5 == 0) bar.conducts[i] *= 10;
        if (i % 7 == 0) bar.capacity[i] *= 3;
        if (i % 11 == 0) bar.conducts[i] = 0;
    }
}

template <class S>
class HeatConductionTest : public testing::Test {};
TYPED_TEST_SUITE(HeatConductionTest, test::AllSpaces);

TYPED_TEST(HeatConductionTest, keeps_energy_and_stays_between_the_extremes) {
    using S = TypeParam;
    Bar<S> bar(20, 0.3);
    make_uneven(bar);
    const auto first = bar.temperature;
    const double before = bar.energy();
    EXPECT_GT(bar.conduct(5000), 1);  // many parts
    EXPECT_NEAR(bar.energy() / before, 1, sizeof(typename S::Real) == 4 ? 3e-5 : 1e-12);
    for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_GT(bar.temperature[i], 279.99);
        EXPECT_LT(bar.temperature[i], 400.01);
        if (i % 11 == 0) { EXPECT_EQ(bar.temperature[i], first[i]); }  // does not conduct
    }
}

/// Rate at which a cosine along a bar decays, over that of theory.
template <class S>
double decay(int length, double jitter, int width) {
    Bar<S> bar(length, jitter, 1, width);
    const double wave = reproducible::pi / (length * s), rate = conductivity / heat * wave * wave;
    const auto amplitude = [&] {
        double sum = 0, square = 0;
        for (std::size_t i = 0; i < bar.temperature.size(); ++i) {
            const double c = std::cos(wave * static_cast<double>(bar.position[i].x));
            sum += c * (static_cast<double>(bar.temperature[i]) - 300);
            square += c * c;
        }
        return sum / square;
    };
    for (std::size_t i = 0; i < bar.temperature.size(); ++i) {
        bar.temperature[i] +=
            static_cast<typename S::Real>(50 * std::cos(wave * static_cast<double>(bar.position[i].x)));
    }
    const double before = amplitude();
    bar.conduct(1 / rate);
    return std::log(before / amplitude());
}

TYPED_TEST(HeatConductionTest, a_cosine_decays_at_its_rate) {
    using S = TypeParam;
    for (const double jitter : {0.0, 0.1}) {
        // Particles at the sides lack neighbors and conduct less; two widths give the rate of a bar without sides.
        const double narrow = decay<S>(16, jitter, 6), wide = decay<S>(16, jitter, 12);
        EXPECT_NEAR(2 * wide - narrow, 1, 0.05) << jitter;
        EXPECT_NEAR(wide, 1, 0.08) << jitter;
    }
}

TYPED_TEST(HeatConductionTest, walls_insulate_or_have_a_temperature) {
    using S = TypeParam;
    Bar<S> bar(20, 0);
    bar.bodies.resize(1);
    bar.bodies[0].shape = {Plane{{1, 0, 0}, 0}, {}, S::dim};
    const double before = bar.energy();
    bar.conduct(1000, {std::numeric_limits<double>::quiet_NaN()});
    EXPECT_EQ(bar.energy(), before);
    bar.conduct(1000);
    EXPECT_EQ(bar.energy(), before);
    // Half a space at 300 K that touches a wall of 350 K has taken 2 ΔT sqrt(k ρ c t/π) per area.
    const double time = 20000, area = (S::dim == 3 ? 9 * s : 1) * 9 * s;
    const double theory = 2 * 50 * std::sqrt(conductivity * heat * time / reproducible::pi) * area;
    bar.conduct(time, {350});
    EXPECT_NEAR((bar.energy() - before) / theory, 1, 0.1);
}

TYPED_TEST(HeatConductionTest, gives_the_same_bits_on_every_path_and_any_number_of_threads) {
    using S = TypeParam;
    const auto run = [](int threads) {
        Bar<S> bar(20, 0.3, threads);
        bar.bodies.resize(1);
        bar.bodies[0].shape = {Plane{{1, 0, 0}, 0}, {}, S::dim};
        make_uneven(bar);
        bar.conduct(500, {350});
        return bar.temperature;
    };
    const auto expected = run(1);
    for (const simd::Choice path : test::paths()) {
        const test::OnPath on(path);
        for (const int threads : {1, 3}) {
            EXPECT_EQ(std::memcmp(run(threads).data(), expected.data(), expected.size() * sizeof expected[0]), 0);
        }
    }
}

}  // namespace
}  // namespace treacle
