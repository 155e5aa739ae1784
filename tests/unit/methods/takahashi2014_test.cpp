#include <cmath>
#include <map>

#include "methods/registry.h"
#include "methods/takahashi2014/settings.h"
#include "scene/method_input.h"
#include "support/run_scene.h"

namespace treacle::test {
namespace {

/// A cube of jelly that falls on a floor and is pressed flat by its weight. `materials` must have one called "jelly";
/// `more` are further fluids.
std::string jelly_cube(const std::string& materials, const std::string& more = "") {
    return R"({ "treacle": 1, "method": "takahashi2014", "dimension": 2, "particle_spacing": 0.05,
      "time": { "duration": 1, "fps": 50 }, "materials": { )" +
           materials + R"( },
      "fluids": [ { "material": "jelly", "shape": { "box": { "center": [0, 0.25], "size": [0.5, 0.5] } } })" +
           more + R"( ],
      "solids": [ { "name": "floor", "friction": 0, "shape": { "plane": { "normal": [0, 1] } } } ] })";
}

const std::string jelly = R"("jelly": { "shear_modulus": 8000, "takahashi2014": { "connect_distance": 0.6 } })";
const std::string far_reaching = R"("rubber": { "shear_modulus": 8000, "takahashi2014": { "connect_distance": 1.0 } })";

/// Positions by id after half a second.
std::map<std::uint32_t, Vec3d> places(const std::string& scene) {
    RunningScene run(scene);
    EXPECT_TRUE(run.advance(25)) << run.error();
    std::map<std::uint32_t, Vec3d> result;
    const auto ids = run.state().particles.get<std::uint32_t>("id");
    const auto position = run.vectors("position");
    for (std::size_t i = 0; i < ids.size(); ++i) result[ids[i]] = position[i];
    return result;
}

double height(const std::map<std::uint32_t, Vec3d>& places) {
    double sum = 0;
    for (const auto& [id, place] : places) sum += place.y;
    return sum / static_cast<double>(places.size());
}

TEST(Takahashi2014, a_material_that_nobody_uses_changes_nothing) {
    const auto alone = places(jelly_cube(jelly));
    EXPECT_LT(height(alone), 0.245);  // it has sunk; otherwise nothing would be tested
    EXPECT_EQ(places(jelly_cube(jelly + ", " + far_reaching)), alone);
    EXPECT_EQ(places(jelly_cube(far_reaching + ", " + jelly)), alone);
}

TEST(Takahashi2014, the_order_of_materials_does_not_matter) {
    // The second cube is far away: it must not change the first one either.
    const std::string second =
        R"(, { "material": "rubber", "shape": { "box": { "center": [5, 0.25], "size": [0.5, 0.5] } } })";
    const auto one = places(jelly_cube(jelly + ", " + far_reaching, second));
    EXPECT_EQ(places(jelly_cube(far_reaching + ", " + jelly, second)), one);
    // Iterations stop by means over both cubes, and steps may differ, so the bits are not the same. The wrong
    // material's numbers would lower it by 18 mm in the scene in which this was found.
    const auto alone = places(jelly_cube(jelly));
    double difference = 0;
    for (const auto& [id, place] : alone) difference += (place.y - one.at(id).y) / static_cast<double>(alone.size());
    EXPECT_NEAR(difference, 0, 2e-3);
}

/// Two materials that stick to each other: one gains the momentum that the other loses.
TEST(Takahashi2014, pairs_of_two_materials_keep_momentum) {
    RunningScene run(R"({ "treacle": 1, "method": "takahashi2014", "dimension": 2, "particle_spacing": 0.05,
      "gravity": [0, 0], "time": { "duration": 1, "fps": 50 }, "materials": { )" +
                     jelly + ", " + far_reaching + R"( },
      "fluids": [
        { "material": "jelly", "velocity": [1, 0.5], "shape": { "box": { "center": [0, 0.25], "size": [0.5, 0.5] } } },
        { "material": "rubber", "velocity": [-1, 0], "shape": { "box": { "center": [0.5, 0.25], "size": [0.5, 0.5] } } }
      ] })");
    const double mass = run.metric("mass"), x = run.metric("momentum_x"), y = run.metric("momentum_y");
    ASSERT_TRUE(run.advance(20)) << run.error();
    EXPECT_GT(run.metric("connections_between"), 0);
    EXPECT_NEAR(run.metric("momentum_x"), x, 1e-4 * mass);
    EXPECT_NEAR(run.metric("momentum_y"), y, 1e-4 * mass);
}

/// The words of a scene stand for values of enums that belong to blocks.
TEST(Takahashi2014, words_choose_schemes) {
    takahashi2014::Settings settings;
    const auto choose = [&](const char* key, const char* word) {
        takahashi2014::settings_table().find(key)->write(&settings, std::string(word));
    };
    choose("viscosity_scheme", "explicit");
    EXPECT_EQ(settings.viscosity_scheme, ViscosityScheme::explicit_steps);
    choose("viscosity_scheme", "implicit");
    EXPECT_EQ(settings.viscosity_scheme, ViscosityScheme::implicit_steps);
    choose("viscosity_scheme", "xsph");
    EXPECT_EQ(settings.viscosity_scheme, ViscosityScheme::xsph);
    choose("elasticity", "explicit");
    EXPECT_EQ(settings.elasticity, ElasticSteps::explicit_steps);
    choose("elasticity", "implicit");
    EXPECT_EQ(settings.elasticity, ElasticSteps::implicit_steps);
    choose("elasticity", "automatic");
    EXPECT_EQ(settings.elasticity, ElasticSteps::automatic);
    choose("pressure_solver", "jacobi");
    EXPECT_EQ(settings.pressure_solver, IisphSolver::jacobi);
    choose("kernel", "mueller2003");
    EXPECT_EQ(settings.kernel, IisphKernel::mueller2003);
}

MethodInput reaching(double spacings) {
    return method_input(scene_from(jelly_cube(R"("jelly": { "shear_modulus": 8000, "takahashi2014": {
        "connect_distance": )" + std::to_string(spacings / 2.01) +
                                              " } }")));
}

/// Otherwise a connection between two particles that meet by accident would be too stiff for any step.
TEST(Takahashi2014, connections_count_as_if_they_reached_a_spacing_at_least) {
    const auto square = [](const MethodInput& input) { return takahashi2014::full_square(input, input.materials[0]); };
    EXPECT_NEAR(square(reaching(0.2)) / square(reaching(1)), 1, 1e-5);
    EXPECT_NEAR(square(reaching(2)) / square(reaching(1)), 16, 1e-3);
    EXPECT_EQ(takahashi2014::explicit_step(reaching(0.2)), takahashi2014::explicit_step(reaching(0.9)));
}

TEST(Takahashi2014, says_that_connections_shorter_than_a_spacing_make_nothing_elastic) {
    const auto remarks_on_reach = [](double spacings) {
        std::size_t count = 0;
        for (const Remark& remark : find_method("takahashi2014")->check(reaching(spacings))) {
            count += remark.pointer == "/materials/jelly/takahashi2014/connect_distance";
        }
        return count;
    };
    EXPECT_EQ(remarks_on_reach(0.9), 1u);
    EXPECT_EQ(remarks_on_reach(1.1), 0u);
}

}  // namespace
}  // namespace treacle::test
