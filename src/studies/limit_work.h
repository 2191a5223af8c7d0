#pragma once

#include <cstdint>

namespace pliant {

/// What a limit kernel sweeps over: batches one after the other, as its own layout has them.
struct LimitWork {
  int batches = 0;
  const std::int32_t* place = nullptr;
  const float* rest = nullptr;
  float* nodes = nullptr;
};

}  // namespace pliant
