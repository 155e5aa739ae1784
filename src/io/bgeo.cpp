#include "io/bgeo.h"

#include <bit>
#include <cstdint>
#include <functional>

#include "core/file.h"
#include "io/frame_columns.h"
#include "io/gzip.h"

namespace treacle {

namespace {

enum class HoudiniType : std::int32_t { real = 0, integer = 1, vector = 5 };

/// Collects the bytes of the file, most significant first.
class BigEndian {
public:
    explicit BigEndian(std::size_t expected) { bytes_.reserve(expected); }

    void add(std::string_view text) { bytes_ += text; }
    void add16(std::size_t value) { add_bytes(static_cast<std::uint32_t>(value), 2); }
    void add32(std::uint32_t value) { add_bytes(value, 4); }
    void add_float(float value) { add32(std::bit_cast<std::uint32_t>(value)); }
    std::string take() { return std::move(bytes_); }

private:
    void add_bytes(std::uint32_t value, int count) {
        while (count-- > 0) bytes_ += static_cast<char>(value >> 8 * count & 0xff);
    }

    std::string bytes_;
};

struct Attribute {
    std::string name;
    HoudiniType type;
    std::function<void(BigEndian&, std::size_t particle)> write;
};

std::vector<Attribute> attributes_of(const ParticleTable& particles, const ExportRun& run) {
    std::vector<Attribute> list{
        {"v", HoudiniType::vector,
         [&](BigEndian& out, std::size_t n) {
             for (const float value : particles.velocity[n]) out.add_float(value);
         }},
        {"id", HoudiniType::integer, [&](BigEndian& out, std::size_t n) { out.add32(particles.id[n]); }},
        {"pscale", HoudiniType::real,
         [&, radius = static_cast<float>(run.spacing / 2)](BigEndian& out, std::size_t n) {
             out.add_float(radius * particles.size_of(n));
         }},
        {"density", HoudiniType::real, [&](BigEndian& out, std::size_t n) { out.add_float(particles.density[n]); }},
        {"material", HoudiniType::integer, [&](BigEndian& out, std::size_t n) { out.add32(particles.material[n]); }},
    };
    for (const ParticleTable::Column& column : particles.extra) {
        const auto components = component_names(column.shape);
        const std::size_t width = components.size();
        if (column.shape == ColumnShape::vector) {
            list.push_back({column.name, HoudiniType::vector, [&column](BigEndian& out, std::size_t n) {
                                for (std::size_t c = 0; c < 3; ++c) out.add_float(column.values[3 * n + c]);
                            }});
            continue;
        }
        for (std::size_t c = 0; c < width; ++c) {
            list.push_back(
                {width == 1 ? column.name : column.name + "_" + components[c], HoudiniType::real,
                 [&column, c, width](BigEndian& out, std::size_t n) { out.add_float(column.values[n * width + c]); }});
        }
    }
    return list;
}

}  // namespace

std::string bgeo_bytes(const ParticleTable& particles, const ExportRun& run) {
    const auto attributes = attributes_of(particles, run);
    BigEndian out(64 + particles.size() * 4 * (4 + 3 * attributes.size()));
    out.add("BgeoV");
    out.add32(5);
    out.add32(static_cast<std::uint32_t>(particles.size()));
    for (int zero = 0; zero < 3; ++zero) out.add32(0);  // primitives, groups of points, groups of primitives
    out.add32(static_cast<std::uint32_t>(attributes.size()));
    for (int zero = 0; zero < 3; ++zero) out.add32(0);  // attributes of vertices, of primitives, of the whole
    for (const Attribute& attribute : attributes) {
        const std::size_t size = attribute.type == HoudiniType::vector ? 3 : 1;
        out.add16(attribute.name.size());
        out.add(attribute.name);
        out.add16(size);
        out.add32(static_cast<std::uint32_t>(attribute.type));
        for (std::size_t c = 0; c < size; ++c) out.add32(0);  // default for new points
    }
    for (std::size_t n = 0; n < particles.size(); ++n) {
        for (const float value : particles.position[n]) out.add_float(value);
        out.add_float(1);  // positions are homogeneous
        for (const Attribute& attribute : attributes) attribute.write(out, n);
    }
    out.add(std::string_view("\x00\xff", 2));
    return out.take();
}

Result<void> write_bgeo(const std::string& path, const ParticleTable& particles, const ExportRun& run) {
    return write_file_atomically(path, gzip(bgeo_bytes(particles, run)));
}

}  // namespace treacle
