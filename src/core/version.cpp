#include "core/version.h"

namespace treacle {

const char* const program_version = TREACLE_VERSION;

}  // namespace treacle
