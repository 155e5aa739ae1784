#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/source_code.h"

// Keeps the promise of docs/decisions/same-bits.md for code that makes and moves the state: no function of libm whose
// last bit depends on CPU or version, no container whose order depends on the library, no clock, no randomness, no
// environment.

namespace treacle {
namespace {

namespace fs = std::filesystem;

/// Code that a step runs, and code that makes the first state: parameters enter the state too. `io`, `surface_mesh`,
/// `render` and `claims` only read the state and are free.
const std::vector<std::string> folders{"core",      "math",    "geometry", "mesh_files", "simd", "state",
                                       "neighbors", "packing", "kernels",  "linear",     "laws", "blocks",
                                       "material",  "methods", "scene",    "sim"};

/// Functions of libm whose rounding the standard leaves open, each also with f or l at its end. Exact by the standard,
/// so allowed: sqrt, abs, floor, ceil, round, trunc, fmod, remainder, fmin, fmax, frexp, ldexp, copysign, isfinite, ….
const std::set<std::string> inexact{"exp",    "exp2",  "expm1", "exp10",  "log",    "log2",  "log10", "log1p",
                                    "pow",    "cbrt",  "hypot", "sin",    "cos",    "tan",   "asin",  "acos",
                                    "atan",   "atan2", "sinh",  "cosh",   "tanh",   "asinh", "acosh", "atanh",
                                    "sincos", "erf",   "erfc",  "tgamma", "lgamma", "fma",   "sinpi", "cospi"};

/// Names that depend on the time, the machine or the library, without their namespaces.
const std::set<std::string> forbidden{"unordered_map", "unordered_set",   "unordered_multimap",    "unordered_multiset",
                                      "system_clock",  "steady_clock",    "high_resolution_clock", "clock_gettime",
                                      "gettimeofday",  "random_device",   "default_random_engine", "drand48",
                                      "srand",         "getenv",          "secure_getenv",         "shuffle",
                                      "reduce",        "transform_reduce"};

/// The same for words that could also be names of ours: forbidden only as calls, and not on an object.
const std::set<std::string> forbidden_calls{"time", "clock", "rand"};

struct Allowance {
    std::string file;
    std::string place;  ///< the function, or the class, around it
    std::string word;
    std::string reason;
};

const std::vector<Allowance> allowances{
    {"src/core/stage_timer.h", "StageTimer", "steady_clock", "measures the program; no step reads it"},
    {"src/core/stage_timer.cpp", "~Scope", "steady_clock", "measures the program; no step reads it"},
    {"src/simd/dispatch.cpp", "at_start", "getenv", "TREACLE_SIMD; every path gives the same bits"},
    {"src/sim/preflight.cpp", "refuse_if_too_large", "pow", "a number in the words of an error"},
    {"src/sim/similarity.cpp", "look_alike", "pow", "a number in the words of `check`"},
    {"src/sim/similarity.cpp", "look_alike", "log", "a number in the words of `check`"},
    {"src/sim/similarity.cpp", "viscosity_like_honey", "pow", "a number in the words of `check`"},
};

/// The function or class around a place: functions begin in the first column, as .clang-format has it.
std::string around(const std::string& code, std::size_t at) {
    std::size_t end = at;
    while (true) {
        const std::size_t before = end == 0 ? std::string::npos : code.rfind('\n', end - 1);
        const std::size_t begin = before == std::string::npos ? 0 : before + 1;
        const std::string line = code.substr(begin, code.find('\n', begin) - begin);
        if (!line.empty() && (is_word(line[0]) || line[0] == '~') && !line.starts_with("template") &&
            !line.starts_with("namespace") && !line.starts_with("public") && !line.starts_with("private")) {
            std::size_t last = line.find_first_of("({:;=");
            while (last != std::string::npos && line.substr(last, 2) == "::") last = line.find_first_of("({;=", last);
            std::string name = line.substr(0, last);
            while (!name.empty() && !is_word(name.back())) name.pop_back();
            std::size_t first = name.size();
            while (first > 0 && (is_word(name[first - 1]) || name[first - 1] == '~')) --first;
            return name.substr(first);
        }
        if (begin == 0) return {};
        end = begin - 1;
    }
}

struct Found {
    std::string place;
    std::string word;
    int line;
};

/// `word` without the f or l of float and long double, and without a compiler's prefix.
bool is_inexact(std::string word) {
    if (word.starts_with("__builtin_")) word = word.substr(10);
    if (inexact.count(word)) return true;
    if (word.ends_with("f") || word.ends_with("l")) word.pop_back();
    return inexact.count(word) > 0;
}

/// Instructions that round once where two operations round twice, or that are only approximate.
bool is_inexact_instruction(const std::string& word) {
    if (!word.starts_with("_mm")) return false;
    for (const char* part : {"_fmadd", "_fmsub", "_fnmadd", "_fnmsub", "_fmaddsub", "_rcp", "_rsqrt"}) {
        if (word.find(part) != std::string::npos) return true;
    }
    return false;
}

std::vector<Found> findings(const std::string& file, const std::string& text) {
    const std::string code = code_of(text);
    const bool own_functions = file.starts_with("src/math/reproducible.");
    std::vector<Found> result;
    for (std::size_t at = 0; at < code.size();) {
        if (!is_word(code[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < code.size() && is_word(code[end])) ++end;
        const std::string word = code.substr(at, end - at);
        const std::size_t next = code.find_first_not_of(" \n", end);
        const bool called = next != std::string::npos && code[next] == '(';
        const std::string_view before = std::string_view(code).substr(0, at);
        const bool of_object = before.ends_with(".") || before.ends_with("->");
        const bool of_std = before.ends_with("std::") || before.ends_with("chrono::");
        const bool of_other = !of_std && before.size() > 2 && before.ends_with("::") && is_word(before[at - 3]);
        const bool of_all = before.ends_with("::") && !of_other;  // std:: or the global namespace
        const bool bare = !of_object && !of_other && called;
        bool bad = is_inexact_instruction(word);
        bad = bad || (is_inexact(word) && (of_all || (bare && !own_functions)));
        bad = bad || (forbidden.count(word) && !of_object && !of_other && (of_all || called));
        bad = bad || (forbidden_calls.count(word) && called && !of_object && !of_other);
        bad = bad || (word.ends_with("_distribution") && of_std);
        if (bad) {
            const auto line = 1 + std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '\n');
            result.push_back({around(code, at), word, static_cast<int>(line)});
        }
        at = end;
    }
    return result;
}

TEST(Steps, have_neither_libm_nor_clocks_nor_unordered_containers) {
    const fs::path root = TREACLE_SOURCE_DIR;
    int files = 0;
    std::set<const Allowance*> used;
    for (const std::string& folder : folders) {
        for (const auto& entry : fs::recursive_directory_iterator(root / "src" / folder)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".h" && extension != ".cpp") continue;
            ++files;
            std::ostringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            const std::string file = entry.path().lexically_relative(root).generic_string();
            for (const Found& found : findings(file, text.str())) {
                const auto allowed = std::find_if(allowances.begin(), allowances.end(), [&](const Allowance& a) {
                    return a.file == file && a.place == found.place && a.word == found.word;
                });
                if (allowed != allowances.end()) used.insert(&*allowed);
                else ADD_FAILURE() << file << ":" << found.line << ": " << found.word << " in " << found.place;
            }
        }
    }
    EXPECT_GT(files, 200) << "the sources were not found";
    for (const Allowance& a : allowances) {
        EXPECT_TRUE(used.count(&a)) << a.file << ": " << a.place << " no longer has " << a.word << ": delete its line";
    }
}

TEST(Steps, the_check_finds_what_it_must) {
    for (const char* line : {"y = std::exp(x);",
                             "y = exp(x);",
                             "y = ::expf(x);",
                             "y = __builtin_sin(x);",
                             "using std::pow;",
                             "std::transform(a, b, c, std::log);",
                             "y = std::fma(a, b, c);",
                             "y = hypot(a,\n b);",
                             "y = std :: x + cbrt (x);",
                             "std::unordered_map<int, int> m;",
                             "std::unordered_set<int> s;",
                             "auto t = std::chrono::steady_clock::now();",
                             "auto t = std::chrono::system_clock::now();",
                             "auto t = time(nullptr);",
                             "auto t = std::time(nullptr);",
                             "int n = rand();",
                             "int n = std::rand();",
                             "std::random_device d;",
                             "auto e = std::getenv(name);",
                             "auto e = getenv(name);",
                             "std::shuffle(a, b, c);",
                             "std::uniform_real_distribution<double> u;",
                             "auto s = std::reduce(a, b);",
                             "y = _mm256_fmadd_ps(a, b, c);",
                             "y = _mm_rsqrt_ps(a);",
                             "char c = '\"'; y = std::exp(x);",
                             "auto s = \"\\\"\"; y = std::exp(x);",
                             "/* a */ y = std::exp(x);",
                             "auto s = R\"(\")\"; y = std::exp(x);",
                             "n = 1'000; y = std::exp(x); m = 1'000;"}) {
        EXPECT_EQ(findings("src/blocks/a.cpp", line).size(), 1u) << line;
    }
    for (const char* line :
         {"y = reproducible::exp(x);", "y = std::sqrt(x) + std::abs(x) + std::floor(x) + std::fmod(x, 2.0);",
          "// std::exp(x)", "/* exp(x)\n std::pow(x, 2) */", "auto s = \"std::exp(x)\";", "auto s = R\"(exp(x))\";",
          "const double exp = 2; y = exp + 1;", "state.time(3);", "log.warn(text);", "clock->time();",
          "y = exposed(x);", "std::map<int, int> m;", "y = simd::max(a, b);", "double sin;"}) {
        EXPECT_TRUE(findings("src/blocks/a.cpp", line).empty()) << line;
    }
    const auto own = findings("src/math/reproducible.cpp", "double exp(double x) { return log(x); }\ny = std::exp(x);");
    EXPECT_EQ(own.size(), 1u);
}

TEST(Steps, the_check_knows_the_function_around) {
    const std::string text =
        "double before(int n) {\n    return n;\n}\n\ntemplate <class S>\nResult<void> Scope::here(int a,\n"
        "                       int b) {\n    if (a) {\n        std::exp(b);\n    }\n}\n";
    const auto found = findings("src/blocks/a.cpp", text);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].place, "here");
    EXPECT_EQ(found[0].line, 9);
}

}  // namespace
}  // namespace treacle
