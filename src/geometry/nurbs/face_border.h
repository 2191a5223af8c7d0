#pragma once

#include <vector>

#include "math/types.h"

namespace pliant {

/// An edge of a face of a CAD model: a row of points along it, on the face's own surface.
struct FaceBorder {
  int face = 0;              // number in the file, from 1
  std::vector<Vec3> points;  // [m]
};

}  // namespace pliant
