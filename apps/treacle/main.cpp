#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <system_error>

#include "commands.h"
#include "core/text.h"
#include "core/version.h"

namespace treacle {

int report(const Error& error) {
    for (const Problem& problem : error.problems) std::fprintf(stderr, "error: %s\n", to_string(problem).c_str());
    return static_cast<int>(error.code);
}

Log stderr_log() {
    Log log;
    log.warning = [](const std::string& text) { std::fprintf(stderr, "warning: %s\n", text.c_str()); };
    log.note = [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); };
    return log;
}

namespace {

/// Set by the signal handler.
volatile std::sig_atomic_t caught_signal = 0;

}  // namespace

void catch_stop_signals() {
    struct sigaction action {};
    action.sa_handler = [](int signal) { caught_signal = signal; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    struct sigaction before {};
    sigaction(SIGHUP, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // nohup ignores it
}

int stop_signal() { return caught_signal; }

namespace {

/// Fails if the printed output could not be written, for example to a full disk.
int check_output(int code) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    const int failed = report({ExitCode::file_failed, {{"the output could not be written", "standard output", {}, 0}}});
    return code == 0 ? failed : code;
}

/// An unexpected exception in words.
std::string words_for(std::exception_ptr exception) {
    try {
        std::rethrow_exception(std::move(exception));
    } catch (const std::bad_alloc&) { return "out of memory"; } catch (const std::system_error& e) {
        const bool refused =
            e.code() == std::errc::resource_unavailable_try_again || e.code() == std::errc::not_enough_memory;
        if (!refused) return std::string("internal error: ") + e.what();
        return std::string("threads could not be started: ") + e.what() +
               "; there is too little memory for them, or a limit (ulimit) forbids more";
    } catch (const std::exception& e) { return std::string("internal error: ") + e.what(); } catch (...) {
        return "internal error";
    }
}

Error error_of(std::exception_ptr exception) {
    return {ExitCode::file_failed, {{words_for(std::move(exception)), {}, {}, 0}}};
}

/// Memory may also run out where no exception can be caught: in a thread of a library, or while one is handled. Then
/// the program still ends with a message and its exit code. Files on disk are whole at any moment (core/file.h).
[[noreturn]] void end_with_words() {
    if (const std::exception_ptr exception = std::current_exception()) {
        try {
            report(error_of(exception));
            std::fflush(stderr);
            std::_Exit(static_cast<int>(ExitCode::file_failed));
        } catch (...) {
            std::fputs("error: out of memory\n", stderr);
            std::_Exit(static_cast<int>(ExitCode::file_failed));
        }
    }
    std::abort();
}

/// Libraries start threads of their own before main begins. The system calls this before it initializes any of them,
/// and so before a sanitizer is ready.
__attribute__((no_sanitize("address", "thread", "undefined"))) void prepare_for_libraries() {
    std::set_terminate(end_with_words);
}
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_libraries)() = prepare_for_libraries;

Error unknown_command(const CLI::App& app, const std::string& word) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    const std::string nearest = nearest_word(word, names);
    const std::string hint = nearest.empty() ? "" : "; did you mean " + in_quotes(nearest) + "?";
    return {ExitCode::wrong_input,
            {{"unknown command " + in_quotes(word) + hint + " The commands are " + list_text(names), {}, {}, 0}}};
}

}  // namespace

}  // namespace treacle

int main(int argc, char** argv) {
    using namespace treacle;
    CLI::App app("treacle simulates viscoelastic fluids made of particles.", "treacle");
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 done, 1 a claim or comparison failed, 2 wrong input, 3 the simulation diverged,\n"
        "4 a file could not be read or written while running. `treacle COMMAND --help` says more.");
    app.set_version_flag("--version", program_version);

    std::map<const CLI::App*, Action> actions;
    const auto add = [&](const char* name, const char* help, Action (*declare)(CLI::App&)) {
        CLI::App* command = app.add_subcommand(name, help);
        actions[command] = declare(*command);
    };
    add("run", "simulate a scene and write frames", add_run);
    add("check", "validate a scene and predict its cost, without running it", add_check);
    add("methods", "list the methods", add_methods);
    add("schema", "print the JSON schema of scene files, or the parameter reference", add_schema);
    add("info", "summarize a run folder", add_info);
    add("mesh", "turn the particles of a run into surfaces (PLY, OBJ, VDB)", add_mesh);
    add("render", "draw pictures or a video of a run", add_render);
    add("export", "write the frames of a run for other programs", add_export);
    add("reproduce", "run the figures of the papers and measure what they claim", add_reproduce);
    add("validate", "run ordinary scenes and hold them against theory, for every method", add_validate);
    add("bench", "measure how fast this machine simulates", add_bench);
    add("wall", "turn a drawing (SVG) into a wall of spheres for a scene", add_wall);
    add("version", "print the version", [](CLI::App&) -> Action {
        return [] {
            std::puts(program_version);
            return 0;
        };
    });

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        const bool asked_for_text = e.get_exit_code() == 0;  // --help, --version
        if (argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty()) {
            return report(unknown_command(app, argv[1]));
        }
        app.exit(e);
        return asked_for_text ? 0 : static_cast<int>(ExitCode::wrong_input);
    }
    std::signal(SIGXFSZ, SIG_IGN);  // a file at its size limit is an error to report, not a silent end
    for (const CLI::App* command : app.get_subcommands()) {
        try {
            return check_output(actions.at(command)());
        } catch (const std::exception&) { return report(error_of(std::current_exception())); }
    }
    return 0;
}
