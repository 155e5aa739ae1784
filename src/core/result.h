#pragma once

#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace treacle {

/// Exit codes of the command line; every error knows which one it leads to.
enum class ExitCode {
    done = 0,
    claim_failed = 1,  ///< a claim or comparison failed
    wrong_input = 2,   ///< whatever `treacle check` can find
    diverged = 3,      ///< the simulation diverged; the last good checkpoint is kept
    file_failed = 4,   ///< a file could not be read or written while running
};

/// One thing that is wrong, with its place when it has one.
struct Problem {
    std::string message;
    std::string file;     ///< empty when no file is involved
    std::string pointer;  ///< JSON pointer into the file, such as "/materials/slime/density"
    int line = 0;         ///< 1-based; 0 = unknown
};

/// One or more problems that stop a command. All that were found are reported at once.
struct Error {
    ExitCode code = ExitCode::wrong_input;
    std::vector<Problem> problems;
};

template <class T>
using Result = tl::expected<T, Error>;

/// Error with one message.
[[nodiscard]] tl::unexpected<Error> fail(ExitCode code, std::string message, std::string file = {});

/// Error with many problems of the input.
[[nodiscard]] tl::unexpected<Error> fail(std::vector<Problem> problems);

/// "file:line: /json/pointer: message", without the parts that are unknown.
std::string to_string(const Problem& problem);

/// All problems, one per line.
std::string to_string(const Error& error);

}  // namespace treacle
