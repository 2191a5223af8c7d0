#pragma once

#include "studies/study.h"

namespace pliant {

std::span<const Benchmark> groups_benchmarks();

}  // namespace pliant
