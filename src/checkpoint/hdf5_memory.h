#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"

namespace treacle {

/// An HDF5 file that is built in memory and then written as a whole. Exporters need not know the library.
class Hdf5Memory {
public:
    enum class Type { f32, f64, u8, u32, i64 };

    explicit Hdf5Memory(std::size_t expected_bytes);
    ~Hdf5Memory();
    Hdf5Memory(const Hdf5Memory&) = delete;
    Hdf5Memory& operator=(const Hdf5Memory&) = delete;

    /// Paths begin with a slash; the groups above must be there.
    void add_group(const std::string& path);
    void add_text_attribute(const std::string& path, const char* name, const std::string& text);
    void add_attribute(const std::string& path, const char* name, const std::vector<std::int64_t>& values);
    void add_dataset(const std::string& path, Type type, const std::vector<std::size_t>& extent, const void* data);

    /// Writes the file if all went well so far; otherwise the error says what failed.
    Result<void> write(const std::string& path) const;

private:
    struct File;
    std::unique_ptr<File> file_;
    std::string refused_;  ///< the first call of HDF5 that failed
};

}  // namespace treacle
