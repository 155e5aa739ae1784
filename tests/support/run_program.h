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

inline Outcome run_program(const std::string& arguments, const std::string& environment = {}) {
    const std::string command = environment + " " TREACLE_PROGRAM " " + arguments + " 2>&1";
    Outcome outcome;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    if (!pipe) return outcome;
    std::array<char, 4096> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
        outcome.text.append(buffer.data(), count);
    }
    const int status = ::pclose(pipe);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
}

}  // namespace treacle::test
