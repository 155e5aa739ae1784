#include "run/manifest.h"

#include <filesystem>

#include "run/list_schedule.h"
#include "unit/run/small_run.h"

namespace treacle {
namespace {

using namespace test;

TEST(ListSchedule, writes_ever_longer_lists_ever_more_rarely) {
    ListSchedule schedule;
    int lists = 0, listed = 0;
    long entries = 0;
    for (int frame = 1; frame <= 10000; ++frame) {
        if (schedule.due(frame)) {
            ++lists, entries += frame, listed = frame;
            schedule.written(frame);
        }
        EXPECT_TRUE(frame < 2 || 10 * (frame - listed) <= std::max(10, listed)) << frame;
    }
    EXPECT_LT(lists, 100);
    EXPECT_LT(entries, 12 * 10000);  // every frame: 50 million
}

TEST(Manifest, lists_all_frames_at_the_end) {
    const TemporaryFolder place;
    for (const int frames : {1, 2, 7}) {
        const auto run = begin(falling_block(frames), place.file("run"));
        ASSERT_EQ(run->complete(), Run::Status::finished);
        EXPECT_EQ(frames_on_disk(run->folder()).size(), static_cast<std::size_t>(frames));
        EXPECT_EQ(listed_frames(run->folder()), frames_on_disk(run->folder()));
    }
}

TEST(Manifest, lists_all_frames_when_a_run_is_stopped) {
    const TemporaryFolder place;
    bool stop = false;
    RunEvents events;
    events.frame = [&](const FrameReport& report) { stop = report.frame == 9; };
    events.stop_wanted = [&] { return stop; };
    const auto run = begin(falling_block(20), place.file("run"), false, events);
    ASSERT_EQ(run->complete(), Run::Status::stopped);
    EXPECT_EQ(listed_frames(run->folder()).size(), 9u);
}

/// As after a kill: the run is gone in the middle, without an end.
TEST(Manifest, is_renewed_when_a_lost_run_is_resumed) {
    const TemporaryFolder place;
    {
        const auto lost = begin(falling_block(40, R"(["ply", "vtp"])"), place.file("run"));
        while (lost->simulation().state().frame < 30) ASSERT_EQ(lost->advance(), Run::Status::under_way);
        EXPECT_EQ(frames_on_disk(lost->folder()).size(), 30u);
        EXPECT_GE(listed_frames(lost->folder()).size(), 2 * 27u) << "more than a tenth is missing";
    }
    const auto reopened = RunFolder::open(place.file("run"));
    ASSERT_TRUE(reopened);
    EXPECT_EQ(reopened->frames("ply").size(), 30u) << "readers see what is there";
    const auto run = begin(falling_block(40, R"(["ply", "vtp"])"), place.file("run"), true);
    const std::size_t kept = frames_on_disk(run->folder()).size();
    EXPECT_EQ(kept, 28u) << "the frame of the newest checkpoint";
    EXPECT_EQ(listed_frames(run->folder()).size(), 2 * kept);
    const auto series = [&] { return content_of(place.file("run/frames.pvd")); };
    EXPECT_NE(series().find("frame.0028.vtp"), std::string::npos);
    EXPECT_EQ(series().find("frame.0029.vtp"), std::string::npos) << "a frame that is no longer there";
    ASSERT_EQ(run->complete(), Run::Status::finished);
    EXPECT_EQ(listed_frames(run->folder()).size(), 2 * 40u);
    EXPECT_NE(series().find("frame.0040.vtp"), std::string::npos);
}

TEST(Manifest, lists_what_is_there_after_a_full_disk) {
    const TemporaryFolder place;
    const auto run = begin(falling_block(20), place.file("run"));
    for (int n = 0; n < 2; ++n) ASSERT_EQ(run->advance(), Run::Status::under_way);
    ASSERT_EQ(frames_on_disk(run->folder()).size(), 3u);
    std::filesystem::create_directory(run->folder().frame_file(4, "ply"));  // in the way of the next frame
    const auto failed = run->advance();
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ExitCode::file_failed);
    EXPECT_GE(listed_frames(run->folder()).size(), 3u);
}

TEST(Manifest, names_columns_with_units_and_the_whole_scene) {
    const TemporaryFolder place;
    const auto run = begin(falling_block(1), place.file("run"));
    const auto manifest = run->folder().read_manifest();
    ASSERT_TRUE(manifest);
    bool velocity = false;
    for (const Json& column : manifest->find("columns")->elements) {
        velocity = velocity || (column.find("name")->text == "velocity" && column.find("unit")->text == "m/s");
    }
    EXPECT_TRUE(velocity);
    EXPECT_EQ(manifest->find("method")->text, "clavet2005");
    const Json* honey = find_at_pointer(*manifest, "/scene/materials/honey");
    ASSERT_TRUE(honey);
    EXPECT_TRUE(honey->find("density")) << "defaults are filled in";
}

}  // namespace
}  // namespace treacle
