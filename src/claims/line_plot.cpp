#include "claims/line_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "core/text.h"

namespace treacle {

namespace {

constexpr double width = 640, height = 400;
constexpr double left = 76, right = 20, top = 58, bottom = 52;  // around the axes

constexpr std::array<const char*, 6> colors{"#0e7f7f", "#d1495b", "#3b5bdb", "#e29e21", "#7a4fa3", "#5c6b73"};

struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void take_in(double value) {
        if (!std::isfinite(value)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }

    /// A range that can be drawn: not empty, and with some extent.
    Range widened() const {
        if (low > high) return {0, 1};
        if (low < high) return *this;
        const double margin = low == 0 ? 1 : 0.1 * std::abs(low);
        return {low - margin, high + margin};
    }
};

std::string escaped(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        if (c == '&') safe += "&amp;";
        else if (c == '<') safe += "&lt;";
        else if (c == '>') safe += "&gt;";
        else safe += c;
    }
    return safe;
}

/// A tenth of a pixel is enough.
std::string pixels(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f", value);
    return text.data();
}

std::string text_at(double x, double y, const char* anchor, const std::string& text, const std::string& more = "") {
    return "<text x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\" text-anchor=\"" + anchor + "\"" + more + ">" +
           escaped(text) + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const std::string& stroke) {
    return "<line x1=\"" + pixels(x1) + "\" y1=\"" + pixels(y1) + "\" x2=\"" + pixels(x2) + "\" y2=\"" + pixels(y2) +
           "\" stroke=" + in_quotes(stroke) + "/>\n";
}

/// Maps values to places in the picture.
struct Axes {
    Range x, y;

    double across(double value) const { return left + (value - x.low) / (x.high - x.low) * (width - left - right); }
    double down(double value) const {
        return height - bottom - (value - y.low) / (y.high - y.low) * (height - top - bottom);
    }
};

Axes axes_of(const LinePlot& plot) {
    Axes axes;
    for (const PlotCurve& curve : plot.curves) {
        for (const double value : curve.x) axes.x.take_in(value);
        for (const double value : curve.y) axes.y.take_in(value);
    }
    if (plot.low) axes.y.low = *plot.low;
    if (plot.high) axes.y.high = *plot.high;
    return {axes.x.widened(), axes.y.widened()};
}

std::string grid(const Axes& axes) {
    std::string svg;
    for (const double tick : round_ticks(axes.x.low, axes.x.high, 8)) {
        svg += line(axes.across(tick), top, axes.across(tick), height - bottom, "#e4e4e4");
        svg += text_at(axes.across(tick), height - bottom + 18, "middle", number_text(tick));
    }
    for (const double tick : round_ticks(axes.y.low, axes.y.high, 6)) {
        svg += line(left, axes.down(tick), width - right, axes.down(tick), "#e4e4e4");
        svg += text_at(left - 8, axes.down(tick) + 4, "end", number_text(tick));
    }
    svg += line(left, top, left, height - bottom, "#404040");
    svg += line(left, height - bottom, width - right, height - bottom, "#404040");
    return svg;
}

std::string polylines(const PlotCurve& curve, const Axes& axes, const char* color) {
    std::string svg, points;
    const auto finish = [&] {
        if (points.empty()) return;
        svg += "<polyline fill=\"none\" stroke=" + in_quotes(color) +
               " stroke-width=\"2\" clip-path=\"url(#axes)\" points=" + in_quotes(points) + "/>\n";
        points.clear();
    };
    for (std::size_t n = 0; n < curve.x.size(); ++n) {
        if (!std::isfinite(curve.x[n]) || !std::isfinite(curve.y[n])) {
            finish();
            continue;
        }
        points += (points.empty() ? "" : " ") + pixels(axes.across(curve.x[n])) + "," + pixels(axes.down(curve.y[n]));
    }
    finish();
    return svg;
}

}  // namespace

std::vector<double> round_ticks(double low, double high, int count) {
    const double rough = (high - low) / count;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0}) {
        if (factor * power >= rough * (1 - 1e-9)) step = factor * power;
    }
    std::vector<double> ticks;
    const double slack = 1e-9 * (high - low);
    for (double n = std::ceil((low - slack) / step); n * step <= high + slack; ++n) {
        // Counting in units of the step and then rounding keeps 0.3 from being 0.30000000000000004.
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), "%.10g", n == 0 ? 0.0 : n * step);
        ticks.push_back(std::atof(text.data()));
    }
    return ticks;
}

std::string to_svg(const LinePlot& plot) {
    const Axes axes = axes_of(plot);
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number_text(width) + "\" height=\"" +
                      number_text(height) +
                      "\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#202020\">\n"
                      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    svg += "<clipPath id=\"axes\"><rect x=\"" + pixels(left) + "\" y=\"" + pixels(top) + "\" width=\"" +
           pixels(width - left - right) + "\" height=\"" + pixels(height - top - bottom) + "\"/></clipPath>\n";
    svg += text_at(left, 22, "start", plot.title, " font-size=\"14\" font-weight=\"bold\"");
    svg += grid(axes);
    svg += text_at((left + width - right) / 2, height - 12, "middle", plot.x_label);
    svg += text_at(0, 0, "middle", plot.y_label,
                   " transform=\"translate(16 " + pixels((top + height - bottom) / 2) + ") rotate(-90)\"");
    double legend = left;
    for (std::size_t n = 0; n < plot.curves.size(); ++n) {
        const PlotCurve& curve = plot.curves[n];
        const char* color = colors[n % colors.size()];
        svg += polylines(curve, axes, color);
        svg += line(legend, 41, legend + 18, 41, color);
        svg += text_at(legend + 24, 45, "start", curve.label);
        legend += 46 + 6.5 * static_cast<double>(curve.label.size());
    }
    return svg + "</svg>\n";
}

}  // namespace treacle
