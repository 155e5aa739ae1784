#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "ordinary/battery.h"

namespace treacle::ordinary {

/// Cells of the quick battery (seed 0) that fail today. Nothing else may fail, and each of these must: the list can
/// only shrink.
class KnownFailures {
public:
    /// Lines "case 2D method | got (asked) | reason"; others begin with # or are empty. A file that does not exist
    /// lists nothing.
    static Result<KnownFailures> read(const std::string& path);

    bool lists(const CellReport& cell) const { return reasons_.count(cell.id()) > 0; }

    /// Why it fails, as far as that is known; may be empty.
    std::string reason(const CellReport& cell) const;

    /// The file, for these reports of the whole quick battery. Reasons stay.
    std::string renewed(std::span<const CellReport> reports) const;

private:
    std::map<std::string, std::string> reasons_;  ///< by the id of the cell
};

/// List of {case, dimension, method, verdict, message, particles, steps, rows: [{quantity, right, got, tolerance,
/// own_error, side, ok}]}.
Json to_json(std::span<const CellReport> reports);

/// docs/ordinary.md, from the reports of the quick battery.
std::string to_markdown(std::span<const CellReport> reports, const KnownFailures& known);

}  // namespace treacle::ordinary
