#include "mesh_files/svg_outline.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "core/text.h"

namespace treacle {

namespace {

constexpr double max_coordinate = 1e9;
constexpr double max_points = 20000;  // each is compared with all others

/// Walks through the numbers and letters of path data.
class PathData {
public:
    explicit PathData(std::string_view text) : text_(text) {}

    /// Next command letter, or 0 if a number follows or nothing is left.
    char command() {
        skip_blanks();
        if (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]))) return text_[at_++];
        return 0;
    }
    bool number(double& value) {
        skip_blanks();
        if (at_ < text_.size() && text_[at_] == '+') ++at_;
        const char* begin = text_.data() + at_;
        const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
        if (error != std::errc{} || end == begin) return false;
        at_ += static_cast<std::size_t>(end - begin);
        return true;
    }
    bool done() {
        skip_blanks();
        return at_ >= text_.size();
    }

private:
    void skip_blanks() {
        while (at_ < text_.size() && (std::isspace(static_cast<unsigned char>(text_[at_])) || text_[at_] == ',')) ++at_;
    }
    std::string_view text_;
    std::size_t at_ = 0;
};

/// Follows path commands with a pen.
class Pen {
public:
    explicit Pen(Outline& outline) : outline_(outline) {}

    /// False if the data is not understood.
    bool follow(std::string_view data) {
        PathData path(data);
        char command = 0;
        while (!path.done()) {
            if (const char next = path.command()) command = next;
            else if (command == 'M') command = 'L';  // further pairs after a move are lines
            else if (command == 'm') command = 'l';
            else if (command == 'Z' || command == 'z') return false;  // takes no numbers, so none may follow
            const bool relative = std::islower(static_cast<unsigned char>(command)) != 0;
            if (!step(path, static_cast<char>(std::toupper(static_cast<unsigned char>(command))), relative))
                return false;
        }
        return true;
    }

private:
    bool point(PathData& path, bool relative, Vec3d& p) {
        double x = 0, y = 0;
        if (!path.number(x) || !path.number(y)) return false;
        p = Vec3d{x, y, 0} + (relative ? here_ : Vec3d{});
        return true;
    }

    bool step(PathData& path, char command, bool relative) {
        Vec3d a, b, end;
        double value = 0;
        switch (command) {
            case 'M':
                if (!point(path, relative, end)) return false;
                outline_.push_back({end});
                start_ = control_ = here_ = end;
                return true;
            case 'L': return point(path, relative, end) && line(end);
            case 'H': return path.number(value) && line({value + (relative ? here_.x : 0), here_.y, 0});
            case 'V': return path.number(value) && line({here_.x, value + (relative ? here_.y : 0), 0});
            case 'Z': return line(start_);
            case 'C':
                return point(path, relative, a) && point(path, relative, b) && point(path, relative, end) &&
                       curve(a, b, end);
            case 'S':
                a = 2.0 * here_ - control_;
                return point(path, relative, b) && point(path, relative, end) && curve(a, b, end);
            case 'Q': return point(path, relative, a) && point(path, relative, end) && quadratic(a, end);
            case 'T': return point(path, relative, end) && quadratic(2.0 * here_ - control_, end);
            case 'A':  // an arc becomes its chord: letters hardly use arcs
                for (int n = 0; n < 5; ++n) {
                    if (!path.number(value)) return false;
                }
                return point(path, relative, end) && line(end);
            default: return false;
        }
    }

    bool line(Vec3d end) {
        if (outline_.empty()) return false;
        outline_.back().push_back(end);
        control_ = here_ = end;
        return true;
    }
    bool curve(Vec3d a, Vec3d b, Vec3d end) {
        if (outline_.empty()) return false;
        const Vec3d from = here_;
        for (int n = 1; n <= 16; ++n) {
            const double t = n / 16.0, u = 1 - t;
            outline_.back().push_back(u * u * u * from + 3 * u * u * t * a + 3 * u * t * t * b + t * t * t * end);
        }
        control_ = b;
        here_ = end;
        return true;
    }
    bool quadratic(Vec3d a, Vec3d end) {
        const bool drawn = curve(here_ + (2.0 / 3) * (a - here_), end + (2.0 / 3) * (a - end), end);
        control_ = a;
        return drawn;
    }

