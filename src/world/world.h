#pragma once

#include <vector>

#include "body/body.h"
#include "contact/colliders/collider.h"
#include "contact/contact_solver.h"
#include "world/report.h"

namespace pliant {

/// Everything that moves, and what moves it.
struct World {
  Vec3 gravity = {0, -9.81, 0};  // [m/s^2]
  int substeps = 20;             // per step
  bool statics = false;          // each step finds equilibrium instead of moving in time
  double time = 0;               // [s]
  std::vector<Body> bodies;
  std::vector<Collider> colliders;
  ContactSolver contact;

  /// Moves everything on by `dt` seconds; 0 leaves all as it is. See step.cpp. Throws
  /// NumericalError when a position is no longer finite. With `statics` every body is put where the
  /// loads and handles of the new time leave it in balance; nothing touches, and nothing that
  /// happened before matters but where Newton's method starts.
  StepReport step(double dt);

 private:
  StepReport settle(double dt);
  void adapt(double dt);

 public:
  /// The whole state: what two worlds of the same scene can differ in.
  void archive(Archive& archive);
};

/// Fingerprint of the state: equal for any number of threads and from run to run.
std::uint64_t state_hash(World& world);

/// Substeps that resolve the stiffest body, with the reason; at most `most`, at least what contact
/// wants: `least`, or fewer where all bodies' methods say so.
StepAdvice advise_substeps(const World& world, double dt, int least = 20, int most = 200);

}  // namespace pliant
