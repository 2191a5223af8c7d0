#pragma once

#include <vector>

#include "body/body.h"
#include "contact/collider.h"
#include "contact/contact_solver.h"
#include "world/report.h"

namespace pliant {

/// Everything that moves, and what moves it.
struct World {
  Vec3 gravity = {0, -9.81, 0};  // [m/s^2]
  int substeps = 20;             // per step
  double time = 0;               // [s]
  std::vector<Body> bodies;
  std::vector<Collider> colliders;
  ContactSolver contact;

  /// Moves everything on by `dt` seconds. See step.cpp. Throws NumericalError when a position is no
  /// longer finite.
  StepReport step(double dt);

  /// The whole state: what two worlds of the same scene can differ in.
  void archive(Archive& archive);
};

/// Fingerprint of the state: equal for any number of threads and from run to run.
std::uint64_t state_hash(World& world);

/// Substeps that resolve the stiffest body, with the reason; between `least` and `most`.
StepAdvice advise_substeps(const World& world, double dt, int least = 20, int most = 200);

}  // namespace pliant
