#include "io/vtp.h"

#include <array>
#include <cstring>
#include <numeric>
#include <span>

#include "core/file.h"
#include "core/text.h"

namespace treacle {

namespace {

/// The blocks of binary data at the end of the file: each is its length as UInt64, then the bytes.
class AppendedData {
public:
    const std::string& bytes() const { return bytes_; }

    /// Makes room for one array, which `fill` writes. Returns the DataArray element that refers to it.
    template <class Fill>
    std::string add(const std::string& type, const std::string& name, const std::string& more, std::size_t size,
                    const Fill& fill) {
        const std::size_t offset = bytes_.size();
        const std::uint64_t length = size;
        bytes_.resize(offset + sizeof length + size);
        std::memcpy(&bytes_[offset], &length, sizeof length);
        fill(bytes_.data() + offset + sizeof length);
        return "        <DataArray type=\"" + type + "\" Name=\"" + xml_text(name) + "\"" + more +
               " format=\"appended\" offset=\"" + std::to_string(offset) + "\"/>\n";
    }

private:
    std::string bytes_;
};

/// For each component in the file: its place in storage and its name.
struct Component {
    std::size_t stored;
    const char* name;
};

std::span<const Component> vtk_components(ColumnShape shape) {
    static constexpr std::array<Component, 1> scalar{{{0, ""}}};
    static constexpr std::array<Component, 3> vector{{{0, "X"}, {1, "Y"}, {2, "Z"}}};
    static constexpr std::array<Component, 6> tensor{
        {{0, "XX"}, {3, "YY"}, {5, "ZZ"}, {1, "XY"}, {4, "YZ"}, {2, "XZ"}}};
    switch (shape) {
        case ColumnShape::scalar: return scalar;
        case ColumnShape::vector: return vector;
        case ColumnShape::symmetric_tensor: return tensor;
    }
    return {};
}

template <class Value>
std::string add_array(AppendedData& data, const char* type, const std::string& name, const std::vector<Value>& values) {
    return data.add(type, name, "", values.size() * sizeof(Value), [&](char* target) {
        if (!values.empty()) std::memcpy(target, values.data(), values.size() * sizeof(Value));
    });
}

/// Rows of floats in the order of storage.
std::string add_rows(AppendedData& data, const std::string& name, ColumnShape shape, std::span<const float> values) {
    const auto components = vtk_components(shape);
    std::string more;
    if (components.size() > 1) {
        more = " NumberOfComponents=\"" + std::to_string(components.size()) + "\"";
        for (std::size_t c = 0; c < components.size(); ++c) {
            more += " ComponentName" + std::to_string(c) + "=\"" + components[c].name + "\"";
        }
    }
    return data.add("Float32", name, more, values.size_bytes(), [&](char* target) {
        for (std::size_t row = 0; row < values.size(); row += components.size()) {
            for (const Component& component : components) {
                std::memcpy(target, &values[row + component.stored], sizeof(float));
                target += sizeof(float);
            }
        }
    });
}

std::string add_vectors(AppendedData& data, const std::string& name, const std::vector<std::array<float, 3>>& vectors) {
    const float* first = vectors.empty() ? nullptr : vectors[0].data();
    return add_rows(data, name, ColumnShape::vector, {first, 3 * vectors.size()});
}

/// 0, 1, 2 … or 1, 2, 3 …: every cell is one point.
std::string add_counting(AppendedData& data, const char* name, std::int32_t first, std::size_t count) {
    return data.add("Int32", name, "", count * sizeof(std::int32_t), [&](char* target) {
        for (std::size_t n = 0; n < count; ++n, ++first) std::memcpy(target + n * sizeof first, &first, sizeof first);
    });
}

/// The file up to the piece that `counts` describes.
std::string start_of_file(double time, const std::string& counts) {
    return "<?xml version=\"1.0\"?>\n"
           "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
           "  <PolyData>\n"
           "    <FieldData>\n"
           "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">" +
           number_text(time) + "</DataArray>\n    </FieldData>\n    <Piece " + counts + ">\n";
}

Result<void> write_vtk_file(const std::string& path, std::string xml, const AppendedData& data) {
    xml += "    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n   _";
    return write_file_atomically(path, std::array<std::string_view, 3>{xml, data.bytes(),
                                                                       "\n  </AppendedData>\n</VTKFile>\n"});
}

/// Writes all solids in their poses of a frame; each cell has the number of its solid.
Result<void> write_bodies_vtp(const std::string& path, const ExportRun& run, int frame) {
    std::vector<std::array<float, 3>> points;
    std::vector<std::int32_t> corners, ends, owner;
    for (std::size_t b = 0; b < run.bodies.size(); ++b) {
        const ExportRun::Body& body = run.bodies[b];
        const Pose pose = run.pose_of(body.name, frame);
        const auto first = static_cast<std::int32_t>(points.size());
        for (const Vec3d& vertex : body.mesh.vertices) {
            const Vec3d p = pose.to_world(vertex);
            points.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
        }
        for (const auto& triangle : body.mesh.triangles) {
            for (const std::uint32_t corner : triangle) corners.push_back(first + static_cast<std::int32_t>(corner));
            ends.push_back(static_cast<std::int32_t>(corners.size()));
            owner.push_back(static_cast<std::int32_t>(b));
        }
    }
    AppendedData data;
    std::string xml = start_of_file(
        run.time_of(frame), "NumberOfPoints=\"" + std::to_string(points.size()) +
                                "\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"" +
                                std::to_string(ends.size()) + "\"");
    xml += "      <Points>\n" + add_vectors(data, "Points", points) + "      </Points>\n      <Polys>\n";
    xml += add_array(data, "Int32", "connectivity", corners);
    xml += add_array(data, "Int32", "offsets", ends);
    xml += "      </Polys>\n      <CellData>\n" + add_array(data, "Int32", "body", owner) + "      </CellData>\n";
    return write_vtk_file(path, std::move(xml), data);
}

}  // namespace

Result<void> write_vtp(const std::string& path, const ParticleTable& particles) {
    const std::string count = std::to_string(particles.size());
    AppendedData data;
    // One statement per array: data must be appended in this order, on every compiler.
    std::string xml =
        start_of_file(particles.time, "NumberOfPoints=\"" + count + "\" NumberOfVerts=\"" + count +
                                          "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\"");
    xml += "      <Points>\n";
    xml += add_vectors(data, "Points", particles.position);
    xml += "      </Points>\n      <Verts>\n";
    xml += add_counting(data, "connectivity", 0, particles.size());
    xml += add_counting(data, "offsets", 1, particles.size());
    xml += "      </Verts>\n      <PointData Scalars=\"density\" Vectors=\"velocity\">\n";
    xml += add_vectors(data, "velocity", particles.velocity);
    xml += add_array(data, "UInt32", "id", particles.id);
    xml += add_array(data, "UInt8", "material", particles.material);
    xml += add_array(data, "Float32", "density", particles.density);
    for (const ParticleTable::Column& column : particles.extra) {
        xml += add_rows(data, column.name, column.shape, column.values);
    }
    return write_vtk_file(path, xml + "      </PointData>\n", data);
}

Result<void> write_vtp_series(const SeriesPlace& place, const ExportRun& run) {
    std::vector<std::pair<double, std::string>> files;
    for (const int frame : place.frames) {
        files.emplace_back(run.time_of(frame), place.prefix + numbered_name("frame", frame, "vtp"));
    }
    Result<void> done = write_pvd(place.file("frames.pvd"), files);
    if (run.bodies.empty() || place.frames.empty()) return done;
    // Solids at rest are written once: a file is valid until the next frame that has one.
    files.clear();
    int shown = place.frames.front();
    for (const int frame : place.frames) {
        if (frame == place.frames.front() || run.bodies_moved(shown, frame)) shown = frame;
        const std::string name = place.prefix + numbered_name("bodies", shown, "vtp");
        if (done && shown == frame && frame >= place.first_new) done = write_bodies_vtp(place.file(name), run, frame);
        files.emplace_back(run.time_of(frame), name);
    }
    return done ? write_pvd(place.file("bodies.pvd"), files) : done;
}

Result<void> write_pvd(const std::string& path, const std::vector<std::pair<double, std::string>>& files) {
    std::string xml =
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
        "  <Collection>\n";
    for (const auto& [time, file] : files) {
        xml += "    <DataSet timestep=\"" + number_text(time) + "\" group=\"\" part=\"0\" file=\"" + xml_text(file) +
               "\"/>\n";
    }
    return write_file_atomically(path, xml + "  </Collection>\n</VTKFile>\n");
}

}  // namespace treacle
