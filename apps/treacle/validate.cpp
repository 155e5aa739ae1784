#include <unistd.h>

#include <cstdio>
#include <memory>

#include "core/file.h"
#include "core/text.h"
#include "methods/registry.h"
#include "options.h"
#include "ordinary/report.h"

namespace treacle {

namespace {

using ordinary::CellReport, ordinary::Cell, ordinary::Verdict;

struct ValidateOptions {
    ordinary::Selection which;
    ordinary::Choice how;
    bool quick = false;
    bool list = false;
    std::string json, markdown, known, renew_known;

    Result<void> check() const;
};

Result<void> ValidateOptions::check() const {
    if (!which.method.empty() && !find_method(which.method)) {
        std::vector<std::string> ids;
        for (const MethodRow& method : method_registry()) ids.push_back(method.id);
        return fail(ExitCode::wrong_input,
                    "--method: there is no " + in_quotes(which.method) + did_you_mean(which.method, ids));
    }
    if (ordinary::cells(which).empty()) {
        return fail(ExitCode::wrong_input,
                    "no cell is chosen; `treacle validate --list` lists the cases, and --full "
                    "has those that are not quick");
    }
    for (const std::string& file : {json, markdown, renew_known}) {
        if (file.empty()) continue;
        if (auto fine = check_output_file(file); !fine) return fine;
    }
    return {};
}

void print_list() {
    std::vector<std::vector<std::string>> rows;
    for (const ordinary::Case& one : ordinary::all_cases()) {
        const std::string quick = std::string(one.is_quick(2) ? "2D " : "") + (one.is_quick(3) ? "3D" : "");
        rows.push_back({one.name, quick.empty() ? "-" : quick, one.title});
    }
    std::printf("%s", aligned_columns(rows).c_str());
}

/// Shows on a terminal how far a cell is.
void show_progress(const Cell& cell, std::size_t number, std::size_t count, double time) {
    std::fprintf(stderr, "\r[%zu/%zu] %s %dD %s  t %.2f s\x1b[K", number, count, cell.ordinary->name.c_str(),
                 cell.dimension, cell.method.c_str(), time);
}

void print(const CellReport& report) {
    std::printf("%-7s  %-20s %dD  %-14s %6zu particles %6zu steps\n", word(report.verdict), report.name.c_str(),
                report.dimension, report.method.c_str(), report.particles, report.steps);
    if (!report.message.empty()) std::printf("         %s\n", report.message.c_str());
    for (const ordinary::Measurement& row : report.rows) {
        const std::string own = row.own_error > 0 ? "   theory ± " + digits_text(row.own_error, 2) : "";
        std::printf("       %s %-46s %10s   asked %s%s\n", row.ok() ? " " : "✗", row.quantity.c_str(),
                    digits_text(row.got, 4).c_str(), row.asked().c_str(), own.c_str());
    }
    std::fflush(stdout);
}

std::vector<CellReport> run(const ValidateOptions& options) {
    const std::vector<Cell> cells = ordinary::cells(options.which);
    std::vector<CellReport> reports;
    const bool terminal = isatty(STDERR_FILENO) != 0;
    for (const Cell& cell : cells) {
        ordinary::Choice how = options.how;
        std::size_t calls = 0;
        how.progress = [&](double time) {
            if (terminal && ++calls % 50 == 1) show_progress(cell, reports.size() + 1, cells.size(), time);
        };
        reports.push_back(ordinary::run_cell(cell, how));
        if (terminal) std::fprintf(stderr, "\r\x1b[K");
        print(reports.back());
    }
    return reports;
}

/// Cells that fail though they are not listed, or are listed though they do not fail.
int count_surprises(const std::vector<CellReport>& reports, const ordinary::KnownFailures& known) {
    int surprises = 0;
    for (const CellReport& report : reports) {
        const bool fails = report.verdict == Verdict::failed;
        if (fails == known.lists(report)) continue;
        ++surprises;
        std::printf("%s %s\n",
                    fails ? "not a known failure:" : "listed as a failure, but does not fail:", report.id().c_str());
    }
    return surprises;
}

Result<int> validate(const ValidateOptions& options) {
    if (auto fine = options.check(); !fine) return tl::unexpected(fine.error());
    const std::string& list = options.renew_known.empty() ? options.known : options.renew_known;
    const auto known = ordinary::KnownFailures::read(list);
    if (!known) return tl::unexpected(known.error());
    const std::vector<CellReport> reports = run(options);
    std::size_t failed = 0;
    for (const CellReport& report : reports) failed += report.verdict == Verdict::failed;
    std::printf("%zu of %zu cells fail\n", failed, reports.size());
    const std::vector<std::pair<std::string, std::string>> files{{options.json, to_text(to_json(reports)) + "\n"},
                                                                 {options.markdown, to_markdown(reports, *known)},
                                                                 {options.renew_known, known->renewed(reports)}};
    for (const auto& [file, text] : files) {
        if (file.empty()) continue;
        if (auto written = write_file_atomically(file, text); !written) return tl::unexpected(written.error());
    }
    if (!options.known.empty()) return count_surprises(reports, *known) > 0 ? 1 : 0;
    return failed > 0 ? 1 : 0;
}

}  // namespace

Action add_validate(CLI::App& app) {
    auto options = std::make_shared<ValidateOptions>();
    app.add_option("--method", options->which.method, "one method; all if absent");
    app.add_option("--case", options->which.name, "one case, or how the names of some begin; all if absent");
    app.add_option("--dimension", options->which.dimension, "2 or 3; both if absent")->check(CLI::IsMember({2, 3}));
    app.add_option("--seed", options->how.seed, "draws sizes, spacing, packing and steps; 0: nothing is drawn");
    auto* quick = app.add_flag("--quick", options->quick, "the small battery, also the default");
    app.add_flag("--full", options->which.full, "every case, longer and larger")->excludes(quick);
    app.add_option("--step-factor", options->how.step_factor, "times the steps that methods would take")
        ->check(CLI::Range(0.01, 100.0));
    app.add_option("--spacing-factor", options->how.spacing_factor, "times the spacing, with the same geometry")
        ->check(CLI::Range(0.1, 10.0));
    declare_threads(app, options->how.threads);
    app.add_option("--json", options->json, "write all numbers to this file");
    app.add_option("--markdown", options->markdown, "write the table to this file");
    app.add_option("--known", options->known, "file of cells that are known to fail: exactly those may and must");
    app.add_option("--renew-known", options->renew_known, "write that file anew; reasons stay");
    app.add_flag("--list", options->list, "print the cases and where they are quick, and run nothing");
    return [options]() -> int {
        if (options->list) {
            print_list();
            return 0;
        }
        options->how.full = options->which.full;
        const auto code = validate(*options);
        return code ? *code : report(code.error());
    };
}

}  // namespace treacle
