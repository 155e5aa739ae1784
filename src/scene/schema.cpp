#include "scene/schema.h"

#include <cmath>

#include "core/text.h"
#include "scene/parameter_json.h"
#include "scene/tables.h"
#include "state/frame_formats.h"

namespace treacle {

namespace {

Json typed(const char* type) {
    Json schema = Json::object();
    schema.set("type", type);
    return schema;
}

Json word_list(const std::vector<std::string>& words) {
    Json list = Json::array();
    for (const std::string& word : words) list.push(word);
    return list;
}

Json any_of(std::vector<Json> alternatives) {
    Json list = Json::array();
    for (Json& alternative : alternatives) list.push(std::move(alternative));
    Json schema = Json::object();
    schema.set("anyOf", std::move(list));
    return schema;
}

void add_range(Json& schema, const Parameter& parameter) {
    if (std::isfinite(parameter.low)) schema.set(parameter.low_open ? "exclusiveMinimum" : "minimum", parameter.low);
    if (std::isfinite(parameter.high)) schema.set("maximum", parameter.high);
}

Json number_list(const Json& number, int fewest, int most) {
    Json list = typed("array");
    list.set("items", number);
    list.set("minItems", fewest);
    list.set("maxItems", most);
    return list;
}

/// Schema of a value of the parameter, without keyframes.
Json value_schema(const Parameter& parameter) {
    switch (parameter.kind) {
        case ParameterKind::boolean: return typed("boolean");
        case ParameterKind::text:
        case ParameterKind::choice: {
            Json schema = typed("string");
            if (!parameter.choices.empty()) schema.set("enum", word_list(parameter.choices));
            if (is_color_parameter(parameter)) schema.set("pattern", color_pattern);
            return schema;
        }
        case ParameterKind::vector: {
            Json number = typed("number");
            add_range(number, parameter);
            Json list = number_list(number, 2, 3);
            if (is_rotation_vector(parameter)) return any_of({std::move(list), std::move(number)});
            return list;
        }
        case ParameterKind::integer:
        case ParameterKind::number: break;
    }
    Json schema = typed(parameter.kind == ParameterKind::integer ? "integer" : "number");
    add_range(schema, parameter);
    if (parameter.words.empty()) return schema;
    std::vector<std::string> words;
    for (const auto& word : parameter.words) words.push_back(word.first);
    Json word = typed("string");
    word.set("enum", word_list(words));
    return any_of({std::move(schema), std::move(word)});
}

Json object_schema(const ObjectKind& kind, const Parameter* keyframed);

std::string description(const Parameter& parameter) {
    std::string text = parameter.doc;
    if (!parameter.unit.empty() && parameter.unit != "1") text += " Unit: " + parameter.unit + ".";
    if (!parameter.symbol.empty()) text += " In the paper: " + parameter.symbol + ".";
    if (parameter.live) text += " May change during a run (keyframes).";
    if (parameter.varies) text += " May depend on temperature or age (function).";
    return text;
}

Json parameter_schema(const Parameter& parameter, const ParameterValue& standard) {
    Json schema = value_schema(parameter);
    std::vector<Json> forms{std::move(schema)};
    if (parameter.live) forms.push_back(object_schema(track_kind(), &parameter));
    if (parameter.varies) forms.push_back(object_schema(function_kind(), &parameter));
    schema = forms.size() == 1 ? std::move(forms.front()) : any_of(std::move(forms));
    schema.set("description", description(parameter));
    const bool has_default = !parameter.required && !std::holds_alternative<std::monostate>(standard);
    if (has_default) schema.set("default", parameter_to_json(parameter, standard, 3));
    return schema;
}

Json rotation_schema(const ObjectKind& kind) {
    const Parameter& angle = *kind.find_parameter("angle");
    Json number = typed("number");
    add_range(number, angle);
    return any_of({number_list(number, 3, 3), number, object_schema(kind, nullptr)});
}

Json formats_schema() {
    std::vector<std::string> words;
    for (const FrameFormat& format : frame_formats()) words.emplace_back(format.word);
    Json word = typed("string");
    word.set("enum", word_list(words));
    Json list = typed("array");
    list.set("items", std::move(word));
    return list;
}

Json structured_schema(const StructuredKey& key, const Parameter* keyframed) {
    switch (key.form) {
        case Form::object: return object_schema(key.kind(), nullptr);
        case Form::list: {
            Json list = typed("array");
            list.set("items", object_schema(key.kind(), keyframed));
            if (key.required) list.set("minItems", 1);
            return list;
        }
        case Form::dictionary: {
            Json dictionary = typed("object");
            dictionary.set("additionalProperties", object_schema(key.kind(), nullptr));
            dictionary.set("minProperties", 1);
            return dictionary;
        }
        case Form::formats: return formats_schema();
        case Form::material_name:
        case Form::solid_name:
        case Form::file: return typed("string");
        case Form::rotation: return rotation_schema(key.kind());
        case Form::quaternion: return number_list(typed("number"), 4, 4);
        case Form::value: return value_schema(*keyframed);
        case Form::points: {
            Json pair = number_list(typed("number"), 2, 2);
            Json both = Json::array();
            both.push(typed("number"));
            both.push(value_schema(*keyframed));
            pair.set("prefixItems", std::move(both));
            Json list = typed("array");
            list.set("items", std::move(pair));
            list.set("minItems", 1);
            return list;
        }
        case Form::refused: break;
    }
    Json nothing = Json::object();
    nothing.set("not", Json::object());
    return nothing;
}

/// Schema of one kind of object. That of keyframes depends on the parameter that they replace.
Json object_schema(const ObjectKind& kind, const Parameter* keyframed) {
    Json schema = typed("object");
    if (!kind.doc.empty()) schema.set("description", kind.doc);
    Json properties = Json::object();
    std::vector<std::string> required;
    for (const ParameterObject& object : kind.parameters) {
        for (const Parameter& parameter : object.table().rows()) {
            properties.set(parameter.key, parameter_schema(parameter, parameter.read(object.address())));
            if (parameter.required) required.push_back(parameter.key);
        }
    }
    for (const StructuredKey& key : kind.structured) {
        Json& property = properties.set(key.key, structured_schema(key, keyframed));
        property.set("description", key.doc);
        if (key.required) required.push_back(key.key);
    }
    schema.set("properties", std::move(properties));
    if (!required.empty()) schema.set("required", word_list(required));
    if (!kind.exactly_one_of.empty()) {
        Json& alternatives = schema.set("oneOf", Json::array());
        for (const std::string& key : kind.exactly_one_of) {
            Json alternative = Json::object();
            alternative.set("required", word_list({key}));
            alternatives.push(std::move(alternative));
        }
    }
    schema.set("additionalProperties", false);
    return schema;
}

}  // namespace

Json scene_schema() {
    Json schema = Json::object();
    schema.set("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.set("title", "treacle scene, version " + std::to_string(scene_version));
    for (auto& [key, value] : object_schema(scene_kind(), nullptr).members) schema.set(key, value);
    return schema;
}

}  // namespace treacle
