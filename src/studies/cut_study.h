#pragma once

#include "studies/study.h"

namespace pliant {

// Cut cells: a fish of 20 000 triangles as about 840 and about 195 groups, the first figure of the
// paper on groups.

std::span<const Experiment> cut_experiments();
std::span<const Benchmark> cut_benchmarks();

}  // namespace pliant
