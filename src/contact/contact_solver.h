#pragma once

#include <span>

#include "body/body.h"
#include "contact/collider.h"

namespace pliant {

struct ContactReport {
  int contacts = 0;
  int iterations = 0;
  bool converged = true;
  double max_penetration = 0;  // [m] beyond the kept thickness, after the solve
};

/// Everything that touches, solved as one problem per substep: impulses p with gap(free + B W^T p) >= 0, p >= 0
/// and Coulomb friction. Reads skins and mobility, writes `nodes.load`, calls `respond`; knows no method.
class ContactSolver {
 public:
  /// Once per step of `dt` seconds: what may touch what.
  void find_candidates(std::span<Body> bodies, std::span<const Collider> colliders, double time, double dt);

  /// Once per substep, after every body's advance: exact gaps and normals. Refreshes the skins.
  void find_contacts(std::span<Body> bodies, std::span<const Collider> colliders, const Substep& substep);

  /// Pushes everything apart.
  ContactReport solve(std::span<Body> bodies, const Substep& substep);

  void archive(Archive& archive);
};

}  // namespace pliant
