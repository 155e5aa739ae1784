#include "io/usda.h"

#include <algorithm>
#include <set>

#include "core/file.h"
#include "core/text.h"
#include "io/frame_columns.h"
#include "io/number_append.h"

namespace treacle {

namespace {

std::string layer_header(const ExportRun& run, const char* default_prim, int first, int last) {
    return std::string("#usda 1.0\n(\n    defaultPrim = \"") + default_prim +
           "\"\n    metersPerUnit = 1\n    upAxis = \"" + (run.z_up ? "Z" : "Y") +
           "\"\n    startTimeCode = " + std::to_string(first) + "\n    endTimeCode = " + std::to_string(last) +
           "\n    timeCodesPerSecond = " + number_text(run.fps) + "\n    framesPerSecond = " + number_text(run.fps) +
           "\n)\n\n";
}

/// A name that USD takes for a prim: letters, digits and underscores, no digit in front.
std::string prim_name(const std::string& name) {
    std::string safe;
    for (const char c : name) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        safe += plain ? c : '_';
    }
    if (safe.empty() || (safe[0] >= '0' && safe[0] <= '9')) safe.insert(0, "_");
    return safe;
}

template <class Number>
void append_row(std::string& text, const Number* values, std::size_t width) {
    if (width > 1) text += '(';
    for (std::size_t c = 0; c < width; ++c) {
        if (c > 0) text += ", ";
        append_number(text, values[c]);
    }
    if (width > 1) text += ')';
}

/// An attribute with the rows of one frame; `declaration` is type and name.
template <class Number>
void append_samples(std::string& text, const std::string& declaration, int frame, const Number* values,
                    std::size_t rows, std::size_t width, const std::string& metadata = {}) {
    if (!metadata.empty()) text += "    " + declaration + " (\n" + metadata + "    )\n";
    text += "    " + declaration + ".timeSamples = {\n        " + std::to_string(frame) + ": [";
    for (std::size_t n = 0; n < rows; ++n) {
        if (n > 0) text += ", ";
        append_row(text, values + n * width, width);
    }
    text += "],\n    }\n";
}

/// Tensors have no type in USD: their six numbers follow each other, with an element size of 6.
std::string primvar_declaration(const ParticleTable::Column& column) {
    const char* type = column.shape == ColumnShape::vector ? "vector3f[]" : "float[]";
    return std::string(type) + " primvars:" + prim_name(column.name);
}

void append_fluid(std::string& text, const ParticleTable& particles, const ExportRun& run) {
    const std::size_t count = particles.size();
    const int frame = particles.frame;
    const auto first = [](const auto& rows) { return rows.empty() ? nullptr : rows[0].data(); };
    append_samples(text, "point3f[] points", frame, first(particles.position), count, 3);
    append_samples(text, "vector3f[] velocities", frame, first(particles.velocity), count, 3);
    append_samples(text, "int64[] ids", frame, particles.id.data(), count, 1);
    std::vector<std::array<float, 3>> colors;
    std::vector<int> materials;
    for (const std::uint8_t material : particles.material) {
        colors.push_back(run.color_of(material));
        materials.push_back(material);
    }
    const std::string per_point = "        interpolation = \"vertex\"\n";
    append_samples(text, "color3f[] primvars:displayColor", frame, first(colors), count, 3, per_point);
    append_samples(text, "float[] primvars:density", frame, particles.density.data(), count, 1, per_point);
    append_samples(text, "int[] primvars:material", frame, materials.data(), count, 1, per_point);
    for (const ParticleTable::Column& column : particles.extra) {
        const bool tensor = column.shape == ColumnShape::symmetric_tensor;
        const std::size_t width = column.shape == ColumnShape::vector ? 3 : 1;
        const std::size_t rows = column.values.size() / width;
        append_samples(text, primvar_declaration(column), frame, column.values.data(), rows, width,
                       (tensor ? "        elementSize = 6\n" : "") + per_point);
    }
    std::array<float, 6> extent{};
    for (std::size_t n = 0; n < count; ++n) {
        for (std::size_t c = 0; c < 3; ++c) {
            const float value = particles.position[n][c], half = static_cast<float>(run.spacing / 2);
            extent[c] = n == 0 ? value - half : std::min(extent[c], value - half);
            extent[c + 3] = n == 0 ? value + half : std::max(extent[c + 3], value + half);
        }
    }
    append_samples(text, "float3[] extent", frame, extent.data(), 2, 3);
}

void append_mesh(std::string& text, const TriangleMesh& mesh) {
    text += "        int[] faceVertexCounts = [";
    for (std::size_t n = 0; n < mesh.triangles.size(); ++n) text += n == 0 ? "3" : ", 3";
    text += "]\n        int[] faceVertexIndices = [";
    for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
        for (const std::uint32_t corner : mesh.triangles[n]) {
            if (text.back() != '[') text += ", ";
            append_number(text, corner);
        }
    }
    text += "]\n        point3f[] points = [";
    for (std::size_t n = 0; n < mesh.vertices.size(); ++n) {
        if (n > 0) text += ", ";
        const Vec3d& v = mesh.vertices[n];
        const std::array<float, 3> row{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
        append_row(text, row.data(), 3);
    }
    text += "]\n        uniform token subdivisionScheme = \"none\"\n";
}

/// A frame has a sample if the body's pose differs from that of the frame before or after.
std::vector<int> frames_that_matter(const std::vector<int>& frames, const std::vector<Pose>& poses) {
    std::vector<int> kept;
    for (std::size_t n = 0; n < frames.size(); ++n) {
        const bool start = n == 0 || !(poses[n] == poses[n - 1]);
        const bool end = n + 1 < frames.size() && !(poses[n] == poses[n + 1]);
        if (start || end) kept.push_back(static_cast<int>(n));
    }
    return kept;
}

void append_body(std::string& text, const std::string& name, const ExportRun::Body& body,
                 const std::vector<int>& frames, const ExportRun& run) {
    std::vector<Pose> poses;
    for (const int frame : frames) poses.push_back(run.pose_of(body.name, frame));
    std::string positions, rotations;
    for (const int n : frames_that_matter(frames, poses)) {
        const Pose& pose = poses[static_cast<std::size_t>(n)];
        const std::string at = "            " + std::to_string(frames[static_cast<std::size_t>(n)]) + ": ";
        const std::array<double, 3> p{pose.position.x, pose.position.y, pose.position.z};
        const std::array<float, 4> q{static_cast<float>(pose.rotation.w), static_cast<float>(pose.rotation.x),
                                     static_cast<float>(pose.rotation.y), static_cast<float>(pose.rotation.z)};
        append_row(positions += at, p.data(), 3);
        append_row(rotations += at, q.data(), 4);
        positions += ",\n";
        rotations += ",\n";
    }
    text += "\n    def Mesh \"" + name + "\"\n    {\n";
    append_mesh(text, body.mesh);
    text += "        double3 xformOp:translate.timeSamples = {\n" + positions + "        }\n";
    text += "        quatf xformOp:orient.timeSamples = {\n" + rotations + "        }\n";
    text += "        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n    }\n";
}

/// Attributes of the clips, declared in the stage and in the manifest.
constexpr const char* clip_attributes =
    "    float3[] extent\n    int64[] ids\n    point3f[] points\n    vector3f[] velocities\n"
    "    color3f[] primvars:displayColor (\n        interpolation = \"vertex\"\n    )\n"
    "    float[] primvars:density (\n        interpolation = \"vertex\"\n    )\n"
    "    int[] primvars:material (\n        interpolation = \"vertex\"\n    )\n";

std::string widths_of(const ExportRun& run) {
    return "    float[] widths = [" + number_text(run.spacing) + "] (\n        interpolation = \"constant\"\n    )\n";
}

}  // namespace

