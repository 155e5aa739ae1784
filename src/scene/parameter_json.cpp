#include "scene/parameter_json.h"

#include "scene/tables.h"

namespace treacle {

Json parameter_to_json(const Parameter& parameter, const ParameterValue& value, int dimension) {
    if (const auto* flag = std::get_if<bool>(&value)) return *flag;
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* number = std::get_if<double>(&value)) {
        for (const auto& [word, meaning] : parameter.words) {
            if (*number == meaning) return word;
        }
        Json json(*number);
        json.integral = parameter.kind == ParameterKind::integer;
        return json;
    }
    if (const auto* vector = std::get_if<std::array<double, 3>>(&value)) {
        if (dimension == 2 && is_rotation_vector(parameter)) return (*vector)[2];
        Json list = Json::array();
        for (int axis = 0; axis < dimension; ++axis) list.push((*vector)[static_cast<std::size_t>(axis)]);
        return list;
    }
    return {};
}

}  // namespace treacle
