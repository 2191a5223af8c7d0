#pragma once

#include "studies/study.h"

namespace pliant {

/// CAD bodies by the default kinematics, judged by finite elements and closed forms.
std::span<const Experiment> nurbs_experiments();

}  // namespace pliant
