#pragma once

#include "studies/study.h"

namespace pliant {

/// Bodies of clusters: sweeps, tracking, contact of changed surfaces, threads, the paper's table.
std::span<const Benchmark> clusters_benchmarks();

}  // namespace pliant
