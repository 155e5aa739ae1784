#include "claims/expectation.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "claims/measure_reader.h"
#include "core/text.h"
#include "scene/object_reader.h"

namespace treacle {

namespace {

/// How a run is made smaller.
struct Reduction {
    std::optional<double> duration;
};

/// A claim may hold for one size only.
struct ClaimSize {
    std::optional<FigureSize> only;
};

const ParameterTable& expectation_table() {
    static const ParameterTable table =
        ParameterTable("expectation")
            .add("title", &Expectation::title, {.required = true, .doc = "Which figure it is and what it shows."})
            .add("slow", &Expectation::slow, {.doc = "Only for the full test suite."});
    return table;
}

const ParameterTable& run_table() {
    static const ParameterTable table =
        ParameterTable("run")
            .add("scene", &FigureRun::scene, {.required = true, .doc = "Scene file, relative to this file."})
            .add("method", &FigureRun::method, {.doc = "Instead of the scene's own."})
            .add("duration", &FigureRun::duration,
                 {.unit = "s", .low = 0, .high = 1e6, .doc = "Instead of the scene's own."})
            .add("may_diverge", &FigureRun::may_diverge, {.doc = "Measure what was written before it diverged."});
    return table;
}

const ParameterTable& reduction_table() {
    static const ParameterTable table = ParameterTable("reduced").add(
        "duration", &Reduction::duration, {.unit = "s", .low = 0, .high = 1e6, .doc = "Shorter than the full run."});
    return table;
}

const ParameterTable& claim_table() {
    static const ParameterTable table =
        ParameterTable("claim")
            .add("id", &Claim::id, {.required = true, .doc = "Short name, unique in the file."})
            .add("claim", &Claim::claim, {.required = true, .doc = "What must be true, one sentence."})
            .add("paper", &Claim::paper, {.required = true, .doc = "What the paper says, and where."})
            .add("unit", &Claim::unit, {.required = true, .doc = "Of the measure; \"1\" for pure numbers."})
            .add("low", &Claim::low, {.doc = "Lower end of the band; absent: there is none."})
            .add("high", &Claim::high, {.doc = "Upper end of the band; absent: there is none."});
    return table;
}

const ParameterTable& claim_size_table() {
    static const ParameterTable table =
        ParameterTable("size of a claim")
            .add("only", &ClaimSize::only, {.choices = {"reduced", "full"}, .doc = "Claim it for this size only."});
    return table;
}

const ObjectKind& reduction_kind() {
    static const ObjectKind kind{"reduced",
                                 "",
                                 {ParameterObject::of<Reduction>(reduction_table())},
                                 {{"set", Form::object, "Values of the scene by JSON pointer."}},
                                 {}};
    return kind;
}

const ObjectKind& run_kind() {
    static const ObjectKind kind{"run",
                                 "",
                                 {ParameterObject::of<FigureRun>(run_table())},
                                 {{"set", Form::object, "Values of the scene by JSON pointer."},
                                  {"reduced", Form::object, "What is different in the small version.", reduction_kind}},
                                 {}};
    return kind;
}

const ObjectKind& claim_kind() {
    static const ObjectKind kind{"claim",
                                 "",
                                 {ParameterObject::of<Claim>(claim_table()),
                                  ParameterObject::of<ClaimSize>(claim_size_table())},
                                 {{"measure", Form::object, "what is measured", {}, true}},
                                 {}};
    return kind;
}

const ParameterTable& curve_table() {
    static const ParameterTable table =
        ParameterTable("curve")
            .add("label", &FigureCurve::label, {.required = true, .doc = "Name in the plot."})
            .add("run", &FigureCurve::run,
                 {.doc = "Its frames are the points; may be left out where there is only one run."})
            .add("rate", &FigureCurve::rate, {.doc = "Change of y until the next frame, per second, instead of y."});
    return table;
}

const ObjectKind& curve_kind() {
    static const ObjectKind kind{"curve",
                                 "",
                                 {ParameterObject::of<FigureCurve>(curve_table())},
                                 {{"x", Form::object, "measure in each frame; absent: the time"},
                                  {"y", Form::object, "measure in each frame", {}, true}},
                                 {}};
    return kind;
}

const ParameterTable& plot_table() {
    static const ParameterTable table =
        ParameterTable("plot")
            .add("name", &FigurePlot::name, {.required = true, .doc = "Of the file, without .svg."})
            .add("title", &FigurePlot::title, {.required = true, .doc = "Above the plot."})
            .add("x_label", &FigurePlot::x_label, {.doc = "What the horizontal axis shows."})
            .add("y_label", &FigurePlot::y_label, {.required = true, .doc = "What the vertical axis shows."})
            .add("low", &FigurePlot::low, {.doc = "Lower end of the vertical axis."})
            .add("high", &FigurePlot::high, {.doc = "Upper end of the vertical axis."});
    return table;
}

const ObjectKind& plot_kind() {
    static const ObjectKind kind{"plot",
                                 "",
                                 {ParameterObject::of<FigurePlot>(plot_table())},
                                 {{"curves", Form::list, "lines of the plot", curve_kind, true}},
                                 {}};
    return kind;
}

const ObjectKind& expectation_kind() {
    static const ObjectKind kind{"expectation",
                                 "",
                                 {ParameterObject::of<Expectation>(expectation_table())},
                                 {{"runs", Form::dictionary, "runs by name", run_kind, true},
                                  {"claims", Form::list, "what must come out", claim_kind, true},
                                  {"plots", Form::list, "what is drawn", plot_kind}},
                                 {}};
    return kind;
}

class ExpectationReader {
public:
    ExpectationReader(std::string file, FigureSize size)
        : folder_(std::filesystem::path(file).parent_path()), reader_(std::move(file), 0), size_(size) {}

