#pragma once

#include <vector>

#include "math/types.h"

namespace pliant {

/// What others did to a body's surface in the last step, per vertex of Body::skin; for reports
/// only, the motion does not depend on it. Means over the whole step: so a blow that is over within
/// a substep is seen, and force times step is what the body's momentum changed by.
struct Touched {
  std::vector<Vec3> impulse;   // [N s] sum over the substeps, with friction
  std::vector<Vec3> pressing;  // [N s] of it the parts square to what was met
  double time = 0;             // [s] they took

  Vec3 force(int vertex) const {  // [N]
    return known(vertex) ? Vec3(impulse[vertex] / time) : Vec3(Vec3::Zero());
  }
  Vec3 normal_force(int vertex) const {  // [N]
    return known(vertex) ? Vec3(pressing[vertex] / time) : Vec3(Vec3::Zero());
  }

 private:
  // Bodies that nothing touched have no entries; nor have vertices of a skin made since.
  bool known(int vertex) const { return time > 0 && vertex < int(impulse.size()); }
};

}  // namespace pliant
