#include <gtest/gtest.h>

#include "blocks/elastic/plastic_springs.h"
#include "blocks/pair.h"
#include "blocks/pressure/double_density.h"
#include "blocks/surface/cohesion.h"
#include "blocks/viscous/radial_impulses.h"
#include "support/on_every_path.h"
#include "support/random_fluid.h"
#include "support/spaces.h"

/// Pair passes on packs: the same bits on every path of SIMD, and the result of a plain loop over pairs within
/// rounding.

namespace treacle {
namespace {

template <class S>
class SimdPaths : public testing::Test {};
TYPED_TEST_SUITE(SimdPaths, test::AllSpaces);

constexpr std::size_t count = 700;
constexpr double h = 0.3;

/// Rows of every length from none to many, three materials, unequal masses, two pairs of coincident particles.
template <class S>
struct Fluid : test::RandomFluid<S> {
    using Real = typename S::Real;
    using Row = typename S::Row;

    explicit Fluid(bool equal = false)
        : test::RandomFluid<S>(count, Real(S::dim == 2 ? 1.6 : 1.1), Real(h), 17, equal), number_density(count),
          pressure(count), near_pressure(count), result(count), by_walls(count) {
        for (std::size_t i = 0; i < count && !equal; ++i) this->material[i] = static_cast<std::uint8_t>(i % 3);
        this->position[5] = this->position[4];
        this->position[100] = this->position[600];
        for (std::size_t i = 650; i < count; ++i) {  // a thin trail: few neighbors
            this->position[i] = typename S::Vec{Real(2) + Real(0.2) * static_cast<Real>(i - 650), Real(0.5), Real(0)};
        }
        this->neighbors.update(this->position, h * 1.1, this->parallel,
                               no_period);  // rows reach further than the support
    }
    typename DoubleDensity<S>::Fields fields() { return {number_density, pressure, near_pressure}; }

