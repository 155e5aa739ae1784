#include "checkpoint/checkpoint.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <set>
#include <utility>

#include "core/file.h"
#include "checkpoint/hdf5_handle.h"
#include "checkpoint/seal.h"

// Layout of a checkpoint, after the seal of 512 bytes (checkpoint/seal.h):
//   /              attributes format_version, program_version, precision, time, step, frame, state_hash
//   /scene         the scene as JSON text (a dataset: attributes end at 64 kB)
//   /particles/    one dataset per persistent column, in storage order; attributes unit, shape, type, exported
//   /connections/  "counts" per particle and under slots/ one dataset per slot column, rows end to end
//   /anchors/      the same for connections to bodies
//   /bodies/       name, id, position, rotation (w x y z), velocity, angular_velocity, force, torque; a row per body
//   /emission/     attribute first_id; "pushed" and "layers" per emitter
//   /health/       attributes of the same names as the members of VitalSigns; absent in files of older versions
//   /rupture/      attributes lower, upper (ids of bodies or -1), start_distance, sides_met, parted (s or infinity)
//
// HDF5 builds the file in memory, because its library crashes when a disk is full. We write the bytes, and check that.

namespace treacle {

using namespace hdf5;

namespace {

constexpr std::uint32_t format_version = 4;
constexpr std::array<const char*, 4> type_words{"f32", "f64", "u32", "u8"};                // as in ScalarType
constexpr std::array<const char*, 3> shape_words{"scalar", "vector", "symmetric_tensor"};  // as in ColumnShape

/// The type in the file and in memory: little-endian in both.
hid_t hdf5_type(ScalarType type) {
    switch (type) {
        case ScalarType::f32: return H5T_IEEE_F32LE;
        case ScalarType::f64: return H5T_IEEE_F64LE;
        case ScalarType::u32: return H5T_STD_U32LE;
        case ScalarType::u8: return H5T_STD_U8LE;
    }
    return -1;
}

// ---------------------------------------------------------------------------------------------------- writing

/// Remembers the order in which members are created: columns keep their order.
Handle create_group(hid_t parent, const char* name) {
    const Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, "group properties");
    H5Pset_link_creation_order(properties, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    return {H5Gcreate2(parent, name, H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose, name};
}

void write_columns(hid_t group, const ColumnTable& columns) {
    for (const ColumnTable::Column& column : columns.all()) {
        const ColumnInfo& info = column.info;
        if (!info.persistent) continue;
        std::vector<hsize_t> extent{columns.size()};
        if (info.shape != ColumnShape::scalar) extent.push_back(scalars_per_row(info.shape));
        const Handle dataset = write_dataset(group, info.name, hdf5_type(info.type), extent, column.bytes.data());
        const std::uint8_t exported = info.exported ? 1 : 0;
        write_text_attribute(dataset, "unit", info.unit);
        write_text_attribute(dataset, "shape", shape_words[static_cast<std::size_t>(info.shape)]);
        write_text_attribute(dataset, "type", type_words[static_cast<std::size_t>(info.type)]);
        write_attribute(dataset, "exported", H5T_STD_U8LE, &exported);
    }
}

void write_connections(hid_t file, const char* name, const ConnectionGraph& connections) {
    const Handle group = create_group(file, name);
    const ConnectionGraph::Packed packed = connections.packed();
    write_dataset(group, "counts", H5T_STD_U32LE, {packed.counts.size()}, packed.counts.data());
    write_columns(create_group(group, "slots"), packed.slots);
}

/// A value of a body that changes: its name and the address of its doubles. Used for writing and for reading.
struct BodyValue {
    const char* name;
    std::size_t width;
    void* (*address)(Body&);
};

static_assert(sizeof(Vec3d) == 3 * sizeof(double) && sizeof(Quaternion) == 4 * sizeof(double));

constexpr std::array<BodyValue, 6> body_values{{
    {"position", 3, [](Body& body) -> void* { return &body.pose.position; }},
    {"rotation", 4, [](Body& body) -> void* { return &body.pose.rotation; }},
    {"velocity", 3, [](Body& body) -> void* { return &body.velocity; }},
    {"angular_velocity", 3, [](Body& body) -> void* { return &body.angular_velocity; }},
    {"force", 3, [](Body& body) -> void* { return &body.force; }},
    {"torque", 3, [](Body& body) -> void* { return &body.torque; }},
}};

void write_bodies(hid_t file, Bodies bodies) {
    const Handle group = create_group(file, "bodies");
    std::size_t longest = 1;
    for (const Body& body : bodies) longest = std::max(longest, body.name.size());
    std::string names(longest * bodies.size(), '\0');
    for (std::size_t b = 0; b < bodies.size(); ++b) bodies[b].name.copy(&names[b * longest], longest);
    write_dataset(group, "name", text_type(longest), {bodies.size()}, names.data());
    write_dataset(group, "id", H5T_STD_U32LE, {bodies.size()}, ids_of(bodies).data());
    for (const auto& [name, width, address] : body_values) {
        std::vector<double> rows(width * bodies.size());
        for (std::size_t b = 0; b < bodies.size(); ++b) {
            std::memcpy(&rows[b * width], address(bodies[b]), width * sizeof(double));
        }
        write_dataset(group, name, H5T_IEEE_F64LE, {bodies.size(), width}, rows.data());
    }
}

void write_emission(hid_t file, const Emission& emission) {
    const Handle group = create_group(file, "emission");
    std::vector<double> pushed;
    std::vector<std::uint32_t> layers;
    for (const EmitterState& emitter : emission.emitters) {
        pushed.push_back(emitter.pushed);
        layers.push_back(emitter.layers);
    }
    write_attribute(group, "first_id", H5T_STD_U32LE, &emission.first_id);
    write_dataset(group, "pushed", H5T_IEEE_F64LE, {pushed.size()}, pushed.data());
    write_dataset(group, "layers", H5T_STD_U32LE, {layers.size()}, layers.data());
}

void write_rupture(hid_t file, const Rupture& rupture) {
    const Handle group = create_group(file, "rupture");
    write_attribute(group, "lower", H5T_STD_I32LE, &rupture.lower);
    write_attribute(group, "upper", H5T_STD_I32LE, &rupture.upper);
    write_attribute(group, "start_distance", H5T_IEEE_F64LE, &rupture.start_distance);
    write_attribute(group, "sides_met", H5T_IEEE_F64LE, &rupture.sides_met);
    write_attribute(group, "parted", H5T_IEEE_F64LE, &rupture.parted);
}

void write_vector(hid_t object, const std::string& name, const Vec3d& value) {
    for (int axis = 0; axis < 3; ++axis) {
        const double number = value[axis];
        write_attribute(object, (name + "xyz"[axis]).c_str(), H5T_IEEE_F64LE, &number);
    }
}

void write_health(hid_t file, const VitalSigns& signs) {
    const Handle group = create_group(file, "health");
    const std::uint8_t has_box = signs.has_box ? 1 : 0;
    write_attribute(group, "stored_energy", H5T_IEEE_F64LE, &signs.stored_energy);
    write_attribute(group, "has_box", H5T_STD_U8LE, &has_box);
    write_vector(group, "low_", signs.low);
    write_vector(group, "high_", signs.high);
    write_vector(group, "gravity_", signs.gravity);
    write_attribute(group, "particles_ever", H5T_IEEE_F64LE, &signs.particles_ever);
    write_attribute(group, "longest_step", H5T_IEEE_F64LE, &signs.longest_step);
    write_attribute(group, "short_steps", H5T_STD_I32LE, &signs.short_steps);
}

std::size_t expected_bytes(const State& state) {
    std::size_t bytes = 65536;
    for (const ColumnTable::Column& column : state.particles.all()) bytes += column.bytes.size();
    return bytes + state.connections.others().size() * 8 + state.anchors.others().size() * 24;
}

void write_state(hid_t file, const State& state, const std::string& scene, const std::string& version) {
    const std::uint64_t hash = state_hash(state);
    write_attribute(file, "format_version", H5T_STD_U32LE, &format_version);
    write_text_attribute(file, "program_version", version);
    write_text_attribute(file, "precision", state.particles.real() == ScalarType::f32 ? "float" : "double");
    write_attribute(file, "time", H5T_IEEE_F64LE, &state.time);
    write_attribute(file, "step", H5T_STD_U64LE, &state.step);
    write_attribute(file, "frame", H5T_STD_I32LE, &state.frame);
    const FrameStatistics& statistics = state.statistics;
    write_attribute(file, "frame_steps", H5T_STD_U64LE, &statistics.steps);
    write_attribute(file, "frame_dt_min", H5T_IEEE_F64LE, &statistics.dt_min);
    write_attribute(file, "frame_dt_sum", H5T_IEEE_F64LE, &statistics.dt_sum);
    write_attribute(file, "frame_iterations_sum", H5T_STD_U64LE, &statistics.iterations_sum);
    write_attribute(file, "frame_iterations_max", H5T_STD_I32LE, &statistics.iterations_max);
    write_attribute(file, "density_error_mean", H5T_IEEE_F64LE, &statistics.density_error_mean);
    write_attribute(file, "density_error_max", H5T_IEEE_F64LE, &statistics.density_error_max);
    write_attribute(file, "caution_share", H5T_IEEE_F64LE, &state.caution.share);
    write_attribute(file, "caution_until_frame", H5T_STD_I32LE, &state.caution.until_frame);
    write_attribute(file, "state_hash", H5T_STD_U64LE, &hash);
    write_dataset(file, "scene", text_type(scene.size()), {}, padded(scene).data());
    write_columns(create_group(file, "particles"), state.particles);
    write_connections(file, "connections", state.connections);
    write_connections(file, "anchors", state.anchors);
    write_bodies(file, state.bodies);
    write_emission(file, state.emission);
    write_rupture(file, state.rupture);
    write_health(file, state.signs);
}

// ---------------------------------------------------------------------------------------------------- reading

void read_attribute(hid_t object, const char* name, hid_t type, void* value) {
    const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, std::string("the attribute ") + name);
    const Handle stored(H5Aget_type(attribute), H5Tclose, name);
    const Handle space(H5Aget_space(attribute), H5Sclose, name);
    require(H5Tequal(stored, type) > 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                H5Aread(attribute, type, value) >= 0,
            std::string("the attribute ") + name + " is of another type");
}

/// Length of a fixed-length text type; anything else is refused.
std::size_t text_length(hid_t type, const std::string& name) {
    require(H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0, name + " is not a text");
    return H5Tget_size(type);
}

std::string without_padding(std::string text) {
    text.resize(text.find_last_not_of('\0') + 1);
    return text;
}

std::string read_text_attribute(hid_t object, const char* name) {
    const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, std::string("the attribute ") + name);
    const Handle type(H5Aget_type(attribute), H5Tclose, name);
    const Handle space(H5Aget_space(attribute), H5Sclose, name);
    const std::size_t length = text_length(type, name);
    require(length <= 65536 && H5Sget_simple_extent_npoints(space) == 1, std::string(name) + " is not a short text");
    std::string text(length, '\0');
    require(H5Aread(attribute, type, text.data()) >= 0, std::string("HDF5 cannot read ") + name);
    return without_padding(text);
}

/// An array in the file whose size has been checked.
struct StoredArray {
    Handle dataset;
    Handle type;
    std::size_t rows;

