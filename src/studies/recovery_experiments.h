#pragma once

#include "studies/study.h"

namespace pliant {

/// C-5, C-7, C-9 and C-recovery: bodies in disorder that find their shape again.
std::span<const Experiment> recovery_experiments();

}  // namespace pliant
