#pragma once

#include "core/profile.h"

namespace pliant {

/// What happened in one step.
struct StepReport {
  int substeps = 0;
  int contacts = 0;              // in the last substep
  double max_penetration = 0;    // [m] worst over the substeps, beyond the surface itself
  int contact_iterations = 0;    // over all substeps
  int unconverged_substeps = 0;  // contact stopped at its iteration limit
  int newton_iterations = 0;     // of static steps, over all bodies
  double static_residual = 0;    // of static steps: worst share of the force left unbalanced
  int unbalanced = 0;            // bodies that found no equilibrium
  PhaseTimes times;
};

}  // namespace pliant
