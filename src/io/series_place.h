#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace treacle {

/// Place of the files of a sequence, for the file that lists them.
struct SeriesPlace {
    std::string folder;       ///< of the list
    std::string prefix;       ///< from there to the frames: "frames/" in a run, nothing in an export
    std::vector<int> frames;  ///< in ascending order
    int first_new = 1;        ///< files of earlier frames are there already

    std::string file(const std::string& name) const { return folder + "/" + name; }
};

/// frame.0001.ply
std::string numbered_name(std::string_view stem, int number, std::string_view extension);

}  // namespace treacle
