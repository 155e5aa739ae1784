#include "io/vtkhdf.h"

#include <numeric>

#include "core/file.h"
#include "core/json.h"
#include "io/frame_columns.h"
#include "checkpoint/hdf5_memory.h"

namespace treacle {

namespace {

using Type = Hdf5Memory::Type;

constexpr std::uint8_t vertex_cell = 1;  // VTK_VERTEX

std::vector<float> in_vtk_order(const ParticleTable::Column& column) {
    if (column.shape != ColumnShape::symmetric_tensor) return column.values;
    constexpr std::array<std::size_t, 6> stored{0, 3, 5, 1, 4, 2};
    std::vector<float> values;
    values.reserve(column.values.size());
    for (std::size_t row = 0; row < column.values.size(); row += stored.size()) {
        for (const std::size_t component : stored) values.push_back(column.values[row + component]);
    }
    return values;
}

}  // namespace

Result<void> write_vtkhdf(const std::string& path, const ParticleTable& particles) {
    const std::size_t count = particles.size();
    Hdf5Memory file(65536 + count * 60);
    file.add_group("/VTKHDF");
    file.add_attribute("/VTKHDF", "Version", {1, 0});
    file.add_text_attribute("/VTKHDF", "Type", "UnstructuredGrid");
    const auto number = static_cast<std::int64_t>(count);  // one partition: lists of one
    for (const char* name : {"NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"}) {
        file.add_dataset(std::string("/VTKHDF/") + name, Type::i64, {1}, &number);
    }
    std::vector<std::int64_t> counting(count + 1);
    std::iota(counting.begin(), counting.end(), 0);
    file.add_dataset("/VTKHDF/Points", Type::f32, {count, 3}, particles.position.data());
    file.add_dataset("/VTKHDF/Connectivity", Type::i64, {count}, counting.data());
    file.add_dataset("/VTKHDF/Offsets", Type::i64, {count + 1}, counting.data());
    const std::vector<std::uint8_t> types(count, vertex_cell);
    file.add_dataset("/VTKHDF/Types", Type::u8, {count}, types.data());

    file.add_group("/VTKHDF/PointData");
    file.add_dataset("/VTKHDF/PointData/velocity", Type::f32, {count, 3}, particles.velocity.data());
    file.add_dataset("/VTKHDF/PointData/id", Type::u32, {count}, particles.id.data());
    file.add_dataset("/VTKHDF/PointData/material", Type::u8, {count}, particles.material.data());
    file.add_dataset("/VTKHDF/PointData/density", Type::f32, {count}, particles.density.data());
    for (const ParticleTable::Column& column : particles.extra) {
        const std::size_t width = component_names(column.shape).size();
        const std::vector<float> values = in_vtk_order(column);
        const std::vector<std::size_t> extent = width == 1 ? std::vector{count} : std::vector{count, width};
        file.add_dataset("/VTKHDF/PointData/" + column.name, Type::f32, extent, values.data());
    }
    file.add_group("/VTKHDF/FieldData");
    file.add_dataset("/VTKHDF/FieldData/TimeValue", Type::f64, {1}, &particles.time);
    return file.write(path);
}

Result<void> write_vtkhdf_series(const SeriesPlace& place, const ExportRun& run) {
    Json files = Json::array();
    for (const int frame : place.frames) {
        Json file = Json::object();
        file.set("name", place.prefix + numbered_name("frame", frame, "hdf"));
        file.set("time", run.time_of(frame));
        files.push(std::move(file));
    }
    Json series = Json::object();
    series.set("file-series-version", "1.0");
    series.set("files", std::move(files));
    return write_file_atomically(place.file("frames.hdf.series"), to_text(series));
}

}  // namespace treacle