    void read(void* target) const {
        require(rows == 0 || H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, target) >= 0,
                "HDF5 cannot read a dataset");
    }
};

/// `width` 1 means a one-dimensional dataset. Nothing is allocated before the size has been compared with the file's.
StoredArray open_array(hid_t group, const std::string& name, std::size_t width, std::size_t file_bytes) {
    Handle dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, "the dataset " + name);
    const Handle space(H5Dget_space(dataset), H5Sclose, name);
    const Handle properties(H5Dget_create_plist(dataset), H5Pclose, name);
    Handle type(H5Dget_type(dataset), H5Tclose, name);
    require(H5Pget_layout(properties) == H5D_CONTIGUOUS && H5Pget_external_count(properties) == 0,
            "the dataset " + name + " is not stored in one piece");
    std::array<hsize_t, 2> extent{1, 1};
    const int rank = H5Sget_simple_extent_ndims(space);
    require(rank >= 0 && rank <= 2, "the dataset " + name + " has too many dimensions");
    H5Sget_simple_extent_dims(space, extent.data(), nullptr);
    require(extent[1] == width, "the dataset " + name + " has rows of another length");
    const std::size_t row_bytes = width * std::max<std::size_t>(1, H5Tget_size(type));
    require(extent[0] <= file_bytes / row_bytes, "the dataset " + name + " is larger than the file");
    return {std::move(dataset), std::move(type), extent[0]};
}

