#include "io/vtp.h"

#include <cstring>
#include <map>

#include <gtest/gtest.h>

#include "small_frame.h"
#include "support/temporary_folder.h"

namespace treacle {
namespace {

/// The view of a reader of VTK files: the arrays by name with their declared type, and the bytes behind the offset.
struct VtpFile {
    struct Array {
        std::string type;
        std::string element;  ///< the whole DataArray element
        std::string bytes;
    };
    std::string xml;
    std::map<std::string, Array> arrays;
};

std::string attribute(const std::string& element, const std::string& name) {
    const std::size_t at = element.find(" " + name + "=\"");
    if (at == std::string::npos) return {};
    const std::size_t begin = at + name.size() + 3;
    return element.substr(begin, element.find('"', begin) - begin);
}

VtpFile parse(const std::string& file) {
    VtpFile vtp;
    const std::size_t marker = file.find("<AppendedData encoding=\"raw\">");
    const std::size_t data = file.find('_', marker) + 1;
    vtp.xml = file.substr(0, marker);
    for (std::size_t at = vtp.xml.find("<DataArray"); at != std::string::npos;
         at = vtp.xml.find("<DataArray", at + 1)) {
        const std::string element = vtp.xml.substr(at, vtp.xml.find('>', at) - at);
        if (attribute(element, "format") != "appended") continue;
        const std::size_t offset = data + std::stoul(attribute(element, "offset"));
        std::uint64_t length = 0;
        std::memcpy(&length, &file[offset], sizeof length);
        EXPECT_LE(offset + 8 + length, file.size());
        vtp.arrays[attribute(element, "Name")] = {attribute(element, "type"), element, file.substr(offset + 8, length)};
    }
    return vtp;
}

template <class Value>
std::vector<Value> values(const VtpFile::Array& array) {
    std::vector<Value> list(array.bytes.size() / sizeof(Value));
    std::memcpy(list.data(), array.bytes.data(), array.bytes.size());
    return list;
}

TEST(Vtp, holds_all_columns_in_id_order) {
    TemporaryFolder folder;
    const Particles particles = two_particles<double>();
    ASSERT_TRUE(write_vtp(folder.file("a.vtp"), particle_table(frame_of(particles, {}))));
    const std::string file = content_of(folder.file("a.vtp"));
    const VtpFile vtp = parse(file);
    EXPECT_NE(vtp.xml.find("<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                           "header_type=\"UInt64\">"),
              std::string::npos);
    EXPECT_NE(vtp.xml.find("Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.125<"), std::string::npos);
    EXPECT_NE(vtp.xml.find("<Piece NumberOfPoints=\"2\" NumberOfVerts=\"2\""), std::string::npos);
    EXPECT_TRUE(file.ends_with("\n  </AppendedData>\n</VTKFile>\n"));

    EXPECT_EQ(values<float>(vtp.arrays.at("Points")), (std::vector<float>{1, 2, 3, 101, 102, 103}));
    EXPECT_EQ(values<std::int32_t>(vtp.arrays.at("connectivity")), (std::vector<std::int32_t>{0, 1}));
    EXPECT_EQ(values<std::int32_t>(vtp.arrays.at("offsets")), (std::vector<std::int32_t>{1, 2}));
    EXPECT_EQ(values<float>(vtp.arrays.at("velocity")), (std::vector<float>{4, 5, 6, 104, 105, 106}));
    EXPECT_EQ(values<std::uint32_t>(vtp.arrays.at("id")), (std::vector<std::uint32_t>{4000000000u, 4000000001u}));
    EXPECT_EQ(values<std::uint8_t>(vtp.arrays.at("material")), (std::vector<std::uint8_t>{200, 201}));
    EXPECT_EQ(values<float>(vtp.arrays.at("density")), (std::vector<float>{1000, 1100}));
    EXPECT_EQ(values<float>(vtp.arrays.at("pressure")), (std::vector<float>{7, 107}));
    EXPECT_EQ(values<float>(vtp.arrays.at("direction")), (std::vector<float>{8, 9, 10, 108, 109, 110}));
    // VTK's order: XX YY ZZ XY YZ XZ
    EXPECT_EQ(values<float>(vtp.arrays.at("stress")),
              (std::vector<float>{11, 14, 16, 12, 15, 13, 111, 114, 116, 112, 115, 113}));
    EXPECT_EQ(values<float>(vtp.arrays.at("count")), (std::vector<float>{17, 18}));
    EXPECT_EQ(vtp.arrays.size(), 11u);

    EXPECT_EQ(attribute(vtp.arrays.at("velocity").element, "NumberOfComponents"), "3");
    EXPECT_EQ(attribute(vtp.arrays.at("stress").element, "NumberOfComponents"), "6");
    EXPECT_EQ(attribute(vtp.arrays.at("stress").element, "ComponentName3"), "XY");
    EXPECT_EQ(vtp.arrays.at("id").type, "UInt32");
    EXPECT_EQ(vtp.arrays.at("material").type, "UInt8");
}

TEST(Vtp, blocks_follow_each_other_without_gaps) {
    TemporaryFolder folder;
    const Particles particles = two_particles<float>();
    ASSERT_TRUE(write_vtp(folder.file("a.vtp"), particle_table(frame_of(particles, {}))));
    const std::string file = content_of(folder.file("a.vtp"));
    std::size_t total = 0;
    const VtpFile vtp = parse(file);
    for (const auto& [name, array] : vtp.arrays) total += 8 + array.bytes.size();
    EXPECT_EQ(attribute(vtp.arrays.at("Points").element, "offset"), "0");  // in the order of the elements
    EXPECT_EQ(attribute(vtp.arrays.at("count").element, "offset"), std::to_string(total - 16));
    const std::size_t data = file.find('_', file.find("<AppendedData")) + 1;
    EXPECT_EQ(file.find("\n  </AppendedData>", data), data + total);
}

TEST(Vtp, no_particles) {
    TemporaryFolder folder;
    const Particles particles(ScalarType::f32);
    ASSERT_TRUE(write_vtp(folder.file("a.vtp"), particle_table(frame_of(particles, {}))));
    const VtpFile vtp = parse(content_of(folder.file("a.vtp")));
    EXPECT_NE(vtp.xml.find("NumberOfPoints=\"0\""), std::string::npos);
    EXPECT_EQ(vtp.arrays.at("Points").bytes, "");
}

TEST(Pvd, lists_times_and_files) {
    TemporaryFolder folder;
    ASSERT_TRUE(write_pvd(folder.file("a.pvd"), {{0, "frames/frame.0001.vtp"}, {0.1, "a&b.vtp"}}));
    EXPECT_EQ(content_of(folder.file("a.pvd")),
              "<?xml version=\"1.0\"?>\n"
              "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
              "  <Collection>\n"
              "    <DataSet timestep=\"0\" group=\"\" part=\"0\" file=\"frames/frame.0001.vtp\"/>\n"
              "    <DataSet timestep=\"0.1\" group=\"\" part=\"0\" file=\"a&amp;b.vtp\"/>\n"
              "  </Collection>\n"
              "</VTKFile>\n");
}

}  // namespace
}  // namespace treacle
