#include <grp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <cstring>

#include "faults/faults.h"

/// Disks that are full, folders that are locked.

namespace treacle::test {
namespace {

TEST_F(Faults, FullDiskAtEachCall) {
    run_undisturbed({"--quiet"});
    for (int call = 1; !HasFailure(); call += call_stride()) {
        SCOPED_TRACE("full from call " + std::to_string(call));
        fs::remove_all(file("run"));
        fs::remove_all(file("run.old"));
        const Outcome outcome = treacle(run("run", {"--quiet"}), {std::to_string(call) + " full"});
        expect_nothing_torn("run");
        if (outcome.code == 0) {
            EXPECT_GT(call, 100) << "not that many calls?";
            break;
        }
        ASSERT_EQ(outcome.code, 4) << outcome.text;
        EXPECT_TRUE(contains(outcome.text, "error: ") && contains(outcome.text, "No space left on device") &&
                    contains(outcome.text, "run"))
            << outcome.text;
        finish("run");
        expect_as_undisturbed("run");
    }
}

TEST_F(Faults, FullDiskOfAFileSystem) {
    // A private mount, which ends with this process.
    const std::string disk = file("disk");
    fs::create_directory(disk);
    const bool mounted = unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                         mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=128k") == 0;
    if (!mounted)
        GTEST_SKIP() << "cannot mount a small disk: " << std::strerror(errno) << "; FullDiskAtEachCall covers it";
    run_undisturbed({"--quiet"});
    const Outcome full = treacle(run("disk/run", {"--quiet"}));
    EXPECT_EQ(full.code, 4) << full.text;
    EXPECT_TRUE(contains(full.text, "disk/run/") && contains(full.text, "No space left on device")) << full.text;
    expect_nothing_torn("disk/run");
    EXPECT_GE(open_run("disk/run").frames("ply").size(), 2u);
    ASSERT_EQ(mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT, "size=10m"), 0);
    ASSERT_TRUE(resumable("disk/run"));
    finish("disk/run");
    expect_as_undisturbed("disk/run");
    umount(disk.c_str());
}

TEST_F(Faults, TooLittleMemoryIsNoCrash) {
    if (TREACLE_SANITIZED) GTEST_SKIP() << "sanitizers reserve more addresses than any limit allows";
    run_undisturbed({"--quiet"});
    int refused = 0, enough = 0;
    for (rlim_t megabytes = 60; enough < 3 && !HasFailure(); megabytes += 10) {
        const auto limit = [megabytes] {
            const rlimit small{megabytes << 20, megabytes << 20};
            setrlimit(RLIMIT_AS, &small);
        };
        const Outcome outcome = treacle({"run", "dam.json", "-o", "run", "--threads", "8", "--quiet"}, {{}, limit});
        const bool not_loaded = outcome.code == 127;  // the system could not even load the libraries
        EXPECT_FALSE(outcome.killed) << megabytes << " MB: " << outcome.text;
        EXPECT_TRUE(outcome.code == 0 || outcome.code == 4 || not_loaded) << megabytes << " MB: " << outcome.text;
        EXPECT_EQ(outcome.code == 4, contains(outcome.text, "error: ")) << megabytes << " MB: " << outcome.text;
        refused += outcome.code == 4;
        enough += outcome.code == 0;
        expect_nothing_torn("run");
        fs::remove_all(file("run"));
        fs::remove_all(file("run.old"));
    }
    EXPECT_GT(refused, 0) << "no limit was tight";
}

TEST_F(Faults, ALimitOfTheSizeOfFilesIsNoCrash) {
    const auto limit = [] {
        const rlimit small{20000, 20000};  // less than a checkpoint; the system's signal keeps its default action
        setrlimit(RLIMIT_FSIZE, &small);
    };
    const Outcome outcome = treacle(run("run"), {.prepare = limit});
    EXPECT_EQ(outcome.code, 4) << outcome.text;
    EXPECT_TRUE(contains(outcome.text, "run/checkpoints/checkpoint.0001.h5") &&
                contains(outcome.text, "File too large"))
        << outcome.text;
    EXPECT_FALSE(outcome.killed);
}

TEST_F(Faults, AFullDiskBehindStandardOutput) {
    const World full{.output = "/dev/full"};
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{"schema"}, {"check", "dam.json"}}) {
        const pid_t child = start(arguments, full);
        int status = 0;
        waitpid(child, &status, 0);
        ASSERT_TRUE(WIFEXITED(status));
        EXPECT_EQ(WEXITSTATUS(status), 4) << arguments[0];
    }
}

