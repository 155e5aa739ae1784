#pragma once

#include <functional>
#include <string>

namespace treacle {

/// Where warnings and remarks go. The application decides; the library never prints by itself.
struct Log {
    std::function<void(const std::string&)> warning = [](const std::string&) {};
    std::function<void(const std::string&)> note = [](const std::string&) {};
};

}  // namespace treacle
