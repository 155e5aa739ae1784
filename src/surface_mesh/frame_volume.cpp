#include "surface_mesh/frame_volume.h"

#include "surface_mesh/surface_mesh.h"

namespace treacle {

Result<double> surface_volume(const Frame& frame, double spacing, const Parallel& parallel) {
    SurfaceParticles particles;
    const auto add = [&]<class Real>(Real) {  // in the order of the file, for the same bits
        const auto positions = frame.particles.get<Row4<Real>>("position");
        for (const std::uint32_t i : frame.id_order) particles.positions.push_back(cast<float>(positions[i].xyz()));
        if (!frame.particles.has("size")) return;
        const auto sizes = frame.particles.get<Real>("size");
        for (const std::uint32_t i : frame.id_order) particles.sizes.push_back(static_cast<float>(sizes[i]));
    };
    if (frame.particles.real() == ScalarType::f32) add(float{});
    else add(double{});
    SurfaceSettings settings;
    settings.spacing = spacing;
    const auto mesh = reconstruct_surface(particles, settings, parallel);
    if (!mesh) return tl::unexpected(mesh.error());
    return enclosed_volume(*mesh);
}

}  // namespace treacle
