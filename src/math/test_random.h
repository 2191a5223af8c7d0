#pragma once

#include "core/random.h"
#include "math/types.h"

// Random things for tests: the same in every run.

namespace pliant::test {

/// Each number between -1 and 1.
inline Vec3 random_vector(std::uint64_t seed, std::uint64_t i) {
  return {2 * random_unit(seed, 3 * i) - 1, 2 * random_unit(seed, 3 * i + 1) - 1,
          2 * random_unit(seed, 3 * i + 2) - 1};
}
inline Mat3 random_matrix(std::uint64_t seed) {
  Mat3 M;
  for (int k = 0; k < 9; ++k) M.data()[k] = 2 * random_unit(seed, std::uint64_t(k)) - 1;
  return M;
}

}  // namespace pliant::test
