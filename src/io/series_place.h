#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace treacle {

/// Where the files of a sequence lie, for the file that lists them.
struct SeriesPlace {
    std::string folder;       ///< gets the list
    std::string prefix;       ///< from there to the frames: "frames/" in a run, nothing in an export
    std::vector<int> frames;  ///< in ascending order
    int first_new = 1;        ///< what belongs to earlier frames is there already

    std::string file(const std::string& name) const { return folder + "/" + name; }
};

/// frame.0001.ply
std::string numbered_name(std::string_view stem, int number, std::string_view extension);

}  // namespace treacle
