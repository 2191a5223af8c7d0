#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

namespace pliant {

inline double milliseconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

/// Milliseconds; noise only adds time, so the minimum is the honest number.
inline double fastest_of(int repeats, const auto& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int r = 0; r < repeats; ++r) best = std::min(best, milliseconds_of(work));
  return best;
}

}  // namespace pliant
