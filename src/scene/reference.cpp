#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "scene/parameter_json.h"
#include "scene/schema.h"
#include "scene/tables.h"
#include "state/frame_formats.h"

namespace treacle {

namespace {

/// Text for a cell of a table: without line breaks, and with bars escaped.
std::string cell(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '|') escaped += "\\|";
        else escaped += c == '\n' ? ' ' : c;
    }
    return escaped;
}

std::string code(const std::string& text) { return text.empty() ? "" : "`" + cell(text) + "`"; }

std::string default_text(const Parameter& parameter, const ParameterValue& standard) {
    if (parameter.required) return "required";
    const std::string text = to_text(parameter_to_json(parameter, standard, 3));
    const bool nothing = std::holds_alternative<std::monostate>(standard) || text == "\"\"";
    return nothing ? "absent" : code(text);
}

std::string range_text(const Parameter& parameter) {
    std::string text;
    const std::vector<std::string>& choices = parameter.choices;
    for (const std::string& choice : choices) text += (text.empty() ? "" : ", ") + code(in_quotes(choice));
    if (!choices.empty()) return text;
    if (parameter.kind == ParameterKind::boolean) return "`true`, `false`";
    if (parameter.kind == ParameterKind::text) return is_color_parameter(parameter) ? "`\"#rrggbb\"`" : "text";
    if (parameter.low == parameter.high) return code(number_text(parameter.low));
    if (std::isfinite(parameter.low)) text = (parameter.low_open ? "> " : "≥ ") + number_text(parameter.low);
    if (std::isfinite(parameter.high)) text += (text.empty() ? "≤ " : ", ≤ ") + number_text(parameter.high);
    for (const auto& word : parameter.words) text += ", " + code(in_quotes(word.first));
    return text;
}

std::string row(const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const std::string& content : cells) text += " " + content + " |";
    return text + "\n";
}

std::string link(const ObjectKind& kind) {
    std::string anchor = kind.title;
    std::replace(anchor.begin(), anchor.end(), ' ', '-');
    return "[" + kind.title + "](#" + anchor + ")";
}

std::string form_text(const StructuredKey& key) {
    switch (key.form) {
        case Form::object: return link(key.kind());
        case Form::list: return "list of " + link(key.kind());
        case Form::dictionary: return link(key.kind()) + " by name";
        case Form::formats: {
            std::string words;
            for (const FrameFormat& format : frame_formats()) {
                words += (words.empty() ? "list of " : ", ") + code(in_quotes(format.word));
            }
            return words;
        }
        case Form::material_name: return "name of a " + link(material_kind());
        case Form::solid_name: return "name of a " + link(solid_kind());
        case Form::file: return "path, relative to the scene file";
        case Form::rotation: return "angles or " + link(key.kind());
        case Form::quaternion: return "4 numbers";
        case Form::value: return "value";
        case Form::points: return "list of pairs";
        case Form::refused: break;
    }
    return {};
}

std::string section(const ObjectKind& kind) {
    std::string text = "\n## " + kind.title + "\n\n" + kind.doc + "\n\n";
    std::string rows;
    for (const ParameterObject& object : kind.parameters) {
        for (const Parameter& parameter : object.table().rows()) {
            rows += row({code(parameter.key), cell(parameter.symbol), cell(parameter.unit),
                         default_text(parameter, parameter.read(object.address())), range_text(parameter),
                         std::string(parameter.live ? "yes" : "") + (parameter.varies ? ", varies" : ""),
                         cell(parameter.doc)});
        }
    }
    for (const StructuredKey& key : kind.structured) {
        if (key.form == Form::refused) continue;
        rows += row({code(key.key), "", "", key.required ? "required" : "absent", form_text(key), "", cell(key.doc)});
    }
    if (rows.empty()) return text + "No keys.\n";
    text += row({"key", "symbol", "unit", "default", "allowed", "live", "meaning"});
    return text + "|---|---|---|---|---|---|---|\n" + rows;
}

/// All kinds that can be reached from this one, each once, in the order of first use.
void collect(const ObjectKind& kind, std::vector<const ObjectKind*>& kinds) {
    if (std::find(kinds.begin(), kinds.end(), &kind) != kinds.end()) return;
    kinds.push_back(&kind);
    for (const StructuredKey& key : kind.structured) {
        if (key.kind) collect(key.kind(), kinds);
    }
}

}  // namespace

std::string parameter_reference_markdown() {
    std::vector<const ObjectKind*> kinds;
    collect(scene_kind(), kinds);
    collect(track_kind(), kinds);
    collect(function_kind(), kinds);
    std::string text =
        "# Scene files: all keys\n\n"
        "Generated from the program's own tables; do not edit. Units are SI, angles are degrees. Vectors have two "
        "numbers in 2D and three in 3D. A live parameter may change during a run: " +
        link(track_kind()) +
        " may stand in place of its value. One that varies may depend on the temperature or the age of a particle: a " +
        link(function_kind()) + " may stand in place of its value.\n";
    for (const ObjectKind* kind : kinds) text += section(*kind);
    return text;
}

}  // namespace treacle
