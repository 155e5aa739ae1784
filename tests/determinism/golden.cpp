#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/parallel.h"
#include "determinism/golden_scenes.h"
#include "support/on_every_path.h"
#include "support/run_scene.h"

// Tests the promise "the same bits everywhere" against one file of hashes. The same file serves g++ and clang, every
// SIMD path, and a C library whose faster variants are switched off (see CMakeLists.txt). To renew it:
// ./test --renew-golden

namespace treacle {
namespace {

const std::string golden_file = TREACLE_SOURCE_DIR "/tests/determinism/golden_hashes.txt";

std::string hex(std::uint64_t hash) {
    std::ostringstream text;
    text << std::hex << hash;
    return text.str();
}

/// Name of a scene -> hash of its state after the last frame, from the file.
std::map<std::string, std::string> golden_hashes() {
    std::ifstream file(golden_file);
    std::map<std::string, std::string> hashes;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string name, hash;
        if (line.starts_with('#') || !(words >> name >> hash)) continue;
        hashes[name] = hash;
    }
    return hashes;
}

Result<std::string> hash_of(const test::GoldenScene& scene) {
    test::RunningScene run(scene.text.dump(), 2);
    if (!run.advance(scene.frames)) return fail(ExitCode::diverged, run.error());
    return hex(state_hash(run.state()));
}

class Golden : public testing::TestWithParam<std::tuple<test::GoldenScene, simd::Choice>> {};

TEST_P(Golden, HashIsThatOfTheFile) {
    const auto& [scene, path] = GetParam();
    const auto golden = golden_hashes();
    const auto known = golden.find(scene.name);
    ASSERT_NE(known, golden.end()) << "no hash of " << scene.name << " in " << golden_file;
    const test::OnPath on(path);
    const auto hash = hash_of(scene);
    ASSERT_TRUE(hash) << to_string(hash.error());
    EXPECT_EQ(*hash, known->second);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Golden,
                         testing::Combine(testing::ValuesIn(test::golden_scenes()), testing::ValuesIn(test::paths())),
                         [](const auto& which) {
                             return std::get<0>(which.param).name + "_" + simd::name(std::get<1>(which.param));
                         });

class GoldenKind : public testing::TestWithParam<test::GoldenScene> {};

/// A scene without motion would keep its hash whatever a method does.
TEST_P(GoldenKind, IsSeenInTheScene) {
    test::RunningScene run(GetParam().text.dump(), 2);
    const std::size_t before = run.state().particles.size();
    ASSERT_TRUE(run.advance(GetParam().frames)) << run.error();
    EXPECT_GT(run.state().statistics.steps, 0u);
    EXPECT_GT(run.metric("kinetic_energy"), 0);
    if (GetParam().kind == "emitters") { EXPECT_NE(run.state().particles.size(), before); }
    if (GetParam().kind == "blocks") { EXPECT_GT(before, Parallel::block_size); }
    if (GetParam().kind == "bodies") {
        bool pushed = false;
        for (const Body& body : run.state().bodies) pushed |= body.dynamic() && length(body.angular_velocity) > 0;
        EXPECT_TRUE(pushed) << "no body was turned by the fluid";
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, GoldenKind, testing::ValuesIn(test::golden_scenes()),
                         [](const auto& scene) { return scene.param.name; });

TEST(GoldenFile, HasNoHashWithoutAScene) {
    auto golden = golden_hashes();
    for (const test::GoldenScene& scene : test::golden_scenes()) golden.erase(scene.name);
    for (const auto& [name, hash] : golden) ADD_FAILURE() << name << " is no scene";
}

/// Writes the file anew if the environment asks for it, as ./test --renew-golden does.
TEST(GoldenFile, CanBeRenewed) {
    if (!std::getenv("TREACLE_RENEW_GOLDEN")) return;
    std::ostringstream text;
    text << "# Hashes of the state after the last frame of the scenes of golden_scenes.h.\n"
            "# Renewed by ./test --renew-golden, in a commit that moves no code and says why bits changed.\n";
    for (const test::GoldenScene& scene : test::golden_scenes()) {
        const auto hash = hash_of(scene);
        ASSERT_TRUE(hash) << scene.name << ": " << to_string(hash.error());
        text << scene.name << ' ' << *hash << '\n';
    }
    ASSERT_TRUE(std::ofstream(golden_file) << text.str());
}

}  // namespace
}  // namespace treacle
