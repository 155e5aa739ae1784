#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "math/vec.h"

namespace treacle {

/// Right-handed: right, up, back (= -forward). All directions are unit vectors.
struct Camera {
    Vec3d eye{0, 0, 1};
    Vec3d forward{0, 0, -1};
    Vec3d right{1, 0, 0};
    Vec3d up{0, 1, 0};
    bool orthographic = false;
    double half_height = 0.25;  ///< of the picture: at distance 1 from the eye, or in m when orthographic
};

/// Direction of the camera: degrees around the vertical from the front, to the right, and degrees above the horizon.
struct ViewAngles {
    double azimuth = 0;
    double elevation = 0;
};

/// "front", "back", "left", "right", "top", or two numbers as in "30,20"; nothing if it is none of these.
std::optional<ViewAngles> parse_view(std::string_view text);

/// The words that parse_view knows.
const std::vector<std::string>& view_names();

/// Axes of a camera that looks from these angles; `up` (unit) is up in the world. Seen from the front, x points right
/// if y or z is up.
Camera oriented_camera(const ViewAngles& angles, Vec3d up);

/// Shares of the picture to leave free along its edges.
struct Margins {
    double left = 0.06, right = 0.06, top = 0.1, bottom = 0.08;
};

/// Moves a camera (and, when orthographic, scales its picture) as close as possible while it still sees all of
/// `whole` and all but a few (0.5 %) of `most`, so that a stray particle does not shrink the picture.
void fit_camera(Camera& camera, double aspect, const Margins& margins, std::span<const Vec3d> most,
                std::span<const Vec3d> whole);

}  // namespace treacle
