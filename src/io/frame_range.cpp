#include "io/frame_range.h"

#include <charconv>
#include <optional>

#include "core/text.h"

namespace treacle {

namespace {

std::optional<int> number_in(const std::string& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace

std::string existing_frames(const std::vector<NumberedFile>& files) {
    const int first = files.front().frame, last = files.back().frame;
    if (files.size() == 1) return "only frame " + std::to_string(first);
    if (last - first + 1 == static_cast<int>(files.size())) {
        return "frames " + std::to_string(first) + " to " + std::to_string(last);
    }
    std::vector<std::string> numbers;
    for (const NumberedFile& file : files) numbers.push_back(std::to_string(file.frame));
    return "frames " + list_text(numbers);
}

Result<std::vector<NumberedFile>> frames_in_range(const std::vector<NumberedFile>& files, const std::string& range,
                                                  const std::string& folder) {
    if (range.empty()) return files;
    const std::size_t colon = range.find(':');
    const std::string a = range.substr(0, colon), b = colon == std::string::npos ? a : range.substr(colon + 1);
    const auto first = a.empty() ? files.front().frame : number_in(a);
    const auto last = b.empty() ? files.back().frame : number_in(b);
    if (!first || !last) {
        return fail(ExitCode::wrong_input, "--frames " + range +
                                               ": write first:last, for example 1:60; either may "
                                               "be left out");
    }
    std::vector<NumberedFile> chosen;
    for (const NumberedFile& file : files) {
        if (file.frame >= *first && file.frame <= *last) chosen.push_back(file);
    }
    if (chosen.empty()) {
        return fail(ExitCode::wrong_input, "--frames " + range + ": there are none of these in " + folder +
                                               ", which has " + existing_frames(files));
    }
    return chosen;
}

}  // namespace treacle
