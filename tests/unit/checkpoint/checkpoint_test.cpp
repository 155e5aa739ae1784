#include "checkpoint/checkpoint.h"

#include <filesystem>
#include <functional>
#include <random>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "checkpoint/seal.h"
#include "support/random_state.h"
#include "support/temporary_folder.h"
#include "support/tight_disk.h"

namespace treacle {
namespace {

const std::string scene = "{ \"treacle\": 1, \"name\": \"honey, Soße\" }";

std::string problem(const Result<Checkpoint>& result) { return result ? "(no error)" : to_string(result.error()); }

void expect_refused(const std::string& path, const std::string& reason) {
    const auto result = load_checkpoint(path);
    ASSERT_FALSE(result) << "expected: " << reason;
    EXPECT_EQ(result.error().code, ExitCode::file_failed);
    EXPECT_NE(problem(result).find(reason), std::string::npos) << problem(result);
    EXPECT_NE(problem(result).find(path), std::string::npos) << problem(result);
}

void expect_same_columns(const ColumnTable& a, const ColumnTable& b) {
    for (const ColumnTable::Column& column : a.all()) {
        if (!column.info.persistent) {
            // Scratch is not saved. Every table of particles has a volume, saved or not.
            EXPECT_TRUE(!b.has(column.info.name) || column.info.name == "volume");
            continue;
        }
        ASSERT_TRUE(b.has(column.info.name));
        const auto& other = *std::find_if(b.all().begin(), b.all().end(),
                                          [&](const auto& c) { return c.info.name == column.info.name; });
        EXPECT_EQ(other.bytes, column.bytes) << column.info.name;
        EXPECT_EQ(other.info.unit, column.info.unit);
        EXPECT_EQ(other.info.shape, column.info.shape);
        EXPECT_EQ(other.info.type, column.info.type);
        EXPECT_EQ(other.info.exported, column.info.exported);
        EXPECT_TRUE(other.info.persistent);
    }
}

template <class Real>
class CheckpointOf : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(CheckpointOf, Reals);

TYPED_TEST(CheckpointOf, round_trip_keeps_every_bit) {
    TemporaryFolder folder;
    for (const std::size_t count : {0u, 1u, 500u}) {
        State state = random_state<TypeParam>(count, 7);
        shuffle_storage(state, 1);
        const std::string path = folder.file("a.h5");
        ASSERT_TRUE(save_checkpoint(path, state, scene, "1.2.3"));
        const auto loaded = load_checkpoint(path);
        ASSERT_TRUE(loaded) << problem(loaded);
        EXPECT_EQ(loaded->scene, scene);
        EXPECT_EQ(loaded->version, "1.2.3");
        EXPECT_EQ(loaded->state.time, state.time);
        EXPECT_EQ(loaded->state.step, state.step);
        EXPECT_EQ(loaded->state.frame, state.frame);
        EXPECT_EQ(loaded->state.rupture, state.rupture);
        EXPECT_EQ(loaded->state.signs, state.signs);
        EXPECT_EQ(loaded->state.particles.real(), state.particles.real());
        EXPECT_EQ(state_hash(loaded->state), state_hash(state));
        expect_same_columns(state.particles, loaded->state.particles);
        EXPECT_EQ(loaded->state.anchors.connection_count(), state.anchors.connection_count());
        const auto before = state.connections.packed(), after = loaded->state.connections.packed();
        EXPECT_EQ(before.counts, after.counts);  // including the order within rows, on which the bits of sums depend
        expect_same_columns(before.slots, after.slots);
    }
}

TEST(Checkpoint, restores_what_changes_about_bodies) {
    TemporaryFolder folder;
    const State state = random_state<float>(5, 8);
    ASSERT_TRUE(save_checkpoint(folder.file("a.h5"), state, scene, "1"));
    const auto loaded = load_checkpoint(folder.file("a.h5"));
    ASSERT_TRUE(loaded) << problem(loaded);
    ASSERT_EQ(loaded->state.bodies.size(), 2u);
    for (std::size_t b = 0; b < 2; ++b) {
        const Body &saved = state.bodies[b], &read = loaded->state.bodies[b];
        EXPECT_EQ(read.name, saved.name);
        EXPECT_EQ(read.pose, saved.pose);
        EXPECT_EQ(read.velocity, saved.velocity);
        EXPECT_EQ(read.angular_velocity, saved.angular_velocity);
        EXPECT_EQ(read.force, saved.force);
        EXPECT_EQ(read.torque, saved.torque);
    }
}

TEST(Checkpoint, long_and_empty_texts) {
    TemporaryFolder folder;
    const State state = random_state<float>(5, 8);
    for (const std::string& text : {std::string(), std::string(300000, 'x')}) {
        ASSERT_TRUE(save_checkpoint(folder.file("a.h5"), state, text, ""));
        const auto loaded = load_checkpoint(folder.file("a.h5"));
        ASSERT_TRUE(loaded) << problem(loaded);
        EXPECT_EQ(loaded->scene, text);
        EXPECT_EQ(loaded->version, "");
    }
}

TEST(Checkpoint, is_an_hdf5_file_and_equal_states_give_equal_files) {
    TemporaryFolder folder;
    const State state = random_state<float>(50, 9);
    ASSERT_TRUE(save_checkpoint(folder.file("a.h5"), state, scene, "1"));
    ASSERT_TRUE(save_checkpoint(folder.file("b.h5"), state, scene, "1"));
    EXPECT_GT(H5Fis_hdf5(folder.file("a.h5").c_str()), 0);
    EXPECT_EQ(content_of(folder.file("a.h5")), content_of(folder.file("b.h5")));
}

TEST(Checkpoint, truncated_files_are_refused) {
    TemporaryFolder folder;
    const std::string path = folder.file("a.h5");
    ASSERT_TRUE(save_checkpoint(path, random_state<float>(100, 10), scene, "1"));
    const std::string whole = content_of(path);
    for (std::size_t n = 0; n < 50; ++n) {
        put_content(path, whole.substr(0, n < 25 ? n * whole.size() / 25 : n * 30));
        const auto result = load_checkpoint(path);
        EXPECT_FALSE(result) << n;
    }
    put_content(path, whole.substr(0, whole.size() - 1));
    expect_refused(path, "cut short");
    put_content(path, whole.substr(0, 100));
    expect_refused(path, "cut short");
    put_content(path, whole + "x");
    expect_refused(path, "damaged");
}

TEST(Checkpoint, flipped_bits_are_refused_or_harmless) {
    TemporaryFolder folder;
    const std::string path = folder.file("a.h5");
    const State state = random_state<double>(60, 11);
    ASSERT_TRUE(save_checkpoint(path, state, scene, "1"));
    const std::string whole = content_of(path);
    std::mt19937 random(12);
    for (int n = 0; n < 400; ++n) {
        std::string damaged = whole;
        const std::size_t place = n < 200 ? random() % whole.size() : random() % 1500;  // often in the headers
        damaged[place] = static_cast<char>(damaged[place] ^ (1 << random() % 8));
        put_content(path, damaged);
        const auto result = load_checkpoint(path);
        EXPECT_TRUE(!result || state_hash(result->state) == state_hash(state)) << "byte " << place;
    }
}

TEST(Checkpoint, other_things_are_refused_with_a_reason) {
    TemporaryFolder folder;
    expect_refused(folder.file("missing.h5"), "No such file");
    put_content(folder.file("empty.h5"), "");
    expect_refused(folder.file("empty.h5"), "is empty");
    put_content(folder.file("text.h5"), "This is no checkpoint, but a text of some length.");
    expect_refused(folder.file("text.h5"), "is no checkpoint of treacle");
    expect_refused(folder.path(), "directory");
    const hid_t foreign = H5Fcreate(folder.file("foreign.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(foreign);
    expect_refused(folder.file("foreign.h5"), "is an HDF5 file, but no checkpoint of treacle");
}

/// Files with a correct seal and wrong content: nothing in a file is trusted.
class TamperedCheckpoint : public ::testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(save_checkpoint(path_, random_state<float>(100, 13), scene, "1")); }

    void tamper(const std::function<void(hid_t)>& change) {
        const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        ASSERT_GE(file, 0);
        change(file);
        H5Fclose(file);
        const std::string inside = content_of(path_).substr(seal_bytes);
        put_content(path_, make_seal(inside) + inside);
    }

    static void overwrite(hid_t file, const char* name, std::size_t index, double value) {
        const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
        const hid_t space = H5Dget_space(dataset);
        const hsize_t start = index, one = 1;
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &one, nullptr);
        const hid_t memory = H5Screate_simple(1, &one, nullptr);
        EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &value), 0);
        H5Sclose(memory);
        H5Sclose(space);
        H5Dclose(dataset);
    }

    static void replace(hid_t file, const char* name, hid_t type, std::vector<hsize_t> extent) {
        H5Ldelete(file, name, H5P_DEFAULT);
        const hid_t space = H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
        const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        EXPECT_GE(dataset, 0);
        H5Dclose(dataset);
        H5Sclose(space);
    }

    TemporaryFolder folder_;
    std::string path_ = folder_.file("a.h5");
};

