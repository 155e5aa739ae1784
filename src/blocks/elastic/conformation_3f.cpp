#include "blocks/elastic/conformation_positions.h"
#include "blocks/elastic/conformation_velocities.h"

namespace treacle {

template class Conformation<Space3f>;  // one file per space: each takes long to compile

}  // namespace treacle
