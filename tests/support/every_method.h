#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "methods/registry.h"

namespace treacle::test {

/// Ids of all methods, as parameters of a test.
inline std::vector<std::string> every_method() {
    std::vector<std::string> ids;
    for (const MethodRow& row : method_registry()) ids.push_back(row.id);
    return ids;
}

/// Names the instance of a test by its method.
struct MethodName {
    std::string operator()(const testing::TestParamInfo<std::string>& info) const { return info.param; }
};

}  // namespace treacle::test
