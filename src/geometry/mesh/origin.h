#pragma once

#include "math/types.h"

namespace pliant {

/// A place on a surface as it was given: c0 + second (c1 - c0) + third (c2 - c0) over the corners
/// of one of its triangles. -1: material from inside, which that surface did not show.
struct Origin {
  int triangle = -1;
  double second = 0;
  double third = 0;

  Vec3 weights() const { return {1 - second - third, second, third}; }
};

}  // namespace pliant
