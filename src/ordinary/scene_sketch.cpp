#include "ordinary/scene_sketch.h"

#include <utility>

namespace treacle::ordinary {

SceneSketch::SceneSketch(int dimension, double spacing, bool relaxed_packing)
    : dimension_(dimension), spacing_(spacing), relaxed_(relaxed_packing) {
    root_.set("treacle", 1);
    root_.set("dimension", dimension);
    root_.set("particle_spacing", spacing);
    gravity({0, -9.81, 0});
    frames_per_second(20);
}

Json SceneSketch::vector(Vec3d v) const {
    Json list = Json::array();
    for (int axis = 0; axis < dimension_; ++axis) list.push(v[axis]);
    return list;
}

Json SceneSketch::box(Vec3d center, Vec3d size) const {
    Json shape = Json::object();
    Json& box = shape.set("box", Json::object());
    box.set("center", vector(center));
    box.set("size", vector(size));
    return shape;
}

Json SceneSketch::ball(Vec3d center, double radius) const {
    Json shape = Json::object();
    Json& ball = shape.set("sphere", Json::object());
    ball.set("center", vector(center));
    ball.set("radius", radius);
    return shape;
}

Json SceneSketch::plane(Vec3d normal, double offset) const {
    Json shape = Json::object();
    Json& plane = shape.set("plane", Json::object());
    plane.set("normal", vector(normal));
    plane.set("offset", offset);
    return shape;
}

Json SceneSketch::members(std::string_view text) {
    auto parsed = parse_json("{" + std::string(text) + "}", "ordinary scene");
    return parsed ? *parsed : Json();  // the reader of scenes refuses null
}

Json SceneSketch::dynamic(double density) {
    Json motion = Json::object();
    motion.set("dynamic", Json::object()).set("density", density);
    return motion;
}

Json SceneSketch::moving(Vec3d velocity) const {
    Json motion = Json::object();
    motion.set("velocity", vector(velocity));
    return motion;
}

Json SceneSketch::spin(double speed) const { return dimension_ == 2 ? Json(speed) : vector({0, 0, speed}); }

Json SceneSketch::turning(double speed) const {
    Json motion = Json::object();
    motion.set("angular_velocity", spin(speed));
    return motion;
}

Json SceneSketch::bar(double radius, double height) const {
    if (dimension_ == 2) return ball({}, radius);
    Json shape = Json::object();
    Json& bar = shape.set("cylinder", Json::object());
    bar.set("axis", vector({0, 0, 1}));
    bar.set("radius", radius);
    bar.set("height", height);
    return shape;
}

void SceneSketch::frames_per_second(double fps) {
    Json time = Json::object();
    time.set("duration", 1000);  // whoever runs it ends it
    time.set("fps", fps);
    root_.set("time", std::move(time));
}

void SceneSketch::material(std::string_view text) {
    Json materials = Json::object();
    materials.set("fluid", members(text));
    root_.set("materials", std::move(materials));
}

Json& SceneSketch::list(const std::string& key) {
    Json* found = root_.find(key);
    return found ? *found : root_.set(key, Json::array());
}

Json& SceneSketch::fluid(Json shape) {
    Json fluid = Json::object();
    fluid.set("material", "fluid");
    fluid.set("shape", std::move(shape));
    if (relaxed_) fluid.set("packing", "relaxed");
    return list("fluids").push(std::move(fluid));
}

Json& SceneSketch::solid(std::string name, Json shape) {
    Json solid = Json::object();
    solid.set("name", std::move(name));
    solid.set("shape", std::move(shape));
    return list("solids").push(std::move(solid));
}

void SceneSketch::tank(double width, double depth, const Json& friction) {
    const auto wall = [&](const char* name, Vec3d normal, double offset) {
        Json& solid = this->solid(name, plane(normal, offset));
        if (friction.type != Json::Type::null) solid.set("friction", friction);
    };
    wall("floor", {0, 1, 0}, 0);
    wall("left", {1, 0, 0}, -width / 2);
    wall("right", {-1, 0, 0}, -width / 2);
    if (dimension_ == 2) return;
    wall("front", {0, 0, -1}, -depth / 2);
    wall("back", {0, 0, 1}, -depth / 2);
}

void SceneSketch::sink(Json shape) {
    Json sink = Json::object();
    sink.set("shape", std::move(shape));
    list("sinks").push(std::move(sink));
}

}  // namespace treacle::ordinary