/// The user "nobody" may not write where only the owner may. Root may write everywhere, so it becomes nobody first.
void give_up_rights() {
    if (geteuid() != 0) return;
    constexpr uid_t nobody = 65534;
    if (setgroups(0, nullptr) != 0 || setgid(nobody) != 0 || setuid(nobody) != 0) _exit(97);
}

class LockedFolder : public Faults {
protected:
    void SetUp() override {
        Faults::SetUp();
        using enum fs::perms;
        fs::permissions(folder_.path(), owner_all | group_exec | others_exec | group_read | others_read);
        fs::create_directory(file("locked"));
    }
    void TearDown() override { lock(fs::perms::owner_all); }
    void lock(fs::perms permissions = fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                                      fs::perms::others_exec) const {
        fs::permissions(file("locked"), permissions);
        for (const auto& entry : fs::recursive_directory_iterator(file("locked")))
            fs::permissions(entry.path(), permissions);
    }
    Outcome treacle_without_rights(const std::vector<std::string>& arguments) const {
        Outcome outcome = treacle(arguments, {.prepare = give_up_rights});
        if (outcome.code == 97) throw std::runtime_error("cannot become another user");
        return outcome;
    }
};

TEST_F(LockedFolder, ANewRunIsRefusedWithAReason) {
    lock();
    for (const char* folder : {"locked", "locked/run", "locked/a/b/run"}) {
        const Outcome outcome = treacle_without_rights(run(folder));
        EXPECT_EQ(outcome.code, 4) << outcome.text;
        EXPECT_TRUE(contains(outcome.text, "locked") && contains(outcome.text, "Permission denied")) << outcome.text;
        EXPECT_TRUE(fs::is_empty(file("locked")));
    }
}

TEST_F(LockedFolder, ARunInItCannotGoOnAndStaysAsItIs) {
    ASSERT_EQ(treacle(run("locked/run", {"--frames", "3", "--quiet"})).code, 0);
    fs::copy(file("locked/run"), file("whole"), fs::copy_options::recursive);
    lock();
    const Outcome resumed = treacle_without_rights(run("locked/run", {"--resume"}));
    EXPECT_EQ(resumed.code, 4) << resumed.text;
    EXPECT_TRUE(contains(resumed.text, "locked/run") && contains(resumed.text, "Permission denied")) << resumed.text;
    const Outcome again = treacle_without_rights(run("locked/run"));
    EXPECT_EQ(again.code, 4) << again.text;
    EXPECT_TRUE(contains(again.text, "locked/run") && contains(again.text, "Permission denied")) << again.text;
    expect_as_undisturbed("locked/run");
}

TEST_F(Faults, AFileWhereAFolderShouldBe) {
    put_content(file("taken"), "in the way");
    EXPECT_EQ(treacle(run("taken")).code, 2);
    const Outcome below = treacle(run("taken/run"));
    EXPECT_EQ(below.code, 4) << below.text;
    EXPECT_TRUE(contains(below.text, "Not a directory")) << below.text;
    run_undisturbed({"--quiet"});
    for (const char* part : {"frames", "checkpoints"}) {
        const std::string name = std::string("whole/") + part;
        fs::remove_all(file(name));
        put_content(file(name), "in the way");
        EXPECT_EQ(treacle(run("whole", {"--resume", "--duration", "0.2"})).code, 4) << part;
    }
}

}  // namespace
}  // namespace treacle::test
