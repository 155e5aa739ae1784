#include "geometry/mouth.h"

#include <cmath>

#include <gtest/gtest.h>

namespace treacle {
namespace {

double counted_area(const Mouth& mouth, double step) {
    const int reach = static_cast<int>(outer_radius(mouth) / step) + 1;
    double sum = 0;
    for (int j = -reach; j <= reach; ++j) {
        for (int i = -reach; i <= reach; ++i)
            sum += contains(mouth, (i + 0.5) * step, (j + 0.5) * step) ? step * step : 0;
    }
    return sum;
}

TEST(Mouth, AreaIsWhatItContains) {
    for (const Mouth& mouth :
         {Mouth{Disk{0.7}}, Mouth{Star{1, 0.4, 5}}, Mouth{Star{1, 0.9, 3}}, Mouth{Star{0.5, 0.1, 8}}}) {
        EXPECT_NEAR(counted_area(mouth, 0.005), area(mouth), 0.005 * area(mouth));
    }
    EXPECT_NEAR(area(Mouth{Star{1, 0.4, 5}}), 5 * 0.4 * std::sin(M_PI / 5), 1e-12);
    EXPECT_EQ(area(Mouth{Disk{0.7}, 2}), 1.4);
}

TEST(Mouth, AStarReachesItsTipsAndNotMore) {
    const Mouth star{Star{1, 0.4, 5}};
    for (int n = 0; n < 5; ++n) {
        const double tip = 2 * M_PI * n / 5, notch = tip + M_PI / 5;
        EXPECT_TRUE(contains(star, 0.99 * std::cos(tip), 0.99 * std::sin(tip)));
        EXPECT_FALSE(contains(star, 1.01 * std::cos(tip), 1.01 * std::sin(tip)));
        EXPECT_TRUE(contains(star, 0.39 * std::cos(notch), 0.39 * std::sin(notch)));
        EXPECT_FALSE(contains(star, 0.41 * std::cos(notch), 0.41 * std::sin(notch)));
    }
}

TEST(Mouth, IsSampledOncePerCell) {
    for (const double radius : {0.02, 0.031, 0.05, 0.11}) {
        const Mouth mouth{Disk{radius}};
        const double wanted = area(mouth) / 1e-4;
        for (const MouthLattice lattice : {MouthLattice::square, MouthLattice::hexagonal}) {
            const auto points = sample_mouth(mouth, 0.01, lattice);
            EXPECT_NEAR(static_cast<double>(points.size()), wanted, std::max(1.0, 0.06 * wanted)) << radius;
            for (const Vec3d& p : points) {
                for (const Vec3d& q : points) {
                    if (&p == &q) continue;
                    EXPECT_GT(length(p - q), 0.0099);  // hexagonal: 1.07 spacings
                }
            }
        }
    }
    EXPECT_EQ(sample_mouth(Mouth{Disk{0.001}}, 0.01).size(), 1u);  // a thread of single particles
    const auto slit = sample_mouth(Mouth{Disk{0.025}, 2}, 0.01);
    ASSERT_EQ(slit.size(), 5u);
    EXPECT_NEAR(slit[0].x, -0.02, 1e-15);
    EXPECT_NEAR(slit[4].x, 0.02, 1e-15);
}

TEST(Mouth, FacesAnyDirection) {
    for (const Vec3d to : {Vec3d{0, 0, 1}, Vec3d{0, 0, -1}, Vec3d{0, -1, 0}, Vec3d{1, 2, -3}}) {
        const Vec3d turned = rotate(facing(to, 3), {0, 0, 1});
        EXPECT_NEAR(length(turned - to / length(to)), 0, 1e-12);
    }
    for (const Vec3d to : {Vec3d{0, 1, 0}, Vec3d{0, -1, 0}, Vec3d{-1, 2, 0}}) {
        const Vec3d turned = rotate(facing(to, 2), {0, 1, 0});
        EXPECT_NEAR(length(turned - to / length(to)), 0, 1e-12);
        EXPECT_EQ(facing(to, 2).x, 0);  // in 2D everything turns about z
    }
}

}  // namespace
}  // namespace treacle
