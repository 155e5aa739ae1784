#include <png.h>

#include "core/file.h"
#include "render/picture.h"

// The only file that includes the PNG library.

namespace treacle {

Result<void> write_png(const std::string& path, const Picture& picture) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.format = PNG_FORMAT_RGB;
    image.width = static_cast<png_uint_32>(picture.width);
    image.height = static_cast<png_uint_32>(picture.height);
    // The library's own bound for the size; the true size is known only after writing.
    png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string file(bytes, '\0');
    if (!png_image_write_to_memory(&image, file.data(), &bytes, 0, picture.rgb.data(), 0, nullptr)) {
        return fail(ExitCode::file_failed, std::string("the picture cannot be encoded: ") + image.message, path);
    }
    file.resize(bytes);
    return write_file_atomically(path, file);
}

}  // namespace treacle
