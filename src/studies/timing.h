#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

namespace pliant {

/// Milliseconds; noise only adds time, so the minimum is the honest number.
double fastest_of(int repeats, const auto& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int r = 0; r < repeats; ++r) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  return best;
}

}  // namespace pliant