StoredArray open_numbers(hid_t group, const std::string& name, hid_t type, std::size_t width, std::size_t file_bytes) {
    StoredArray array = open_array(group, name, width, file_bytes);
    require(H5Tequal(array.type, type) > 0, "the dataset " + name + " is of another type");
    return array;
}

std::vector<std::string> members_in_order(hid_t group) {
    H5G_info_t info{};
    require(H5Gget_info(group, &info) >= 0 && info.nlinks <= 1000, "a group cannot be listed");
    std::vector<std::string> names;
    for (hsize_t n = 0; n < info.nlinks; ++n) {
        std::array<char, 256> name{};
        const ssize_t length =
            H5Lget_name_by_idx(group, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, n, name.data(), name.size(), H5P_DEFAULT);
        require(length > 0 && length < 256, "a group cannot be listed");
        names.emplace_back(name.data());
    }
    return names;
}

template <class Enum, std::size_t count>
Enum from_word(const std::array<const char*, count>& words, const std::string& word) {
    for (std::size_t n = 0; n < count; ++n) {
        if (word == words[n]) return static_cast<Enum>(n);
    }
    throw Refusal{"\"" + word + "\" is not a type or shape of a column"};
}

ColumnInfo read_column_info(hid_t group, const std::string& name) {
    const Handle dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, "the column " + name);
    std::uint8_t exported = 0;
    read_attribute(dataset, "exported", H5T_STD_U8LE, &exported);
    return {name,
            read_text_attribute(dataset, "unit"),
            from_word<ColumnShape>(shape_words, read_text_attribute(dataset, "shape")),
            from_word<ScalarType>(type_words, read_text_attribute(dataset, "type")),
            exported != 0,
            true};
}

