#pragma once

#include <set>
#include <string>

#include "core/json.h"
#include "scene/reader.h"

namespace treacle::test {

/// Keys that reading a scene has something to say about, as "error /json/pointer" or "warning /json/pointer".
inline std::set<std::string> remarks_on(const std::string& scene) {
    std::set<std::string> remarks;
    Log log;
    log.warning = [&](const std::string& text) {
        const std::size_t pointer = text.find(" /") + 1;
        remarks.insert("warning " + text.substr(pointer, text.find(':', pointer) - pointer));
    };
    const Result<Json> json = parse_json(scene, "test");
    if (!json) return {"error in the JSON"};
    const Result<Scene> read = read_scene(*json, "test", log);
    if (!read) {
        for (const Problem& problem : read.error().problems) remarks.insert("error " + problem.pointer);
    }
    return remarks;
}

}  // namespace treacle::test
