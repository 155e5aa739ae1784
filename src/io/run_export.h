#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/log.h"
#include "core/result.h"

namespace treacle {

/// The frames of a run for other programs.
struct ExportRequest {
    std::string run;
    std::string format;      ///< a word of export_formats()
    std::string frames;      ///< "A:B"; empty: all
    std::string folder;      ///< empty: RUN/export/<format>
    bool z_up = false;       ///< the axis that points up in the files; y otherwise, as in the simulation
    bool overwrite = false;  ///< write frames again that are there already
};

/// What an export tells the one who waits for it.
struct ExportEvents {
    Log log;
    std::function<void(std::size_t frames)> planned = [](std::size_t) {};
    std::function<void(const std::string& file)> written = [](const std::string&) {};
};

struct ExportReport {
    std::string folder;
    std::size_t frames = 0;        ///< that are in the folder now
    std::size_t skipped = 0;       ///< that were there already
    std::vector<Problem> damaged;  ///< frames of the run that could not be read
};

std::vector<std::string> export_formats();

/// Files appear whole or not at all. A folder with an earlier export of the same kind is continued; any other that is
/// not empty is wrong input.
Result<ExportReport> write_export(const ExportRequest& request, const ExportEvents& events = {});

}  // namespace treacle
