#include "io/vdb_points.h"

#include <sstream>

// The library makes this file slow to compile, so it is included nowhere else in this folder. Its headers warn.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <openvdb/points/PointAttribute.h>
#include <openvdb/points/PointConversion.h>
#pragma GCC diagnostic pop

#include "core/file.h"
#include "io/frame_columns.h"

namespace treacle {

namespace {

using openvdb::points::PointDataGrid;
using openvdb::tools::PointIndexGrid;

/// Eight particles per voxel: the library wants several.
constexpr double voxel_in_spacings = 2;

/// One attribute, in the order in which particles were given.
template <class Value, class Get>
void add_attribute(PointDataGrid& grid, const PointIndexGrid& index, const std::string& name, std::size_t count,
                   const Get& get) {
    std::vector<Value> values(count);
    for (std::size_t n = 0; n < count; ++n) values[n] = get(n);
    openvdb::points::appendAttribute<Value>(grid.tree(), name);
    const openvdb::points::PointAttributeVector<Value> wrapped(values);
    openvdb::points::populateAttribute(grid.tree(), index.tree(), name, wrapped);
}

PointDataGrid::Ptr points_grid(const ParticleTable& particles, const ExportRun& run) {
    const std::size_t count = particles.size();
    std::vector<openvdb::Vec3f> positions;
    for (const auto& p : particles.position) positions.emplace_back(p[0], p[1], p[2]);
    const openvdb::points::PointAttributeVector<openvdb::Vec3f> wrapped(positions);
    const auto transform = openvdb::math::Transform::createLinearTransform(voxel_in_spacings * run.spacing);
    const auto index = openvdb::tools::createPointIndexGrid<PointIndexGrid>(wrapped, *transform);
    using openvdb::points::NullCodec;
    auto grid = openvdb::points::createPointDataGrid<NullCodec, PointDataGrid>(*index, wrapped, *transform);
    grid->setName("points");

    const auto vector = [](const float* v) { return openvdb::Vec3f(v[0], v[1], v[2]); };
    add_attribute<openvdb::Vec3f>(*grid, *index, "v", count,
                                  [&](std::size_t n) { return vector(particles.velocity[n].data()); });
    add_attribute<std::int32_t>(*grid, *index, "id", count,
                                [&](std::size_t n) { return static_cast<std::int32_t>(particles.id[n]); });
    const auto radius = static_cast<float>(run.spacing / 2);
    add_attribute<float>(*grid, *index, "pscale", count, [&](std::size_t n) { return radius * particles.size_of(n); });
    add_attribute<float>(*grid, *index, "density", count, [&](std::size_t n) { return particles.density[n]; });
    add_attribute<std::int32_t>(*grid, *index, "material", count,
                                [&](std::size_t n) { return std::int32_t{particles.material[n]}; });
    for (const ParticleTable::Column& column : particles.extra) {
        const auto components = component_names(column.shape);
        const std::size_t width = components.size();
        if (column.shape == ColumnShape::vector) {
            add_attribute<openvdb::Vec3f>(*grid, *index, column.name, count,
                                          [&](std::size_t n) { return vector(column.values.data() + 3 * n); });
            continue;
        }
        for (std::size_t c = 0; c < width; ++c) {
            add_attribute<float>(*grid, *index, width == 1 ? column.name : column.name + "_" + components[c], count,
                                 [&](std::size_t n) { return column.values[n * width + c]; });
        }
    }
    return grid;
}

}  // namespace

Result<void> write_vdb_points(const std::string& path, const ParticleTable& particles, const ExportRun& run) {
    try {
        openvdb::initialize();
        const auto grid = points_grid(particles, run);
        openvdb::MetaMap meta;
        meta.insertMeta("creator", openvdb::StringMetadata("treacle"));
        meta.insertMeta("frame", openvdb::Int32Metadata(particles.frame));
        meta.insertMeta("time", openvdb::DoubleMetadata(particles.time));
        meta.insertMeta("up_axis", openvdb::StringMetadata(run.z_up ? "z" : "y"));
        // In memory first: the library's own files could be left half written.
        std::ostringstream bytes(std::ios::binary);
        openvdb::io::Stream(bytes).write(openvdb::GridCPtrVec{grid}, meta);
        if (!bytes) return fail(ExitCode::file_failed, "OpenVDB could not write the points", path);
        return write_file_atomically(path, bytes.str());
    } catch (const openvdb::Exception& error) {
        return fail(ExitCode::file_failed, std::string("OpenVDB could not make the points: ") + error.what(), path);
    }
}

}  // namespace treacle
