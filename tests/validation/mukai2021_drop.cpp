// A drop that hits a wall (Figueiredo et al. 2016): Re = 5, Wi = 1, V/√(gD) = 2.26, a tenth of the viscosity in the
// solvent.

#include "validation/rheometer.h"

namespace treacle::test {
namespace {

struct Widths {
    double peak = 0;          ///< over the diameter
    double least_after = 10;  ///< after the peak, without the foot: the layer of particles at the wall, which sticks
    double shrunk = 0;        ///< sum of all decreases of the width between frames
};

/// Released 2 D above the wall with 1 m/s. Here it starts one spacing before the wall, at the speed that it has there.
/// Until t V/D = 4.5.
Widths splashed(const std::string& material) {
    const double diameter = 0.02, spacing = diameter / 12, height = diameter / 2 + spacing;
    const double speed = std::sqrt(1 + 2 * 9.81 * (2 * diameter - height)), start = (speed - 1) / 9.81;
    RunningScene run(R"({ "treacle": 1, "method": "mukai2021", "particle_spacing": )" + std::to_string(spacing) + R"(,
      "time": { "duration": 1, "fps": 2000 }, "materials": { "drop": { "density": 1000, )" +
                     material + R"( } },
      "fluids": [ { "material": "drop", "velocity": [0, )" +
                     std::to_string(-speed) + R"(, 0],
                    "shape": { "sphere": { "center": [0, )" +
                     std::to_string(height) + R"(, 0], "radius": 0.01 } } } ],
      "solids": [ { "name": "wall", "friction": "no_slip", "shape": { "plane": { "normal": [0, 1, 0] } } } ] })");
    Widths widths;
    double before = 0, peak_time = 0;
    for (double t = start; t < 4.5 * diameter; t = start + run.state().time) {
        if (!run.advance(1)) throw std::runtime_error(run.error());
        double all = 0, above = 0;
        for (const Vec3d& p : run.vectors("position")) {
            const double reach = std::max(std::abs(p.x), std::abs(p.z));
            all = std::max(all, reach);
            if (p.y > 1.2 * spacing) above = std::max(above, reach);
        }
        const double width = (2 * all + spacing) / diameter;
        if (width > widths.peak) widths.peak = width, peak_time = t;
        if (t > peak_time + 0.3 * diameter)
            widths.least_after = std::min(widths.least_after, (2 * above + spacing) / diameter);
        if (t > 1.6 * diameter) widths.shrunk += std::max(0.0, before - width);
        before = width;
    }
    return widths;
}

TEST(Mukai2021Drop, spreads_and_draws_back) {
    const Widths widths = splashed(R"("viscosity": 0.4, "shear_modulus": 180, "relaxation_time": 0.02)");
    Reading("peak").add(widths.peak, 1.7135);
    Reading("least_width_after").add(widths.least_after, 1.4527);
    EXPECT_NEAR(widths.peak, 1.7135, 0.05 * 1.7135);
    EXPECT_NEAR(widths.least_after, 1.4527, 0.07 * 1.4527);
    EXPECT_GT(widths.shrunk, 0.01);  // little, because the foot sticks; a Newtonian drop loses nothing
}

TEST(Mukai2021Drop, newtonian_spreads_only) { EXPECT_LT(splashed(R"("viscosity": 4)").shrunk, 1e-3); }

}  // namespace
}  // namespace treacle::test
