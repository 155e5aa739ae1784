#include "claims/particle_statistic.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "blocks/elastic/rotation_extraction.h"
#include "claims/lumps.h"
#include "core/text.h"

namespace treacle {

namespace {

/// A frame with columns by name, including some that no file holds.
class FrameColumns {
public:
    static Result<FrameColumns> read(const RunData& run, std::size_t row) {
        auto table = run.particles(row);
        if (!table) return tl::unexpected(table.error());
        for (const char* name : {"x", "y", "z", "vx", "vy", "vz", "material"}) {
            if (!table->find(name)) return fail(ExitCode::wrong_input, "frame without the column " + in_quotes(name));
        }
        return FrameColumns(run, row, std::move(*table));
    }

    std::size_t size() const { return table_.rows; }

    Vec3d position(std::size_t i) const { return vector("x", "y", "z", i); }

    Result<std::vector<double>> column(const std::string& name) const {
        if (const auto* stored = table_.find(name)) return stored->values;
        std::vector<double> values(size());
        for (std::size_t i = 0; i < size(); ++i) {
            if (name == "speed") values[i] = length(vector("vx", "vy", "vz", i));
            else if (name == "wall_distance") values[i] = run_->wall_distance(row_, position(i));
            else return unknown(name);
        }
        return values;
    }

private:
    FrameColumns(const RunData& run, std::size_t row, PlyTable table)
        : run_(&run), row_(row), table_(std::move(table)) {}

    Vec3d vector(const char* x, const char* y, const char* z, std::size_t i) const {
        return {table_.find(x)->values[i], table_.find(y)->values[i], table_.find(z)->values[i]};
    }

    tl::unexpected<Error> unknown(const std::string& name) const {
        std::vector<std::string> known{"speed", "wall_distance"};
        for (const auto& stored : table_.columns) known.push_back(stored.name);
        return fail(ExitCode::wrong_input, "particles have no column " + in_quotes(name) + did_you_mean(name, known));
    }

    const RunData* run_;
    std::size_t row_;
    PlyTable table_;
};

/// Switches off the particles for which keep(i) is false.
template <class Keep>
void filter(std::vector<bool>& chosen, const Keep& keep) {
    for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = chosen[i] && keep(i);
}

Result<std::size_t> material_number(const Scene& scene, const std::string& name) {
    std::vector<std::string> names;
    for (const Material& material : scene.materials) names.push_back(material.name);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
        return fail(ExitCode::wrong_input, "the scene has no material " + in_quotes(name) + did_you_mean(name, names));
    }
    return static_cast<std::size_t>(found - names.begin());
}

void filter_by_shape(std::vector<bool>& chosen, const FrameColumns& frame, Shape shape, int dimension, bool inside) {
    shape.dimension = dimension;  // unknown when the measure was read
    filter(chosen, [&](std::size_t i) { return (surface_point(shape, frame.position(i)).distance < 0) == inside; });
}

Result<std::vector<bool>> select(const ParticleSeries& series, const FrameColumns& frame, const Scene& scene) {
    std::vector<bool> chosen(frame.size(), true);
    if (!series.material.empty()) {
        const auto number = material_number(scene, series.material);
        if (!number) return tl::unexpected(number.error());
        const auto materials = frame.column("material");
        filter(chosen, [&](std::size_t i) { return (*materials)[i] == static_cast<double>(*number); });
    }
    if (series.inside) filter_by_shape(chosen, frame, *series.inside, scene.dimension, true);
    if (series.outside) filter_by_shape(chosen, frame, *series.outside, scene.dimension, false);
    for (const ColumnCondition& condition : series.conditions) {
        const auto values = frame.column(condition.column);
        if (!values) return tl::unexpected(values.error());
        filter(chosen, [&](std::size_t i) { return (*values)[i] > condition.above && (*values)[i] < condition.below; });
    }
    return chosen;
}

/// Interpolates between the two nearest values if none has exactly this rank.
double percentile(std::vector<double> values, double percent) {
    std::sort(values.begin(), values.end());
    const double rank = percent / 100 * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    const double share = rank - static_cast<double>(below);
    return (1 - share) * values[below] + share * values[above];
}

struct Eigenvalues {
    double largest, smallest;
};

/// Eigenvalues of a symmetric 2×2 matrix.
Eigenvalues eigenvalues(double xx, double xy, double yy) {
    const double middle = (xx + yy) / 2, radius = std::hypot((xx - yy) / 2, xy);
    return {middle + radius, middle - radius};
}

/// Eigenvalues of a symmetric 3×3 matrix, by the trigonometric solution of its characteristic polynomial.
Eigenvalues eigenvalues(double xx, double xy, double xz, double yy, double yz, double zz) {
    const double mean = (xx + yy + zz) / 3;
    const double a = xx - mean, b = yy - mean, c = zz - mean;
    const double p = std::sqrt((a * a + b * b + c * c + 2 * (xy * xy + xz * xz + yz * yz)) / 6);
    if (p == 0) return {mean, mean};
    const double determinant = a * (b * c - yz * yz) - xy * (xy * c - yz * xz) + xz * (xy * yz - b * xz);
    const double angle = std::acos(std::clamp(determinant / (2 * p * p * p), -1.0, 1.0)) / 3;
    return {mean + 2 * p * std::cos(angle), mean + 2 * p * std::cos(angle + 2 * std::numbers::pi / 3)};
}

Result<double> aspect(const std::vector<Vec3d>& points, int dimension) {
    Vec3d center{};
    for (const Vec3d& p : points) center += (1.0 / static_cast<double>(points.size())) * p;
    double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
    for (const Vec3d& p : points) {
        const Vec3d d = p - center;
        xx += d.x * d.x;
        xy += d.x * d.y;
        xz += d.x * d.z;
        yy += d.y * d.y;
        yz += d.y * d.z;
        zz += d.z * d.z;
    }
    const Eigenvalues axes = dimension == 2 ? eigenvalues(xx, xy, yy) : eigenvalues(xx, xy, xz, yy, yz, zz);
    if (!(axes.smallest > 0))
        return fail(ExitCode::claim_failed, "the particles lie in a line or plane: no aspect ratio");
    return std::sqrt(axes.largest / axes.smallest);
}

double lumps(const ParticleSeries& series, const std::vector<Vec3d>& points, double spacing) {
    const auto sizes = lump_sizes(points, series.link_distance * spacing);
    const double smallest = series.smallest_share * static_cast<double>(points.size());
    const auto counts = [&](std::size_t size) { return static_cast<double>(size) >= smallest; };
    return static_cast<double>(std::count_if(sizes.begin(), sizes.end(), counts));
}

Vec3d mean_of(const std::vector<Vec3d>& points) {
    Vec3d sum{};
    for (const Vec3d& p : points) sum += p;
    return (1.0 / static_cast<double>(points.size())) * sum;
}

/// Root mean square distance of points from their places in a rigid copy of others.
double rigid_distance(const std::vector<Vec3d>& first, const std::vector<Vec3d>& now) {
    const Vec3d center_first = mean_of(first), center_now = mean_of(now);
    Mat3<double> covariance{};
    for (std::size_t i = 0; i < now.size(); ++i) {
        const Vec3d from = first[i] - center_first, to = now[i] - center_now;
        covariance.x += to.x * from;
        covariance.y += to.y * from;
        covariance.z += to.z * from;
    }
    const Mat3<double> turn = closest_rotation(covariance, Quaternion{}, 100);
    double squares = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        const Vec3d apart = (now[i] - center_now) - turn * (first[i] - center_first);
        squares += dot(apart, apart);
    }
    return std::sqrt(squares / static_cast<double>(now.size()));
}

