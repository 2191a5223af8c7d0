#pragma once

#include "studies/study.h"

namespace pliant {

/// CAD bodies: what making one takes, stage by stage, and what a step takes beside the paper's
/// Table 1.
std::span<const Benchmark> nurbs_benchmarks();

}  // namespace pliant