/// Fills columns and adds missing ones. All must have the same number of rows.
void read_columns(hid_t group, ColumnTable& columns, std::size_t file_bytes) {
    bool first = true;
    for (const std::string& name : members_in_order(group)) {
        const ColumnInfo info = read_column_info(group, name);
        const StoredArray array =
            open_numbers(group, name, hdf5_type(info.type), scalars_per_row(info.shape), file_bytes);
        if (first) columns.resize(array.rows);
        first = false;
        require(array.rows == columns.size(), "the column " + name + " has another number of rows");
        if (!columns.has(name)) columns.add(info);
        const auto& all = columns.all();
        const auto known = std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.info.name == name; });
        require(known->info.type == info.type && known->info.shape == info.shape,
                "the column " + name + " is of another type");
        array.read(columns.bytes(name).data());
    }
}

/// `ends`: the ids of the particles or bodies to connect to.
void read_connections(hid_t file, const std::string& name, const State& state, std::span<const std::uint32_t> ends,
                      std::size_t file_bytes, ConnectionGraph& connections) {
    const Handle group(H5Gopen2(file, name.c_str(), H5P_DEFAULT), H5Gclose, "the group " + name);
    const Handle slots(H5Gopen2(group, "slots", H5P_DEFAULT), H5Gclose, "the group " + name + "/slots");
    ConnectionGraph::Packed packed = connections.packed();
    const StoredArray counts = open_numbers(group, "counts", H5T_STD_U32LE, 1, file_bytes);
    require(counts.rows == state.particles.size(), "there are not as many rows of " + name + " as particles");
    packed.counts.resize(counts.rows);
    counts.read(packed.counts.data());
    read_columns(slots, packed.slots, file_bytes);

    const std::uint64_t total = std::accumulate(packed.counts.begin(), packed.counts.end(), std::uint64_t{0});
    require(total == packed.slots.size(), "the numbers of " + name + " per particle do not add up");
    const auto other = packed.slots.get<std::uint32_t>("other");
    require(std::all_of(other.begin(), other.end(), [&](std::uint32_t j) { return j < ends.size(); }),
            "one of the " + name + " leads to a particle or body that does not exist");
    connections.restore(std::move(packed), ends);
}

