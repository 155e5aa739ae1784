#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ordinary/draw.h"
#include "ordinary/fluid_sums.h"
#include "ordinary/scene_sketch.h"
#include "sim/simulation.h"

namespace treacle::ordinary {

enum class Verdict {
    passed,
    failed,
    refused,  ///< the method says by key that it cannot do this
    warned,   ///< likewise, but it would run
};

const char* word(Verdict verdict);

enum class Side { near, at_most, at_least };

/// Something measured, beside what is right.
struct Measurement {
    std::string quantity;  ///< with its unit, if it has one
    double right;
    double got;
    double tolerance;
    Side side = Side::near;
    double own_error = 0;  ///< of the theory at this resolution; part of the tolerance only if the case says so

    bool ok() const;
    std::string text() const;   ///< "floor force / weight 1.002 (1 ± 0.02)"
    std::string asked() const;  ///< "1 ± 0.02"
};

/// Which ordinary scene is run, and how.
struct Choice {
    std::string method;
    int dimension = 2;
    std::uint64_t seed = 0;
    bool full = false;          ///< longer, larger
    double step_factor = 1;     ///< on the steps that the method would take
    double spacing_factor = 1;  ///< on the spacing, with the same geometry
    int threads = 1;
    std::function<void(double time)> progress = [](double) {};
};

/// What came out of a case for one method and dimension.
struct CellReport {
    std::string name;
    std::string method;
    int dimension = 2;
    Verdict verdict = Verdict::passed;
    std::string message;  ///< why it failed, was refused or warned about
    std::vector<Measurement> rows;
    std::size_t particles = 0;
    std::size_t steps = 0;

    std::string id() const;  ///< "pool_water_10 2D clavet2005"

    /// What is wrong, in one line; empty if nothing is.
    std::string failures() const;
};

/// A case for one method: draws the scene, runs it, holds measurements against what is right. Once something has
/// failed, open() and run() return false and the case ends.
class Trial {
public:
    /// `needs` are the keys for whose sake the method may refuse or warn.
    Trial(const std::string& name, std::vector<std::string> needs, const Choice& choice);

    Draw draw;

    int dimension() const { return choice_.dimension; }
    bool flat() const { return choice_.dimension == 2; }
    bool full() const { return choice_.full; }
    const std::string& method() const { return choice_.method; }

    /// The length, about this one (m), of which geometry is made: the spacing, but for the factor on it.
    double unit(double nominal) { return nominal * draw.between(0.7, 1.3); }

    /// A scene with this unit and the drawn packing.
    SceneSketch sketch(double unit) const;

    /// Reads and checks the scene for the method, and lays its fluid. It takes the place of an earlier scene.
    bool open(const SceneSketch& sketch);

    /// Steps until a time (s), by at most a step more. `observe` sees every step.
    bool run(
        double until, const std::function<void(const StepInfo&)>& observe = [](const StepInfo&) {});

    const State& state() const { return simulation_->state(); }
    const Scene& scene() const { return simulation_->scene(); }
    const Body& body(const std::string& name) const;
    FluidSums sums() const { return sums_of(state()); }
    double longest_step() const { return longest_step_; }  ///< s

    /// got = right ± tolerance.
    void expect(std::string quantity, double right, double got, double tolerance, double own_error = 0);
    void expect_at_most(std::string quantity, double bound, double got);
    void expect_at_least(std::string quantity, double bound, double got);
    void fail(std::string message);

    CellReport report() const;

private:
    std::vector<std::string> needs_;
    Choice choice_;
    bool relaxed_;
    double step_share_;
    std::unique_ptr<Simulation> simulation_;
    double longest_step_ = 0;
    CellReport report_;
};

}  // namespace treacle::ordinary
