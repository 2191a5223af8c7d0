#pragma once

#include "studies/study.h"

namespace pliant {

std::span<const Benchmark> meshless_benchmarks();

}  // namespace pliant
