#include "ordinary/report.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "core/file.h"
#include "core/text.h"
#include "methods/registry.h"

namespace treacle::ordinary {

namespace {

constexpr const char* list_head =
    "# Cells of the quick battery of ordinary scenes (treacle validate --quick) that fail today, what is measured there\n"
    "# (and asked), and why as far as that is known. A cell that is not listed must pass, and one that is listed must\n"
    "# fail: who cures one takes out its line. treacle validate --quick --renew-known FILE writes this file anew.\n";

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

const char* word(Side side) {
    switch (side) {
        case Side::near: return "near";
        case Side::at_most: return "at most";
        case Side::at_least: return "at least";
    }
    return "";
}

/// What stands in the table for a cell.
std::string mark(const CellReport& report) {
    switch (report.verdict) {
        case Verdict::passed: return "ok";
        case Verdict::failed: return "**fails**";
        case Verdict::refused: return "refused";
        case Verdict::warned: return "warned";
    }
    return "";
}

const CellReport* find(std::span<const CellReport> reports, const std::string& id) {
    const auto found = std::find_if(reports.begin(), reports.end(), [&](const auto& r) { return r.id() == id; });
    return found == reports.end() ? nullptr : &*found;
}

/// Characters that mean something in a table of Markdown.
std::string escaped(std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
    return text;
}

std::string numbers_of(const Case& ordinary, int dimension, std::span<const CellReport> reports) {
    std::vector<const CellReport*> cells;
    for (const CellReport& report : reports) {
        if (report.name == ordinary.name && report.dimension == dimension) cells.push_back(&report);
    }
    const CellReport* longest = nullptr;
    for (const CellReport* cell : cells) {
        if (!longest || cell->rows.size() > longest->rows.size()) longest = cell;
    }
    if (!longest || longest->rows.empty()) return {};
    std::string text = "\n### " + ordinary.name + ", " + std::to_string(dimension) + "D\n\n" + ordinary.title + "\n\n";
    text += "| measure | asked | theory's own error |";
    for (const CellReport* cell : cells) text += " " + cell->method + " |";
    text += "\n|---|---|---|";
    for (std::size_t n = 0; n < cells.size(); ++n) text += "---|";
    for (std::size_t n = 0; n < longest->rows.size(); ++n) {
        const Measurement& row = longest->rows[n];
        text += "\n| " + row.quantity + " | " + row.asked() + " | " +
                (row.own_error > 0 ? digits_text(row.own_error, 2) : "") + " |";
        for (const CellReport* cell : cells) {
            if (cell->rows.size() <= n) text += " |";
            else text += " " + std::string(cell->rows[n].ok() ? "" : "**") + digits_text(cell->rows[n].got, 3) +
                         (cell->rows[n].ok() ? "" : "**") + " |";
        }
    }
    text += "\n";
    for (const CellReport* cell : cells) {
        if (!cell->message.empty()) text += "\n" + cell->method + " " + word(cell->verdict) + ": " + cell->message + "\n";
    }
    return text;
}

}  // namespace

Result<KnownFailures> KnownFailures::read(const std::string& path) {
    KnownFailures known;
    if (!std::filesystem::exists(path)) return known;
    const auto text = read_whole_file(path);
    if (!text) return tl::unexpected(text.error());
    std::istringstream lines(*text);
    std::string line;
    while (std::getline(lines, line)) {
        if (line.empty() || line[0] == '#') continue;
        const std::size_t first = line.find('|'), second = first == std::string::npos ? first : line.find('|', first + 1);
        known.reasons_[trimmed(line.substr(0, first))] =
            second == std::string::npos ? std::string() : trimmed(line.substr(second + 1));
    }
    return known;
}

std::string KnownFailures::reason(const CellReport& cell) const {
    const auto found = reasons_.find(cell.id());
    return found == reasons_.end() ? std::string() : found->second;
}

std::string KnownFailures::renewed(std::span<const CellReport> reports) const {
    std::string text = list_head;
    for (const CellReport& report : reports) {
        if (report.verdict == Verdict::failed)
            text += report.id() + " | " + report.failures() + " | " + reason(report) + "\n";
    }
    return text;
}

Json to_json(std::span<const CellReport> reports) {
    Json list = Json::array();
    for (const CellReport& report : reports) {
        Json cell = Json::object();
        cell.set("case", report.name);
        cell.set("dimension", report.dimension);
        cell.set("method", report.method);
        cell.set("verdict", word(report.verdict));
        if (!report.message.empty()) cell.set("message", report.message);
        cell.set("particles", static_cast<unsigned long>(report.particles));
        cell.set("steps", static_cast<unsigned long>(report.steps));
        Json& rows = cell.set("rows", Json::array());
        for (const Measurement& row : report.rows) {
            Json entry = Json::object();
            entry.set("quantity", row.quantity);
            entry.set("right", row.right);
            entry.set("got", row.got);
            entry.set("tolerance", row.tolerance);
            entry.set("own_error", row.own_error);
            entry.set("side", word(row.side));
            entry.set("ok", row.ok());
            rows.push(std::move(entry));
        }
        list.push(std::move(cell));
    }
    return list;
}

std::string to_markdown(std::span<const CellReport> reports, const KnownFailures& known) {
    std::string text =
        "# Ordinary scenes\n\nGenerated by `treacle validate --quick --markdown`; do not edit. The same small scenes for "
        "every method, with right answers from theory, geometry or conservation and tolerances fixed beforehand; their "
        "derivations stand in the files of `src/ordinary/`. What fails is shown as it is. The theory's own error is that "
        "of a surface which is known to half a spacing, or of a finite step.\n\n| case | |";
    for (const MethodRow& method : method_registry()) text += " " + std::string(method.id) + " |";
    text += "\n|---|---|";
    for (std::size_t n = 0; n < method_registry().size(); ++n) text += "---|";
    std::size_t counts[4] = {};
    for (const CellReport& report : reports) ++counts[static_cast<int>(report.verdict)];
    std::string numbers;
    for (const Case& ordinary : all_cases()) {
        for (const int dimension : {2, 3}) {
            std::string line;
            bool any = false;
            for (const MethodRow& method : method_registry()) {
                CellReport wanted;
                wanted.name = ordinary.name;
                wanted.dimension = dimension;
                wanted.method = method.id;
                const CellReport* report = find(reports, wanted.id());
                any |= report != nullptr;
                line += report ? " " + mark(*report) + " |" : " |";
            }
            if (!any) continue;
            text += "\n| " + ordinary.name + " | " + std::to_string(dimension) + "D |" + line;
            numbers += numbers_of(ordinary, dimension, reports);
        }
    }
    text += "\n\n" + std::to_string(reports.size()) + " cells: " + std::to_string(counts[0]) + " pass, " +
            std::to_string(counts[1]) + " fail, " + std::to_string(counts[2]) + " refused and " +
            std::to_string(counts[3]) + " warned about by key.\n\n## What fails\n\n| cell | got (asked) | reason |\n|---|---|---|\n";
    for (const CellReport& report : reports) {
        if (report.verdict != Verdict::failed) continue;
        text += "| " + report.id() + " | " + escaped(report.failures()) + " | " + escaped(known.reason(report)) + " |\n";
    }
    return text + "\n## Numbers\n" + numbers;
}

}  // namespace treacle::ordinary
