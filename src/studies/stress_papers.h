#pragma once

#include "studies/study.h"

namespace pliant {

/// Stress at the skin against closed forms and finite elements, with settings as users leave them.
std::span<const Experiment> stress_experiments();

}  // namespace pliant
