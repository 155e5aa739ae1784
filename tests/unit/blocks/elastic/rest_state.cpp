#include "blocks/elastic/rest_state.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "support/particle_cloud.h"
#include "support/spaces.h"

namespace treacle {
namespace {

constexpr double s = 0.1;  // spacing
constexpr double h = 2.5 * s;

/// A block on a jittered lattice, with particles of different mass.
template <class S>
struct Body : ParticleCloud<S> {
    using typename ParticleCloud<S>::Real;
    using typename ParticleCloud<S>::Row;
    using ParticleCloud<S>::position;

    Body() {
        std::mt19937 random(1);
        const auto any = [&] { return 2 * (random() / 4294967295.0) - 1; };
        const int side = 6;
        for (int z = 0; z < (S::dim == 3 ? side : 1); ++z) {
            for (int y = 0; y < side; ++y) {
                for (int x = 0; x < side; ++x) {
                    const Vec3d at = s * Vec3d{x + 0.1 * any(), y + 0.1 * any(), S::dim == 3 ? z + 0.1 * any() : 0};
                    this->add(at, {}, s);
                    this->mass.back() = static_cast<Real>(1 + 0.5 * any());
                }
            }
        }
        RestState<S>::prepare(connections);
        connections.resize(position.size());
        this->neighbors.update(position, h, parallel, no_period);
        rest.support_radius = h;
        rest.break_stretch = {0, 2};
        this->material.assign(position.size(), 1);
        rest.lattice_weight = 0;
        const CubicSpline<S> kernel(h);
        for (const std::uint32_t j : this->neighbors.row(middle())) {
            const double r = static_cast<double>(length(position[j].xyz() - position[middle()].xyz()));
            rest.lattice_weight -= static_cast<double>(kernel.slope(static_cast<Real>(r / h))) / r;
        }
        rest.store(this->view(), this->context(parallel), connections);
    }
    void straighten() {
        MovingPositions<S> moving(position);
        rest.straighten(this->view(), this->context(parallel), connections, moving);
    }
    std::vector<SymMat<Real>> conformation() {
        std::vector<SymMat<Real>> result(position.size());
        rest.measure_conformation(this->view(), this->context(parallel), connections, result);
        return result;
    }
    std::size_t middle() const { return position.size() / 2 + (S::dim == 3 ? 21 : 3); }
    void deform(const Mat3<double>& f) {
        for (Row& x : position) x = cast<Real>(f * cast<double>(x.xyz()));
    }

    Parallel parallel{1};
    ConnectionGraph connections{sizeof(Real) == 4 ? ScalarType::f32 : ScalarType::f64};
    RestState<S> rest;
};

template <class S>
class Rest : public testing::Test {};
TYPED_TEST_SUITE(Rest, test::ConstraintSpaces);

/// A large shear and stretch, turned by 50 degrees.
Mat3<double> large_deformation(bool flat) {
    const double c = std::cos(0.87), n = std::sin(0.87);
    const Mat3<double> turn{{c, -n, 0}, {n, c, 0}, {0, 0, 1}};
    return turn * Mat3<double>{{2.5, 0.8, 0}, {0, 0.6, 0}, {0, 0, flat ? 1 : 0.7}};
}

TYPED_TEST(Rest, ConformationIsThatOfTheDeformation) {
    using Real = typename TypeParam::Real;
    Body<TypeParam> body;
    const Mat3<double> f = large_deformation(TypeParam::dim == 2);
    body.deform(f);
    const Mat3<double> expected = f * f.transposed();
    for (const SymMat<Real>& q : body.conformation()) {
        const double error =
            std::abs(static_cast<double>(q.xx) - expected.x.x) + std::abs(static_cast<double>(q.xy) - expected.x.y) +
            std::abs(static_cast<double>(q.yy) - expected.y.y) + std::abs(static_cast<double>(q.zz) - expected.z.z);
        EXPECT_LT(error, sizeof(Real) == 4 ? 1e-3 : 1e-11);
    }
}

TYPED_TEST(Rest, StraightenLeavesADeformationAlone) {
    using Real = typename TypeParam::Real;
    Body<TypeParam> body;
    body.deform(large_deformation(TypeParam::dim == 2));
    const auto before = body.position;
    body.straighten();
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_LT(static_cast<double>(length(body.position[i].xyz() - before[i].xyz())),
                  (sizeof(Real) == 4 ? 1e-5 : 1e-13));
    }
}

TYPED_TEST(Rest, StraightenTakesBackWhatGoesToAndFroAndKeepsBothMomenta) {
    using Real = typename TypeParam::Real;
    Body<TypeParam> body;
    const auto at_rest = body.position;
    for (std::size_t i = 0; i < at_rest.size(); ++i) {
        body.position[i].x += static_cast<Real>((i % 2 ? 0.15 : -0.15) * s);  // neighbors along x alternate
    }
    const auto before = body.position;
    const auto away = [&] {
        double sum = 0;
        for (std::size_t i = 0; i < at_rest.size(); ++i)
            sum += length(cast<double>(body.position[i].xyz() - at_rest[i].xyz()));
        return sum;
    };
    const double at_first = away();
    body.straighten();
    Vec3d momentum{}, angular{};
    double size = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const Vec3d change = static_cast<double>(body.mass[i]) * cast<double>(body.position[i].xyz() - before[i].xyz());
        momentum += change;
        angular += cross(cast<double>(before[i].xyz()), change);
        size += length(change);
    }
    EXPECT_GT(size, 0);
    EXPECT_LT(length(momentum), (sizeof(Real) == 4 ? 1e-4 : 1e-12) * size);
    EXPECT_LT(length(angular), (sizeof(Real) == 4 ? 1e-4 : 1e-12) * size);
    for (int n = 0; n < 20; ++n) body.straighten();
    EXPECT_LT(away(), 0.3 * at_first);
}

