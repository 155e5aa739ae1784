#pragma once

#include <optional>

#include "blocks/motion.h"
#include "blocks/elastic/conformation.h"
#include "blocks/elastic/rest_state.h"
#include "blocks/pressure/density_constraint.h"
#include "blocks/solids/boundary_particles.h"
#include "blocks/solids/step_contacts.h"
#include "blocks/solids/wall_load.h"
#include "blocks/surface/surface_tension.h"
#include "blocks/viscous/implicit_viscosity.h"
#include "methods/barreiro2017/columns.h"
#include "methods/barreiro2017/settings.h"
#include "methods/method.h"
#include "methods/particle_conditions.h"

namespace treacle::barreiro2017 {

/// Conformation constraints for efficient viscoelastic fluid simulation (Barreiro, García-Fernández, Alduán, Otaduy
/// 2017): position-based fluids whose strain is constrained twice in every step, as velocities and then as positions.
template <class S>
class Barreiro2017 final : public Method<S> {
public:
    explicit Barreiro2017(const MethodInput& input);

    void add_columns(Particles& particles, ConnectionGraph& connections) override;
    std::vector<TimeStepLimit> time_step_limits(const Particles& particles, const Parallel& parallel) const override;
    double search_radius(const Particles&, const Parallel&, double) const override { return support_radius_; }
    StepReport step(StepContext<S>& context) override;
    StepReport start(StepContext<S>& context) override;
    void add_births(StepContext<S>& context, const Births& births) override;
    void parameters_changed(const MethodInput& input) override;
    double support_radius() const override { return support_radius_; }

private:
    using Real = typename S::Real;
    using Row = typename S::Row;

    /// Properties of a material that some function varies from particle to particle.
    struct VaryingMaterial {
        PropertyValue viscosity, shear_modulus, relaxation_time, yield_stress;
    };

    void find_solids(StepContext<S>& context, Columns<S>& columns);
    void change_phase(StepContext<S>& context, Columns<S>& columns);
    void respond(StepContext<S>& context, Columns<S>& columns);
    void stiffen(std::size_t i, const Response& response, Columns<S>& columns);
    void apply_forces(StepContext<S>& context, Columns<S>& columns);
    void apply_viscosity(StepContext<S>& context, Columns<S>& columns);
    void project_velocities(StepContext<S>& context, Columns<S>& columns);
    void find_bonded(const ConnectionGraph& connections);
    ConformationRows<S> conformation_rows(const StepContext<S>& context) const;
    bool by_conjugate_gradients() const;
    bool density_by_velocities() const;
    void start_pressure(StepContext<S>& context, Columns<S>& columns);
    void predict(StepContext<S>& context, Columns<S>& columns);
    void project_positions(StepContext<S>& context, Columns<S>& columns);
    void finish(StepContext<S>& context, Columns<S>& columns);
    void remember(StepContext<S>& context, Columns<S>& columns);

    Settings settings_;
    double spacing_ = 0;
    double support_radius_ = 0;
    std::vector<TimeStepLimit> limits_at_rest_;
    std::vector<Real> rest_density_;   ///< by material, kg/m³
    std::vector<Response> responses_;  ///< by material
    bool elastic_ = false;             ///< any of them
    ParticleConditions<S> conditions_;
    std::vector<VaryingMaterial> varying_materials_;  ///< empty if nothing varies
    bool remembers_ = false;                          ///< some material stores its shape at rest
    std::vector<Real> bonded_;                        ///< 1 for particles that have one
    RestState<S> rest_state_;

    std::optional<BoundaryParticles<S>> boundary_;  ///< made when the bodies are known
    std::vector<Real> compliance_;                  ///< per particle, for this step
    std::vector<ConformationMemory<Real>> memory_;
    Conformation<S> conformation_;
    DensityConstraint<S> density_;
    MovingPositions<S> moving_;                      ///< from where the step started
    std::vector<Row> other_, start_of_pass_;         ///< of a pass that runs beside another
    std::optional<ImplicitViscosity<S>> viscosity_;  ///< none: nothing is viscous
    std::vector<Real> dynamic_viscosity_;            ///< by material, Pa·s
    std::vector<Real> particle_viscosity_;
    SurfaceTension<S> tension_;
    StepContacts<S> contacts_;
    WallLoad<S> wall_load_;
};

}  // namespace treacle::barreiro2017
