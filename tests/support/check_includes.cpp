#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

// Keeps the direction of includes of docs and design: a folder of src/ sees only those below it, and every third-party
// library is included in one place.

namespace treacle {
namespace {

namespace fs = std::filesystem;

using Folders = std::set<std::string>;

Folders operator+(Folders a, const Folders& b) {
    a.insert(b.begin(), b.end());
    return a;
}

/// Folders that blocks are made of.
const Folders numerics{"core",      "math",    "geometry", "simd", "state",
                       "neighbors", "packing", "kernels",  "laws", "linear"};

/// Files of src/methods that scenes may see, as if they were a folder "method_settings": without any of the code that
/// computes a step. Names without .h and .cpp.
const std::set<std::string> method_settings{"settings",        "calibration", "method_input", "reference_speed",
                                            "time_step_limit", "registry",    "pair_memory"};

/// What a folder that reads scenes may see.
const Folders descriptions{"core",    "math",    "geometry", "simd",     "state",          "neighbors",
                           "packing", "kernels", "laws",     "material", "method_settings"};

/// For each folder of src/, the others it may include. CMake's USES say the same to the linker.
const std::map<std::string, Folders> visible{
    {"core", {}},
    {"math", {"core"}},
    {"geometry", {"core", "math"}},
    {"mesh_files", {"core", "math", "geometry"}},
    {"simd", {"core", "math"}},
    {"state", {"core", "math", "geometry", "simd"}},
    {"checkpoint", {"core", "math", "geometry", "state"}},
    {"neighbors", {"core", "math", "simd"}},
    {"packing", {"core", "math", "simd", "neighbors"}},
    {"kernels", {"core", "math", "simd"}},
    {"laws", {"core", "math", "simd", "kernels"}},
    {"linear", {"core", "math", "simd"}},
    {"blocks", numerics},
    {"material", {"core", "math"}},
    {"method_settings", {"core", "math", "simd", "kernels", "laws", "material"}},
    {"methods", numerics + Folders{"blocks", "material", "method_settings"}},
    {"scene", descriptions + Folders{"mesh_files"}},
    {"sim", numerics + Folders{"blocks", "material", "method_settings", "methods", "scene"}},
    {"io", {"core", "math", "geometry", "state", "checkpoint"}},
    {"surface_mesh", {"core", "math", "geometry", "state"}},
    {"render", {"core", "math", "geometry", "state"}},
    {"meshing", {"core", "math", "geometry", "state", "io", "surface_mesh"}},
    {"pictures", {"core", "math", "geometry", "state", "io", "surface_mesh", "render", "meshing"}},
    {"speed", numerics + Folders{"blocks", "material", "method_settings", "methods", "scene", "sim"}},
    {"run", numerics + Folders{"blocks", "material", "method_settings", "methods", "scene", "sim", "checkpoint", "io",
                               "surface_mesh"}},
    {"ordinary", numerics + Folders{"blocks", "material", "method_settings", "methods", "scene", "sim"}},
    {"library", numerics + Folders{"blocks", "material", "method_settings", "methods", "scene", "sim"}},
    {"claims", descriptions + Folders{"linear", "blocks", "scene", "checkpoint", "io"}},
};

/// Headers of the system and of third-party libraries, by the beginning of their name, and the files (or folders,
/// ending with a slash) that may include them. C++ standard headers have neither a slash nor a dot.
const std::vector<std::pair<std::string, std::vector<std::string>>> libraries{
    {"tbb/", {"src/core/parallel_tbb.cpp"}},
    {"oneapi/tbb", {"src/core/parallel_tbb.cpp"}},
    {"nlohmann/", {"src/core/json.cpp"}},
    {"tl/expected.hpp", {"src/core/result.h"}},
    {"hdf5", {"src/checkpoint/hdf5_handle.h"}},
    {"H5", {"src/checkpoint/hdf5_handle.h"}},
    {"openvdb/", {"src/io/vdb_points.cpp", "src/surface_mesh/vdb_file.cpp"}},
    {"zlib.h", {"src/io/gzip.cpp"}},
    {"immintrin.h", {"src/simd/"}},
    {"embree3/", {"src/render/ray_scene.h"}},
    {"png.h", {"src/render/png.cpp"}},
    {"bullet/", {"src/blocks/solids/"}},
    {"bt", {"src/blocks/solids/"}},
    {"LinearMath/", {"src/blocks/solids/"}},
    {"embree3/", {"src/render/"}},
    {"png.h", {"src/render/png.cpp"}},
    {"treacle/", {"src/library/", "include/"}},
    {"CLI/", {"apps/"}},
    {"fcntl.h", {"src/core/"}},
    {"unistd.h", {"src/core/", "src/pictures/video.cpp", "apps/"}},
    {"sys/", {"src/core/", "src/pictures/video.cpp", "apps/"}},
    {"malloc.h", {"src/speed/machine_speed.cpp"}},
    {"signal.h", {"apps/"}},
};

bool matches_place(const std::string& file, const std::vector<std::string>& places) {
    return std::any_of(places.begin(), places.end(), [&](const std::string& place) {
        return place.ends_with("/") ? file.starts_with(place) : file == place;
    });
}

/// The folder that a file belongs to; `file` is relative to src/.
std::string folder_of(const std::string& file) {
    const std::string folder = file.substr(0, file.find('/'));
    const bool settings = folder == "methods" && method_settings.count(fs::path(file).stem().string());
    return settings ? "method_settings" : folder;
}

std::string problem_with_quoted(const std::string& file, const std::string& header) {
    if (file.starts_with("include/")) return "\"" + header + "\" is not installed";
    if (!file.starts_with("src/")) return {};  // applications see everything
    const std::string from = folder_of(file.substr(4)), to = folder_of(header);
    if (header.find('/') == std::string::npos) return "\"" + header + "\" must be named with its folder";
    const auto seen = visible.find(from);
    if (seen == visible.end()) return "the folder src/" + from + " is not in the list of this test";
    if (from == to || seen->second.count(to)) return {};
    return "src/" + from + " must not see \"" + header + "\"";
}

std::string problem_with_angled(const std::string& file, const std::string& header) {
    for (const auto& [prefix, places] : libraries) {
        if (!header.starts_with(prefix) || header.find_first_of("/.") == std::string::npos) continue;
        return matches_place(file, places) ? std::string{} : "<" + header + "> belongs elsewhere";
    }
    if (header.find_first_of("/.") == std::string::npos) return {};
    return "<" + header + "> is not in the list of this test";
}

/// All problems with the includes of one file; `file` is relative to the repository.
std::vector<std::string> problems_of(const std::string& file, const std::string& text) {
    std::vector<std::string> problems;
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) {
        std::erase_if(line, [](char c) { return c == ' ' || c == '\t'; });
        if (!line.starts_with("#include") || line.size() < 11) continue;
        const char close = line[8] == '<' ? '>' : '"';
        const std::string header = line.substr(9, line.find(close, 9) - 9);
        const std::string problem =
            close == '>' ? problem_with_angled(file, header) : problem_with_quoted(file, header);
        if (!problem.empty()) problems.push_back(file + ": " + problem);
    }
    return problems;
}

TEST(Includes, point_one_way) {
    const fs::path root = TREACLE_SOURCE_DIR;
    int files = 0;
    for (const char* top : {"src", "apps", "include"}) {
        if (!fs::exists(root / top)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".h" && extension != ".cpp") continue;
            ++files;
            std::ostringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            const std::string name = entry.path().lexically_relative(root).generic_string();
            for (const std::string& problem : problems_of(name, text.str())) ADD_FAILURE() << problem;
        }
    }
    EXPECT_GT(files, 30) << "the sources were not found";
}

