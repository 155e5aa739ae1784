#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/run_record.h"
#include "math/rotation.h"
#include "geometry/shape.h"
#include "geometry/tessellation.h"

/// Facts for other programs that are the same for all frames of a run.

namespace treacle {

struct ExportRun {
    struct Material {
        std::string name;
        std::array<float, 3> color;  ///< red, green, blue from 0 to 1, as in "#rrggbb"
    };
    struct Body {
        std::string name;
        TriangleMesh mesh;  ///< in the frame of its pose
    };

    std::string name;
    double fps = 30;
    double spacing = 0;  ///< m between particles; a particle is drawn as a ball of this diameter
    bool z_up = false;
    std::vector<Material> materials;  ///< in the order of the column material
    std::vector<Body> bodies;
    std::map<int, Poses> poses;           ///< by frame
    Bounds fluid{};                       ///< of all frames, for a camera that sees it all
    std::map<int, std::string> surfaces;  ///< PLY files of the fluid by frame, as exported files name them

    double time_of(int frame) const { return (frame - 1) / fps; }
    std::array<float, 3> color_of(std::size_t material) const;
    Pose pose_of(const std::string& body, int frame) const;  ///< as drawn if unknown
    bool bodies_moved(int from_frame, int to_frame) const;
};

/// Takes the facts from a run's record. A solid whose shape cannot be read is an error: nobody wants a scene that
/// lacks its table.
Result<ExportRun> export_run(const RunRecord& record, bool z_up);

/// Red, green and blue from 0 to 1 of "#rrggbb"; anything else gives the color of a material that has none.
std::array<float, 3> material_color(std::string_view text);

/// Text for the inside of a quoted XML attribute.
std::string xml_text(std::string_view text);

/// Text for the inside of an XML comment, which two dashes would end.
std::string xml_comment(std::string_view text);

}  // namespace treacle
