#include "material/property_function.h"

#include <algorithm>

#include "math/reproducible.h"

namespace treacle {

namespace {

bool lower(const std::pair<double, double>& a, const std::pair<double, double>& b) { return a.second < b.second; }

}  // namespace

double PropertyFunction::at(double x) const {
    const auto next = std::upper_bound(points.begin(), points.end(), x,
                                       [](double value, const auto& point) { return value < point.first; });
    if (next == points.begin()) return points.front().second;
    if (next == points.end()) return points.back().second;
    const auto& [x0, y0] = *(next - 1);
    const auto& [x1, y1] = *next;
    const double share = (x - x0) / (x1 - x0);
    if (interpolation == Interpolation::linear) return y0 + share * (y1 - y0);
    return y0 * reproducible::exp(share * reproducible::log(y1 / y0));
}

double PropertyFunction::least() const { return std::min_element(points.begin(), points.end(), lower)->second; }
double PropertyFunction::greatest() const { return std::max_element(points.begin(), points.end(), lower)->second; }

}  // namespace treacle
