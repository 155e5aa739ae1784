#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "blocks/discretization/mps_geometry.h"
#include "blocks/discretization/particle_shifting.h"
#include "blocks/elastic/constitutive_law.h"
#include "blocks/elastic/weighted_stress.h"
#include "blocks/pressure/coupled_flow.h"
#include "blocks/pressure/mps_projection.h"
#include "blocks/pressure/volume_control.h"
#include "blocks/surface/potential_tension.h"
#include "blocks/threads/rupture.h"
#include "blocks/threads/thread_refinement.h"
#include "blocks/viscous/laplacian_viscosity.h"
#include "methods/method.h"
#include "methods/mukai2021/columns.h"
#include "methods/mukai2021/settings.h"

namespace treacle::mukai2021 {

/// Viscoelastic fluid simulation based on the combination of viscous and elastic stresses (Mukai, Morooka, Natsume,
/// Chang 2021): Cauchy's equation of motion by the moving particle semi-implicit method.
template <class S>
class Mukai2021 final : public Method<S> {
public:
    explicit Mukai2021(const MethodInput& input);

    void add_columns(Particles& particles, ConnectionGraph& connections) override;
    std::vector<TimeStepLimit> time_step_limits(const Particles& particles, const Parallel& parallel) const override;
    double search_radius(const Particles&, const Parallel&, double) const override;
    StepReport step(StepContext<S>& context) override;
    StepReport start(StepContext<S>& context) override;
    void parameters_changed(const MethodInput& input) override;
    typename Solids<S>::Settings solid_settings() const override { return solids_; }
    double support_radius() const override { return settings_.support_radius * spacing_; }
    std::vector<FrameColumn> frame_columns() const override;
    std::vector<double> frame_values(const FrameContext<S>& frame) const override;

private:
    using Real = typename S::Real;
    using Row = typename S::Row;

    double wide_radius() const { return settings_.wide_radius() * spacing_; }  ///< m
    bool paper() const { return settings_.coefficients == Coefficients::paper; }
    StepReport measure(Columns<S>& fluid, StepContext<S>& context);
    void keep_out_of_solids(Columns<S>& fluid, StepContext<S>& context);

    Settings settings_;
    double spacing_ = 0;
    std::vector<Real> rest_density_;                          ///< kg/m³, by material
    std::vector<std::vector<TimeStepLimit>> limits_at_rest_;  ///< by how often the smallest particle was halved

    typename Solids<S>::Settings solids_;
    MpsGeometry<S> geometry_;
    PulledThread<S> thread_;
    WeightedStress<S> weighted_stress_;
    ConstitutiveLaw<S> law_;
    PotentialTension<S> tension_;
    std::vector<Row> acceleration_;  ///< of gravity and surface tension
    VolumeControl<S> volume_control_;
    CoupledFlow<S> flow_;
    std::optional<MpsProjection<S>> projection_;  ///< in place of the coupled flow
    LaplacianViscosity<S> laplacian_;
    ParticleShifting<S> shifting_;
    ThreadRefinement<S> refinement_;
    std::vector<Real> size_;  ///< of particles, where any was halved
};

}  // namespace treacle::mukai2021
