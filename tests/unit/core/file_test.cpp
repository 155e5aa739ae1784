#include "core/file.h"

#include <array>
#include <filesystem>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"
#include "support/tight_disk.h"

namespace treacle {
namespace {

namespace fs = std::filesystem;

void expect_failed(const Result<void>& result, const std::string& path, const std::string& reason) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ExitCode::file_failed);
    const std::string text = to_string(result.error());
    EXPECT_NE(text.find(path), std::string::npos) << text;
    EXPECT_NE(text.find(reason), std::string::npos) << text;
}

std::size_t files_in(const std::string& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

TEST(File, what_is_written_is_read_back) {
    TemporaryFolder folder;
    const std::string path = folder.file("a.bin");
    std::string bytes("text\0with zero\n", 15);
    bytes += std::string(300000, 'x');
    ASSERT_TRUE(write_file_atomically(path, bytes));
    EXPECT_EQ(read_whole_file(path).value(), bytes);
    ASSERT_TRUE(write_file_atomically(path, ""));  // replaces
    EXPECT_EQ(read_whole_file(path).value(), "");
    const std::array<std::string_view, 3> pieces{"a", "", "bc"};
    ASSERT_TRUE(write_file_atomically(path, pieces));
    EXPECT_EQ(read_whole_file(path).value(), "abc");
    EXPECT_EQ(files_in(folder.path()), 1u) << "a temporary file was left";
}

TEST(File, a_relative_path_without_folder) {
    TemporaryFolder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    EXPECT_TRUE(write_file_atomically("a.txt", "1"));
    fs::current_path(before);
    EXPECT_EQ(content_of(folder.file("a.txt")), "1");
}

TEST(File, failures_say_path_and_reason) {
    TemporaryFolder folder;
    put_content(folder.file("file"), "x");
    fs::create_directory(folder.file("folder"));
    put_content(folder.file("folder/inside"), "x");
    expect_failed(write_file_atomically(folder.file("no/a.txt"), "1"), folder.file("no/a.txt"), "No such file");
    expect_failed(write_file_atomically(folder.file("file/a.txt"), "1"), folder.file("file/a.txt"), "Not a directory");
    expect_failed(write_file_atomically(folder.file("folder"), "1"), folder.file("folder"), "directory");
    expect_failed(make_folder(folder.file("file/sub")), folder.file("file/sub"), "Not a directory");
    expect_failed(make_folder(folder.file("file")), folder.file("file"), "Not a directory");
    expect_failed(make_folder("/proc/no_such_folder"), "/proc/no_such_folder", "No such file or directory");
    expect_failed(append_to_file(folder.file("no/a.csv"), "", "1\n"), folder.file("no/a.csv"), "No such file");
    expect_failed(check_writable(folder.file("no")), folder.file("no"), "No such file or directory");
    EXPECT_TRUE(check_writable(folder.file("folder")));
    expect_failed(remove_file(folder.file("folder")), folder.file("folder"), "directory");
    for (const char* name : {"missing", "folder"}) {
        const auto read = read_whole_file(folder.file(name));
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().code, ExitCode::file_failed);
        EXPECT_NE(to_string(read.error()).find(folder.file(name)), std::string::npos);
    }
    EXPECT_EQ(files_in(folder.path()), 2u) << "a temporary file was left";
}

TEST(File, reads_files_without_a_size) {
    EXPECT_NE(read_whole_file("/proc/self/status").value().find("Name:"), std::string::npos);
}

TEST(File, a_failed_write_keeps_the_older_file) {
    TemporaryFolder folder;
    const std::string path = folder.file("a.txt");
    ASSERT_TRUE(write_file_atomically(path, "older"));
    {
        const TightDisk tight(10000);
        expect_failed(write_file_atomically(path, std::string(50000, 'x')), path, "File too large");
    }
    EXPECT_EQ(content_of(path), "older");
    EXPECT_EQ(files_in(folder.path()), 1u) << "a temporary file was left";
}

TEST(File, appending_writes_the_header_once) {
    TemporaryFolder folder;
    const std::string path = folder.file("a.csv");
    ASSERT_TRUE(append_to_file(path, "a,b\n", "1,2\n"));
    ASSERT_TRUE(append_to_file(path, "a,b\n", "3,4\n"));
    EXPECT_EQ(content_of(path), "a,b\n1,2\n3,4\n");
}

TEST(File, a_failed_append_leaves_no_half_row) {
    TemporaryFolder folder;
    const std::string path = folder.file("a.csv");
    ASSERT_TRUE(append_to_file(path, "a\n", "1\n"));
    {
        const TightDisk tight(10);
        expect_failed(append_to_file(path, "a\n", "22222222222222222222\n"), path, "File too large");
    }
    EXPECT_EQ(content_of(path), "a\n1\n");
    expect_failed(append_to_file("/dev/full", "a\n", "1\n"), "/dev/full", "No space left on device");
}

TEST(File, folders_and_removal) {
    TemporaryFolder folder;
    EXPECT_TRUE(make_folder(folder.file("a/b/c")));
    EXPECT_TRUE(make_folder(folder.file("a/b/c")));
    EXPECT_TRUE(fs::is_directory(folder.file("a/b/c")));
    put_content(folder.file("a/x"), "1");
    EXPECT_TRUE(remove_file(folder.file("a/x")));
    EXPECT_TRUE(remove_file(folder.file("a/x"))) << "one that is not there is fine";
    EXPECT_FALSE(fs::exists(folder.file("a/x")));
}

TEST(File, names_of_files_stay_in_their_folder_and_differ) {
    EXPECT_EQ(safe_file_name("thick slime_2-b.c"), "thick slime_2-b.c");
    EXPECT_EQ(safe_file_name("Löffel"), "Löffel");
    EXPECT_EQ(safe_file_name(".."), "%2E.");
    EXPECT_EQ(safe_file_name("."), "%2E");
    EXPECT_EQ(safe_file_name(""), "%");
    EXPECT_EQ(safe_file_name("a/../b"), "a%2F..%2Fb");
    EXPECT_EQ(safe_file_name("%2E"), "%252E");
}

TEST(File, a_place_for_a_file_is_looked_at_before_it_is_written) {
    TemporaryFolder folder;
    put_content(folder.file("file"), "text");
    EXPECT_TRUE(check_output_file(folder.file("new.png")));
    EXPECT_TRUE(check_output_file(folder.file("file"))) << "it is replaced";
    EXPECT_TRUE(check_output_file("in_the_current_folder.png"));
    expect_failed(check_output_file(folder.file("missing/a.png")), folder.file("missing/a.png"), "No such file");
    expect_failed(check_output_file(folder.file("file/a.png")), folder.file("file/a.png"), "Not a directory");
    expect_failed(check_output_file(folder.path()), folder.path(), "Is a directory");
    EXPECT_EQ(files_in(folder.path()), 1u) << "looking leaves nothing behind";
}

}  // namespace
}  // namespace treacle
