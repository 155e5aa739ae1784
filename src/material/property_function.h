#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace treacle {

/// A material property that depends on the temperature (°C) or on the age (s) of a particle: given at points,
/// interpolated between them, constant beyond the first and the last.
struct PropertyFunction {
    enum class Over { temperature, age };
    enum class Interpolation { linear, logarithmic };

    std::string key;  ///< "viscosity", or "<method>/<key>" for a coefficient of one method
    Over over = Over::temperature;
    Interpolation interpolation = Interpolation::linear;
    std::vector<std::pair<double, double>> points;  ///< ascending; values above 0 if logarithmic

    double at(double x) const;
    double least() const;
    double greatest() const;
};

/// A property of a material: a number or a function.
struct PropertyValue {
    double constant = 0;
    std::optional<PropertyFunction> function{};
};

}  // namespace treacle