void read_bodies(hid_t file, Bodies& bodies, std::size_t file_bytes) {
    const Handle group(H5Gopen2(file, "bodies", H5P_DEFAULT), H5Gclose, "the group bodies");
    const StoredArray names = open_array(group, "name", 1, file_bytes);
    const std::size_t longest = text_length(names.type, "bodies/name");
    std::string text(longest * names.rows, '\0');
    names.read(text.data());
    bodies.resize(names.rows);
    std::vector<std::uint32_t> ids(bodies.size());
    std::iota(ids.begin(), ids.end(), 0u);  // files of version 0.1 have none
    if (H5Lexists(group, "id", H5P_DEFAULT) > 0) {
        const StoredArray stored = open_numbers(group, "id", H5T_STD_U32LE, 1, file_bytes);
        require(stored.rows == bodies.size(), "bodies/id has another number of rows");
        stored.read(ids.data());
    }
    require(std::set<std::uint32_t>(ids.begin(), ids.end()).size() == ids.size(), "two bodies have the same id");
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        bodies[b].id = ids[b];
        bodies[b].name = without_padding(text.substr(b * longest, longest));
    }
    for (const auto& [name, width, address] : body_values) {
        const StoredArray array = open_numbers(group, name, H5T_IEEE_F64LE, width, file_bytes);
        require(array.rows == bodies.size(), std::string("bodies/") + name + " has another number of rows");
        std::vector<double> rows(width * bodies.size());
        array.read(rows.data());
        for (std::size_t b = 0; b < bodies.size(); ++b) {
            std::memcpy(address(bodies[b]), &rows[b * width], width * sizeof(double));
        }
    }
}

void read_emission(hid_t file, Emission& emission, std::size_t file_bytes) {
    const Handle group(H5Gopen2(file, "emission", H5P_DEFAULT), H5Gclose, "the group emission");
    const StoredArray pushed = open_numbers(group, "pushed", H5T_IEEE_F64LE, 1, file_bytes);
    const StoredArray layers = open_numbers(group, "layers", H5T_STD_U32LE, 1, file_bytes);
    require(pushed.rows == layers.rows, "emission/layers has another number of rows");
    std::vector<double> lengths(pushed.rows);
    std::vector<std::uint32_t> counts(layers.rows);
    pushed.read(lengths.data());
    layers.read(counts.data());
    for (std::size_t e = 0; e < lengths.size(); ++e) {
        require(std::isfinite(lengths[e]) && lengths[e] >= 0, "an emitter has pushed an impossible length");
        emission.emitters.push_back({lengths[e], counts[e]});
    }
    read_attribute(group, "first_id", H5T_STD_U32LE, &emission.first_id);
}

