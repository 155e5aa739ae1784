#include "core/folder_lock.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace treacle {
namespace {

namespace fs = std::filesystem;

class FolderLockTest : public testing::Test {
protected:
    FolderLockTest() : folder_(temporary_.file("folder")), lock_file_(folder_ + "/" + FolderLock::file_name) {
        fs::create_directory(folder_);
    }

    TemporaryFolder temporary_;
    std::string folder_, lock_file_;
};

TEST_F(FolderLockTest, keeps_others_out_and_says_who) {
    {
        const auto lock = FolderLock::take(folder_);
        ASSERT_TRUE(lock) << to_string(lock.error());
        const auto second = FolderLock::take(folder_);
        ASSERT_FALSE(second);
        EXPECT_EQ(second.error().code, ExitCode::wrong_input);
        const std::string text = to_string(second.error());
        EXPECT_NE(text.find(folder_ + ": process " + std::to_string(getpid()) + " is writing"), std::string::npos)
            << text;
        EXPECT_TRUE(lock->check_place()) << "who was refused must not take the file away";
    }
    EXPECT_FALSE(fs::exists(lock_file_));
    EXPECT_TRUE(FolderLock::take(folder_));
}

TEST_F(FolderLockTest, says_on_which_machine) {
    const auto lock = FolderLock::take(folder_);
    ASSERT_TRUE(lock);
    put_content(lock_file_, "4711 node7\n");
    EXPECT_NE(to_string(FolderLock::take(folder_).error()).find("process 4711 on node7"), std::string::npos);
    put_content(lock_file_, "");  // not written yet
    EXPECT_NE(to_string(FolderLock::take(folder_).error()).find("another process is writing"), std::string::npos);
}

TEST_F(FolderLockTest, a_dead_process_holds_nothing) {
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        const auto lock = FolderLock::take(folder_);
        [[maybe_unused]] const auto ignored = write(ready[1], lock ? "y" : "n", 1);
        for (;;) pause();
    }
    char answer = 0;
    ASSERT_EQ(read(ready[0], &answer, 1), 1);
    EXPECT_EQ(answer, 'y');
    EXPECT_NE(to_string(FolderLock::take(folder_).error()).find("process " + std::to_string(child)), std::string::npos);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_TRUE(fs::exists(lock_file_));
    EXPECT_TRUE(FolderLock::take(folder_));
    close(ready[0]);
    close(ready[1]);
}

TEST_F(FolderLockTest, moves_with_its_folder) {
    auto lock = FolderLock::take(folder_);
    ASSERT_TRUE(lock);
    const std::string moved = temporary_.file("moved");
    fs::rename(folder_, moved);
    ASSERT_FALSE(lock->check_place());
    EXPECT_EQ(lock->check_place().error().code, ExitCode::file_failed);
    lock->follow(moved);
    EXPECT_TRUE(lock->check_place());
    EXPECT_FALSE(FolderLock::take(moved));
    FolderLock other = std::move(*lock);
    EXPECT_TRUE(other.check_place());
}

TEST_F(FolderLockTest, notices_another_folder_at_its_place) {
    const auto lock = FolderLock::take(folder_);
    ASSERT_TRUE(lock);
    fs::remove_all(folder_);
    EXPECT_FALSE(lock->check_place());
    fs::create_directory(folder_);
    put_content(lock_file_, "1 here\n");
    EXPECT_FALSE(lock->check_place());
}

TEST_F(FolderLockTest, notices_that_files_were_deleted) {
    const auto lock = FolderLock::take(folder_);
    ASSERT_TRUE(lock);
    fs::remove(lock_file_);  // `rm -r`, while new files keep the folder itself alive
    ASSERT_FALSE(lock->check_place());
    EXPECT_NE(to_string(lock->check_place().error()).find("were deleted"), std::string::npos);
}

TEST_F(FolderLockTest, wants_a_folder) {
    const auto lock = FolderLock::take(temporary_.file("missing"));
    ASSERT_FALSE(lock);
    EXPECT_EQ(lock.error().code, ExitCode::file_failed);
}

}  // namespace
}  // namespace treacle
