#pragma once

#include <vector>

#include "math/types.h"

namespace pliant {

/// A body inside, as it is now, for files: points that move with it, and tets between them or none.
struct Bulk {
  std::vector<Vec3> position;  // [m] per point
  std::vector<Vec3> velocity;  // [m/s]
  std::vector<Tet> tets;       // of points; empty: a cloud of points
  // Per tet, or per point of a cloud.
  std::vector<double> J;               // volume ratio of the elastic deformation
  std::vector<Mat3> stress;            // Cauchy [Pa]
  std::vector<double> plastic_strain;  // empty: the method knows none
};

}  // namespace pliant