TEST_F(TamperedCheckpoint, nothing_changed_is_fine) {
    tamper([](hid_t) {});
    EXPECT_TRUE(load_checkpoint(path_)) << problem(load_checkpoint(path_));
}

TEST_F(TamperedCheckpoint, changed_value) {
    tamper([](hid_t file) { overwrite(file, "particles/density", 17, 3.25); });
    expect_refused(path_, "does not match the hash");
}

TEST_F(TamperedCheckpoint, connection_to_nowhere) {
    tamper([](hid_t file) { overwrite(file, "connections/slots/other", 5, 100); });
    expect_refused(path_, "a particle or body that does not exist");
}

TEST_F(TamperedCheckpoint, counts_that_do_not_add_up) {
    tamper([](hid_t file) { overwrite(file, "connections/counts", 5, 4294967295.0); });
    expect_refused(path_, "do not add up");
}

TEST_F(TamperedCheckpoint, missing_parts) {
    for (const char* part : {"bodies/torque", "bodies", "connections/counts", "connections", "particles", "scene"}) {
        tamper([&](hid_t file) { EXPECT_GE(H5Ldelete(file, part, H5P_DEFAULT), 0); });
        expect_refused(path_, "HDF5 cannot find or open");
    }
}

TEST_F(TamperedCheckpoint, column_of_other_length) {
    tamper([](hid_t file) { replace(file, "connections/counts", H5T_STD_U32LE, {99}); });
    expect_refused(path_, "not as many rows of connections as particles");
}

