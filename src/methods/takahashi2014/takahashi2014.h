#pragma once

#include <optional>

#include "blocks/motion.h"
#include "blocks/elastic/connection_control.h"
#include "blocks/elastic/shape_matching.h"
#include "blocks/elastic/solid_connections.h"
#include "blocks/elastic/velocity_correction.h"
#include "blocks/pressure/iisph.h"
#include "blocks/solids/boundary_particles.h"
#include "blocks/solids/collision.h"
#include "blocks/solids/wall_load.h"
#include "blocks/surface/surface_tension.h"
#include "blocks/viscous/explicit_viscosity.h"
#include "blocks/viscous/implicit_viscosity.h"
#include "blocks/viscous/xsph.h"
#include "methods/method.h"
#include "methods/particle_conditions.h"
#include "methods/takahashi2014/columns.h"
#include "methods/takahashi2014/settings.h"

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
    double support_radius() const override { return support_radius_; }
    std::size_t boundary_particles() const override { return boundary_ ? boundary_->size() : 0; }

private:
    using Real = typename S::Real;
    using Row = typename S::Row;

    /// Properties of a material, where any of any material varies from particle to particle.
    struct VaryingMaterial {
        PropertyValue viscosity, shear_modulus, relaxation_time, yield_stress, connect_distance;
        std::optional<double> first_connect_distance, healing_time;
        bool elastic = false;
    };

    void measure_density(StepContext<S>& context, Columns<S>& columns);
    void change_phase(StepContext<S>& context, Columns<S>& columns);
    void evaluate_properties(StepContext<S>& context, Columns<S>& columns, const Births& births);
    void remember_varying(const MethodInput& input);
    const VaryingElasticity<Real>* varying() const { return varying_materials_.empty() ? nullptr : &elasticity_; }
    void control_connections(StepContext<S>& context, Columns<S>& columns, const Births& births);
    void control_anchors(StepContext<S>& context, Columns<S>& columns);
    void correct_velocities(StepContext<S>& context, Columns<S>& columns);
    void match_shapes(StepContext<S>& context, Columns<S>& columns);
    void take_for_reference(StepContext<S>& context, Columns<S>& columns, const Births& births);
    bool too_stiff(const StepContext<S>& context, const Columns<S>& columns) const;
    void apply_forces(StepContext<S>& context, Columns<S>& columns);
    void apply_viscosity(StepContext<S>& context, Columns<S>& columns);
    void apply_implicit_viscosity(StepContext<S>& context, Columns<S>& columns);
    void apply_explicit_viscosity(StepContext<S>& context, Columns<S>& columns);
    void apply_xsph(StepContext<S>& context, Columns<S>& columns);
    void pull_surfaces(StepContext<S>& context, Columns<S>& columns);
    void rub_walls(StepContext<S>& context, Columns<S>& columns);
    void solve_pressure(StepContext<S>& context, Columns<S>& columns);
    void keep_out_of_solids(StepContext<S>& context, Columns<S>& columns);

    Settings settings_;
    double spacing_ = 0;
    double support_radius_ = 0;
    std::vector<TimeStepLimit> limits_at_rest_;  ///< those that do not depend on the state
    double pressure_at_rest_ = 0;                ///< p/ρ of the scene's fluid by its weight, m²/s²
    double explicit_step_ = 0;                   ///< s, for which explicit corrections are stable
    std::vector<Real> rest_density_;             ///< by material, kg/m³
    std::vector<Real> first_coefficient_;        ///< by material, c

    std::optional<BoundaryParticles<S>> boundary_;  ///< made when the bodies are known
    ParticleConditions<S> conditions_;
    std::vector<VaryingMaterial> varying_materials_;  ///< empty: all properties are constants
    VaryingElasticity<Real> elasticity_;
    bool varying_modulus_ = false;
    ConnectionControl<S> control_;
    VelocityCorrection<S> correction_;
    ShapeMatching<S> matching_;
    std::vector<Row> to_goal_;  ///< m
    SolidConnections<S> adhesion_;
    HeldRows<Real> held_;
    bool viscous_ = false;                           ///< some fluid is
    std::optional<ImplicitViscosity<S>> viscosity_;  ///< for the implicit scheme
    std::vector<Real> dynamic_viscosity_;            ///< by material, Pa·s
    std::vector<Real> particle_viscosity_;
    std::vector<Row> viscous_rows_;  ///< accelerations or new velocities of the other schemes
    Iisph<S> pressure_;
    SurfaceTension<S> tension_;
    WallRows<S> walls_;
    WallLoad<S> wall_load_;
    Collision<S> collision_;
};

}  // namespace treacle::takahashi2014
