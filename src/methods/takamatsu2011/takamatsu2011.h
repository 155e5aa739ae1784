#pragma once

#include <vector>

#include "blocks/motion.h"
#include "blocks/elastic/impacts.h"
#include "blocks/elastic/matched_shapes.h"
#include "blocks/pressure/blended_pressure.h"
#include "blocks/surface/surface_tension.h"
#include "blocks/viscous/noise_damping.h"
#include "blocks/viscous/viscosity.h"
#include "blocks/solids/wall_adhesion.h"
#include "methods/method.h"
#include "methods/step_limits.h"
#include "methods/takamatsu2011/columns.h"
#include "methods/takamatsu2011/settings.h"

namespace treacle::takamatsu2011 {

/// A fast and practical method for animating particle-based viscoelastic fluids (Takamatsu, Kanai 2011): SPH moves
/// every particle as a fluid, shape matching as an elastic solid, and a blend of both velocities is taken.
template <class S>
class Takamatsu2011 final : public Method<S> {
public:
    explicit Takamatsu2011(const MethodInput& input);

    void add_columns(Particles& particles, ConnectionGraph& connections) override;
    std::vector<TimeStepLimit> time_step_limits(const Particles& particles, const Parallel& parallel) const override {
        return limits_.with_speed_of(particles, parallel);
    }
    double search_radius(const Particles&, const Parallel&, double) const override { return support_radius_; }
    StepReport step(StepContext<S>& context) override;
    StepReport start(StepContext<S>& context) override;
    typename Method<S>::Settling settling() const override;
    bool settle(StepContext<S>& context) override;
    void add_births(StepContext<S>& context, const Births& births) override;
    void parameters_changed(const MethodInput& input) override;
    typename Solids<S>::Settings solid_settings() const override { return solids_; }
    double support_radius() const override { return support_radius_; }
    double sound_speed() const override { return sound_speed_; }

private:
    using Real = typename S::Real;
    using Row = typename S::Row;

    void measure_density(Columns<S>& fluid, StepContext<S>& context);

    Settings settings_;
    double support_radius_ = 0;
    double sound_speed_ = 0;
    StepLimits<S> limits_;  ///< eq. 12

    typename Solids<S>::Settings solids_;
    WallAdhesion<S> adhesion_;
    MatchedShapes<S> shapes_;
    Viscosity<S> viscosity_;
    NoiseDamping<S> noise_;
    SurfaceTension<S> tension_;
    BlendedPressure<S> pressure_;
    Impacts<S> impacts_;
};

}  // namespace treacle::takamatsu2011
