#include "io/gzip.h"

#include <stdexcept>

#include <zlib.h>

namespace treacle {

namespace {

// Positions hardly compress: the fastest level takes a third of the time of zlib's default, and files are only a few
// percent larger.
constexpr int level = 1;
constexpr int gzip_wrapper = 15 + 16;                       // largest window, and a gzip header around the data
constexpr int memory_level = 8;                             // zlib's default
constexpr std::size_t most_at_once = std::size_t{1} << 30;  // zlib counts in 32 bits

}  // namespace

std::string gzip(std::string_view bytes) {
    z_stream stream{};
    if (deflateInit2(&stream, level, Z_DEFLATED, gzip_wrapper, memory_level, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::runtime_error("zlib cannot compress");
    }
    std::string result;
    std::string piece(1 << 20, '\0');
    int state = Z_OK;
    do {
        const std::string_view part = bytes.substr(0, most_at_once);
        bytes.remove_prefix(part.size());
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
        stream.avail_in = static_cast<uInt>(part.size());
        do {
            stream.next_out = reinterpret_cast<Bytef*>(piece.data());
            stream.avail_out = static_cast<uInt>(piece.size());
            state = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
            result.append(piece.data(), piece.size() - stream.avail_out);
        } while (stream.avail_out == 0);
    } while (!bytes.empty());
    deflateEnd(&stream);
    if (state != Z_STREAM_END) throw std::runtime_error("zlib did not finish");
    return result;
}

std::uint32_t crc32_of(std::string_view bytes) {
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace treacle
