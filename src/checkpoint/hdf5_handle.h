#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <hdf5.h>

/// Calls of HDF5 that succeed or throw; only for the files of this folder, which catch the exceptions.

namespace treacle::hdf5 {

/// Thrown by every call of HDF5 that fails; all failures are caught in one place.
struct Refusal {
    std::string reason;
};

/// Keeps HDF5 from printing to stderr by itself.
class QuietHdf5 {
public:
    QuietHdf5() {
        H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    }
    ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
    QuietHdf5(const QuietHdf5&) = delete;
    QuietHdf5& operator=(const QuietHdf5&) = delete;

private:
    H5E_auto2_t function_ = nullptr;
    void* data_ = nullptr;
};

/// An open object of HDF5.
class Handle {
public:
    Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what) : id_(id), close_(close) {
        if (id < 0) throw Refusal{"HDF5 cannot find or open " + what};
    }
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    Handle(Handle&& from) noexcept : id_(std::exchange(from.id_, -1)), close_(from.close_) {}
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    operator hid_t() const { return id_; }

private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

void require(bool good, const std::string& reason);

Handle text_type(std::size_t length);

/// HDF5 reads as many bytes as the type has, at least one, so the text must have that many.
std::string padded(std::string text);

/// One value, or `extent` of them.
void write_attribute(hid_t object, const char* name, hid_t type, const void* value, std::vector<hsize_t> extent = {});
void write_text_attribute(hid_t object, const char* name, const std::string& text);

/// No extent means a single value.
Handle write_dataset(hid_t group, const std::string& name, hid_t type, std::vector<hsize_t> extent, const void* data);

/// A file in memory only. HDF5's library crashes when a disk is full, so we write the bytes. `room` bytes are left free
/// at its start.
Handle create_memory_file(std::size_t expected_bytes, std::size_t room);

/// All bytes of such a file; they live as long as it is open.
std::string_view finished_bytes(const Handle& file);

}  // namespace treacle::hdf5
