#pragma once

#include "studies/study.h"

namespace pliant {

/// Figures of Brunet et al. 2019.
std::span<const Experiment> meshless_experiments();
/// Closed forms and published benchmarks.
std::span<const Experiment> meshless_structures();

}  // namespace pliant
