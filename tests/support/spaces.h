#pragma once

#include <gtest/gtest.h>

#include "math/space.h"

namespace treacle::test {

/// Spaces of blocks that every build has in float and double. Sanitizers ask each dimension and each precision once.
#if TREACLE_SANITIZED
using AllSpaces = testing::Types<Space2f, Space3d>;
#else
using AllSpaces = testing::Types<Space2f, Space3f, Space2d, Space3d>;
#endif

/// Spaces of the blocks of mukai2021, which works in double only.
using DoubleSpaces = testing::Types<Space2d, Space3d>;

/// Spaces of the blocks of barreiro2017: in double only if the build has it (TREACLE_DOUBLE).
#if TREACLE_DOUBLE
using ConstraintSpaces = AllSpaces;
#else
using ConstraintSpaces = testing::Types<Space2f, Space3f>;
#endif

}  // namespace treacle::test
