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
  PhaseTimes times;
};

}  // namespace pliant