    Outline& outline_;
    Vec3d here_{}, start_{}, control_{};
};

/// Values of an attribute inside tags of one kind: d="…" of <path …>.
std::vector<std::string_view> attributes(std::string_view text, std::string_view tag, std::string_view name) {
    std::vector<std::string_view> found;
    const std::string opening = "<" + std::string(tag);
    for (std::size_t at = text.find(opening); at != std::string_view::npos; at = text.find(opening, at + 1)) {
        const std::string_view inside = text.substr(at, text.find('>', at) - at);
        for (const char quote : {'"', '\''}) {
            const std::size_t begin = inside.find(" " + std::string(name) + "=" + quote);
            if (begin == std::string_view::npos) continue;
            const std::size_t first = begin + name.size() + 3;
            found.push_back(inside.substr(first, inside.find(quote, first) - first));
        }
    }
    return found;
}

}  // namespace

Result<Outline> read_svg_outline(std::string_view text, const std::string& file) {
    Outline outline;
    Pen pen(outline);
    std::vector<std::string> paths;
    for (const auto data : attributes(text, "path", "d")) paths.emplace_back(data);
    for (const auto data : attributes(text, "polyline", "points")) paths.push_back("M " + std::string(data));
    for (const auto data : attributes(text, "polygon", "points")) paths.push_back("M " + std::string(data) + " Z");
    for (const std::string& path : paths) {
        if (!pen.follow(path))
            return fail(ExitCode::wrong_input, "a path cannot be understood: " + path.substr(0, 60), file);
    }
    if (outline.empty()) {
        return fail(ExitCode::wrong_input,
                    "there is no path, polyline or polygon in it; text must be converted to paths first", file);
    }
    for (auto& chain : outline) {
        for (Vec3d& p : chain) {
            if (!(std::abs(p.x) <= max_coordinate && std::abs(p.y) <= max_coordinate)) {
                return fail(ExitCode::wrong_input, "a coordinate is no number or beyond " + number_text(max_coordinate),
                            file);
            }
            p.y = -p.y;  // SVG counts downwards
        }
    }
    return outline;
}

Result<std::vector<Vec3d>> points_along(const Outline& outline, double height, double distance) {
    Vec3d low{1e300, 1e300, 0}, high{-1e300, -1e300, 0};
    for (const auto& chain : outline) {
        for (const Vec3d& p : chain) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y), 0};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), 0};
        }
    }
    const double extent = high.y > low.y ? high.y - low.y : high.x - low.x;
    const double scale = extent > 0 ? height / extent : 1;
    double expected = 0;
    for (const auto& chain : outline) {
        for (std::size_t n = 0; n + 1 < chain.size(); ++n)
            expected += scale * length(chain[n + 1] - chain[n]) / distance;
    }
    if (!(expected <= max_points)) {
        return fail(ExitCode::wrong_input,
                    "the lines of the drawing are too long for this height and distance: more than " +
                        number_text(max_points) + " points");
    }
    std::vector<Vec3d> points;
    const auto add = [&](Vec3d p) {
        for (const Vec3d& other : points) {
            if (length(other - p) < 0.5 * distance) return;
        }
        points.push_back(p);
    };
    for (const auto& chain : outline) {
        double left = 0;  // to go until the next point
        for (std::size_t n = 0; n + 1 < chain.size(); ++n) {
            const Vec3d from = scale * (chain[n] - low), to = scale * (chain[n + 1] - low);
            const double span = length(to - from);
            for (; left < span; left += distance) add(from + (left / span) * (to - from));
            left -= span;
        }
    }
    return points;
}

}  // namespace treacle