void read_rupture(hid_t file, Rupture& rupture, const Bodies& bodies) {
    const Handle group(H5Gopen2(file, "rupture", H5P_DEFAULT), H5Gclose, "the group rupture");
    read_attribute(group, "lower", H5T_STD_I32LE, &rupture.lower);
    read_attribute(group, "upper", H5T_STD_I32LE, &rupture.upper);
    read_attribute(group, "start_distance", H5T_IEEE_F64LE, &rupture.start_distance);
    read_attribute(group, "sides_met", H5T_IEEE_F64LE, &rupture.sides_met);
    read_attribute(group, "parted", H5T_IEEE_F64LE, &rupture.parted);
    const bool joined = rupture.lower >= 0;
    const auto is_id = [&](int id) { return id == -1 || find_body(bodies, static_cast<std::uint32_t>(id)); };
    require(is_id(rupture.lower) && is_id(rupture.upper) && joined == (rupture.upper >= 0) &&
                !(joined && rupture.lower == rupture.upper),
            "its fluid joins bodies that are not there");
    require(std::isfinite(rupture.start_distance), "its fluid joins bodies at an impossible distance");
    require(rupture.sides_met >= 0 && rupture.parted >= 0, "its fluid parted at an impossible time");
}

void read_vector(hid_t object, const std::string& name, Vec3d& value) {
    for (int axis = 0; axis < 3; ++axis) {
        read_attribute(object, (name + "xyz"[axis]).c_str(), H5T_IEEE_F64LE, &value[axis]);
        require(std::isfinite(value[axis]), "what its health is judged by is impossible");
    }
}

/// Files that have none were written by older versions: what they would say is learned again.
void read_health(hid_t file, VitalSigns& signs) {
    if (H5Lexists(file, "health", H5P_DEFAULT) <= 0) return;
    const Handle group(H5Gopen2(file, "health", H5P_DEFAULT), H5Gclose, "the group health");
    std::uint8_t has_box = 0;
    read_attribute(group, "stored_energy", H5T_IEEE_F64LE, &signs.stored_energy);
    read_attribute(group, "has_box", H5T_STD_U8LE, &has_box);
    read_vector(group, "low_", signs.low);
    read_vector(group, "high_", signs.high);
    read_vector(group, "gravity_", signs.gravity);
    read_attribute(group, "particles_ever", H5T_IEEE_F64LE, &signs.particles_ever);
    read_attribute(group, "longest_step", H5T_IEEE_F64LE, &signs.longest_step);
    read_attribute(group, "short_steps", H5T_STD_I32LE, &signs.short_steps);
    signs.has_box = has_box != 0;
    require(std::isfinite(signs.stored_energy) && std::isfinite(signs.particles_ever) &&
                std::isfinite(signs.longest_step) && signs.longest_step >= 0 && signs.short_steps >= 0,
            "what its health is judged by is impossible");
}

Handle open_file(const std::string& path) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "file properties");
    H5Pset_file_locking(access, false, true);  // locks fail on some network disks, and nobody else writes here
    return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose, "the HDF5 part of the file"};
}

