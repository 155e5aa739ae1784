#pragma once

#include "blocks/motion.h"
#include "blocks/elastic/plastic_springs.h"
#include "blocks/pressure/double_density.h"
#include "blocks/solids/wall_release.h"
#include "blocks/surface/cohesion.h"
#include "blocks/viscous/implicit_viscosity.h"
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
    typename Solids<S>::Settings solid_settings() const override { return solids_; }
    double support_radius() const override { return coefficients_.support_radius; }
    double sound_speed() const override { return coefficients_.sound_speed; }

private:
    using Real = typename S::Real;
    using Row = typename S::Row;

    /// Eq. 2; returns how many passes or iterations it took.
    int apply_viscosity(Columns<S>& fluid, StepContext<S>& context);

    void find_standing(const Columns<S>& fluid, StepContext<S>& context);

    /// Eq. 7 and what friction needs to know. Not in the paper, and not with its coefficients: walls let go of fluid
    /// that they would hold back.
    void collide(Columns<S>& fluid, StepContext<S>& context);

    /// Sets σ of every material for a step of this length; returns how many passes the step takes.
    int calibrate_viscosity(double dt);

    Settings settings_;

    static constexpr int steps_without_weight = 200, steps_with_weight = 600;  ///< of settling
    int settling_steps_ = 0;
    std::vector<std::uint8_t> stands_;  ///< by number of the fluid; while it settles

    OwnCoefficients coefficients_;

    RadialImpulses<S> impulses_;                                   ///< the paper's viscosity
    ImplicitViscosity<S> dashpots_;                                ///< the same law, solved for the end of the step
    std::vector<Real> dynamic_viscosity_, viscosity_of_particle_;  ///< Pa·s
    std::optional<ViscosityCalibration> viscosity_calibration_;
    PlasticSprings<S> springs_;
    DoubleDensity<S> pressure_;
    Cohesion<S> cohesion_;
    WallRelease<S> release_;
    typename Solids<S>::Settings solids_;
};

}  // namespace treacle::clavet2005
