#include <cstdio>

#include "commands.h"
#include "methods/registry.h"

namespace treacle {

Action add_methods(CLI::App&) {
    return [] {
        for (const MethodRow& method : method_registry()) {
            std::printf("%s\n  %s\n  %s\n  2D and 3D; precision %s\n", method.id, method.summary, method.paper,
                        method.single_precision && method.double_precision ? "float or double"
                        : method.single_precision                          ? "float"
                                                                           : "double");
        }
        return 0;
    };
}

}  // namespace treacle