Checkpoint read_checkpoint(const std::string& path, std::size_t file_bytes) {
    const Handle file = open_file(path);
    std::uint32_t format = 0;
    read_attribute(file, "format_version", H5T_STD_U32LE, &format);
    require(format == format_version, "it is of format " + std::to_string(format) + ", this program reads format " +
                                          std::to_string(format_version));
    const std::string precision = read_text_attribute(file, "precision");
    const bool single = precision == "float" || precision == "single";  // version 0.1 wrote "single"
    require(single || precision == "double", "it is of an unknown precision");

    const StoredArray scene = open_array(file, "scene", 1, file_bytes);
    require(scene.rows == 1, "its scene is no single text");
    std::string scene_text(text_length(scene.type, "scene"), '\0');
    scene.read(scene_text.data());

    State state(single ? ScalarType::f32 : ScalarType::f64);
    std::uint64_t hash = 0;
    read_attribute(file, "time", H5T_IEEE_F64LE, &state.time);
    read_attribute(file, "step", H5T_STD_U64LE, &state.step);
    read_attribute(file, "frame", H5T_STD_I32LE, &state.frame);
    FrameStatistics& statistics = state.statistics;
    read_attribute(file, "frame_steps", H5T_STD_U64LE, &statistics.steps);
    read_attribute(file, "frame_dt_min", H5T_IEEE_F64LE, &statistics.dt_min);
    read_attribute(file, "frame_dt_sum", H5T_IEEE_F64LE, &statistics.dt_sum);
    read_attribute(file, "frame_iterations_sum", H5T_STD_U64LE, &statistics.iterations_sum);
    read_attribute(file, "frame_iterations_max", H5T_STD_I32LE, &statistics.iterations_max);
    read_attribute(file, "density_error_mean", H5T_IEEE_F64LE, &statistics.density_error_mean);
    read_attribute(file, "density_error_max", H5T_IEEE_F64LE, &statistics.density_error_max);
    read_attribute(file, "caution_share", H5T_IEEE_F64LE, &state.caution.share);
    read_attribute(file, "caution_until_frame", H5T_STD_I32LE, &state.caution.until_frame);
    read_attribute(file, "state_hash", H5T_STD_U64LE, &hash);
    require(std::isfinite(state.time) && state.frame >= 1, "its time or frame is impossible");
    require(state.caution.share > 0 && state.caution.share <= 1, "its share of the time step is impossible");
    const Handle particles(H5Gopen2(file, "particles", H5P_DEFAULT), H5Gclose, "the group particles");
    read_columns(particles, state.particles, file_bytes);
    read_connections(file, "connections", state, state.particles.get<std::uint32_t>("id"), file_bytes,
                     state.connections);
    read_bodies(file, state.bodies, file_bytes);
    read_connections(file, "anchors", state, ids_of(state.bodies), file_bytes, state.anchors);
    read_emission(file, state.emission, file_bytes);
    read_rupture(file, state.rupture, state.bodies);
    read_health(file, state.signs);
    require(state_hash(state) == hash, "its content does not match the hash stored with it");
    return {without_padding(scene_text), read_text_attribute(file, "program_version"), std::move(state)};
}

}  // namespace

Result<void> save_checkpoint(const std::string& path, const State& state, const std::string& scene,
                             const std::string& version) {
    const QuietHdf5 quiet;
    try {
        const Handle file = create_memory_file(expected_bytes(state), seal_bytes);
        write_state(file, state, scene, version);
        const std::string_view whole = finished_bytes(file);
        const std::string_view content = whole.substr(seal_bytes);
        const std::string seal = make_seal(content);
        const std::array<std::string_view, 2> pieces{seal, content};
        return write_file_atomically(path, pieces);
    } catch (const Refusal& refusal) {
        return fail(ExitCode::file_failed, "the checkpoint cannot be made: " + refusal.reason, path);
    }
}

Result<Checkpoint> load_checkpoint(const std::string& path) {
    if (const auto sealed = check_seal(path); !sealed) return tl::unexpected(sealed.error());
    const QuietHdf5 quiet;
    try {
        return read_checkpoint(path, std::filesystem::file_size(path));
    } catch (const Refusal& refusal) {
        return fail(ExitCode::file_failed, "the checkpoint cannot be used: " + refusal.reason, path);
    } catch (const std::filesystem::filesystem_error& error) {
        return fail(ExitCode::file_failed, error.code().message(), path);
    }
}

}  // namespace treacle
