#pragma once

#include "studies/study.h"

namespace pliant {

/// The paper on large elasto-plastic deformation with clusters: what it has numbers for, and what
/// the method must do besides.
std::span<const Experiment> clusters_experiments();
/// Its figures.
std::span<const Experiment> clusters_shows();

}  // namespace pliant
