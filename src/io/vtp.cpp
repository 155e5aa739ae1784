#include "io/vtp.h"

#include <array>
#include <cstring>
#include <numeric>
#include <span>

#include "core/file.h"
#include "core/text.h"
#include "io/frame_columns.h"

namespace treacle {

namespace {

/// Text for the inside of a quoted XML attribute.
std::string xml_text(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
            case '&': escaped += "&amp;"; break;
            case '<': escaped += "&lt;"; break;
            case '>': escaped += "&gt;"; break;
            case '"': escaped += "&quot;"; break;
            default: escaped += c;
        }
    }
    return escaped;
}

/// The blocks of binary data at the end of the file: each is its length as UInt64, then the bytes.
class AppendedData {
public:
    const std::string& bytes() const { return bytes_; }

    /// Room for one array; `fill` gets where it begins. Returns the DataArray element that refers to it.
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

template <class Target>
std::string add_column(AppendedData& data, const char* type, const std::string& name, const Columns::Column& column,
                       std::span<const std::uint32_t> order) {
    const auto components = vtk_components(column.info.shape);
    const std::size_t stride = components.size() * sizeof(Target);
    std::string more;
    if (components.size() > 1) {
        more = " NumberOfComponents=\"" + std::to_string(components.size()) + "\"";
        for (std::size_t c = 0; c < components.size(); ++c) {
            more += " ComponentName" + std::to_string(c) + "=\"" + components[c].name + "\"";
        }
    }
    return data.add(type, name, more, stride * order.size(), [&](char* target) {
        for (std::size_t c = 0; c < components.size(); ++c) {
            gather_component<Target>(column, components[c].stored, order, target + c * sizeof(Target), stride);
        }
    });
}

/// 0, 1, 2 … or 1, 2, 3 …: every cell is one point.
std::string add_counting(AppendedData& data, const char* name, std::int32_t first, std::size_t count) {
    return data.add("Int32", name, "", count * sizeof(std::int32_t), [&](char* target) {
        for (std::size_t n = 0; n < count; ++n, ++first) std::memcpy(target + n * sizeof first, &first, sizeof first);
    });
}

}  // namespace

Result<void> write_vtp(const std::string& path, const Frame& frame) {
    const Particles& particles = frame.particles;
    const std::span<const std::uint32_t> order = frame.id_order;
    const std::string count = std::to_string(order.size());
    AppendedData data;
    std::string xml =
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
        "  <PolyData>\n"
        "    <FieldData>\n"
        "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">";
    // One statement per array: data must be appended in this order, on every compiler.
    xml += number_text(frame.time) + "</DataArray>\n    </FieldData>\n    <Piece NumberOfPoints=\"" + count +
           "\" NumberOfVerts=\"" + count + "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n";
    xml += "      <Points>\n";
    xml += add_column<float>(data, "Float32", "Points", require_column(particles, "position"), order);
    xml += "      </Points>\n      <Verts>\n";
    xml += add_counting(data, "connectivity", 0, order.size());
    xml += add_counting(data, "offsets", 1, order.size());
    xml += "      </Verts>\n      <PointData Scalars=\"density\" Vectors=\"velocity\">\n";
    xml += add_column<float>(data, "Float32", "velocity", require_column(particles, "velocity"), order);
    xml += add_column<std::uint32_t>(data, "UInt32", "id", require_column(particles, "id"), order);
    xml += add_column<std::uint8_t>(data, "UInt8", "material", require_column(particles, "material"), order);
    xml += add_column<float>(data, "Float32", "density", require_column(particles, "density"), order);
    for (const Columns::Column* column : extra_columns(particles)) {
        xml += add_column<float>(data, "Float32", column->info.name, *column, order);
    }
    xml += "      </PointData>\n    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n   _";
    return write_file_atomically(
        path, std::array<std::string_view, 3>{xml, data.bytes(), "\n  </AppendedData>\n</VTKFile>\n"});
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
