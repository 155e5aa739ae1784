#include "ordinary/trial.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.h"
#include "scene/reader.h"
#include "sim/preflight.h"

namespace treacle::ordinary {

namespace {

/// More steps than these, and a run counts as one that does not come to an end.
constexpr std::size_t most_steps_quick = 15'000;
constexpr std::size_t most_steps_full = 1'000'000;

/// Likewise, if so many were less than a hundredth of the longest.
constexpr std::size_t most_short_steps = 1'000;

/// "/solids/0/adhesion: …" names the key adhesion.
bool names_key(const std::string& message, const std::string& key) {
    const std::string pointer = message.substr(0, message.find(": "));
    return pointer.ends_with("/" + key);
}

}  // namespace

const char* word(Verdict verdict) {
    switch (verdict) {
        case Verdict::passed: return "passed";
        case Verdict::failed: return "failed";
        case Verdict::refused: return "refused";
        case Verdict::warned: return "warned";
    }
    return "";
}

bool Measurement::ok() const {
    if (!std::isfinite(got)) return false;
    if (side == Side::at_most) return got <= right;
    if (side == Side::at_least) return got >= right;
    return std::abs(got - right) <= tolerance;
}

std::string Measurement::asked() const {
    if (side == Side::at_most) return "≤ " + digits_text(right, 3);
    if (side == Side::at_least) return "≥ " + digits_text(right, 3);
    return digits_text(right, 4) + " ± " + digits_text(tolerance, 2);
}

std::string Measurement::text() const { return quantity + " " + digits_text(got, 4) + " (" + asked() + ")"; }

std::string CellReport::id() const { return name + " " + std::to_string(dimension) + "D " + method; }

std::string CellReport::failures() const {
    if (verdict != Verdict::failed) return {};
    std::vector<std::string> parts;
    for (const Measurement& row : rows) {
        if (!row.ok()) parts.push_back(row.text());
    }
    if (!message.empty()) parts.push_back(message);
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

Trial::Trial(const std::string& name, std::vector<std::string> needs, const Choice& choice)
    : draw(choice.seed, name, choice.dimension), needs_(std::move(needs)), choice_(choice) {
    relaxed_ = draw.coin();
    const double share = draw.between(0.5, 1);
    step_share_ = (choice.seed == 0 ? 1 : share) * choice.step_factor;
    report_.name = name;
    report_.method = choice.method;
    report_.dimension = choice.dimension;
}

SceneSketch Trial::sketch(double unit) const {
    return SceneSketch(choice_.dimension, unit * choice_.spacing_factor, relaxed_);
}

bool Trial::open(const SceneSketch& sketch) {
    std::vector<std::string> warnings;
    Log log;
    log.warning = [&](const std::string& text) { warnings.push_back(text); };
    Json root = sketch.root();
    root.set("method", choice_.method);
    const auto scene = read_scene(root, "ordinary scene", log);
    const auto excuse = [&](const std::vector<std::string>& texts, Verdict verdict) {
        for (const std::string& text : texts) {
            for (const std::string& key : needs_) {
                if (!names_key(text, key)) continue;
                report_.verdict = verdict;
                report_.message = text;
                return true;
            }
        }
        return false;
    };
    if (!scene) {
        std::vector<std::string> errors;
        for (Problem problem : scene.error().problems) {
            problem.file.clear();
            problem.line = 0;
            errors.push_back(to_string(problem));
        }
        if (!excuse(errors, Verdict::refused)) fail("check refuses the scene: " + errors.front());
        return false;
    }
    for (const std::string& text : predict(*scene).warnings) warnings.push_back(text);
    for (std::string& text : warnings) {
        if (const std::size_t start = text.find('/'); start != std::string::npos) text = text.substr(start);
    }
    if (excuse(warnings, Verdict::warned)) return false;
    auto created = Simulation::create(*scene, choice_.threads, Log{});
    if (!created) {
        fail(to_string(created.error()));
        return false;
    }
    simulation_ = std::move(*created);
    if (step_share_ != 1) simulation_->be_cautious({step_share_, std::numeric_limits<int>::max()});
    report_.particles = state().particles.size();
    return true;
}

bool Trial::run(double until, const std::function<void(const StepInfo&)>& observe) {
    if (!simulation_ || report_.verdict != Verdict::passed) return false;
    std::size_t short_steps = 0;
    while (state().time < until - 1e-9) {
        const auto step = simulation_->step();
        if (!step) {
            fail(to_string(step.error()));
            return false;
        }
        longest_step_ = std::max(longest_step_, step->dt);
        report_.particles = std::max(report_.particles, step->particles);
        if (step->dt < 0.01 * longest_step_) ++short_steps;
        const bool endless = ++report_.steps > (choice_.full ? most_steps_full : most_steps_quick);
        if (endless || short_steps > most_short_steps) {
            fail("does not come to an end: steps of " + digits_text(step->dt, 2) +
                 " s at t = " + digits_text(state().time, 3) + " s, limited by " + step->limited_by);
            return false;
        }
        choice_.progress(state().time);
        observe(*step);
    }
    return true;
}

const Body& Trial::body(const std::string& name) const {
    const Bodies& bodies = state().bodies;
    return *std::find_if(bodies.begin(), bodies.end(), [&](const Body& body) { return body.name == name; });
}

void Trial::expect(std::string quantity, double right, double got, double tolerance, double own_error) {
    report_.rows.push_back({std::move(quantity), right, got, tolerance, Side::near, own_error});
}

void Trial::expect_at_most(std::string quantity, double bound, double got) {
    report_.rows.push_back({std::move(quantity), bound, got, 0, Side::at_most, 0});
}

void Trial::expect_at_least(std::string quantity, double bound, double got) {
    report_.rows.push_back({std::move(quantity), bound, got, 0, Side::at_least, 0});
}

void Trial::fail(std::string message) {
    report_.verdict = Verdict::failed;
    report_.message = std::move(message);
}

CellReport Trial::report() const {
    CellReport report = report_;
    const bool wrong = std::any_of(report.rows.begin(), report.rows.end(), [](const auto& row) { return !row.ok(); });
    if (report.verdict == Verdict::passed && (wrong || report.rows.empty())) report.verdict = Verdict::failed;
    return report;
}

}  // namespace treacle::ordinary
