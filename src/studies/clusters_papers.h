#pragma once

#include "studies/study.h"

namespace pliant {

/// L-1 ... L-11 of the paper on large elasto-plastic deformation with clusters, those that need
/// neither cuts nor hands, and what the method must do besides.
std::span<const Experiment> clusters_experiments();

}  // namespace pliant
