#include "material/material.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace treacle {
namespace {

TEST(Material, is_by_default_as_dense_as_water_and_nothing_else) {
    const Material material;
    EXPECT_EQ(material.density, 1000);
    for (const Parameter& parameter : material_table().rows()) {
        const bool absent = std::holds_alternative<std::monostate>(parameter.read(&material));
        EXPECT_EQ(absent, parameter.optional) << parameter.key;
        if (!absent) { EXPECT_EQ(range_problem(parameter, parameter.read(&material)), "") << parameter.key; }
    }
    EXPECT_TRUE(material.functions.empty());
}

TEST(Material, creeps_with_its_steady_viscosity_unless_a_stress_can_rest_in_it) {
    Material material;
    EXPECT_EQ(material.steady_viscosity(), 0);
    material.viscosity = 4;
    EXPECT_EQ(material.steady_viscosity(), 4);
    material.shear_modulus = 400;
    EXPECT_TRUE(std::isinf(material.steady_viscosity()));
    material.relaxation_time = 0.5;
    EXPECT_EQ(material.steady_viscosity(), 204);
    material.yield_stress = 1;
    EXPECT_TRUE(std::isinf(material.steady_viscosity()));
}

TEST(Material, has_a_member_of_its_own_behind_every_key) {
    for (const Parameter& parameter : material_table().rows()) {
        if (parameter.kind != ParameterKind::number) continue;
        Material material;
        parameter.write(&material, 17.0);
        EXPECT_EQ(std::get<double>(parameter.read(&material)), 17) << parameter.key;
        for (const Parameter& other : material_table().rows()) {
            if (other.key == parameter.key) continue;
            const Material untouched;
            EXPECT_EQ(other.read(&material), other.read(&untouched)) << parameter.key << " changes " << other.key;
        }
    }
}

TEST(Material, is_in_si_units) {
    const std::vector<std::pair<const char*, const char*>> units = {
        {"density", "kg/m³"},          {"viscosity", "Pa·s"},
        {"shear_modulus", "Pa"},       {"relaxation_time", "s"},
        {"yield_stress", "Pa"},        {"surface_tension", "N/m"},
        {"heat_capacity", "J/(kg·K)"}, {"thermal_conductivity", "W/(m·K)"},
    };
    for (const auto& [key, unit] : units) {
        ASSERT_NE(material_table().find(key), nullptr) << key;
        EXPECT_EQ(material_table().find(key)->unit, unit) << key;
    }
}

TEST(Material, refuses_negative_numbers_and_a_density_or_relaxation_time_of_zero) {
    const auto refused = [](const char* key, double value) {
        return !range_problem(*material_table().find(key), value).empty();
    };
    for (const char* key : {"density", "viscosity", "shear_modulus", "relaxation_time", "yield_stress",
                            "surface_tension", "thermal_conductivity", "heat_capacity"}) {
        EXPECT_TRUE(refused(key, -1)) << key;
        EXPECT_TRUE(refused(key, std::numeric_limits<double>::infinity())) << key;
        EXPECT_FALSE(refused(key, 100)) << key;
    }
    EXPECT_TRUE(refused("density", 0));
    EXPECT_TRUE(refused("relaxation_time", 0));
    EXPECT_FALSE(refused("viscosity", 0));
}

TEST(Material, gives_the_function_of_a_property_or_the_constant) {
    Material material;
    PropertyFunction melting;
    melting.key = "viscosity";
    melting.points = {{0, 10}, {100, 1}};
    PropertyFunction own;
    own.key = "takahashi2014/connect_distance";
    own.points = {{0, 0.5}};
    material.functions = {melting, own};

    const PropertyValue varying = material.property("viscosity", 10);
    ASSERT_TRUE(varying.function);
    EXPECT_DOUBLE_EQ(varying.function->at(50), 5.5);
    EXPECT_EQ(varying.constant, 10);
    EXPECT_EQ(material.function("takahashi2014/connect_distance")->at(3), 0.5);

    EXPECT_EQ(material.function("shear_modulus"), nullptr);
    const PropertyValue constant = material.property("shear_modulus", 300);
    EXPECT_FALSE(constant.function);
    EXPECT_EQ(constant.constant, 300);
}

TEST(Material, points_at_its_keys_even_if_its_name_has_special_characters) {
    Material material;
    material.name = "honey";
    EXPECT_EQ(material.pointer("viscosity"), "/materials/honey/viscosity");
    material.name = "half/half ~ mixed";
    EXPECT_EQ(material.pointer("clavet2005/plasticity"), "/materials/half~1half ~0 mixed/clavet2005/plasticity");
}

}  // namespace
}  // namespace treacle
