#pragma once

#include <span>

#include "studies/study.h"

namespace pliant {

/// Bullet's deformable body on our bars: a peer, where its library was there when we were built;
/// otherwise no benchmarks.
std::span<const Benchmark> bullet_benchmarks();

}  // namespace pliant