TYPED_TEST(Rest, CutsWhatIsStretchedTooFar) {
    Body<TypeParam> body;
    const auto cut = [&] {
        body.conformation();
        body.rest.cut_overstretched(body.view(), body.context(body.parallel), body.connections);
    };
    const std::size_t first = 0, last = body.size() - 1;
    const std::size_t of_first = body.connections.count(first), of_last = body.connections.count(last),
                      all = body.connections.connection_count();
    cut();
    EXPECT_GT(of_first, 0u);
    EXPECT_EQ(body.connections.connection_count(), all);
    body.position[first] = typename TypeParam::Vec{-5, 0, 0};
    cut();
    EXPECT_EQ(body.connections.count(first), 0u);
    EXPECT_EQ(body.connections.count(last), of_last);
    EXPECT_EQ(body.connections.connection_count(), all - of_first);
}

TYPED_TEST(Rest, StrainIsMeasuredFromNeighborsAtRestWhereThereAreAny) {
    using Real = typename TypeParam::Real;
    Body<TypeParam> body;
    const std::size_t torn = 0, whole = body.middle();
    body.position[torn] = typename TypeParam::Vec{-5, 0, 0};
    body.conformation();
    body.rest.cut_overstretched(body.view(), body.context(body.parallel), body.connections);
    body.deform(large_deformation(TypeParam::dim == 2));
    body.neighbors.update(body.position, h, body.parallel, no_period);
    const ConformationRows<TypeParam> rows = body.rest.rows(body.neighbors, body.connections);
    EXPECT_FALSE(rows.bonded(torn));
    EXPECT_EQ(rows.row(torn).data(), body.neighbors.row(torn).data());
    ASSERT_TRUE(rows.bonded(whole));
    const auto row = rows.row(whole), at_rest = body.connections.rows().row(whole);
    EXPECT_EQ(std::vector(row.begin(), row.end()), std::vector(at_rest.begin(), at_rest.end()));
    // Filled up to whole packs with the particle itself.
    for (std::size_t n = row.size(); n % simd::lanes != 0; ++n) {
        EXPECT_EQ(row.data()[n], whole);
        EXPECT_EQ(rows.rest_length(whole)[n], Real(0));
    }
}

TYPED_TEST(Rest, OfMaterialsWithoutOneIsNotStored) {
    using Real = typename TypeParam::Real;
    Body<TypeParam> body;
    body.material.assign(body.size(), 0);
    body.rest.store(body.view(), body.context(body.parallel), body.connections);
    EXPECT_EQ(body.connections.connection_count(), 0u);
    body.rest.break_stretch = {0, 0};
    EXPECT_FALSE(body.rest.active());
    body.deform(large_deformation(TypeParam::dim == 2));
    const auto before = body.position;
    body.straighten();
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(body.position[i].xyz(), before[i].xyz());
    for (const SymMat<Real>& q : body.conformation()) EXPECT_EQ(q.xx, Real(0));  // it was not written
}

}  // namespace
}  // namespace treacle
