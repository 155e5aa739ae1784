#pragma once

#include "blocks/motion.h"
#include "blocks/elastic/conformation.h"
#include "blocks/elastic/constitutive_response.h"
#include "blocks/elastic/rest_state.h"
#include "blocks/pressure/density_constraint.h"
#include "blocks/solids/step_contacts.h"
#include "blocks/surface/surface_tension.h"
#include "blocks/viscous/viscosity.h"
#include "blocks/solids/wall_adhesion.h"
#include "methods/barreiro2017/columns.h"
#include "methods/barreiro2017/settings.h"
#include "methods/barreiro2017/varying_properties.h"
#include "methods/method.h"
#include "methods/step_limits.h"
#include "methods/particle_conditions.h"

namespace treacle::barreiro2017 {

/// Conformation constraints for efficient viscoelastic fluid simulation (Barreiro, García-Fernández, Alduán, Otaduy
/// 2017): position-based fluids whose strain is constrained twice in every step, as velocities and then as positions.
template <class S>
class Barreiro2017 final : public Method<S> {
public:
    explicit Barreiro2017(const MethodInput& input);

    void add_columns(Particles& particles, ConnectionGraph& connections) override;
    std::vector<TimeStepLimit> time_step_limits(const Particles& particles, const Parallel& parallel) const override {
        return limits_.with_speed_of(particles, parallel);
    }
    double search_radius(const Particles&, const Parallel&, double) const override { return support_radius_; }
    StepReport step(StepContext<S>& context) override;
    StepReport start(StepContext<S>& context) override;
    void add_births(StepContext<S>& context, const Births& births) override;
    void parameters_changed(const MethodInput& input) override;
    typename Solids<S>::Settings solid_settings() const override { return solids_; }
    double support_radius() const override { return support_radius_; }

private:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Constraints = typename Conformation<S>::Constraints;

    /// Whether anything needs the samples of solids before positions are projected.
    bool needs_boundary_at_start() const {
        return conditions_.conducts() || viscosity_.active() || tension_.active() || settings_.doubly_incompressible();
    }
    void find_neighbors(const Columns<S>& fluid, StepContext<S>& context);
    void project_velocities(const Columns<S>& fluid, const StepContext<S>& context, const Constraints& constraints);
    void project_positions(const Columns<S>& fluid, StepContext<S>& context, const Constraints& constraints);

    Settings settings_;
    double spacing_ = 0;
    double support_radius_ = 0;
    StepLimits<S> limits_;

    ParticleConditions<S> conditions_;
    VaryingProperties<S> properties_;

    typename Solids<S>::Settings solids_;
    WallAdhesion<S> adhesion_;
    StepContacts<S> contacts_;
    ConstitutiveResponse<S> response_;
    RestState<S> rest_state_;
    Viscosity<S> viscosity_;  ///< of the solvent; not in the paper
    SurfaceTension<S> tension_;
    MovingPositions<S> moving_;
    Neighbors<S> at_start_;  ///< at x0
    Conformation<S> conformation_;
    DensityConstraint<S> density_;
};

}  // namespace treacle::barreiro2017