    std::vector<Real> number_density, pressure, near_pressure;
    std::vector<Row> result, by_walls;
};

/// compute(fluid) -> numbers, on every path, for one material and for several; then against reference(fluid).
template <class S, class Compute, class Reference>
void expect_same(const Compute& compute, const Reference& reference) {
    using Real = typename S::Real;
    for (const bool equal : {false, true}) {
        std::vector<Real> twin;
        for (const simd::Choice path : test::paths()) {
            const test::OnPath on(path);
            Fluid<S> fluid(equal);
            const std::vector<Real> numbers = compute(fluid);
            if (twin.empty()) twin = numbers;
            ASSERT_EQ(numbers.size(), twin.size());
            for (std::size_t n = 0; n < numbers.size(); ++n) {
                ASSERT_EQ(test::bits_of(numbers[n]), test::bits_of(twin[n])) << simd::name(path) << " at " << n;
            }
        }
        Fluid<S> fluid(equal);
        const std::vector<Real> expected = reference(fluid);
        ASSERT_EQ(expected.size(), twin.size());
        double size = 0;
        for (const Real x : expected) size = std::max(size, std::abs(static_cast<double>(x)));
        EXPECT_GT(size, 0);
        for (std::size_t n = 0; n < twin.size(); ++n) EXPECT_NEAR(twin[n], expected[n], 1e-5 * size) << n;
    }
}

template <class Row>
auto numbers_of(const std::vector<Row>& rows) {
    std::vector<std::remove_const_t<decltype(rows[0].x)>> all;
    for (const Row& row : rows) all.insert(all.end(), {row.x, row.y, row.z});
    return all;
}

template <class S>
DoubleDensity<S> pressure_block() {
    using Real = typename S::Real;
    DoubleDensity<S> block;
    block.support_radius = Real(h);
    block.materials = {{Real(2), Real(0.5), Real(4), Real(-3)},
                       {Real(3), Real(1), Real(3), Real(-2)},
                       {Real(1), Real(2), Real(5), Real(-1)}};
    return block;
}

TYPED_TEST(SimdPaths, Density) {
    using S = TypeParam;
    using Real = typename S::Real;
    auto block = pressure_block<S>();
    expect_same<S>(
        [&](Fluid<S>& f) {
            block.measure(f.view(), f.context(0.1), f.fields());
            auto all = f.number_density;
            all.insert(all.end(), f.pressure.begin(), f.pressure.end());
            all.insert(all.end(), f.near_pressure.begin(), f.near_pressure.end());
            return all;
        },
        [&](Fluid<S>& f) {
            std::vector<Real> all(3 * count);
            for (std::size_t i = 0; i < count; ++i) {
                Real near_density = 0;
                for_each_pair<S>(i, f.neighbors.row(i), f.position, f.id, Real(h), [&](const Pair<S>& pair) {
                    const Real w = 1 - pair.q;
                    all[i] += w * w;
                    near_density += w * w * w;
                });
                const auto p = block.pressures(all[i], near_density, block.materials[f.material[i]]);
                all[count + i] = p.pressure;
                all[2 * count + i] = p.near_pressure;
            }
            return all;
        });
}

TYPED_TEST(SimdPaths, Pressure) {
    using S = TypeParam;
    using Real = typename S::Real;
    auto block = pressure_block<S>();
    const auto measure = [&](Fluid<S>& f) { block.measure(f.view(), f.context(0.1), f.fields()); };
    expect_same<S>(
        [&](Fluid<S>& f) {
            measure(f);
            block.gather(f.view(), f.context(0.1), f.fields(), f.result, f.by_walls);
            return numbers_of(f.result);
        },
        [&](Fluid<S>& f) {
            measure(f);
            for (std::size_t i = 0; i < count; ++i) {
                typename S::Vec sum{};
                for_each_pair<S>(i, f.neighbors.row(i), f.position, f.id, Real(h), [&](const Pair<S>& pair) {
                    const Real w = 1 - pair.q;
                    const Real both = (f.pressure[i] + f.pressure[pair.j]) * w +
                                      (f.near_pressure[i] + f.near_pressure[pair.j]) * w * w;
                    sum -= (share_of(f.mass[i], f.mass[pair.j]) * both) * pair.direction;
                });
                f.result[i] = Real(0.01) * sum;
            }
            return numbers_of(f.result);
        });
}

TYPED_TEST(SimdPaths, Viscosity) {
    using S = TypeParam;
    using Real = typename S::Real;
    for (const bool printed : {false, true}) {
        for (const Real quadratic : {Real(0), Real(5)}) {
            const RadialImpulses<S> block{
                .support_radius = Real(h),
                .materials = {{Real(20), quadratic}, {Real(0), quadratic}, {Real(300), Real(0)}},
                .as_printed = printed};
            expect_same<S>(
                [&](Fluid<S>& f) {
                    block.gather(f.view(), f.context(0.002), Real(0.002), f.result);
                    return numbers_of(f.result);
                },
                [&](Fluid<S>& f) {
                    for (std::size_t i = 0; i < count; ++i) {
                        auto v = f.velocity[i].xyz();
                        for_each_pair<S>(i, f.neighbors.row(i), f.position, f.id, Real(h), [&](const Pair<S>& pair) {
                            const Real u = dot(f.velocity[i].xyz() - f.velocity[pair.j].xyz(), pair.direction);
                            const Real loss = block.speed_loss(
                                u, pair.q, block.between(f.material[i], f.material[pair.j]), Real(0.002));
                            v -= (share_of(f.mass[i], f.mass[pair.j]) * loss) * pair.direction;
                        });
                        f.result[i] = v;
                    }
                    return numbers_of(f.result);
                });
        }
    }
}

TYPED_TEST(SimdPaths, CohesionOfSurfaces) {
    using S = TypeParam;
    using Real = typename S::Real;
    const Cohesion<S> block{.support_radius = Real(h), .strength = {Real(10), Real(0), Real(3)}};
    expect_same<S>(
        [&](Fluid<S>& f) {
            block.gather(f.view(), f.context(0.1), f.result);
            return numbers_of(f.result);
        },
        [&](Fluid<S>& f) {
            for (std::size_t i = 0; i < count; ++i) {
                typename S::Vec sum{};
                for_each_pair<S>(i, f.neighbors.row(i), f.position, f.id, Real(h), [&](const Pair<S>& pair) {
                    const Real a = block.strength[f.material[i]] + block.strength[f.material[pair.j]];
                    sum += (share_of(f.mass[i], f.mass[pair.j]) * a * pair.q * (1 - pair.q)) * pair.direction;
                });
                f.result[i] = Real(0.01) * sum;
            }
            return numbers_of(f.result);
        });
}

/// Connected, deformed, crept, renewed and deformed again.
template <class S>
struct Springs {
    using Real = typename S::Real;

    Springs() : graph(sizeof(Real) == 4 ? ScalarType::f32 : ScalarType::f64) {
        block.support_radius = Real(h), block.smallest_length = Real(0.03), block.break_length = Real(0.4);
        block.materials = {{Real(100), Real(5), Real(0.1), Real(0.05)},
                           {Real(50), Real(50), Real(0.2), Real(0.2)},
                           {Real(10), Real(1), Real(0), Real(0), false}};
    }
    void connect(Fluid<S>& f) {
        graph.resize(count);
        block.renew(f.view(), f.context(0.02), Births::all(), graph);
        for (std::size_t i = 0; i < count; ++i) f.position[i] = f.position[i].xyz() + Real(0.03) * f.velocity[i].xyz();
        f.neighbors.update(f.position, h * 1.1, f.parallel, no_period);
    }

