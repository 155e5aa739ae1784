#pragma once

namespace treacle {

/// The size of a particle after that many halvings of its mass, in units of the spacing.
double halved_size(int dimension, int halvings);

}  // namespace treacle
