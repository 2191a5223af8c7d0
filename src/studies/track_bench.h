#pragma once

#include "studies/study.h"

namespace pliant {

std::span<const Benchmark> track_benchmarks();

}  // namespace pliant
