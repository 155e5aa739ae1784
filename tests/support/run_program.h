#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

/// Runs the program as a user would, for tests of its commands.

namespace treacle::test {

struct Outcome {
    int code = -1;
    std::string text;  ///< the output, errors included
};

/// Runs a command of the shell.
inline Outcome run_command(const std::string& command) {
    Outcome outcome;
    std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
    if (!pipe) return outcome;
    std::array<char, 4096> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
        outcome.text.append(buffer.data(), count);
    }
    const int status = ::pclose(pipe);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
}

inline Outcome run_program(const std::string& arguments, const std::string& environment = {}) {
    return run_command(environment + " " TREACLE_PROGRAM " " + arguments);
}

}  // namespace treacle::test