TEST_F(TamperedCheckpoint, column_of_other_type) {
    tamper([](hid_t file) { replace(file, "connections/counts", H5T_IEEE_F64LE, {100}); });
    expect_refused(path_, "of another type");
}

TEST_F(TamperedCheckpoint, rows_of_other_width) {
    tamper([](hid_t file) { replace(file, "bodies/rotation", H5T_IEEE_F64LE, {2, 3}); });
    expect_refused(path_, "rows of another length");
}

TEST_F(TamperedCheckpoint, a_scene_of_many_texts_does_not_run_over) {
    tamper([](hid_t file) {
        const hid_t type = H5Tcopy(H5T_C_S1);
        replace(file, "scene", type, {1000});
        H5Tclose(type);
    });
    expect_refused(path_, "its scene is no single text");
}

TEST_F(TamperedCheckpoint, a_size_that_cannot_be_takes_no_memory) {
    tamper([](hid_t file) { replace(file, "connections/counts", H5T_STD_U32LE, {hsize_t{1} << 50}); });
    expect_refused(path_, "larger than the file");
}

TEST_F(TamperedCheckpoint, newer_format) {
    tamper([](hid_t file) {
        const hid_t attribute = H5Aopen(file, "format_version", H5P_DEFAULT);
        const std::uint32_t version = 99;
        EXPECT_GE(H5Awrite(attribute, H5T_STD_U32LE, &version), 0);
        H5Aclose(attribute);
    });
    expect_refused(path_, "it is of format 99, this program reads format 4");
}

TEST(Checkpoint, a_failed_save_says_why_and_keeps_the_older_file) {
    TemporaryFolder folder;
    const State small = random_state<float>(10, 14), large = random_state<float>(20000, 15);
    const auto nowhere = save_checkpoint(folder.file("no/such/folder/a.h5"), small, scene, "1");
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().code, ExitCode::file_failed);
    EXPECT_NE(to_string(nowhere.error()).find("No such file or directory"), std::string::npos);

    const std::string path = folder.file("a.h5");
    ASSERT_TRUE(save_checkpoint(path, small, scene, "1"));
    const auto full = [&] {
        const TightDisk tight(100000);
        return save_checkpoint(path, large, scene, "1");
    }();
    ASSERT_FALSE(full);
    EXPECT_NE(to_string(full.error()).find("File too large"), std::string::npos) << to_string(full.error());

    const auto kept = load_checkpoint(path);
    ASSERT_TRUE(kept) << problem(kept);
    EXPECT_EQ(state_hash(kept->state), state_hash(small));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "a temporary file was left";
}

}  // namespace
}  // namespace treacle