    Result<Expectation> read(const Json& root) {
        const Place top{&root, ""};
        if (reader_.is_object(top, expectation_kind())) {
            reader_.read(top, expectation_table(), &expectation_);
            if (const Place runs = top.member("runs")) read_runs(runs);
            if (const Place claims = top.member("claims")) read_claims(claims);
            if (const Place plots = top.member("plots")) read_plots(plots);
        }
        if (!reader_.problems().empty()) return fail(reader_.problems());
        return std::move(expectation_);
    }

private:
    static bool is_plain(const std::string& name) {
        return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
    }

    void read_runs(const Place& at) {
        if (!at.json->is_object() || at.json->members.empty()) {
            reader_.problem(at, "must be an object with a run or more, not " + describe(*at.json));
            return;
        }
        for (const auto& [name, json] : at.json->members) {
            const Place here = at.member(name);
            // The name becomes that of a folder.
            if (!is_plain(name)) reader_.problem(here, "the name of a run must be of small letters, digits and _");
            run_names_.push_back(name);
            if (reader_.is_object(here, run_kind())) read_run(here, name);
        }
    }

    void read_run(const Place& at, const std::string& name) {
        FigureRun run;
        reader_.read(at, run_table(), &run);
        run.name = name;
        run.scene = (folder_ / run.scene).lexically_normal().string();
        read_set(at.member("set"), run);
        if (const Place at_reduced = at.member("reduced");
            at_reduced && reader_.is_object(at_reduced, reduction_kind())) {
            Reduction reduction;
            FigureRun reduced = run;
            reader_.read(at_reduced, reduction_table(), &reduction);
            if (reduction.duration) reduced.duration = reduction.duration;
            read_set(at_reduced.member("set"), reduced);
            if (size_ == FigureSize::reduced) run = reduced;
        }
        expectation_.runs.push_back(std::move(run));
    }

    void read_set(const Place& at, FigureRun& run) {
        if (!at) return;
        if (!at.json->is_object()) {
            reader_.problem(at, "must be an object of JSON pointers and values, not " + describe(*at.json));
            return;
        }
        for (const auto& [pointer, value] : at.json->members) {
            if (!pointer.starts_with("/")) {
                reader_.problem(at.member(pointer), "must be a JSON pointer such as \"/materials/honey/density\"");
            }
            run.set.emplace_back(pointer, to_text(value));
        }
    }

    void read_claims(const Place& at) {
        if (!reader_.is_list(at, "claims")) return;
        if (at.json->elements.empty()) reader_.problem(at, "there must be at least one claim");
        std::set<std::pair<std::string, FigureSize>> ids;
        for (std::size_t n = 0; n < at.json->elements.size(); ++n) {
            const Place here = at.element(n);
            if (!reader_.is_object(here, claim_kind())) continue;
            Claim claim;
            ClaimSize size;
            reader_.read(here, claim_table(), &claim);
            reader_.read(here, claim_size_table(), &size);
            if (const Place measure = here.member("measure"))
                claim.measure = read_measure(reader_, measure, run_names_);
            if (!here.member("low") && !here.member("high")) {
                reader_.problem(here, "\"low\", \"high\" or both must say what is expected");
            }
            if (claim.low && claim.high && *claim.low > *claim.high) {
                reader_.problem(here.member("low"), "must not be above \"high\"");
            }
            for (const FigureSize each : {FigureSize::reduced, FigureSize::full}) {
                if (size.only.value_or(each) != each || ids.emplace(claim.id, each).second) continue;
                reader_.problem(here.member("id"), in_quotes(claim.id) + " is the id of an earlier claim");
                break;
            }
            if (size.only.value_or(size_) == size_) expectation_.claims.push_back(std::move(claim));
        }
    }

    void read_plots(const Place& at) {
        if (!reader_.is_list(at, "plots")) return;
        for (std::size_t n = 0; n < at.json->elements.size(); ++n) {
            const Place here = at.element(n);
            if (!reader_.is_object(here, plot_kind())) continue;
            FigurePlot plot;
            reader_.read(here, plot_table(), &plot);
            if (!is_plain(plot.name)) reader_.problem(here.member("name"), "must be of small letters, digits and _");
            if (const Place curves = here.member("curves"); curves && reader_.is_list(curves, "curves")) {
                for (std::size_t k = 0; k < curves.json->elements.size(); ++k) read_curve(curves.element(k), plot);
            }
            expectation_.plots.push_back(std::move(plot));
        }
    }

    void read_curve(const Place& at, FigurePlot& plot) {
        if (!reader_.is_object(at, curve_kind())) return;
        FigureCurve curve;
        reader_.read(at, curve_table(), &curve);
        if (curve.run.empty() && run_names_.size() == 1) curve.run = run_names_.front();
        if (std::find(run_names_.begin(), run_names_.end(), curve.run) == run_names_.end()) {
            reader_.problem(at, "\"run\" must name a run: there are " + list_text(run_names_));
        }
        if (const Place x = at.member("x")) curve.x = read_measure(reader_, x, run_names_, SeriesUse::curve);
        if (const Place y = at.member("y")) curve.y = read_measure(reader_, y, run_names_, SeriesUse::curve);
        plot.curves.push_back(std::move(curve));
    }

    std::filesystem::path folder_;
    ObjectReader reader_;
    FigureSize size_;
    Expectation expectation_;
    std::vector<std::string> run_names_;
};

}  // namespace

Result<Expectation> read_expectation(const std::string& path, FigureSize size) {
    const auto root = read_json_file(path);
    if (!root) return tl::unexpected(root.error());
    return ExpectationReader(path, size).read(*root);
}

}  // namespace treacle
