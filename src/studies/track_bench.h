#pragma once

#include "studies/study.h"

namespace pliant {

std::span<const Benchmark> track_benchmarks();

/// A ball that turns: nothing to be done, and a search for crossing triangles beside it.
BenchRow quiet_tracking(const BenchWish& wish);

}  // namespace pliant
