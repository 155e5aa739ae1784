#include "io/vdb_points.h"

#include <sstream>

#include <gtest/gtest.h>

#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <openvdb/points/PointCount.h>
#include <openvdb/points/PointDataGrid.h>

#include "small_frame.h"
#include "support/temporary_folder.h"

// In an executable of its own: it takes as long to compile as all the others of this folder.

namespace treacle {
namespace {

using openvdb::points::AttributeHandle;
using openvdb::points::PointDataGrid;

TEST(VdbPoints, hold_what_houdini_looks_for) {
    TemporaryFolder folder;
    ParticleTable table = particle_table(frame_of(two_particles<float>(), {}));
    table.id = {7, 9};
    ExportRun run;
    run.spacing = 0.5;
    ASSERT_TRUE(write_vdb_points(folder.file("a.vdb"), table, run));

    openvdb::initialize();
    std::istringstream bytes(content_of(folder.file("a.vdb")), std::ios::binary);
    openvdb::io::Stream stream(bytes);
    EXPECT_EQ(stream.getMetadata()->metaValue<double>("time"), 0.125);
    ASSERT_EQ(stream.getGrids()->size(), 1u);
    const auto grid = openvdb::gridPtrCast<PointDataGrid>(stream.getGrids()->front());
    EXPECT_EQ(grid->getName(), "points");
    EXPECT_EQ(openvdb::points::pointCount(grid->tree()), 2u);

    std::map<int, openvdb::Vec3d> positions;
    for (auto leaf = grid->tree().cbeginLeaf(); leaf; ++leaf) {
        const AttributeHandle<openvdb::Vec3f> place(leaf->constAttributeArray("P"));
        const AttributeHandle<openvdb::Vec3f> velocity(leaf->constAttributeArray("v"));
        const AttributeHandle<std::int32_t> id(leaf->constAttributeArray("id")),
            material(leaf->constAttributeArray("material"));
        const AttributeHandle<float> radius(leaf->constAttributeArray("pscale")),
            density(leaf->constAttributeArray("density"));
        const AttributeHandle<float> stress(leaf->constAttributeArray("stress_yz"));
        for (auto index = leaf->beginIndexOn(); index; ++index) {
            const float base = id.get(*index) == 7 ? 0.0f : 100.0f;
            positions[id.get(*index)] =
                grid->indexToWorld(openvdb::Vec3d(place.get(*index)) + index.getCoord().asVec3d());
            EXPECT_EQ(velocity.get(*index), openvdb::Vec3f(base + 4, base + 5, base + 6));
            EXPECT_EQ(density.get(*index), 1000 + base);
            EXPECT_EQ(radius.get(*index), 0.25f);
            EXPECT_EQ(material.get(*index), id.get(*index) == 7 ? 200 : 201);
            EXPECT_EQ(stress.get(*index), base + 15);
        }
    }
    ASSERT_EQ(positions.size(), 2u);
    EXPECT_NEAR((positions[7] - openvdb::Vec3d(1, 2, 3)).length(), 0, 1e-6);
    EXPECT_NEAR((positions[9] - openvdb::Vec3d(101, 102, 103)).length(), 0, 1e-4);
}

TEST(VdbPoints, no_particles) {
    TemporaryFolder folder;
    ExportRun run;
    run.spacing = 0.5;
    EXPECT_TRUE(write_vdb_points(folder.file("a.vdb"), {}, run));
}

}  // namespace
}  // namespace treacle
