#pragma once

#include "blocks/motion.h"
#include "blocks/elastic/plastic_springs.h"
#include "blocks/pressure/double_density.h"
#include "blocks/solids/collision.h"
#include "blocks/solids/wall_load.h"
#include "blocks/surface/cohesion.h"
#include "blocks/viscous/radial_impulses.h"
#include "methods/clavet2005/calibration.h"
#include "methods/clavet2005/columns.h"
#include "methods/clavet2005/settings.h"
#include "methods/method.h"

namespace treacle::clavet2005 {

/// Particle-based viscoelastic fluid simulation (Clavet, Beaudoin, Poulin 2005) as reported by Tang: prediction by
/// velocity, then relaxation of positions by springs, double density and solids.
template <class S>
class Clavet2005 final : public Method<S> {
public:
    using typename Method<S>::Settling;

    explicit Clavet2005(const MethodInput& input);

    void add_columns(Particles& particles, ConnectionGraph& connections) override;
    std::vector<TimeStepLimit> time_step_limits(const Particles& particles, const Parallel& parallel) const override;
    double search_radius(const Particles& particles, const Parallel& parallel, double dt) const override;
    StepReport step(StepContext<S>& context) override;
    StepReport start(StepContext<S>& context) override;
    void add_births(StepContext<S>& context, const Births& births) override;
    Settling settling() const override;
    bool settle(StepContext<S>& context) override;
    void parameters_changed(const MethodInput& input) override;
    double support_radius() const override { return coefficients_.support_radius; }
    double sound_speed() const override { return coefficients_.sound_speed; }

private:
    using Real = typename S::Real;
    using Row = typename S::Row;

    void apply_viscosity(StepContext<S>& context, Columns<S>& columns);
    void adjust_springs(StepContext<S>& context, Columns<S>& columns) const;
    void gather_pressure(StepContext<S>& context, Columns<S>& columns);
    void press_walls(StepContext<S>& context, const Columns<S>& columns) const;
    int prepare_viscosity(double dt);
    void displace_by_springs(StepContext<S>& context, Columns<S>& columns) const;
    void relax_double_density(StepContext<S>& context, Columns<S>& columns);
    void resolve_collisions(StepContext<S>& context, Columns<S>& columns);
    void add_to_position(StepContext<S>& context, Columns<S>& columns) const;
    void add_to_velocity(StepContext<S>& context, Columns<S>& columns) const;
    void report_density(StepContext<S>& context, Columns<S>& columns) const;

    Settings settings_;
    OwnCoefficients coefficients_;
    std::vector<double> material_density_;  ///< kg/m³

    RadialImpulses<S> viscosity_;
    std::optional<ViscosityCalibration> viscosity_calibration_;
    PlasticSprings<S> springs_;
    DoubleDensity<S> pressure_;
    Cohesion<S> cohesion_;
    Collision<S> collision_;
    WallLoad<S> wall_load_;
    WallRows<S> walls_;
};

}  // namespace treacle::clavet2005
