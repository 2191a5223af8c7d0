#pragma once

#include "studies/study.h"

namespace pliant {

std::span<const Benchmark> picture_benchmarks();
std::span<const Benchmark> film_benchmarks();

}  // namespace pliant
