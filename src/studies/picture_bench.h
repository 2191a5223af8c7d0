#pragma once

#include "studies/study.h"

namespace pliant {

std::span<const Benchmark> picture_benchmarks();

}  // namespace pliant
