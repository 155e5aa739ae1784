#include "core/result.h"

namespace treacle {

tl::unexpected<Error> fail(ExitCode code, std::string message, std::string file) {
    return tl::unexpected<Error>(Error{code, {Problem{std::move(message), std::move(file), {}, 0}}});
}

tl::unexpected<Error> fail(std::vector<Problem> problems) {
    return tl::unexpected<Error>(Error{ExitCode::wrong_input, std::move(problems)});
}

std::string to_string(const Problem& problem) {
    std::string text;
    if (!problem.file.empty()) {
        text += problem.file;
        if (problem.line > 0) text += ":" + std::to_string(problem.line);
        text += ": ";
    }
    if (!problem.pointer.empty()) text += problem.pointer + ": ";
    return text + problem.message;
}

std::string to_string(const Error& error) {
    std::string text;
    for (const Problem& problem : error.problems) {
        if (!text.empty()) text += '\n';
        text += to_string(problem);
    }
    return text;
}

}  // namespace treacle
