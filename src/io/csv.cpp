#include "io/csv.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "core/file.h"

namespace treacle {

namespace {

std::vector<std::string> fields_of(const std::string& row) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t n = 0; n < row.size(); ++n) {
        if (row[n] == '"' && quoted && n + 1 < row.size() && row[n + 1] == '"') {
            fields.back() += row[n++];
        } else if (row[n] == '"') {
            quoted = !quoted;
        } else if (row[n] == ',' && !quoted) {
            fields.emplace_back();
        } else {
            fields.back() += row[n];
        }
    }
    return fields;
}

}  // namespace

std::optional<std::size_t> CsvTable::column(std::string_view name) const {
    const auto found = std::find(header.begin(), header.end(), name);
    if (found == header.end()) return std::nullopt;
    return static_cast<std::size_t>(found - header.begin());
}

std::optional<double> CsvTable::number(std::size_t row, std::size_t column) const {
    const std::string& field = rows[row][column];
    const char* end = field.data() + field.size();
    double value = 0;
    const auto [stop, error] = std::from_chars(field.data(), end, value);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
}

Result<CsvTable> read_csv(const std::string& path) {
    const auto text = read_whole_file(path);
    if (!text) return tl::unexpected(text.error());
    CsvTable table;
    table.file = path;
    std::istringstream lines(*text);
    std::string line;
    if (std::getline(lines, line)) table.header = fields_of(line);
    while (std::getline(lines, line)) {
        std::vector<std::string> fields = fields_of(line);
        if (fields.size() == table.header.size()) table.rows.push_back(std::move(fields));
    }
    return table;
}

}  // namespace treacle
