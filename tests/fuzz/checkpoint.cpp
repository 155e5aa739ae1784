#include <array>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "fuzz/fuzz.h"
#include "checkpoint/checkpoint.h"
#include "checkpoint/seal.h"
#include "support/random_state.h"
#include "support/temporary_folder.h"

/// Damaged checkpoints, with damage in the seal or behind it. Behind it, bytes of HDF5's own structures are left alone:
/// its library crashes on some of them, which is why there is a seal.

namespace treacle {
namespace {

class FuzzCheckpoint : public ::testing::Test {
protected:
    void SetUp() override {
        const State state = random_state<float>(8, 1);
        hash_ = state_hash(state);
        ASSERT_TRUE(save_checkpoint(path_, state, "{ \"treacle\": 1 }", "1"));
        whole_ = content_of(path_);
    }

    void load_damaged() {
        const auto result = load_checkpoint(path_);
        if (result) {
            ++accepted_;
            EXPECT_EQ(state_hash(result->state), hash_);
        } else {
            EXPECT_EQ(result.error().code, ExitCode::file_failed);
            EXPECT_NE(to_string(result.error()).find(path_), std::string::npos);
        }
    }

    TemporaryFolder folder_{memory_folder()};
    std::string path_ = folder_.file("a.h5");
    std::string whole_;
    std::uint64_t hash_ = 0;
    std::size_t accepted_ = 0;
};

TEST_F(FuzzCheckpoint, Bytes) {
    const std::vector<std::string> words{"treacle checkpoint\n", "bytes 0\n", "bytes 99999999999999999999\n", "hash "};
    test::fuzz("FuzzCheckpoint.Bytes", 30000, [&](std::uint32_t seed) {
        test::Mutator mutator(seed, words);
        const std::size_t front = mutator.one_in(2) ? seal_bytes : whole_.size();  // often in the seal itself
        put_content(path_, mutator.bytes(whole_.substr(0, front), whole_) + whole_.substr(front));
        load_damaged();
    });
}

using Names = std::vector<std::string>;

/// Paths of all groups and datasets below the root.
Names objects_of(hid_t file) {
    Names names;
    H5Ovisit(
        file, H5_INDEX_NAME, H5_ITER_INC,
        [](hid_t, const char* name, const H5O_info_t*, void* target) -> herr_t {
            if (std::string(name) != ".") static_cast<Names*>(target)->emplace_back(name);
            return 0;
        },
        &names);
    return names;
}

Names attributes_of(hid_t object) {
    Names names;
    H5Aiterate2(
        object, H5_INDEX_NAME, H5_ITER_INC, nullptr,
        [](hid_t, const char* name, const H5A_info_t*, void* target) -> herr_t {
            static_cast<Names*>(target)->emplace_back(name);
            return 0;
        },
        &names);
    return names;
}

/// Changes a file by means of HDF5: it stays well-formed, with other content.
class Tamper {
public:
    Tamper(hid_t file, test::Mutator& mutator) : file_(file), mutator_(mutator) {}

    void change() {
        const Names names = objects_of(file_);
        if (names.empty()) return;
        const std::string& name = names[mutator_.below(names.size())];
        switch (mutator_.below(8)) {
            case 0: H5Ldelete(file_, name.c_str(), H5P_DEFAULT); break;
            case 1:
                H5Lmove(file_, name.c_str(), file_, names[mutator_.below(names.size())].c_str(), H5P_DEFAULT,
                        H5P_DEFAULT);
                break;
            case 2: replace(name, names[mutator_.below(names.size())]); break;
            case 3: replace_dataset(name); break;
            case 4: change_values(name); break;
            default: change_attribute(mutator_.one_in(2) ? "." : name); break;
        }
    }

private:
    /// One object under the name of another, which may be the group around it.
    void replace(const std::string& name, const std::string& by) {
        const hid_t object = H5Oopen(file_, by.c_str(), H5P_DEFAULT);
        H5Ldelete(file_, name.c_str(), H5P_DEFAULT);
        H5Olink(object, file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        H5Oclose(object);
    }

    hid_t any_type() {
        const std::array<hid_t, 8> types{H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_STD_U32LE, H5T_STD_U8LE,
                                         H5T_STD_U64LE,  H5T_IEEE_F64BE, H5T_STD_I32LE, H5T_C_S1};
        const hid_t type = H5Tcopy(types[mutator_.below(types.size())]);
        if (H5Tget_class(type) == H5T_STRING) {
            H5Tset_size(type, mutator_.one_in(3) ? H5T_VARIABLE : 1 + mutator_.below(100));
        }
        return type;
    }

    hid_t any_space() {
        const std::array<hsize_t, 8> sizes{0, 1, 2, 4, 8, 9, 1000000, hsize_t{1} << 60};
        std::array<hsize_t, 3> extent{};
        for (hsize_t& size : extent) size = sizes[mutator_.below(sizes.size())];
        const std::size_t rank = mutator_.below(4);
        return rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(rank), extent.data(), nullptr);
    }

