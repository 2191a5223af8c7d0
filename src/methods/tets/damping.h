#pragma once

#include "methods/shared/inner_damping.h"
#include "methods/tets/tet_elements.h"

namespace pliant::tets {

/// Damping of a body of tets; a node has the mean rate of its tets by volume.
class Damping : public InnerDamping {
 public:
  Damping(const TetElements& elements, int nodes);
};

}  // namespace pliant::tets
