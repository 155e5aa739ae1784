#include "io/mitsuba.h"

#include <algorithm>
#include <cmath>

#include "core/file.h"
#include "core/text.h"
#include "io/body_mesh.h"
#include "io/number_append.h"

namespace treacle {

namespace {

constexpr double field_of_view = 35;  // degrees

std::string numbers(Vec3d v) { return number_text(v.x) + ", " + number_text(v.y) + ", " + number_text(v.z); }

/// Mitsuba takes linear colors, not the sRGB values of pictures.
std::string linear_rgb(const std::array<float, 3>& color) {
    const auto linear = [](float c) {
        return static_cast<double>(c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f));
    };
    return numbers({linear(color[0]), linear(color[1]), linear(color[2])});
}

std::string material_id(std::size_t material) { return "fluid_" + std::to_string(material); }
std::string body_file(std::size_t body) { return "body_" + std::to_string(body) + ".ply"; }

/// The rows of a pose's matrix.
std::string matrix_of(const Pose& pose) {
    const std::array<Vec3d, 3> columns{rotate(pose.rotation, {1, 0, 0}), rotate(pose.rotation, {0, 1, 0}),
                                       rotate(pose.rotation, {0, 0, 1})};
    std::string text;
    for (int row = 0; row < 3; ++row) {
        for (const Vec3d& column : columns) text += number_text(column[row]) + " ";
        text += number_text(pose.position[row]) + " ";
    }
    return text + "0 0 0 1";
}

/// Looks at the fluid of all frames from slightly above, like the default camera of `treacle render`.
std::string camera_of(const ExportRun& run) {
    const Vec3d center = 0.5 * (run.fluid.low + run.fluid.high);
    const double radius = std::max(0.5 * length(run.fluid.high - run.fluid.low), run.spacing);
    const double distance = 1.3 * radius / std::sin(field_of_view / 2 * 3.14159265358979 / 180);
    const Vec3d up = run.z_up ? Vec3d{0, 0, 1} : Vec3d{0, 1, 0};
    const Vec3d front = run.z_up ? Vec3d{0, -1, 0} : Vec3d{0, 0, 1};
    const Vec3d direction = front + 0.35 * up + 0.45 * Vec3d{1, 0, 0};
    const Vec3d origin = center + (distance / length(direction)) * direction;
    return "    <sensor type=\"perspective\">\n"
           "        <float name=\"fov\" value=\"" +
           number_text(field_of_view) +
           "\"/>\n"
           "        <string name=\"fov_axis\" value=\"smaller\"/>\n"
           "        <transform name=\"to_world\">\n"
           "            <lookat origin=\"" +
           numbers(origin) + "\" target=\"" + numbers(center) + "\" up=\"" + numbers(up) +
           "\"/>\n        </transform>\n"
           "        <sampler type=\"independent\">\n            <integer name=\"sample_count\" value=\"64\"/>\n"
           "        </sampler>\n"
           "        <film type=\"hdrfilm\">\n            <integer name=\"width\" value=\"960\"/>\n"
           "            <integer name=\"height\" value=\"540\"/>\n        </film>\n    </sensor>\n";
}

/// A mesh in a file beside the scene, with smooth or flat shading.
std::string mesh_shape(const std::string& file, const Pose& pose, const char* flat, const std::string& material) {
    return "    <shape type=\"ply\">\n        <string name=\"filename\" value=\"" + xml_text(file) +
           "\"/>\n        <boolean name=\"face_normals\" value=\"" + flat +
           "\"/>\n        <transform name=\"to_world\">\n"
           "            <matrix value=\"" +
           matrix_of(pose) + "\"/>\n        </transform>\n        <ref id=\"" + material + "\"/>\n    </shape>\n";
}

void append_spheres(std::string& text, const ParticleTable& particles, const ExportRun& run) {
    for (std::size_t n = 0; n < particles.size(); ++n) {
        const auto& p = particles.position[n];
        const std::string radius = number_text(static_cast<double>(particles.size_of(n)) * run.spacing / 2);
        text += "    <shape type=\"sphere\"><point name=\"center\" x=\"";
        append_number(text, p[0]);
        text += "\" y=\"";
        append_number(text, p[1]);
        text += "\" z=\"";
        append_number(text, p[2]);
        text += "\"/><float name=\"radius\" value=\"" + radius + "\"/><ref id=\"" + material_id(particles.material[n]) +
                "\"/></shape>\n";
    }
}

}  // namespace

Result<void> write_mitsuba(const std::string& path, const ParticleTable& particles, const ExportRun& run) {
    std::string text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- frame " + std::to_string(particles.frame) +
                       ", t = " + number_text(particles.time) +
                       " s, made by treacle -->\n<scene version=\"3.0.0\">\n"
                       "    <include filename=\"settings.xml\"/>\n";
    for (std::size_t b = 0; b < run.bodies.size(); ++b) {
        text += mesh_shape(body_file(b), run.pose_of(run.bodies[b].name, particles.frame), "true", "solid");
    }
    if (const auto surface = run.surfaces.find(particles.frame); surface != run.surfaces.end()) {
        const Pose pose{{}, run.z_up ? from_y_up_to_z_up : Quaternion{}};  // the file itself has y up
        text += mesh_shape(surface->second, pose, "false", material_id(0));
    } else {
        append_spheres(text, particles, run);
    }
    return write_file_atomically(path, text + "</scene>\n");
}

Result<void> write_mitsuba_series(const SeriesPlace& place, const ExportRun& run) {
    std::string text =
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- camera, light and materials of all frames; "
        "made by treacle, to be changed by you -->\n<scene version=\"3.0.0\">\n"
        "    <integrator type=\"path\">\n        <integer name=\"max_depth\" value=\"12\"/>\n"
        "    </integrator>\n" +
        camera_of(run) +
        "    <emitter type=\"constant\">\n        <rgb name=\"radiance\" value=\"1\"/>\n    </emitter>\n"
        "    <bsdf type=\"twosided\" id=\"solid\">\n        <bsdf type=\"diffuse\">\n"
        "            <rgb name=\"reflectance\" value=\"0.5\"/>\n        </bsdf>\n    </bsdf>\n";
    for (std::size_t m = 0; m < run.materials.size(); ++m) {
        text += "    <bsdf type=\"roughplastic\" id=\"" + material_id(m) + "\">\n        <!-- " +
                xml_comment(run.materials[m].name) + " -->\n        <rgb name=\"diffuse_reflectance\" value=\"" +
                linear_rgb(run.materials[m].color) +
                "\"/>\n        <float name=\"alpha\" value=\"0.1\"/>\n    </bsdf>\n";
    }
    Result<void> done = write_file_atomically(place.file(place.prefix + "settings.xml"), text + "</scene>\n");
    for (std::size_t b = 0; b < run.bodies.size(); ++b) {
        if (done) done = write_mesh_ply(place.file(place.prefix + body_file(b)), run.bodies[b].mesh);
    }
    return done;
}

}  // namespace treacle
