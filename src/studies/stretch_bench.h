#pragma once

#include <span>

#include "studies/study.h"

namespace pliant {

std::span<const Benchmark> stretch_benchmarks();

}  // namespace pliant
