#include <cstdio>
#include <memory>

#include "commands.h"
#include "core/file.h"
#include "core/json.h"
#include "mesh_files/svg_outline.h"

namespace treacle {

namespace {

struct WallOptions {
    std::string file;
    double height = 1, distance = 0.05, radius = 0.025;
    std::vector<double> at{0, 0};
    int dimension = 2;
};

Json vector_json(Vec3d p, int dimension) {
    Json result = Json::array();
    result.push(p.x);
    result.push(p.y);
    if (dimension == 3) result.push(p.z);
    return result;
}

int print_wall(const WallOptions& options) {
    const auto text = read_whole_file(options.file);
    if (!text) return report({ExitCode::wrong_input, text.error().problems});
    const auto outline = read_svg_outline(*text, options.file);
    if (!outline) return report(outline.error());
    const auto points = points_along(*outline, options.height, options.distance);
    if (!points) return report(points.error());
    Json solids = Json::array();
    for (const Vec3d& p : *points) {
        Json sphere = Json::object();
        sphere.set("center", vector_json(p + Vec3d{options.at[0], options.at[1], 0}, options.dimension));
        sphere.set("radius", options.radius);
        Json shape = Json::object();
        shape.set("sphere", std::move(sphere));
        Json solid = Json::object();
        solid.set("name", "dot " + std::to_string(solids.elements.size() + 1));
        solid.set("shape", std::move(shape));
        solids.push(std::move(solid));
    }
    std::printf("%s\n", to_text(solids).c_str());
    std::fprintf(stderr, "%zu spheres; paste them into \"solids\" of a scene\n", solids.elements.size());
    return 0;
}

}  // namespace

Action add_wall(CLI::App& app) {
    auto options = std::make_shared<WallOptions>();
    app.add_option("svg", options->file, "drawing; text converted to paths, so any font works")->required();
    app.add_option("--height", options->height, "height of the drawing in the scene, m")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--distance", options->distance, "between spheres along the lines, m")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--radius", options->radius, "of the spheres, m")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--at", options->at, "lower left corner, m")->expected(2);
    app.add_option("--dimension", options->dimension, "of the scene")->check(CLI::Range(2, 3))->capture_default_str();
    return [options] { return print_wall(*options); };
}

}  // namespace treacle
