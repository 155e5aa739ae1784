#include "pictures/video.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "core/file.h"
#include "core/text.h"

namespace treacle {

namespace fs = std::filesystem;

namespace {

/// Exit code of a program; 127 if it cannot be started.
int run_program(const std::vector<std::string>& words) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child < 0) return 127;
    if (child == 0) {
        execvp(arguments[0], arguments.data());
        _exit(127);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return 127;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

bool VideoMaker::has_program(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    std::string folder;
    while (std::getline(folders, folder, ':')) {
        if (access((fs::path(folder) / name).c_str(), X_OK) == 0) return true;
    }
    return false;
}

std::string VideoMaker::picture_file(int number) const {
    std::array<char, 32> name{};
    std::snprintf(name.data(), name.size(), "picture.%04d.png", number);
    return (fs::path(folder()) / name.data()).string();
}

Result<void> VideoMaker::start() const {
    if (auto done = make_folder(folder()); !done) return done;
    std::error_code error;
    for (int number = 1; fs::exists(picture_file(number), error); ++number) {
        if (auto done = remove_file(picture_file(number)); !done) return done;
    }
    return check_writable(folder());
}

std::vector<std::string> VideoMaker::command() const {
    // Players want even sizes and this pixel format; faststart lets a web page play before all is loaded.
    return {"ffmpeg",     "-y",
            "-loglevel",  "error",
            "-framerate", number_text(fps_),
            "-i",         (fs::path(folder()) / "picture.%04d.png").string(),
            "-vf",        "pad=ceil(iw/2)*2:ceil(ih/2)*2",
            "-c:v",       "libx264",
            "-crf",       "18",
            "-pix_fmt",   "yuv420p",
            "-movflags",  "+faststart",
            file_};
}

Result<void> VideoMaker::finish(int pictures) const {
    const std::vector<std::string> words = command();
    std::string typed;
    for (const std::string& word : words) typed += (typed.empty() ? "" : " ") + shell_word(word);
    const std::string kept = "; the pictures are kept in " + folder() + ". To make the video: ";
    if (!has_program("ffmpeg")) {
        return fail(ExitCode::file_failed, "ffmpeg is not installed" + kept + "apt install ffmpeg && " + typed, file_);
    }
    const int code = run_program(words);
    if (code != 0) {
        return fail(ExitCode::file_failed, "ffmpeg failed with exit code " + std::to_string(code) + kept + typed,
                    file_);
    }
    for (int number = 1; number <= pictures; ++number) {
        if (auto done = remove_file(picture_file(number)); !done) return done;
    }
    std::error_code ignored;  // the folder stays if it holds other files
    fs::remove(folder(), ignored);
    return {};
}

}  // namespace treacle
