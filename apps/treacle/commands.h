#pragma once

#include <CLI/CLI.hpp>

#include "core/log.h"
#include "core/result.h"

namespace treacle {

/// Each subcommand lives in a file of its own: it declares its options on the parser and returns the action for when
/// it is chosen. The result of the action is the exit code of the program.
using Action = std::function<int()>;

Action add_run(CLI::App& app);
Action add_bench(CLI::App& app);
Action add_check(CLI::App& app);
Action add_methods(CLI::App& app);
Action add_schema(CLI::App& app);
Action add_info(CLI::App& app);
Action add_wall(CLI::App& app);
Action add_mesh(CLI::App& app);
Action add_export(CLI::App& app);
Action add_render(CLI::App& app);
Action add_reproduce(CLI::App& app);
Action add_validate(CLI::App& app);

/// Prints all problems to stderr, "error: " before each, and returns the exit code.
int report(const Error& error);

/// Warnings to stderr.
Log stderr_log();

/// From now on Ctrl-C, SIGTERM and the end of the terminal ask for an orderly stop; a second Ctrl-C ends the program
/// at once.
void catch_stop_signals();

/// The signal that asked for a stop, or 0.
int stop_signal();

}  // namespace treacle
