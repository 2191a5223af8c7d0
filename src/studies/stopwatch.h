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

/// Milliseconds per frame of play_frame(1) ... play_frame(frames), without the slowest: the first
/// one fills caches, or another program had the core.
inline double pace(int frames, const auto& play_frame) {
  double total = 0, slowest = 0;
  for (int f = 1; f <= frames; ++f) {
    const double ms = milliseconds_of([&] { play_frame(f); });
    total += ms;
    slowest = std::max(slowest, ms);
  }
  return (total - slowest) / (frames - 1);
}

}  // namespace pliant
