#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "blocks/block_context.h"
#include "blocks/fluid_view.h"
#include "blocks/solids/plane_samples.h"
#include "blocks/solids/solid_geometry.h"
#include "core/parallel.h"
#include "kernels/cubic_spline.h"
#include "math/space.h"
#include "neighbors/point_grid.h"
#include "state/bodies.h"

namespace treacle {

/// A sample of a solid within the support radius as fluid particle i sees it.
template <class S>
struct BoundaryPair {
    std::uint32_t k;
    typename S::Real distance;
    typename S::Real q;      ///< distance / support radius, below 1
    typename S::Vec offset;  ///< x_i - x_k
};

/// Solids as particles that complete the fluid's sums (Akinci, Ihmsen, Akinci, Solenthaler, Teschner 2012: Versatile
/// Rigid-Fluid Coupling for Incompressible SPH; numbers of equations are theirs).
///
///   V_k = 1 / Σ_l W_kl                       (4)  over the samples l of the same body, itself included
///   ρ_i += ρ0_i Σ_k V_k W_ik                 (6)
///   a_i -= ρ0_i Σ_k V_k p_i/ρ_i² ∇W_ik       (9)  the wall mirrors the pressure of the particle
///   F_k = -m_i a_ik;   force and torque of a body are the sums over its samples   (10, 12)
///
/// Reads positions, velocities, masses, densities and pressures of the fluid, poses and velocities of the bodies; adds
/// to density, acceleration, force and torque. Every force is along x_ik and has its opposite on the body, so momentum
/// and angular momentum of fluid and bodies together stay. Gather only; reactions are summed by block.
///
/// A body is sampled once, in its own frame, and so are its volumes and its cells; later its samples move with its
/// pose, and nothing is done for a body that has not moved. A plane is laid with samples where fluid is.
///
/// Limits: bodies thinner than a spacing are felt from their other side too. A sample within the surface of another
/// body counts as well as others do.
///
/// Departure: samples lie half a spacing below the surface and not on it. A fluid that is laid flush against a wall
///   begins half a spacing above it, so that samples there continue its lattice; on the surface they make it half again
///   too dense. A body too thin for this has them higher.
/// Departure: volumes are scaled such that a lattice flush against a flat wall has its density exactly. By (4) alone it
///   is 6 % too dense in 3D and 7 % in 2D (support of two spacings).
/// Departure: viscosity (viscous/wall_drag.h) instead of (11), Akinci's artificial one with its speed of sound, so that
///   the drag of a wall is given in m²/s and does not change with the resolution. It also resists separation.
template <class S>
class BoundaryParticles {
public:
    using Real = typename S::Real;
    using Row = typename S::Row;
    using Vec = typename S::Vec;

    struct Settings {
        double spacing = 0;         ///< m
        double support_radius = 0;  ///< m
        int layers = 1;             ///< each a spacing below the one before; MPS takes several
        bool printed = false;       ///< as in the paper: the first layer on the surface, volumes by (4)
        bool lattice = false;  ///< bodies with an end hold a lattice as deep as the layers, and not samples of surfaces

        bool operator==(const Settings&) const = default;
    };

    /// Samples that the geometry knows already are taken from there.
    BoundaryParticles(const Bodies& bodies, const Settings& settings, const Parallel& parallel,
                      SolidGeometry* geometry = nullptr);

    /// Brings samples to where their bodies are, lays those of planes where there is fluid, and finds the rows.
    void update(std::span<const Row> fluid, const Bodies& bodies, const Parallel& parallel);

    std::size_t size() const { return position_.size(); }
    std::span<const Row> position() const { return position_; }
    std::span<const Row> velocity() const { return velocity_; }
    std::span<const Real> volume() const { return volume_; }  ///< m³ (2D: m²)
    std::span<const std::uint32_t> body() const { return body_; }
    std::span<const std::uint8_t> layer() const { return layer_; }  ///< 0 is next to the fluid
    /// Place of a sample in the frame of its body.
    Vec3d local(std::size_t k) const { return samples_[body_[k]].local()[k - samples_[body_[k]].first]; }
    const CubicSpline<S>& kernel() const { return kernel_; }

