#include "library/frame.h"

#include <algorithm>
#include <cstring>

#include "library/error.h"

namespace treacle::v0 {

namespace {

template <class T>
constexpr Scalar scalar_of = Scalar::float32;
template <>
constexpr Scalar scalar_of<double> = Scalar::float64;
template <>
constexpr Scalar scalar_of<std::uint32_t> = Scalar::uint32;
template <>
constexpr Scalar scalar_of<std::uint8_t> = Scalar::uint8;

Scalar scalar_type(ScalarType type) {
    switch (type) {
        case ScalarType::f32: return Scalar::float32;
        case ScalarType::f64: return Scalar::float64;
        case ScalarType::u32: return Scalar::uint32;
        case ScalarType::u8: return Scalar::uint8;
    }
    return Scalar::float32;
}

int components_of(ColumnShape shape) {
    switch (shape) {
        case ColumnShape::scalar: return 1;
        case ColumnShape::vector: return 3;
        case ColumnShape::symmetric_tensor: return 6;
    }
    return 1;
}

template <class T>
double number_at(std::span<const std::byte> bytes, std::size_t n) {
    T value;
    std::memcpy(&value, bytes.data() + n * sizeof value, sizeof value);
    return static_cast<double>(value);
}

std::array<double, 3> array_of(Vec3d v) { return {v.x, v.y, v.z}; }

Body body_of(const treacle::Body& body) {
    const Quaternion& q = body.pose.rotation;
    return {.name = body.name,
            .position = array_of(body.pose.position),
            .rotation = {q.w, q.x, q.y, q.z},
            .velocity = array_of(body.velocity),
            .angular_velocity = array_of(body.angular_velocity),
            .force = array_of(body.force),
            .torque = array_of(body.torque),
            .dynamic = body.dynamic()};
}

template <class Things>
const auto& named(const Things& things, const char* what, std::string_view name) {
    const auto at = std::find_if(things.begin(), things.end(), [&](const auto& thing) { return thing.name == name; });
    if (at != things.end()) return *at;
    std::vector<std::string> known;
    for (const auto& thing : things) known.push_back(thing.name);
    throw unknown_name(what, name, known);
}

}  // namespace

template <class T>
std::span<const T> Column::values() const {
    if (type != scalar_of<T>) { throw wrong_input("column \"" + name + "\" has numbers of another type"); }
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

template std::span<const float> Column::values<float>() const;
template std::span<const double> Column::values<double>() const;
template std::span<const std::uint32_t> Column::values<std::uint32_t>() const;
template std::span<const std::uint8_t> Column::values<std::uint8_t>() const;

double Column::at(std::size_t row, int component) const {
    if (row >= rows || component < 0 || component >= components) {
        throw wrong_input("column \"" + name + "\" has " + std::to_string(rows) + " rows of " +
                          std::to_string(components) + " numbers");
    }
    const std::size_t n = row * static_cast<std::size_t>(stride) + static_cast<std::size_t>(component);
    switch (type) {
        case Scalar::float32: return number_at<float>(bytes, n);
        case Scalar::float64: return number_at<double>(bytes, n);
        case Scalar::uint32: return number_at<std::uint32_t>(bytes, n);
        case Scalar::uint8: return number_at<std::uint8_t>(bytes, n);
    }
    return 0;
}

const Column& Frame::column(std::string_view name) const { return named(columns, "column", name); }

const Body& Frame::body(std::string_view name) const { return named(bodies, "body", name); }

bool Frame::has(std::string_view column) const {
    return std::any_of(columns.begin(), columns.end(), [&](const Column& other) { return other.name == column; });
}

Frame frame_of(const State& state, int dimension) {
    Frame frame;
    frame.time = state.time;
    frame.step = state.step;
    frame.number = state.frame;
    frame.dimension = dimension;
    frame.particles = state.particles.size();
    frame.ids = state.particles.get<std::uint32_t>("id");
    for (const ColumnTable::Column& column : state.particles.all()) {
        const ColumnInfo& info = column.info;
        const std::size_t bytes = frame.particles * info.row_bytes();
        if (!(info.exported || info.persistent) || column.bytes.size() < bytes) continue;
        frame.columns.push_back({.name = info.name,
                                 .unit = info.unit,
                                 .type = scalar_type(info.type),
                                 .components = components_of(info.shape),
                                 .stride = static_cast<int>(scalars_per_row(info.shape)),
                                 .rows = frame.particles,
                                 .bytes = {column.bytes.data(), bytes}});
    }
    for (const treacle::Body& body : state.bodies) frame.bodies.push_back(body_of(body));
    return frame;
}

}  // namespace treacle::v0
