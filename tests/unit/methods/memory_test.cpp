#include <malloc.h>

#include "methods/particle_memory.h"
#include "scene/method_input.h"
#include "support/every_method.h"
#include "support/run_scene.h"

namespace treacle::test {
namespace {

/// A small block of fluid. `settings` are those of the method.
std::string block(const std::string& method, int dimension, const std::string& material = R"("viscosity": 5)",
                  const std::string& settings = "", const std::string& more = "") {
    const bool flat = dimension == 2;
    return R"({ "treacle": 1, "method": ")" + method + R"(", "dimension": )" + std::to_string(dimension) +
           R"(, "particle_spacing": 0.05, "time": { "duration": 1, "fps": 50, "fixed_dt": 0.002 }, ")" + method +
           R"(": { )" + settings + R"( }, "materials": { "paste": { )" + material + R"( } },
      "fluids": [ { "material": "paste", "shape": { "box": { "center": )" +
           (flat ? "[0, 1]" : "[0, 1, 0]") + R"(, "size": )" + (flat ? "[0.2, 0.2]" : "[0.2, 0.2, 0.2]") + " } } } ]" +
           more + " }";
}

/// The columns of a simulation are as large as was predicted from its scene.
void expect_columns(const std::string& text) {
    const Scene scene = scene_from(text);
    const RunningScene run(scene);
    const Particles& particles = run.state().particles;
    ASSERT_GT(particles.size(), 0u);
    std::size_t bytes = 0;
    for (const Particles::Column& column : particles.all()) bytes += column.bytes.size();
    const MethodRow& method = *find_method(scene.method);
    const MethodInput input = method_input(scene);
    EXPECT_EQ(column_bytes(method, input), static_cast<double>(bytes) / static_cast<double>(particles.size())) << text;
    EXPECT_GT(bytes_per_particle(method, input), column_bytes(method, input)) << text;
}

class Memory : public testing::TestWithParam<std::string> {};

TEST_P(Memory, of_columns_is_known_before_the_start) {
    const MethodRow& method = *find_method(GetParam());
    for (const int dimension : {2, 3}) {
        expect_columns(block(GetParam(), dimension));
        if (method.double_precision)
            expect_columns(block(GetParam(), dimension, R"("viscosity": 5)", "", R"(, "precision": "double")"));
        if (!method.varying_properties) continue;
        expect_columns(block(GetParam(), dimension, R"("thermal_conductivity": 0.2, "heat_capacity": 2000,
          "shear_modulus": { "over": "temperature", "points": [[20, 400], [60, 20]] },
          "viscosity": { "over": "age", "points": [[0, 4], [1, 2]] })"));
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, Memory, testing::ValuesIn(every_method()), MethodName());

TEST(MemoryOfColumns, counts_those_that_some_settings_add) {
    expect_columns(block("takahashi2014", 3, R"("takahashi2014": { "correction": 0.001 })",
                         R"("coefficients": "paper", "correction_scheme": "shape_matching")"));
    expect_columns(block("mukai2021", 3, R"("viscosity": 5)", R"("halvings": 2)"));
}

TEST(MemoryOfParticles, nearly_doubles_with_double_precision) {
    for (const MethodRow& method : method_registry()) {
        if (!method.single_precision || !method.double_precision) continue;
        MethodInput input = method_input(scene_from(block(method.id, 3, R"("viscosity": 5, "shear_modulus": 100)")));
        const double single = bytes_per_particle(method, input);
        input.double_precision = true;
        const double twice = bytes_per_particle(method, input);
        EXPECT_GT(twice, 1.2 * single) << method.id;
        EXPECT_LT(twice, 2 * single) << method.id;
    }
}

double allocated_bytes() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

/// An elastic, viscous fluid with a surface tension, which needs all blocks of its method.
TEST_P(Memory, of_a_run_is_as_predicted) {
    mallopt(M_MMAP_THRESHOLD, 1 << 30);  // everything from the heap: arrays with a mapping of their own count for more
    for (const int dimension : {2, 3}) {
        const bool flat = dimension == 2;
        const Scene scene = scene_from(
            R"({ "treacle": 1, "method": ")" + GetParam() + R"(", "dimension": )" + std::to_string(dimension) +
            R"(, "particle_spacing": 0.01, "time": { "duration": 1, "fps": 1000 }, "materials": { "paste": {
              "viscosity": 5, "shear_modulus": 500, "relaxation_time": 1, "surface_tension": 0.05 } },
            "fluids": [ { "material": "paste", "shape": { "box": { "center": )" +
            (flat ? R"([0, 0], "size": [0.8, 0.8])" : R"([0, 0, 0], "size": [0.2, 0.2, 0.2])") + " } } } ] }");
        const double before = allocated_bytes();
        RunningScene run(scene, 1);
        ASSERT_TRUE(run.advance(1)) << run.error();
        const double held = (allocated_bytes() - before) / static_cast<double>(run.state().particles.size());
        const double predicted = bytes_per_particle(*find_method(GetParam()), method_input(scene));
        EXPECT_LT(held, 1.25 * predicted) << dimension;  // the allocator may round up large blocks
        EXPECT_GT(held, 0.4 * predicted) << dimension;
    }
}

}  // namespace
}  // namespace treacle::test
