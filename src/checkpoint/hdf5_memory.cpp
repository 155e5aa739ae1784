#include "checkpoint/hdf5_memory.h"

#include <algorithm>

#include "core/file.h"
#include "checkpoint/hdf5_handle.h"

namespace treacle {

namespace hdf5 {

void require(bool good, const std::string& reason) {
    if (!good) throw Refusal{reason};
}

Handle text_type(std::size_t length) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "a text type");
    require(H5Tset_size(type, std::max<std::size_t>(1, length)) >= 0 && H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0,
            "HDF5 refuses a text of " + std::to_string(length) + " bytes");
    return type;
}

std::string padded(std::string text) {
    if (text.empty()) text.push_back('\0');
    return text;
}

namespace {

Handle space_of(const std::vector<hsize_t>& extent, const std::string& name) {
    return {extent.empty() ? H5Screate(H5S_SCALAR)
                           : H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr),
            H5Sclose, "the extent of " + name};
}

}  // namespace

void write_attribute(hid_t object, const char* name, hid_t type, const void* value, std::vector<hsize_t> extent) {
    const Handle space = space_of(extent, name);
    const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
    require(H5Awrite(attribute, type, value) >= 0, std::string("HDF5 cannot write ") + name);
}

void write_text_attribute(hid_t object, const char* name, const std::string& text) {
    write_attribute(object, name, text_type(text.size()), padded(text).data());
}

Handle write_dataset(hid_t group, const std::string& name, hid_t type, std::vector<hsize_t> extent, const void* data) {
    const Handle space = space_of(extent, name);
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "dataset properties");
    // Without the time of day, so that the same state makes the same file.
    require(H5Pset_obj_track_times(creation, false) >= 0, "HDF5 cannot leave the time out of " + name);
    Handle dataset(H5Dcreate2(group, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose, name);
    const bool any = extent.empty() || extent[0] > 0;
    require(!any || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0, "HDF5 cannot write " + name);
    return dataset;
}

Handle create_memory_file(std::size_t expected_bytes, std::size_t room) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "file properties");
    const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "file properties");
    require(H5Pset_fapl_core(access, std::max<std::size_t>(expected_bytes, 65536), false) >= 0 &&
                H5Pset_userblock(creation, room) >= 0,
            "HDF5 cannot work in memory");
    return {H5Fcreate("memory", H5F_ACC_TRUNC, creation, access), H5Fclose, "a file in memory"};
}

std::string_view finished_bytes(const Handle& file) {
    void* memory = nullptr;  // for a file in memory HDF5 hands out the address of its pointer to the bytes
    hsize_t bytes = 0;
    require(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 && H5Fget_filesize(file, &bytes) >= 0 &&
                H5Fget_vfd_handle(file, H5P_DEFAULT, &memory) >= 0,
            "HDF5 cannot finish the file");
    return {*static_cast<const char* const*>(memory), bytes};
}

}  // namespace hdf5

using namespace hdf5;

struct Hdf5Memory::File {
    Handle handle;
};

namespace {

hid_t type_of(Hdf5Memory::Type type) {
    switch (type) {
        case Hdf5Memory::Type::f32: return H5T_IEEE_F32LE;
        case Hdf5Memory::Type::f64: return H5T_IEEE_F64LE;
        case Hdf5Memory::Type::u8: return H5T_STD_U8LE;
        case Hdf5Memory::Type::u32: return H5T_STD_U32LE;
        case Hdf5Memory::Type::i64: return H5T_STD_I64LE;
    }
    return -1;
}

/// Makes one call of HDF5, unless an earlier one has failed.
template <class Work>
void attempt(std::string& refused, const Work& work) {
    if (!refused.empty()) return;
    const QuietHdf5 quiet;
    try {
        work();
    } catch (const Refusal& refusal) { refused = refusal.reason; }
}

}  // namespace

Hdf5Memory::Hdf5Memory(std::size_t expected_bytes) {
    // HDF5 rounds the size up to a multiple of this number: small steps waste little.
    attempt(refused_, [&] { file_ = std::make_unique<File>(File{create_memory_file(expected_bytes / 16, 0)}); });
}

Hdf5Memory::~Hdf5Memory() = default;

void Hdf5Memory::add_group(const std::string& path) {
    attempt(refused_, [&] {
        const Handle group(H5Gcreate2(file_->handle, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                           path);
    });
}

void Hdf5Memory::add_text_attribute(const std::string& path, const char* name, const std::string& text) {
    attempt(refused_, [&] {
        const Handle object(H5Oopen(file_->handle, path.c_str(), H5P_DEFAULT), H5Oclose, path);
        write_text_attribute(object, name, text);
    });
}

void Hdf5Memory::add_attribute(const std::string& path, const char* name, const std::vector<std::int64_t>& values) {
    attempt(refused_, [&] {
        const Handle object(H5Oopen(file_->handle, path.c_str(), H5P_DEFAULT), H5Oclose, path);
        write_attribute(object, name, H5T_STD_I64LE, values.data(), {values.size()});
    });
}

void Hdf5Memory::add_dataset(const std::string& path, Type type, const std::vector<std::size_t>& extent,
                             const void* data) {
    attempt(refused_, [&] { write_dataset(file_->handle, path, type_of(type), {extent.begin(), extent.end()}, data); });
}

Result<void> Hdf5Memory::write(const std::string& path) const {
    std::string refused = refused_;
    std::string_view bytes;
    attempt(refused, [&] { bytes = finished_bytes(file_->handle); });
    if (!refused.empty()) return fail(ExitCode::file_failed, "cannot be made: " + refused, path);
    return write_file_atomically(path, bytes);
}

}  // namespace treacle
