#include <gtest/gtest.h>

#include "support/run_program.h"

namespace treacle {
namespace {

const std::string program = TREACLE_READER_ALONE;

TEST(ReaderAlone, reads_scenes_of_every_method_and_says_what_is_wrong) {
    const std::string scenes = TREACLE_SOURCE_DIR "/scenes/";
    for (const auto& [file, method] :
         std::vector<std::pair<std::string, std::string>>{{"clavet2005/dam_2d.json", "clavet2005"},
                                                          {"takahashi2014/fig02_ball.json", "takahashi2014"},
                                                          {"barreiro2017/fig06_cube.json", "barreiro2017"},
                                                          {"takamatsu2011/fig03_cube.json", "takamatsu2011"},
                                                          {"mukai2021/fig01_setup.json", "mukai2021"}}) {
        const test::Outcome outcome = test::run_command(program + " " + scenes + file);
        EXPECT_EQ(outcome.code, 0) << outcome.text;
        EXPECT_EQ(outcome.text.substr(0, method.size() + 1), method + " ") << file;
        EXPECT_GT(std::stol(outcome.text.substr(method.size())), 0) << file;
    }
    EXPECT_EQ(test::run_command(program + " " + scenes + "none.json").code, 2);
}

TEST(ReaderAlone, has_no_solver_in_it) {
    const std::string symbols = test::run_command("nm -C " + program).text;
    ASSERT_NE(symbols.find("treacle::read_scene_file("), std::string::npos) << "nm shows no symbols:\n" << symbols;
    for (const char* solver : {"treacle::create_method", "treacle::Method<", "treacle::SurfaceTension<",
                               "treacle::Iisph<", "treacle::RigidBodies", "btCollision"}) {
        EXPECT_EQ(symbols.find(solver), std::string::npos) << solver << " is linked to what reads scenes";
    }
    const std::string libraries = test::run_command("readelf -d " + program).text;
    ASSERT_NE(libraries.find("libc.so"), std::string::npos) << libraries;
    for (const char* library : {"libBullet", "libhdf5", "libopenvdb", "libembree"}) {
        EXPECT_EQ(libraries.find(library), std::string::npos) << library;
    }
}

}  // namespace
}  // namespace treacle
