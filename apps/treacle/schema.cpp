#include <cstdio>
#include <memory>

#include "commands.h"
#include "core/json.h"
#include "scene/schema.h"

namespace treacle {

Action add_schema(CLI::App& app) {
    auto markdown = std::make_shared<bool>(false);
    app.add_flag("--markdown", *markdown, "print the parameter reference as Markdown instead");
    return [markdown] {
        const std::string text = *markdown ? parameter_reference_markdown() : to_text(scene_schema()) + "\n";
        std::fputs(text.c_str(), stdout);
        return 0;
    };
}

}  // namespace treacle
