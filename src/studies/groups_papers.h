#pragma once

#include "studies/study.h"

namespace pliant {

/// P-1 ... P-7 of the physically based shape matching paper, and closed forms.
std::span<const Experiment> groups_experiments();

}  // namespace pliant