Result<void> write_usda(const std::string& path, const ParticleTable& particles, const ExportRun& run) {
    std::string text = layer_header(run, "fluid", particles.frame, particles.frame) + "def Points \"fluid\"\n{\n";
    append_fluid(text, particles, run);
    return write_file_atomically(path, text + widths_of(run) + "}\n");
}

Result<void> write_usda_series(const SeriesPlace& place, const ExportRun& run) {
    const int first = place.frames.empty() ? 1 : place.frames.front();
    const int last = place.frames.empty() ? 1 : place.frames.back();
    std::string files, active, times;
    for (std::size_t n = 0; n < place.frames.size(); ++n) {
        const std::string frame = std::to_string(place.frames[n]), comma = n == 0 ? "" : ", ";
        files += comma + "@./" + place.prefix + numbered_name("frame", place.frames[n], "usda") + "@";
        active += comma + "(" + frame + ", " + std::to_string(n) + ")";
        times += comma + "(" + frame + ", " + frame + ")";
    }
    const std::string manifest = "frames.manifest.usda";
    std::string text =
        layer_header(run, "treacle", first, last) + "def Xform \"treacle\"\n{\n    def Points \"fluid\" (\n" +
        "        clips = {\n            dictionary default = {\n" + "                double2[] active = [" + active +
        "]\n" + "                asset[] assetPaths = [" + files + "]\n" +
        "                asset manifestAssetPath = @./" + manifest + "@\n" +
        "                string primPath = \"/fluid\"\n" + "                double2[] times = [" + times +
        "]\n            }\n        }\n    )\n    {\n" + clip_attributes + widths_of(run) + "    }\n";
    std::set<std::string> names{"fluid"};
    for (const ExportRun::Body& body : run.bodies) {
        std::string name = prim_name(body.name);
        while (!names.insert(name).second) name += "_";
        append_body(text, name, body, place.frames, run);
    }
    Result<void> done = write_file_atomically(place.file(manifest), std::string("#usda 1.0\n\nover \"fluid\"\n{\n") +
                                                                        clip_attributes + "}\n");
    return done ? write_file_atomically(place.file("frames.usda"), text + "}\n") : done;
}

}  // namespace treacle