TEST(Includes, the_check_finds_what_it_must) {
    EXPECT_TRUE(problems_of("src/sim/a.cpp", "#include \"scene/scene.h\"\n#include <vector>\n").empty());
    EXPECT_TRUE(problems_of("src/core/parallel_tbb.cpp", "#include <tbb/parallel_for.h>\n").empty());
    EXPECT_TRUE(problems_of("src/scene/a.cpp", "#include \"methods/registry.h\"\n").empty());
    EXPECT_TRUE(problems_of("src/methods/clavet2005/step.cpp", "#include \"methods/method_input.h\"\n").empty());
    EXPECT_TRUE(problems_of("apps/treacle/main.cpp", "#include <CLI/CLI.hpp>\n#include \"io/ply.h\"\n").empty());
    for (const auto& [file, line] : std::vector<std::pair<std::string, std::string>>{
             {"src/core/a.h", "#include \"math/vec.h\""},
             {"src/math/a.h", "# include \"state/state.h\""},
             {"src/io/a.cpp", "#include \"sim/simulation.h\""},
             {"src/sim/a.cpp", "#include \"io/ply.h\""},
             {"src/neighbors/a.cpp", "#include \"kernels/poly6.h\""},
             {"src/scene/a.cpp", "#include \"methods/method.h\""},
             {"src/scene/a.cpp", "#include \"blocks/pair.h\""},
             {"src/methods/clavet2005/settings.cpp", "#include \"blocks/surface/surface_tension.h\""},
             {"src/methods/registry.cpp", "#include \"methods/clavet2005/clavet2005.h\""},
             {"src/claims/a.cpp", "#include \"methods/method.h\""},
             {"src/sim/a.cpp", "#include <treacle/frame.h>"},
             {"include/treacle/a.h", "#include \"core/result.h\""},
             {"include/treacle/a.h", "#include <tl/expected.hpp>"},
             {"src/novel/a.cpp", "#include \"core/result.h\""},
             {"src/state/a.cpp", "#include \"columns.h\""},
             {"src/sim/a.cpp", "#include <tbb/parallel_for.h>"},
             {"src/scene/a.cpp", "#include <nlohmann/json.hpp>"},
             {"src/io/a.cpp", "#include <hdf5.h>"},
             {"src/sim/a.cpp", "#include <CLI/CLI.hpp>"},
             {"src/sim/a.cpp", "#include <Eigen/Dense>"},
             {"src/sim/a.cpp", "#include <fcntl.h>"}}) {
        EXPECT_EQ(problems_of(file, line + "\n").size(), 1u) << file << ": " << line;
    }
}

}  // namespace
}  // namespace treacle
