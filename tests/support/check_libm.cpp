#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

// The C library picks the code of its functions by processor, so their last bits differ from machine to machine
// (docs/decisions/same-bits.md). What a step runs takes those of math/reproducible.h.

namespace treacle {
namespace {

namespace fs = std::filesystem;

/// Files that only tell people something before a run.
const std::set<std::string> no_part_of_a_step{"src/sim/preflight.cpp", "src/sim/similarity.cpp"};

/// The first call of such a function, or nothing. sqrt, fmod, floor and the like are exact.
std::string libm_call(const std::string& line) {
    static const std::regex call(R"(\bstd::(a?(sin|cos|tan)h?|atan2|exp2?|expm1|log(2|10|1p)?|pow|cbrt|hypot|erfc?|)"
                                 R"(l?gamma)\s*\()");
    std::smatch found;
    return std::regex_search(line.begin(),
                             line.begin() + static_cast<std::ptrdiff_t>(std::min(line.find("//"), line.size())), found,
                             call)
               ? found.str()
               : std::string{};
}

TEST(Libm, is_not_called_by_what_a_step_runs) {
    const fs::path root = TREACLE_SOURCE_DIR;
    int files = 0;
    for (const char* folder : {"blocks", "kernels", "linear", "math", "methods", "neighbors", "sim", "simd", "state"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root / "src" / folder)) {
            const std::string name = entry.path().lexically_relative(root).generic_string();
            if (!entry.is_regular_file() || no_part_of_a_step.count(name)) continue;
            ++files;
            std::ifstream file(entry.path());
            std::string line;
            for (int number = 1; std::getline(file, line); ++number)
                EXPECT_EQ(libm_call(line), "") << name << ":" << number << ": take it from math/reproducible.h";
        }
    }
    EXPECT_GT(files, 30) << "the sources were not found";
}

TEST(Libm, the_check_finds_what_it_must) {
    for (const char* line :
         {"1 - std::exp(-x)", "std::sin (x)", "std::pow(x, 2.0)", "std::atan2(y, x)", "std::acos(c)"})
        EXPECT_NE(libm_call(line), "") << line;
    for (const char* line : {"reproducible::exp(x)", "std::sqrt(x)", "std::fmod(x, y)", "a; // as std::exp(x)"})
        EXPECT_EQ(libm_call(line), "") << line;
}

}  // namespace
}  // namespace treacle
