#pragma once

#include "studies/study.h"

namespace pliant {

std::span<const Benchmark> tets_benchmarks();

}  // namespace pliant
