#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "fuzz/fuzz.h"
#include "scene/reader.h"
#include "scene/scene_json.h"
#include "scene/schema.h"
#include "sim/preflight.h"
#include "sim/simulation.h"
#include "support/temporary_folder.h"
#include "unit/scene/scene_text.h"

/// Scene files with damage of every kind. The result is a scene or a list of problems, never a crash or a hang.

namespace treacle {
namespace {

void collect_words(const Json& json, std::set<std::string>& words) {
    if (json.is_text()) words.insert(json.text);
    for (const Json& element : json.elements) collect_words(element, words);
    for (const auto& [key, value] : json.members) {
        words.insert(key);
        collect_words(value, words);
    }
}

/// Every key and word of the schema, and the tokens of JSON itself.
std::vector<std::string> dictionary() {
    std::set<std::string> words;
    collect_words(scene_schema(), words);
    std::vector<std::string> all;
    for (const std::string& word : words) {
        if (word.size() > 40) continue;  // sentences of documentation
        all.push_back(word);
        all.push_back("\"" + word + "\"");
    }
    for (const char* token : {"{",        "}",
                              "[",        "]",
                              ":",        ",",
                              "\"",       "null",
                              "true",     "false",
                              "//",       "/*",
                              "*/",       "\\u0000",
                              "\\ud800",  "\xEF\xBB\xBF",
                              "\xFF\xFE", "1e999",
                              "-1e308",   "1e-400",
                              "-0",       "0.1e",
                              "NaN",      "{\"keyframes\": [{\"time\": 0, \"value\": 1}]}",
                              "[[[[[[[[", "\"no_slip\": 1,"}) {
        all.emplace_back(token);
    }
    return all;
}

/// Figures have tens of thousands of particles, which take a second to place; mutations find as much with a few.
/// Sanitizers place them a hundred times more slowly.
constexpr double few = TREACLE_SANITIZED ? 40 : 500;

Json with_few_particles(Json scene) {
    Json* fluids = scene.find("fluids");
    if (!fluids) return scene;
    for (Json& fluid : fluids->elements) {
        if (Json* count = fluid.find("count")) count->number = std::min(count->number, few);
    }
    return scene;
}

std::vector<Json> scenes() {
    std::vector<Json> all{json_of(small_scene_2d), json_of(small_scene_3d), full_scene(2), full_scene(3)};
    std::set<std::string> files;  // in the order of their names: that of a folder differs from disk to disk
    for (const auto& file : std::filesystem::recursive_directory_iterator(TREACLE_SOURCE_DIR "/scenes")) {
        if (file.path().extension() == ".json") files.insert(file.path().string());
    }
    for (const std::string& file : files) all.push_back(with_few_particles(json_of(content_of(file))));
    return all;
}

/// Like `treacle check`, and like the first steps of `treacle run` if the scene is small.
void use(const Scene& scene, std::uint32_t seed) {
    const Preflight preflight = predict(scene);
    EXPECT_GT(preflight.particles, 0);
    const bool small = preflight.particles <= 300;
    if (small || !TREACLE_SANITIZED) {  // places the particles
        EXPECT_LE(static_cast<double>(count_overlap(scene).value_or(0)), preflight.particles);
    }
    EXPECT_GE(preflight.frames, 1);
    const bool fits = refuse_if_too_large(scene, preflight).has_value();

    const std::string text = to_text(scene_to_json(scene));
    const auto again = read_scene(json_of(text), scene.file, {});
    ASSERT_TRUE(again) << to_string(again.error()) << "\n" << text;
    EXPECT_EQ(to_text(scene_to_json(*again)), text);

    if (!fits || !small || seed % 4 != 0) return;
    const auto simulation = Simulation::create(scene, 1, {});
    if (!simulation) return;
    int steps = 0;
    [[maybe_unused]] const auto outcome = (*simulation)->advance_frame([&](const StepInfo&) { return ++steps < 3; });
}

TEST(Fuzz, SceneReader) {
    const std::vector<std::string> words = dictionary();
    const std::vector<Json> corpus = scenes();
    std::size_t accepted = 0;
    test::fuzz("Fuzz.SceneReader", 30000, [&](std::uint32_t seed) {
        test::Mutator mutator(seed, words);
        const auto any_scene = [&]() -> const Json& { return corpus[mutator.below(corpus.size())]; };
        std::string text = to_text(mutator.one_in(3) ? any_scene() : mutator.json(any_scene()));
        if (mutator.one_in(3)) text = mutator.bytes(text, to_text(any_scene()));
        auto json = parse_json(text, "scene.json");
        if (json && mutator.one_in(8)) {  // like --set
            std::string pointer;
            for (std::size_t n = 0, depth = mutator.below(5); n < depth; ++n) {
                pointer +=
                    "/" + (mutator.one_in(4) ? std::to_string(mutator.below(3)) : words[mutator.below(words.size())]);
            }
            [[maybe_unused]] const auto done = set_at_pointer(*json, pointer, any_scene());
        }
        const auto scene = json ? read_scene(*json, "scene.json", {}) : Result<Scene>(tl::unexpected(json.error()));
        if (scene) {
            ++accepted;
            use(*scene, seed);
            return;
        }
        EXPECT_EQ(scene.error().code, ExitCode::wrong_input);
        EXPECT_FALSE(scene.error().problems.empty());
        for (const Problem& problem : scene.error().problems) EXPECT_FALSE(problem.message.empty());
    });
    RecordProperty("accepted", std::to_string(accepted));
    EXPECT_GT(accepted, 0u);  // mutations that are all refused early would test nothing later
}

}  // namespace
}  // namespace treacle
