#include "io/npz.h"

#include <cstring>
#include <limits>

#include "core/file.h"
#include "io/frame_columns.h"
#include "io/gzip.h"

namespace treacle {

namespace {

/// A ZIP archive of files that are stored as they are. Its directory comes last.
class ZipStore {
public:
    void add(const std::string& name, std::string_view content) {
        const std::size_t offset = bytes_.size();
        std::string common;      // shared by the two headers of a file
        append16(common, 20);    // version 2.0 can read it
        append16(common, 0);     // nothing special
        append16(common, 0);     // stored
        append16(common, 0);     // midnight of …
        append16(common, 0x21);  // … January 1st, 1980: the same file every time
        append32(common, crc32_of(content));
        append32(common, content.size());
        append32(common, content.size());
        append16(common, name.size());
        append16(common, 0);  // no extra field
        append32(bytes_, 0x04034b50);
        bytes_ += common + name;
        bytes_ += content;
        append32(directory_, 0x02014b50);
        append16(directory_, 20);
        directory_ += common;
        append16(directory_, 0);  // no comment
        append16(directory_, 0);  // on the first disk
        append16(directory_, 0);
        append32(directory_, 0);
        append32(directory_, offset);
        directory_ += name;
        ++count_;
    }

    std::string finish() {
        const std::size_t start = bytes_.size();
        bytes_ += directory_;
        append32(bytes_, 0x06054b50);
        append16(bytes_, 0);
        append16(bytes_, 0);
        append16(bytes_, count_);
        append16(bytes_, count_);
        append32(bytes_, directory_.size());
        append32(bytes_, start);
        append16(bytes_, 0);
        return std::move(bytes_);
    }

private:
    static void append16(std::string& to, std::size_t value) { to.append(reinterpret_cast<const char*>(&value), 2); }
    static void append32(std::string& to, std::size_t value) { to.append(reinterpret_cast<const char*>(&value), 4); }

    std::string bytes_, directory_;
    std::size_t count_ = 0;
};

/// An array as NumPy stores it: `type` as in '<f4'; width 1 gives a one-dimensional array, rows 0 and width 0 a number.
std::string npy(const char* type, std::size_t rows, std::size_t width, const void* data, std::size_t bytes) {
    std::string shape = "()";
    if (width == 1) shape = "(" + std::to_string(rows) + ",)";
    if (width > 1) shape = "(" + std::to_string(rows) + ", " + std::to_string(width) + ")";
    std::string header = std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    constexpr std::size_t before = 10, alignment = 64;  // data begin at a multiple of it
    header.append((alignment - (before + header.size() + 1) % alignment) % alignment, ' ');
    header += '\n';
    std::string file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(header.size() & 0xff);
    file += static_cast<char>(header.size() >> 8);
    file += header;
    if (bytes > 0) file.append(static_cast<const char*>(data), bytes);
    return file;
}

}  // namespace

Result<void> write_npz(const std::string& path, const ParticleTable& particles) {
    const std::size_t rows = particles.size();
    ZipStore zip;
    const auto add = [&](const std::string& name, const char* type, std::size_t width, const void* data,
                         std::size_t value_bytes) {
        zip.add(name + ".npy", npy(type, rows, width, data, rows * width * value_bytes));
    };
    add("position", "<f4", 3, particles.position.data(), sizeof(float));
    add("velocity", "<f4", 3, particles.velocity.data(), sizeof(float));
    add("id", "<u4", 1, particles.id.data(), sizeof(std::uint32_t));
    add("material", "|u1", 1, particles.material.data(), 1);
    add("density", "<f4", 1, particles.density.data(), sizeof(float));
    for (const ParticleTable::Column& column : particles.extra) {
        add(column.name, "<f4", component_names(column.shape).size(), column.values.data(), sizeof(float));
    }
    const std::int32_t frame = particles.frame;
    zip.add("frame.npy", npy("<i4", 0, 0, &frame, sizeof frame));
    zip.add("time.npy", npy("<f8", 0, 0, &particles.time, sizeof particles.time));
    const std::string bytes = zip.finish();
    if (bytes.size() > std::numeric_limits<std::uint32_t>::max()) {
        return fail(ExitCode::file_failed, "an .npz of more than 4 GB cannot be written; choose another format", path);
    }
    return write_file_atomically(path, bytes);
}

}  // namespace treacle
