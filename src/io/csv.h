#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace treacle {

/// A table of a run folder: metrics.csv, bodies.csv.
struct CsvTable {
    std::string file;
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;  ///< each as long as the header

    std::optional<std::size_t> column(std::string_view name) const;

    /// A field as a number; none if it is not a number.
    std::optional<double> number(std::size_t row, std::size_t column) const;
};

/// Reads a table with a header, quotes as in bodies.csv. Rows shorter or longer than the header are left out: the last
/// one may be half written while a run is under way.
Result<CsvTable> read_csv(const std::string& path);

}  // namespace treacle
