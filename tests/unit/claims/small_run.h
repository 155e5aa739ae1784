#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "support/temporary_folder.h"

namespace treacle {

/// A run folder made by hand: four particles of two materials in a tank with a ball, three frames 0.5 s apart. In frame
/// n (from 0) the particles stand at the corners of a box with edges 2 and 1 + n, all at a speed of 5; in the last
/// frame the ball has come down, and the first particle is inside it.
class SmallRun {
public:
    SmallRun() {
        put_content(file("manifest.json"), R"({ "treacle": 1, "scene": {
            "treacle": 1, "method": "clavet2005", "dimension": 2, "particle_spacing": 0.5,
            "time": { "duration": 1, "fps": 2 },
            "materials": { "oil": {}, "milk": {} },
            "fluids": [ { "material": "oil", "shape": { "box": { "center": [1, 1], "size": [1, 1] } } } ],
            "solids": [
              { "name": "tank", "invert": true, "shape": { "box": { "center": [0, 0], "size": [20, 20] } } },
              { "name": "ball", "shape": { "sphere": { "center": [0, 0], "radius": 1 } } } ] } })");
        put_content(file("metrics.csv"), "frame,time,steps,com_y\n1,0,0,3\n2,0.5,10,1\n3,1,10,2\n");
        std::string bodies = "frame,time,body,px,py,pz,qw,qx,qy,qz,fy\n";
        for (int n = 0; n < 3; ++n) {
            const std::string start = std::to_string(n + 1) + "," + std::to_string(0.5 * n);
            bodies += start + ",tank,0,0,0,1,0,0,0,0\n";
            bodies += start + ",ball,0," + (n == 2 ? "0.5" : "5") + ",0,1,0,0,0," + std::to_string(7 * n) + "\n";
        }
        put_content(file("bodies.csv"), bodies);
        std::filesystem::create_directories(file("frames"));
        for (int n = 0; n < 3; ++n) write_frame(n);
    }

    std::string path() const { return folder_.path(); }
    std::string file(const std::string& name) const { return folder_.file(name); }

private:
    void write_frame(int n) const {
        std::string bytes = "ply\nformat binary_little_endian 1.0\nelement vertex 4\n";
        for (const char* name : {"x", "y", "z", "vx", "vy", "vz"})
            bytes += std::string("property float ") + name + "\n";
        bytes += "property uint id\nproperty uchar material\nproperty float density\nend_header\n";
        const float width = 2, height = 1 + static_cast<float>(n);
        for (int i = 0; i < 4; ++i) {
            const std::array<float, 6> v{i % 2 == 0 ? 0 : width, i / 2 == 0 ? 0 : height, 0, 3, 4, 0};
            const auto material = static_cast<char>(i / 2);
            const float density = 1000 + static_cast<float>(i);
            bytes.append(reinterpret_cast<const char*>(v.data()), sizeof v);
            const auto id = static_cast<std::uint32_t>(i);
            bytes.append(reinterpret_cast<const char*>(&id), sizeof id);
            bytes += material;
            bytes.append(reinterpret_cast<const char*>(&density), sizeof density);
        }
        put_content(file("frames/frame.000" + std::to_string(n + 1) + ".ply"), bytes);
    }

    TemporaryFolder folder_;
};

}  // namespace treacle