    std::size_t fluid_size() const { return row_end_.size(); }  ///< fluid particles of the last update
    /// Samples within the support radius of fluid particle i: by body, those of a body by cell.
    std::span<const std::uint32_t> row(std::size_t i) const {
        const std::size_t begin = i % block_size == 0 ? 0 : row_end_[i - 1];
        return {block_entries_[i / block_size].data() + begin, row_end_[i] - begin};
    }

    /// visit(BoundaryPair) for the row of fluid particle i at x.
    template <class Visit>
    void for_each_pair(std::size_t i, Vec x, const Visit& visit) const {
        for (const std::uint32_t k : row(i)) {
            const Vec offset = x - position_[k].xyz();
            const Real distance = length(offset);
            if (distance < kernel_.support_radius())
                visit(BoundaryPair<S>{k, distance, distance / kernel_.support_radius(), offset});
        }
    }

    /// ∇W with respect to the fluid particle.
    Vec gradient(const BoundaryPair<S>& pair) const {
        return pair.distance > 0 ? (kernel_.slope(pair.q) / pair.distance) * pair.offset : Vec{};
    }

    /// (6), added to the fluid's density. Rest densities are by material, kg/m³.
    void add_density(const FluidView<S>& fluid, const BlockContext<S>& context,
                     std::span<const Real> rest_density) const;

    /// (6) for density as a multiple of the rest density.
    void add_density_ratio(std::span<const Row> fluid, const Parallel& parallel, std::span<Real> ratio) const;

    /// (9) and its reaction.
    void add_pressure(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<const Real> rest_density,
                      std::span<const Real> pressure, std::span<Row> acceleration) const;

private:
    static constexpr std::size_t block_size = Parallel::small_block;

    /// The samples of one body.
    struct BodySamples {
        std::shared_ptr<const BodySampleSet> set;  ///< of a body with an end, in its own frame
        std::optional<PlaneSamples> plane;         ///< of one without
        std::size_t first = 0;                     ///< place in the columns
        bool placed = false;                       ///< with this pose and these velocities:
        Pose pose;
        Vec3d velocity{}, angular_velocity{};

        const std::vector<Vec3d>& local() const { return plane ? plane->points() : set->points; }
    };

    std::vector<double> depths_of(const Body& body) const;
    BodySampleSet lay(const Body& body, SolidGeometry& geometry, const Parallel& parallel) const;
    void measure(BodySampleSet& set, const Parallel& parallel) const;
    void append(std::size_t body, BodySamples& samples, std::span<const double> volumes,
                std::span<const std::uint8_t> layers);
    void lay_planes(std::span<const Row> fluid, const Bodies& bodies, const Parallel& parallel);
    void place(const Body& body, BodySamples& samples, const Parallel& parallel);
    void find_rows(std::span<const Row> fluid, const Bodies& bodies, const Parallel& parallel);
    template <class Pull>
    void pull(const FluidView<S>& fluid, const BlockContext<S>& context, std::span<Row> acceleration,
              const Pull& pull_of) const;

    Settings settings_;
    CubicSpline<S> kernel_;
    std::vector<double> depths_;        ///< of the layers
    std::vector<double> flat_volumes_;  ///< of the layers of a flat wall, by (4)
    double volume_scale_ = 1;
    std::size_t end_of_bodies_ = 0;     ///< in the columns; planes come after
    std::vector<BodySamples> samples_;  ///< per body

    std::vector<Row> position_, velocity_;
    std::vector<Real> volume_;
    std::vector<std::uint32_t> body_;
    std::vector<std::uint8_t> layer_;

    std::vector<std::uint32_t> row_end_;  ///< per fluid particle, in the entries of its block
    std::vector<std::vector<std::uint32_t>> block_entries_;
};

}  // namespace treacle
