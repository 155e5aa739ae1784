#include "state/frame_formats.h"

#include <algorithm>

namespace treacle {

const std::vector<FrameFormat>& frame_formats() {
    static const std::vector<FrameFormat> formats{
        {"ply", "ply", 33, "treacle itself, its Blender add-on, MeshLab"},
        {"vtp", "vtp", 41, "ParaView, PyVista"},
        {"vtkhdf", "hdf", 52, "ParaView"},
        {"bgeo", "bgeo", 31, "Houdini, splashsurf, partio, Blender's sequence loader"},
        {"vdb", "vdb", 27, "Houdini and others with OpenVDB points"},
        {"csv", "csv", 83, "spreadsheets, anything"},
        {"npz", "npz", 33, "NumPy"},
        {"usda", "usda", 119, "usdview, Houdini, Omniverse"},
        {"mitsuba", "xml", 156, "Mitsuba 3"},
    };
    return formats;
}

const FrameFormat* find_frame_format(std::string_view word) {
    const auto& all = frame_formats();
    const auto found = std::find_if(all.begin(), all.end(), [&](const FrameFormat& f) { return f.word == word; });
    return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> frame_format_words() {
    std::vector<std::string> words;
    for (const FrameFormat& format : frame_formats()) words.emplace_back(format.word);
    return words;
}

}  // namespace treacle
