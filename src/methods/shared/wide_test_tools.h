#pragma once

#include <cstring>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "math/types.h"
#include "methods/shared/instruction_set.h"

// For tests of wide kernels.

namespace pliant {

/// Back to the best instruction set, however the test ends.
struct Forced {
  explicit Forced(const std::string& name) { force_instruction_set(name); }
  ~Forced() { force_instruction_set(""); }
};

/// `run` gives the same vectors, to the bit, on 1, 2, 3 and 7 threads.
inline void check_threads(const auto& run) {
  std::vector<Vec3> expected;
  for (const int count : {1, 2, 3, 7}) {
    set_threads(count);
    const std::vector<Vec3> found = run();
    if (expected.empty()) expected = found;
    REQUIRE(found.size() == expected.size());
    CHECK(std::memcmp(expected.data(), found.data(), expected.size() * sizeof(Vec3)) == 0);
  }
  set_threads(0);
}

}  // namespace pliant
