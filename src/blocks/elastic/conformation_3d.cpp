#include "blocks/elastic/conformation_positions.h"
#include "blocks/elastic/conformation_velocities.h"

namespace treacle {

template class Conformation<Space3d>;  // one file per space: each takes long to compile

}  // namespace treacle
