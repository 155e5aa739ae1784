#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "blocks/motion.h"
#include "blocks/elastic/conformation_laws.h"
#include "blocks/pressure/coupled_flow.h"
#include "blocks/discretization/mps_geometry.h"
#include "blocks/surface/potential_tension.h"
#include "blocks/pressure/mps_projection.h"
#include "blocks/threads/thread_refinement.h"
#include "blocks/solids/boundary_particles.h"
#include "blocks/solids/collision.h"
#include "blocks/threads/rupture.h"
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
    double support_radius() const override { return settings_.support_radius * spacing_; }
    std::size_t boundary_particles() const override { return boundary_ ? boundary_->size() : 0; }
    std::vector<FrameColumn> frame_columns() const override;
    std::vector<double> frame_values(const FrameContext<S>& frame) const override;

private:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    /// The coefficients of one material.
    struct Fluid {
        Real rest_density = 0;                  ///< kg/m³
        Real viscosity = 0;                     ///< η0, Pa·s
        Real modulus = 0;                       ///< G, or μ of the paper's law, Pa
        std::optional<double> relaxation_time;  ///< λ, s
        Real yield_strain = 0;
        Real tension = 0;  ///< σ, N/m
        MaterialSettings own;

        bool solid() const { return modulus > 0 && !relaxation_time; }  ///< never forgets its shape
    };

    /// β and α of eq. 3.
    struct Weights {
        double elastic = 0, viscous = 1;
    };

    /// The largest radius, m: of volumes, and of the direction and tension of the surface.
    double wide_radius() const {
        return std::max({3.1, settings_.viscous_radius, settings_.support_radius}) * spacing_;
    }
    bool paper() const { return settings_.coefficients == Coefficients::paper; }
    /// The paper's is a distortion.
    SymMat<Real> conformation_at_rest() const { return paper() ? SymMat<Real>{} : SymMat<Real>::identity(); }
    void find_geometry(StepContext<S>& context, Columns<S>& columns);
    void tell_density(StepContext<S>& context) const;
    void weigh_stresses(StepContext<S>& context, Columns<S>& columns);
    Weights weights_of(const Fluid& fluid, const Waist& waist, const Rupture& rupture) const;
    void relax(StepContext<S>& context, Columns<S>& columns);
    void find_forces(StepContext<S>& context, Columns<S>& columns);
    void solve_flow(StepContext<S>& context, Columns<S>& columns);
    Real compression(std::size_t i, Real& volume_ratio) const;
    void project(StepContext<S>& context, Columns<S>& columns);
    void deform(StepContext<S>& context, Columns<S>& columns);
    void advance(StepContext<S>& context, Columns<S>& columns);
    void keep_out_of_solids(StepContext<S>& context, Columns<S>& columns);
    void refine(StepContext<S>& context);

    Settings settings_;
    double spacing_ = 0;
    std::vector<std::vector<TimeStepLimit>> limits_at_rest_;  ///< by how often the smallest particle was halved
    std::vector<Fluid> materials_;
    bool elastic_ = false;   ///< whether any material is
    bool stressed_ = false;  ///< whether any has a stress that is not that of its conformation
    bool tense_ = false;     ///< whether any has surface tension
    double weight_ = 0;      ///< Pa, of the fluid at the start on its floor
    double slowest_ = 0;     ///< 1/m, of waves along gravity at the start

    std::optional<BoundaryParticles<S>> boundary_;  ///< made when the bodies are known
    PulledThread<S> thread_;
    ThreadRefinement<S> refinement_;
    std::vector<Real> size_;  ///< of particles, where any was halved
    MpsGeometry<S> geometry_;
    PotentialTension<S> tension_;
    std::vector<Real> tension_of_;
    CoupledFlow<S> flow_;
    std::optional<MpsProjection<S>> projection_;  ///< in its place
    WallRows<S> walls_;
    Collision<S> collision_;
    std::vector<Real> not_pressed_;         ///< zeros
    std::vector<Row> by_contact_;           ///< m, what contact took of each particle's way
    std::span<const Mat3<Real>> gradient_;  ///< of the velocities that one of them found
    std::vector<Real> viscosity_, resistance_, divergence_, modulus_, strain_time_, smooth_;
    std::vector<Row> acceleration_;
    std::vector<SymMat<Real>> stress_;
    std::vector<Real> elastic_weight_, viscous_weight_;  ///< β and α, by material
};

}  // namespace treacle::mukai2021
