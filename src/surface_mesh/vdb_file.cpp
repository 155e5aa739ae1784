#include "surface_mesh/vdb_file.h"

#include <mutex>
#include <sstream>

#include <openvdb/io/Archive.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>

#include "core/file.h"

namespace treacle {

namespace {

/// The library marks every file with random digits. The same mesh must give the same file, so they are made from the
/// content.
void set_tag(std::string& bytes) {
    constexpr std::size_t place = 21, length = 36;  // behind magic number, versions and a flag
    std::uint64_t hash = 0xcbf29ce484222325;
    for (std::size_t n = place + length; n < bytes.size(); ++n)
        hash = (hash ^ static_cast<unsigned char>(bytes[n])) * 0x100000001b3;
    for (std::size_t n = place; n < place + length; ++n) {
        if (bytes[n] == '-') continue;
        bytes[n] = "0123456789abcdef"[hash & 15];
        hash = hash >> 4 | hash << 60;
    }
}

/// Lets the library write to memory. The file is then written like all others, whole or not at all.
class MemoryArchive : public openvdb::io::Archive {
public:
    MemoryArchive() { setCompression(openvdb::io::COMPRESS_ACTIVE_MASK); }  // compressed bytes would depend on versions

    std::string bytes_of(const openvdb::GridBase::Ptr& grid) const {
        std::ostringstream stream(std::ios::binary);
        write(stream, openvdb::GridCPtrVec{grid}, /*seekable=*/true);
        std::string bytes = std::move(stream).str();
        set_tag(bytes);
        return bytes;
    }
};

/// The mesh in voxels, in the form that the library's templates need.
struct VoxelMesh {
    const SurfaceMesh& mesh;
    double voxel;

    std::size_t polygonCount() const { return mesh.triangles.size(); }
    std::size_t pointCount() const { return mesh.points.size(); }
    std::size_t vertexCount(std::size_t) const { return 3; }
    void getIndexSpacePoint(std::size_t triangle, std::size_t corner, openvdb::Vec3d& p) const {
        const Vec3f at = mesh.points[mesh.triangles[triangle][corner]];
        p = openvdb::Vec3d(at.x, at.y, at.z) / voxel;
    }
};

}  // namespace

Result<void> write_mesh_vdb(const std::string& path, const SurfaceMesh& mesh, double voxel, int frame, double time) {
    static std::once_flag started;
    std::call_once(started, [] { openvdb::initialize(); });
    constexpr float half_width = 3;  // voxels
    const auto transform = openvdb::math::Transform::createLinearTransform(voxel);
    const VoxelMesh source{mesh, voxel};
    const auto grid = openvdb::tools::meshToVolume<openvdb::FloatGrid>(source, *transform, half_width, half_width);
    grid->setName("surface");
    grid->setGridClass(openvdb::GRID_LEVEL_SET);
    grid->insertMeta("frame", openvdb::Int32Metadata(frame));
    grid->insertMeta("time", openvdb::DoubleMetadata(time));
    return write_file_atomically(path, MemoryArchive().bytes_of(grid));
}

}  // namespace treacle
