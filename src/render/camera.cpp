#include "render/camera.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "math/reproducible.h"

namespace treacle {

namespace {

std::optional<double> number_from(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

Vec3d unit(Vec3d v) { return v / length(v); }

/// The value that all of `whole` and all but 0.5 % of `most` do not exceed.
template <class Value>
double upper_end(std::span<const Vec3d> most, std::span<const Vec3d> whole, const Value& value) {
    std::vector<double> values;
    values.reserve(most.size());
    for (const Vec3d& p : most) values.push_back(value(p));
    double end = -1e300;
    if (!values.empty()) {
        const std::size_t outside = values.size() / 200;
        const auto place = values.end() - 1 - static_cast<std::ptrdiff_t>(outside);
        std::nth_element(values.begin(), place, values.end());
        end = *place;
    }
    for (const Vec3d& p : whole) end = std::max(end, value(p));
    return end;
}

}  // namespace

const std::vector<std::string>& view_names() {
    static const std::vector<std::string> names{"front", "back", "left", "right", "top"};
    return names;
}

std::optional<ViewAngles> parse_view(std::string_view text) {
    if (text == "front") return ViewAngles{0, 0};
    if (text == "back") return ViewAngles{180, 0};
    if (text == "left") return ViewAngles{-90, 0};
    if (text == "right") return ViewAngles{90, 0};
    if (text == "top") return ViewAngles{0, 90};
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) return std::nullopt;
    const auto azimuth = number_from(text.substr(0, comma)), elevation = number_from(text.substr(comma + 1));
    if (!azimuth || !elevation || std::abs(*azimuth) > 360 || std::abs(*elevation) > 90) return std::nullopt;
    return ViewAngles{*azimuth, *elevation};
}

Camera oriented_camera(const ViewAngles& angles, Vec3d up) {
    const Vec3d toward_front = std::abs(up.z) < 0.7 ? Vec3d{0, 0, 1} : Vec3d{0, -1, 0};
    const Vec3d front = unit(toward_front - dot(toward_front, up) * up);
    const Vec3d side = cross(up, front);
    const double azimuth = angles.azimuth * reproducible::pi / 180,
                 elevation = angles.elevation * reproducible::pi / 180;
    const Vec3d level = std::cos(azimuth) * front + std::sin(azimuth) * side;
    const Vec3d back = std::cos(elevation) * level + std::sin(elevation) * up;
    Camera camera;
    camera.forward = -back;
    camera.right = unit(std::cos(azimuth) * side - std::sin(azimuth) * front);
    camera.up = cross(back, camera.right);
    return camera;
}

// In coordinates along the camera's axes, with the eye at e, a point p is inside the right edge of the picture when
// p.right - e.right <= t (p.forward - e.forward), where t is the slope of that edge; that is, when
// e.right - t e.forward >= max(p.right - t p.forward) =: R. The left edge gives -e.right - t' e.forward >= L in the
// same way. Their sum bounds e.forward; the closest eye is at the bound. Remaining room is shared between the sides.
// An orthographic picture is the same without the slopes, with the size of the picture as the unknown.
void fit_camera(Camera& camera, double aspect, const Margins& margins, std::span<const Vec3d> most,
                std::span<const Vec3d> whole) {
    if (most.empty() && whole.empty()) return;
    const auto end = [&](Vec3d axis, double slope) {
        return upper_end(most, whole, [&](const Vec3d& p) { return dot(axis, p) - slope * dot(camera.forward, p); });
    };
    struct Edge {
        double share, end;
    };  // share of half the picture between its center and the margin
    const auto edge = [&](Vec3d axis, double size, double margin) {
        const double share = size * (1 - 2 * margin);
        return Edge{share, end(axis, camera.orthographic ? 0 : share * camera.half_height)};
    };
    const Edge r = edge(camera.right, aspect, margins.right), l = edge(-camera.right, aspect, margins.left);
    const Edge u = edge(camera.up, 1, margins.top), d = edge(-camera.up, 1, margins.bottom);
    const double across = (r.end + l.end) / (r.share + l.share), along = (u.end + d.end) / (u.share + d.share);
    const double depth = end(-camera.forward, 0);  // the nearest point stays in front of the eye
    double forward = 0, h = 0;
    if (camera.orthographic) {
        h = camera.half_height = std::max({across, along, 1e-9});
        forward = -depth - 4 * h;
    } else {
        h = camera.half_height;
        forward = std::min(-std::max(across, along) / h, -depth - 1e-6);
    }
    const double reach = camera.orthographic ? h : -h * forward;
    const double x = ((r.end - r.share * reach) + (l.share * reach - l.end)) / 2;
    const double y = ((u.end - u.share * reach) + (d.share * reach - d.end)) / 2;
    camera.eye = x * camera.right + y * camera.up + forward * camera.forward;
}

}  // namespace treacle
