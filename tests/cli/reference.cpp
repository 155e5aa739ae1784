#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

/// docs/reference/parameters.md is printed by the program from its own tables. When a parameter changes:
///   build/release/treacle schema --markdown > docs/reference/parameters.md

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

TEST(Reference, ParametersAreUpToDate) {
    FILE* pipe = popen(TREACLE_PROGRAM " schema --markdown", "r");
    ASSERT_NE(pipe, nullptr);
    std::string printed;
    char buffer[4096];
    while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe)) printed.append(buffer, n);
    const int status = pclose(pipe);
    ASSERT_TRUE(WIFEXITED(status));
    ASSERT_EQ(WEXITSTATUS(status), 0);
    ASSERT_GT(printed.size(), 1000u);

    const std::string path = TREACLE_SOURCE_DIR "/docs/reference/parameters.md";
    std::ifstream file(path, std::ios::binary);
    ASSERT_TRUE(file) << path;
    std::ostringstream kept;
    kept << file.rdbuf();

    // The first difference is enough; both texts in full would fill the screen.
    const auto now = lines_of(printed), before = lines_of(kept.str());
    for (std::size_t n = 0; n < std::max(now.size(), before.size()); ++n) {
        ASSERT_EQ(n < before.size() ? before[n] : "(end of file)", n < now.size() ? now[n] : "(end of output)")
            << path << ":" << n + 1
            << " is stale. To renew it: treacle schema --markdown > docs/reference/parameters.md";
    }
    EXPECT_EQ(printed, kept.str());
}

}  // namespace
