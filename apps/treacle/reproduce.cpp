#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>

#include "claims/checklist.h"
#include "claims/cost_table.h"
#include "claims/verdict.h"
#include "pictures/clip.h"
#include "commands.h"
#include "core/file.h"
#include "core/text.h"
#include "run/run.h"
#include "options.h"

namespace treacle {

namespace {

namespace fs = std::filesystem;

struct ReproduceOptions {
    std::string which;  ///< PAPER or PAPER/FIGURE; empty: all
    std::string scenes;
    std::string output = "out/reproduce";
    std::string json;
    int threads = 0;
    bool full = false;
    bool list = false;
    bool measure_only = false;
    bool video = false;
};

constexpr std::string_view extension = ".expect.json";

/// A figure of a paper and its expectation.
struct Figure {
    std::string paper;
    std::string name;
    std::string file;
    Expectation expectation{};

    std::string id() const { return paper + "/" + name; }
};

/// <folder>/<paper>/<figure>.expect.json, in alphabetical order.
std::vector<Figure> figures_in(const fs::path& folder) {
    std::vector<Figure> figures;
    std::error_code ignored;
    for (const auto& paper : fs::directory_iterator(folder, ignored)) {
        for (const auto& entry : fs::directory_iterator(paper.path(), ignored)) {
            const std::string name = entry.path().filename().string();
            if (!name.ends_with(extension)) continue;
            figures.push_back({paper.path().filename().string(), name.substr(0, name.size() - extension.size()),
                               entry.path().string()});
        }
    }
    std::sort(figures.begin(), figures.end(), [](const Figure& a, const Figure& b) { return a.id() < b.id(); });
    return figures;
}

/// The figures of the given folder, else of ./scenes, else of the source folder of the program.
Result<std::vector<Figure>> find_figures(const std::string& asked) {
    std::vector<std::string> folders{asked};
    if (asked.empty()) folders = {"scenes", TREACLE_SCENES};
    for (const std::string& folder : folders) {
        auto figures = figures_in(folder);
        if (!figures.empty()) return figures;
    }
    return fail(ExitCode::wrong_input, "there are no figures (<paper>/<figure>" + std::string(extension) + ") in " +
                                           list_text(folders) + "; name the folder of the scenes with --scenes DIR");
}

/// The figures of one paper, or one of them.
Result<std::vector<Figure>> choose(const std::vector<Figure>& all, const std::string& which) {
    std::vector<Figure> chosen;
    std::vector<std::string> papers, ids;
    for (const Figure& figure : all) {
        if (which.empty() || which == figure.paper || which == figure.id()) chosen.push_back(figure);
        if (papers.empty() || papers.back() != figure.paper) papers.push_back(figure.paper);
        ids.push_back(figure.id());
    }
    if (!chosen.empty()) return chosen;
    const bool one = which.find('/') != std::string::npos;
    const std::string hint = did_you_mean(which, one ? ids : papers);
    return fail(ExitCode::wrong_input, std::string("there is no ") + (one ? "figure " : "paper ") + in_quotes(which) +
                                           (hint.empty() ? ";" : hint) + " `treacle reproduce --list` lists them");
}

/// Reads all expectations, so that a mistake in the last is reported before the first has run for minutes.
Result<void> read_expectations(std::vector<Figure>& figures, FigureSize size) {
    std::vector<Problem> problems;
    for (Figure& figure : figures) {
        auto expectation = read_expectation(figure.file, size);
        if (expectation) figure.expectation = std::move(*expectation);
        else problems.insert(problems.end(), expectation.error().problems.begin(), expectation.error().problems.end());
    }
    if (!problems.empty()) return fail(std::move(problems));
    return {};
}

void print_list(const std::vector<Figure>& figures) {
    std::size_t width = 0;
    for (const Figure& figure : figures) width = std::max(width, figure.id().size());
    for (const Figure& figure : figures) {
        std::printf("%-*s  %s\n", static_cast<int>(width), figure.id().c_str(), figure.expectation.title.c_str());
    }
}

struct Made {
    Result<RunData> data;
    int stopped = 0;  ///< exit code if a signal stopped it
};

/// Writes <name>.svg beside the runs of the figure, for every plot. A failure is reported, but is not a failed claim.
Result<void> write_plots(const Figure& figure, const Runs& runs, const fs::path& folder) {
    for (const FigurePlot& plot : figure.expectation.plots) {
        const auto drawn = measure_plot(plot, runs);
        if (!drawn) {
            std::printf("  %s: not drawn: %s\n", plot.name.c_str(), to_string(drawn.error()).c_str());
            continue;
        }
        const std::string file = (folder / (plot.name + ".svg")).string();
        if (auto written = write_file_atomically(file, to_svg(*drawn)); !written) return written;
        std::printf("  %s\n", file.c_str());
    }
    return {};
}

/// Writes <figure>.mp4 beside the runs of a figure, which it shows side by side. A failure is reported, but is not a
/// failed claim.
void write_video(const Figure& figure, const fs::path& folder, int threads) {
    std::vector<RunFrames> runs;
    const auto made = [&]() -> Result<std::string> {
        for (const FigureRun& run : figure.expectation.runs) {
            auto frames = RunFrames::open((folder / run.name).string(), stderr_log());
            if (!frames) return tl::unexpected(frames.error());
            const bool other = !runs.empty() && frames->run().dimension != runs.front().run().dimension;
            if (!other) runs.push_back(std::move(*frames));
        }
        std::vector<int> numbers;
        for (const NumberedFile& file : runs.front().files()) numbers.push_back(file.frame);
        PictureRequest request;
        request.quality = qualities[0];
        auto clip = Clip::plan(std::move(runs), request, numbers);
        if (!clip) return tl::unexpected(clip.error());
        const std::string file = (folder / (figure.name + ".mp4")).string();
        if (auto done = clip->write_video(
                numbers, file, Parallel(threads), [](std::size_t) {}, stderr_log());
            !done) {
            return tl::unexpected(done.error());
        }
        return file;
    }();
    if (made) std::printf("  %s\n", made->c_str());
    else std::printf("  video: not made: %s\n", to_string(made.error()).c_str());
}

using Costs = std::map<std::string, RunCost, std::less<>>;

/// Costs of the runs of a figure, by "figure/run".
void add_costs(const Figure& figure, const Runs& runs, Costs& costs) {
    for (const auto& [name, run] : runs) {
        if (!run) continue;
        if (const auto cost = cost_of(*run)) costs.emplace(figure.name + "/" + name, *cost);
    }
}

/// Files of a folder with this ending, in alphabetical order.
std::vector<std::string> files_in(const fs::path& folder, std::string_view ending) {
    std::vector<std::string> files;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.path().string().ends_with(ending)) files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// The checklists beside the figures of one paper: <folder of the figures>/<name>.checklist.json.
Result<void> print_checklists(const fs::path& folder, std::span<const Verdict> verdicts) {
    std::vector<Verdict> of_paper;
    for (const Verdict& verdict : verdicts) {
        if (verdict.id.starts_with(folder.filename().string() + "/")) of_paper.push_back(verdict);
    }
    for (const std::string& file : files_in(folder, ".checklist.json")) {
        const auto list = read_checklist(file);
        if (!list) return tl::unexpected(list.error());
        std::printf("\n%s", to_text(*list, of_paper).c_str());
    }
    return {};
}

/// The tables beside the figures of one paper: <folder of the figures>/<name>.table.json.
Result<void> print_tables(const fs::path& folder, const Costs& costs) {
    for (const std::string& file : files_in(folder, ".table.json")) {
        const auto table = read_cost_table(file);
        if (!table) return tl::unexpected(table.error());
        const bool any = std::any_of(table->rows.begin(), table->rows.end(),
                                     [&](const CostRow& row) { return costs.contains(row.figure + "/" + row.run); });
        if (any) std::printf("\n%s", to_text(*table, costs).c_str());
    }
    return {};
}

/// Simulates one run of a figure. The result is 0, or 128 + signal after an orderly stop.
Result<int> simulate(const FigureRun& run, const std::string& folder, int threads) {
    SceneOptions options;
    options.file = run.scene;
    options.method = run.method;
    options.duration = run.duration;
    for (const auto& [pointer, value] : run.set) options.overrides.push_back(pointer + "=" + value);
    auto scene = options.read(stderr_log());
    if (!scene) return tl::unexpected(scene.error());
    RunEvents events;
    events.log = stderr_log();
    events.stop_wanted = [] { return stop_signal() != 0; };
    const auto begun = Run::begin(std::move(*scene), {folder, threads, false}, std::move(events));
    if (!begun) return tl::unexpected(begun.error());
    catch_stop_signals();
    const auto status = (*begun)->complete();
    if (!status) return tl::unexpected(status.error());
    return *status == Run::Status::stopped ? 128 + stop_signal() : 0;
}

/// Simulates, unless only measuring is wanted, and opens the run.
Made make_run(const FigureRun& run, const std::string& folder, const ReproduceOptions& options) {
    if (!options.measure_only) {
        const auto code = simulate(run, folder, options.threads);
        if (!code && !(run.may_diverge && code.error().code == ExitCode::diverged)) {
            return {tl::unexpected(code.error())};
        }
        if (code && *code != 0) return {fail(ExitCode::claim_failed, "stopped"), *code};
    }
    return {RunData::open(folder, run.scene)};
}

/// Hours of simulation must not end with a list that cannot be written.
Result<void> prepare_json(const std::string& path) {
    if (path.empty()) return {};
    if (const fs::path folder = fs::path(path).parent_path(); !folder.empty()) {
        if (auto made = make_folder(folder.string()); !made) return made;
    }
    return check_output_file(path);
}

Result<void> write_json(const std::string& path, std::span<const Verdict> verdicts) {
    if (path.empty()) return {};
    return write_file_atomically(path, to_text(to_json(verdicts)) + "\n");
}

int reproduce(const ReproduceOptions& options) {
    auto all = find_figures(options.scenes);
    if (!all) return report(all.error());
    auto figures = choose(*all, options.which);
    if (!figures) return report(figures.error());
    if (auto read = read_expectations(*figures, options.full ? FigureSize::full : FigureSize::reduced); !read) {
        return report(read.error());
    }
    if (options.list) {
        print_list(*figures);
        return 0;
    }
    if (auto ready = prepare_json(options.json); !ready) return report(ready.error());
    std::vector<Verdict> verdicts;
    std::map<fs::path, Costs> costs;  // by the folder of the paper's figures
    for (std::size_t n = 0; n < figures->size(); ++n) {
        const Figure& figure = (*figures)[n];
        std::printf("[%zu/%zu] %s: %s\n", n + 1, figures->size(), figure.id().c_str(),
                    figure.expectation.title.c_str());
        Runs runs;
        for (const FigureRun& run : figure.expectation.runs) {
            std::fflush(stdout);
            const auto start = std::chrono::steady_clock::now();
            Made made =
                make_run(run, (fs::path(options.output) / figure.paper / figure.name / run.name).string(), options);
            if (made.stopped != 0) return made.stopped;
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
            if (made.data) std::printf("  %s: %s\n", run.name.c_str(), duration_text(took.count()).c_str());
            else std::printf("  %s: failed: %s\n", run.name.c_str(), to_string(made.data.error()).c_str());
            runs.emplace(run.name, std::move(made.data));
        }
        add_costs(figure, runs, costs[fs::path(figure.file).parent_path()]);
        if (auto written = write_plots(figure, runs, fs::path(options.output) / figure.paper / figure.name); !written) {
            return report(written.error());
        }
        if (options.video) write_video(figure, fs::path(options.output) / figure.paper / figure.name, options.threads);
        for (const Claim& claim : figure.expectation.claims) verdicts.push_back(judge(figure.id(), claim, runs));
    }
    std::printf("\n%s", to_table(verdicts).c_str());
    for (const auto& [folder, of_paper] : costs) {
        if (auto printed = print_tables(folder, of_paper); !printed) return report(printed.error());
        const bool whole_paper = options.which.find('/') == std::string::npos;
        if (!whole_paper) continue;
        if (auto printed = print_checklists(folder, verdicts); !printed) return report(printed.error());
    }
    if (auto written = write_json(options.json, verdicts); !written) return report(written.error());
    const bool ok = std::all_of(verdicts.begin(), verdicts.end(), [](const Verdict& verdict) { return verdict.ok; });
    return static_cast<int>(ok ? ExitCode::done : ExitCode::claim_failed);
}

}  // namespace

Action add_reproduce(CLI::App& app) {
    auto options = std::make_shared<ReproduceOptions>();
    app.add_option("figure", options->which, "PAPER or PAPER/FIGURE; all if absent");
    app.add_flag("--full", options->full, "at full size; otherwise figures are made small");
    app.add_flag("--list", options->list, "list the figures and do nothing");
    app.add_option("--json", options->json, "write the measurements to this file");
    app.add_option("--scenes", options->scenes, "folder of the scenes; default ./scenes, else that of the source");
    app.add_option("-o,--output", options->output, "where the runs go: DIR/<paper>/<figure>/<run>")
        ->capture_default_str();
    declare_threads(app, options->threads, "The result is the same.");
    app.add_flag("--video", options->video, "a clip of every figure, its runs side by side (needs ffmpeg)");
    app.add_flag("--measure-only", options->measure_only, "measure the runs that are there from an earlier time");
    return [options] { return reproduce(*options); };
}

}  // namespace treacle
