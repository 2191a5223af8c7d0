#pragma once

#include "studies/study.h"

namespace pliant {

std::span<const Benchmark> contact_benchmarks();

}  // namespace pliant