    void replace_dataset(const std::string& name) {
        const hid_t type = any_type(), space = any_space(), properties = H5Pcreate(H5P_DATASET_CREATE);
        if (mutator_.one_in(3)) {
            const std::array<hsize_t, 3> chunk{1, 1, 1};
            H5Pset_chunk(properties, std::max(1, H5Sget_simple_extent_ndims(space)), chunk.data());
        } else if (mutator_.one_in(3)) {
            H5Pset_layout(properties, H5D_COMPACT);
        }
        H5Ldelete(file_, name.c_str(), H5P_DEFAULT);
        H5Dclose(H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT));
        H5Pclose(properties);
        H5Sclose(space);
        H5Tclose(type);
    }

    void flip_bits(std::string& bytes) {
        for (std::size_t n = 0; n < 3 && !bytes.empty(); ++n) {
            char& byte = bytes[mutator_.below(bytes.size())];
            byte = static_cast<char>(byte ^ (1 << mutator_.below(8)));
        }
    }

    void change_values(const std::string& name) {
        const hid_t dataset = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
        if (dataset < 0) return;  // a group
        const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
        const hssize_t count = H5Sget_simple_extent_npoints(space);  // more than is stored if nothing was written yet
        if (count >= 0 && count < 10000 && H5Tis_variable_str(type) <= 0) {
            std::string bytes(static_cast<std::size_t>(count) * H5Tget_size(type), '\0');
            H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
            flip_bits(bytes);
            H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
        }
        H5Sclose(space);
        H5Tclose(type);
        H5Dclose(dataset);
    }

    void change_attribute(const std::string& object_name) {
        const hid_t object = H5Oopen(file_, object_name.c_str(), H5P_DEFAULT);
        const Names names = attributes_of(object);
        if (!names.empty()) {
            const std::string& name = names[mutator_.below(names.size())];
            if (mutator_.one_in(2)) change_attribute_value(object, name);
            else replace_attribute(object, name);
        }
        H5Oclose(object);
    }

    void change_attribute_value(hid_t object, const std::string& name) {
        const hid_t attribute = H5Aopen(object, name.c_str(), H5P_DEFAULT), type = H5Aget_type(attribute);
        if (H5Tis_variable_str(type) <= 0) {
            std::string bytes(H5Aget_storage_size(attribute), '\0');
            H5Aread(attribute, type, bytes.data());
            flip_bits(bytes);
            H5Awrite(attribute, type, bytes.data());
        }
        H5Tclose(type);
        H5Aclose(attribute);
    }

    void replace_attribute(hid_t object, const std::string& name) {
        H5Adelete(object, name.c_str());
        if (mutator_.one_in(4)) return;
        const hid_t type = any_type(), space = any_space();
        if (H5Sget_simple_extent_npoints(space) <= 1000) {
            const hid_t attribute = H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
            if (attribute >= 0) H5Aclose(attribute);
        }
        H5Sclose(space);
        H5Tclose(type);
    }

    hid_t file_;
    test::Mutator& mutator_;
};

TEST_F(FuzzCheckpoint, BehindTheSeal) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // refusals of HDF5 are expected here
    test::fuzz("FuzzCheckpoint.BehindTheSeal", 10000, [&](std::uint32_t seed) {
        test::Mutator mutator(seed, {});
        put_content(path_, whole_);
        const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        ASSERT_GE(file, 0);
        Tamper tamper(file, mutator);
        for (std::size_t n = 0, count = 1 + mutator.below(3); n < count; ++n) tamper.change();
        H5Fclose(file);
        const std::string inside = content_of(path_).substr(seal_bytes);
        put_content(path_, make_seal(inside) + inside);
        load_damaged();
    });
    EXPECT_GT(accepted_, 0u);
}

}  // namespace
}  // namespace treacle