    PlasticSprings<S> block;
    ConnectionGraph graph;
};

TYPED_TEST(SimdPaths, SpringCreep) {
    using S = TypeParam;
    using Real = typename S::Real;
    for (const bool printed : {false, true}) {
        expect_same<S>(
            [&](Fluid<S>& f) {
                Springs<S> s;
                s.block.as_printed = printed;
                s.connect(f);
                s.block.adjust(f.view(), f.context(0.02), s.graph);
                const auto rest = s.graph.template values<Real>("rest_length");
                return std::vector<Real>(rest.begin(), rest.end());
            },
            [&](Fluid<S>& f) {
                Springs<S> s;
                s.block.as_printed = printed;
                s.connect(f);
                const auto rest = s.graph.template values<Real>("rest_length");
                for (std::size_t i = 0; i < count; ++i) {
                    for (std::size_t slot = s.graph.begin(i); slot < s.graph.begin(i) + s.graph.count(i); ++slot) {
                        const std::uint32_t j = s.graph.others()[slot];
                        rest[slot] = s.block.crept(rest[slot], length(f.position[j].xyz() - f.position[i].xyz()),
                                                   s.block.between(f.material[i], f.material[j]), Real(0.02));
                    }
                }
                return std::vector<Real>(rest.begin(), rest.end());
            });
    }
}

TYPED_TEST(SimdPaths, SpringPull) {
    using S = TypeParam;
    using Real = typename S::Real;
    expect_same<S>(
        [&](Fluid<S>& f) {
            Springs<S> s;
            s.connect(f);
            s.block.gather(f.view(), f.context(0.1), s.graph, f.result);
            return numbers_of(f.result);
        },
        [&](Fluid<S>& f) {
            Springs<S> s;
            s.connect(f);
            for (std::size_t i = 0; i < count; ++i) {
                typename S::Vec sum{};
                for (std::size_t slot = s.graph.begin(i); slot < s.graph.begin(i) + s.graph.count(i); ++slot) {
                    const std::uint32_t j = s.graph.others()[slot];
                    const auto r = f.position[j].xyz() - f.position[i].xyz();
                    const Real distance = length(r), rest = s.graph.template values<Real>("rest_length")[slot];
                    const auto direction = distance > 0 ? r / distance : direction_from_ids<S>(f.id[i], f.id[j]);
                    const Real stiffness = s.block.between(f.material[i], f.material[j]).stiffness;
                    sum -= (share_of(f.mass[i], f.mass[j]) * Real(0.01) * stiffness * (1 - rest / Real(h)) *
                            (rest - distance)) *
                           direction;
                }
                f.result[i] = sum;
            }
            return numbers_of(f.result);
        });
}

/// Rows after renewal, as numbers: by the rules, pair by pair, against those that the quick check left untouched.
TYPED_TEST(SimdPaths, SpringRenewal) {
    using S = TypeParam;
    using Real = typename S::Real;
    const auto listed = [](const ConnectionGraph& graph) {
        std::vector<Real> all;
        const auto rest = graph.values<Real>("rest_length");
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t slot = graph.begin(i); slot < graph.begin(i) + graph.count(i); ++slot) {
                all.insert(all.end(),
                           {static_cast<Real>(i), static_cast<Real>(graph.others()[slot]), 1000 * rest[slot]});
            }
        }
        return all;
    };
    expect_same<S>(
        [&](Fluid<S>& f) {
            Springs<S> s;
            s.connect(f);
            s.block.renew(f.view(), f.context(0.02), Births::none(), s.graph);
            return listed(s.graph);
        },
        [&](Fluid<S>& f) {
            Springs<S> s;
            s.connect(f);
            std::vector<Real> all;
            for (std::size_t i = 0; i < count; ++i) {
                const auto distance_to = [&](std::uint32_t j) {
                    return length(f.position[j].xyz() - f.position[i].xyz());
                };
                const auto others = s.graph.others().subspan(s.graph.begin(i), s.graph.count(i));
                for (std::size_t n = 0; n < others.size(); ++n) {
                    const Real rest = s.graph.template values<Real>("rest_length")[s.graph.begin(i) + n];
                    if (rest > Real(h) || distance_to(others[n]) > s.block.break_length) continue;
                    all.insert(all.end(), {static_cast<Real>(i), static_cast<Real>(others[n]), 1000 * rest});
                }
                for (const std::uint32_t j : f.neighbors.row(i)) {
                    const auto c = s.block.between(f.material[i], f.material[j]);
                    if (!(distance_to(j) < Real(h)) || !c.renews ||
                        std::find(others.begin(), others.end(), j) != others.end())
                        continue;
                    all.insert(all.end(), {static_cast<Real>(i), static_cast<Real>(j),
                                           1000 * std::max(distance_to(j), s.block.smallest_length)});
                }
            }
            return all;
        });
}

}  // namespace
}  // namespace treacle
