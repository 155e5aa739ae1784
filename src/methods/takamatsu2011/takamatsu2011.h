#pragma once

#include <optional>
#include <vector>

#include "blocks/motion.h"
#include "blocks/elastic/cluster_update.h"
#include "blocks/elastic/shape_matching.h"
#include "blocks/pressure/equation_of_state.h"
#include "blocks/pressure/iisph.h"
#include "blocks/pressure/printed_sph.h"
#include "blocks/solids/boundary_particles.h"
#include "blocks/solids/collision.h"
#include "blocks/solids/wall_load.h"
#include "blocks/surface/surface_tension.h"
#include "blocks/viscous/explicit_viscosity.h"
#include "blocks/viscous/implicit_viscosity.h"
#include "methods/method.h"
#include "methods/takamatsu2011/columns.h"
#include "methods/takamatsu2011/settings.h"

namespace treacle::takamatsu2011 {

/// A fast and practical method for animating particle-based viscoelastic fluids (Takamatsu, Kanai 2011): SPH moves
/// every particle as a fluid, shape matching as an elastic solid, and a blend of both velocities is taken.
template <class S>
class Takamatsu2011 final : public Method<S> {
public:
    using typename Method<S>::Settling;

    explicit Takamatsu2011(const MethodInput& input);

    void add_columns(Particles& particles, ConnectionGraph& connections) override;
    std::vector<TimeStepLimit> time_step_limits(const Particles& particles, const Parallel& parallel) const override;
    double search_radius(const Particles&, const Parallel&, double) const override { return support_radius_; }
    StepReport step(StepContext<S>& context) override;
    StepReport start(StepContext<S>& context) override;
    void add_births(StepContext<S>& context, const Births& births) override;
    void parameters_changed(const MethodInput& input) override;
    double support_radius() const override { return support_radius_; }
    double sound_speed() const override { return sound_speed_; }

private:
    using Real = typename S::Real;
    using Row = typename S::Row;

    /// The coefficients of one material.
    struct Fluid {
        Real rest_density = 0;  ///< kg/m³
        Real fluidity = 1;      ///< α
        Real pull = 0;          ///< (1 - α) κ: acceleration towards the goal per distance, 1/s²
        Real viscosity = 0;     ///< Pa·s
        Real break_stretch = 0;
    };

    bool solves_pressure() const { return settings_.pressure == Settings::Pressure::iisph; }
    void measure_density(StepContext<S>& context, Columns<S>& columns);
    void renew_references(StepContext<S>& context, Columns<S>& columns);
    void renew(StepContext<S>& context, Columns<S>& columns, std::span<const std::uint8_t> chosen,
               std::span<const std::uint32_t> fluid);
    void apply_viscosity(StepContext<S>& context, Columns<S>& columns);
    void match_shapes(StepContext<S>& context, Columns<S>& columns);
    void let_go(StepContext<S>& context, Columns<S>& columns);
    void apply_forces(StepContext<S>& context, Columns<S>& columns);
    void apply_pressure(StepContext<S>& context, Columns<S>& columns);
    void apply_printed(StepContext<S>& context, Columns<S>& columns);
    void keep_out_of_solids(StepContext<S>& context, Columns<S>& columns);
    void note_impacts(StepContext<S>& context, Columns<S>& columns) const;

    Settings settings_;
    double spacing_ = 0;
    double support_radius_ = 0;
    double sound_speed_ = 0;
    double weight_ = 0;     ///< m/s², the unit of forces in thresholds
    double push_time_ = 0;  ///< s, over which the push by solids is averaged
    std::vector<TimeStepLimit> limits_at_rest_;
    std::vector<Fluid> materials_;
    bool elastic_ = false, fluid_ = false, viscous_ = false;  ///< whether any material is
    double most_viscous_ = 0;                                 ///< m²/s

    std::optional<BoundaryParticles<S>> boundary_;  ///< made when the bodies are known
    std::vector<Real> stiffness_;                   ///< (1 - α) κ m, N/m
    std::vector<Real> viscosity_of_;                ///< Pa·s
    std::vector<Real> break_stretch_;
    std::vector<Row> goal_;  ///< g - x; and other vectors of a moment
    ClusterUpdate<S> update_;
    ShapeMatching<S> matching_;
    EquationOfState<S> pressure_;
    Iisph<S> solved_pressure_;
    PrintedSph<S> printed_;
    std::optional<ImplicitViscosity<S>> viscosity_;
    SurfaceTension<S> tension_;
    WallRows<S> walls_;
    WallLoad<S> wall_load_;
    Collision<S> collision_;
};

}  // namespace treacle::takamatsu2011
