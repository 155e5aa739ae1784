#include "library/error.h"

#include <utility>

namespace treacle::v0 {

namespace {

/// All problems, one a line.
std::string text_of(const std::vector<Problem>& problems) {
    std::string text;
    for (const Problem& problem : problems) {
        if (!text.empty()) text += '\n';
        text += to_string(treacle::Problem{problem.message, problem.file, problem.pointer, problem.line});
    }
    return text;
}

Error::Kind kind_of(ExitCode code) {
    switch (code) {
        case ExitCode::diverged: return Error::Kind::diverged;
        case ExitCode::file_failed: return Error::Kind::file_failed;
        default: return Error::Kind::wrong_input;
    }
}

}  // namespace

Error::Error(Kind kind, std::vector<Problem> problems)
    : std::runtime_error(text_of(problems)), kind_(kind), problems_(std::move(problems)) {}

Error::~Error() = default;

Error error_of(const treacle::Error& error) {
    std::vector<Problem> problems;
    for (const treacle::Problem& problem : error.problems) {
        problems.push_back({problem.message, problem.file, problem.pointer, problem.line});
    }
    return {kind_of(error.code), std::move(problems)};
}

Error wrong_input(std::string message) {
    Problem problem;
    problem.message = std::move(message);
    return {Error::Kind::wrong_input, {std::move(problem)}};
}

Error unknown_name(const std::string& what, std::string_view name, const std::vector<std::string>& known) {
    std::string message = "there is no " + what + " \"" + std::string(name) + "\"";
    for (const std::string& other : known) message += (&other == known.data() ? "; there are " : ", ") + other;
    return wrong_input(std::move(message));
}

}  // namespace treacle::v0
