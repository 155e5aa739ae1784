#include "methods/time_step_limit.h"

#include <gtest/gtest.h>

#include "core/json.h"
#include "methods/registry.h"
#include "scene/method_input.h"
#include "scene/scene_json.h"
#include "support/every_method.h"
#include "support/run_scene.h"

namespace treacle::test {
namespace {

const char* const text = R"({ "treacle": 1, "particle_spacing": 0.05, "time": { "duration": 1, "fps": 10 },
    "materials": { "honey": { "viscosity": 2, "surface_tension": 0.05, "shear_modulus": 500 },
                   "thin": { "viscosity": 0.1 } },
    "fluids": [ { "material": "honey", "shape": { "box": { "center": [0, 1, 0], "size": [0.5, 0.5, 0.5] } } },
                { "material": "thin", "shape": { "box": { "center": [1, 1, 0], "size": [0.5, 0.5, 0.5] } } } ],
    "solids": [ { "name": "floor", "shape": { "plane": { "normal": [0, 1, 0], "offset": 0 } } } ],
    "takahashi2014": { "viscosity_scheme": "explicit" } })";

class Limits : public testing::TestWithParam<std::string> {};

TEST_P(Limits, lead_to_keys_that_the_scene_has) {
    Scene scene = scene_from(std::string(text).insert(2, std::string(R"( "method": ")") + GetParam() + "\","));
    const MethodRow& method = *find_method(GetParam());
    const auto limits = method.time_step_limits(method_input(scene));
    ASSERT_FALSE(limits.empty());
    const Json json = scene_to_json(scene);
    bool any = false;
    for (const TimeStepLimit& limit : limits) {
        if (limit.pointer.empty()) continue;
        any = true;
        // A key may be absent by default; its parent exists.
        const std::string parent = limit.pointer.substr(0, limit.pointer.rfind('/'));
        EXPECT_NE(find_at_pointer(json, parent), nullptr) << limit.pointer;
        if (limit.bound == StepBound::surface_tension) { EXPECT_EQ(limit.pointer, "/materials/honey/surface_tension"); }
    }
    EXPECT_TRUE(any);
}

INSTANTIATE_TEST_SUITE_P(Methods, Limits, testing::ValuesIn(every_method()), MethodName());

}  // namespace
}  // namespace treacle::test
