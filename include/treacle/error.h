#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include <treacle/export.h>

namespace treacle::v0 {

/// One thing that is wrong, with its place where it has one.
struct Problem {
    std::string message;
    std::string file;     ///< empty: no file is involved
    std::string pointer;  ///< JSON pointer into the scene, such as "/materials/honey/density"; may be empty
    int line = 0;         ///< from 1 on; 0: not known
};

/// Whatever goes wrong: everything that was found, at once. what() has all problems, one a line.
class TREACLE_EXPORT Error : public std::runtime_error {
public:
    enum class Kind {
        wrong_input,  ///< a scene, a parameter or a name
        diverged,     ///< a step blew up; restore() an earlier snapshot, or give the simulation up
        file_failed,  ///< a file could not be read
    };

    Error(Kind kind, std::vector<Problem> problems);
    ~Error() override;

    Kind kind() const { return kind_; }
    const std::vector<Problem>& problems() const { return problems_; }

private:
    Kind kind_;
    std::vector<Problem> problems_;
};

}  // namespace treacle::v0
