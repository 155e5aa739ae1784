#pragma once

#include "blocks/motion.h"
#include "blocks/elastic/connection_control.h"
#include "blocks/elastic/shape_correction.h"
#include "blocks/elastic/solid_connections.h"
#include "blocks/elastic/velocity_correction.h"
#include "blocks/pressure/iisph.h"
#include "blocks/surface/surface_tension.h"
#include "blocks/viscous/viscosity.h"
#include "blocks/solids/wall_adhesion.h"
#include "methods/method.h"
#include "methods/step_limits.h"
#include "methods/particle_conditions.h"
#include "methods/takahashi2014/columns.h"
#include "methods/takahashi2014/settings.h"
#include "methods/takahashi2014/varying_properties.h"

namespace treacle::takahashi2014 {

/// Volume preserving viscoelastic fluids with large deformations using position-based velocity corrections (Takahashi,
/// Dobashi, Fujishiro, Nishita 2014): implicit incompressible SPH, whose velocities are corrected by connections
/// between particles before the pressure is solved for.
template <class S>
class Takahashi2014 final : public Method<S> {
public:
    using typename Method<S>::Settling;

    explicit Takahashi2014(const MethodInput& input);

    void add_columns(Particles& particles, ConnectionGraph& connections) override;
    std::vector<TimeStepLimit> time_step_limits(const Particles& particles, const Parallel& parallel) const override;
    double search_radius(const Particles&, const Parallel&, double) const override { return support_radius_; }
    StepReport step(StepContext<S>& context) override;
    StepReport start(StepContext<S>& context) override;
    void add_births(StepContext<S>& context, const Births& births) override;
    Settling settling() const override { return {.steps = 60}; }
    bool settle(StepContext<S>& context) override;
    void parameters_changed(const MethodInput& input) override;
    typename Solids<S>::Settings solid_settings() const override { return solids_; }
    double support_radius() const override { return support_radius_; }

private:
    using Real = typename S::Real;
    using Row = typename S::Row;

    ElasticLinks<S> elastic_links(Columns<S>& fluid, StepContext<S>& context) const {
        return {context.connections, context.anchors, fluid.correction, properties_.elasticity()};
    }
    void measure_density(Columns<S>& fluid, StepContext<S>& context);
    void change_phase(Columns<S>& fluid, StepContext<S>& context);
    void correct_velocities(Columns<S>& fluid, StepContext<S>& context);
    void apply_viscosity(Columns<S>& fluid, StepContext<S>& context);
    StepReport solve_pressure(Columns<S>& fluid, StepContext<S>& context);

    Settings settings_;
    double spacing_ = 0;
    double support_radius_ = 0;
    StepLimits<S> limits_;                 ///< without that of the pressure
    double pressure_at_rest_ = 0;          ///< p/ρ of the scene's fluid by its weight, m²/s²
    std::vector<Real> rest_density_;       ///< by material, kg/m³
    std::vector<Real> first_coefficient_;  ///< by material, c

    typename Solids<S>::Settings solids_;
    WallAdhesion<S> wall_adhesion_;
    ParticleConditions<S> conditions_;
    VaryingProperties<S> properties_;
    ConnectionControl<S> connections_;
    VelocityCorrection<S> correction_;
    ShapeCorrection<S> shapes_;
    SolidConnections<S> adhesion_;
    HeldRows<Real> held_;
    Viscosity<S> viscosity_;
    SurfaceTension<S> tension_;
    Iisph<S> pressure_;
};

}  // namespace treacle::takahashi2014