/// Drift of those chosen particles that were there in the first frame.
Result<double> drift(const RunData& run, const FrameColumns& frame, const std::vector<bool>& chosen) {
    const auto start = FrameColumns::read(run, 0);
    if (!start) return tl::unexpected(start.error());
    const auto ids_then = start->column("id"), ids = frame.column("id");
    for (const auto* column : {&ids_then, &ids}) {
        if (!*column) return tl::unexpected(column->error());
    }
    std::vector<Vec3d> first, now;
    for (std::size_t i = 0, k = 0; i < ids->size(); ++i) {  // frames are in the order of ids
        while (k < ids_then->size() && (*ids_then)[k] < (*ids)[i]) ++k;
        if (k == ids_then->size()) break;
        if (!chosen[i] || (*ids_then)[k] != (*ids)[i]) continue;
        first.push_back(start->position(k));
        now.push_back(frame.position(i));
    }
    if (now.empty()) return fail(ExitCode::claim_failed, "no particle of the first frame is left");
    return rigid_distance(first, now) / run.scene().particle_spacing;
}

Result<double> of_values(const ParticleSeries& series, const std::vector<double>& values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    switch (series.statistic) {
        case ParticleSeries::Statistic::mean:
            return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
        case ParticleSeries::Statistic::min: return *low;
        case ParticleSeries::Statistic::max: return *high;
        case ParticleSeries::Statistic::range: return *high - *low;
        default: return percentile(values, series.percent);
    }
}

}  // namespace

Result<double> particle_statistic(const ParticleSeries& series, const RunData& run, std::size_t row) {
    const auto frame = FrameColumns::read(run, row);
    if (!frame) return tl::unexpected(frame.error());
    const auto chosen = select(series, *frame, run.scene());
    if (!chosen) return tl::unexpected(chosen.error());
    const auto count = static_cast<double>(std::count(chosen->begin(), chosen->end(), true));
    if (series.statistic == ParticleSeries::Statistic::count) return count;
    if (series.statistic == ParticleSeries::Statistic::share)
        return frame->size() > 0 ? count / static_cast<double>(frame->size()) : 0.0;
    if (count == 0) {
        return fail(ExitCode::claim_failed, "no particle is chosen in frame " + std::to_string(run.rows()[row].frame));
    }
    if (series.statistic == ParticleSeries::Statistic::drift) return drift(run, *frame, *chosen);
    if (series.statistic == ParticleSeries::Statistic::aspect || series.statistic == ParticleSeries::Statistic::lumps) {
        std::vector<Vec3d> points;
        for (std::size_t i = 0; i < frame->size(); ++i) {
            if ((*chosen)[i]) points.push_back(frame->position(i));
        }
        if (series.statistic == ParticleSeries::Statistic::lumps)
            return lumps(series, points, run.scene().particle_spacing);
        return aspect(points, run.scene().dimension);
    }
    const auto column = frame->column(series.column);
    if (!column) return tl::unexpected(column.error());
    std::vector<double> values;
    for (std::size_t i = 0; i < frame->size(); ++i) {
        if ((*chosen)[i]) values.push_back((*column)[i]);
    }
    return of_values(series, values);
}

}  // namespace treacle
